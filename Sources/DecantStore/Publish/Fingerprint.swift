internal import DecantBase
package import DecantSQLite

/// A fingerprint of the state of an SQLite file, without reading its rows.
///
/// It consists of page count, change counter and schema cookie of the file, and salts and last commit of its
/// write-ahead log. A store with a log does not count changes in its header, and the log is removed when its last user
/// closes it; therefore the fingerprint also includes the file's identity, size and last write. A different time means
/// a possible change; an equal time alone proves nothing.
package struct Fingerprint: Sendable, Hashable, CustomStringConvertible {
  package let description: String

  /// Computes the fingerprint of the database attached as `schema`.
  package init(of schema: String, on connection: Connection) throws(SQLiteError) {
    let connection = connection.reader(of: schema)
    // The first read opens the files.
    _ = try connection.integer("SELECT count(*) FROM \(schema.sqlName).sqlite_schema")
    let database = try FileView(.database, of: schema, on: connection)
    let header = database.read(100, at: 0) ?? []
    var parts = [24..<28, 28..<32, 40..<44].map { range in
      header.count == 100 ? header[range].map(\.hex).joined() : "-"
    }
    // A store that was never checkpointed may consist of its log only.
    let isLogged = header.count < 100 || header[18] == 2
    parts.append(isLogged ? try Fingerprint.log(of: schema, on: connection) : "-")
    parts.append(try Fingerprint.file(of: schema, on: connection))
    description = parts.joined(separator: ".")
  }

  /// Returns the identity and the last write of the file, from the system without opening it.
  private static func file(of schema: String, on connection: Connection) throws(SQLiteError) -> String {
    let path = try connection.text("SELECT file FROM pragma_database_list WHERE name = ?1", .text(schema))
    guard let path, let status = FileStatus(path) else { return "-" }
    // Every private copy is a new file: its origin counts.
    if let origin = PrivateCopies.origin(of: status) { return origin }
    return "\(status.number)-\(status.byteCount)-\(status.changed)"
  }

  /// Creates a fingerprint from the state description of another kind of store.
  package init(_ description: String) { self.description = description }

  /// Returns the salts of the log, and the number of the last frame that ends a transaction, as readers see them:
  /// otherwise the state before a commit could get the fingerprint of the state after it.
  private static func log(of schema: String, on connection: Connection) throws(SQLiteError) -> String {
    guard let log = try LogView(of: schema, on: connection) else { return "-" }
    return log.salts.map(\.hex).joined() + "@\(log.lastCommit)"
  }
}
