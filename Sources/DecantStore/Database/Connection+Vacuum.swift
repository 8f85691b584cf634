package import DecantSQLite

extension Connection {
  /// Writes the content of `schema` into the empty file at `path`.
  ///
  /// The file is not synced: before relying on it, the caller syncs it in pieces, between which a request to stop is
  /// obeyed.
  package func vacuum(_ schema: String, into path: String) throws(SQLiteError) {
    // VACUUM uses SQLite's own JSON functions rather than decant's, and SQLite's are marked incorrectly.
    // A connection that offers schemas no function that could do harm may trust them.
    try setSchemasTrusted(true)
    // The setting also applies to the new file, which the caller syncs.
    let level = try integer("PRAGMA \(schema).synchronous") ?? 2
    let vacuumed = Result { () throws(SQLiteError) in
      try run("PRAGMA \(schema).synchronous = OFF")
      try run("VACUUM \(schema) INTO ?1", .text(DatabaseFile.uri(of: path, "mode=rw")))
    }
    let restored = Result { () throws(SQLiteError) in
      try run("PRAGMA \(schema).synchronous = \(level)")
      try setSchemasTrusted(false)
    }
    try vacuumed.get()
    try restored.get()
  }
}
