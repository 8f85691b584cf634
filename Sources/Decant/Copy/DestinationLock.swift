internal import SQLite

/// An existing destination that nobody else may touch while it is changed.
struct DestinationLock {
  let destination: any DestinationStore

  /// Opens the destination as `main`, with `source` attached, and locks it until the connection closes.
  func open(_ source: any SourceStore) throws(DecantError) -> Workbench {
    let bench = try Workbench(
      DatabaseFile.uri(of: destination.path, "mode=rw"),
      mode: .readWrite,
      source: source
    )
    try refusing { () throws(SQLiteError) in
      // In this mode the lock outlasts transactions, and shuts out connections that only wait.
      _ = try bench.connection.text("PRAGMA main.locking_mode = EXCLUSIVE")
      try bench.connection.run("PRAGMA main.synchronous = FULL")
      try bench.connection.run("BEGIN EXCLUSIVE")
      try bench.connection.run("COMMIT")
    }
    try destination.prepare(bench.connection)
    return bench
  }

  /// Makes a copy of the destination as it is, and returns its place.
  func makeBackup(_ connection: Connection) throws(DecantError) -> String {
    var number = 1
    var name: String { "\(destination.path).backup-\(number)" }
    while FileStatus(unfollowed: name) != nil { number += 1 }
    // As private as the store itself, from the first byte on.
    let mode = FileStatus(destination.path)?.permissions ?? 0o600
    do throws(SystemError) {
      try Files.makeEmpty(name, mode: mode)
    } catch {
      throw DecantError(error)
    }
    try explaining("cannot make the backup “\(name)”") { () throws(SQLiteError) in
      try connection.run(
        "VACUUM main INTO ?1",
        .text(DatabaseFile.uri(of: name, "mode=rw"))
      )
    }
    do throws(SystemError) {
      try Files.sync(name)
      try Files.sync(Files.folder(of: name))
    } catch {
      throw DecantError(error)
    }
    return name
  }

  /// Runs `body`; where the destination is held by another process, says so.
  func refusing(_ body: () throws(SQLiteError) -> Void) throws(DecantError) {
    do throws(SQLiteError) {
      try body()
    } catch {
      guard error.isBusy else {
        throw DecantError("cannot write “\(destination.identity.place)”", cause: error)
      }
      throw DecantError(
        .storeBusy,
        "“\(destination.identity.place)” is in use by another process",
        remedy: "close the program that has it open, and run the same command again",
        cause: error
      )
    }
  }
}
