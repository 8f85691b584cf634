internal import DecantRecipeFormats
internal import DecantBase
internal import DecantJSON

/// Writes the files of Nextcloud Cookbook: a folder for each recipe, with `recipe.json` and `full.jpg` in it.
final class NextcloudWriter: JSONRecipeWriter {
  static let format = "nextcloud"
  static let places = "nextcloud:FOLDER"
  static let hasDurations = true
  static let keepsFirstPictureOnly = true

  static func form(_ ending: String, isAsked: Bool) -> RecipePlace.Form? { isAsked ? .folder : nil }
  static let reading: any JSONRecipeFormat.Type = NextcloudFormat.self
  static let entryName = "recipe/recipe.json"

  private let folder: String
  private var names = RecipeFileNames()

  init(_ path: String, _ form: RecipePlace.Form) throws {
    try Files.makeFolder(path)
    folder = path
  }

  static func isOwn(_ entry: StoredRecipes.Entry) -> Bool { SchemaObject.isOwn(entry) }

  static func pictureLosses(_ entry: StoredRecipes.Entry) -> [String] {
    entry.pictureLosses(keepsFirstOnly: keepsFirstPictureOnly)
  }

  /// Returns the members of the object, except its picture.
  static func members(_ entry: StoredRecipes.Entry) -> [(String, JSONValue)] {
    SchemaObject.members(entry, of: format).map { name, value in
      switch (name, value) {
      // Nextcloud has one category, and keywords separated by commas.
      case ("recipeCategory", .array(let names)): return (name, names.first ?? .null)
      case ("keywords", .array(let words)):
        let texts = words.compactMap { if case .string(let text) = $0 { text } else { nil } }
        return (name, .string(texts.joined(separator: ",")))
      default: return (name, value)
      }
    }
  }

  func write(_ entry: StoredRecipes.Entry, of store: StoredRecipes) throws {
    let place = "\(folder)/\(names.name(for: entry.recipe.title))"
    try Files.makeFolder(place)
    let output = try RecipeOutput("\(place)/recipe.json")
    var object = try JSONObjectWriter { try output.write($0) }
    for (name, value) in Self.members(entry) { try object.member(name, value) }
    try object.end()
    try output.write("\n")
    guard let image = entry.images.first else { return }
    // Nextcloud uses this name for every type of picture.
    let picture = try RecipeOutput("\(place)/full.jpg")
    try store.forEachPiece(of: image) { try picture.write($0) }
  }

  func finish() throws {}
}
