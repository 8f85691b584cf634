internal import SQLite

/// What changes: the names of store and backup, while nobody else can open either.
extension RollbackRun {
  /// Exchanges the names of store and backup, while both are held.
  func exchange(
    _ status: FileStatus,
    with backup: String,
    _ report: inout RollbackReport
  ) throws(DecantError) {
    // Not while it is held: closing a file gives up every lock that this process has on it.
    try explaining { () throws(SystemError) in try Files.sync(backup) }
    // The backup first: where it is held by others, the store stays as it is.
    let new = try StillFile(backup, place: backup)
    let old = try StillFile(file, place: place)
    do throws(DecantError) {
      try exchange(old, with: new, backup, status, &report)
    } catch {
      old.release()
      new.release()
      if old.hadLog { giveLog(&report) }
      throw error
    }
    // Held until here: nobody could open either of them while the names changed.
    old.release()
    new.release()
    report.outcome = .exchanged
    report.backup = backup
    if old.hadLog { giveLog(&report) }
  }

  private func exchange(
    _ old: StillFile,
    with new: StillFile,
    _ backup: String,
    _ status: FileStatus,
    _ report: inout RollbackReport
  ) throws(DecantError) {
    try explaining { () throws(SystemError) in
      // An app that could write its store must be able to go on.
      if try !Files.give(backup, to: status) {
        report.notes.append("what was put back belongs to another user than what was there")
      }
    }
    try old.checkIsThere()
    try new.checkIsThere()
    let wanted = FileStatus(backup)
    do throws(SystemError) {
      try Files.exchange(file, with: backup)
      try keepNames(of: backup) { () throws(SystemError) in
        try Files.exchange(file, with: backup)
      }
    } catch {
      throw settled(error, wanted, backup)
    }
  }

  /// Gives the backup the name of a store that is not there.
  func put(_ backup: String, _ report: inout RollbackReport) throws(DecantError) {
    guard FileStatus(unfollowed: place) == nil else {
      throw DecantError(
        .usage,
        "“\(place)” is a link that leads nowhere",
        remedy: "remove the link, or name the place it should lead to"
      )
    }
    // Whoever put it there may not have synced it.
    try explaining { () throws(SystemError) in try Files.sync(backup) }
    let new = try StillFile(backup, place: backup)
    try StillFile.checkIsAlone(place)
    let wanted = FileStatus(backup)
    do throws(SystemError) {
      try Files.publish(backup, at: place)
      try keepNames(of: backup) { () throws(SystemError) in
        try Files.publish(place, at: backup)
      }
    } catch {
      new.release()
      throw settled(error, wanted, nil)
    }
    new.release()
  }

  /// Has the new names outlast a machine that goes down, or takes them back.
  private func keepNames(of backup: String, _ undo: () throws(SystemError) -> Void)
    throws(SystemError)
  {
    do throws(SystemError) {
      for folder in Set([Files.folder(of: file), Files.resolved(Files.folder(of: backup))]) {
        try Files.syncFolder(folder)
      }
    } catch {
      // An error must not leave behind what looks like success.
      try undo()
      throw error
    }
  }

  /// Returns `error` with what is where now: a call that fails may have done its work.
  private func settled(_ error: SystemError, _ wanted: FileStatus?, _ backup: String?)
    -> DecantError
  {
    var told = DecantError(error)
    if wanted?.isSame(as: file) == true {
      told.tell("“\(place)” is put back all the same, but the disk did not confirm it")
      if let backup {
        let isNamed = FileStatus(unfollowed: backup) != nil
        told.tell("the store as it was until now: \(backup)\(isNamed ? "" : Files.exchangeEnding)")
      }
    } else if error.code == SystemError.otherDisk {
      told.remedy = "move “\(backup ?? "")” beside “\(file)”, and name that one"
    } else {
      told.tell("“\(place)” is as it was")
    }
    return told
  }

  /// Has the store keep a write-ahead log again, as it did until now; backups have none.
  private func giveLog(_ report: inout RollbackReport) {
    if let note = StillFile.giveLog(file) { report.notes.append(note) }
  }
}
