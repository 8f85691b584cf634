internal import DecantRecipeFormats
internal import DecantBase

/// The pictures that lie in a zip, kept as they come until the whole zip was read.
final class ZipScope: RecipeScope {
  private let pictures: RecipePictures
  /// Where they are.
  let folder: String
  /// Their paths, by the numbers that `pictures` gave them.
  private var paths: [String] = []
  /// By path; Swift compares composed and decomposed letters as equal.
  private var numbers: [String: Int] = [:]
  /// By path in lower case; `nil` where several differ in case only.
  private var folded: [String: Int?] = [:]
  /// By the last part of the path in lower case: the first of those that go by it.
  private var byName: [String: [Int]] = [:]
  /// Those that were handed out, and those that were without a recipe naming them.
  private var used: Set<Int> = []
  private var given: Set<Int> = []
  /// How many documents in JSON lie in each folder.
  private var documentCounts: [String: Int] = [:]

  /// A name that more pictures go by than this tells none of them.
  private static let namesakeLimit = 64

  var isForward: Bool { true }

  /// Keeps pictures in `folder`, which is this scope's alone.
  init(in folder: String) throws(DecantError) {
    self.folder = folder
    pictures = try RecipePictures(in: folder)
  }

  /// Takes the picture that lies at `path`.
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

  /// Notes that a document lies at `path`.
  func note(document path: String) {
    guard path.lowercased().hasSuffix(".json") else { return }
    documentCounts[EntryPath.folder(of: path), default: 0] += 1
  }

  func picture(_ request: PictureRequest) throws -> RecipePictures.Picture? {
    if request.wantsLoneEntry, documentCounts[request.folder] != 1 { return nil }
    guard let number = number(request) else { return nil }
    // What no recipe names is one recipe's.
    if !request.isNamed, !given.insert(number).inserted { return nil }
    used.insert(number)
    return pictures.picture(Int64(number))
  }

  /// The paths of pictures that no recipe got.
  var unused: [String] { UnusedPictures.list(paths) { used.contains($0) } }

  private func number(_ request: PictureRequest) -> Int? {
    for path in request.paths {
      if let number = numbers[path] ?? folded[path.lowercased()] ?? nil { return number }
    }
    guard request.isForeign else { return nil }
    // Of a path on another device only the name counts: of a file below the recipe's own folder, and of one only.
    for name in request.names {
      let namesakes = byName[EntryPath.name(of: name).lowercased()] ?? []
      guard namesakes.count <= Self.namesakeLimit else { continue }
      let here = namesakes.filter { paths[$0].hasPrefix(request.folder) }
      if here.count == 1 { return here[0] }
    }
    return nil
  }
}
