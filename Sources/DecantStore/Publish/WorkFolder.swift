package import DecantBase
internal import DecantSystem

/// The folder in which a replacement store is built: `NAME.decant-work` beside the store, on the same disk.
///
/// It belongs to one process at a time and is removed when the work is complete. After a kill, the next run continues
/// or removes its content.
package final class WorkFolder {
  /// The kind of work.
  package enum Work: String, Sendable, Hashable {
    /// A copy into an existing store, in batches.
    case copy
    /// A migration to another version.
    case migration
    /// The restoration of a backup.
    case rollback
    /// The removal of sync metadata.
    case clean
  }

  /// The store's file.
  package let store: String
  package let path: String
  private let descriptor: Int32

  private static let lockName = "lock"
  private static let journalName = "journal"

  /// Returns the path of the folder for the store at `file`.
  package static func path(of file: String) -> String { file + ".decant-work" }

  /// Returns the path at which `work` builds the replacement of the store at `file`.
  package static func made(by work: Work, of file: String) -> String {
    "\(path(of: file))/\(work == .migration ? "new" : work.rawValue).sqlite"
  }

  package var journal: WorkJournal { WorkJournal(path: "\(path)/\(WorkFolder.journalName)") }

  /// Returns the exchange of the file created by `work` with the store.
  ///
  /// - Parameters:
  ///   - work: The kind of work.
  ///   - ending: The ending of a rollback's backup after the name of the store.
  ///   - keepsBackup: Whether the previous store becomes a backup; otherwise it is deleted.
  /// - Returns: The exchange, which is not recorded yet.
  package func exchange(_ work: Work, backup ending: String? = nil, keepsBackup: Bool = true) -> FileExchange {
    FileExchange(
      work: work,
      store: store,
      made: ending.map { store + $0 } ?? WorkFolder.made(by: work, of: store),
      journal: journal,
      keepsBackup: keepsBackup
    )
  }

  /// The recorded exchange, which was started or is about to be.
  private var notedExchange: FileExchange? {
    get throws(DecantError) {
      guard let values = try journal.values(of: .exchange),
        let work = values.first.flatMap({ Work(rawValue: $0) })
      else { return nil }
      let last = values.dropFirst(5).first
      return exchange(work, backup: work == .rollback ? last : nil, keepsBackup: last != FileExchange.noBackup)
    }
  }

  /// The database that records the files that the work created beside the store.
  package var madeFiles: String { "\(path)/files" }

  /// Returns the path of the ID table of the step with this number.
  package func idTable(_ number: Int) -> String { "\(path)/ids-\(number).sqlite" }

  /// Removes the files that the work created beside the store, to which no object refers.
  package func removeFiles() throws(DecantError) { try FileNames.removeMade(notedIn: madeFiles) }

  /// Locks the folder for the store at `file`, creating it if necessary.
  ///
  /// - Throws: `DecantError` of the family `.storeBusy` if another process works in it, of the family `.usage` if the
  ///   store's name is too long for a backup.
  package init(for file: String) throws(DecantError) {
    try Backups(of: file).checkLength()
    let path = WorkFolder.path(of: file)
    (store, self.path) = (file, path)
    // The previous holder may have removed it meanwhile; a few repetitions are possible.
    if let other = FileStatus(unfollowed: path), !other.isFolder {
      throw DecantError(
        .placeOccupied,
        "“\(path)” is in the way: decant needs that path to work on “\(file)”",
        remedy: "move it away",
        remedies: [.moveAway(path)]
      )
    }
    for _ in 1...100 {
      try explaining { () throws(SystemError) in try Files.makePrivateFolder(path) }
      let lock = "\(path)/\(WorkFolder.lockName)"
      let descriptor = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else {
        let error = SystemError("write", lock)
        if error.isMissing { continue }
        throw DecantError(error)
      }
      guard Files.claim(descriptor) else {
        close(descriptor)
        throw DecantError(
          .otherRun,
          "another decant process is working on “\(file)”",
          place: LockHolders(of: [lock]).text,
          remedy: "wait until it finishes"
        )
      }
      if FileStatus(descriptor: descriptor)?.isSame(as: lock) == true {
        self.descriptor = descriptor
        return
      }
      close(descriptor)
    }
    throw DecantError(SystemError("claim", path, code: SystemError.inputOutput))
  }

  deinit { Files.release(descriptor) }

  /// Completes or undoes the work of an interrupted run.
  ///
  /// - Parameters:
  ///   - file: The store's file.
  ///   - own: The only work to settle; `nil` for any.
  ///   - complete: Completes the rest of the work once the store is in place; `nil` if unfinished work of an earlier
  ///     run is not to be continued.
  /// - Returns: The outcome; unfinished work has changed nothing.
  /// - Throws: `DecantError` if the files cannot be identified, another process works in the folder, or it holds work
  ///   other than `own`.
  package static func settle(
    _ file: String,
    of own: Work? = nil,
    completing complete: ((WorkFolder) throws(DecantError) -> Void)?
  ) throws(DecantError) -> FileExchange.Outcome {
    guard FileStatus(WorkFolder.path(of: file))?.isFolder == true else { return .none }
    let folder = try WorkFolder(for: file)
    if let own { try folder.check(own) }
    var outcome = try folder.notedExchange?.settle() ?? .none
    if try folder.journal.values(of: .log) != nil {
      // Core Data sets its mode itself; a store that is in use stays as it is.
      _ = ExclusiveFile.giveLog(file)
      try folder.journal.write(nil, on: .log)
    }
    if outcome == .undone(.copy), complete != nil {
      // A copy that is started or resumed finds the leftovers, and that the store does not contain them.
      try folder.journal.write(nil, on: .exchange)
      return .none
    }
    if case .done = outcome { try complete?(folder) }
    let isEmpty = try folder.isEmpty
    if outcome == .none, complete == nil, !isEmpty { outcome = .undone(nil) }
    if case .undone = outcome { try folder.removeFiles() }
    if outcome != .none || isEmpty { try folder.remove() }
    return outcome
  }

  /// Throws if the folder holds work other than `own`, which is only for its own operation to continue.
  private func check(_ own: Work) throws(DecantError) {
    let isOwn: Bool
    if let work = try notedExchange?.work {
      isOwn = work == own
    } else {
      let (steps, table) = (try journal.values(of: .steps), try journal.values(of: .idTable))
      let hasOther = try journal.values(of: .removal) != nil || steps != nil || table != nil
      let found = try explaining { () throws(SystemError) in try self.names() }
      isOwn = !hasOther && found.allSatisfy { $0.hasPrefix(own.rawValue) || $0 == WorkFolder.journalName }
    }
    guard !isOwn, let note = WorkFolder.notes(on: store).first else { return }
    throw DecantError(.placeOccupied, note.what, remedy: note.advice)
  }

  /// Returns the notes on leftovers of an interrupted run beside the store at `path`.
  package static func notes(on path: String?) -> [ReportNote] {
    guard let path, case let place = WorkFolder.path(of: Files.target(of: path)),
      FileStatus(unfollowed: place)?.isFolder == true
    else { return [] }
    return [
      ReportNote(
        .interruptedRun,
        "an interrupted copy, migration, cleaning or rollback left “\(place)”",
        remedy:
          "\(shell: "run that command again", app: "repeat that operation") to complete it (a copy or migration with \(say: .resume)), or run \(command: "rollback", app: "a rollback") "
          + "to remove the leftovers",
        after: ": "
      )
    ]
  }

  /// Removes the leftovers of an earlier run for the store at `file`, which needs no further work.
  package static func clear(_ file: String) throws(DecantError) {
    guard FileStatus(WorkFolder.path(of: file))?.isFolder == true else { return }
    let folder = try WorkFolder(for: file)
    try folder.clear()
    if try folder.isEmpty { try folder.remove() }
  }

  /// Removes the leftovers of an earlier run, except for the record that an old store is to be removed.
  ///
  /// - Parameters:
  ///   - kept: The names in the folder that are needed to continue.
  ///   - keepsSteps: Whether completed steps are kept.
  /// - Throws: `DecantError` if something cannot be removed.
  package func clear(keeping kept: Set<String> = [], keepsSteps: Bool = false) throws(DecantError) {
    try checkMayBeRemoved()
    if !kept.contains(Files.name(of: madeFiles)) { try removeFiles() }
    try explaining { () throws(SystemError) in
      for name in try names() where !kept.contains(name) && name != WorkFolder.journalName {
        try removeInner(name)
      }
    }
    try journal.write(nil, on: .exchange)
    try journal.write(nil, on: .idTable)
    if !keepsSteps { try journal.write(nil, on: .steps) }
  }

  /// Removes the folder and its content.
  ///
  /// The journal, which records the progress, is removed last: a folder without it that is not empty has changed
  /// nothing.
  package func remove() throws(DecantError) {
    try checkMayBeRemoved()
    try explaining { () throws(SystemError) in
      for name in try names() where name != WorkFolder.journalName { try removeInner(name) }
      for name in [WorkFolder.journalName, WorkFolder.lockName] {
        try Files.remove("\(path)/\(name)")
      }
      try Files.removeTree(path)
      try Files.syncFolder(Files.folder(of: path))
    }
  }

  /// Throws if the previous store is still here, as it could not be renamed to a backup.
  private func checkMayBeRemoved() throws(DecantError) {
    guard let exchange = try notedExchange, exchange.holdsOldStore else { return }
    throw DecantError(
      .completedPartly,
      "the previous store is “\(exchange.made)”; it could not be renamed to the backup's name",
      remedy:
        "fix the folder's permissions, then run \(command: "rollback \(store.shellWord)", app: "a rollback"), or \(.againOtherwise)"
    )
  }

  /// Whether there is work that can be continued.
  package var holdsWork: Bool {
    // Unreadable work cannot be continued.
    if (try? journal.values(of: .steps)) != nil { return true }
    return (try? names())?.contains { $0.hasSuffix(".decant-partial") } ?? false
  }

  private var isEmpty: Bool {
    get throws(DecantError) {
      try explaining { () throws(SystemError) in try names().isEmpty }
    }
  }

  /// Returns the names of its content, without the lock and an incomplete journal.
  private func names() throws(SystemError) -> [String] {
    let notCounted = [WorkFolder.lockName, Files.name(of: journal.partial)]
    return try Files.names(in: path).filter { !notCounted.contains($0) }
  }

  private func removeInner(_ name: String) throws(SystemError) {
    let inner = "\(path)/\(name)"
    if FileStatus(unfollowed: inner)?.isFolder == true {
      try Files.removeTree(inner)
    } else {
      try Files.remove(inner)
    }
  }
}
