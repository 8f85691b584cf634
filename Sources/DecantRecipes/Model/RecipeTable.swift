internal import DecantRecipeFormats

/// A column of a table of the recipe model, which is also an attribute of an entity.
struct RecipeColumn: Sendable {
  enum Kind: String, Sendable {
    case text = "TEXT"
    case number = "REAL"
    case truth = "BOOLEAN"
    case bytes = "BLOB"
  }

  let name: String
  let kind: Kind
  let isNeeded: Bool

  init(_ name: String, _ kind: Kind, isNeeded: Bool = false) {
    (self.name, self.kind, self.isNeeded) = (name, kind, isNeeded)
  }
}

/// A table of the recipe model with its columns, except keys and links.
struct RecipeTable: Sendable {
  let name: String
  let columns: [RecipeColumn]

  static let recipe = RecipeTable(
    name: "Recipe",
    columns: [needed("uuid")] + Recipe.fields.columns()
      + [needed("format"), RecipeColumn("page", .text), needed("fingerprint"), extra]
  )
  static let ingredient = RecipeTable(name: "Ingredient", columns: RecipeIngredient.fields.columns() + [extra])
  static let step = RecipeTable(name: "Step", columns: RecipeStep.fields.columns() + [extra])
  static let image = RecipeTable(
    name: "Image",
    columns: [
      needed("type"), needed("sha256"), RecipeColumn("caption", .text), RecipeColumn("name", .text),
      extra, RecipeColumn("data", .bytes, isNeeded: true),
    ]
  )
  static let nutrition = RecipeTable(name: "Nutrition", columns: RecipeNutrient.fields.columns())
  static let nativeID = RecipeTable(name: "NativeID", columns: [needed("format"), needed("value")])
  static let source = RecipeTable(name: "Source", columns: [needed("name")])
  static let category = RecipeTable(name: "Category", columns: [needed("name")])
  static let tag = RecipeTable(name: "Tag", columns: [needed("name")])

  private static let extra = RecipeColumn("extra", .text)

  private static func needed(_ name: String) -> RecipeColumn {
    RecipeColumn(name, .text, isNeeded: true)
  }

  /// The columns in the form used in the statement that creates the table.
  var definitions: String {
    columns.map { "\($0.name) \($0.kind.rawValue)\($0.isNeeded ? " NOT NULL" : "")" }
      .joined(separator: ", ")
  }

  /// Returns a statement that adds a row: the columns `links`, followed by all others.
  func insertion(behind links: [String] = []) -> String {
    let names = links + columns.map(\.name)
    let parameters = (1...names.count).map { "?\($0)" }
    return "INSERT INTO \(name) (\(names.joined(separator: ", "))) "
      + "VALUES (\(parameters.joined(separator: ", ")))"
  }
}
