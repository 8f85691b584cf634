package import DecantBase

/// An exchange of two files' names, recorded in the journal first, so that a later run can complete it.
///
/// A store and the file that replaces it are identified by their inode numbers, which do not depend on names. At any
/// moment one of the two is at the store's place, complete.
package struct FileExchange {
  /// The kind of work that created the file.
  let work: WorkFolder.Work
  /// The store's file.
  let store: String
  /// The file that replaces it; afterwards the previous store, until that becomes a backup.
  ///
  /// In a rollback it is a backup, whose name the previous store takes over.
  let made: String
  /// The journal that records the exchange, on the same disk.
  let journal: WorkJournal
  /// Whether the previous store becomes a backup; otherwise it is deleted.
  let keepsBackup: Bool

  /// The outcome of an interrupted exchange.
  package enum Outcome: Sendable, Hashable {
    /// None was started.
    case none
    /// The store is unchanged; the value is the recorded work, if any.
    case undone(WorkFolder.Work?)
    /// The new store of `work` is in place, and the previous one is the backup of this name; `nil` if it was deleted.
    case done(backup: String?, WorkFolder.Work)
  }

  /// Records durably which file is which.
  func write() throws(DecantError) {
    guard let old = FileStatus(store), let new = FileStatus(made) else {
      throw DecantError(.fileChanged, "“\(made)” was removed while decant was moving it into place")
    }
    var values = [work.rawValue]
    for status in [old, new] { values += [String(status.device), String(status.number)] }
    if isOfBackup { values.append(String(made.dropFirst(store.count))) }
    if !keepsBackup { values.append(FileExchange.noBackup) }
    try journal.write(values, on: .exchange)
  }

  /// The word of the record for a previous store that is deleted.
  static let noBackup = "no-backup"

  /// Exchanges the two, and renames the previous store to the next backup, or deletes it.
  ///
  /// - Returns: The name of the backup; `nil` if none is kept.
  /// - Throws: `DecantError`; `settle` determines what was done.
  func run() throws(DecantError) -> String? {
    do throws(SystemError) {
      try Files.exchange(store, with: made)
      try Files.syncFolder(Files.folder(of: store))
      try Files.syncFolder(Files.folder(of: made))
    } catch {
      throw DecantError(error)
    }
    return isOfBackup ? made : try settlePrevious()
  }

  /// Whether a backup replaces the store, and the store takes its name.
  private var isOfBackup: Bool { work == .rollback }

  /// Renames the previous store to the next backup, or deletes it.
  private func settlePrevious() throws(DecantError) -> String? {
    guard !keepsBackup else { return try nameBackup() }
    try explaining { () throws(SystemError) in
      try Files.remove(made)
      try Files.syncFolder(Files.folder(of: made))
    }
    return nil
  }

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

  /// Whether the recorded new file is at the store's place.
  var isDone: Bool { (try? read())?.new.isAt(store) ?? false }

  /// Whether the previous store is at the path of the new file and has no other name yet.
  var holdsOldStore: Bool { !isOfBackup && keepsBackup && (try? read())?.old.isAt(made) ?? false }

  /// Completes an interrupted exchange: reports one that was not done as undone, and names the backup of one that was.
  ///
  /// The record stays: it is removed after all other leftovers of the work.
  package func settle() throws(DecantError) -> Outcome {
    guard let (old, new) = try read() else { return .none }
    do throws(SystemError) {
      // On some file systems the exchange takes several steps, and may be incomplete.
      _ = try Files.endExchange(store, with: made)
    } catch {
      throw DecantError(error)
    }
    let outcome: Outcome
    if new.isAt(store) {
      if let backup = try backup(old) {
        // If it was renamed in two steps, it may have both names.
        if !isOfBackup, old.isAt(made) {
          try explaining { () throws(SystemError) in try Files.remove(made) }
        }
        outcome = .done(backup: backup, work)
      } else if old.isAt(made) {
        outcome = .done(backup: try settlePrevious(), work)
      } else {
        // It was deleted, by an interrupted run that keeps no backup or by hand.
        outcome = .done(backup: nil, work)
      }
    } else if old.isAt(store) {
      outcome = .undone(work)
    } else {
      throw unknown
    }
    return outcome
  }

  /// A file identified by device and inode number.
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

  /// Returns the backup that is the previous store, if it has its name already.
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
