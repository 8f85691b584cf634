internal import DecantRecipeFormats
internal import DecantJSON

/// A format that is written as a JSON object for each recipe.
protocol JSONRecipeWriter: RecipeWriter {
  /// Reads the objects again.
  static var reading: any JSONRecipeFormat.Type { get }

  /// The name of a file that holds one.
  static var entryName: String { get }

  /// Whether what the recipe has besides the common model is in this format's terms.
  static func isOwn(_ entry: StoredRecipes.Entry) -> Bool

  /// The members of the object, but for its pictures.
  static func members(_ entry: StoredRecipes.Entry) -> [(String, JSONValue)]

  /// Whether it holds one picture for each recipe.
  static var keepsFirstPictureOnly: Bool { get }

  /// What is lost of its pictures, in words.
  static func pictureLosses(_ entry: StoredRecipes.Entry) -> [String]
}

extension JSONRecipeWriter {
  static var keepsFirstPictureOnly: Bool { false }

  static func written(_ entry: StoredRecipes.Entry, _ reader: WrittenRecipes) throws -> WrittenRecipe {
    let recipe = try read(try settled(entry, reader), reader)
    let losses = RecipeLosses.between(entry.recipe, recipe)
    return WrittenRecipe(
      losses: losses + pictureLosses(entry),
      recipe: recipe,
      pictureCount: keepsFirstPictureOnly ? 1 : nil
    )
  }

  /// A member that came with the recipe stays as it was only as long as the recipe is read out of it: one whose
  /// rating was changed since goes without what its file said of ratings.
  static func settled(_ entry: StoredRecipes.Entry, _ reader: WrittenRecipes) throws -> StoredRecipes.Entry {
    guard isOwn(entry), !entry.recipe.extra.isEmpty else { return entry }
    var settled = entry
    var count = try differences(settled, reader)
    for (name, _) in entry.recipe.extra where count > 0 && name != Recipe.untitledMark {
      var without = settled
      without.recipe.extra.removeAll { $0.0 == name }
      let rest = try differences(without, reader)
      if rest < count { (settled, count) = (without, rest) }
    }
    return settled
  }

  private static func read(_ entry: StoredRecipes.Entry, _ reader: WrittenRecipes) throws -> Recipe {
    try reader.recipe(in: members(entry), as: reading, entry: entryName)
  }

  /// How many fields of the common model come back otherwise, also out of nothing.
  private static func differences(_ entry: StoredRecipes.Entry, _ reader: WrittenRecipes) throws -> Int {
    let recipe = try read(entry, reader)
    var names = Set(RecipeLosses.between(entry.recipe, recipe))
    names.formUnion(RecipeLosses.between(recipe, entry.recipe))
    // What tells it from others is not the recipe's own; what stands beside it is what is asked here.
    return names.filter { $0 != "nativeID" && $0 != "images" && !$0.contains("extra") }.count
  }
}
