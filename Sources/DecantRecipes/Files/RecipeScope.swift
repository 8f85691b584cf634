internal import DecantRecipeFormats

/// Where the files lie that a recipe names: its pictures.
protocol RecipeScope: AnyObject {
  /// Whether files come one after the other: what a recipe names may still come.
  var isForward: Bool { get }

  /// Finds a picture.
  ///
  /// - Parameter request: What it may be called, and what the recipe says of it.
  /// - Returns: The picture; `nil` where there is none.
  /// - Throws: `DecantError` where a file cannot be read.
  func picture(_ request: PictureRequest) throws -> RecipePictures.Picture?
}

/// A picture in a file that a recipe asks for.
struct PictureRequest: Sendable {
  /// Names by which the file may go, the likeliest first, seen from the entry.
  let names: [String]
  /// The path of the recipe's own entry in the scope.
  let entry: String
  /// As in `RecipeImage`.
  let isNamed, isForeign, wantsLoneEntry: Bool

  /// - Parameters:
  ///   - names: What the file may be called.
  ///   - entry: The path of the recipe's own entry in the scope.
  ///   - image: What the recipe says of the picture.
  init(_ names: [String], beside entry: String, of image: RecipeImage) {
    (self.names, self.entry) = (names, entry)
    isNamed = image.isNamed
    isForeign = image.isForeign
    wantsLoneEntry = image.wantsLoneEntry
  }

  /// The folder of the entry, with a `/` behind it.
  var folder: String { EntryPath.folder(of: entry) }

  /// The paths in the scope where the file may lie, the likeliest first; none leads out of it.
  var paths: [String] {
    names.compactMap { name in
      EntryPath.clean(folder + String(name.map { $0 == "\\" ? "/" : $0 }))
    }
  }

  /// What is said where the file is not there.
  var warning: String? {
    isNamed ? "the picture “\(names.first ?? "")” is missing" : nil
  }
}

/// The pictures that nobody asked for.
enum UnusedPictures {
  /// Those of `paths` that `isUsed` does not hold for, without the small copies of one beside them that is used.
  static func list(_ paths: [String], isUsed: (Int) -> Bool) -> [String] {
    let folders = Set(paths.indices.filter(isUsed).map { EntryPath.folder(of: paths[$0]) })
    return paths.indices.filter { index in
      guard !isUsed(index) else { return false }
      let path = paths[index]
      return !(isSmallCopy(path) && folders.contains(EntryPath.folder(of: path)))
    }.map { paths[$0] }
  }

  /// Whether a picture is called as Nextcloud and Mealie call the small ones that they make of others.
  private static func isSmallCopy(_ path: String) -> Bool {
    let stem = EntryPath.name(of: path).lowercased().split(separator: ".").first ?? ""
    return ["thumb", "thumb16", "min-original", "tiny-original"].contains(stem)
  }
}
