internal import CDecantSQLite
internal import DecantSystem

/// A watch for changed rows of `main` on one connection.
package final class ChangeWatch {
  /// Whether a row was inserted, changed or deleted since the watch began, in a table with rowids.
  @exclusivity(unchecked) package private(set) var sawChange = false

  /// Begins to watch `connection`, which retains the watch; it replaces an earlier one.
  package init(_ connection: Connection) {
    connection.keep(self)
    sqlite3_update_hook(
      connection.handle,
      { watch, _, schema, _, _ in
        guard let watch, let schema, strcmp(schema, "main") == 0 else { return }
        Unmanaged<ChangeWatch>.fromOpaque(watch).takeUnretainedValue().sawChange = true
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }
}
