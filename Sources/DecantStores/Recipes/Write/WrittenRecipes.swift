internal import Decant
internal import JSON

/// What is about to be written, read as the reader will: so that nothing is lost unsaid.
final class WrittenRecipes {
  private let folder: TemporaryFolder
  private let spool: TextSpool
  private let pictures: RecipePictures

  init() throws(DecantError) {
    folder = try TemporaryFolder()
    spool = try TextSpool(in: folder.path)
    pictures = try RecipePictures(in: folder.path)
  }

  /// The names of the fields of `recipe` that do not come back out of an object.
  ///
  /// - Parameters:
  ///   - recipe: The recipe, without its pictures.
  ///   - members: The object that is written for it, without pictures.
  ///   - format: Reads it again.
  ///   - entry: The name of its file.
  /// - Returns: What `RecipeLosses` says.
  /// - Throws: What the reader throws.
  func losses(
    of recipe: Recipe,
    in members: [(String, JSONValue)],
    as format: any JSONRecipeFormat.Type,
    entry: String
  ) throws -> [String] {
    defer {
      spool.clear()
      pictures.clear()
    }
    let text = JSONValue.object(members).text
    let value = try JSONDocument(.short(text), spool: spool).read()
    let context = RecipeContext(entry: entry, pictures: pictures)
    var written = try format.recipe(value, context)
    written.complete()
    if written.title.isEmpty {
      written.title = recipe.isUntitled ? recipe.title : "Untitled"
      written.extra.append(("untitled", .bool(true)))
    }
    return RecipeLosses.between(recipe, written)
  }
}
