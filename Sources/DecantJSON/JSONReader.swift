internal import DecantSystem

/// Reads JSON from beginning to end, without building objects.
///
/// In strict mode it reads one text in memory: invalid JSON (RFC 8259), invalid UTF-8 or nesting that is too deep is a
/// fault, wherever it occurs. In lenient mode it reads a document that arrives in pieces, as other programs write it.
/// That allows trailing and doubled commas, comments, the markers of CDATA sections, any bytes in strings, invalid
/// escapes (unchanged), unpaired surrogates (as U+FFFD), numbers such as `+1` and `.5`, and `NaN` and `undefined` (as
/// `null`). Time is linear in the length of the document.
///
/// Bytes that it lends are valid only until the next string is read.
package struct JSONReader: ~Copyable {
  /// The maximum nesting depth of objects and lists.
  let depthLimit: Int
  /// The source of the bytes; `nil` for a text in memory.
  let feed: JSONFeed?
  /// The buffer, and the number of bytes in it.
  private let start: UnsafeRawPointer
  private(set) var end: Int
  /// The position of the next byte in the buffer, or in the text in memory.
  package internal(set) var position = 0
  /// The number of open objects and lists.
  package internal(set) var depth = 0
  /// A string or name without its escapes.
  private var plain: [UInt8] = []

  /// The maximum length of a name in a document, in bytes.
  static let nameLimit = 1 << 15

  /// Starts a strict reader of `text`, which must outlive it.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - empty: Any address, for an empty text.
  ///   - depthLimit: The maximum nesting depth of objects and lists.
  package init(_ text: UnsafeRawBufferPointer, _ empty: UnsafeRawPointer, depthLimit: Int) {
    self.depthLimit = depthLimit
    feed = nil
    start = text.baseAddress ?? empty
    end = text.count
  }

  /// Starts a lenient reader of a document.
  ///
  /// - Parameters:
  ///   - depthLimit: The maximum nesting depth of objects and lists.
  ///   - fill: Writes the next bytes, in UTF-8, to its buffer, and returns their number; 0 at the end.
  package init(depthLimit: Int, _ fill: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
    self.depthLimit = depthLimit
    let feed = JSONFeed(fill)
    self.feed = feed
    start = UnsafeRawPointer(feed.memory)
    end = 0
  }

  /// The number of bytes consumed.
  package var offset: Int64 { (feed?.gone ?? 0) + Int64(position) }

  var isLenient: Bool { feed != nil }

  @inline(__always)
  func byte(_ place: Int) -> UInt8 { start.load(fromByteOffset: place, as: UInt8.self) }

  /// Returns the next `count` bytes, which must be in the buffer.
  @inline(__always)
  func window(_ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start + position, count: count)
  }

  /// Returns whether there are `count` more bytes; if so, they are in the buffer.
  @inline(__always)
  mutating func has(_ count: Int) throws -> Bool {
    if end - position >= count { return true }
    guard let feed else { return false }
    return try refill(feed, count)
  }

  private mutating func refill(_ feed: JSONFeed, _ count: Int) throws -> Bool {
    while end - position < count {
      guard !feed.isAtEnd else { return false }
      if position > 0 { feed.drop(position, of: end) }
      (end, position) = (end - position, 0)
      end += try feed.read(behind: end)
    }
    return true
  }

  // MARK: Structure

  /// The type of a value, by its first byte.
  package enum Kind {
    case object, array, string, number, true_, false_, null
  }

  /// Skips blanks and other insignificant text; returns the byte after them, or `nil` at the end.
  package mutating func next() throws -> UInt8? {
    while position < end {
      let byte = byte(position)
      guard byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d else {
        return isLenient ? try skipLeniently() : byte
      }
      position += 1
    }
    return isLenient ? try skipLeniently() : nil
  }

  /// Consumes the byte that `next` returned.
  package mutating func pass() { position += 1 }

  /// Returns the kind of the next value; in lenient mode every literal counts as a number.
  package mutating func kind() throws -> Kind {
    switch try next() {
    case 0x7b: return .object
    case 0x5b: return .array
    case 0x22: return .string
    case 0x74 where !isLenient: return .true_
    case 0x66 where !isLenient: return .false_
    case 0x6e where !isLenient: return .null
    case .some(let byte) where isLenient || byte == 0x2d || (0x30...0x39).contains(byte):
      return .number
    default: throw try expected("a value")
    }
  }

  /// Consumes `character` if it comes next; returns whether it did.
  private mutating func passes(_ character: UInt8) throws -> Bool {
    guard try next() == character else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ character: UInt8, _ what: String) throws {
    guard try passes(character) else { throw try expected(what) }
  }

  private mutating func enter() throws {
    let place = offset
    position += 1
    depth += 1
    guard depth <= depthLimit else {
      throw JSONFault(.depth, "arrays and objects are nested more than \(depthLimit) levels deep", at: place)
    }
  }

  /// Reads an object; `body` reads the value of each member.
  package mutating func object(
    _ body: (_ name: UnsafeRawBufferPointer, _ reader: inout JSONReader) throws -> Void
  ) throws {
    guard try next() == 0x7b else { throw try expected("an object") }
    try items(closedBy: 0x7d) { reader throws in
      guard reader.byte(reader.position) == 0x22 else {
        throw try reader.expected("a name in quotes, or “}”")
      }
      if let name = try reader.wholeString() {
        try reader.expect(0x3a, "“:” after a name")
        return try body(name, &reader)
      }
      // Names rarely have escapes.
      let name = try reader.escapedName()
      try reader.expect(0x3a, "“:” after a name")
      try name.withUnsafeBytes { try body($0, &reader) }
    }
  }

  /// Reads a list; `body` reads each of its values.
  package mutating func array(_ body: (_ reader: inout JSONReader) throws -> Void) throws {
    guard try next() == 0x5b else { throw try expected("a list") }
    try items(closedBy: 0x5d, body)
  }

  /// Calls `body` at the start of each item of the list or object that begins here.
  @inline(__always)
  private mutating func items(closedBy close: UInt8, _ body: (_ reader: inout JSONReader) throws -> Void) throws {
    try enter()
    // Whether an item was read without a comma after it; whether nothing was read yet.
    var (wantsComma, isFirst) = (false, true)
    while true {
      let byte = try next()
      if byte == close, wantsComma || isFirst || isLenient {
        position += 1
        break
      }
      if byte == 0x2c, wantsComma || isLenient {
        position += 1
        (wantsComma, isFirst) = (false, false)
        continue
      }
      guard byte != nil, !wantsComma else {
        let sign = "“\(Character(Unicode.Scalar(close)))”"
        throw try expected(byte == nil ? sign : "“,” or \(sign)")
      }
      try body(&self)
      (wantsComma, isFirst) = (true, false)
    }
    depth -= 1
  }

  /// Returns to `position`, that of a value of the current object, in a text in memory.
  package mutating func go(to position: Int) { self.position = position }

  /// Returns which of `names` comes first among the names of the next object; consumes nothing.
  package mutating func firstName(among names: [StaticString]) throws -> Int? {
    let from = (position, depth)
    defer { (position, depth) = from }
    guard try next() == 0x7b else { throw try expected("an object") }
    try enter()
    guard try !passes(0x7d) else { return nil }
    repeat {
      let name = try string()
      for (number, known) in names.enumerated() where known.utf8CodeUnitCount == name.count {
        if let bytes = name.baseAddress, memcmp(bytes, known.utf8Start, name.count) == 0 {
          return number
        }
      }
      try expect(0x3a, "“:” after a name")
      try skip()
    } while try passes(0x2c)
    try expect(0x7d, "“,” or “}”")
    return nil
  }

  /// Throws unless the text has ended.
  package mutating func finish() throws {
    guard try next() != nil else { return }
    throw JSONFault(.syntax, "unexpected data after the value", at: offset)
  }

  /// Skips any value; in strict mode a duplicate name in an object is a fault here too.
  package mutating func skip() throws {
    guard !isLenient else { return try skipUnread() }
    switch try kind() {
    case .object:
      var names = SeenNames()
      try object { name, reader in
        try names.insert(name)
        try reader.skip()
      }
    case .array: try array { reader in try reader.skip() }
    case .string: _ = try string()
    case .number: _ = try number()
    case .true_: try word("true")
    case .false_: try word("false")
    case .null: try word("null")
    }
  }

  /// Returns the fault for a missing `what` at the end.
  func expectedAtEnd(_ what: String) -> JSONFault {
    JSONFault(.syntax, "expected \(what), found the end", at: offset)
  }

  /// Returns the fault for a missing `what`.
  mutating func expected(_ what: String) throws -> JSONFault {
    _ = try has(12)
    let count = min(12, end - position)
    guard count > 0 else { return expectedAtEnd(what) }
    let found = String(decoding: window(count), as: UTF8.self).prefix { !$0.isWhitespace }
    return JSONFault(.syntax, "expected \(what)", at: offset, found: String(found.prefix(8)))
  }

  // MARK: Strings

  /// Reads a string of a text in memory; lends its bytes, valid UTF-8, until the next string is read.
  package mutating func string() throws -> UnsafeRawBufferPointer {
    guard try next() == 0x22 else { throw try expected("a string") }
    if let whole = try wholeString() { return whole }
    plain = try escapedString()
    // The array keeps its storage until the next string is unescaped.
    return plain.withUnsafeBytes { UnsafeRawBufferPointer(start: $0.baseAddress, count: $0.count) }
  }

  /// Reads a string of a text in memory.
  package mutating func text() throws -> String {
    String(decoding: try string(), as: UTF8.self)
  }

  /// Reads the string that starts with the next quote, if it is unescaped in a text in memory.
  ///
  /// Otherwise returns `nil` and consumes nothing.
  @inline(__always)
  private mutating func wholeString() throws -> UnsafeRawBufferPointer? {
    guard !isLenient else { return nil }
    let from = position + 1
    let (until, isASCII) = run(from: from)
    guard until < end, byte(until) == 0x22 else { return nil }
    let content = UnsafeRawBufferPointer(start: start + from, count: until - from)
    guard isASCII || content.isValidUTF8 else { throw noUTF8(from) }
    position = until + 1
    return content
  }

  private func noUTF8(_ place: Int) -> JSONFault {
    JSONFault(.syntax, "a string is not valid UTF-8", at: offset - Int64(position - place))
  }

  private mutating func escapedString() throws -> [UInt8] {
    let from = position + 1
    var bytes = plain
    plain = []
    bytes.removeAll(keepingCapacity: true)
    try string { bytes.append(contentsOf: $0) }
    guard bytes.withUnsafeBytes(\.isValidUTF8) else { throw noUTF8(from) }
    return bytes
  }

  private mutating func escapedName() throws -> [UInt8] {
    guard isLenient else { return try escapedString() }
    let place = offset
    var name: [UInt8] = []
    var byteCount = 0
    try string { piece in
      byteCount += piece.count
      if byteCount <= Self.nameLimit { name.append(contentsOf: piece) }
    }
    guard byteCount <= Self.nameLimit else {
      throw JSONFault(.memory, "a name is too long", at: place)
    }
    return name
  }

  /// Reads the string that starts with the next quote; passes on its unescaped bytes, a piece at a time.
  package mutating func string(_ take: (UnsafeRawBufferPointer) throws -> Void) throws {
    let place = offset
    position += 1
    while true {
      let count = run(from: position).until - position
      if count > 0 { try take(window(count)) }
      position += count
      guard try has(1) else {
        throw JSONFault(.syntax, "a string that begins here is not closed", at: place)
      }
      switch byte(position) {
      case 0x22: return position += 1
      case 0x5c: try escape(take)
      case let byte where !isLenient && byte < 0x20:
        throw JSONFault(.syntax, "unescaped control character in a string", at: offset)
      // More bytes were read into the buffer.
      default: break
      }
    }
  }

  /// Returns the end of the run of unescaped bytes from `place`, and whether all of them are ASCII.
  @inline(__always)
  private func run(from place: Int) -> (until: Int, isASCII: Bool) {
    let controls: UInt64 = isLenient ? 0 : .max
    var (place, seen) = (place, UInt64(0))
    while place + 8 <= end {
      let word = (start + place).loadUnaligned(as: UInt64.self)
      if JSONReader.isSpecial(word, controls) { break }
      seen |= word
      place += 8
    }
    while place < end {
      let byte = byte(place)
      if byte == 0x22 || byte == 0x5c || (byte < 0x20 && controls != 0) { break }
      seen |= UInt64(byte)
      place += 1
    }
    return (place, seen & 0x8080_8080_8080_8080 == 0)
  }

  /// Returns whether one of eight bytes is a quote, a backslash or a relevant control character.
  @inline(__always)
  private static func isSpecial(_ word: UInt64, _ controls: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5c)
    let control = (word &- (ones &* 0x20)) & ~word & controls
    let found = ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | control
    return found & 0x8080_8080_8080_8080 != 0
  }
}
