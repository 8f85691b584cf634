package import DecantContainers
internal import DecantBase

/// The name of an archive, and what the name says of its form.
package struct ArchivePlace {
  /// What is written to a place.
  package enum Form: Hashable {
    /// Lines, packed or not.
    case lines(Compression)
    /// A page to be read in a browser.
    case page
    /// A message to be sent.
    case mail
  }

  package let path: String
  package let form: Form

  /// The place that stands for standard input and output.
  package static let pipe = "-"

  /// Reads the name; `nil` where it is no name of an archive.
  ///
  /// A packed file counts as one even without `.decant` in its name where `isAsked` is true.
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

  /// A file of lines whatever it is called, packed where the name says so.
  package init(lines path: String) {
    let named = path == ArchivePlace.pipe ? nil : ArchivePlace(path, isAsked: true)
    self.path = path == ArchivePlace.pipe ? "./\(path)" : path
    form = .lines(named?.compression ?? .none)
  }

  /// The member of a zip has the name of an archive, whatever the zip's is.
  private static func compression(_ path: String) -> Compression {
    let compression = Compression(fileName: path)
    guard case .zip(let member) = compression, !member.lowercased().hasSuffix(".decant") else {
      return compression
    }
    return .zip(member: member + ".decant")
  }

  /// Whether it holds lines, packed or not.
  package var isLines: Bool { if case .lines = form { true } else { false } }

  /// How the lines are packed.
  package var compression: Compression {
    if case .lines(let packed) = form { packed } else { .none }
  }

  /// The name of the file without what says its form.
  package var stem: String {
    let name = Files.name(of: path)
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  /// The name of the part `number`: it stands before `.decant`, or before the ending where there is none.
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
