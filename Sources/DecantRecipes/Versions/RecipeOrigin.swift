/// Where a recipe of a file came from, so that the next version of it is known: the app's own ID, else its page, else
/// the name of its file; the last two with its title, as there may be several.
struct RecipeOrigin {
  private let format, rest: String
  let isFile: Bool
  /// Which of several recipes of one title it is in its file.
  var number = 1

  init(format: String, id: String?, page: String?, _ letters: String, _ file: String) {
    self.format = format
    isFile = id == nil && page == nil
    rest = id.map { "id \($0)" } ?? page.map { "page \($0)\n\(letters)" } ?? "file \(file)\n\(letters)"
  }

  /// Of a recipe that was shared in an archive, where its identifier is `uuid`.
  init(shared uuid: String) { (format, rest, isFile) = (RecipeArchives.format, "recipe \(uuid)", false) }

  var text: String { "\(format) \(rest)" + (number > 1 ? "\n\(number)" : "") }

  /// What two recipes with the text of this origin have in common: an app's own ID, or decant's; else their page or file.
  static func way(_ origin: String) -> RecipeDuplicates.Way {
    kind(of: origin) == "id" || isShared(origin) ? .nativeID : .page
  }

  /// Whether the text of an origin is of a recipe that was shared.
  static func isShared(_ origin: String) -> Bool { kind(of: origin) == "recipe" }

  /// The identifier in the text of such an origin.
  static func uuid(_ origin: String) -> String { String(origin.split(separator: " ").last ?? "") }

  /// Whether the text of an origin has nothing but the name of a file.
  static func isFile(_ origin: String) -> Bool { kind(of: origin) == "file" }

  /// What the text of an origin begins with, up to the title: the file or the page; `nil` for one with an ID.
  static func place(_ origin: String) -> String? {
    guard kind(of: origin) == "file" || kind(of: origin) == "page" else { return nil }
    return origin.firstIndex(of: "\n").map { String(origin[...$0]) }
  }

  private static func kind(of origin: String) -> Substring? {
    origin.split(separator: " ", maxSplits: 2).dropFirst().first
  }
}
