internal import DecantBase
internal import DecantRecipeFormats
internal import DecantSQLite

/// A recipe with its lines, as a document has it: every field by its name, and lists for lines and names.
package struct RecipeDocument: Sendable {
  private let values: [(name: String, value: Binding)]
  private let source: String?
  private let ingredients, steps: [Line]
  private let categories, tags: [String]
  private let nutrition: [Line]
  private let pictureCount: Int

  /// A line of a list; what is no heading and has no title has `nil`.
  fileprivate struct Line: Sendable {
    var title: String?
    let text: String
    var isHeading = false
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
  package func encode(to encoder: any Encoder) throws {
    var members: [(String, any Encodable)] = values.map { ($0.name, $0.value.member) }
    members += [
      ("source", source), ("categories", categories), ("tags", tags), ("ingredients", ingredients), ("steps", steps),
      ("nutrition", nutrition), ("pictures", pictureCount),
    ]
    try DocumentMembers(members).encode(to: encoder)
  }
}

extension RecipeDocument.Line: Encodable {
  func encode(to encoder: any Encoder) throws {
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
