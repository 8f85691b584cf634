/// How a `ContainerWriter` packs a stream.
package enum Compression: Sendable, Hashable {
  /// Not at all.
  case none
  /// As gzip does; levels 1 to 9, 1 unless told otherwise.
  case gzip
  /// As zstd does; levels 1 to 22, 3 unless told otherwise, with a checksum of the content.
  ///
  /// Memory grows with the level: 6 MiB at 3, some 90 MiB at 19 and 700 MiB at 22.
  case zstd
  /// As xz does; levels 0 to 9, 1 unless told otherwise, with a CRC-64 of the content.
  case xz
  /// As lz4 does; levels 1 to 9, 1 unless told otherwise, with a checksum of the content.
  case lz4
  /// As the only member of a zip, which gets this name; levels 1 to 9, 1 unless told otherwise.
  case zip(member: String)

  /// Picks by the last extension: `.gz`, `.zst`, `.xz`, `.lz4` or `.zip`, in any case, else none.
  ///
  /// The member of a zip is named after the file, without its folder and that extension.
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

  /// The levels that it has, from the fastest to the smallest, or `nil` where it has none.
  package var levels: ClosedRange<Int>? {
    switch self {
    case .none: nil
    case .gzip, .zip, .lz4: 1...9
    case .zstd: 1...22
    case .xz: 0...9
    }
  }

  /// The level that is taken where none is told: chosen for speed.
  ///
  /// Level 3 of zstd took no longer than level 1 over lines of JSON. Level 1 of gzip and zip is ISA-L's,
  /// which is several times as fast as zlib's and no larger.
  package var defaultLevel: Int? {
    switch self {
    case .none: nil
    case .gzip, .zip, .lz4, .xz: 1
    case .zstd: 3
    }
  }

  /// What a person calls it.
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

  /// Returns `level`, or the default, if there is such a level.
  func checked(_ level: Int?) throws(ContainerError) -> Int {
    guard let level else { return defaultLevel ?? 0 }
    guard let levels, levels.contains(level) else {
      throw .invalidLevel(level, compression: name, allowed: levels)
    }
    return level
  }
}
