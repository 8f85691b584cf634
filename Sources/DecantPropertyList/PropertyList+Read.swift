extension PropertyList {
  /// How much a property list may ask of its reader.
  package struct Limits: Sendable, Hashable {
    /// How deep arrays and dictionaries may be nested in each other.
    package var depth: Int
    /// How many values there may be; a value that is referred to twice counts twice.
    package var valueCount: Int

    /// Sets both bounds; by default more than any archive of a model needs.
    package init(depth: Int = 100, valueCount: Int = 4_000_000) {
      self.depth = depth
      self.valueCount = valueCount
    }
  }

  /// Reads a binary or an XML property list, told apart by how it begins.
  ///
  /// Whatever the bytes are, this returns a value or throws; it never traps, loops or unfolds
  /// without bound.
  package static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(PropertyListError) -> PropertyList {
    if isBinary(bytes) { return try BinaryPropertyListReader.read(bytes, limits: limits) }
    return try XMLPropertyListReader.read(bytes, limits: limits)
  }

  /// Whether `bytes` begin as a binary property list does.
  package static func isBinary(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: "bplist0".utf8)
  }
}
