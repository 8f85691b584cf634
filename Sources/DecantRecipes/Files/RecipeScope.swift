internal import DecantRecipeFormats

/// The place of the files that a recipe names: its pictures.
protocol RecipeScope: AnyObject {
  /// Whether files are read in sequence, so that the named ones may still follow.
  var isForward: Bool { get }

  /// Finds a picture.
  ///
  /// - Parameter request: The names that it may have, and the recipe's statements about it.
  /// - Returns: The picture; `nil` if there is none.
  /// - Throws: `DecantError` if a file cannot be read.
  func picture(_ request: PictureRequest) throws -> RecipePictures.Picture?
}

/// A request for a picture in a file.
struct PictureRequest: Sendable {
  /// Names that the file may have, the likeliest first, relative to the entry.
  let names: [String]
  /// The path of the recipe's own entry in the scope.
  let entry: String
  /// As in `RecipeImage`.
  let isNamed, isForeign, wantsLoneEntry: Bool

  /// - Parameters:
  ///   - names: The names that the file may have.
  ///   - entry: The path of the recipe's own entry in the scope.
  ///   - image: The recipe's statements about the picture.
  init(_ names: [String], beside entry: String, of image: RecipeImage) {
    (self.names, self.entry) = (names, entry)
    isNamed = image.isNamed
    isForeign = image.isForeign
    wantsLoneEntry = image.wantsLoneEntry
  }

  /// The folder of the entry, with a `/` at the end.
  var folder: String { EntryPath.folder(of: entry) }

  /// The paths in the scope where the file may be, the likeliest first; none leads out of it.
  var paths: [String] {
    names.compactMap { name in
      EntryPath.clean(folder + String(name.map { $0 == "\\" ? "/" : $0 }))
    }
  }

  /// The warning if there is no such file.
  var warning: String? {
    isNamed ? "the picture “\(names.first ?? "")” is missing" : nil
  }
}

/// The pictures that no recipe uses.
enum UnusedPictures {
  /// Returns those of `paths` for which `isUsed` is false, without small copies of used pictures beside them.
  static func list(_ paths: [String], isUsed: (Int) -> Bool) -> [String] {
    let folders = Set(paths.indices.filter(isUsed).map { EntryPath.folder(of: paths[$0]) })
    return paths.indices.filter { index in
      guard !isUsed(index) else { return false }
      let path = paths[index]
      return !(isSmallCopy(path) && folders.contains(EntryPath.folder(of: path)))
    }.map { paths[$0] }
  }

  /// Whether a picture has a name that Nextcloud and Mealie give to small copies of others.
  private static func isSmallCopy(_ path: String) -> Bool {
    let stem = EntryPath.name(of: path).lowercased().split(separator: ".").first ?? ""
    return ["thumb", "thumb16", "min-original", "tiny-original"].contains(stem)
  }
}
