public import DecantBase
internal import DecantRecipeFormats
internal import DecantSQLite

/// A recipe with its lines in document form: every field by its name, and lists for lines and names.
public struct RecipeDocument: Sendable, Hashable {
  /// The fields with one value, in the order of the document.
  public let fields: [Field]
  /// The site, the book or the person it comes from.
  public let source: String?
  public let ingredients, steps: [Line]
  public let categories, tags: [String]
  /// The nutrition facts: the title of each line is the nutrient, its text the amount.
  public let nutrition: [Line]
  public let pictureCount: Int

  /// A line of a list.
  public struct Line: Sendable, Hashable {
    /// The title of a step, or the name of a nutrient; `nil` for others.
    public var title: String?
    public let text: String
    /// Whether it is the heading of the lines that follow.
    public var isHeading = false

    /// Describes a line.
    package init(title: String? = nil, text: String, isHeading: Bool = false) {
      (self.title, self.text, self.isHeading) = (title, text, isHeading)
    }
  }

  /// A field with one value, by its name in the document: `title`, `prepTime`, `prepMinutes`, `rating`.
  public struct Field: Sendable, Hashable {
    public let name: String
    /// The value; `.null` if the recipe has none, `.integer` 0 or 1 for a truth value.
    public let value: StoreValue

    /// Describes a field.
    package init(_ name: String, _ value: StoreValue) { (self.name, self.value) = (name, value) }
  }

  /// Returns the value of the field `name`; `.null` if the recipe has none.
  public subscript(name: String) -> StoreValue { fields.first { $0.name == name }?.value ?? .null }

  /// Describes a recipe.
  package init(
    fields: [Field],
    source: String? = nil,
    ingredients: [Line] = [],
    steps: [Line] = [],
    categories: [String] = [],
    tags: [String] = [],
    nutrition: [Line] = [],
    pictureCount: Int = 0
  ) {
    (self.fields, self.source, self.ingredients, self.steps) = (fields, source, ingredients, steps)
    (self.categories, self.tags, self.nutrition) = (categories, tags, nutrition)
    self.pictureCount = pictureCount
  }

  /// Describes a stored recipe.
  package init(_ entry: StoredRecipes.Entry) {
    let recipe = entry.recipe
    fields = Recipe.fields.flatMap { field in
      zip(field.columns.map(\.name), field.bindings(of: recipe)).map { Field($0, $1.value) }
    }
    source = recipe.source
    ingredients = recipe.ingredients.map { Line(text: $0.text, isHeading: $0.isHeading) }
    steps = recipe.steps.map { Line(title: $0.title, text: $0.text, isHeading: $0.isHeading) }
    nutrition = recipe.nutrition.map { Line(title: $0.name, text: $0.value) }
    (categories, tags, pictureCount) = (recipe.categories, recipe.tags, entry.images.count)
  }
}

extension RecipeDocument: Encodable {
  /// Encodes every field by its name, and the lists.
  public func encode(to encoder: any Encoder) throws {
    var members: [(String, any Encodable)] = fields.map { ($0.name, $0.value.member) }
    members += [
      ("source", source), ("categories", categories), ("tags", tags), ("ingredients", ingredients), ("steps", steps),
      ("nutrition", nutrition), ("pictures", pictureCount),
    ]
    try DocumentMembers(members).encode(to: encoder)
  }
}

extension RecipeDocument.Line: Encodable {
  /// Encodes missing values as `null`.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([("title", title), ("text", text), ("heading", isHeading)]).encode(to: encoder)
  }
}

extension Binding {
  fileprivate var value: StoreValue {
    switch self {
    case .text(let text): .text(text)
    case .real(let number): .double(number)
    case .integer(let number): .integer(number)
    case .null, .utf8, .blob: .null
    }
  }
}

extension StoreValue {
  /// The value of a field in a document; integers are truth values in recipes.
  fileprivate var member: any Encodable {
    switch self {
    case .text(let text): text
    case .double(let number): number
    case .integer(let number): number != 0
    default: String?.none
    }
  }
}
