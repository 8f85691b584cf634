package import DecantSQLite

/// Why an object was left out, in a word that scripts can tell apart.
public enum RejectCode: String, Sendable, Hashable, CaseIterable {
  /// It could not be read from what was sent.
  case parse
  /// A value cannot be turned into what the destination takes.
  case convert
  /// Something is empty that must not be.
  case notnull
  /// Another object has the same values, of which there may be one only.
  case unique
  /// A link leads to nothing that is there.
  case link
  /// A condition or a trigger of the destination refuses it.
  case check
  /// It is larger than a row can be.
  case size
  /// The destination has no place for what it is.
  case contract

  /// What the message begins with where an object is of an entity that the model does not know.
  package static let unknownEntity = "unknown entity: "

  /// The message with which an SQL function of decant's refuses the row at hand for this reason.
  ///
  /// - Parameter text: What is wrong, without the user's values.
  /// - Returns: The text with the mark by which the code is known again.
  package func message(_ text: String) -> String { "\(rawValue): \(text)" }

  /// Reads the mark in front of a message that a function of decant's gave; `nil` where there is none.
  ///
  /// - Parameter message: What SQLite handed on.
  /// - Returns: The code, and the text behind the mark.
  package static func marked(_ message: String) -> (code: RejectCode, text: String)? {
    guard let end = message.firstIndex(of: ":"),
      let code = RejectCode(rawValue: String(message[..<end]))
    else { return nil }
    return (code, String(message[message.index(after: end)...].drop { $0 == " " }))
  }

  /// What SQLite's extended result code says of the row that it refused.
  package init(_ error: SQLiteError) {
    if error.isGeneral {
      self = error.message.hasPrefix(RejectCode.unknownEntity) ? .contract : .convert
      return
    }
    self =
      switch error.constraint {
      case .notNull: .notnull
      case .unique: .unique
      case .foreignKey: .link
      case .dataType: .convert
      case .other: .check
      case nil: error.isTooLarge ? .size : .convert
      }
  }
}
