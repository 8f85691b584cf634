package import DecantBase
internal import DecantSystem

/// The folder in which a store is made that takes the place of another one: `NAME.decant-work` beside it, on the same disk.
///
/// It belongs to one process at a time and is gone when the work is done. What a kill leaves in it the next run continues
/// or clears.
package final class WorkFolder {
  /// What is done in it.
  package enum Work: String, Sendable, Hashable {
    /// A copy into a store that is there, batch by batch.
    case copy
    /// A migration to another version.
    case migration
    /// The return of a backup.
    case rollback
  }

  /// The store's file.
  package let store: String
  package let path: String
  private let descriptor: Int32

  private static let lockName = "lock"
  private static let journalName = "journal"

  /// The place of the folder for the store at `file`.
  package static func path(of file: String) -> String { file + ".decant-work" }

  /// Where a copy or a migration makes the store that takes the place of the one at `file`.
  package static func made(by work: Work, of file: String) -> String {
    "\(path(of: file))/\(work == .copy ? "copy" : "new").sqlite"
  }

  package var journal: WorkJournal { WorkJournal(path: "\(path)/\(WorkFolder.journalName)") }

  /// The exchange of what `work` made with the store.
  ///
  /// - Parameters:
  ///   - work: What is done.
  ///   - ending: What a rollback's backup has behind the name of the store.
  /// - Returns: The exchange, of which nothing is noted yet.
  package func exchange(_ work: Work, backup ending: String? = nil) -> FileExchange {
    FileExchange(
      work: work,
      store: store,
      made: ending.map { store + $0 } ?? WorkFolder.made(by: work, of: store),
      journal: journal
    )
  }

  /// The exchange that is noted: it was begun, or is about to be.
  private var notedExchange: FileExchange? {
    get throws(DecantError) {
      guard let values = try journal.values(of: .exchange),
        let work = values.first.flatMap({ Work(rawValue: $0) })
      else { return nil }
      return exchange(work, backup: values.dropFirst(5).first)
    }
  }

  /// Where is noted which files the work has made beside the store.
  package var madeFiles: String { "\(path)/files" }

  /// Where the step of this number writes which object became which.
  package func idTable(_ number: Int) -> String { "\(path)/ids-\(number).sqlite" }

  /// Removes the files that the work has made beside the store, to which no object refers.
  package func removeFiles() throws(DecantError) { try FileNames.removeMade(notedIn: madeFiles) }

  /// Claims the folder for the store at `file`, making it if there is none.
  ///
  /// - Throws: `DecantError` of the family `.storeBusy` while another process works in it.
  package init(for file: String) throws(DecantError) {
    let path = WorkFolder.path(of: file)
    (store, self.path) = (file, path)
    // Whoever had it before may have removed it in the meantime; a few times in a row that is chance.
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

  /// Ends what an earlier run was cut off in.
  ///
  /// - Parameters:
  ///   - file: The store's file.
  ///   - complete: Completes what else was to be there once the store is; `nil` where what an earlier run has left that was
  ///     only working is not to be gone on with.
  /// - Returns: What became of it; one that was only working has changed nothing.
  /// - Throws: `DecantError` where nobody can tell which store is which, or another process is at it.
  package static func settle(
    _ file: String,
    completing complete: ((WorkFolder) throws(DecantError) -> Void)?
  ) throws(DecantError) -> FileExchange.Outcome {
    guard FileStatus(WorkFolder.path(of: file))?.isFolder == true else { return .none }
    let folder = try WorkFolder(for: file)
    var outcome = try folder.notedExchange?.settle() ?? .none
    if try folder.journal.values(of: .log) != nil {
      // Core Data sets the mode it wants by itself; of a store that is in use nothing is taken away.
      _ = ExclusiveFile.giveLog(file)
      try folder.journal.write(nil, on: .log)
    }
    if outcome == .undone(.copy), complete != nil {
      // A copy that is begun or resumed finds what is left, and that the store does not hold it.
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

  /// What a reader should know of an interrupted run's leftovers beside the store at `path`.
  package static func notes(on path: String?) -> [ReportNote] {
    guard let path, case let place = WorkFolder.path(of: Files.target(of: path)),
      FileStatus(unfollowed: place)?.isFolder == true
    else { return [] }
    return [
      ReportNote(
        .interruptedRun,
        "an interrupted copy, migration or rollback left “\(place)”",
        remedy:
          "\(shell: "run that command again", app: "repeat that operation") to complete it (a copy or migration with \(say: .resume)), or run \(command: "rollback", app: "a rollback") "
          + "to remove the leftovers",
        after: ": "
      )
    ]
  }

  /// Removes what an earlier run has left for the store at `file`, which needs no work any more.
  package static func clear(_ file: String) throws(DecantError) {
    guard FileStatus(WorkFolder.path(of: file))?.isFolder == true else { return }
    let folder = try WorkFolder(for: file)
    try folder.clear()
    if try folder.isEmpty { try folder.remove() }
  }

  /// Removes what an earlier run has left, but for the note that an old store is to be removed.
  ///
  /// - Parameters:
  ///   - kept: The names in the folder of what is continued.
  ///   - keepsSteps: Whether the steps that are done are continued.
  /// - Throws: `DecantError` where something cannot be removed.
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

  /// Removes the folder and all that is in it.
  ///
  /// The journal goes last of what says how far the work was: without it a folder that is not empty has changed nothing.
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

  /// Throws while the store as it was lies here, as it could not be given the name of a backup.
  private func checkMayBeRemoved() throws(DecantError) {
    guard let exchange = try notedExchange, exchange.holdsOldStore else { return }
    throw DecantError(
      .completedPartly,
      "the previous store is “\(exchange.made)”; it could not be renamed to the backup's name",
      remedy:
        "fix the folder's permissions, then run \(command: "rollback \(store.shellWord)", app: "a rollback"), or \(shell: "run the command again", app: "try again")"
    )
  }

  /// Whether there is something that can be continued.
  package var holdsWork: Bool {
    // What cannot be listed or read cannot be continued.
    if (try? journal.values(of: .steps)) != nil { return true }
    return (try? names())?.contains { $0.hasSuffix(".decant-partial") } ?? false
  }

  private var isEmpty: Bool {
    get throws(DecantError) {
      try explaining { () throws(SystemError) in try names().isEmpty }
    }
  }

  /// The names of what is in it, without what only says whose it is, and a journal that is not valid yet.
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
