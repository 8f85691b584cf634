internal import DecantRecipeFormats
internal import DecantJSON

/// A format with a JSON object for each recipe.
protocol JSONRecipeWriter: RecipeWriter {
  /// The format that reads the objects back.
  static var reading: any JSONRecipeFormat.Type { get }

  /// The name of a file that holds one object.
  static var entryName: String { get }

  /// Whether the recipe's extra data are in this format's terms.
  static func isOwn(_ entry: StoredRecipes.Entry) -> Bool

  /// Returns the members of the object, except its pictures.
  static func members(_ entry: StoredRecipes.Entry) -> [(String, JSONValue)]

  /// Whether it holds only one picture per recipe.
  static var keepsFirstPictureOnly: Bool { get }

  /// Returns the losses of its pictures, in words.
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

  /// Returns the recipe without extra members that contradict it: one whose rating has changed since the import, for
  /// example, loses the rating in its original members.
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

  /// Returns how many fields of the common model are read back differently, including those that were empty.
  private static func differences(_ entry: StoredRecipes.Entry, _ reader: WrittenRecipes) throws -> Int {
    let recipe = try read(entry, reader)
    var names = Set(RecipeLosses.between(entry.recipe, recipe))
    names.formUnion(RecipeLosses.between(recipe, entry.recipe))
    // The ID is not part of the recipe, and the extra data are what is being tested here.
    return names.filter { $0 != "nativeID" && $0 != "images" && !$0.contains("extra") }.count
  }
}
