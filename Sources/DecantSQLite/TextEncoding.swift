/// How a database keeps its texts.
public enum TextEncoding: String, Sendable {
  /// As UTF-8.
  case utf8 = "UTF-8"
  /// As UTF-16, the low byte first.
  case utf16LittleEndian = "UTF-16le"
  /// As UTF-16, the high byte first.
  case utf16BigEndian = "UTF-16be"

  /// Whether it is one of the two that keep texts in units of two bytes.
  var isWide: Bool { self != .utf8 }

  /// What to call it where the order of bytes does not matter.
  var family: String { isWide ? "UTF-16" : "UTF-8" }
}

extension Connection {
  /// The encoding of the texts of `main`, and of everything that is attached.
  public func textEncoding() throws(SQLiteError) -> TextEncoding {
    let name = try text("PRAGMA main.encoding") ?? ""
    guard let encoding = TextEncoding(rawValue: name) else {
      throw SQLiteError(code: SQLiteError.internalCode, message: "unknown text encoding \(name)")
    }
    return encoding
  }

  /// Whether texts are kept as UTF-16, which SQLite's own conversion from UTF-8 and back may change.
  func isWide() throws(SQLiteError) -> Bool {
    if let knownEncoding { return knownEncoding.isWide }
    let encoding = try textEncoding()
    knownEncoding = encoding
    return encoding.isWide
  }
}
