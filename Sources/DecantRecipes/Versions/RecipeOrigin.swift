/// The origin of a recipe in a file, by which its next version is recognized: the app's own ID, otherwise its page,
/// otherwise the name of its file; the last two with its title, as there may be several recipes.
struct RecipeOrigin {
  private let format, rest: String
  let isFile: Bool
  /// Its number among recipes with the same title in its file.
  var number = 1

  init(format: String, id: String?, page: String?, _ letters: String, _ file: String) {
    self.format = format
    isFile = id == nil && page == nil
    rest = id.map { "id \($0)" } ?? page.map { "page \($0)\n\(letters)" } ?? "file \(file)\n\(letters)"
  }

  /// Makes the origin of a recipe that was shared in an archive with the identifier `uuid`.
  init(shared uuid: String) { (format, rest, isFile) = (RecipeArchives.format, "recipe \(uuid)", false) }

  var text: String { "\(format) \(rest)" + (number > 1 ? "\n\(number)" : "") }

  /// Returns what two recipes with this origin share: an ID of an app or of decant, otherwise a page or a file.
  static func way(_ origin: String) -> RecipeDuplicates.Way {
    kind(of: origin) == "id" || isShared(origin) ? .nativeID : .page
  }

  /// Whether the text of an origin is that of a shared recipe.
  static func isShared(_ origin: String) -> Bool { kind(of: origin) == "recipe" }

  /// Returns the identifier in the origin of a shared recipe.
  static func uuid(_ origin: String) -> String { String(origin.split(separator: " ").last ?? "") }

  /// Whether an origin consists of the name of a file and a title.
  static func isFile(_ origin: String) -> Bool { kind(of: origin) == "file" }

  /// Returns the beginning of an origin, up to the title: the file or the page; `nil` for one with an ID.
  static func place(_ origin: String) -> String? {
    guard kind(of: origin) == "file" || kind(of: origin) == "page" else { return nil }
    return origin.firstIndex(of: "\n").map { String(origin[...$0]) }
  }

  private static func kind(of origin: String) -> Substring? {
    origin.split(separator: " ", maxSplits: 2).dropFirst().first
  }
}
