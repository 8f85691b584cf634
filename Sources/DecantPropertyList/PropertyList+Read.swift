extension PropertyList {
  /// The limits for a property list.
  package struct Limits: Sendable, Hashable {
    /// The maximum nesting depth of arrays and dictionaries.
    package var depth: Int
    /// The maximum number of values; a value that is referenced twice counts twice.
    package var valueCount: Int

    /// Creates limits; the defaults exceed what any archive of a model needs.
    package init(depth: Int = 100, valueCount: Int = 4_000_000) {
      self.depth = depth
      self.valueCount = valueCount
    }
  }

  /// Reads a binary or an XML property list, detected by its beginning.
  ///
  /// For any bytes this returns a value or throws; it never traps, loops or expands without bound.
  package static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(PropertyListError) -> PropertyList {
    if isBinary(bytes) { return try BinaryPropertyListReader.read(bytes, limits: limits) }
    return try XMLPropertyListReader.read(bytes, limits: limits)
  }

  /// Returns whether `bytes` begin like a binary property list.
  package static func isBinary(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: "bplist0".utf8)
  }
}
