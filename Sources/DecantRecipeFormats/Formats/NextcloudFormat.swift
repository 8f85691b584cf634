/// Recipes of Nextcloud's Cookbook app: schema.org in a `recipe.json`, with `full.jpg` beside it.
package enum NextcloudFormat: JSONRecipeFormat {
  package static let name = "nextcloud"
  package static let title = "Nextcloud Cookbook"

  /// Whether this is any schema.org recipe: only the file name identifies the format, see `isFile`.
  package static func matches(_ value: DocumentValue) -> Bool { SchemaRecipe.matches(value) }

  /// Whether a file of this name is a recipe in its own folder.
  package static func isFile(_ entry: String) -> Bool {
    entry.split(separator: "/").last?.lowercased() == "recipe.json"
  }

  package static func recipe(_ value: DocumentValue, _ context: RecipeContext) throws -> Recipe {
    try SchemaRecipe.recipe(value, context)
  }

  /// Returns the picture that may be beside a recipe; `thumb.jpg` and `thumb16.jpg` are derived from it.
  ///
  /// The Cookbook reads a recipe by any name that ends in `.json`, as long as it is in its own folder.
  static func images(_ context: RecipeContext) -> [RecipeImage] {
    guard context.entry.lowercased().hasSuffix(".json") else { return [] }
    var image = RecipeImage(.file(["jpg", "jpeg", "png", "webp", "gif", "avif"].map { "full.\($0)" }))
    image.isNamed = false
    image.wantsLoneEntry = !isFile(context.entry)
    return [image]
  }
}
