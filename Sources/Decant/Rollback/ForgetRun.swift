internal import SQLite

/// One run that forgets a copy which was cut off between its batches: its rows stay, its work tables go.
///
/// They are dropped in one transaction, after the store has its journal back: a kill leaves all to the next
/// run.
struct ForgetRun {
  private let location: StoreLocation
  private let recogniser: any StoreRecogniser
  private let cancellation: Cancellation

  private var place: String { location.place }

  init(
    _ location: StoreLocation,
    _ recogniser: any StoreRecogniser,
    _ cancellation: Cancellation
  ) {
    self.location = location
    self.recogniser = recogniser
    self.cancellation = cancellation
  }

  func run() throws(DecantError) -> RollbackReport {
    var report = try firstLook()
    let lock = StoreLock(path: place, place: place)
    var isBegun = false
    do throws(DecantError) {
      let connection = try connection("mode=rw", .readWrite)
      try lock.refusing { () throws(SQLiteError) in
        try connection.run("PRAGMA main.synchronous = FULL")
        if try Checkpoint.isThere(in: "main", on: connection) {
          try Checkpoint.restoreJournal(on: connection)
        }
        try connection.run("BEGIN EXCLUSIVE")
      }
      // Only now nobody can change it any more.
      try count(&report, on: connection)
      isBegun = true
      try explaining("cannot forget the copy in “\(place)”") { () throws(SQLiteError) in
        try Checkpoint.dropTables(on: connection)
        try connection.run("COMMIT")
      }
      // Whatever cannot be looked at was there when it was written.
      if (try? lock.hasGone(connection)) == true { try lock.checkIsThere(connection) }
    } catch {
      throw isBegun ? settled(error) : error
    }
    return report
  }

  /// Looks without opening the store for writing: where there is nothing to forget, nothing changes.
  private func firstLook() throws(DecantError) -> RollbackReport {
    // Where there is no store, that is told.
    if FileStatus(place) == nil { _ = try recogniser.kind(of: location) }
    try DatabaseFile.recover(place)
    let kind = try recogniser.kind(of: location)
    let connection = try connection("mode=ro", .readOnly)
    connection.setProgressCheck(StopCheck(cancellation))
    var report = RollbackReport(
      store: try recogniser.identity(of: StoreLocation(kind: kind, place: place)),
      outcome: .forgotten
    )
    try count(&report, on: connection)
    // Of a damaged store not even the journal mode is changed.
    try StructureCheck(of: "main", on: connection).run(.quick, place: place)
    return report
  }

  private func connection(_ query: String, _ mode: Connection.Mode) throws(DecantError)
    -> Connection
  {
    do throws(SQLiteError) {
      let connection = try Connection(DatabaseFile.uri(of: place, query), mode: mode)
      connection.setBusyTimeout(milliseconds: 2_000)
      try connection.setTriggersEnabled(false)
      return connection
    } catch {
      throw DecantError(opening: place, error)
    }
  }

  /// Counts what the copy has committed; throws where there is no copy.
  private func count(_ report: inout RollbackReport, on connection: Connection) throws(DecantError)
  {
    var rowCounts: [String: Int64] = [:]
    let found = try explaining("cannot read “\(place)”") { () throws(SQLiteError) -> Found? in
      guard try Checkpoint.isThere(in: "main", on: connection) else { return nil }
      try connection.forEachRow("SELECT step, rows FROM main.decant_checkpoint") { row in
        rowCounts[row.text(at: 0) ?? ""] = row.integer(at: 1)
      }
      return Found(
        isFinished: try connection.text(
          "SELECT value FROM main.decant_run WHERE key = 'finished'"
        ) != nil,
        rejectCount: try connection.integer(
          "SELECT count(*) FROM main.sqlite_schema WHERE name = ?1",
          .text(Rejects.table)
        ) == 0
          ? 0 : try connection.integer("SELECT count(*) FROM main.\(Rejects.table)") ?? 0
      )
    }
    guard let found else {
      throw DecantError(
        .failed,
        "there is nothing to forget: “\(place)” holds no part of a copy that was cut off",
        place: "it has no work tables decant_…",
        remedy: "to put its last backup back, leave --forget away"
      )
    }
    report.rowCounts = rowCounts
    report.notes = found.notes(hasRows: report.rowCount > 0)
  }

  /// What else the work tables tell.
  private struct Found {
    var isFinished: Bool
    var rejectCount: Int64

    func notes(hasRows: Bool) -> [String] {
      var notes: [String] = []
      if isFinished {
        notes.append("all rows of the copy are there, but nobody has proven them")
      } else if hasRows {
        notes.append(
          "what was copied is a part: links of it may lead to objects that never came, and "
            + "persistent history, where there is one, does not tell of it"
        )
      }
      if rejectCount > 0 {
        notes.append("the list of what was left out is gone: \(rejectCount) objects")
      }
      return notes
    }
  }

  /// Returns `error` with how the store is left: a commit that fails may have happened all the same.
  private func settled(_ error: DecantError) -> DecantError {
    var error = error
    let found = Aftermath.of(place) { connection throws(SQLiteError) in
      try !Checkpoint.isThere(in: "main", on: connection)
    }
    if found == .changed {
      error.tell(
        "the copy in “\(place)” is forgotten all the same, but the disk did not confirm it"
      )
    }
    return error
  }
}
