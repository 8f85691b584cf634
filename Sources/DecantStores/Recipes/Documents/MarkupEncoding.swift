/// The encodings that strangers' XML and HTML comes in.
enum MarkupEncoding: Equatable {
  /// UTF-8; what is no UTF-8 there is taken for Windows-1252, byte by byte, and warned of.
  case utf8
  /// Windows-1252, which is also what “ISO-8859-1” means in practice.
  case windows1252
  case utf16(isBigEndian: Bool)
  /// Not said: UTF-8 if the first characters beyond ASCII are, else Windows-1252.
  case unknown

  /// What the first bytes of a document say, and how many of them are a byte order mark.
  ///
  /// - Parameters:
  ///   - head: The first bytes: 1024 of them, or the whole document.
  ///   - unknown: Is called with the name of an encoding that is not among these.
  init(head: [UInt8], unknown: (String) -> Void) {
    switch (head.first, head.dropFirst().first) {
    case (0xef, 0xbb) where head.starts(with: [0xef, 0xbb, 0xbf]): self = .utf8
    case (0xff, 0xfe), (0x3c, 0x00): self = .utf16(isBigEndian: false)
    case (0xfe, 0xff), (0x00, 0x3c): self = .utf16(isBigEndian: true)
    default:
      guard let name = Self.declared(in: head) else {
        self = .unknown
        return
      }
      switch name.lowercased().filter({ $0.isLetter || $0.isNumber }) {
      case "utf8", "usascii", "ascii": self = .utf8
      case "iso88591", "latin1", "l1", "windows1252", "win1252", "cp1252", "1252", "ansi":
        self = .windows1252
      default:
        unknown(name)
        self = .unknown
      }
    }
  }

  /// The number of bytes of the byte order mark with which `head` begins.
  static func markByteCount(_ head: [UInt8]) -> Int {
    if head.starts(with: [0xef, 0xbb, 0xbf]) { return 3 }
    return head.starts(with: [0xff, 0xfe]) || head.starts(with: [0xfe, 0xff]) ? 2 : 0
  }

  /// The name behind `encoding=` in an XML declaration, or behind `charset=` in the head of a page.
  private static func declared(in head: [UInt8]) -> String? {
    let text = String(decoding: head.map { $0 < 0x80 ? $0 : 0x3f }, as: UTF8.self).lowercased()
    let start = text.drop { $0.isWhitespace }
    if start.hasPrefix("<?xml"), let declaration = start.firstIndex(of: ">").map({ start[..<$0] }),
      let name = value(of: "encoding", in: declaration)
    {
      return name
    }
    return value(of: "charset", in: text[...])
  }

  private static func value(of name: String, in text: Substring) -> String? {
    var rest = text
    while let place = rest.firstRange(of: name) {
      rest = rest[place.upperBound...].drop { $0.isWhitespace }
      guard rest.first == "=" else { continue }
      rest = rest.dropFirst().drop { $0.isWhitespace || $0 == "\"" || $0 == "'" }
      let value = rest.prefix { $0.isLetter || $0.isNumber || "-_.:".contains($0) }
      if !value.isEmpty { return String(value) }
    }
    return nil
  }

  /// What the bytes 0x80 to 0x9F stand for in Windows-1252; those of no meaning there stay what they are.
  static let upperControls: [UInt32] = [
    0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8d, 0x017d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
    0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d, 0x017e, 0x0178,
  ]
}
