/// The file at hand: one that was named, one of a folder, or a member of a container.
struct RecipeEntry {
  /// Its path in the folder or container that it lies in; the last part of its path where it was named itself.
  let name: String
  /// What it is called in reports, with the containers around it; `nil` for a file that was named itself.
  let shown: String?
  /// Where the files are looked for that it names.
  let scope: any RecipeScope
  /// The page in one file with its pictures that this is the page of.
  var saved: SavedPage?
  /// How many layers of packing lie around its bytes.
  var depth = 0

  /// The member at `path` of this one, which is a container, with all layers of packing around it.
  func member(_ path: String, _ scope: any RecipeScope, depth: Int) -> RecipeEntry {
    RecipeEntry(name: path, shown: (shown.map { "\($0)/" } ?? "") + path, scope: scope, depth: depth)
  }

  /// Whether the name says that this is a recipe, whatever is in it.
  var isNamedRecipe: Bool {
    let name = name.lowercased()
    return [".paprikarecipe", ".melarecipe", ".crumb"].contains { name.hasSuffix($0) }
      || name == "recipe.json" || name.hasSuffix("/recipe.json")
  }

  /// Whether macOS or another system added the file at `path`, which nobody put there.
  static func isNoise(_ path: String) -> Bool {
    path.split(separator: "/").contains { part in
      part.hasPrefix("._") || noise.contains(String(part))
    }
  }

  private static let noise: Set<String> = [
    "__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini",
  ]

  /// Whether a folder called `name` holds what version control, a trash can or a system keeps, and not its owner.
  static func isKept(_ name: String) -> Bool {
    let name = name.lowercased()
    return keepers.contains(name) || name.hasPrefix(".trash")
  }

  private static let keepers: Set<String> = [
    ".git", ".hg", ".svn", ".bzr", "cvs", "$recycle.bin", ".spotlight-v100", ".fseventsd",
    ".temporaryitems", ".documentrevisions-v100",
  ]
}

/// The folders in which browsers keep what a page shows, among the names in a folder.
struct SavedFolders {
  /// The names of pages without what tells that they are pages.
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

  /// What the folder of a page is called behind its name, in the languages of browsers.
  private static let endings = [
    "_files", " files", "-Dateien", "_fichiers", "-files", "_archivos", "_file", "_bestanden", "_arquivos",
    "_ficheiros",
    "_pliki", "_filer", "_tiedostot", "_dosyalar", "_elemei", "_soubory",
  ]

  /// Whether the folder called `name` belongs to a page, of which it is a part.
  func hasPage(of name: String) -> Bool {
    Self.endings.contains { name.hasSuffix($0) && pages.contains(String(name.dropLast($0.count))) }
  }
}
