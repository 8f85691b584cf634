internal import DecantRecipeFormats
internal import DecantBase

/// Writes Cooklang: a folder with a `.cook` file for each recipe, and its pictures beside it under the same name.
final class CooklangWriter: RecipeWriter {
  static let format = CooklangFormat.name
  static let places = "cooklang:FOLDER"

  static func form(_ ending: String, isAsked: Bool) -> RecipePlace.Form? { isAsked ? .folder : nil }

  private let folder: String
  /// Numbers are avoided because `NAME.2.jpg` is the picture of a step of `NAME`.
  private var names = RecipeFileNames(avoidsNumbers: true)

  init(_ path: String, _ form: RecipePlace.Form) throws {
    try Files.makeFolder(path)
    folder = path
  }

  static func written(_ entry: StoredRecipes.Entry, _ reader: WrittenRecipes) throws -> WrittenRecipe {
    var written = try CooklangText.write(recipe(entry), reader).written
    written.losses.removeAll { $0 == "images" }
    let places = places(of: entry)
    written.pictureCount = places.count
    if places.count < entry.images.count {
      written.losses.append(RecipeLossNotes.furtherPictures)
    }
    if places.contains(where: { $0.image.step != nil && $0.step == nil }) {
      written.losses.append(RecipeLossNotes.stepOfPicture)
    }
    if entry.images.contains(where: { $0.caption != nil }) {
      written.losses.append(RecipeLossNotes.captions)
    }
    return written
  }

  func write(_ entry: StoredRecipes.Entry, of store: StoredRecipes) throws {
    let name = names.name(for: entry.recipe.title)
    let output = try RecipeOutput("\(folder)/\(name).cook")
    try output.write(CooklangText.text(Self.recipe(entry)))
    for (image, step) in Self.places(of: entry) {
      // Readers look for these extensions, and determine the actual type from the bytes.
      let ending =
        ["jpg", "png", "webp"].contains(image.pathExtension) ? image.pathExtension : "jpg"
      let number = step.map { ".\($0)" } ?? ""
      let picture = try RecipeOutput("\(folder)/\(name)\(number).\(ending)")
      try store.forEachPiece(of: image) { try picture.write($0) }
    }
  }

  func finish() throws {}

  /// Returns the recipe with an ID, so that the files of equal recipes can be distinguished.
  private static func recipe(_ entry: StoredRecipes.Entry) -> Recipe {
    var recipe = entry.plain
    recipe.nativeID = entry.ids[format] ?? entry.uuid
    return recipe
  }

  /// Returns the pictures that have a place: one of the dish, and one of each step, by the step's number from 0 on, not
  /// counting headings.
  private static func places(of entry: StoredRecipes.Entry) -> [(image: StoredRecipes.Image, step: Int?)] {
    var numbers: [Int: Int] = [:]
    for (index, step) in entry.recipe.steps.enumerated() where !step.isHeading {
      numbers[index] = numbers.count
    }
    var places: [(image: StoredRecipes.Image, step: Int?)] = []
    for image in entry.images {
      let step = image.step.flatMap { numbers[$0] }
      if !places.contains(where: { $0.step == step }) { places.append((image, step)) }
    }
    return places
  }
}

/// Writes Meal-Master: a single text with all recipes.
final class MealMasterWriter: RecipeWriter {
  static let format = MealMasterFormat.name
  static let places = "NAME.mmf"

  static func form(_ ending: String, isAsked: Bool) -> RecipePlace.Form? {
    isAsked || ending == "mmf" ? .library : nil
  }

  private let output: RecipeOutput

  init(_ path: String, _ form: RecipePlace.Form) throws { output = try RecipeOutput(path) }

  static func written(_ entry: StoredRecipes.Entry, _ reader: WrittenRecipes) throws -> WrittenRecipe {
    try MealMasterText.write(entry.plain, reader).written
  }

  func write(_ entry: StoredRecipes.Entry, of store: StoredRecipes) throws {
    try output.write(MealMasterText.text(entry.plain) + "\n")
  }

  func finish() throws {}
}
