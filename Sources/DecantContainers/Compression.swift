/// The compression of a stream by `ContainerWriter`.
package enum Compression: Sendable, Hashable {
  /// No compression.
  case none
  /// gzip; levels 1 to 9, 1 by default.
  case gzip
  /// zstd; levels 1 to 22, 3 by default, with a checksum of the content.
  ///
  /// Memory grows with the level: 6 MiB at 3, some 90 MiB at 19 and 700 MiB at 22.
  case zstd
  /// xz; levels 0 to 9, 1 by default, with a CRC-64 of the content.
  case xz
  /// lz4; levels 1 to 9, 1 by default, with a checksum of the content.
  case lz4
  /// A zip with one member of this name; levels 1 to 9, 1 by default.
  case zip(member: String)

  /// Chooses by the last extension: `.gz`, `.zst`, `.xz`, `.lz4` or `.zip`, in any case, else none.
  ///
  /// The member of a zip gets the name of the file, without its folder and that extension.
  package init(fileName: String) {
    let name = fileName.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else {
      self = .none
      return
    }
    self =
      switch name[name.index(after: dot)...].lowercased() {
      case "gz": .gzip
      case "zst": .zstd
      case "xz": .xz
      case "lz4": .lz4
      case "zip": .zip(member: String(name[..<dot]))
      default: .none
      }
  }

  /// The levels, from the fastest to the smallest, or `nil` without levels.
  package var levels: ClosedRange<Int>? {
    switch self {
    case .none: nil
    case .gzip, .zip, .lz4: 1...9
    case .zstd: 1...22
    case .xz: 0...9
    }
  }

  /// The default level, chosen for speed.
  ///
  /// For lines of JSON, zstd takes no longer at level 3 than at level 1. Level 1 of gzip and zip is ISA-L's, which is
  /// several times as fast as zlib's and produces no larger files.
  package var defaultLevel: Int? {
    switch self {
    case .none: nil
    case .gzip, .zip, .lz4, .xz: 1
    case .zstd: 3
    }
  }

  /// The name to show to users.
  package var name: String {
    switch self {
    case .none: "no compression"
    case .gzip: "gzip"
    case .zstd: "zstd"
    case .xz: "xz"
    case .lz4: "lz4"
    case .zip: "zip"
    }
  }

  /// Returns `level`, or the default for `nil`; throws if there is no such level.
  func checked(_ level: Int?) throws(ContainerError) -> Int {
    guard let level else { return defaultLevel ?? 0 }
    guard let levels, levels.contains(level) else {
      throw .invalidLevel(level, compression: name, allowed: levels)
    }
    return level
  }
}
