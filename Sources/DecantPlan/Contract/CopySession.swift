package import DecantBase
package import DecantStore
package import DecantSQLite

/// The SQLite connection that has both source and destination.
///
/// The source is attached as `source`; `main` is the destination, or empty while the copy is only planned. Copied data
/// stays inside SQLite: one statement reads the source and writes the destination.
package final class CopySession {
  /// The schema of the attached source.
  package static let source = "source"
  /// The schema of an existing destination while nothing is written yet.
  package static let destination = "destination"

  package let connection: Connection
  /// The external storage of source and destination.
  package let files: FileSides

  /// Opens `file`, a URI, as `main` and attaches `source`; without a file `main` is in memory.
  ///
  /// A new database gets the text encoding `encoding`, by default that of the source; an existing one keeps its own. A
  /// source of another encoding is read through a bridge.
  package init(
    _ file: String? = nil,
    mode: Connection.Mode = .create,
    source: any SourceStore,
    encoding: String? = nil
  ) throws(DecantError) {
    let files = FileSides(source: source.externalStorage)
    self.files = files
    connection = try explaining("cannot open “\(file ?? "memory")”") { () throws(SQLiteError) in
      let connection = try Connection(file ?? ":memory:", mode: mode)
      connection.setBusyTimeout(milliseconds: 2_000)
      try connection.run("PRAGMA encoding = \((encoding ?? source.textEncoding).sqlText)")
      try connection.takeCacheForWriting()
      try connection.setTriggersEnabled(false)
      try ValueFunctions.register(on: connection)
      try files.register(on: connection)
      return connection
    }
    try source.meet(on: connection, as: CopySession.source)
    if source.isTemporary {
      // The temporary file was filled in key order, so few cached pages are enough.
      try explaining("cannot set the caches") { () throws(SQLiteError) in try connection.takeCachesForOrder() }
    }
    guard let reader else { return }
    // Functions for lengths are called on that connection.
    try explaining("cannot register functions") { () throws(SQLiteError) in
      try ValueFunctions.register(on: reader)
      try files.register(on: reader)
    }
  }

  /// Begins a transaction that reads everything attached in one state.
  package func beginReading() throws(SQLiteError) {
    try connection.run("BEGIN")
    try holdSource()
  }

  /// Ends the transaction of `beginReading`.
  package func endReading() throws(SQLiteError) {
    try connection.run("COMMIT")
    if let reader { try reader.run("COMMIT") }
  }

  /// Reads the source in one state, in addition to a transaction that is open already.
  package func holdSource() throws(SQLiteError) {
    try reader?.run("BEGIN")
  }

  /// Sets the progress check of statements on all connections.
  package func setProgressCheck(_ check: ProgressCheck) {
    connection.setProgressCheck(check)
    reader?.setProgressCheck(check)
  }

  /// The connection from which the source is bridged; `nil` if it is attached directly.
  private var reader: Connection? {
    let reader = connection.reader(of: CopySession.source)
    return reader === connection ? nil : reader
  }
}
