/// JSON as a server's type `jsonb` shows it: members by the length of their names, then by these, the last of those with one
/// name, a blank after each colon and comma, and numbers without exponents.
enum JSONSpelling {
  /// Returns a JSON text in this spelling, without zeros at the ends of fractions if it is trimmed; `nil` for any other
  /// text.
  static func text(of text: String, isTrimmed: Bool = false) -> String? {
    var reader = Reader(bytes: Array(text.utf8), isTrimmed: isTrimmed)
    var output: [UInt8] = []
    guard reader.value(&output, depth: 0) else { return nil }
    reader.skipBlanks()
    return reader.isAtEnd ? String(decoding: output, as: UTF8.self) : nil
  }

  /// Reads JSON and writes it in the spelling; each function returns false for a fault.
  private struct Reader {
    let bytes: [UInt8]
    let isTrimmed: Bool
    var place = 0

    /// Values inside of more others are not read.
    private static let depthLimit = 1_000

    var isAtEnd: Bool { place == bytes.count }
    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    mutating func skipBlanks() {
      while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { place += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
      skipBlanks()
      guard next == UInt8(ascii: character) else { return false }
      place += 1
      return true
    }

    mutating func value(_ output: inout [UInt8], depth: Int) -> Bool {
      skipBlanks()
      guard depth < Reader.depthLimit, let first = next else { return false }
      switch first {
      case UInt8(ascii: "{"): return object(&output, depth)
      case UInt8(ascii: "["): return array(&output, depth)
      case UInt8(ascii: "\""):
        guard let string = string() else { return false }
        Reader.write(string, to: &output)
        return true
      case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): return word(&output)
      default: return number(&output)
      }
    }

    private mutating func word(_ output: inout [UInt8]) -> Bool {
      for word in ["true", "false", "null"] where bytes[place...].starts(with: word.utf8) {
        output += word.utf8
        place += word.utf8.count
        return true
      }
      return false
    }

    private mutating func array(_ output: inout [UInt8], _ depth: Int) -> Bool {
      place += 1
      output.append(UInt8(ascii: "["))
      var isFirst = true
      while !take("]") {
        if !isFirst {
          guard take(",") else { return false }
          output += ", ".utf8
        }
        isFirst = false
        guard value(&output, depth: depth + 1) else { return false }
      }
      output.append(UInt8(ascii: "]"))
      return true
    }

    private mutating func object(_ output: inout [UInt8], _ depth: Int) -> Bool {
      place += 1
      var members: [[UInt8]: [UInt8]] = [:]
      var isFirst = true
      while !take("}") {
        if !isFirst { guard take(",") else { return false } }
        isFirst = false
        skipBlanks()
        guard next == UInt8(ascii: "\""), let name = string(), take(":") else { return false }
        var written: [UInt8] = []
        guard value(&written, depth: depth + 1) else { return false }
        members[name] = written
      }
      let names = members.keys.sorted { $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count < $1.count }
      output.append(UInt8(ascii: "{"))
      for (position, name) in names.enumerated() {
        if position > 0 { output += ", ".utf8 }
        Reader.write(name, to: &output)
        output += ": ".utf8
        output += members[name] ?? []
      }
      output.append(UInt8(ascii: "}"))
      return true
    }

    private mutating func number(_ output: inout [UInt8]) -> Bool {
      let start = place
      func digits(_ from: Int) -> Int {
        var end = from
        while end < bytes.count, (48...57).contains(bytes[end]) { end += 1 }
        return end
      }
      if next == UInt8(ascii: "-") { place += 1 }
      let whole = digits(place)
      guard whole > place, whole == place + 1 || bytes[place] != 48 else { return false }
      place = whole
      if next == UInt8(ascii: ".") {
        let end = digits(place + 1)
        guard end > place + 1 else { return false }
        place = end
      }
      if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
        place += 1
        if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { place += 1 }
        let end = digits(place)
        guard end > place else { return false }
        place = end
      }
      let shown = String(decoding: bytes[start..<place], as: UTF8.self)
      guard let text = NumericSpelling.text(of: shown, isTrimmed: isTrimmed) else { return false }
      output += text.utf8
      return true
    }

    /// Reads a string, of which the next byte is the quote; `nil` for a fault.
    private mutating func string() -> [UInt8]? {
      place += 1
      var text: [UInt8] = []
      while let byte = next, byte != UInt8(ascii: "\"") {
        place += 1
        guard byte >= 0x20 else { return nil }
        guard byte == UInt8(ascii: "\\") else {
          text.append(byte)
          continue
        }
        guard let escaped = next else { return nil }
        place += 1
        switch escaped {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escaped)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
          // The server cannot store the character 0.
          guard let scalar = scalar(), scalar.value != 0 else { return nil }
          text += Array(String(Character(scalar)).utf8)
        default: return nil
        }
      }
      guard next != nil else { return nil }
      place += 1
      return text
    }

    /// Reads the digits of one or two units of UTF-16.
    private mutating func scalar() -> Unicode.Scalar? {
      guard let first = unit() else { return nil }
      guard (0xd800..<0xdc00).contains(first) else { return Unicode.Scalar(first) }
      guard bytes[place...].starts(with: "\\u".utf8) else { return nil }
      place += 2
      guard let second = unit(), (0xdc00..<0xe000).contains(second) else { return nil }
      return Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    }

    private mutating func unit() -> UInt32? {
      guard place + 4 <= bytes.count else { return nil }
      let digits = bytes[place..<place + 4]
      guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
      place += 4
      return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static func write(_ string: [UInt8], to output: inout [UInt8]) {
      output.append(UInt8(ascii: "\""))
      for byte in string {
        switch byte {
        case UInt8(ascii: "\""): output += "\\\"".utf8
        case UInt8(ascii: "\\"): output += "\\\\".utf8
        case 0x08: output += "\\b".utf8
        case 0x0c: output += "\\f".utf8
        case 0x0a: output += "\\n".utf8
        case 0x0d: output += "\\r".utf8
        case 0x09: output += "\\t".utf8
        case ..<0x20:
          let digits = String(byte, radix: 16)
          output += ("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8
        default: output.append(byte)
        }
      }
      output.append(UInt8(ascii: "\""))
    }
  }
}
