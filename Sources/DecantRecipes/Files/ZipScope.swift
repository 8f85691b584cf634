internal import DecantRecipeFormats
internal import DecantBase

/// The pictures in a ZIP file, kept as they are read until the whole file has been read.
final class ZipScope: RecipeScope {
  private let pictures: RecipePictures
  /// The folder that holds them.
  let folder: String
  /// Their paths, by their numbers in `pictures`.
  private var paths: [String] = []
  /// Their numbers by path; Swift compares composed and decomposed letters as equal.
  private var numbers: [String: Int] = [:]
  /// Their numbers by path in lower case; `nil` if several paths differ only in case.
  private var folded: [String: Int?] = [:]
  /// Their numbers by the last part of the path in lower case, at most `namesakeLimit` + 1 for each.
  private var byName: [String: [Int]] = [:]
  /// The pictures that were used, and those that were used by a recipe that does not name them.
  private var used: Set<Int> = []
  private var given: Set<Int> = []
  /// The number of JSON documents in each folder.
  private var documentCounts: [String: Int] = [:]

  /// The maximum number of pictures with one name; a name that more of them have identifies none.
  private static let namesakeLimit = 64

  var isForward: Bool { true }

  /// Keeps pictures in `folder`, which is this scope's alone.
  init(in folder: String) throws(DecantError) {
    self.folder = folder
    pictures = try RecipePictures(in: folder)
  }

  /// Stores the picture at `path`.
  func take(_ path: String, _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws {
    let number = Int(try pictures.take(body))
    paths.append(path)
    numbers[path] = number
    let lowered = path.lowercased()
    folded[lowered] = folded[lowered] == nil ? .some(number) : .some(nil)
    let name = EntryPath.name(of: lowered)
    if byName[name, default: []].count <= Self.namesakeLimit {
      byName[name, default: []].append(number)
    }
  }

  /// Notes that there is a document at `path`.
  func note(document path: String) {
    guard path.lowercased().hasSuffix(".json") else { return }
    documentCounts[EntryPath.folder(of: path), default: 0] += 1
  }

  func picture(_ request: PictureRequest) throws -> RecipePictures.Picture? {
    if request.wantsLoneEntry, documentCounts[request.folder] != 1 { return nil }
    guard let number = number(request) else { return nil }
    // A picture that recipes do not name belongs to one recipe only.
    if !request.isNamed, !given.insert(number).inserted { return nil }
    used.insert(number)
    return pictures.picture(Int64(number))
  }

  /// The paths of the pictures that no recipe uses.
  var unused: [String] { UnusedPictures.list(paths) { used.contains($0) } }

  private func number(_ request: PictureRequest) -> Int? {
    for path in request.paths {
      if let number = numbers[path] ?? folded[path.lowercased()] ?? nil { return number }
    }
    guard request.isForeign else { return nil }
    // A path on another device counts only by its name, which must be unique below the recipe's own folder.
    for name in request.names {
      let namesakes = byName[EntryPath.name(of: name).lowercased()] ?? []
      guard namesakes.count <= Self.namesakeLimit else { continue }
      let here = namesakes.filter { paths[$0].hasPrefix(request.folder) }
      if here.count == 1 { return here[0] }
    }
    return nil
  }
}
