internal import Decant

/// Writes Cooklang: a folder with a `.cook` for each recipe, and its pictures beside it by the same name.
final class CooklangWriter: RecipeWriter {
  static let format = CooklangFormat.name

  private let folder: String
  private var names = RecipeFileNames()

  /// Writes into `folder`, which is there and empty.
  init(folder: String) { self.folder = folder }

  static func losses(of entry: StoredRecipes.Entry, _ reader: WrittenRecipes) throws -> [String] {
    let losses = CooklangText.write(entry.plain(for: format)).losses.filter { $0 != "images" }
    return losses + entry.pictureLosses(keepsFirstOnly: true)
  }

  func write(_ entry: StoredRecipes.Entry, of store: StoredRecipes) throws {
    let name = names.name(for: entry.recipe.title)
    let output = try RecipeOutput("\(folder)/\(name).cook")
    try output.write(CooklangText.write(entry.plain(for: Self.format)).text)
    guard let image = entry.images.first else { return }
    let picture = try RecipeOutput("\(folder)/\(name).\(image.pathExtension)")
    try store.forEachPiece(of: image) { try picture.write($0) }
  }

  func finish() throws {}
}

/// Writes Meal-Master: one text with all recipes.
final class MealMasterWriter: RecipeWriter {
  static let format = MealMasterFormat.name

  private let output: RecipeOutput

  init(_ output: RecipeOutput) { self.output = output }

  static func losses(of entry: StoredRecipes.Entry, _ reader: WrittenRecipes) throws -> [String] {
    try MealMasterText.write(entry.plain(for: format)).losses
  }

  func write(_ entry: StoredRecipes.Entry, of store: StoredRecipes) throws {
    try output.write(MealMasterText.write(entry.plain(for: Self.format)).text + "\n")
  }

  func finish() throws {}
}

extension StoredRecipes.Entry {
  /// The recipe with as many pictures as it has, and without what another format alone understands.
  fileprivate func plain(for other: String) -> Recipe {
    var recipe = recipe
    recipe.images = images.indices.map { RecipeImage(.taken(Int64($0))) }
    return recipe
  }
}
