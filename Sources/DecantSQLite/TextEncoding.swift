/// The text encoding of a database.
package enum TextEncoding: String, Sendable {
  /// UTF-8.
  case utf8 = "UTF-8"
  /// UTF-16, little-endian.
  case utf16LittleEndian = "UTF-16le"
  /// UTF-16, big-endian.
  case utf16BigEndian = "UTF-16be"

  /// Whether it is one of the two UTF-16 encodings.
  var isWide: Bool { self != .utf8 }

  /// The name of the encoding without its byte order.
  var family: String { isWide ? "UTF-16" : "UTF-8" }
}

extension Connection {
  /// Returns the text encoding of `main` and of all attached databases.
  package func textEncoding() throws(SQLiteError) -> TextEncoding {
    let name = try text("PRAGMA main.encoding") ?? ""
    guard let encoding = TextEncoding(rawValue: name) else {
      throw SQLiteError(code: SQLiteError.internalCode, message: "unknown text encoding \(name)")
    }
    return encoding
  }

  /// Returns whether texts are stored as UTF-16, which SQLite's own conversion from UTF-8 and back may change.
  func isWide() throws(SQLiteError) -> Bool {
    if let knownEncoding { return knownEncoding.isWide }
    let encoding = try textEncoding()
    knownEncoding = encoding
    return encoding.isWide
  }
}
