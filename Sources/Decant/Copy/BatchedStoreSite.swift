internal import SQLite

/// A store that is changed batch by batch, so that a very large run can be resumed.
///
/// A backup is taken first. Until the last batch the work tables stay in the store, and so does what
/// is copied: a run that is cut off leaves a part, which `--resume` completes.
final class BatchedStoreSite: CopySite {
  private let lock: DestinationLock
  private let options: CopyOptions
  private var snapshot: Snapshot?
  private var checkpoint: Checkpoint?
  /// The store as it was, where this run has made it.
  private var backup: String?
  private var bench: Workbench?
  private var isEnding = false
  private var hasMoved = false
  private(set) var holdsCopy = false
  private(set) var notes: [String] = []
  /// Whether this run goes on with the rows of an earlier one.
  private(set) var continuesEarlierWork = false

  private var destination: any DestinationStore { lock.destination }

  var isResumable: Bool { checkpoint != nil }

  init(_ destination: any DestinationStore, options: CopyOptions) {
    lock = DestinationLock(destination: destination)
    self.options = options
  }

  func open(_ source: any SourceStore) throws(DecantError)
    -> (bench: Workbench, fingerprint: Fingerprint)
  {
    let bench = try lock.open(source)
    self.bench = bench
    let connection = bench.connection
    let isUnfinished = try explaining("cannot read “\(destination.identity.place)”") {
      () throws(SQLiteError) in
      try Checkpoint.exists(in: "main", on: connection)
    }
    // It was looked for while planning; but that was before the lock.
    if isUnfinished, options.leftOver != .resume {
      throw Checkpoint.unfinished(destination.identity.place)
    }
    if !isUnfinished {
      try Checkpoint.checkNames(on: connection, place: destination.identity.place)
      let backup = try lock.makeBackup(connection)
      self.backup = backup
      notes.append("the store as it was: \(backup)")
      try explaining("cannot begin the copy") { () throws(SQLiteError) in
        let mode = try connection.text("PRAGMA main.journal_mode") ?? "delete"
        try Checkpoint.prepare(journalMode: mode, on: connection)
      }
    }
    let fingerprint = try explaining("cannot hold the source") { () throws(SQLiteError) in
      // A log would grow without end: while the source is held, nothing can be checkpointed.
      _ = try connection.text("PRAGMA main.journal_mode = TRUNCATE")
      let held = try Fingerprint.holding(Workbench.source, on: connection) {
        () throws(SQLiteError) in
        try Snapshot(of: Workbench.source, on: connection)
      } release: { snapshot in
        snapshot.release()
      }
      snapshot = held.state
      return held.fingerprint
    }
    return (bench, fingerprint)
  }

  func begin(_ planning: Planning, on bench: Workbench) throws(DecantError) -> Checkpoint? {
    let connection = bench.connection
    let checkpoint = Checkpoint(connection: connection, planning, isDurable: true)
    let counters = try planning.highestKeys()
    let differences = try explaining("cannot begin the copy") { () throws(SQLiteError) in
      try Checkpoint.exists(in: "main", on: connection) ? try checkpoint.differences() : nil
    }
    if let differences {
      try checkpoint.refuse(differences, place: destination.identity.place)
      try explaining("cannot read the checkpoint") { () throws(SQLiteError) in
        try Rejects(connection: connection, schema: "main").complete()
      }
      self.checkpoint = checkpoint
      continuesEarlierWork = true
      return checkpoint
    }
    try explaining("cannot begin the copy") { () throws(SQLiteError) in
      try connection.run("BEGIN")
      try checkpoint.recordCircumstances()
      try checkpoint.record(counters: planning.counters)
      try checkpoint.record(merge: planning)
      try Rejects(connection: connection, schema: "main").create()
    }
    // The keys are handed out at once: should an app open the half-filled store, it takes others.
    try destination.handOut(counters, on: connection)
    try explaining("cannot begin the copy") { () throws(SQLiteError) in
      try connection.run("COMMIT")
    }
    self.checkpoint = checkpoint
    return checkpoint
  }

  func copyFiles(_ planning: Planning, from source: any SourceStore, on bench: Workbench)
    throws(DecantError) -> CopyReport.FileCounts?
  {
    let files = try ExternalFiles.between(source, destination, on: bench)
    return try files?.copy(in: destination.layout, planning)
  }

  func finish(_ planning: Planning, on bench: Workbench) throws(DecantError) {
    let connection = bench.connection
    let isFilled = try explaining("cannot read the checkpoint") { () throws(SQLiteError) in
      try checkpoint?.isFinished() ?? false
    }
    if !isFilled {
      let written = try planning.writtenObjects(on: bench.connection)
      try explaining("cannot begin a transaction") { () throws(SQLiteError) in
        try connection.run("BEGIN")
      }
      try destination.finish(
        on: connection,
        source: Workbench.source,
        written: written
      )
      try explaining("cannot commit") { () throws(SQLiteError) in
        try checkpoint?.setFinished()
        try connection.run("COMMIT")
      }
    }
    snapshot = nil
  }

  func reader(_ bench: Workbench) throws(DecantError) -> (connection: Connection, schema: String) {
    (bench.connection, "main")
  }

  func publish(_ bench: Workbench) throws(DecantError) {
    try checkIsThere(bench)
    try explaining("cannot finish “\(destination.identity.place)”") { () throws(SQLiteError) in
      isEnding = true
      try Checkpoint.finish(on: bench.connection)
    }
    if lock.hasGone(bench.connection) { try checkIsThere(bench) }
  }

  private func checkIsThere(_ bench: Workbench) throws(DecantError) {
    hasMoved = lock.hasGone(bench.connection)
    try lock.checkIsThere(bench.connection)
  }

  func abandon(toResume: Bool, after error: DecantError) -> DecantError {
    snapshot = nil
    checkpoint = nil
    let wasOpen = bench != nil
    bench = nil
    var error = error
    if hasMoved, let backup { error.tell("the store as it was: \(backup)") }
    guard wasOpen, !hasMoved else { return error }
    var isUnfinished = false
    let found = Aftermath.of(destination.path) { connection throws(SQLiteError) in
      isUnfinished = try Checkpoint.exists(in: "main", on: connection)
      // Nothing was copied yet. Should this not be possible any more, the next run does it.
      if !isUnfinished { try Checkpoint.clearPrepared(on: connection) }
      return isUnfinished || isEnding
    }
    let place = destination.identity.place
    holdsCopy = isEnding && !isUnfinished && found != .asItWas
    if found == .changed, !isUnfinished { return .unconfirmed(place, error) }
    if found == .asItWas {
      // Nothing of the copy is there: the backup is of no use, nor does it harm.
      if let backup { try? Files.remove(backup) }
      return error
    }
    // What is committed stays, and so does the backup.
    if isUnfinished { error.tell("“\(place)” holds a part of the copy") }
    if let backup { error.tell("the store as it was: \(backup)") }
    if isUnfinished {
      let undo = "to undo it: decant rollback \(place.shellWord)"
      error.remedy = [error.remedy, "to go on, run it with --resume", undo]
        .compactMap(\.self).joined(separator: "; ")
    }
    return error
  }
}
