package import DecantSQLite

/// One state of the source, held while batches are committed beside it.
///
/// A COMMIT on the session ends the read transaction on the attached source too, unless a
/// statement that reads the source is still open: this is that statement. While it is open, DROP,
/// VACUUM, DETACH and checkpoints fail as locked.
package final class Snapshot {
  private let pin: Statement

  /// Holds the present state of `schema` until the value goes.
  package init(of schema: String, on connection: Connection) throws(SQLiteError) {
    pin = try connection.reader(of: schema).prepare(
      "SELECT 1 FROM (SELECT count(*) FROM \(schema.sqlName).sqlite_schema)"
    )
    _ = try pin.step()
  }

  /// Lets go of the state before the value goes.
  package func release() { pin.reset() }
}
