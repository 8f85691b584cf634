internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantPostgres
internal import DecantStore

/// A run that was interrupted between two batches, and is continued.
final class ResumedBatches: InterruptedRun {
  private let location: StoreLocation
  private let run: BatchRun

  private init(_ location: StoreLocation, _ run: BatchRun) { (self.location, self.run) = (location, run) }

  var isComplete: Bool { run.isComplete }

  /// Returns the interrupted run into the tables at `location`, which no other process can continue as long as the value
  /// exists; `nil` if there is none.
  static func find(_ location: StoreLocation) throws(DecantError) -> ResumedBatches? {
    let (server, connection) = try Server.open(location)
    let cancellation = Cancellation.current
    connection.isStopped = { cancellation?.isCancelled == true }
    guard try BatchRun.find(server, connection) != nil else { return nil }
    try TableLock.hold(server, connection)
    guard let run = try BatchRun.find(server, connection) else { return nil }
    return ResumedBatches(location, run)
  }

  func complete(_ command: String, _ options: CopyOptions, _ cancellation: Cancellation)
    throws(DecantError) -> CopyReport
  {
    run.connection.isStopped = { cancellation.isCancelled }
    guard try run.value(BatchRun.command) == command else {
      let source = try run.value(BatchRun.source)
      guard !run.isComplete else {
        throw DecantError(
          .nothingToResume,
          "there is nothing to resume: the last run into the schema \(run.server.schema) is complete, and was of another "
            + "source, or with other options",
          place: "its source is “\(source ?? "unknown")”",
          remedy: "repeat the command without \(option: .resume)"
        )
      }
      throw DecantError(
        .resumeMismatch,
        "cannot resume: the interrupted run into the schema \(run.server.schema) was of another source, or with other "
          + "options",
        place: "its source is “\(source ?? "unknown")”",
        remedy: "repeat its command with \(say: .resume), or undo it with \(command: "rollback", app: "a rollback")"
      )
    }
    try run.prepareToContinue()
    let (done, all) = run.counts
    do throws(DecantError) {
      try run.finish(location, options) { () throws(DecantError) in
        guard let place = try run.value(BatchRun.sourcePlace) else { return }
        try MergedSources.forget(place, try run.value(BatchRun.sourceUUID), run.server, run.connection)
      }
    } catch {
      throw run.withProgress(error)
    }
    let identity = StoreIdentity(kind: PostgresKind.name, place: run.server.place)
    guard let text = try run.value(BatchRun.report), var report = CopyReport(record: text, into: identity) else {
      throw DecantError(
        .damaged, "the record \(run.place) of the run has no valid report", place: "\(run.server.place)")
    }
    report.notes =
      run.server.notes
      + [
        ReportNote(.resumed, "an interrupted run was completed: \(done) of \(all.counted("row")) had been added before")
      ] + run.notes
    return report
  }

  func clear() -> [ReportNote] { run.clear() }
}

extension BatchRun {
  /// The keys of the record: a text for the command, its source, and the report.
  static let (command, source, report) = ("command", "source", "report")
  static let (sourcePlace, sourceUUID) = ("source place", "source uuid")

  /// Writes what is left of the run into the tables at `location`, records the added rows in the ID table if there is
  /// one, and what `note` records on the server.
  func finish(_ location: StoreLocation, _ options: CopyOptions, note: () throws(DecantError) -> Void)
    throws(DecantError)
  {
    guard !isComplete else { return }
    try perform(batchSize: options.batchSize, verifies: options.verifies)
    try advanceSequences()
    if let file = options.idTableFile.map({ IDTableFile($0) }) {
      if FileStatus(unfollowed: file.partial) == nil {
        notes.append(
          ReportNote(
            .notWritten,
            "“\(file.partial)”, the unfinished ID table of this run, is gone: no ID table was written"))
      } else if steps.contains(where: { $0.matched > 0 }) {
        notes.append(
          ReportNote(
            .changedMeanwhile,
            "“\(file.path)”, the ID table, has the keys that were taken for the rows that another program has added, and not "
              + "theirs"))
      }
      if options.verifies, FileStatus(unfollowed: file.partial) != nil {
        try AddedRows(location, of: self, isDryRun: true).record(in: file.partial)
      }
    }
    try connection.transaction("BEGIN") { () throws(DecantError) in
      try note()
      try markComplete()
    } explaining: { error in
      server.error(error, "cannot end the run")
    }
  }

  /// Removes the record; returns a note if it cannot be removed.
  func clear() -> [ReportNote] {
    do throws(DecantError) { try drop() } catch {
      return [ReportNote(.notRemoved, "the schema \(place) was not removed: \(error.what)")]
    }
    return []
  }
}
