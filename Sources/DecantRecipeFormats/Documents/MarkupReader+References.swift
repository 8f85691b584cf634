internal import DecantXML

extension MarkupReader {
  /// Appends the character of a reference such as `&amp;`, `&#233;` or `&eacute;` to `output`; a `&` that begins no
  /// reference is kept.
  ///
  /// - Parameters:
  ///   - place: The offset of the `&` from the next byte.
  ///   - inAttribute: Whether the reference is in the value of an attribute.
  ///   - output: Receives the characters.
  /// - Returns: The number of bytes read.
  /// - Throws: Errors from reading further input.
  func reference(at place: Int, inAttribute: Bool, into output: inout [UInt8]) throws -> Int {
    var end = place + 1
    while let byte = try input.peek(end), end - place < 34, Self.isInReference(byte) { end += 1 }
    let name = String(decoding: input.slice(place + 1, end), as: UTF8.self)
    let isEnded = try input.peek(end) == 0x3b
    if name.hasPrefix("#") {
      if let scalar = numbered(name.dropFirst()), isEnded || isHTML {
        output.append(contentsOf: Array(String(scalar).utf8))
        return end - place + (isEnded ? 1 : 0)
      }
    } else if let scalar = HTMLEntities.character(named: name) {
      let follows = try input.peek(end)
      // Old HTML has references without a semicolon, but `?a=1&copy=2` contains none.
      if isEnded || (isHTML && scalar.value < 0x100 && !(inAttribute && follows == 0x3d)) {
        output.append(contentsOf: Array(String(scalar).utf8))
        return end - place + (isEnded ? 1 : 0)
      }
    }
    if !isHTML {
      warn(
        isEnded && !name.isEmpty
          ? "&\(name); is not a known reference and was kept" : "a & without a reference was kept"
      )
    }
    output.append(0x26)
    return 1
  }

  private static func isInReference(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x23: true
    default: false
    }
  }

  /// Returns the character of this number; invalid characters become U+FFFD, with a warning.
  private func numbered(_ digits: Substring) -> Unicode.Scalar? {
    let isHexadecimal = digits.first == "x" || digits.first == "X"
    let number = isHexadecimal ? digits.dropFirst() : digits
    guard !number.isEmpty,
      number.allSatisfy({ isHexadecimal ? $0.isHexDigit : $0.isASCII && $0.isNumber })
    else { return nil }
    var value = UInt32(number, radix: isHexadecimal ? 16 : 10) ?? .max
    if (0x80..<0xa0).contains(value) {
      value = TextEncoding.windows1252.character(UInt8(value))?.value ?? value
    }
    let isText = value >= 0x20 || [0x09, 0x0a, 0x0d].contains(value)
    guard isText, let scalar = Unicode.Scalar(value) else {
      warn("&#\(digits); is not a character")
      return "\u{fffd}"
    }
    return scalar
  }
}
