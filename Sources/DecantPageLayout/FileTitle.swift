internal import DecantBase

/// The name of a file as the title of a recipe.
enum FileTitle {
  /// Returns the name of the file at `path`, without its extension and the number that browsers add to a second copy;
  /// `nil` for a name that says nothing.
  static func text(of path: String) -> String? {
    var name = (path.split(separator: "/").last.map(String.init) ?? "")[...]
    if let dot = name.lastIndex(of: "."), dot > name.startIndex { name = name[..<dot] }
    let title = name.replacing(/\s*\(\d{1,3}\)$/, with: "").trimmed
    let isCommon = common.contains(title.lowercased().filter(\.isLetter))
    return isCommon || !title.contains(where: \.isLetter) ? nil : title
  }

  private static let common: Set = [
    "index", "page", "recipe", "document", "download", "default", "untitled", "unnamed", "print", "view", "file",
    "rezept", "recette", "mail", "message",
  ]
}
