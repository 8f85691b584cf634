package import DecantSQLite

/// One state of the source, kept while batches are committed on the same connection.
///
/// A COMMIT also ends the read transaction on the attached source, unless a statement that reads the source is still
/// open: this is that statement. While it is open, DROP, VACUUM, DETACH and checkpoints fail as locked.
package final class Snapshot {
  private let pin: Statement

  /// Keeps the current state of `schema` until the value is released.
  package init(of schema: String, on connection: Connection) throws(SQLiteError) {
    pin = try connection.reader(of: schema).prepare(
      "SELECT 1 FROM (SELECT count(*) FROM \(schema.sqlName).sqlite_schema)"
    )
    _ = try pin.step()
  }

  /// Releases the state early.
  package func release() { pin.reset() }
}
