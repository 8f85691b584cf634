package import DecantRecipeFormats
package import DecantBase
internal import DecantJSON

/// A recipe as it will be read back from what is written for it.
package struct WrittenRecipe {
  /// The names of the fields that are lost or changed.
  package var losses: [String]
  /// The recipe as read back, without its pictures.
  package var recipe: Recipe
  /// The number of its pictures as read back, if that may be lower.
  var pictureCount: Int?
}

/// Reads recipes back before they are written, so that every loss is reported.
package final class WrittenRecipes {
  private let folder: ScratchFolder
  private let spool: TextSpool
  private let pictures: RecipePictures

  package init() throws(DecantError) {
    folder = try ScratchFolder()
    spool = try TextSpool(in: folder.path)
    pictures = try RecipePictures(in: folder.path)
  }

  /// Reads an object back.
  ///
  /// - Parameters:
  ///   - members: The members written for a recipe, without its pictures.
  ///   - format: The format that reads it.
  ///   - entry: The name of its file.
  /// - Returns: The recipe.
  /// - Throws: `RecipeFault` if the reader does not recognize a recipe.
  func recipe(in members: [(String, JSONValue)], as format: any JSONRecipeFormat.Type, entry: String) throws -> Recipe {
    defer {
      spool.clear()
      pictures.clear()
    }
    let text = JSONValue.object(members).text
    let value = try JSONDocument(.short(text), spool: spool).read()
    guard format.matches(value) else { throw RecipeFault("it has too little data for a recipe") }
    let context = RecipeContext(entry: entry, pictures: pictures)
    return try format.recipe(value, context).taken(entry)
  }

  /// Reads a text back.
  ///
  /// - Parameters:
  ///   - text: The text written for a recipe.
  ///   - format: The format that reads it.
  ///   - entry: The name of its file.
  /// - Returns: The recipes in it, of which there should be one.
  /// - Throws: `RecipeFault` if the reader does not recognize a recipe.
  func recipes(in text: String, as format: any TextRecipeFormat.Type, entry: String) throws -> [Recipe] {
    defer { pictures.clear() }
    let bytes = Array(text.utf8)
    let name = RecipeFormats.text.first { $0.matches(Array(bytes.prefix(1 << 16)), name: entry) }?
      .name
    guard name == format.name else {
      throw RecipeFault(name.map { "its text would be read as \($0)" } ?? "its text would not be recognized")
    }
    var rest = bytes[...]
    let lines = TextLines { buffer in
      let piece = rest.prefix(buffer.count)
      buffer.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
    var recipes: [Recipe] = []
    try format.read(lines, RecipeContext(entry: entry, pictures: pictures)) { result in
      var recipe = try result.get()
      recipe.images = []
      recipes.append(recipe.taken(entry))
    }
    return recipes
  }
}

extension Recipe {
  /// Returns the recipe as it is stored after being read from a file called `entry`.
  fileprivate func taken(_ entry: String) -> Recipe {
    var recipe = self
    recipe.complete()
    recipe.settleTitle(entry: entry)
    return recipe
  }
}
