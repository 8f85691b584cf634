package import SQLite

/// What tells one state of a SQLite file from another, without reading its rows.
///
/// Page count, change counter and schema cookie of the file, salts and last commit of its
/// write-ahead log. A store with a log does not count its changes in the header, and the log is gone
/// when its last user closes it: so the file itself has its part, which one it is, how large, and when
/// it was last written. A time that differs says that something may have changed; one that is the same
/// says nothing alone.
package struct Fingerprint: Sendable, Hashable, CustomStringConvertible {
  package let description: String

  /// Takes the fingerprint of the database attached as `schema`.
  package init(of schema: String, on connection: Connection) throws(SQLiteError) {
    let connection = connection.reader(of: schema)
    // The first read opens the files; before it there is nothing to look into.
    _ = try connection.integer("SELECT count(*) FROM \(schema.sqlName).sqlite_schema")
    let database = try FileView(.database, of: schema, on: connection)
    let header = database.read(100, at: 0) ?? []
    var parts = [24..<28, 28..<32, 40..<44].map { range in
      header.count == 100 ? header[range].map(\.hex).joined() : "-"
    }
    // A store that was never checkpointed may have nothing but its log.
    let isLogged = header.count < 100 || header[18] == 2
    parts.append(isLogged ? try Fingerprint.log(of: schema, on: connection) : "-")
    parts.append(try Fingerprint.file(of: schema, on: connection))
    description = parts.joined(separator: ".")
  }

  /// Which file it is and when it was last written, asked of the system without opening it.
  private static func file(of schema: String, on connection: Connection) throws(SQLiteError)
    -> String
  {
    let path = try connection.text(
      "SELECT file FROM pragma_database_list WHERE name = ?1",
      .text(schema)
    )
    guard let path, let status = FileStatus(path) else { return "-" }
    // Every private copy is a file of its own: what counts is what it was taken of.
    if let origin = PrivateCopies.origin(of: status) { return origin }
    return "\(status.number)-\(status.byteCount)-\(status.changed)"
  }

  /// What another kind of store tells its states by.
  package init(_ description: String) { self.description = description }

  /// The salts of the log, and the number of the last frame that ends a transaction.
  ///
  /// The log's index says both as readers see them. In the log itself a commit stands before anybody sees
  /// it: who went by that would give the state before it the fingerprint of the one after.
  private static func log(of schema: String, on connection: Connection) throws(SQLiteError)
    -> String
  {
    let log = try FileView(.journal, of: schema, on: connection)
    guard let header = log.read(32, at: 0) else { return "-" }
    if let index = try FileView(.database, of: schema, on: connection).logIndexHeader {
      let lastCommit = index[16..<20].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
      return index[32..<40].map(\.hex).joined() + "@\(lastCommit)"
    }
    let salts = Array(header[16..<24])
    let pageSize =
      Int64(header[8]) << 24 | Int64(header[9]) << 16 | Int64(header[10]) << 8
      | Int64(header[11])
    guard pageSize >= 512 else { return "-" }
    var lastCommit = 0
    var frame = 0
    while let head = log.read(24, at: 32 + Int64(frame) * (24 + pageSize)) {
      // A frame of an earlier use of the log carries other salts and ends it.
      guard Array(head[8..<16]) == salts else { break }
      frame += 1
      if head[4..<8].contains(where: { $0 != 0 }) { lastCommit = frame }
    }
    return salts.map(\.hex).joined() + "@\(lastCommit)"
  }
}

extension SourceStore {
  /// Holds one state of what is attached as `schema`, while batches are committed, and returns it with its fingerprint.
  ///
  /// - Throws: `SQLiteError`, also if the store never keeps still.
  package func holding(_ schema: String, on connection: Connection) throws(SQLiteError)
    -> (state: Snapshot, fingerprint: Fingerprint)
  {
    try holding(schema, on: connection) { () throws(SQLiteError) in
      try hold(schema, on: connection)
    } release: { snapshot in
      snapshot.release()
    }
  }

  /// Holds one state of what is attached as `schema` and returns it with its fingerprint.
  ///
  /// Others may write between taking the one and holding the other; what is returned was the same
  /// before and after, so it is the fingerprint of the state that is held.
  ///
  /// - Parameters:
  ///   - schema: The name under which the store is attached.
  ///   - connection: The connection that holds it.
  ///   - hold: Begins to hold the present state.
  ///   - release: Ends that again, for another try.
  /// - Returns: What holds the state, and the state's fingerprint.
  /// - Throws: `SQLiteError`, also if the store never keeps still.
  package func holding<State>(
    _ schema: String,
    on connection: Connection,
    hold: () throws(SQLiteError) -> State,
    release: (State) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> (state: State, fingerprint: Fingerprint) {
    for _ in 1...50 {
      let before = try fingerprint(of: schema, on: connection)
      let state = try hold()
      let after = try fingerprint(of: schema, on: connection)
      if before == after { return (state, after) }
      try release(state)
    }
    throw SQLiteError(code: SQLiteError.busyCode, message: "it is written to all the time")
  }
}
