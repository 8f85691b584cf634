package import DecantSQLite

/// Why an object was rejected, as a code for scripts.
public enum RejectCode: String, Sendable, Hashable, CaseIterable {
  /// It could not be parsed.
  case parse
  /// A value cannot be converted to the destination's type.
  case convert
  /// A required value is missing.
  case notnull
  /// A value is outside the range of the destination's type.
  case range
  /// A text contains bytes that the destination cannot store.
  case text
  /// Another object has the same unique values.
  case unique
  /// A link has no target.
  case link
  /// A check constraint or a trigger of the destination rejects it.
  case check
  /// It exceeds the maximum size of a row.
  case size
  /// The destination has no place for it.
  case contract
  /// The destination's server refuses it.
  case refused

  /// The prefix of messages about an object of an entity that the model does not know.
  package static let unknownEntity = "unknown entity: "

  /// Returns the message with which an SQL function of decant rejects the current row for this reason.
  ///
  /// - Parameter text: What is wrong, without the user's values.
  /// - Returns: The text with a prefix from which `marked` reads the code.
  package func message(_ text: String) -> String { "\(rawValue): \(text)" }

  /// Reads the code at the beginning of a message from a function of decant; `nil` if there is none.
  ///
  /// - Parameter message: The message that SQLite passed on.
  /// - Returns: The code, and the text after the prefix.
  package static func marked(_ message: String) -> (code: RejectCode, text: String)? {
    guard let end = message.firstIndex(of: ":"),
      let code = RejectCode(rawValue: String(message[..<end]))
    else { return nil }
    return (code, String(message[message.index(after: end)...].drop { $0 == " " }))
  }

  /// The code for SQLite's error about the rejected row.
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
