internal import SQLite

/// The names of files beside a store: those its objects refer to, and those a copy has made.
///
/// They are in a database of their own that goes with the value, partly on the disk where they are many.
final class FileNames {
  private let folder: String
  private let connection: Connection
  /// Whether it is noted already to which files the objects refer that were there before.
  var knowsReferences = false

  /// Begins with no names.
  ///
  /// - Parameter folder: Where the files lie.
  /// - Throws: `DecantError` where there is no room for a list.
  init(in folder: String) throws(DecantError) {
    self.folder = folder
    connection = try explaining("cannot list external files") { () throws(SQLiteError) in
      let connection = try Connection("", mode: .create)
      try connection.run("CREATE TABLE names (name TEXT PRIMARY KEY, made INTEGER) WITHOUT ROWID")
      return connection
    }
  }

  /// Notes the names that `body` hands on as being referred to.
  func note(
    _ body: ((String) throws(SQLiteError) -> Void) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let insertion = try connection.prepare("INSERT OR IGNORE INTO names VALUES (?1, 0)")
    try connection.transaction { () throws(SQLiteError) in
      try body { name throws(SQLiteError) in try insertion.run(.text(name)) }
    }
  }

  /// Notes that the copy refers to the file `name`, and whether it is about to make it.
  func note(_ name: String, isMade: Bool) throws(SystemError) {
    try asking("note", name) { () throws(SQLiteError) in
      try connection.run(
        """
        INSERT INTO names VALUES (?1, ?2)
        ON CONFLICT (name) DO UPDATE SET made = max(made, excluded.made)
        """,
        .text(name),
        .integer(isMade ? 1 : 0)
      )
    }
  }

  /// Whether an object refers to the file `name`.
  func contains(_ name: String) throws(SystemError) -> Bool {
    try asking("look up", name) { () throws(SQLiteError) in
      try connection.integer("SELECT 1 FROM names WHERE name = ?1", .text(name)) != nil
    }
  }

  /// Takes away the files that the copy has made.
  func removeMade() {
    // On the way out of an error that is being reported already; what stays is referred to by nobody.
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
