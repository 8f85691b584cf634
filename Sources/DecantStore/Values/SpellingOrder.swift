internal import DecantSQLite
internal import DecantSystem

/// The order of values that are read from a server as texts: that of the server, not that of texts.
///
/// Another spelling of a value has the same place. A text that is no value follows all numbers; among days, times and
/// UUIDs it has its place as a text.
enum SpellingOrder {
  /// The types whose values are texts, and are ordered or written in several ways.
  private static let kinds: [ValueSpelling.Kind] = [.numeric, .date, .time, .timestamp, .timestamptz, .uuid]

  /// Returns the name of the collation for values of a type; `nil` if they are compared by themselves.
  static func collation(of kind: ValueSpelling.Kind) -> String? {
    kinds.contains(kind) ? "server_\(kind.rawValue)" : nil
  }

  /// Registers the collations on `connection`.
  static func register(on connection: Connection) throws(SQLiteError) {
    for kind in kinds {
      guard let name = collation(of: kind) else { continue }
      try connection.addCollation(name) { compare($0, $1, as: kind) }
    }
  }

  private static func compare(
    _ one: UnsafeRawBufferPointer,
    _ other: UnsafeRawBufferPointer,
    as kind: ValueSpelling.Kind
  ) -> Int {
    let spelling = ValueSpelling(kind)
    let areOwn = OwnSpelling.holds(one, spelling) && OwnSpelling.holds(other, spelling)
    guard !areOwn else { return kind == .numeric ? numbers(one, other) : texts(one, other) }
    let (first, second) = (place(of: one, spelling), place(of: other, spelling))
    guard (first.era, first.year) == (second.era, second.year) else {
      return (first.era, first.year) < (second.era, second.year) ? -1 : 1
    }
    return first.text.withUnsafeBytes { one in
      second.text.withUnsafeBytes { other in
        kind == .numeric && first.era == 0 ? numbers(one, other) : texts(one, other)
      }
    }
  }

  private typealias Place = (era: Int, year: Int, text: [UInt8])

  /// Returns the place of a text among all: values that the texts of others do not order have another `era` or `year`.
  private static func place(of bytes: UnsafeRawBufferPointer, _ spelling: ValueSpelling) -> Place {
    guard case .text(let text)? = spelling.respelled(.text(String(decoding: bytes, as: UTF8.self))) else {
      return (spelling.kind == .numeric ? 3 : 0, 0, Array(bytes))
    }
    switch text {
    case "-infinity", "-Infinity": return (-2, 0, [])
    case "infinity", "Infinity": return (2, 0, [])
    case "NaN": return (2, 1, [])
    default: break
    }
    guard spelling.kind != .numeric, spelling.kind != .uuid else { return (0, 0, Array(text.utf8)) }
    let year = text.utf8.prefix { $0 != UInt8(ascii: "-") }
    if text.hasSuffix(" BC") { return (-1, -(Int(String(year) ?? "") ?? 0), Array(text.utf8)) }
    return year.count > 4 && text.utf8.count > year.count
      ? (1, Int(String(year) ?? "") ?? 0, Array(text.utf8)) : (0, 0, Array(text.utf8))
  }

  private static func texts(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
    for (first, second) in zip(one, other) where first != second { return Int(first) - Int(second) }
    return one.count - other.count
  }

  /// Compares decimal digits without exponents and without zeros at the beginning.
  private static func numbers(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
    let minus = UInt8(ascii: "-")
    switch (one.first == minus, other.first == minus) {
    case (true, true): return sizes(other.dropFirst(), one.dropFirst())
    case (true, false): return -1
    case (false, true): return 1
    case (false, false): return sizes(one[...], other[...])
    }
  }

  private static func sizes(_ one: Slice<UnsafeRawBufferPointer>, _ other: Slice<UnsafeRawBufferPointer>) -> Int {
    let point = UInt8(ascii: ".")
    let (first, second) = (one.prefix { $0 != point }, other.prefix { $0 != point })
    guard first.count == second.count else { return first.count - second.count }
    for (digit, otherDigit) in zip(one, other) where digit != otherDigit { return Int(digit) - Int(otherDigit) }
    func isZero(_ rest: Slice<UnsafeRawBufferPointer>) -> Bool { rest.allSatisfy { $0 == 48 || $0 == point } }
    if one.count > other.count { return isZero(one.dropFirst(other.count)) ? 0 : 1 }
    return isZero(other.dropFirst(one.count)) ? 0 : -1
  }
}
