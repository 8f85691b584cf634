/// The current file: one that was named, one in a folder, or a member of a container.
struct RecipeEntry {
  /// Its path in its folder or container; the last part of its path if it was named itself.
  let name: String
  /// Its name in reports, with the containers around it; `nil` for a file that was named itself.
  let shown: String?
  /// Where the files that it names are looked for.
  let scope: any RecipeScope
  /// The saved file with pictures to which this page belongs.
  var saved: SavedPage?
  /// The number of layers of packing around its bytes.
  var depth = 0

  /// Returns the member at `path` of this entry, a container, at the given depth of packing.
  func member(_ path: String, _ scope: any RecipeScope, depth: Int) -> RecipeEntry {
    RecipeEntry(name: path, shown: (shown.map { "\($0)/" } ?? "") + path, scope: scope, depth: depth)
  }

  /// Whether the name marks this as a recipe, whatever its content.
  var isNamedRecipe: Bool {
    let name = name.lowercased()
    return [".paprikarecipe", ".melarecipe", ".crumb"].contains { name.hasSuffix($0) }
      || name == "recipe.json" || name.hasSuffix("/recipe.json")
  }

  /// Whether the file at `path` was added by macOS or another system, and not by a person.
  static func isNoise(_ path: String) -> Bool {
    path.split(separator: "/").contains { part in
      part.hasPrefix("._") || noise.contains(String(part))
    }
  }

  private static let noise: Set<String> = [
    "__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini",
  ]

  /// Whether a folder called `name` belongs to version control, a trash can or the system.
  static func isKept(_ name: String) -> Bool {
    let name = name.lowercased()
    return keepers.contains(name) || name.hasPrefix(".trash")
  }

  private static let keepers: Set<String> = [
    ".git", ".hg", ".svn", ".bzr", "cvs", "$recycle.bin", ".spotlight-v100", ".fseventsd",
    ".temporaryitems", ".documentrevisions-v100",
  ]
}

/// The folders in a folder in which browsers keep the files that a page shows.
struct SavedFolders {
  /// The names of pages without their extensions.
  private let pages: Set<String>

  init(_ names: [String]) {
    pages = Set(
      names.compactMap { name in
        guard let dot = name.lastIndex(of: "."),
          [".html", ".htm", ".xhtml", ".shtml"].contains(name[dot...].lowercased())
        else { return nil }
        return String(name[..<dot])
      })
  }

  /// The suffixes of such folders after the name of the page, in the languages of browsers.
  private static let endings = [
    "_files", " files", "-Dateien", "_fichiers", "-files", "_archivos", "_file", "_bestanden", "_arquivos",
    "_ficheiros",
    "_pliki", "_filer", "_tiedostot", "_dosyalar", "_elemei", "_soubory",
  ]

  /// Whether the folder called `name` belongs to a page in the same folder.
  func hasPage(of name: String) -> Bool {
    Self.endings.contains { name.hasSuffix($0) && pages.contains(String(name.dropLast($0.count))) }
  }
}
