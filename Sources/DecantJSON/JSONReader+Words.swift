internal import DecantSystem

/// Numbers and literals.
extension JSONReader {
  /// A number as written: without a fraction and an exponent it is an integer.
  package enum Number {
    case integer(Int64)
    case real(Double)
  }

  /// A token that is neither structure nor string.
  package enum Literal {
    case null
    case bool(Bool)
    /// The digits as written.
    case number(String)
  }

  /// Reads a number strictly; throws if it does not fit into 64 bits.
  package mutating func number() throws -> Number {
    _ = try next()
    let place = offset
    let (digits, isInteger) = try digits()
    if isInteger {
      guard let integer = Self.integer(digits) else {
        throw JSONFault(.syntax, "an integer has more than 64 bits", at: place)
      }
      return .integer(integer)
    }
    guard digits.count < 1024, let real = Double(String(decoding: digits, as: UTF8.self)),
      real.isFinite
    else { throw JSONFault(.syntax, "a number is too large or too long", at: place) }
    return .real(real)
  }

  /// Reads a number of any size strictly; returns it as written, and whether it has no fraction and no exponent.
  package mutating func digits() throws -> (text: UnsafeRawBufferPointer, isInteger: Bool) {
    _ = try next()
    let place = offset
    let text = try letters()
    guard let isInteger = try Self.isInteger(text, at: place) else {
      position -= text.count
      throw try expected("a value")
    }
    return (text, isInteger)
  }

  /// Returns whether the text is an integer; `nil` if it is not a number.
  private static func isInteger(_ letters: UnsafeRawBufferPointer, at place: Int64) throws -> Bool? {
    var isInteger = true
    var position = letters.first == 0x2d ? 1 : 0
    func isDigit() -> Bool {
      position < letters.count && (0x30...0x39).contains(letters[position])
    }
    guard isDigit() else { throw JSONFault(.syntax, "a number is missing", at: place) }
    if letters[position] == 0x30 { position += 1 } else { while isDigit() { position += 1 } }
    if position < letters.count, letters[position] == 0x2e {
      isInteger = false
      position += 1
      guard isDigit() else { throw JSONFault(.syntax, "a number is incomplete", at: place) }
      while isDigit() { position += 1 }
    }
    if position < letters.count, letters[position] | 0x20 == 0x65 {
      isInteger = false
      position += 1
      if position < letters.count, letters[position] == 0x2b || letters[position] == 0x2d {
        position += 1
      }
      guard isDigit() else { throw JSONFault(.syntax, "a number is incomplete", at: place) }
      while isDigit() { position += 1 }
    }
    return position == letters.count ? isInteger : nil
  }

  /// Returns the integer in `digits`, without blanks; `nil` if it does not fit into 64 bits.
  package static func integer(_ digits: UnsafeRawBufferPointer) -> Int64? {
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

  /// Reads one of the three literals of the standard.
  package mutating func word(_ word: StaticString) throws {
    _ = try next()
    let count = word.utf8CodeUnitCount
    guard end - position >= count, let bytes = window(count).baseAddress,
      memcmp(bytes, word.utf8Start, count) == 0
    else { throw try expected("a value") }
    position += count
  }

  /// Reads a number or a literal as other programs write them.
  package mutating func literal() throws -> Literal {
    _ = try next()
    let place = offset
    let letters = try letters()
    guard !letters.isEmpty else { throw try expected("a value") }
    let word = String(decoding: letters, as: UTF8.self)
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null", "undefined", "NaN", "Infinity", "-Infinity": return .null
    default:
      // Swift accepts hexadecimal numbers, which JSON does not have.
      guard word.utf8.contains(where: { 0x30...0x39 ~= $0 }),
        !word.utf8.contains(where: { $0 | 0x20 == 0x78 }), Double(word) != nil
      else {
        throw JSONFault(.syntax, "expected a value", at: place, found: String(word.prefix(40)))
      }
      return .number(word)
    }
  }

  /// Reads the next letters, digits, `+`, `-` and `.`, and lends them.
  private mutating func letters() throws -> UnsafeRawBufferPointer {
    let place = offset
    var count = 0
    while true {
      while position + count < end, Self.isLetter(byte(position + count)) { count += 1 }
      guard !isLenient || count <= 1024 else {
        throw JSONFault(.syntax, "a number or a word is too long", at: place)
      }
      guard position + count == end, try has(count + 1) else { break }
    }
    defer { position += count }
    return window(count)
  }

  @inline(__always)
  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2d, 0x2e: true
    default: false
    }
  }
}
