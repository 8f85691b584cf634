/// Decimal numbers as a server's type `numeric` shows them: with all digits, and without exponents.
enum NumericSpelling {
  /// The greatest exponent of numbers that are written in full.
  private static let limit = 20_000

  /// Returns the digits of the number in `text`; `nil` if it is not a number, or has more digits after the point than
  /// `scale`.
  static func text(of text: String, scale: Int? = nil, isTrimmed: Bool = false) -> String? {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
    var rest = text.utf8.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
    for name in ["NaN", "Infinity", "-Infinity"] where rest.elementsEqual(name.utf8) { return name }
    var isNegative = false
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      rest = rest.dropFirst()
    }
    func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
    let whole = Array(rest.prefix(while: isDigit))
    rest = rest.dropFirst(whole.count)
    var fraction: [UInt8] = []
    if rest.first == UInt8(ascii: ".") {
      fraction = Array(rest.dropFirst().prefix(while: isDigit))
      rest = rest.dropFirst(1 + fraction.count)
    }
    guard !(whole.isEmpty && fraction.isEmpty) else { return nil }
    var exponent = 0
    if let mark = rest.first, mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") {
      var digits = rest.dropFirst()
      if digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
      guard let number = Int(String(Substring(digits))), digits.count < 8, abs(number) <= limit else { return nil }
      (exponent, rest) = (number, rest.dropFirst(rest.count))
    }
    guard rest.isEmpty else { return nil }
    return digits(whole + fraction, point: whole.count + exponent, shown: max(0, fraction.count - exponent), scale)
      .map { (number, isZero) in
        var number = number
        if isTrimmed, number.contains(".") {
          while number.hasSuffix("0") { number.removeLast() }
          if number.hasSuffix(".") { number.removeLast() }
        }
        return isNegative && !isZero ? "-" + number : number
      }
  }

  /// Returns digits with a point before the digit at `point`, and `shown` digits after it, or `scale`.
  private static func digits(_ digits: [UInt8], point: Int, shown: Int, _ scale: Int?) -> (String, isZero: Bool)? {
    func digit(_ place: Int) -> UInt8 { digits.indices.contains(place) ? digits[place] : 48 }
    var whole = point > 0 ? (0..<point).map(digit) : []
    while whole.first == 48 { whole.removeFirst() }
    var fraction = (0..<shown).map { digit(point + $0) }
    if let scale {
      // The server would round it.
      guard fraction.dropFirst(scale).allSatisfy({ $0 == 48 }) else { return nil }
      fraction = Array(fraction.prefix(scale)) + [UInt8](repeating: 48, count: max(0, scale - fraction.count))
    }
    let isZero = whole.isEmpty && fraction.allSatisfy { $0 == 48 }
    let text = whole.isEmpty ? "0" : String(decoding: whole, as: UTF8.self)
    return (fraction.isEmpty ? text : "\(text).\(String(decoding: fraction, as: UTF8.self))", isZero)
  }
}
