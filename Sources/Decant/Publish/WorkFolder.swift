internal import Glibc

/// The folder in which a migration of a store works: `NAME.decant-work` beside it, on the same disk.
///
/// It belongs to one process at a time and is gone when the migration is done. What a kill leaves in it the next run
/// goes on with, or clears.
final class WorkFolder {
  /// The store's file.
  let store: String
  let path: String
  private let descriptor: Int32

  private static let lockName = "lock"

  /// The place of the folder for the store at `file`.
  static func path(of file: String) -> String { file + ".decant-work" }

  /// Where the store of the wanted version is made.
  var made: String { WorkFolder.made(of: store) }
  /// Where the store after the step of this number is made, which only lies between.
  func between(_ number: Int) -> String { WorkFolder.between(number, of: store) }

  /// Where the store of the wanted version is made for the one at `file`.
  static func made(of file: String) -> String { "\(path(of: file))/new.sqlite" }

  /// Where the one after the step of this number is made for the one at `file`.
  static func between(_ number: Int, of file: String) -> String {
    "\(path(of: file))/step-\(number).sqlite"
  }

  /// Where the step of this number writes which object became which.
  func idTable(_ number: Int) -> String { "\(path)/ids-\(number).sqlite" }

  /// The note of this name.
  func note(_ name: String, form: String) -> MigrationNote {
    MigrationNote(path: "\(path)/\(name)", form: form)
  }

  /// The note of the steps that are done.
  var finishedSteps: FinishedSteps { FinishedSteps(self) }

  var journal: SwapJournal {
    SwapJournal(store: store, made: made, path: "\(path)/swap")
  }

  /// Claims the folder for the store at `file`, making it if there is none.
  ///
  /// - Throws: `DecantError` with code `.storeBusy` while another process migrates the store.
  init(for file: String) throws(DecantError) {
    let path = WorkFolder.path(of: file)
    (store, self.path) = (file, path)
    // Whoever had it before may have removed it in the meantime; a few times in a row that is chance.
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
          .storeBusy,
          "another decant is migrating “\(file)” at this moment",
          place: LockHolders.text(of: [lock]),
          remedy: "wait until it is done"
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
  ///   - abandons: Whether what one has left that was only working is not to be gone on with.
  /// - Returns: What became of it; one that was only working has changed nothing.
  /// - Throws: `DecantError` where nobody can tell which store is which, or another process is at it.
  static func settle(_ file: String, abandons: Bool = false) throws(DecantError)
    -> SwapJournal.Outcome
  {
    guard FileStatus(WorkFolder.path(of: file))?.isFolder == true else { return .none }
    let folder = try WorkFolder(for: file)
    var outcome = try folder.journal.settle()
    if case .done = outcome, !abandons { try PendingIDTable(folder).complete() }
    let isEmpty = try folder.names().isEmpty
    if outcome == .none, abandons, !isEmpty { outcome = .undone }
    if outcome != .none || isEmpty { try folder.remove() }
    return outcome
  }

  /// Removes what an earlier run has left for the store at `file`, which needs no migration any more.
  static func clear(_ file: String) throws(DecantError) {
    guard FileStatus(WorkFolder.path(of: file))?.isFolder == true else { return }
    let folder = try WorkFolder(for: file)
    try folder.clear()
    if try folder.names().isEmpty { try folder.remove() }
  }

  /// Removes what an earlier run has left.
  ///
  /// - Parameters:
  ///   - begun: The store that was being made and is gone on with.
  ///   - finished: The store that it is made of, where that is of a step that is done.
  ///   - number: The number of that step.
  /// - Throws: `DecantError` where something cannot be removed.
  func clear(keepingBegun begun: String? = nil, finished: String? = nil, of number: Int = 0)
    throws(DecantError)
  {
    var kept: Set<String> = [PendingRemoval.name]
    func keep(_ store: String, _ suffixes: [String]) {
      let name = Files.name(of: store)
      kept.formUnion(suffixes.map { name + $0 })
      kept.insert(".\(name.split(separator: ".").first ?? "")_SUPPORT")
    }
    // The journal takes back what a kill has left half written.
    if let begun { keep(begun, [".decant-partial", ".decant-partial-journal"]) }
    if let finished {
      keep(finished, [""])
      kept.insert(FinishedSteps.name)
      kept.formUnion((0...number).map { Files.name(of: idTable($0)) })
    }
    try explaining { () throws(SystemError) in
      for name in try leftNames() where !kept.contains(name) { try removeInner(name) }
    }
  }

  /// Removes the folder and all that is in it.
  ///
  /// The note of an exchange goes last of what tells how far the work was: without it a folder that is not empty has
  /// changed nothing.
  func remove() throws(DecantError) {
    try explaining { () throws(SystemError) in
      let note = Files.name(of: journal.path)
      for name in try leftNames() where name != note { try removeInner(name) }
      for name in [note, WorkFolder.lockName] { try Files.remove("\(path)/\(name)") }
      try Files.removeTree(path)
      try Files.syncFolder(Files.folder(of: path))
    }
  }

  /// Whether there is something that can be gone on with.
  var holdsWork: Bool {
    // What cannot be listed cannot be gone on with.
    (try? leftNames())?.contains { $0.hasSuffix(".decant-partial") || $0 == FinishedSteps.name }
      ?? false
  }

  /// The names of what is in it, without what only says whose it is.
  private func names() throws(DecantError) -> [String] {
    try explaining { () throws(SystemError) in try leftNames() }
  }

  private func leftNames() throws(SystemError) -> [String] {
    try Files.names(in: path).filter { $0 != WorkFolder.lockName }
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
