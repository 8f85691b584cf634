internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// A writer that adds rows to a store batch by batch, so that a very large run can be resumed.
///
/// The batches are committed to a copy of the store in a work folder next to it. When the copy is complete and proven,
/// copy and store swap names, and the previous store becomes the backup. Until then the store itself is unchanged, and
/// no other process may write to it.
final class BatchedStoreWriter: CopyWriter {
  private let destination: any DestinationStore
  private let options: CopyOptions
  private let duplicating: (_ done: Int64, _ all: Int64) -> Bool
  /// The store's file; if its name is a link, the target.
  private let file: String
  private let folder: WorkFolder
  private var made: String { WorkFolder.made(by: .copy, of: file) }
  private var place: String { destination.identity.place }
  private var hold: ExclusiveLock?
  /// The state of the locked store.
  private(set) var heldState: Fingerprint?
  private var session: CopySession?
  private var snapshot: Snapshot?
  private var checkpoint: FileCheckpoint?
  private var fileNames: FileNames?
  private(set) var holdsCopy = false
  private(set) var notes: [ReportNote] = []
  /// Whether this run continues the rows of an earlier one.
  private(set) var continuesEarlierWork = false

  var isResumable: Bool { checkpoint != nil || continuesEarlierWork }
  var workPlace: String? { folder.path }

  /// Claims the folder; the remains of an earlier run are kept only if it is resumed.
  ///
  /// - Parameters:
  ///   - destination: The store.
  ///   - file: Its file.
  ///   - options: The options of the copy.
  ///   - duplicating: Called while the store is copied, with the finished and the total bytes; returns whether to
  ///     continue.
  /// - Throws: `DecantError` of the family `.storeBusy` if another process uses the folder, or `.usage` for a file that
  ///   cannot be swapped.
  init(
    _ destination: any DestinationStore,
    at file: StoreFile,
    options: CopyOptions,
    duplicating: @escaping (_ done: Int64, _ all: Int64) -> Bool
  ) throws(DecantError) {
    (self.destination, self.options, self.duplicating) = (destination, options, duplicating)
    self.file = Files.target(of: file.path)
    try BatchedStoreWriter.check(file, destination, options)
    folder = try WorkFolder(for: self.file)
    try settleLeftOver()
  }

  /// Throws if the store's file cannot be swapped, is open elsewhere, or there is nothing to resume.
  static func check(_ file: StoreFile, _ destination: any DestinationStore, _ options: CopyOptions)
    throws(DecantError)
  {
    let (file, place) = (Files.target(of: file.path), destination.identity.place)
    try StoreReplacement.checkCanReplace(
      file,
      place: place,
      remedy:
        "remove \(option: .commit, "batch"): \(say: .commit, "run") changes the file itself, in one transaction"
    )
    if !options.isDryRun { try ExclusiveFile.checkIsClosed(file, StoreLock(path: file, place: place)) }
    if options.leftOver == .resume, !options.matchesObjects(isNew: false) {
      try checkIsLeft(file, place)
    }
  }

  /// Throws if there is no unfinished copy; it may have been interrupted after it was done, and would be added twice.
  private static func checkIsLeft(_ file: String, _ place: String) throws(DecantError) {
    guard FileStatus(WorkFolder.made(by: .copy, of: file)) == nil else { return }
    let backup = try explaining { () throws(SystemError) in try Backups(of: file).latestName() }
    throw DecantError(
      .nothingToResume,
      "there is nothing to resume: no unfinished copy exists next to “\(place)”",
      place: "the copy is either complete or was never started"
        + (backup.map { "; the latest backup is “\($0)”" } ?? ""),
      remedy:
        "check with \(command: "verify", app: "a verification") whether the store holds the copy; without \(option: .resume), everything is copied into the store again"
    )
  }

  /// Finds the remains of an earlier run, which are continued or removed.
  private func settleLeftOver() throws(DecantError) {
    let isMade = FileStatus(made) != nil
    guard isMade || folder.holdsWork else {
      if options.leftOver == .resume {
        notes.append(ReportNote(.nothingToResume, "nothing to resume: this is a new copy"))
      }
      return try folder.clear()
    }
    switch isMade && options.leftOver == .resume ? try FileCheckpoint.leftOver(in: made) : .nothing
    {
    case .checkpoint: continuesEarlierWork = true
    case .unsure:
      notes.append(
        ReportNote(
          .startedOver, "the copy starts over: the machine was restarted, so \(made) may lack data written before"))
      try folder.clear()
    case .nothing:
      notes.append(ReportNote(.leftoversRemoved, "removed the leftovers of an interrupted run at \(folder.path)"))
      try folder.clear()
    }
  }

  func open(_ source: any SourceStore, _ stop: ProgressCheck) throws(DecantError)
    -> (session: CopySession, fingerprint: Fingerprint)
  {
    try DatabaseFile.recover(file)
    hold =
      continuesEarlierWork
      ? try ExclusiveLock(file, place: place)
      : try ExclusiveLock.copying(file, place: place, to: made, goesOn: duplicating)
    heldState = try state()
    let session = try CopySession(DatabaseFile.uri(of: made, "mode=rw"), mode: .readWrite, source: source)
    session.setProgressCheck(stop)
    self.session = session
    let connection = session.connection
    let fingerprint = try explaining("cannot write “\(made)”") { () throws(SQLiteError) in
      // Nobody opens the file before it has its final name, and the system keeps the pages of a killed process, so
      // nothing needs to be synced. After a system crash the file is discarded.
      _ = try connection.text("PRAGMA main.journal_mode = TRUNCATE")
      try connection.run("PRAGMA main.synchronous = OFF")
      let held = try source.holding(CopySession.source, on: connection)
      snapshot = held.state
      return held.fingerprint
    }
    try destination.prepare(connection)
    return (session, fingerprint)
  }

  private func state() throws(DecantError) -> Fingerprint {
    try explaining("cannot read “\(place)”") { () throws(SQLiteError) in
      try Fingerprint(of: "main", on: Connection(DatabaseFile.uri(of: file, "mode=ro"), mode: .readOnly))
    }
  }

  func begin(_ planning: any PlannedCopy, on session: CopySession) throws(DecantError) -> (any Checkpoint)? {
    let connection = session.connection
    let checkpoint = FileCheckpoint(connection: connection, planning, store: heldState)
    if continuesEarlierWork {
      let differences = try explaining("cannot read the checkpoint") { () throws(SQLiteError) in
        try checkpoint.differences()
      }
      try checkpoint.circumstances.refuse(differences, place: place)
    } else {
      try FileCheckpoint.checkNames(
        on: connection,
        place: place,
        remedy:
          "remove \(option: .commit, "batch"): the store is then changed in one transaction"
      )
      try explaining("cannot begin the copy") { () throws(SQLiteError) in
        try connection.transaction { () throws(SQLiteError) in
          try checkpoint.create()
          try Rejects(connection: connection, schema: "main").create()
        }
      }
    }
    self.checkpoint = checkpoint
    return checkpoint
  }

  func copyFiles(_ planning: any PlannedCopy, from source: any SourceStore, on session: CopySession)
    throws(DecantError) -> CopyReport.FileCounts?
  {
    let files = try ExternalFiles.between(source, destination, on: session, notedIn: folder.madeFiles)
    fileNames = files?.names
    return try files?.copy(in: destination.layout, planning)
  }

  func finish(_ planning: any PlannedCopy, on session: CopySession) throws(DecantError) {
    let connection = session.connection
    let isFilled = try explaining("cannot read the checkpoint") { () throws(SQLiteError) in
      try checkpoint?.isFinished() ?? false
    }
    if !isFilled {
      let counters = try planning.highestKeys()
      let written = try planning.writtenObjects(on: connection)
      try explaining("cannot begin a transaction") { () throws(SQLiteError) in
        try connection.run("BEGIN")
      }
      try destination.allocate(counters, on: connection)
      try destination.finish(on: connection, source: CopySession.source, written: written)
      try explaining("cannot commit") { () throws(SQLiteError) in
        try checkpoint?.setFinished()
        try connection.run("COMMIT")
      }
    }
    // Tables can be dropped only when no transaction holds the source.
    snapshot = nil
  }

  func reader(_ session: CopySession) throws(DecantError) -> (connection: Connection, schema: String) {
    (session.connection, "main")
  }

  func note(idTable file: String, partial _: String) throws(DecantError) {
    try PendingIDTable(folder).write(IDTableFile(file))
  }

  func publish(_ session: CopySession) throws(DecantError) {
    hold?.release()
    // If another process reads the store now, the copy is kept for resuming.
    try ExclusiveFile.checkIsClosed(file, StoreLock(path: file, place: place))
    let exchange = folder.exchange(.copy)
    let copy = FileStatus(made)
    do throws(DecantError) {
      // External files are already in place.
      let done = try StoreReplacement(exchange: exchange, place: place, folders: nil)
        .run(in: heldState?.description) { made throws(DecantError) in
          try ExclusiveFile(made, place: self.place, on: session.connection)
        } finish: { () throws(DecantError) in
          try dropWorkTables(session.connection)
        }
      notes +=
        [done.backup.map { ReportNote(.previousStore, "the previous store: \($0)") }].compactMap(\.self) + done.notes
      fileNames = nil
    } catch {
      holdsCopy = copy.map { $0.isSame(as: file) } ?? false
      // The swap may have moved the store's log into its file, which the next run would take for a change by others.
      if !holdsCopy, (try? state()) != heldState {
        (checkpoint, continuesEarlierWork) = (nil, false)
      }
      throw error
    }
  }

  /// Drops the work tables in the transaction that locks the copy, durably, and locks it again.
  private func dropWorkTables(_ connection: Connection) throws(DecantError) {
    try explaining("cannot finish “\(made)”") { () throws(SQLiteError) in
      try FileCheckpoint.dropTables(on: connection)
      try connection.run("COMMIT")
      // From here on there is nothing to resume.
      (checkpoint, continuesEarlierWork) = (nil, false)
      try connection.run("BEGIN EXCLUSIVE")
    }
  }

  func clear() {
    // The next run removes what remains.
    do throws(DecantError) { try folder.remove() } catch { notes.append(ReportNote(.notRemoved, error.what)) }
  }

  func abandon(toResume: Bool, after error: DecantError) -> DecantError {
    // All readers of the store must be closed before its lock is released.
    (snapshot, session, hold) = (nil, nil, nil)
    guard !toResume, !holdsCopy else { return error }
    // The next run removes what remains; the original error is the one to report.
    try? folder.removeFiles()
    try? folder.remove()
    return error
  }
}
