internal import Decant
internal import Glibc

/// Where the files lie that a recipe names: its pictures.
protocol RecipeScope: AnyObject {
  /// Whether files come one after the other: what a recipe names may still come.
  var isForward: Bool { get }

  /// Finds a picture by one of `names`, the likeliest first.
  ///
  /// - Parameters:
  ///   - names: Paths seen from the entry that names them, or from the scope's root.
  ///   - entry: The entry's own path in the scope.
  /// - Returns: The picture; `nil` where there is none.
  /// - Throws: `DecantError` where a file cannot be read.
  func picture(_ names: [String], beside entry: String) throws -> RecipePictures.Picture?
}

/// The paths by which a name can be meant; none that leads out of the scope.
enum EntryPath {
  /// The folder of `path` with a `/` behind it, empty at the root.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// The last part of `path`.
  static func name(of path: String) -> String {
    let part = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    return String(part)
  }

  /// `path` with `.` and `..` taken away; `nil` for one that climbs out, is absolute, or holds a NUL.
  static func clean(_ path: String) -> String? {
    guard !path.isEmpty, !path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
    var parts: [Substring] = []
    for part in path.split(separator: "/", omittingEmptySubsequences: true) {
      switch part {
      case ".": continue
      case "..":
        guard !parts.isEmpty else { return nil }
        parts.removeLast()
      default: parts.append(part)
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: "/")
  }

  /// Where `name` may lie that `entry` names, the likeliest first.
  static func candidates(_ name: String, beside entry: String) -> [String] {
    let plain = String(name.map { $0 == "\\" ? "/" : $0 })
    return [folder(of: entry) + plain, plain].compactMap(clean)
  }
}

/// The pictures that lie in a zip, kept as they come until the whole zip was read.
final class ZipScope: RecipeScope {
  private let pictures: RecipePictures
  /// Where they are.
  let folder: String
  /// By path in lower case; Swift compares composed and decomposed letters as equal.
  private var numbers: [String: Int64] = [:]
  /// By the last part of the path; `nil` where several go by it.
  private var byName: [String: Int64?] = [:]

  var isForward: Bool { true }

  /// Keeps pictures in `folder`, which is this scope's alone.
  init(in folder: String) throws(DecantError) {
    self.folder = folder
    pictures = try RecipePictures(in: folder)
  }

  /// Takes the picture that lies at `path`.
  func take(_ path: String, _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws
  {
    let number = try pictures.take(body)
    numbers[path.lowercased()] = number
    let name = EntryPath.name(of: path).lowercased()
    byName[name] = byName[name] == nil ? .some(number) : .some(nil)
  }

  func picture(_ names: [String], beside entry: String) throws -> RecipePictures.Picture? {
    for name in names {
      for path in EntryPath.candidates(name, beside: entry) {
        if let number = numbers[path.lowercased()] { return pictures.picture(number) }
      }
    }
    for name in names {
      // The same folder's file goes first; elsewhere only a name that is there once.
      if let number = byName[EntryPath.name(of: name).lowercased()] ?? nil, !isGeneric(name) {
        return pictures.picture(number)
      }
    }
    return nil
  }

  /// Whether every recipe of a library has a picture of this name beside it.
  private func isGeneric(_ name: String) -> Bool {
    !name.contains("/") && ["full", "original", "image", "thumb"].contains { name.hasPrefix($0) }
  }
}

/// The pictures in a folder on disk, read when they are asked for.
final class FolderScope: RecipeScope {
  private let root: String
  private let pictures: RecipePictures

  var isForward: Bool { false }

  /// - Parameters:
  ///   - root: The folder; no file outside of it is ever read.
  ///   - pictures: Takes those of the recipe at hand.
  init(_ root: String, _ pictures: RecipePictures) {
    self.root = root
    self.pictures = pictures
  }

  func picture(_ names: [String], beside entry: String) throws -> RecipePictures.Picture? {
    for name in names {
      for path in EntryPath.candidates(name, beside: entry) {
        guard let file = file(path) else { continue }
        do {
          let number = try pictures.take { spool in
            var failure: (any Error)?
            try Files.forEachPiece(of: file) { piece in
              do { try spool(piece) } catch { failure = error }
              return failure == nil
            }
            if let failure { throw failure }
          }
          return pictures.picture(number)
        } catch is RecipeFault {
          continue
        }
      }
    }
    return nil
  }

  /// The file at `path` below the root, whatever its case; never through a link.
  private func file(_ path: String) -> String? {
    var place = root
    for part in path.split(separator: "/").map(String.init) {
      let direct = "\(place)/\(part)"
      if let status = FileStatus(unfollowed: direct) {
        guard !status.isLink else { return nil }
        place = direct
        continue
      }
      guard let names = try? Files.names(in: place),
        let name = names.first(where: { $0.lowercased() == part.lowercased() })
      else { return nil }
      place += "/\(name)"
      guard let status = FileStatus(unfollowed: place), !status.isLink else { return nil }
    }
    return FileStatus(place)?.isFile == true ? place : nil
  }
}
