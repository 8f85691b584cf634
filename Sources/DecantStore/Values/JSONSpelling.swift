internal import DecantJSON

/// JSON as a server's type `jsonb` shows it: members by the length of their names, then by these, the last of those with one
/// name, a blank after each colon and comma, and numbers without exponents.
enum JSONSpelling {
  /// Values inside of more others are not read.
  private static let depthLimit = 1_000

  /// Returns a JSON text in this spelling, without zeros at the ends of fractions if it is trimmed; `nil` for any other
  /// text.
  static func text(of text: String, isTrimmed: Bool = false) -> String? {
    var text = text
    var output: [UInt8] = []
    do {
      try text.withUTF8 { bytes in
        try withUnsafePointer(to: 0) { empty in
          var reader = JSONReader(UnsafeRawBufferPointer(bytes), empty, depthLimit: depthLimit)
          try write(&reader, isTrimmed, to: &output)
          try reader.finish()
        }
      }
    } catch {
      return nil
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// What JSON has, but `jsonb` does not: the character 0, and numbers with too many digits.
  private struct Unstorable: Error {}

  private static func write(_ reader: inout JSONReader, _ isTrimmed: Bool, to output: inout [UInt8]) throws {
    switch try reader.kind() {
    case .object: try writeObject(&reader, isTrimmed, to: &output)
    case .array:
      output.append(UInt8(ascii: "["))
      var isFirst = true
      try reader.array { reader in
        if !isFirst { output += ", ".utf8 }
        isFirst = false
        try write(&reader, isTrimmed, to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .string: try write(reader.string(), to: &output)
    case .number:
      let shown = String(decoding: try reader.digits().text, as: UTF8.self)
      guard let text = NumericSpelling.text(of: shown, isTrimmed: isTrimmed) else { throw Unstorable() }
      output += text.utf8
    case .true_: try write("true", &reader, to: &output)
    case .false_: try write("false", &reader, to: &output)
    case .null: try write("null", &reader, to: &output)
    }
  }

  private static func write(_ word: StaticString, _ reader: inout JSONReader, to output: inout [UInt8]) throws {
    try reader.word(word)
    output += "\(word)".utf8
  }

  private static func writeObject(_ reader: inout JSONReader, _ isTrimmed: Bool, to output: inout [UInt8]) throws {
    var members: [[UInt8]: [UInt8]] = [:]
    try reader.object { name, reader in
      let name = Array(name)
      var written: [UInt8] = []
      try write(&reader, isTrimmed, to: &written)
      members[name] = written
    }
    let names = members.keys.sorted { $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count < $1.count }
    output.append(UInt8(ascii: "{"))
    for (position, name) in names.enumerated() {
      if position > 0 { output += ", ".utf8 }
      try name.withUnsafeBytes { try write($0, to: &output) }
      output += ": ".utf8
      output += members[name] ?? []
    }
    output.append(UInt8(ascii: "}"))
  }

  private static func write(_ string: UnsafeRawBufferPointer, to output: inout [UInt8]) throws {
    output.append(UInt8(ascii: "\""))
    for byte in string {
      switch byte {
      case 0: throw Unstorable()
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
