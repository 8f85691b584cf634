internal import JSON

/// A recipe as its file has it, in the terms that all formats share.
///
/// What a format has and these lack goes into `extra` under the format's own names, so that writing the same
/// format again loses nothing. Texts are trimmed; empty ones are `nil`.
struct Recipe {
  /// Never empty once it was taken: one without a title is called “Untitled” and the name of its file.
  var title = ""
  /// A few words or a paragraph about the dish.
  var summary: String?
  /// What the cook has written beside it.
  var notes: String?
  var author: String?
  /// The site, the book or the person that it comes from.
  var source: String?
  /// The page that it comes from, as written.
  var url: String?
  /// How much it makes, as written: “4 servings”, “2 loaves”.
  var yield: String?
  /// How many it serves, where that is a number; derived from `yield` where the format does not say.
  var servings: Double?
  var prepTime: RecipeTime?
  var cookTime: RecipeTime?
  var totalTime: RecipeTime?
  /// From more than 0 to 5; `nil` for none given.
  var rating: Double?
  var difficulty: String?
  var isFavorite: Bool?
  /// A code such as `en`.
  var language: String?
  /// When it was made and last changed, as written; ISO 8601 where that was a number.
  var created: String?
  var modified: String?
  var ingredients: [RecipeIngredient] = []
  var steps: [RecipeStep] = []
  /// The cover first.
  var images: [RecipeImage] = []
  var categories: [String] = []
  var tags: [String] = []
  var nutrition: [RecipeNutrient] = []
  /// What the format tells this recipe from all others by, everywhere and for ever; not a row number.
  var nativeID: String?
  /// Everything else that the format has, by its own names.
  var extra: [(String, JSONValue)] = []
  /// What the reader should know: a picture that is none, a field that could not be read.
  var warnings: [String] = []

  /// What a recipe is called that has no title, and the member of `extra` that says so.
  static let untitled = "Untitled"
  static let untitledMark = "untitled"

  /// Whether it came without a title and nobody has given it one since.
  var isUntitled: Bool {
    title.hasPrefix(Self.untitled) && extra.contains { $0.0 == Self.untitledMark }
  }

  /// Trims the title; one that is empty is made of the name of the file.
  mutating func settleTitle(entry: String) {
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
struct RecipeTime: Sendable, Hashable {
  var text: String
  var minutes: Double?
}

/// A line of a list of ingredients: an ingredient, or a heading above some.
struct RecipeIngredient {
  /// The line as written, or put together from its parts.
  var text: String
  var isHeading = false
  /// How much, from the least to the most; where it is one number `amountTo` is `nil`.
  var amount: Double?
  var amountTo: Double?
  var unit: String?
  /// What it is, without amount, unit and note.
  var name: String?
  /// How it is prepared, or other words behind it.
  var note: String?
  var isOptional: Bool?
  var extra: [(String, JSONValue)] = []

  init(_ text: String, isHeading: Bool = false) {
    self.text = text
    self.isHeading = isHeading
  }
}

/// A step of the preparation, or a heading above some.
struct RecipeStep {
  var text: String
  /// What the step is called, where it has a name beside its text.
  var title: String?
  var isHeading = false
  var extra: [(String, JSONValue)] = []

  init(_ text: String, title: String? = nil, isHeading: Bool = false) {
    self.text = text
    self.title = title
    self.isHeading = isHeading
  }
}

/// A line of nutrition facts: “Calories”, “212 kcal”; without a name a text about all of it.
struct RecipeNutrient: Sendable, Hashable {
  var name: String?
  var value: String
}

/// A picture of a recipe.
struct RecipeImage {
  /// Where its bytes are.
  enum Place {
    /// Taken already: its number in `RecipePictures`.
    case taken(Int64)
    /// A file that came, or comes, with the recipe: names by which it may go, the likeliest first, seen from
    /// the file that names it.
    case file([String])
  }

  var place: Place
  var caption: String?
  /// The name of its file, or what the format calls it.
  var name: String?
  /// The number in `steps` of the step that it shows.
  var step: Int?
  /// Whether the recipe says that there is such a picture, so that one that is missing is worth a word; else it
  /// may lie beside the recipe or not.
  var isNamed = true
  /// Whether the recipe names it by a path on another device, of which only the last part counts.
  var isForeign = false
  /// Whether it may be the recipe's only where the recipe's file is the one document in its folder.
  var wantsLoneEntry = false
  var extra: [(String, JSONValue)] = []

  init(_ place: Place, caption: String? = nil, name: String? = nil, step: Int? = nil) {
    self.place = place
    self.caption = caption
    self.name = name
    self.step = step
  }
}
