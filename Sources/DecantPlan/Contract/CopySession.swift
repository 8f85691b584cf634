package import DecantBase
package import DecantStore
package import DecantSQLite

/// The SQLite connection in which source and destination meet.
///
/// The source is attached as `source`; `main` is the destination, or nothing while the copy is only
/// planned. What is copied stays inside SQLite: one statement reads the one and writes the other.
package final class CopySession {
  /// The name under which the source is attached.
  package static let source = "source"
  /// The name under which an existing destination is attached while nothing is written yet.
  package static let destination = "destination"

  package let connection: Connection
  /// Where source and destination keep values in files of their own.
  package let files: FileSides

  /// Opens `file`, a URI, as `main` and attaches `source`; without a file `main` is in memory.
  ///
  /// What is new takes `encoding` for its texts, or the source's where none is named; a database that is
  /// there keeps its own. A source of another encoding is read through a bridge.
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
    guard let reader else { return }
    // What tells lengths is asked there.
    try explaining("cannot register functions") { () throws(SQLiteError) in
      try ValueFunctions.register(on: reader)
      try files.register(on: reader)
    }
  }

  /// Begins a transaction in which everything that is attached is read in one state.
  package func beginReading() throws(SQLiteError) {
    try connection.run("BEGIN")
    try holdSource()
  }

  /// Ends what `beginReading` began.
  package func endReading() throws(SQLiteError) {
    try connection.run("COMMIT")
    if let reader { try reader.run("COMMIT") }
  }

  /// Has the source read in one state beside a transaction that is open already.
  package func holdSource() throws(SQLiteError) {
    try reader?.run("BEGIN")
  }

  /// Has `check` asked while statements run, on whatever connection.
  package func setProgressCheck(_ check: ProgressCheck) {
    connection.setProgressCheck(check)
    reader?.setProgressCheck(check)
  }

  /// The connection from which the source is bridged; `nil` where it is attached itself.
  private var reader: Connection? {
    let reader = connection.reader(of: CopySession.source)
    return reader === connection ? nil : reader
  }
}
