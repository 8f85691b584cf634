internal import DecantBase64

/// The text in the headers of a mail and of its parts.
enum MailText {
  /// Returns `text` as the value of a header: unchanged if it is ASCII, otherwise in encoded words, each short enough
  /// for its line.
  static func header(_ text: String) -> String {
    let line = oneLine(text, limit: 200)
    if line.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }), !line.contains("=?"), line.utf8.count < 60 {
      return line
    }
    var words: [String] = []
    var bytes: [UInt8] = []
    for scalar in line.unicodeScalars {
      let next = Array(String(scalar).utf8)
      // 45 bytes become 60 characters: with its delimiters, a word has 72. The first one follows the name of the
      // header.
      if bytes.count + next.count > (words.isEmpty ? 36 : 45) {
        words.append(word(bytes))
        bytes = []
      }
      bytes += next
    }
    if !bytes.isEmpty { words.append(word(bytes)) }
    return words.joined(separator: "\r\n ")
  }

  private static func word(_ bytes: [UInt8]) -> String {
    "=?utf-8?B?\(Base64Encoder.text(of: bytes))?="
  }

  /// Returns the parameter `filename` for `name`, in ASCII and in UTF-8.
  static func fileName(_ name: String) -> String {
    let line = oneLine(name, limit: .max)
    let isPlain = { (byte: UInt8) in
      (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
        || [0x2d, 0x2e, 0x5f].contains(byte)
    }
    if line.utf8.allSatisfy(isPlain) { return "filename=\"\(line)\"" }
    let encoded = line.utf8.map { byte in
      isPlain(byte)
        ? String(UnicodeScalar(byte))
        : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return "filename*=utf-8''\(encoded.joined())"
  }

  private static func oneLine(_ text: String, limit: Int) -> String {
    let shown = HTMLText.plain(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return String(shown.prefix(limit))
  }
}
