internal import DecantBase
package import DecantJSON

/// A recipe as its file contains it, in the terms that all formats share.
///
/// Anything else that a format has goes into `extra` under the format's own names, so that writing the same format
/// again loses nothing. Texts are trimmed; empty ones are `nil`.
package struct Recipe {
  /// Never empty once the recipe was taken: “Untitled” and the name of its file replace a missing title.
  package var title = ""
  /// A few words or a paragraph about the dish.
  package var summary: String?
  /// The cook's own notes.
  package var notes: String?
  package var author: String?
  /// The site, the book or the person it comes from.
  package var source: String?
  /// The page it comes from, as written.
  package var url: String?
  /// How much it makes, as written: “4 servings”, “2 loaves”.
  package var yield: String?
  /// The number of servings; derived from `yield` if the format does not state it.
  package var servings: Double?
  package var prepTime: RecipeTime?
  package var cookTime: RecipeTime?
  package var totalTime: RecipeTime?
  /// A number above 0 and up to 5; `nil` for no rating.
  package var rating: Double?
  package var difficulty: String?
  package var isFavorite: Bool?
  /// A language code such as `en`.
  package var language: String?
  /// When it was created and last changed, as written; ISO 8601 if that was a number.
  package var created: String?
  package var modified: String?
  package var ingredients: [RecipeIngredient] = []
  package var steps: [RecipeStep] = []
  /// The pictures, the cover first.
  package var images: [RecipeImage] = []
  package var categories: [String] = []
  package var tags: [String] = []
  package var nutrition: [RecipeNutrient] = []
  /// The identifier that the format gives this recipe, globally unique and permanent; not a row number.
  package var nativeID: String?
  /// Everything else that the format has, under its own names.
  package var extra: [(String, JSONValue)] = []
  /// Warnings for the reader: an invalid picture, a field that could not be read.
  package var warnings: [String] = []

  package init() {
  }

  /// The name of a recipe without a title, and the member of `extra` that marks it.
  package static let untitled = "Untitled"
  package static let untitledMark = "untitled"

  /// What it lacks of ingredients and steps, such as “no ingredients”; `nil` if it has both.
  package var gap: String? { Recipe.gap(hasIngredients: !ingredients.isEmpty, hasSteps: !steps.isEmpty) }

  package static func gap(hasIngredients: Bool, hasSteps: Bool) -> String? {
    let missing = (hasIngredients ? [] : ["no ingredients"]) + (hasSteps ? [] : ["no steps"])
    return missing.isEmpty ? nil : missing.joined(separator: " and ")
  }

  /// Whether it had no title and has not been given one since.
  package var isUntitled: Bool {
    title.hasPrefix(Self.untitled) && extra.contains { $0.0 == Self.untitledMark }
  }

  /// Trims the title; an empty one is replaced by one made from the name of the file.
  package mutating func settleTitle(entry: String) {
    title = title.trimmed
    guard title.isEmpty else { return }
    let file = entry.split(separator: "/").last ?? ""
    let end = file.lastIndex(of: ".").flatMap { $0 == file.startIndex ? nil : $0 }
    let name = file[..<(end ?? file.endIndex)].trimmed
    // Files that decant writes already have such names.
    let isOwn = name.hasPrefix(Self.untitled)
    title = name.isEmpty ? Self.untitled : isOwn ? name : "\(Self.untitled) (\(name))"
    if extra.allSatisfy({ $0.0 != Self.untitledMark }) {
      extra.append((Self.untitledMark, .bool(true)))
    }
  }
}

/// A time as written, and in minutes if these can be determined.
package struct RecipeTime: Sendable, Hashable {
  package var text: String
  package var minutes: Double?

  package init(text: String, minutes: Double? = nil) {
    (self.text, self.minutes) = (text, minutes)
  }
}

/// A line of a list of ingredients: an ingredient, or a heading.
package struct RecipeIngredient {
  /// The line as written, or assembled from its parts.
  package var text: String
  package var isHeading = false
  /// The amount, from the least to the most; `amountTo` is `nil` for a single number.
  package var amount: Double?
  package var amountTo: Double?
  package var unit: String?
  /// The name, without amount, unit and note.
  package var name: String?
  /// The preparation, or other words after the name.
  package var note: String?
  package var isOptional: Bool?
  package var extra: [(String, JSONValue)] = []

  package init(_ text: String, isHeading: Bool = false) {
    self.text = text
    self.isHeading = isHeading
  }
}

/// A step of the preparation, or a heading.
package struct RecipeStep {
  package var text: String
  /// The name of the step, if it has one besides its text.
  package var title: String?
  package var isHeading = false
  package var extra: [(String, JSONValue)] = []

  package init(_ text: String, title: String? = nil, isHeading: Bool = false) {
    self.text = text
    self.title = title
    self.isHeading = isHeading
  }
}

/// A line of nutrition facts: “Calories”, “212 kcal”; without a name, a text about all of them.
package struct RecipeNutrient: Sendable, Hashable {
  package var name: String?
  package var value: String

  package init(name: String? = nil, value: String) {
    (self.name, self.value) = (name, value)
  }
}

/// A picture of a recipe.
package struct RecipeImage {
  /// Where the bytes of the picture are.
  package enum Place {
    /// Already stored: its number in `RecipePictures`.
    case taken(Int64)
    /// A file that comes with the recipe: the names that it may have, the likeliest first, relative to the file that
    /// names it.
    case file([String])
  }

  package var place: Place
  package var caption: String?
  /// The name of its file, or its name in the format.
  package var name: String?
  /// The index in `steps` of the step that it shows.
  package var step: Int?
  /// Whether the recipe says that the picture exists, so that a missing one deserves a warning; otherwise it is
  /// optional.
  package var isNamed = true
  /// Whether the recipe names it by a path on another device, of which only the last part matters.
  package var isForeign = false
  /// Whether it belongs to the recipe only if the recipe's file is the only document in its folder.
  package var wantsLoneEntry = false
  package var extra: [(String, JSONValue)] = []

  package init(_ place: Place, caption: String? = nil, name: String? = nil, step: Int? = nil) {
    self.place = place
    self.caption = caption
    self.name = name
    self.step = step
  }
}
