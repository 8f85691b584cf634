internal import DecantArchive
internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// A store that is read in one state, even if others write to it meanwhile.
enum HeldStore {
  /// Attaches `source` to a connection of its own, under the name that `ArchiveWriter` expects.
  static func open(_ source: any SourceStore) throws(DecantError) -> Connection {
    let connection = try explaining("cannot open a database in memory") {
      () throws(SQLiteError) in
      let connection = try Connection(":memory:", mode: .create)
      connection.setBusyTimeout(milliseconds: 2_000)
      try connection.run("PRAGMA encoding = \(source.textEncoding.sqlText)")
      try connection.setTriggersEnabled(false)
      return connection
    }
    try source.attach(to: connection, as: ArchiveWriter.schema)
    return connection
  }

  /// Begins a read transaction, which ends with the connection.
  static func hold(_ source: any SourceStore, on connection: Connection) throws(DecantError) -> (
    snapshot: Snapshot, fingerprint: Fingerprint
  ) {
    let held = try explaining("cannot read “\(source.identity.place)”") {
      () throws(SQLiteError) in
      try source.holding(ArchiveWriter.schema, on: connection)
    }
    return (held.state, held.fingerprint)
  }
}
