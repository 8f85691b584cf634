/// A decimal number in the binary form of `numeric`: digits in base 10,000.
package struct DecimalDigits: Sendable, Hashable {
  /// The digits, the highest first, without zeros at either end.
  package let digits: [Int16]
  /// The power of 10,000 of the first digit.
  package let weight: Int16
  /// 0 for positive numbers, 0x4000 for negative ones; other values are not finite numbers.
  package let sign: UInt16
  /// The number of decimal digits after the point.
  package let scale: Int16

  /// Parses digits with an optional sign, point and exponent; `nil` for other texts, or beyond the limits of `numeric`.
  package init?(_ text: String) {
    var rest = Substring(text).utf8
    var isNegative = false
    if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      isNegative = first == UInt8(ascii: "-")
      rest = rest.dropFirst()
    }
    var decimals: [UInt8] = []
    // The number of digits before the point.
    var point: Int?
    var exponent = 0
    while let byte = rest.first {
      rest = rest.dropFirst()
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): decimals.append(byte - UInt8(ascii: "0"))
      case UInt8(ascii: ".") where point == nil: point = decimals.count
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        guard let value = Int(String(Substring(rest))), abs(value) < 100_000 else { return nil }
        exponent = value
        rest = rest.dropFirst(rest.count)
      default: return nil
      }
    }
    guard !decimals.isEmpty else { return nil }
    var whole = (point ?? decimals.count) + exponent
    let fraction = max(0, decimals.count - whole)
    guard whole <= 131_072, fraction <= 16_383 else { return nil }
    // Groups of four digits on either side of the point.
    if whole < 0 {
      decimals = [UInt8](repeating: 0, count: -whole) + decimals
      whole = 0
    }
    if decimals.count < whole { decimals += [UInt8](repeating: 0, count: whole - decimals.count) }
    let lead = (4 - whole % 4) % 4
    decimals = [UInt8](repeating: 0, count: lead) + decimals
    let groupsBefore = (whole + lead) / 4
    decimals += [UInt8](repeating: 0, count: (4 - decimals.count % 4) % 4)
    var groups = stride(from: 0, to: decimals.count, by: 4).map { start in
      decimals[start..<start + 4].reduce(Int16(0)) { $0 * 10 + Int16($1) }
    }
    var weight = groupsBefore - 1
    while groups.first == 0 {
      groups.removeFirst()
      weight -= 1
    }
    while groups.last == 0 { groups.removeLast() }
    digits = groups
    self.weight = groups.isEmpty ? 0 : Int16(clamping: weight)
    sign = isNegative && !groups.isEmpty ? 0x4000 : 0
    scale = Int16(clamping: fraction)
  }

  /// Reads the binary form; `nil` for damaged bytes.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 8, bytes.count.isMultiple(of: 2) else { return nil }
    func word(_ index: Int) -> Int16 {
      Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: Int16.self))
    }
    let count = Int(word(0))
    guard count >= 0, bytes.count == 8 + 2 * count else { return nil }
    (weight, sign, scale) = (word(1), UInt16(bitPattern: word(2)), word(3))
    digits = (0..<count).map { word(4 + $0) }
    guard digits.allSatisfy({ (0...9_999).contains($0) }) else { return nil }
  }

  /// Whether both are the same number, regardless of trailing zeros after the point.
  package func isSameNumber(as other: DecimalDigits) -> Bool {
    digits == other.digits && sign == other.sign && (digits.isEmpty || weight == other.weight)
  }

  /// The digits in decimal, with as many after the point as the number has.
  package var text: String {
    switch sign {
    case 0xc000: return "NaN"
    case 0xd000: return "Infinity"
    case 0xf000: return "-Infinity"
    default: break
    }
    var whole = ""
    var fraction = ""
    func group(_ position: Int) -> String {
      let index = Int(weight) - position
      let value = String(digits.indices.contains(index) ? digits[index] : 0)
      return String(repeating: "0", count: 4 - value.utf8.count) + value
    }
    if weight >= 0 { for position in stride(from: Int(weight), through: 0, by: -1) { whole += group(position) } }
    var position = -1
    while fraction.utf8.count < Int(scale) {
      fraction += group(position)
      position -= 1
    }
    fraction = String(fraction.prefix(Int(scale)))
    let start = whole.drop { $0 == "0" }
    return (sign == 0x4000 ? "-" : "") + (start.isEmpty ? "0" : start) + (fraction.isEmpty ? "" : "." + fraction)
  }
}
