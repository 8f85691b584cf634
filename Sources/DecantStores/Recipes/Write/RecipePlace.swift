internal import Decant

/// Where recipes are written to.
struct RecipePlace {
  /// What is made there.
  enum Form {
    /// A file that holds one recipe, or all of them.
    case single, library
    /// A folder with files for each.
    case folder
  }

  let format: String
  let form: Form
  let path: String

  /// The names of the formats that are written.
  static let formats: Set<String> = [
    "paprika", "mela", "schema", "nextcloud", "cooklang", "mealmaster",
  ]

  /// Tells by the kind that was said, else by the ending; `nil` for anything else.
  init?(_ location: StoreLocation) {
    var place = location.place
    while place.count > 1, place.hasSuffix("/") { place.removeLast() }
    path = place
    let ending = Self.ending(of: place)
    switch (location.kind, ending) {
    case (nil, "paprikarecipes"), ("paprika", "paprikarecipes"):
      (format, form) = ("paprika", .library)
    case (nil, "paprikarecipe"), ("paprika", "paprikarecipe"): (format, form) = ("paprika", .single)
    case (nil, "melarecipes"), ("mela", "melarecipes"): (format, form) = ("mela", .library)
    case (nil, "melarecipe"), ("mela", "melarecipe"): (format, form) = ("mela", .single)
    case ("schema", _): (format, form) = ("schema", .library)
    case (nil, "json"), (nil, "jsonld"): (format, form) = ("schema", .library)
    case ("nextcloud", _): (format, form) = ("nextcloud", .folder)
    case ("cooklang", _): (format, form) = ("cooklang", .folder)
    case (nil, "mmf"), ("mealmaster", _): (format, form) = ("mealmaster", .library)
    default: return nil
    }
  }

  private static func ending(of path: String) -> String? {
    Files.name(of: path).lowercased().split(separator: ".", omittingEmptySubsequences: false).last
      .map(String.init)
  }

  /// What people call the format.
  var title: String { Self.title(of: format) }

  private static func title(of format: String) -> String {
    RecipeFormats.all.first { $0.name == format }?.title ?? format
  }

  /// Refuses a place where nothing can be made.
  func check() throws(DecantError) {
    let name = Files.name(of: path)
    guard !name.isEmpty, name != ".", name != "..", path != "-" else {
      throw DecantError(
        .usage,
        "“\(path)” is no name for recipes of \(title)",
        remedy: form == .folder
          ? "they go into a folder: \(format):FOLDER" : "they go into a file: name one"
      )
    }
    guard FileStatus(unfollowed: path) == nil else {
      throw DecantError(
        .usage,
        "“\(path)” is there already",
        remedy: "name a place that is not there yet: nothing is overwritten"
      )
    }
    let folder = Files.folder(of: path)
    guard FileStatus(folder)?.isFolder == true else {
      throw DecantError(
        .storeNotFound,
        "there is no folder “\(folder)” to make “\(name)” in",
        remedy: "make the folder first"
      )
    }
  }

  // MARK: What is no such place

  /// Refuses a name that asks for recipes in some format, and not in one that can be written so.
  static func checkName(_ location: StoreLocation) throws(DecantError) {
    let place = location.place
    let kinds = RecipeFormats.names
    let kind =
      location.kind.flatMap { kinds.contains($0) ? $0 : nil }
      ?? (location.kind == nil ? ending(of: place).flatMap { formatsByEnding[$0] } : nil)
    guard let kind, RecipePlace(location) == nil else { return }
    guard let names = names[kind] else {
      throw DecantError(
        .usage,
        "“\(place)” cannot be made: \(title(of: kind)) is read, and not written",
        remedy: "for apps: \(forms); for all that decant knows: NAME.decant"
      )
    }
    throw DecantError(
      .usage,
      "“\(place)” is no name for recipes of \(title(of: kind))",
      remedy: "write \(names)"
    )
  }

  /// How a place is named in each format that is written.
  private static let names = [
    "paprika": "NAME.paprikarecipes, or NAME.paprikarecipe for one recipe",
    "mela": "NAME.melarecipes, or NAME.melarecipe for one recipe",
    "schema": "NAME.json", "nextcloud": "nextcloud:FOLDER", "cooklang": "cooklang:FOLDER",
    "mealmaster": "NAME.mmf",
  ]

  /// All of these.
  static let forms =
    ".paprikarecipes, .melarecipes, .json (schema.org), .mmf (Meal-Master), nextcloud:FOLDER, cooklang:FOLDER"

  /// The formats whose files end in what no other file does.
  private static let formatsByEnding = [
    "cook": "cooklang", "crumb": "crouton", "grmt": "gourmet", "kreml": "krecipes",
    "kre": "krecipes", "fdx": "fdx", "fdxz": "fdx", "mgourmet": "macgourmet", "mcb": "cookmate",
    "cml": "cookml", "mx2": "mx2", "mz2": "mx2", "mxp": "mastercook-text", "rk": "rezkonv",
  ]
}
