/// Reads binary property lists.
///
/// The file is a header of eight bytes, the objects, a table of their offsets, and a trailer of 32 bytes with the
/// position of the table and the width of its numbers. Arrays and dictionaries refer to their elements by position in
/// that table, so one object may be used in several places: leaves are read once and shared, and the expanded size of
/// containers is counted against the limit.
struct BinaryPropertyListReader {
  private let bytes: [UInt8]
  private let limits: PropertyList.Limits
  private let referenceSize: Int
  private let offsetSize: Int
  private let objectCount: Int
  private let topObject: Int
  private let tableStart: Int
  /// The leaves read so far, by their byte offset.
  private var leaves: [Int: PropertyList] = [:]
  /// The total size of the leaves read so far; it exceeds the file only if leaves overlap.
  private var leafSize = 0
  /// The containers being read, to detect cyclic references.
  private var open: Set<Int> = []
  private var valueCount = 0

  static func read(_ bytes: [UInt8], limits: PropertyList.Limits) throws(PropertyListError) -> PropertyList {
    var reader = try BinaryPropertyListReader(bytes, limits: limits)
    try reader.count(1)
    return try reader.object(reader.topObject)
  }

  private init(_ bytes: [UInt8], limits: PropertyList.Limits) throws(PropertyListError) {
    let trailer = bytes.count - 32
    guard trailer >= 8 else {
      throw PropertyListError("the property list is truncated", at: .byte(bytes.count))
    }
    self.bytes = bytes
    self.limits = limits
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
      throw PropertyListError("the trailer is not valid", at: .byte(trailer + 6))
    }
    let numbers = [8, 16, 24].map { offset in
      bytes[(trailer + offset)..<(trailer + offset + 8)].reduce(0 as UInt64) {
        $0 << 8 | UInt64($1)
      }
    }
    // Each object has an entry in the table, and the table is between header and trailer.
    let room = UInt64(trailer)
    guard numbers[2] >= 8, numbers[2] < room,
      numbers[0] <= (room - numbers[2]) / UInt64(offsetSize), numbers[1] < numbers[0]
    else {
      throw PropertyListError("the object table is outside the file", at: .byte(trailer + 8))
    }
    objectCount = Int(numbers[0])
    topObject = Int(numbers[1])
    tableStart = Int(numbers[2])
  }

  /// Reads the object at `position` of the table with all its content.
  private mutating func object(_ position: Int) throws(PropertyListError) -> PropertyList {
    guard position < objectCount else {
      throw PropertyListError("there is no such object", at: .object(position))
    }
    let entry = tableStart + position * offsetSize
    let start = try number(at: entry, size: offsetSize)
    guard start >= 8, start < tableStart else {
      throw PropertyListError("an object is outside the file", at: .byte(entry))
    }
    let marker = bytes[start]
    guard marker >> 4 < 0xA else {
      return try container(marker, at: start, position: position)
    }
    if let leaf = leaves[start] { return leaf }
    let leaf = try leaf(marker, at: start)
    leaves[start] = leaf
    return leaf
  }

  /// Counts values against the limit before they are read.
  private mutating func count(_ count: Int) throws(PropertyListError) {
    guard count <= limits.valueCount - valueCount else {
      throw PropertyListError("there are more than \(limits.valueCount) values")
    }
    valueCount += count
  }

  private mutating func container(
    _ marker: UInt8,
    at start: Int,
    position: Int
  ) throws(PropertyListError) -> PropertyList {
    guard open.count < limits.depth, open.insert(position).inserted else {
      throw PropertyListError("a value contains itself or is nested too deeply", at: .object(position))
    }
    defer { open.remove(position) }
    let (first, count) = try extent(marker, at: start)
    switch marker >> 4 {
    case 0xA:
      try self.count(count)
      let references = try references(at: first, count: count)
      var elements: [PropertyList] = []
      for reference in references { elements.append(try object(reference)) }
      return .array(elements)
    case 0xD:
      // The keys come first, followed by as many values.
      let (both, overflow) = count.multipliedReportingOverflow(by: 2)
      guard !overflow else { throw PropertyListError("a count is too large", at: .byte(start)) }
      try self.count(both)
      let references = try references(at: first, count: both)
      var entries: [String: PropertyList] = [:]
      for (key, value) in zip(references[..<count], references[count...]) {
        guard case .string(let name) = try object(key) else {
          throw PropertyListError("a dictionary key is not a string", at: .object(key))
        }
        entries[name] = try object(value)
      }
      return .dictionary(entries)
    default:
      throw PropertyListError("unknown value type \(marker)", at: .byte(start))
    }
  }

  private mutating func leaf(_ marker: UInt8, at start: Int) throws(PropertyListError) -> PropertyList {
    let low = Int(marker & 0xF)
    switch marker >> 4 {
    case 0x0 where marker == 0x08 || marker == 0x09:
      return .boolean(marker == 0x09)
    case 0x1 where low <= 4:
      return .integer(try integer(at: start + 1, size: 1 << low))
    case 0x2 where low == 2:
      return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try bits(start + 1, 4)))))
    case 0x2 where low == 3:
      return .real(Double(bitPattern: try bits(start + 1, 8)))
    case 0x3 where low == 3:
      return .date(Double(bitPattern: try bits(start + 1, 8)))
    case 0x8 where low < 8:
      return .uid(try number(at: start + 1, size: low + 1))
    case 0x4:
      let (first, count) = try extent(marker, at: start)
      return .data([UInt8](try content(first, count)))
    case 0x5:
      let (first, count) = try extent(marker, at: start)
      let text = try content(first, count)
      guard text.allSatisfy({ $0 < 0x80 }) else {
        throw PropertyListError("a string marked as ASCII is not ASCII", at: .byte(start))
      }
      return .string(String(decoding: text, as: UTF8.self))
    case 0x6:
      let (first, count) = try extent(marker, at: start)
      let (size, overflow) = count.multipliedReportingOverflow(by: 2)
      guard !overflow else { throw PropertyListError("a count is too large", at: .byte(start)) }
      let text = try content(first, size)
      let units = stride(from: text.startIndex, to: text.endIndex, by: 2).map {
        UInt16(text[$0]) << 8 | UInt16(text[$0 + 1])
      }
      return .string(String(decoding: units, as: UTF16.self))
    default:
      throw PropertyListError("unknown value type \(marker)", at: .byte(start))
    }
  }
}

// The primitives of the methods above: every access to the bytes is checked here.
extension BinaryPropertyListReader {
  /// Returns where the content of an object begins and how many units it has.
  private func extent(_ marker: UInt8, at start: Int) throws(PropertyListError) -> (first: Int, count: Int) {
    let low = Int(marker & 0xF)
    guard low == 0xF else { return (start + 1, low) }
    // A count of fifteen or more does not fit into the marker: an integer object follows it.
    let size = try slice(start + 1, 1).first ?? 0
    guard size >> 4 == 0x1, size & 0xF <= 3 else {
      throw PropertyListError("a count is not an integer", at: .byte(start + 1))
    }
    let width = 1 << Int(size & 0xF)
    return (start + 2 + width, try number(at: start + 2, size: width))
  }

  private func references(at start: Int, count: Int) throws(PropertyListError) -> [Int] {
    let (size, overflow) = count.multipliedReportingOverflow(by: referenceSize)
    guard !overflow else { throw PropertyListError("a count is too large", at: .byte(start)) }
    _ = try slice(start, size)
    var references: [Int] = []
    references.reserveCapacity(count)
    for position in 0..<count {
      references.append(try number(at: start + position * referenceSize, size: referenceSize))
    }
    return references
  }

  /// Returns the bytes of a leaf.
  ///
  /// Overlapping leaves in a small file could fill the memory, so their total size must not exceed the size of the
  /// file.
  private mutating func content(_ start: Int, _ count: Int) throws(PropertyListError) -> ArraySlice<UInt8> {
    let content = try slice(start, count)
    leafSize += count
    guard leafSize <= bytes.count else {
      throw PropertyListError("the values overlap", at: .byte(start))
    }
    return content
  }

  private func slice(_ start: Int, _ count: Int) throws(PropertyListError) -> ArraySlice<UInt8> {
    // Objects must not extend into the trailer.
    guard count >= 0, start >= 8, start <= bytes.count - 32, count <= bytes.count - 32 - start
    else { throw PropertyListError("a value ends outside the file", at: .byte(start)) }
    return bytes[start..<(start + count)]
  }

  private func bits(_ start: Int, _ size: Int) throws(PropertyListError) -> UInt64 {
    try slice(start, size).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func number(at start: Int, size: Int) throws(PropertyListError) -> Int {
    guard let number = Int(exactly: try bits(start, size)) else {
      throw PropertyListError("a number is too large", at: .byte(start))
    }
    return number
  }

  /// Reads an integer: unsigned up to four bytes, signed with eight or sixteen.
  private func integer(at start: Int, size: Int) throws(PropertyListError) -> Int64 {
    guard size == 16 else { return Int64(bitPattern: try bits(start, size)) }
    let (high, low) = (try bits(start, 8), Int64(bitPattern: try bits(start + 8, 8)))
    guard high == (low < 0 ? .max : 0) else {
      throw PropertyListError("an integer does not fit 64 bits", at: .byte(start))
    }
    return low
  }
}
