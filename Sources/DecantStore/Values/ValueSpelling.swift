package import DecantBase
package import DecantSQLite
internal import DecantSystem

/// The spelling in which a server shows the values of a type.
///
/// Other spellings of the same value are written and compared as this one: `2024-01-05 08:00:00` and
/// `2024-01-05T08:00:00Z` are one point in time, and upper-case digits the same UUID.
package struct ValueSpelling: Sendable, Hashable, CustomStringConvertible {
  /// The types.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case smallint, integer, bigint, boolean, real, double, numeric, text, bytea, date, time, timestamp, timestamptz
    case bpchar, uuid, jsonb
    /// A type whose values only the server can spell.
    case asked
  }

  package let kind: Kind
  /// The type, if the server is asked for its spellings.
  let asked: AskedType?
  /// The greatest number of digits after the point, or of characters.
  ///
  /// Of a `numeric` or a text; `nil` for any number. Of the seconds of a time or point in time; `nil` for six.
  package let scale: Int?
  /// For `numeric` and `jsonb`: whether zeros after the point are left out, so that equal numbers are equal texts.
  package let isTrimmed: Bool

  package init(_ kind: Kind, scale: Int? = nil, isTrimmed: Bool = false) {
    (self.kind, self.scale, self.isTrimmed, asked) = (kind, scale, isTrimmed, nil)
  }

  /// The spelling of a type for which the server is asked.
  package init(asking type: AskedType) { (kind, scale, isTrimmed, asked) = (.asked, nil, false, type) }

  /// The name of the type.
  package var typeName: String { asked?.name ?? kind.rawValue }

  /// The spelling as a text that `init(_:)` parses.
  package var description: String {
    if let asked { return "\(kind.rawValue) \(asked.number)" }
    return ([kind.rawValue] + [isTrimmed ? "trimmed" : nil, scale.map(String.init)].compactMap(\.self)).joined(
      separator: " ")
  }

  /// Parses the text of a spelling; `nil` for any other text.
  package init?(_ description: String) {
    let parts = description.split(separator: " ").map(String.init)
    guard let first = parts.first, let kind = Kind(rawValue: first) else { return nil }
    guard kind != .asked else {
      guard let type = parts.last.flatMap({ Int($0) }).flatMap(AskedType.find) else { return nil }
      self.init(asking: type)
      return
    }
    self.init(kind, scale: parts.last.flatMap { Int($0) }, isTrimmed: parts.contains("trimmed"))
  }

  /// Whether a value of the type has other spellings.
  var hasOthers: Bool { kind != .text && kind != .bytea }

  /// The spelling in which values are compared: the server keeps zeros at the ends of numbers, but 1.50 equals 1.5.
  var compared: ValueSpelling {
    kind == .numeric && scale == nil || kind == .jsonb ? ValueSpelling(kind, isTrimmed: true) : self
  }

  /// The collation by which the values, read as texts, are compared as on the server; `nil` for values that SQLite
  /// compares so itself.
  package var collation: String? { SpellingOrder.collation(of: kind) }

  /// The type of values that SQLite distinguishes itself; `nil` for texts.
  var strictType: StrictType? {
    switch kind {
    case .smallint: .integer16
    case .integer: .integer32
    case .bigint: .integer64
    case .boolean: .boolean
    case .double: .double
    case .text, .bpchar: .text
    case .bytea: .bytes
    case .real, .numeric, .date, .time, .timestamp, .timestamptz, .uuid, .jsonb, .asked: nil
    }
  }

  /// Whether only the server can spell the values.
  package var isAsked: Bool { asked != nil }

  /// Asks the server for the texts that a query returns, before they are needed; see `AskedType.learn`.
  package func learn(from query: String, on connection: Connection) throws(DecantError) {
    try asked?.learn(from: query, on: connection)
  }

  /// Returns the value in this spelling; `nil` if it is not one of this type.
  package func respelled(_ value: Binding) -> Binding? {
    if value == .null { return value }
    switch (kind, value) {
    case (.smallint, _), (.integer, _), (.bigint, _), (.double, _), (.boolean, _):
      guard let number = number(value), strictType?.holds(number) == true else { return nil }
      return number
    case (.real, _): return number(value).flatMap { ValueSpelling.real($0) }
    case (.bpchar, .text(let text)):
      // Blanks at the end are no part of the value.
      let kept = text.utf8.count - text.utf8.reversed().prefix { $0 == 0x20 }.count
      return fitting(.text(String(decoding: text.utf8.prefix(kept), as: UTF8.self)))
    case (.text, _), (.bpchar, _), (.bytea, _): return fitting(value)
    case (.numeric, .integer(let number)): return digits(String(number))
    case (.numeric, .real(let number)): return number.isFinite ? digits(DecimalText.text(of: number)) : nil
    case (.numeric, .text(let text)): return digits(text)
    case (.uuid, .blob(let bytes)): return bytes.count == 16 ? .text(bytes.uuidText.lowercased()) : nil
    case (.uuid, .text(let text)): return ValueSpelling.uuid(text).map { .text($0) }
    case (.jsonb, .integer(let number)): return .text(String(number))
    case (.jsonb, .real(let number)):
      let text = NumericSpelling.text(of: DecimalText.text(of: number), isTrimmed: isTrimmed)
      return number.isFinite ? text.map { .text($0) } : nil
    case (.jsonb, .text(let text)): return JSONSpelling.text(of: text, isTrimmed: isTrimmed).map { .text($0) }
    case (.date, .text(let text)), (.time, .text(let text)), (.timestamp, .text(let text)),
      (.timestamptz, .text(let text)):
      return MomentSpelling.text(of: text, kind, precision: scale).map { .text($0) }
    case (.asked, _):
      guard case .value(let spelling)? = try? asked?.reading(of: value) else { return nil }
      return .text(spelling)
    default: return nil
    }
  }

  /// Returns a text or bytes, if the type holds them; `nil` for a text with too many characters.
  private func fitting(_ value: Binding) -> Binding? {
    guard strictType?.holds(value) == true else { return nil }
    guard let scale, case .text(let text) = value else { return value }
    return text.unicodeScalars.count <= scale ? value : nil
  }

  /// Returns why a value cannot be written in this spelling, as the end of a sentence.
  func fault(of value: Binding) -> String {
    let isNumber = kind == .real && number(value) != nil
    if isNumber { return "has more digits than the type real keeps" }
    guard let scale, ValueSpelling(kind, isTrimmed: isTrimmed).respelled(value) != nil else {
      return "is not a value of the type \(kind.rawValue)"
    }
    switch kind {
    case .text, .bpchar: return "has more characters than the \(scale) of its column"
    case .numeric: return "has more digits after the point than the \(scale) of its type numeric"
    default: return "has more digits of a second than the \(scale) of its type \(kind.rawValue)"
    }
  }

  /// Returns the number that a value denotes; an integer where the type has only integers.
  private func number(_ value: Binding) -> Binding? {
    switch value {
    case .integer: return value
    case .real(let real):
      guard kind != .double, kind != .real else { return value }
      return Int64(exactly: real).map { .integer($0) }
    case .text(let text):
      if kind == .boolean {
        let text = text.lowercased()
        if ["t", "true", "y", "yes", "on"].contains(text) { return .integer(1) }
        if ["f", "false", "n", "no", "off"].contains(text) { return .integer(0) }
      }
      return kind == .double || kind == .real
        ? ValueSpelling.double(text)
        : NumericSpelling.text(of: text, scale: 0).flatMap { Int64($0) }.map { .integer($0) }
    case .null, .utf8, .blob: return nil
    }
  }

  /// Returns a number as the server shows it in a column of 32 bits; `nil` if that does not keep it.
  private static func real(_ number: Binding) -> Binding? {
    switch number {
    case .integer(let integer): real(Double(integer)).flatMap { $0 == Double(integer) ? number : nil }
    case .real(let real): ValueSpelling.real(real).map { .real($0) }
    default: nil
    }
  }

  private static func real(_ number: Double) -> Double? {
    let kept = Float(number)
    guard kept.isFinite, let shortest = Double("\(kept)") else { return nil }
    let neighbours = [kept.nextUp, kept.nextDown].filter(\.isFinite)
    // The server shows more digits where the shortest ones are halfway to the next number.
    let isHalfway = neighbours.contains { shortest == (Double($0) + Double(kept)) / 2 }
    let shown = isHalfway ? digits(of: kept) : shortest
    return number == shown || number == shortest || number == Double(kept) ? shown : nil
  }

  /// Returns the fewest digits that are nearer to `number` than to its neighbours.
  private static func digits(of number: Float) -> Double {
    let (value, exponent) = (Double(number), Int(log10(abs(Double(number))).rounded(.down)))
    for count in 6...9 {
      let scale = exponent - count + 1
      guard let digits = Int64(exactly: (value / pow(10, Double(scale))).rounded()),
        let shown = Double("\(digits)e\(scale)"), Float(shown) == number
      else { continue }
      let isHalfway = [number.nextUp, number.nextDown].contains { shown == (Double($0) + value) / 2 }
      if !isHalfway { return shown }
    }
    return value
  }

  /// Returns the number in a text; `nil` if a floating-point number would not keep it: a whole number must be exact, and
  /// another one may have 17 digits, as many as programs write.
  private static func double(_ text: String) -> Binding? {
    if let whole = NumericSpelling.text(of: text, scale: 0).flatMap({ Int64($0) }) { return .integer(whole) }
    guard let number = DecimalText.number(in: text), case .real(let real) = number, real.isFinite,
      let digits = NumericSpelling.text(of: text, isTrimmed: true)
    else { return nil }
    let significant = digits.utf8.filter { (48...57).contains($0) }.drop { $0 == 48 }.count
    let isShort = digits.contains(".") && significant <= 17 && real.isNormal
    return isShort || NumericSpelling.text(of: DecimalText.text(of: real), isTrimmed: true) == digits ? number : nil
  }

  private func digits(_ text: String) -> Binding? {
    NumericSpelling.text(of: text, scale: scale, isTrimmed: isTrimmed).map { .text($0) }
  }

  /// Reads a UUID with or without hyphens and braces.
  private static func uuid(_ text: String) -> String? {
    var digits = Substring(text)
    if digits.hasPrefix("{"), digits.hasSuffix("}") { digits = digits.dropFirst().dropLast() }
    let plain = digits.utf8.filter { $0 != UInt8(ascii: "-") }
    guard plain.count == 32 else { return nil }
    let marks = [8, 12, 16, 20]
    var text = ""
    for (place, digit) in plain.enumerated() {
      if marks.contains(place) { text += "-" }
      text.unicodeScalars.append(Unicode.Scalar(digit))
    }
    // In any grouping of four.
    let groups = digits.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.allSatisfy({ !$0.isEmpty && $0.utf8.count.isMultiple(of: 4) }) else { return nil }
    return [UInt8](uuidText: text).map { $0.uuidText.lowercased() }
  }
}
