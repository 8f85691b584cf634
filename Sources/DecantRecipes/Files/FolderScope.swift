internal import DecantRecipeFormats
internal import DecantBase
internal import DecantSystem

/// The pictures in a folder on disk, read when they are asked for.
final class FolderScope: RecipeScope {
  private let root: String
  private let pictures: RecipePictures
  private let isWhole: Bool
  /// The paths of all pictures found, and of those that were used by recipes, as on disk.
  private var met: [String] = []
  private var used: Set<String> = []
  /// The pictures that were used by a recipe that does not name them.
  private var given: Set<String> = []
  /// The names in the last folder that was listed, by their lower-case forms.
  private var listing: (folder: String, names: [String: [String]])?
  /// The numbers of JSON documents in the folders that were looked at.
  private var documentCounts: [String: Int] = [:]

  var isForward: Bool { false }

  /// - Parameters:
  ///   - root: The folder; no file outside of it is ever read.
  ///   - pictures: Stores the pictures of the current recipe.
  ///   - isWhole: Whether the whole folder is read, and not just a file in it.
  init(_ root: String, _ pictures: RecipePictures, isWhole: Bool) {
    (self.root, self.pictures, self.isWhole) = (root, pictures, isWhole)
  }

  /// Notes that there is a picture at `path`.
  func note(picture path: String) { met.append(path) }

  /// The paths of the pictures that no recipe uses.
  var unused: [String] { UnusedPictures.list(met) { used.contains(met[$0]) } }

  func picture(_ request: PictureRequest) throws -> RecipePictures.Picture? {
    if request.wantsLoneEntry, !isLone(request.folder) { return nil }
    for path in request.paths {
      guard let path = self.path(path) else { continue }
      // A picture that recipes do not name belongs to one recipe only.
      if !request.isNamed, !given.insert(path).inserted { return nil }
      do {
        let picture = try picture(at: path)
        used.insert(path)
        return picture
      } catch is RecipeFault {
        continue
      }
    }
    return nil
  }

  private func picture(at path: String) throws -> RecipePictures.Picture? {
    let number = try pictures.take { spool in
      var failure: (any Error)?
      try Files.forEachPiece(of: "\(root)/\(path)") { piece in
        do { try spool(piece) } catch { failure = error }
        return failure == nil
      }
      if let failure { throw failure }
    }
    return pictures.picture(number)
  }

  /// Whether `folder` contains exactly one JSON document.
  private func isLone(_ folder: String) -> Bool {
    guard isWhole else { return false }
    if let count = documentCounts[folder] { return count == 1 }
    let names = (try? Files.names(in: "\(root)/\(folder)")) ?? []
    let count = names.count { $0.lowercased().hasSuffix(".json") && !RecipeEntry.isNoise($0) }
    documentCounts[folder] = count
    return count == 1
  }

  /// Returns the path below the root of the file at `path` as on disk, ignoring case if that is unambiguous; never
  /// through a link.
  private func path(_ path: String) -> String? {
    var place = root
    var found: [String] = []
    for part in path.split(separator: "/").map(String.init) {
      guard let name = name(of: part, in: place) else { return nil }
      place += "/\(name)"
      found.append(name)
      guard let status = FileStatus(unfollowed: place), !status.isLink else { return nil }
    }
    return FileStatus(place)?.isFile == true ? found.joined(separator: "/") : nil
  }

  /// Returns the name that the file `name` has in a folder, ignoring case if that is unambiguous.
  private func name(of name: String, in folder: String) -> String? {
    if FileStatus(unfollowed: "\(folder)/\(name)") != nil { return name }
    if listing?.folder != folder {
      let names = (try? Files.names(in: folder)) ?? []
      listing = (folder, Dictionary(grouping: names) { $0.lowercased() })
    }
    let alike = listing?.names[name.lowercased()] ?? []
    return alike.first { $0 == name } ?? (alike.count == 1 ? alike[0] : nil)
  }
}
