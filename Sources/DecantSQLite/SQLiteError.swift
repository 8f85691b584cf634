internal import CDecantSQLite
internal import DecantSystem

/// A failure reported by SQLite: its code, its message, and the statement.
///
/// Bound values are not included, as they are user data.
public struct SQLiteError: Error, Hashable, Sendable {
  /// SQLite's extended result code.
  package let code: Int32
  /// SQLite's own message.
  package let message: String
  /// The text of the statement, if there was one.
  package let sql: String?
  /// The `errno` of a failed read or write; 0 if it was not queried.
  package var systemCode: Int32 = 0

  /// Describes a failure; the properties below interpret only SQLite's own codes.
  package init(code: Int32, message: String, sql: String? = nil) {
    self.code = code
    self.message = message
    self.sql = sql
  }

  /// The code of an internal error.
  package static let internalCode = SQLITE_INTERNAL

  /// The code of a file with invalid content.
  package static let corruptCode = SQLITE_CORRUPT

  /// The code of a step that a request to stop ended.
  package static let interruptedCode = SQLITE_INTERRUPT

  /// The code of a locked database.
  package static let busyCode = SQLITE_BUSY

  /// The code of an invalid statement.
  package static let statementCode = SQLITE_ERROR

  /// Returns the error for a file whose bytes could not be read.
  static func unreadable(_ file: String) -> SQLiteError {
    SQLiteError(code: SQLITE_IOERR, message: "cannot read \(file)")
  }

  /// The primary result code, without the extension.
  package var primaryCode: Int32 { code & 0xff }

  /// Whether another connection held a required lock.
  package var isBusy: Bool {
    primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED || primaryCode == SQLITE_PROTOCOL
  }
  /// Whether the file is damaged or not a database.
  package var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }
  /// Whether the file is not a database, or is encrypted.
  package var isNoDatabase: Bool { primaryCode == SQLITE_NOTADB }
  /// Whether SQLite has no specific code for the error.
  package var isGeneral: Bool { primaryCode == SQLITE_ERROR }
  /// Whether the disk was full.
  package var isFull: Bool {
    primaryCode == SQLITE_FULL
      || (isInputOutput && (systemCode == ENOSPC || systemCode == EDQUOT))
  }
  /// Whether the file was moved while it was being changed.
  package var hasMoved: Bool { code == SQLITE_READONLY | (4 << 8) }
  /// Whether a row violated a constraint.
  package var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }
  /// Whether a value or a row is longer than SQLite allows.
  package var isTooLarge: Bool { primaryCode == SQLITE_TOOBIG }
  /// Whether a value has the wrong type.
  package var isMismatch: Bool { primaryCode == SQLITE_MISMATCH }
  /// Whether one of SQLite's own functions rejected a value: such errors have no specific code.
  package var isOfValue: Bool {
    isGeneral
      && ["malformed JSON", "JSON cannot hold BLOB values", "integer overflow"].contains(message)
  }

  /// The kind of a constraint.
  public enum Constraint: Sendable, Hashable {
    case notNull, unique, foreignKey, dataType
    /// A check constraint, a trigger, or another constraint.
    case other
  }

  /// The kind of constraint that a row violated; `nil` for another error.
  package var constraint: Constraint? {
    guard isConstraint else { return nil }
    return switch code >> 8 {
    // The numbers of SQLITE_CONSTRAINT_…, whose macros Swift does not import.
    case 5: .notNull
    case 6, 8, 10: .unique
    case 3: .foreignKey
    case 12: .dataType
    default: .other
    }
  }
  /// Whether a trigger refused a row (`RAISE`).
  package var isOfTrigger: Bool { isConstraint && code >> 8 == 7 }
  /// Whether the statement was interrupted.
  package var isInterrupted: Bool { primaryCode == SQLITE_INTERRUPT }
  /// Whether the statement itself is invalid: its text, an argument, or a value that became too large.
  package var isStatement: Bool {
    [SQLITE_ERROR, SQLITE_AUTH, SQLITE_MISUSE, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE]
      .contains(primaryCode)
  }
  /// Whether an authorizer denied the statement.
  package var isRefused: Bool { primaryCode == SQLITE_AUTH }
  /// Whether the file or its folder is not writable.
  package var isReadOnly: Bool { primaryCode == SQLITE_READONLY || primaryCode == SQLITE_PERM }
  /// Whether the file could not be opened.
  package var cannotOpen: Bool { primaryCode == SQLITE_CANTOPEN }
  /// Whether a read or write of the file failed.
  package var isInputOutput: Bool { primaryCode == SQLITE_IOERR }
}

extension SQLiteError {
  /// The statement, or the first 1,000 characters of a longer one.
  package var shownSQL: String? { sql.map { $0.count > 1_000 ? "\($0.prefix(1_000))…" : $0 } }
}

extension SQLiteError: CustomStringConvertible {
  /// Code, message and statement on one line, for debugging.
  public var description: String {
    "SQLite error \(code): \(message)" + (sql.map { " — while running: \($0)" } ?? "")
  }
}
