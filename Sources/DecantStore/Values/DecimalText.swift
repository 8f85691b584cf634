package import DecantSQLite

/// Conversion between numbers and decimal digits.
package enum DecimalText {
  /// Returns the shortest digits that identify `number`.
  package static func text(of number: Double) -> String {
    // SQLite's own text for infinity.
    guard number.isFinite else { return number < 0 ? "-9e999" : "9e999" }
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Returns the number in `text` as SQLite stores it in a numeric column; `nil` if SQLite would not convert the text.
  ///
  /// It is an integer if the number is whole and fits, otherwise a floating-point number.
  package static func number(in text: String) -> Binding? {
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0a, 0x0b, 0x0c, 0x0d]
    let start = text.utf8.drop { blanks.contains($0) }
    let digits = start.prefix(start.count - start.reversed().prefix { blanks.contains($0) }.count)
    guard let first = digits.first, digits.allSatisfy(\.isPartOfNumber) else { return nil }
    let unsigned = first == 0x2b || first == 0x2d ? digits.dropFirst() : digits
    guard let second = unsigned.first, second != 0x2b, second != 0x2d else { return nil }
    let plain = String(decoding: first == 0x2b ? unsigned : digits, as: UTF8.self)
    if let integer = Int64(plain) { return .integer(integer) }
    guard let real = Double(plain) else { return nil }
    // As in SQLite: a whole number becomes an integer, except for the extreme values.
    if let integer = Int64(exactly: real), integer > Int64.min, integer < Int64.max {
      return .integer(integer)
    }
    return .real(real)
  }
}

extension UInt8 {
  /// Whether it may occur in a number: a digit, a point, a sign, or an exponent mark.
  fileprivate var isPartOfNumber: Bool {
    (0x30...0x39).contains(self) || [0x2e, 0x2b, 0x2d, 0x45, 0x65].contains(self)
  }
}
