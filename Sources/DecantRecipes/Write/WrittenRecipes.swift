package import DecantRecipeFormats
package import DecantBase
internal import DecantJSON

/// A recipe as it comes back out of what is written for it.
package struct WrittenRecipe {
  /// The names of the fields that do not come back, or that come back changed.
  package var losses: [String]
  /// What the reader makes of it, without its pictures.
  package var recipe: Recipe
  /// How many pictures it has then, where that may be fewer.
  var pictureCount: Int?
}

/// What is about to be written, read as the reader will: so that nothing is lost unsaid.
package final class WrittenRecipes {
  private let folder: ScratchFolder
  private let spool: TextSpool
  private let pictures: RecipePictures

  package init() throws(DecantError) {
    folder = try ScratchFolder()
    spool = try TextSpool(in: folder.path)
    pictures = try RecipePictures(in: folder.path)
  }

  /// Reads an object again.
  ///
  /// - Parameters:
  ///   - members: What is written for a recipe, without its pictures.
  ///   - format: Reads it.
  ///   - entry: The name of its file.
  /// - Returns: The recipe.
  /// - Throws: `RecipeFault` where the reader takes it for none.
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

  /// Reads a text again.
  ///
  /// - Parameters:
  ///   - text: What is written for a recipe.
  ///   - format: Reads it.
  ///   - entry: The name of its file.
  /// - Returns: The recipes that are in it, of which there should be one.
  /// - Throws: `RecipeFault` where the reader takes it for none.
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
  /// The recipe as it is kept once it was read in a file called `entry`.
  fileprivate func taken(_ entry: String) -> Recipe {
    var recipe = self
    recipe.complete()
    recipe.settleTitle(entry: entry)
    return recipe
  }
}
