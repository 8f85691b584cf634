package import DecantContainers
internal import DecantBase

/// The path of an archive, and the format that it implies.
package struct ArchivePlace {
  /// The format of a file.
  package enum Form: Hashable {
    /// Lines, compressed or not.
    case lines(Compression)
    /// A web page.
    case page
    /// A mail message.
    case mail
  }

  package let path: String
  package let form: Form

  /// The place of standard input and output.
  package static let pipe = "-"

  /// Parses the path; returns `nil` if it is not that of an archive.
  ///
  /// If `isAsked`, a compressed file counts as one even without `.decant` in its name.
  package init?(_ path: String, isAsked: Bool) {
    self.path = path
    guard path != ArchivePlace.pipe else {
      guard isAsked else { return nil }
      form = .lines(.none)
      return
    }
    let parts = Files.name(of: path).lowercased().split(separator: ".", omittingEmptySubsequences: false)
    guard let last = parts.last, parts.count > 1 else { return nil }
    let inner = parts.count > 2 ? parts[parts.count - 2] : ""
    switch last {
    case "decant": form = .lines(.none)
    case "html", "htm": form = .page
    case "eml": form = .mail
    case "gz", "zst", "xz", "lz4", "zip":
      guard isAsked || inner == "decant" else { return nil }
      form = .lines(ArchivePlace.compression(path))
    default: return nil
    }
  }

  /// Creates the place of a file of lines with any name, compressed if its extension says so.
  package init(lines path: String) {
    let named = path == ArchivePlace.pipe ? nil : ArchivePlace(path, isAsked: true)
    self.path = path == ArchivePlace.pipe ? "./\(path)" : path
    form = .lines(named?.compression ?? .none)
  }

  /// Returns the compression; the member of a ZIP file always has an archive's name.
  private static func compression(_ path: String) -> Compression {
    let compression = Compression(fileName: path)
    guard case .zip(let member) = compression, !member.lowercased().hasSuffix(".decant") else {
      return compression
    }
    return .zip(member: member + ".decant")
  }

  /// Whether it holds lines, compressed or not.
  package var isLines: Bool { if case .lines = form { true } else { false } }

  /// The compression of the lines.
  package var compression: Compression {
    if case .lines(let packed) = form { packed } else { .none }
  }

  /// The name of the file without the extensions of its format.
  package var stem: String {
    let name = Files.name(of: path)
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  /// Returns the name of part `number`: the number precedes `.decant`, or the extension if there is no `.decant`.
  package func name(ofPart number: Int) -> String {
    let folder =
      path.hasSuffix(Files.name(of: path)) ? path.dropLast(Files.name(of: path).count) : ""
    var parts = Files.name(of: path).split(separator: ".", omittingEmptySubsequences: false)
      .map { String($0) }
    let place =
      parts.lastIndex { $0.lowercased() == "decant" } ?? max(parts.count - 1, 1)
    parts.insert(String(number), at: max(place, 1))
    return folder + parts.joined(separator: ".")
  }
}
