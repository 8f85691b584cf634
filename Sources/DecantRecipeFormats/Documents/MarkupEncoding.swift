/// The encodings that other programs' XML and HTML comes in.
enum MarkupEncoding: Equatable {
  /// UTF-8; what is no UTF-8 there is taken for Windows-1252, byte by byte, and warned of.
  case utf8
  /// Windows-1252, which is also what “ISO-8859-1” means in practice.
  case windows1252
  case utf16(isBigEndian: Bool)
  /// One that the C library knows, by the name that it has there.
  case other(String)
  /// Not said, or said to be ISO 8859-1, which pages in UTF-8 say too: UTF-8 if the first characters beyond ASCII are,
  /// else Windows-1252. With the name of one that nobody knows: UTF-8, or nothing.
  case unknown(name: String?)

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
        self = .unknown(name: nil)
        return
      }
      switch name.lowercased().filter({ $0.isLetter || $0.isNumber }) {
      case "utf8", "usascii", "ascii": self = .utf8
      case "iso88591", "latin1", "l1", "windows1252", "win1252", "cp1252", "1252", "ansi":
        self = .unknown(name: nil)
      // Who says so in ASCII is wrong.
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

  /// What pages and programs mean by some names, letters and digits alone, and the C library calls otherwise.
  private static let commonNames = [
    "shiftjis": "CP932", "sjis": "CP932", "xsjis": "CP932", "windows31j": "CP932",
    "gb2312": "GB18030", "gbk": "GB18030", "xgbk": "GB18030", "euckr": "CP949",
    "ksc56011987": "CP949",
    "windows949": "CP949", "iso88599": "CP1254", "latin5": "CP1254", "iso885911": "CP874",
    "windows874": "CP874", "tis620": "CP874", "xmacroman": "MACINTOSH", "macroman": "MACINTOSH",
    "mac": "MACINTOSH", "xmaccyrillic": "MAC-CYRILLIC",
  ].filter { Iconv.knows($0.value) }

  /// How the C library may spell a name.
  private static func plainNames(_ name: String) -> [String] {
    var names = [name.uppercased()]
    for prefix in ["windows", "win", "x-cp", "ibm"] where name.lowercased().hasPrefix(prefix) {
      names.append("CP\(name.dropFirst(prefix.count).filter(\.isNumber))")
    }
    // The right-to-left kinds.
    for suffix in ["-i", "-e"] where name.lowercased().hasSuffix(suffix) {
      names.append(String(name.uppercased().dropLast(2)))
    }
    return names
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
