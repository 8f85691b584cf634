internal import CDecantSQLite
internal import DecantSystem

/// A failure reported by SQLite: its code, its message, and the statement that met it.
///
/// Values bound to the statement are left out: they are user data.
public struct SQLiteError: Error, Hashable, Sendable {
  /// SQLite's extended result code.
  public let code: Int32
  /// SQLite's own words.
  public let message: String
  /// The text of the statement, where there was one.
  public let sql: String?
  /// What the system said, where reading or writing a file failed; 0 where it was not asked.
  public var systemCode: Int32 = 0

  /// Describes a failure; the properties below know SQLite's own codes only.
  public init(code: Int32, message: String, sql: String? = nil) {
    self.code = code
    self.message = message
    self.sql = sql
  }

  /// The code of what should never happen.
  public static let internalCode = SQLITE_INTERNAL

  /// The code of a file whose content cannot be right.
  public static let corruptCode = SQLITE_CORRUPT

  /// The code of a database that others hold.
  public static let busyCode = SQLITE_BUSY

  /// The code of a statement that cannot be right.
  public static let statementCode = SQLITE_ERROR

  /// The primary result code, without the extension.
  public var primaryCode: Int32 { code & 0xff }

  /// Whether another connection holds a lock that was needed.
  public var isBusy: Bool {
    primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED || primaryCode == SQLITE_PROTOCOL
  }
  /// Whether the file is damaged or no database at all.
  public var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }
  /// Whether the file is no database, or an encrypted one.
  public var isNoDatabase: Bool { primaryCode == SQLITE_NOTADB }
  /// Whether SQLite has no code of its own for what happened.
  public var isGeneral: Bool { primaryCode == SQLITE_ERROR }
  /// Whether there was no room left to write to.
  public var isFull: Bool {
    primaryCode == SQLITE_FULL
      || (isInputOutput && (systemCode == ENOSPC || systemCode == EDQUOT))
  }
  /// Whether the file that is being changed lies elsewhere by now.
  public var hasMoved: Bool { code == SQLITE_READONLY | (4 << 8) }
  /// Whether a row broke a constraint.
  public var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }
  /// Whether a value or a row is longer than SQLite allows.
  public var isTooLarge: Bool { primaryCode == SQLITE_TOOBIG }
  /// Whether a value has another type than its place demands.
  public var isMismatch: Bool { primaryCode == SQLITE_MISMATCH }
  /// Whether one of SQLite's own functions cannot work with a value: such failures have no code of their own.
  public var isOfValue: Bool {
    isGeneral
      && ["malformed JSON", "JSON cannot hold BLOB values", "integer overflow"].contains(message)
  }

  /// What kind of constraint a row can break.
  public enum Constraint: Sendable, Hashable {
    case notNull, unique, foreignKey, dataType
    /// A condition, a trigger, or something else.
    case other
  }

  /// The kind of constraint that a row broke; `nil` where it was none.
  public var constraint: Constraint? {
    guard isConstraint else { return nil }
    return switch code >> 8 {
    // The numbers of SQLITE_CONSTRAINT_…, whose macros Swift does not see.
    case 5: .notNull
    case 6, 8, 10: .unique
    case 3: .foreignKey
    case 12: .dataType
    default: .other
    }
  }
  /// Whether the statement was stopped from outside.
  public var isInterrupted: Bool { primaryCode == SQLITE_INTERRUPT }
  /// Whether the statement itself is at fault: its text, an argument, a value that became too large.
  public var isStatement: Bool {
    [SQLITE_ERROR, SQLITE_AUTH, SQLITE_MISUSE, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE]
      .contains(primaryCode)
  }
  /// Whether an authorizer refused the statement.
  public var isRefused: Bool { primaryCode == SQLITE_AUTH }
  /// Whether the file or its folder may not be written.
  public var isReadOnly: Bool { primaryCode == SQLITE_READONLY || primaryCode == SQLITE_PERM }
  /// Whether the file could not be opened.
  public var cannotOpen: Bool { primaryCode == SQLITE_CANTOPEN }
  /// Whether reading or writing the file itself failed.
  public var isInputOutput: Bool { primaryCode == SQLITE_IOERR }
}

extension SQLiteError: CustomStringConvertible {
  /// Code, message and statement on one line, for those who look for a fault.
  public var description: String {
    "SQLite error \(code): \(message)" + (sql.map { " — while running: \($0)" } ?? "")
  }
}
