package import DecantBase
package import DecantSQLite

/// The names of files beside a store: those that its objects refer to, and those that a copy created.
///
/// They are kept in a temporary database, which uses the disk if they are many, and is removed with the value.
package final class FileNames {
  private let folder: String
  private let connection: Connection
  private let isNoted: Bool
  /// Whether the references of existing objects are recorded.
  package var knowsReferences = false

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - folder: The folder of the files.
  ///   - note: A database that records the files the copy creates, to survive a kill; `nil` for none.
  /// - Throws: `DecantError` if there is no space for a list.
  package init(in folder: String, notedIn note: String? = nil) throws(DecantError) {
    self.folder = folder
    isNoted = note != nil
    connection = try explaining("cannot list external files") { () throws(SQLiteError) in
      let connection = try Connection("", mode: .create)
      try connection.run("CREATE TABLE names (name TEXT PRIMARY KEY, made INTEGER) WITHOUT ROWID")
      guard let note else { return connection }
      try connection.attach(DatabaseFile.uri(of: note, "mode=rwc"), as: "kept")
      try connection.run("PRAGMA kept.synchronous = OFF")
      _ = try connection.text("PRAGMA kept.journal_mode = TRUNCATE")
      try connection.run("CREATE TABLE IF NOT EXISTS kept.made (name TEXT PRIMARY KEY, folder TEXT) WITHOUT ROWID")
      return connection
    }
  }

  /// Records the names that `body` passes as referenced.
  package func note(_ body: ((String) throws(SQLiteError) -> Void) throws(SQLiteError) -> Void) throws(SQLiteError) {
    let insertion = try connection.prepare("INSERT OR IGNORE INTO names VALUES (?1, 0)")
    try connection.transaction { () throws(SQLiteError) in
      try body { name throws(SQLiteError) in try insertion.run(.text(name)) }
    }
  }

  /// Records that the copy refers to the file `name`, and whether it is about to create it.
  package func note(_ name: String, isMade: Bool) throws(SystemError) {
    try asking("note", name) { () throws(SQLiteError) in
      try connection.run(
        """
        INSERT INTO names VALUES (?1, ?2)
        ON CONFLICT (name) DO UPDATE SET made = max(made, excluded.made)
        """,
        .text(name),
        .integer(isMade ? 1 : 0)
      )
      guard isMade, isNoted else { return }
      try connection.run("INSERT OR IGNORE INTO kept.made VALUES (?1, ?2)", .text(name), .text(folder))
    }
  }

  /// Returns whether an object refers to the file `name`.
  package func contains(_ name: String) throws(SystemError) -> Bool {
    try asking("look up", name) { () throws(SQLiteError) in
      try connection.integer("SELECT 1 FROM names WHERE name = ?1", .text(name)) != nil
    }
  }

  /// Removes the files that the database at `note` records as created, and the database.
  static func removeMade(notedIn note: String) throws(DecantError) {
    guard FileStatus(note) != nil else { return }
    try explaining("cannot read “\(note)”") { () throws(SQLiteError) in
      let connection = try Connection(DatabaseFile.uri(of: note, "mode=rw"), mode: .readWrite)
      let isWhole = try connection.integer("SELECT 1 FROM sqlite_schema WHERE name = 'made'") == 1
      guard isWhole else { return }
      try connection.forEachRow("SELECT folder, name FROM made") { row in
        let path = "\(row.text(at: 0) ?? "")/\(row.text(at: 1) ?? "")"
        // A file that cannot be removed has no reference.
        for ending in ["", ".decant-partial"] { try? Files.remove(path + ending) }
        let folder = Files.folder(of: path)
        for place in [folder, Files.folder(of: folder)] { Files.removeFolderIfEmpty(place) }
      }
    }
    try explaining { () throws(SystemError) in try Files.remove(note) }
  }

  /// Removes the files that the copy created.
  package func removeMade() {
    // An error is already being reported; a file that remains has no reference.
    try? connection.forEachRow("SELECT name FROM names WHERE made = 1") { row in
      if let name = row.text(at: 0) { try? Files.remove("\(folder)/\(name)") }
    }
  }

  private func asking<Result>(
    _ operation: String,
    _ name: String,
    _ body: () throws(SQLiteError) -> Result
  ) throws(SystemError) -> Result {
    do throws(SQLiteError) {
      return try body()
    } catch {
      let code = error.isFull ? SystemError.full : SystemError.inputOutput
      throw SystemError(operation, name, code: code)
    }
  }
}
