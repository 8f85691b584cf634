internal import DecantSystem

/// The test whether a text already is in a server's spelling, which most are: it makes no copies.
///
/// It may be false for a text that is, but never true for another one.
struct OwnSpelling {
  private let bytes: UnsafeRawBufferPointer
  private let isTrimmed: Bool
  private var place = 0

  private init(_ bytes: UnsafeRawBufferPointer, isTrimmed: Bool) { (self.bytes, self.isTrimmed) = (bytes, isTrimmed) }

  /// Whether the bytes of a text are in the spelling.
  static func holds(_ bytes: UnsafeRawBufferPointer, _ spelling: ValueSpelling) -> Bool {
    var text = OwnSpelling(bytes, isTrimmed: spelling.isTrimmed)
    let isOwn =
      switch spelling.kind {
      case .uuid: text.uuid()
      case .date: text.day()
      case .time: text.time(spelling.scale)
      case .timestamp: text.day() && text.take(" ") && text.time(spelling.scale)
      case .timestamptz:
        text.day() && text.take("T") && text.clock() && text.take(".") && text.digits(6)
          && text.endsInZeros(from: spelling.scale) && text.take("Z")
      case .numeric: text.number(spelling.scale)
      case .jsonb: text.json(0) && bytes.isValidUTF8
      case .text, .bpchar: text.characters(spelling.scale) && (spelling.kind == .text || bytes.last != 0x20)
      case .smallint, .integer, .bigint, .boolean, .double, .real, .bytea, .asked: false
      }
    return isOwn && text.place == bytes.count
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }
  private var nextIsDigit: Bool { next.map { (48...57).contains($0) } ?? false }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  /// Reads all characters of valid UTF-8, unless there are more than `limit`.
  private mutating func characters(_ limit: Int?) -> Bool {
    place = bytes.count
    guard bytes.isValidUTF8, !bytes.contains(0) else { return false }
    guard let limit, bytes.count > limit else { return true }
    return bytes.count(where: { $0 & 0xc0 != 0x80 }) <= limit
  }

  private mutating func digits(_ count: Int) -> Bool {
    for _ in 0..<count {
      guard nextIsDigit else { return false }
      place += 1
    }
    return true
  }

  /// Reads two digits of a number in a range.
  private mutating func pair(_ range: ClosedRange<UInt8>) -> Bool {
    guard digits(2) else { return false }
    return range.contains((bytes[place - 2] - 48) * 10 + bytes[place - 1] - 48)
  }

  /// Returns whether the six digits before `place`, a fraction of a second, are zeros from `position` on.
  private func endsInZeros(from position: Int?) -> Bool {
    guard let position, position < 6 else { return true }
    return bytes[(place - 6 + position)..<place].allSatisfy { $0 == 48 }
  }

  private mutating func uuid() -> Bool {
    guard bytes.count == 36 else { return false }
    while let byte = next {
      let isMark = place == 8 || place == 13 || place == 18 || place == 23
      let isDigit = (48...57).contains(byte) || (97...102).contains(byte)
      guard isMark ? byte == UInt8(ascii: "-") : isDigit else { return false }
      place += 1
    }
    return true
  }

  /// Reads a day that every month has.
  private mutating func day() -> Bool {
    guard digits(4), bytes[0] != 48 || bytes[1] != 48 || bytes[2] != 48 || bytes[3] != 48 else { return false }
    return take("-") && pair(1...12) && take("-") && pair(1...28)
  }

  private mutating func clock() -> Bool { pair(0...23) && take(":") && pair(0...59) && take(":") && pair(0...59) }

  private mutating func time(_ precision: Int?) -> Bool {
    guard clock() else { return false }
    guard take(".") else { return true }
    let start = place
    while nextIsDigit { place += 1 }
    return place > start && place - start <= min(6, precision ?? 6) && bytes[place - 1] != 48
  }

  private mutating func number(_ scale: Int?) -> Bool {
    let isNegative = take("-")
    let start = place
    while nextIsDigit { place += 1 }
    guard place > start, place == start + 1 || bytes[start] != 48 else { return false }
    var shown = 0
    if take(".") {
      let point = place
      while nextIsDigit { place += 1 }
      shown = place - point
      guard shown > 0, !isTrimmed || bytes[place - 1] != 48 else { return false }
    }
    guard scale.map({ isTrimmed ? shown <= $0 : shown == $0 }) ?? true else { return false }
    return !isNegative || bytes[start..<place].contains { (49...57).contains($0) }
  }

  /// Reads JSON whose strings have no escapes.
  private mutating func json(_ depth: Int) -> Bool {
    guard depth < 100 else { return false }
    switch next {
    case UInt8(ascii: "{"): return object(depth)
    case UInt8(ascii: "["): return array(depth)
    case UInt8(ascii: "\""): return string() != nil
    case UInt8(ascii: "t"): return word("true")
    case UInt8(ascii: "f"): return word("false")
    case UInt8(ascii: "n"): return word("null")
    default: return number(nil)
    }
  }

  private mutating func word(_ word: StaticString) -> Bool {
    let end = place + word.utf8CodeUnitCount
    guard end <= bytes.count else { return false }
    for offset in 0..<word.utf8CodeUnitCount where bytes[place + offset] != word.utf8Start[offset] { return false }
    place = end
    return true
  }

  /// Returns the range of a string without its quotes.
  private mutating func string() -> Range<Int>? {
    guard take("\"") else { return nil }
    let start = place
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20, byte != UInt8(ascii: "\\") else { return nil }
      place += 1
    }
    return take("\"") ? start..<(place - 1) : nil
  }

  private mutating func array(_ depth: Int) -> Bool {
    place += 1
    if take("]") { return true }
    repeat {
      guard json(depth + 1) else { return false }
      if take("]") { return true }
    } while take(",") && take(" ")
    return false
  }

  private mutating func object(_ depth: Int) -> Bool {
    place += 1
    if take("}") { return true }
    var last: Range<Int>?
    repeat {
      guard let name = string(), last.map({ precedes($0, name) }) ?? true, take(":"), take(" "), json(depth + 1)
      else { return false }
      last = name
      if take("}") { return true }
    } while take(",") && take(" ")
    return false
  }

  private func precedes(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
    one.count == other.count
      ? bytes[one].lexicographicallyPrecedes(bytes[other]) : one.count < other.count
  }
}
