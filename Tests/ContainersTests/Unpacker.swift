import DecantContainers
import Testing

/// A compression, and how a program unpacks it that shares no code with this one but the library.
enum Unpacker: String, CaseIterable, CustomTestStringConvertible {
  case none, gzip, zstd, xz, lz4, zip

  var testDescription: String { rawValue }

  var compression: Compression {
    switch self {
    case .none: .none
    case .gzip: .gzip
    case .zstd: .zstd
    case .xz: .xz
    case .lz4: .lz4
    case .zip: .zip(member: "out.decant")
    }
  }

  /// Returns what the file of `packed` unpacks to.
  func unpack(_ packed: Packed) throws -> [UInt8] {
    switch self {
    case .none: return try packed.bytes
    case .gzip:
      try packed.python("import gzip; open(plain, 'wb').write(gzip.open(packed).read())")
    case .xz:
      try packed.python("import lzma; open(plain, 'wb').write(lzma.open(packed).read())")
    case .zip:
      try packed.python(
        """
        import zipfile
        with zipfile.ZipFile(packed) as z:
          assert z.namelist() == ['out.decant'] and z.testzip() is None
          open(plain, 'wb').write(z.read('out.decant'))
        """
      )
    case .zstd, .lz4:
      try Packed.need(rawValue)
      try packed.shell("\(rawValue) -dcq < $packed > $plain")
    }
    return try packed.plain
  }
}
