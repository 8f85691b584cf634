internal import CDecantSQLite

/// What a statement asks for while it is compiled.
public enum Access: Sendable, Hashable {
  /// To run a SELECT.
  case select
  /// To read a column of a table.
  case read(table: String, column: String)
  /// To call a function.
  case function(String)
  /// To have a common table expression read itself.
  case recursion
  /// Anything else: writing, attaching, pragmas.
  case other
}

/// Decides, statement by statement, what may be done on a connection.
open class Authorizer {
  /// Makes an authorizer that allows nothing; a subclass decides what it does allow.
  public init() {}

  /// Returns whether `access` is allowed; a statement that asks for more is not compiled.
  open func allows(_ access: Access) -> Bool { false }
}

extension Connection {
  /// Has `authorizer` asked about everything that statements compiled from now on want to do.
  public func setAuthorizer(_ authorizer: Authorizer?) {
    guard let authorizer else {
      sqlite3_set_authorizer(handle, nil, nil)
      return
    }
    keep(authorizer)
    sqlite3_set_authorizer(
      handle,
      { context, action, first, second, _, _ in
        guard let context else { return SQLITE_DENY }
        let text = { (pointer: UnsafePointer<CChar>?) in
          pointer.map { String(cString: $0) } ?? ""
        }
        let access: Access =
          switch action {
          case SQLITE_SELECT: .select
          case SQLITE_READ: .read(table: text(first), column: text(second))
          case SQLITE_FUNCTION: .function(text(second))
          case SQLITE_RECURSIVE: .recursion
          default: .other
          }
        return Unmanaged<Authorizer>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.allows(access) ? SQLITE_OK : SQLITE_DENY
        }
      },
      Unmanaged.passUnretained(authorizer).toOpaque()
    )
  }
}
