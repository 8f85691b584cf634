internal import CDecantSQLite

/// An access that a statement requests while it is compiled.
public enum Access: Sendable, Hashable {
  /// To run a SELECT.
  case select
  /// To read a column of a table.
  case read(table: String, column: String)
  /// To call a function.
  case function(String)
  /// To use a recursive common table expression.
  case recursion
  /// Any other access: writing, attaching, pragmas.
  case other
}

/// An authorizer that decides for each statement what it may do on a connection.
open class Authorizer {
  /// Creates an authorizer that allows nothing; a subclass overrides `allows`.
  public init() {}

  /// Returns whether `access` is allowed; a statement with a denied access is not compiled.
  open func allows(_ access: Access) -> Bool { false }
}

extension Connection {
  /// Sets the authorizer for statements that are compiled from now on.
  package func setAuthorizer(_ authorizer: Authorizer?) {
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
