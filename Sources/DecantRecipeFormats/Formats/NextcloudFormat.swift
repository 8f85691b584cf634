/// Recipes of the Cookbook of Nextcloud: schema.org in a `recipe.json`, with `full.jpg` beside it.
package enum NextcloudFormat: JSONRecipeFormat {
  package static let name = "nextcloud"
  package static let title = "Nextcloud Cookbook"

  /// Any recipe of schema.org may be one: what tells is the name of the file, see `isFile`.
  package static func matches(_ value: DocumentValue) -> Bool { SchemaRecipe.matches(value) }

  /// Whether a file of this name is a recipe in a folder of its own.
  package static func isFile(_ entry: String) -> Bool {
    entry.split(separator: "/").last?.lowercased() == "recipe.json"
  }

  package static func recipe(_ value: DocumentValue, _ context: RecipeContext) throws -> Recipe {
    try SchemaRecipe.recipe(value, context)
  }

  /// The picture that may lie beside a recipe; `thumb.jpg` and `thumb16.jpg` are made of it.
  ///
  /// The Cookbook reads a recipe by any name that ends in `.json`, as long as it lies in a folder of its own.
  static func images(_ context: RecipeContext) -> [RecipeImage] {
    guard context.entry.lowercased().hasSuffix(".json") else { return [] }
    var image = RecipeImage(.file(["jpg", "jpeg", "png", "webp", "gif", "avif"].map { "full.\($0)" }))
    image.isNamed = false
    image.wantsLoneEntry = !isFile(context.entry)
    return [image]
  }
}
