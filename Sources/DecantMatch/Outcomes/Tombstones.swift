package import DecantBase
internal import DecantStore
package import DecantSQLite

/// A file that records which objects were merged once: if one no longer exists, a user deleted it, and it is not added
/// again.
///
/// It is an SQLite database: `merged(entity, identity)` contains the root entity's name and a hash of the object's
/// identity; `about(key, value)` the store and the identities used.
package struct Tombstones {
  package let path: String
  /// The values that must be equal for the file to be valid.
  package let about: [String: String]

  package init(path: String, about: [String: String]) {
    (self.path, self.about) = (path, about)
  }

  private var exists: Bool { FileStatus(path)?.byteCount ?? 0 > 0 }

  /// Throws if the file cannot be written, or exists and belongs to another store, or is not such a file.
  package func check() throws(DecantError) {
    guard Files.isWritable(exists ? path : Files.folder(of: path)) else {
      throw DecantError(
        .accessDenied,
        "cannot write “\(path)”",
        place: "\(option: .tombstones)",
        remedy: "use a file in an existing, writable folder"
      )
    }
    guard exists else { return }
    var found: [String: String] = [:]
    do throws(SQLiteError) {
      let connection = try Connection(DatabaseFile.uri(of: path, "mode=ro"), mode: .readOnly)
      let columns = "SELECT group_concat(name) FROM pragma_table_info('merged')"
      guard try connection.text(columns) == "entity,identity" else {
        throw SQLiteError(code: SQLiteError.corruptCode, message: "it has no table merged")
      }
      try connection.forEachRow("SELECT key, value FROM about") { row in
        found[row.text(at: 0) ?? ""] = row.text(at: 1)
      }
    } catch {
      throw DecantError(
        .damaged,
        "“\(path)” is not a merge history: \(error.message)",
        place: "\(option: .tombstones)",
        remedy: "pass the file of an earlier merge, or one that does not exist yet",
        cause: error
      )
    }
    guard let other = about.keys.sorted().first(where: { found[$0] != about[$0] }) else { return }
    throw DecantError(
      .wrongFile,
      other == "destination"
        ? "“\(path)” is the merge history of a different store"
        : "“\(path)” records objects by different identities",
      place: "\(option: .tombstones); \(other): \(found[other] ?? "unknown")",
      remedy:
        "use another file for this store, or the identities of that merge; after a rollback, or to "
        + "restore everything, start with a new file"
    )
  }

  /// Returns the keys of the objects of `root` that were merged once.
  ///
  /// - Parameters:
  ///   - root: The root entity.
  ///   - table: The table of their hashes.
  ///   - keys: All objects of the source.
  ///   - connection: The connection with the table.
  /// - Returns: The keys whose hash is recorded.
  /// - Throws: `DecantError` if the file cannot be read.
  package func merged(of root: String, _ table: TemporaryTable, among keys: KeySet, on connection: Connection)
    throws(DecantError) -> KeySet?
  {
    guard exists else { return nil }
    return try explaining("cannot read “\(path)”") { () throws(SQLiteError) in
      let file = try Connection(DatabaseFile.uri(of: path, "mode=ro"), mode: .readOnly)
      let question = try file.prepare("SELECT 1 FROM merged WHERE entity = ?1 AND identity = ?2")
      let found = try KeySet(like: keys, on: connection)
      try connection.forEachRow("SELECT key, hash FROM \(table)") { row throws(SQLiteError) in
        defer { question.reset() }
        try question.bind([.text(root), .integer(row.integer(at: 1))])
        if try question.step() { try found.insert(row.integer(at: 0)) }
      }
      try found.seal()
      return found
    }
  }

  /// Records all objects of `map` that are now in the destination.
  package func remember(_ hashes: [String: TemporaryTable], _ ids: IDTable, on connection: Connection)
    throws(DecantError)
  {
    if FileStatus(path) == nil {
      try explaining { () throws(SystemError) in try Files.makeEmpty(path) }
    }
    try explaining("cannot write “\(path)”") { () throws(SQLiteError) in
      let file = try Connection(DatabaseFile.uri(of: path, "mode=rw"), mode: .readWrite)
      try file.transaction { () throws(SQLiteError) in
        try file.run(
          """
          CREATE TABLE IF NOT EXISTS merged (
            entity TEXT, identity INTEGER, PRIMARY KEY (entity, identity)) WITHOUT ROWID
          """
        )
        try file.run("CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT)")
        for (key, value) in about {
          try file.run("INSERT OR IGNORE INTO about VALUES (?1, ?2)", .text(key), .text(value))
        }
        let insertion = try file.prepare("INSERT OR IGNORE INTO merged VALUES (?1, ?2)")
        for (root, table) in hashes.sorted(by: { $0.key < $1.key }) {
          guard let map = ids.map(of: root) else { continue }
          // The table is filled fastest in key order.
          try connection.forEachRow("SELECT hash, key FROM \(table) ORDER BY hash") {
            row throws(SQLiteError) in
            guard try map.outcome(of: row.integer(at: 1)) != .leftOut else { return }
            try insertion.run(.text(root), .integer(row.integer(at: 0)))
          }
        }
      }
    }
  }
}
