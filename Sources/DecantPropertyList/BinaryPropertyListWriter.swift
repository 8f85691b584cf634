/// Writes property lists in Apple's binary format, `bplist00`.
///
/// The same value always gives the same bytes: dictionary keys are sorted by their UTF-8 bytes, and equal strings,
/// numbers and data are written once.
///
/// The file is a header of eight bytes, the objects, a table of their offsets, and a trailer of 32 bytes with the
/// widths of the table entries and of the references between objects.
package struct BinaryPropertyListWriter {
  /// An object to be written; children are positions in the list of objects.
  private enum Node {
    case leaf([UInt8])
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  private var nodes: [Node] = []
  /// The position of each scalar, by the bytes that it is written as.
  ///
  /// Scalars with equal bytes may be shared; 0.0 and -0.0, or two spellings of "é", may not.
  private var positions: [[UInt8]: Int] = [:]

  private init() {}

  /// Returns the bytes of `list`.
  ///
  /// - Precondition: No UID in it is negative; archives number their objects from 0.
  package static func write(_ list: PropertyList) -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    writer.add(list)
    return writer.file()
  }

  /// Adds `list` and everything in it to the objects, parents first, and returns its position.
  @discardableResult
  private mutating func add(_ list: PropertyList) -> Int {
    switch list {
    case .array(let elements):
      let position = reserve()
      nodes[position] = .array(elements.map { add($0) })
      return position
    case .dictionary(let entries):
      let position = reserve()
      let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      let keys = sorted.map { add(.string($0.key)) }
      nodes[position] = .dictionary(keys: keys, values: sorted.map { add($0.value) })
      return position
    case .boolean, .integer, .real, .date, .data, .string, .uid:
      let bytes = list.scalarBytes
      if let position = positions[bytes] { return position }
      nodes.append(.leaf(bytes))
      positions[bytes] = nodes.count - 1
      return nodes.count - 1
    }
  }

  private mutating func reserve() -> Int {
    nodes.append(.leaf([]))
    return nodes.count - 1
  }

  /// Assembles the objects, their offsets and the trailer.
  private func file() -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    offsets.reserveCapacity(nodes.count)
    let referenceWidth = (nodes.count - 1).byteWidth
    for node in nodes {
      offsets.append(bytes.count)
      switch node {
      case .leaf(let scalar):
        bytes += scalar
      case .array(let elements):
        bytes.appendMarker(0xA0, count: elements.count)
        for element in elements { bytes.appendBigEndian(element, width: referenceWidth) }
      case .dictionary(let keys, let values):
        bytes.appendMarker(0xD0, count: keys.count)
        for child in keys + values { bytes.appendBigEndian(child, width: referenceWidth) }
      }
    }
    let table = bytes.count
    let offsetWidth = table.byteWidth
    for offset in offsets { bytes.appendBigEndian(offset, width: offsetWidth) }
    // Five unused bytes, the unused sort version, then the numbers that a reader starts from.
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
    bytes.appendBigEndian(nodes.count, width: 8)
    bytes.appendBigEndian(0, width: 8)
    bytes.appendBigEndian(table, width: 8)
    return bytes
  }
}
