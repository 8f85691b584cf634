internal import DecantBase

/// The encodings of XML and HTML written by other programs.
enum MarkupEncoding: Equatable {
  /// UTF-8; invalid bytes are taken for Windows-1252, one by one, with a warning.
  case utf8
  /// Windows-1252, which “ISO-8859-1” also means in practice.
  case windows1252
  case utf16(isBigEndian: Bool)
  /// An encoding that the C library knows, by its name there.
  case other(String)
  /// Not declared, or declared as ISO 8859-1, as some pages in UTF-8 are: UTF-8 if the first non-ASCII characters are,
  /// otherwise Windows-1252. With a name, which is that of an unknown encoding: UTF-8, or an error.
  case unknown(name: String?)

  /// Determines the encoding from the first bytes of a document.
  ///
  /// - Parameters:
  ///   - head: The first bytes: at least 1024, or the whole document.
  ///   - unknown: Called with the name of an unknown encoding.
  init(head: [UInt8], unknown: (String) -> Void) {
    switch (head.first, head.dropFirst().first) {
    case (0xef, 0xbb) where head.starts(with: [0xef, 0xbb, 0xbf]): self = .utf8
    case (0xff, 0xfe), (0x3c, 0x00): self = .utf16(isBigEndian: false)
    case (0xfe, 0xff), (0x00, 0x3c): self = .utf16(isBigEndian: true)
    default:
      guard let name = Self.declared(in: head) else {
        self = .unknown(name: nil)
        return
      }
      switch name.lowercased().filter({ $0.isLetter || $0.isNumber }) {
      case "utf8", "usascii", "ascii": self = .utf8
      case "iso88591", "latin1", "l1", "windows1252", "win1252", "cp1252", "1252", "ansi":
        self = .unknown(name: nil)
      // A declaration that is readable as ASCII cannot be right about this.
      case let plain
      where plain.hasPrefix("utf16") || plain.hasPrefix("ucs") || plain.hasPrefix("utf32"):
        self = .unknown(name: nil)
      case let plain:
        guard let known = Self.commonNames[plain] ?? Self.plainNames(name).first(where: Iconv.knows)
        else {
          unknown(name)
          self = .unknown(name: name)
          return
        }
        self = .other(known)
      }
    }
  }

  /// Encoding names, reduced to letters and digits, whose common meaning has another name in the C library.
  private static let commonNames = [
    "shiftjis": "CP932", "sjis": "CP932", "xsjis": "CP932", "windows31j": "CP932",
    "gb2312": "GB18030", "gbk": "GB18030", "xgbk": "GB18030", "euckr": "CP949",
    "ksc56011987": "CP949",
    "windows949": "CP949", "iso88599": "CP1254", "latin5": "CP1254", "iso885911": "CP874",
    "windows874": "CP874", "tis620": "CP874", "xmacroman": "MACINTOSH", "macroman": "MACINTOSH",
    "mac": "MACINTOSH", "xmaccyrillic": "MAC-CYRILLIC",
  ].filter { Iconv.knows($0.value) }

  /// Returns the spellings of a name that the C library may know.
  private static func plainNames(_ name: String) -> [String] {
    var names = [name.uppercased()]
    for prefix in ["windows", "win", "x-cp", "ibm"] where name.lowercased().hasPrefix(prefix) {
      names.append("CP\(name.dropFirst(prefix.count).filter(\.isNumber))")
    }
    // Suffixes for the direction of right-to-left text.
    for suffix in ["-i", "-e"] where name.lowercased().hasSuffix(suffix) {
      names.append(String(name.uppercased().dropLast(2)))
    }
    return names
  }

  /// Returns the length in bytes of the byte order mark at the start of `head`.
  static func markByteCount(_ head: [UInt8]) -> Int {
    if head.starts(with: [0xef, 0xbb, 0xbf]) { return 3 }
    return head.starts(with: [0xff, 0xfe]) || head.starts(with: [0xfe, 0xff]) ? 2 : 0
  }

  /// Returns the name after `encoding=` in an XML declaration, or after `charset=` in the head of a page.
  private static func declared(in head: [UInt8]) -> String? {
    let text = String(decoding: head.map { $0 < 0x80 ? $0 : 0x3f }, as: UTF8.self).lowercased()
    let start = text.drop { $0.isWhitespace }
    if start.hasPrefix("<?xml"), let declaration = start.firstIndex(of: ">").map({ start[..<$0] }),
      let name = value(of: "encoding", in: declaration)
    {
      return name
    }
    return text.firstRange(of: "<meta").flatMap { value(of: "charset", in: text[$0.lowerBound...]) }
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
}
