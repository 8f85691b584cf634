internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// A writer that builds a new store as a file next to its place, and publishes it by a rename.
final class NewStoreWriter: CopyWriter {
  private let destination: any DestinationStore
  private let options: CopyOptions
  private let partial: PartialFile
  /// The state of the source whose pages the partial file contains, if they were copied.
  private var adopted: Fingerprint?
  private(set) var hasTakenSource = false
  var hasPages: Bool { adopted != nil }
  /// Whether the file is kept even if this run fails: it belongs to an earlier run, or is finished and only lacks its
  /// final name.
  private var staysBehind = false
  /// Whether this run continues the rows of an earlier one.
  private(set) var continuesEarlierWork = false
  private let adoptsUnknownOrder: Bool
  /// The file of the source, if this process has made it.
  private let temporarySource: String?
  private let mayTakeSource: Bool
  private var snapshot: Snapshot?
  private var checkpoint: FileCheckpoint?
  private var fileNames: FileNames?
  private(set) var notes: [ReportNote] = []

  var isResumable: Bool { checkpoint != nil }
  var workPlace: String? { partial.path }

  /// Claims the partial file; the remains of an earlier run are kept only if it is resumed.
  init(_ destination: any DestinationStore, at file: StoreFile, source: any SourceStore, options: CopyOptions)
    throws(DecantError)
  {
    self.destination = destination
    self.options = options
    adoptsUnknownOrder = !source.unknownCollations.isEmpty
    temporarySource = source.isTemporary ? source.path : nil
    mayTakeSource = source.mayBeTaken
    let path = file.path
    if let file = source.path, Files.isSamePlace(file, path + ".decant-partial") {
      throw DecantError(
        .sameFile,
        "“\(file)” is the path where the copy to “\(path)” would be built",
        remedy: "rename the source, or use another destination"
      )
    }
    partial = try PartialFile(for: path)
    // Another decant process may have finished there while this one was planning.
    guard FileStatus(unfollowed: path) == nil else {
      if !partial.isLeftOver { partial.remove() }
      throw DecantError(
        .placeOccupied,
        "“\(destination.identity.place)” was created after the copy was planned",
        remedy: "check that file, or use another destination"
      )
    }
    guard partial.isLeftOver else { return }
    let isToResume = options.leftOver == .resume
    let leftOver = isToResume ? try FileCheckpoint.leftOver(in: partial.path) : .nothing
    if leftOver == .unsure {
      notes.append(
        ReportNote(
          .startedOver,
          "the copy starts over: the machine was restarted, so \(partial.path) may lack data written before"))
      try partial.clear()
    } else if leftOver == .nothing {
      notes.append(
        isToResume
          ? ReportNote(
            .startedOver,
            "the copy starts over: \(partial.path) cannot be resumed, because a copy made page by page has no checkpoints"
          )
          : ReportNote(.leftoversRemoved, "removed the leftovers of an interrupted copy at \(partial.path)")
      )
      try partial.clear()
    }
  }

  func adoptPages(from connection: Connection, in fingerprint: Fingerprint) throws(DecantError) {
    guard FileStatus(partial.path)?.byteCount == 0 else { return }
    let isWhole = try explaining("cannot copy the pages of the source") { () throws(SQLiteError) in
      try connection.integer("PRAGMA \(CopySession.source).freelist_count") == 0
    }
    if isWhole, let temporarySource, FileStatus(temporarySource + "-wal") == nil {
      // Its pages are as new as a vacuum would write them, and nobody else writes to it.
      if mayTakeSource { hasTakenSource = try partial.take(temporarySource) }
      if !hasTakenSource { try copyPages(of: temporarySource) }
    } else {
      try explaining("cannot copy the pages of the source") { () throws(SQLiteError) in
        try connection.vacuum(CopySession.source, into: partial.path)
      }
    }
    adopted = fingerprint
  }

  private func copyPages(of file: String) throws(DecantError) {
    do throws(SystemError) {
      try Files.copy(file, to: partial.path) { _ in Cancellation.current?.isCancelled != true }
    } catch {
      throw DecantError(error)
    }
  }

  func open(_ source: any SourceStore, _ stop: ProgressCheck) throws(DecantError)
    -> (session: CopySession, fingerprint: Fingerprint)
  {
    let held = try hold(source, stop)
    if let adopted, adopted != held.fingerprint {
      guard !hasTakenSource else {
        throw DecantError(
          .fileChanged, "another program changed “\(partial.path)”",
          remedy: "do not touch it while decant runs, and \(.again)")
      }
      // The source has changed since its pages were copied: its rows are copied instead.
      self.adopted = nil
      snapshot = nil
      try partial.clear()
      return try hold(source, stop)
    }
    return held
  }

  private func hold(_ source: any SourceStore, _ stop: ProgressCheck) throws(DecantError)
    -> (session: CopySession, fingerprint: Fingerprint)
  {
    let session = try CopySession(
      DatabaseFile.uri(of: partial.path, "mode=rw"),
      mode: .readWrite,
      source: source,
      encoding: destination.requiredEncoding
    )
    session.setProgressCheck(stop)
    let fingerprint = try explaining("cannot write “\(partial.path)”") {
      () throws(SQLiteError) in
      // The database is private: nobody opens it before it is published, and the system keeps the pages of a killed
      // process. After a system crash the file is discarded. The page size has to be set before anything else touches
      // the file.
      let found = try session.connection.integer("PRAGMA \(CopySession.source).page_size") ?? 4096
      let pageSize = options.fillsTemporary ? max(found, Connection.temporaryPageSize) : found
      try session.connection.run("PRAGMA main.page_size = \(pageSize)")
      _ = try session.connection.text("PRAGMA main.journal_mode = TRUNCATE")
      try session.connection.run("PRAGMA main.synchronous = OFF")
      let held = try source.holding(CopySession.source, on: session.connection)
      snapshot = held.state
      return held.fingerprint
    }
    try destination.prepare(session.connection)
    return (session, fingerprint)
  }

  func begin(_ planning: any PlannedCopy, on session: CopySession) throws(DecantError) -> (any Checkpoint)? {
    let checkpoint = FileCheckpoint(connection: session.connection, planning)
    if try isUnfinished(checkpoint, session) {
      self.checkpoint = checkpoint
      return checkpoint
    }
    // Pages are copied all at once: there is no partial state to resume.
    guard adopted == nil else { return nil }
    try destination.make(.tables, on: session.connection, source: CopySession.source)
    if options.onError == .reject {
      try destination.make(.uniqueIndexes, on: session.connection, source: CopySession.source)
    }
    try FileCheckpoint.checkNames(on: session.connection, place: planning.sourcePlace)
    try explaining("cannot begin the copy") { () throws(SQLiteError) in
      try session.connection.transaction { () throws(SQLiteError) in
        try checkpoint.create()
        try Rejects(connection: session.connection, schema: "main").create()
      }
    }
    // Only now is there something to resume.
    self.checkpoint = checkpoint
    return checkpoint
  }

  func copyFiles(_ planning: any PlannedCopy, from source: any SourceStore, on session: CopySession)
    throws(DecantError) -> CopyReport.FileCounts?
  {
    let files = try ExternalFiles.between(source, destination, on: session)
    fileNames = files?.names
    return try files?.copy(in: destination.layout, planning)
  }

  func finish(_ planning: any PlannedCopy, on session: CopySession) throws(DecantError) {
    let connection = session.connection
    let isFilled = try explaining("cannot read the checkpoint") { () throws(SQLiteError) in
      try checkpoint?.isFinished() ?? false
    }
    if !isFilled { try fill(planning, connection) }
    // Tables can be dropped, and pages vacuumed, only when no transaction holds the source.
    snapshot = nil
    var isDirty = false
    try inTransaction(connection) { () throws(DecantError) in
      if adopted != nil { isDirty = try destination.adoptPages(on: connection) }
      guard adopted == nil else { return }
      try explaining("cannot drop the work tables") { () throws(SQLiteError) in
        for table in OwnTables.ofWork {
          try connection.run("DROP TABLE IF EXISTS main.\(table)")
        }
      }
    }
    try explaining("cannot finish “\(partial.path)”") { () throws(SQLiteError) in
      // Deleted rows stay readable in free pages until the file is vacuumed.
      if isDirty { try connection.run("VACUUM main") }
      // The work tables leave a few free pages, which a store with automatic vacuuming releases.
      try connection.run("PRAGMA main.incremental_vacuum")
      _ = try connection.text("PRAGMA main.journal_mode = DELETE")
    }
    checkpoint = nil
  }

  /// Writes everything besides rows, and records that it is done: a resumed run must not repeat it.
  private func fill(_ planning: any PlannedCopy, _ connection: Connection) throws(DecantError) {
    let counters = try planning.highestKeys()
    let written = try planning.writtenObjects(on: connection)
    try inTransaction(connection) { () throws(DecantError) in
      try destination.allocate(counters, on: connection)
      try destination.finish(on: connection, source: CopySession.source, written: written)
      guard adopted == nil else { return }
      do throws(DecantError) {
        try destination.make(.indexes, on: connection, source: CopySession.source)
        if written.isMerge {
          try destination.make(.derivedValues(written), on: connection, source: CopySession.source)
        }
      } catch {
        throw try DoubledValues(error, in: destination.layout, of: options.purpose)?
          .error(on: connection) ?? error
      }
      try explaining("cannot record the checkpoint") { () throws(SQLiteError) in
        try checkpoint?.setFinished()
      }
    }
  }

  func reader(_ session: CopySession) throws(DecantError) -> (connection: Connection, schema: String) {
    let connection = try explaining("cannot read “\(partial.path)” again") {
      () throws(SQLiteError) in
      let connection = try Connection(DatabaseFile.uri(of: partial.path, "mode=ro"), mode: .readOnly)
      if adoptsUnknownOrder { try connection.acceptUnknownCollations() }
      return connection
    }
    try destination.prepare(connection)
    return (connection, "main")
  }

  var heldState: Fingerprint? { nil }

  func note(idTable file: String, partial _: String) throws(DecantError) {
    try IDTableFile(file).note(copy: partial.path)
  }

  func clear() {}

  func publish(_ session: CopySession) throws(DecantError) {
    try explaining { () throws(SystemError) in try Files.syncInPieces(partial.path) }
    // The file is finished and proven: if it cannot be put in place now, it is kept nevertheless.
    staysBehind = true
    try partial.publish()
  }

  var holdsCopy: Bool { staysBehind }

  func abandon(toResume: Bool, after error: DecantError) -> DecantError {
    snapshot = nil
    guard !toResume, !staysBehind else { return error }
    fileNames?.removeMade()
    partial.remove()
    return error
  }

  /// Returns whether `main` holds rows to continue.
  private func isUnfinished(_ checkpoint: FileCheckpoint, _ session: CopySession) throws(DecantError) -> Bool {
    guard options.leftOver == .resume else { return false }
    let differences = try explaining("cannot read “\(partial.path)”") {
      () throws(SQLiteError) -> [String]? in
      guard try FileCheckpoint.exists(in: "main", on: session.connection) else { return nil }
      return try checkpoint.differences()
    }
    guard let differences else { return false }
    do throws(DecantError) {
      try checkpoint.circumstances.refuse(differences, place: destination.identity.place)
    } catch {
      staysBehind = true
      throw error
    }
    continuesEarlierWork = true
    return true
  }

  private func inTransaction(_ connection: Connection, _ body: () throws(DecantError) -> Void) throws(DecantError) {
    try explaining("cannot begin a transaction") { () throws(SQLiteError) in
      try connection.run("BEGIN")
    }
    try body()
    try explaining("cannot commit") { () throws(SQLiteError) in try connection.run("COMMIT") }
  }
}
