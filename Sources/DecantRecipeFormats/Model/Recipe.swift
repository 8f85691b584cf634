package import DecantJSON

/// A recipe as its file has it, in the terms that all formats share.
///
/// What a format has and these lack goes into `extra` under the format's own names, so that writing the same
/// format again loses nothing. Texts are trimmed; empty ones are `nil`.
package struct Recipe {
  /// Never empty once it was taken: one without a title is called “Untitled” and the name of its file.
  package var title = ""
  /// A few words or a paragraph about the dish.
  package var summary: String?
  /// What the cook has written beside it.
  package var notes: String?
  package var author: String?
  /// The site, the book or the person that it comes from.
  package var source: String?
  /// The page that it comes from, as written.
  package var url: String?
  /// How much it makes, as written: “4 servings”, “2 loaves”.
  package var yield: String?
  /// How many it serves, where that is a number; derived from `yield` where the format does not say.
  package var servings: Double?
  package var prepTime: RecipeTime?
  package var cookTime: RecipeTime?
  package var totalTime: RecipeTime?
  /// From more than 0 to 5; `nil` for none given.
  package var rating: Double?
  package var difficulty: String?
  package var isFavorite: Bool?
  /// A code such as `en`.
  package var language: String?
  /// When it was made and last changed, as written; ISO 8601 where that was a number.
  package var created: String?
  package var modified: String?
  package var ingredients: [RecipeIngredient] = []
  package var steps: [RecipeStep] = []
  /// The cover first.
  package var images: [RecipeImage] = []
  package var categories: [String] = []
  package var tags: [String] = []
  package var nutrition: [RecipeNutrient] = []
  /// What the format tells this recipe from all others by, everywhere and for ever; not a row number.
  package var nativeID: String?
  /// Everything else that the format has, by its own names.
  package var extra: [(String, JSONValue)] = []
  /// What the reader should know: a picture that is none, a field that could not be read.
  package var warnings: [String] = []

  package init() {
  }

  /// What a recipe is called that has no title, and the member of `extra` that says so.
  package static let untitled = "Untitled"
  package static let untitledMark = "untitled"

  /// Which of ingredients and steps it lacks, as “no ingredients”; `nil` where it has both.
  package var gap: String? { Recipe.gap(hasIngredients: !ingredients.isEmpty, hasSteps: !steps.isEmpty) }

  package static func gap(hasIngredients: Bool, hasSteps: Bool) -> String? {
    let missing = (hasIngredients ? [] : ["no ingredients"]) + (hasSteps ? [] : ["no steps"])
    return missing.isEmpty ? nil : missing.joined(separator: " and ")
  }

  /// Whether it came without a title and nobody has given it one since.
  package var isUntitled: Bool {
    title.hasPrefix(Self.untitled) && extra.contains { $0.0 == Self.untitledMark }
  }

  /// Trims the title; one that is empty is made of the name of the file.
  package mutating func settleTitle(entry: String) {
    title = title.trimmingBlanks
    guard title.isEmpty else { return }
    let file = entry.split(separator: "/").last ?? ""
    let end = file.lastIndex(of: ".").flatMap { $0 == file.startIndex ? nil : $0 }
    let name = file[..<(end ?? file.endIndex)].trimmingBlanks
    // What decant writes is called so already.
    let isOwn = name.hasPrefix(Self.untitled)
    title = name.isEmpty ? Self.untitled : isOwn ? name : "\(Self.untitled) (\(name))"
    if extra.allSatisfy({ $0.0 != Self.untitledMark }) {
      extra.append((Self.untitledMark, .bool(true)))
    }
  }
}

/// A time as it was written, and in minutes where that can be told.
package struct RecipeTime: Sendable, Hashable {
  package var text: String
  package var minutes: Double?

  package init(text: String, minutes: Double? = nil) {
    (self.text, self.minutes) = (text, minutes)
  }
}

/// A line of a list of ingredients: an ingredient, or a heading above some.
package struct RecipeIngredient {
  /// The line as written, or put together from its parts.
  package var text: String
  package var isHeading = false
  /// How much, from the least to the most; where it is one number `amountTo` is `nil`.
  package var amount: Double?
  package var amountTo: Double?
  package var unit: String?
  /// What it is, without amount, unit and note.
  package var name: String?
  /// How it is prepared, or other words behind it.
  package var note: String?
  package var isOptional: Bool?
  package var extra: [(String, JSONValue)] = []

  package init(_ text: String, isHeading: Bool = false) {
    self.text = text
    self.isHeading = isHeading
  }
}

/// A step of the preparation, or a heading above some.
package struct RecipeStep {
  package var text: String
  /// What the step is called, where it has a name beside its text.
  package var title: String?
  package var isHeading = false
  package var extra: [(String, JSONValue)] = []

  package init(_ text: String, title: String? = nil, isHeading: Bool = false) {
    self.text = text
    self.title = title
    self.isHeading = isHeading
  }
}

/// A line of nutrition facts: “Calories”, “212 kcal”; without a name a text about all of it.
package struct RecipeNutrient: Sendable, Hashable {
  package var name: String?
  package var value: String

  package init(name: String? = nil, value: String) {
    (self.name, self.value) = (name, value)
  }
}

/// A picture of a recipe.
package struct RecipeImage {
  /// Where its bytes are.
  package enum Place {
    /// Taken already: its number in `RecipePictures`.
    case taken(Int64)
    /// A file that came, or comes, with the recipe: names by which it may go, the likeliest first, seen from
    /// the file that names it.
    case file([String])
  }

  package var place: Place
  package var caption: String?
  /// The name of its file, or what the format calls it.
  package var name: String?
  /// The number in `steps` of the step that it shows.
  package var step: Int?
  /// Whether the recipe says that there is such a picture, so that one that is missing is worth a word; else it
  /// may lie beside the recipe or not.
  package var isNamed = true
  /// Whether the recipe names it by a path on another device, of which only the last part counts.
  package var isForeign = false
  /// Whether it may be the recipe's only where the recipe's file is the one document in its folder.
  package var wantsLoneEntry = false
  package var extra: [(String, JSONValue)] = []

  package init(_ place: Place, caption: String? = nil, name: String? = nil, step: Int? = nil) {
    self.place = place
    self.caption = caption
    self.name = name
    self.step = step
  }
}
