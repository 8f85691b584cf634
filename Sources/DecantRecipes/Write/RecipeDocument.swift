public import DecantBase
internal import DecantRecipeFormats
internal import DecantSQLite

/// A recipe with its lines, as a document has it: every field by its name, and lists for lines and names.
public struct RecipeDocument: Sendable {
  private let values: [(name: String, value: Binding)]
  /// The site, the book or the person that it comes from.
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
  }

  /// The value of a field with one value, by its name in the document: `title`, `prepTime`, `prepMinutes`, `rating`.
  ///
  /// `.null` if the recipe has no value, or if there is no such field; `.integer` 0 or 1 for a truth value.
  public subscript(field: String) -> StoreValue {
    switch values.first(where: { $0.name == field })?.value {
    case .text(let text): .text(text)
    case .real(let number): .double(number)
    case .integer(let number): .integer(number)
    case .null, .utf8, .blob, nil: .null
    }
  }

  /// Describes a stored recipe.
  package init(_ entry: StoredRecipes.Entry) {
    let recipe = entry.recipe
    values = Recipe.fields.flatMap { field in Array(zip(field.columns.map(\.name), field.bindings(of: recipe))) }
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
    var members: [(String, any Encodable)] = values.map { ($0.name, $0.value.member) }
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
  /// The value of a field in a document; integers are truth values in recipes.
  fileprivate var member: any Encodable {
    switch self {
    case .text(let text): text
    case .real(let number): number
    case .integer(let number): number != 0
    case .null, .utf8, .blob: String?.none
    }
  }
}
