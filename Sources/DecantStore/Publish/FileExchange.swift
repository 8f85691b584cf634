package import DecantBase

/// Two files that change names, noted in the journal first: by it a later run ends what was interrupted.
///
/// A store and the file that is to take its place are known by their numbers, which stay with them whatever they
/// are called. At any moment one of the two is at the store's place, whole.
package struct FileExchange {
  /// What made the file.
  let work: WorkFolder.Work
  /// The store's file.
  let store: String
  /// The file that takes its place; afterwards the store as it was, until that gets the name of a backup.
  ///
  /// In a rollback it is a backup, whose name the store as it was keeps.
  let made: String
  /// Where it is noted, on the same disk.
  let journal: WorkJournal

  /// What became of an exchange that was cut off.
  package enum Outcome: Sendable, Hashable {
    /// None was begun.
    case none
    /// The store is as it was; what was noted is told, where anything was.
    case undone(WorkFolder.Work?)
    /// What `work` made is in place, and the store as it was is the backup of this name.
    case done(backup: String, WorkFolder.Work)
  }

  /// Notes which file is which, so that it outlasts the machine.
  func write() throws(DecantError) {
    guard let old = FileStatus(store), let new = FileStatus(made) else {
      throw DecantError(.fileChanged, "“\(made)” was removed while decant was moving it into place")
    }
    var values = [work.rawValue]
    for status in [old, new] { values += [String(status.device), String(status.number)] }
    if isOfBackup { values.append(String(made.dropFirst(store.count))) }
    try journal.write(values, on: .exchange)
  }

  /// Exchanges the two, and gives the store as it was the name of the next backup.
  ///
  /// - Returns: That name.
  /// - Throws: `DecantError`; `settle` finds out what was done.
  func run() throws(DecantError) -> String {
    do throws(SystemError) {
      try Files.exchange(store, with: made)
      try Files.syncFolder(Files.folder(of: store))
      try Files.syncFolder(Files.folder(of: made))
    } catch {
      throw DecantError(error)
    }
    return isOfBackup ? made : try nameBackup()
  }

  /// Whether a backup takes the place of the store, and the store its name.
  private var isOfBackup: Bool { work == .rollback }

  private func nameBackup() throws(DecantError) -> String {
    let backup = try Backups(of: store).nextName()
    do throws(SystemError) {
      try Files.publish(made, at: backup)
      try Files.syncFolder(Files.folder(of: backup))
      try Files.syncFolder(Files.folder(of: made))
    } catch {
      throw DecantError(error)
    }
    return backup
  }

  /// Whether the file that was made is at the store's place, which is noted.
  var isDone: Bool { (try? read())?.new.isAt(store) ?? false }

  /// Whether the store as it was lies where the other one was made, and has no other name yet.
  var holdsOldStore: Bool { !isOfBackup && (try? read())?.old.isAt(made) ?? false }

  /// Ends an exchange that was cut off: what was not exchanged yet stays as it was, and what was is given its name.
  ///
  /// The note stays: it is taken away when nothing else is left of the work.
  package func settle() throws(DecantError) -> Outcome {
    guard let (old, new) = try read() else { return .none }
    do throws(SystemError) {
      // Where the file system needs several steps for it, it may be half-way.
      _ = try Files.endExchange(store, with: made)
    } catch {
      throw DecantError(error)
    }
    let outcome: Outcome
    if new.isAt(store) {
      if let backup = try backup(old) {
        // Where it gets its name in two steps, it may have both.
        if !isOfBackup, old.isAt(made) {
          try explaining { () throws(SystemError) in try Files.remove(made) }
        }
        outcome = .done(backup: backup, work)
      } else if old.isAt(made) {
        outcome = .done(backup: try nameBackup(), work)
      } else {
        throw unknown
      }
    } else if old.isAt(store) {
      outcome = .undone(work)
    } else {
      throw unknown
    }
    return outcome
  }

  /// A file by its number and its disk.
  private struct Mark {
    let device: UInt64
    let number: UInt64

    init?(_ values: ArraySlice<String>) {
      guard values.count == 2, let device = values.first.flatMap({ UInt64($0) }),
        let number = values.last.flatMap({ UInt64($0) })
      else { return nil }
      (self.device, self.number) = (device, number)
    }

    func isAt(_ path: String) -> Bool {
      FileStatus(path).map { $0.device == device && $0.number == number } ?? false
    }
  }

  private func read() throws(DecantError) -> (old: Mark, new: Mark)? {
    guard let values = try journal.values(of: .exchange) else { return nil }
    guard let old = Mark(values.dropFirst().prefix(2)),
      let new = Mark(values.dropFirst(3).prefix(2))
    else { throw unknown }
    return (old, new)
  }

  /// The backup that is the store as it was, where it got its name already.
  private func backup(_ old: Mark) throws(DecantError) -> String? {
    try explaining { () throws(SystemError) in try Backups(of: store).names() }
      .last { old.isAt($0) }
  }

  private var unknown: DecantError {
    DecantError(
      .fileChanged,
      "“\(store)” was replaced by another program after the operation on it was interrupted",
      place: "“\(journal.path)” names files that differ from those on disk",
      remedy: "check “\(store)”, then move “\(Files.folder(of: journal.path))” away"
    )
  }
}
