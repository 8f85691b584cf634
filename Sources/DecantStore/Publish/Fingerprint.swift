internal import DecantBase
package import DecantSQLite

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
  private static func file(of schema: String, on connection: Connection) throws(SQLiteError) -> String {
    let path = try connection.text("SELECT file FROM pragma_database_list WHERE name = ?1", .text(schema))
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
  private static func log(of schema: String, on connection: Connection) throws(SQLiteError) -> String {
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
