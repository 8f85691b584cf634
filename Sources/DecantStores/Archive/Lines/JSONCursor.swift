internal import Glibc

/// Reads one line of JSON (RFC 8259) from its beginning to its end, without making objects of it.
///
/// Strict: what is no JSON, no UTF-8 or too deep is a fault, wherever it stands. What it lends is gone
/// with the next string it reads.
struct JSONCursor: ~Copyable {
  /// How deep objects and lists may lie in one another.
  private let depthLimit: Int
  private let start: UnsafeRawPointer
  private let end: Int
  private(set) var position = 0
  private var depth = 0
  /// A string without its escapes.
  private var plain: [UInt8] = []

  /// Begins before `line`, which must outlive the value.
  ///
  /// - Parameters:
  ///   - line: The line, without the byte that ends it.
  ///   - empty: Any address, for a line of no bytes.
  ///   - depthLimit: How deep objects and lists may lie in one another.
  init(_ line: UnsafeRawBufferPointer, _ empty: UnsafeRawPointer, depthLimit: Int) {
    self.depthLimit = depthLimit
    start = line.baseAddress ?? empty
    end = line.count
  }

  /// What a value is, by its first byte.
  enum Kind {
    case object, array, string, number, true_, false_, null
  }

  /// A number as it is written: without a fraction and an exponent it is an integer.
  enum Number {
    case integer(Int64)
    case real(Double)
  }

  @inline(__always)
  private func byte(_ place: Int) -> UInt8 { start.load(fromByteOffset: place, as: UInt8.self) }

  private mutating func skipBlanks() {
    while position < end {
      let byte = byte(position)
      guard byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d else { return }
      position += 1
    }
  }

  /// The kind of the value that comes next.
  mutating func kind() throws(ArchiveFault) -> Kind {
    skipBlanks()
    guard position < end else { throw ArchiveFault("the line ends in the middle of a value") }
    switch byte(position) {
    case 0x7b: return .object
    case 0x5b: return .array
    case 0x22: return .string
    case 0x2d, 0x30...0x39: return .number
    case 0x74: return .true_
    case 0x66: return .false_
    case 0x6e: return .null
    default: throw ArchiveFault("there is no JSON value at byte \(position)")
    }
  }

  private mutating func expect(_ character: UInt8, _ what: String) throws(ArchiveFault) {
    skipBlanks()
    guard position < end, byte(position) == character else {
      throw ArchiveFault("\(what) is missing at byte \(position)")
    }
    position += 1
  }

  /// Whether `character` comes next; then it is passed.
  private mutating func passes(_ character: UInt8) -> Bool {
    skipBlanks()
    guard position < end, byte(position) == character else { return false }
    position += 1
    return true
  }

  private mutating func enter() throws(ArchiveFault) {
    depth += 1
    guard depth <= depthLimit else {
      throw ArchiveFault(
        "its values lie more than \(depthLimit) deep in one another",
        remedy: "if you trust the file, allow more: --max-depth"
      )
    }
  }

  /// Reads an object; `body` reads the value of each member.
  mutating func object(
    _ body: (_ key: UnsafeRawBufferPointer, _ cursor: inout JSONCursor) throws(ArchiveFault) -> Void
  ) throws(ArchiveFault) {
    try expect(0x7b, "an object")
    try enter()
    defer { depth -= 1 }
    guard !passes(0x7d) else { return }
    repeat {
      guard try kind() == .string else {
        throw ArchiveFault("a name is missing at byte \(position)")
      }
      let (from, count, isPlain) = try scanString()
      if isPlain {
        let key = UnsafeRawBufferPointer(start: start + from, count: count)
        try expect(0x3a, "a colon")
        try body(key, &self)
      } else {
        try unescape(from, count)
        let key = plain
        try expect(0x3a, "a colon")
        // Names are hardly ever written with escapes.
        let result = key.withUnsafeBytes { key in
          Result { () throws(ArchiveFault) in try body(key, &self) }
        }
        try result.get()
      }
    } while passes(0x2c)
    try expect(0x7d, "the end of an object")
  }

  /// Reads a list; `body` reads each of its values.
  mutating func array(
    _ body: (_ cursor: inout JSONCursor) throws(ArchiveFault) -> Void
  ) throws(ArchiveFault) {
    try expect(0x5b, "a list")
    try enter()
    defer { depth -= 1 }
    guard !passes(0x5d) else { return }
    repeat { try body(&self) } while passes(0x2c)
    try expect(0x5d, "the end of a list")
  }

  /// Reads a string and lends its bytes, valid UTF-8, until the next string is read.
  mutating func string() throws(ArchiveFault) -> UnsafeRawBufferPointer {
    skipBlanks()
    guard position < end, byte(position) == 0x22 else {
      throw ArchiveFault("a string is missing at byte \(position)")
    }
    let (from, count, isPlain) = try scanString()
    if isPlain { return UnsafeRawBufferPointer(start: start + from, count: count) }
    try unescape(from, count)
    // The array keeps its memory until the next string is unescaped.
    return plain.withUnsafeBytes { UnsafeRawBufferPointer(start: $0.baseAddress, count: $0.count) }
  }

  /// Reads a string.
  mutating func text() throws(ArchiveFault) -> String {
    String(decoding: try string(), as: UTF8.self)
  }

  /// Passes a string; returns where its content lies, and whether that has no escapes.
  private mutating func scanString() throws(ArchiveFault) -> (from: Int, count: Int, isPlain: Bool)
  {
    let from = position + 1
    var place = from
    var isPlain = true
    var isASCII = true
    while true {
      while place + 8 <= end {
        let word = (start + place).loadUnaligned(as: UInt64.self)
        if JSONCursor.isSpecial(word) { break }
        if word & 0x8080_8080_8080_8080 != 0 { isASCII = false }
        place += 8
      }
      guard place < end else { throw ArchiveFault("the line ends in the middle of a text") }
      let byte = byte(place)
      if byte == 0x22 { break }
      if byte == 0x5c {
        isPlain = false
        place += 2
        continue
      }
      guard byte >= 0x20 else {
        throw ArchiveFault("a control character stands in a text at byte \(place)")
      }
      if byte >= 0x80 { isASCII = false }
      place += 1
    }
    position = place + 1
    let content = UnsafeRawBufferPointer(start: start + from, count: place - from)
    guard isASCII || UTF8Check.isValid(content) else {
      throw ArchiveFault("a text is not UTF-8, at byte \(from)")
    }
    return (from, place - from, isPlain)
  }

  /// Whether one of eight bytes is a quote, a backslash or a control character.
  @inline(__always)
  private static func isSpecial(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5c)
    let control = (word &- (ones &* 0x20)) & ~word
    let found = ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | control
    return found & 0x8080_8080_8080_8080 != 0
  }

  private mutating func unescape(_ from: Int, _ count: Int) throws(ArchiveFault) {
    plain.removeAll(keepingCapacity: true)
    plain.reserveCapacity(count)
    let until = from + count
    var place = from
    while place < until {
      let next = byte(place)
      guard next == 0x5c else {
        var stop = place + 1
        while stop < until, byte(stop) != 0x5c { stop += 1 }
        plain.append(
          contentsOf: UnsafeRawBufferPointer(start: start + place, count: stop - place)
        )
        place = stop
        continue
      }
      guard place + 1 < until else { throw ArchiveFault("a text ends in an escape") }
      let letter = byte(place + 1)
      place += 2
      switch letter {
      case 0x22, 0x5c, 0x2f: plain.append(letter)
      case 0x62: plain.append(0x08)
      case 0x66: plain.append(0x0c)
      case 0x6e: plain.append(0x0a)
      case 0x72: plain.append(0x0d)
      case 0x74: plain.append(0x09)
      case 0x75: place = try unescapeUnit(at: place, until)
      default: throw ArchiveFault("there is no escape of this kind, at byte \(place - 1)")
      }
    }
  }

  /// Takes in the four digits at `place`, and those of the second half of a pair.
  private mutating func unescapeUnit(at place: Int, _ until: Int) throws(ArchiveFault) -> Int {
    let first = try unit(at: place, until)
    guard (0xd800...0xdfff).contains(first) else {
      append(UInt32(first))
      return place + 4
    }
    guard first < 0xdc00, place + 6 <= until, byte(place + 4) == 0x5c, byte(place + 5) == 0x75,
      case let second = try unit(at: place + 6, until), (0xdc00...0xdfff).contains(second)
    else { throw ArchiveFault("half a surrogate pair stands in a text at byte \(place)") }
    append(0x1_0000 + (UInt32(first) - 0xd800) << 10 + UInt32(second) - 0xdc00)
    return place + 10
  }

  private func unit(at place: Int, _ until: Int) throws(ArchiveFault) -> UInt16 {
    guard place + 4 <= until else { throw ArchiveFault("a text ends in an escape") }
    var unit: UInt16 = 0
    for offset in 0..<4 {
      let digit = byte(place + offset)
      let value: UInt8
      switch digit {
      case 0x30...0x39: value = digit - 0x30
      case 0x41...0x46: value = digit - 0x37
      case 0x61...0x66: value = digit - 0x57
      default: throw ArchiveFault("an escape has no four digits, at byte \(place)")
      }
      unit = unit << 4 | UInt16(value)
    }
    return unit
  }

  private mutating func append(_ scalar: UInt32) {
    guard let scalar = Unicode.Scalar(scalar) else { return }
    plain.append(contentsOf: Array(String(scalar).utf8))
  }

  /// Reads a number; one that fits no 64 bits is a fault.
  mutating func number() throws(ArchiveFault) -> Number {
    skipBlanks()
    let from = position
    var isInteger = true
    func isDigit(_ place: Int) -> Bool { place < end && (0x30...0x39).contains(byte(place)) }
    if position < end, byte(position) == 0x2d { position += 1 }
    guard isDigit(position) else { throw ArchiveFault("a number is missing at byte \(from)") }
    if byte(position) == 0x30 { position += 1 } else { while isDigit(position) { position += 1 } }
    if position < end, byte(position) == 0x2e {
      isInteger = false
      position += 1
      guard isDigit(position) else { throw ArchiveFault("a number is cut off at byte \(from)") }
      while isDigit(position) { position += 1 }
    }
    if position < end, byte(position) | 0x20 == 0x65 {
      isInteger = false
      position += 1
      if position < end, byte(position) == 0x2b || byte(position) == 0x2d { position += 1 }
      guard isDigit(position) else { throw ArchiveFault("a number is cut off at byte \(from)") }
      while isDigit(position) { position += 1 }
    }
    let digits = UnsafeRawBufferPointer(start: start + from, count: position - from)
    if isInteger {
      guard let integer = JSONCursor.integer(digits) else {
        throw ArchiveFault("an integer has more than 64 bits, at byte \(from)")
      }
      return .integer(integer)
    }
    guard digits.count < 1024, let real = Double(String(decoding: digits, as: UTF8.self)),
      real.isFinite
    else { throw ArchiveFault("a number is too large or too long, at byte \(from)") }
    return .real(real)
  }

  /// The integer that `digits` say, without blanks; `nil` where it has more than 64 bits.
  static func integer(_ digits: UnsafeRawBufferPointer) -> Int64? {
    let isNegative = digits.first == 0x2d
    var value: UInt64 = 0
    let from = isNegative ? 1 : 0
    guard digits.count > from, digits.count <= 20 + from else { return nil }
    for digit in digits[from...] {
      guard (0x30...0x39).contains(digit) else { return nil }
      let (tens, first) = value.multipliedReportingOverflow(by: 10)
      let (sum, second) = tens.addingReportingOverflow(UInt64(digit - 0x30))
      guard !first, !second else { return nil }
      value = sum
    }
    if !isNegative { return Int64(exactly: value) }
    return value <= UInt64(Int64.max) + 1 ? Int64(truncatingIfNeeded: 0 &- value) : nil
  }

  /// Reads an integer; `name` is what a fault calls it.
  mutating func integer(_ name: StaticString) throws(ArchiveFault) -> Int64 {
    guard try kind() == .number, case .integer(let integer) = try number() else {
      throw ArchiveFault("“\(name)” is no integer")
    }
    return integer
  }

  /// Goes back to `position`, which was that of a value of the object at hand.
  mutating func go(to position: Int) { self.position = position }

  /// What the line's object is, by the first of its names that tells; nothing is passed.
  mutating func lineKind() throws(ArchiveFault) -> LineKind {
    let from = position
    defer {
      position = from
      depth = 0
    }
    try expect(0x7b, "an object")
    try enter()
    guard !passes(0x7d) else { return .other }
    repeat {
      let name = try string()
      if name.count == 1, name[0] == 0x65 { return .object }
      if name.elementsEqual("blob".utf8) { return .blob }
      if name.elementsEqual("end".utf8) { return .end }
      try expect(0x3a, "a colon")
      try skip()
    } while passes(0x2c)
    try expect(0x7d, "the end of an object")
    return .other
  }

  /// What a line may be.
  enum LineKind {
    case object, blob, end, other
  }

  /// Passes one of the three words.
  mutating func word(_ word: StaticString) throws(ArchiveFault) {
    skipBlanks()
    let count = word.utf8CodeUnitCount
    guard position + count <= end, memcmp(start + position, word.utf8Start, count) == 0 else {
      throw ArchiveFault("there is no JSON value at byte \(position)")
    }
    position += count
  }

  /// Passes a value, whatever it is; a name that comes twice in one object is a fault here too.
  mutating func skip() throws(ArchiveFault) {
    switch try kind() {
    case .object:
      var names = SeenNames()
      try object { (name, cursor) throws(ArchiveFault) in
        try names.insert(name)
        try cursor.skip()
      }
    case .array: try array { cursor throws(ArchiveFault) in try cursor.skip() }
    case .string:
      let (from, count, isPlain) = try scanString()
      if !isPlain { try unescape(from, count) }
    case .number: _ = try number()
    case .true_: try word("true")
    case .false_: try word("false")
    case .null: try word("null")
    }
  }

  /// Throws unless the line is at its end.
  mutating func finish() throws(ArchiveFault) {
    skipBlanks()
    guard position == end else {
      throw ArchiveFault("the line goes on after its value, at byte \(position)")
    }
  }
}
