package import DecantBase

/// A replacement of a store by a finished store or a backup; the previous store is kept as a backup.
///
/// The new store's external files are moved first: their names are UUIDs, and superfluous files do no harm. Then both
/// files are locked, so that neither has content in a log; the exchange is recorded and done in one step. The record
/// stays until everything else is cleaned up. A kill at any moment leaves the old or the new store at the place,
/// complete.
package struct StoreReplacement {
  package let exchange: FileExchange
  /// The name of the store in errors.
  package let place: String
  /// The folders of external files of the new store and of the replaced one; `nil` if there are none.
  package let folders: (made: String, store: String)?

  package init(exchange: FileExchange, place: String, folders: (made: String, store: String)?) {
    (self.exchange, self.place, self.folders) = (exchange, place, folders)
  }

  /// The outcome of a replacement.
  package struct Outcome {
    /// The path of the previous store; `nil` if it was deleted.
    package var backup: String?
    package var notes: [ReportNote] = []
  }

  /// Replaces the store.
  ///
  /// - Parameters:
  ///   - fingerprint: The state that the store must still have; `nil` if it does not matter.
  ///   - holdMade: Locks the new file if the caller has it open.
  ///   - finish: The last changes in it, after everything that may fail because of other processes.
  /// - Returns: The outcome, with the name of the backup.
  /// - Throws: `DecantError`; nothing has changed, unless the error says that the store was replaced anyway.
  package func run(
    in fingerprint: String?,
    _ holdMade: (String) throws(DecantError) -> ExclusiveFile = { path throws(DecantError) in
      try ExclusiveFile(path, place: path)
    },
    finish: () throws(DecantError) -> Void = {}
  ) throws(DecantError) -> Outcome {
    let (store, made) = (exchange.store, exchange.made)
    guard let status = FileStatus(store) else {
      throw DecantError(.fileChanged, "“\(place)” was removed in the meantime")
    }
    var moved: [String] = []
    var outcome = Outcome()
    try explaining { () throws(SystemError) in
      // An app that could write its store must still be able to.
      if try !Files.give(made, to: status) {
        outcome.notes.append(ReportNote(.ownerChanged, "the file now belongs to a different user than before"))
      }
      try Files.giveAttributes(made, of: store)
      // Not while it is locked: closing a file releases every lock of this process on it.
      try Files.syncInPieces(made)
    }
    var hadLog = false
    var new: ExclusiveFile?
    do throws(DecantError) {
      try moveFiles(&moved)
      // Byte 18 of a database is 2 in WAL mode. Recorded before the mode changes.
      if Files.start(of: store, count: 20).dropFirst(18).first == 2 {
        try exchange.journal.write(["wal"], on: .log)
      }
      let held = try holdMade(made)
      new = held
      let old = try ExclusiveFile(store, place: place, in: fingerprint)
      hadLog = old.hadLog
      try old.checkIsThere()
      try held.checkIsThere()
      try finish()
      try exchange.write()
      // Both are locked until released: a process that opens one of them meanwhile waits, and then finds that it moved.
      outcome.backup = try exchange.run()
      old.release()
      held.release()
    } catch {
      new?.release()
      throw try settled(error, moved, hadLog)
    }
    if hadLog, let note = ExclusiveFile.giveLog(exchange.store) { outcome.notes.append(note) }
    return outcome
  }

  /// Throws if another file cannot replace the one at `file`.
  ///
  /// - Parameters:
  ///   - file: The store's file, or the target if its name is a link.
  ///   - place: The name of the store in errors.
  ///   - remedy: What to do instead.
  /// - Throws: `DecantError` of the family `.usage`, or `.failed` if it is not writable.
  package static func checkCanReplace(_ file: String, place: String, remedy: DecantError.Text) throws(DecantError) {
    // A missing file is reported when it is opened.
    guard let status = FileStatus(file) else { return }
    guard Files.isWritable(file), Files.isWritable(Files.folder(of: file)) else {
      throw DecantError(
        .accessDenied,
        "“\(place)” cannot be replaced: no permission to write the file or its folder",
        remedy: "fix the permissions of both"
      )
    }
    let reason =
      status.linkCount > 1
      ? "it has other hard links, which would still point to the old store"
      : Files.isMountPoint(file) ? "another file is mounted over it" : nil
    guard let reason else { return }
    throw DecantError(.invalidPlace, "“\(place)” cannot be replaced: \(reason)", remedy: remedy)
  }

  /// Moves the external files of the new store to their folder; `moved` collects those that did not exist there.
  private func moveFiles(_ moved: inout [String]) throws(DecantError) {
    guard let folders, FileStatus(folders.made)?.isFolder == true else { return }
    do throws(SystemError) {
      let names = try Files.names(in: folders.made)
      guard !names.isEmpty else { return }
      try Files.makeFolder(folders.store, isSynced: true)
      for name in names {
        let (here, there) = ("\(folders.made)/\(name)", "\(folders.store)/\(name)")
        if let other = FileStatus(unfollowed: there) {
          guard other.isFile, other.byteCount == FileStatus(unfollowed: here)?.byteCount else {
            throw SystemError("write a file to", there, code: SystemError.inputOutput)
          }
          continue
        }
        try Files.publish(here, at: there)
        moved.append(there)
      }
      try Files.syncFolder(folders.store)
    } catch {
      throw DecantError(error)
    }
  }

  /// Determines what was done before a failure, and undoes what can be undone.
  private func settled(_ error: DecantError, _ moved: [String], _ hadLog: Bool) throws(DecantError) -> DecantError {
    var error = error
    if exchange.isDone, (try? exchange.settle()) == nil {
      error.tell("“\(place)” was replaced anyway; the previous store: \(exchange.made)")
    } else if case .done(let backup, _) = try exchange.settle() {
      error.tell("“\(place)” was replaced anyway")
      if let backup { error.tell("the previous store: \(backup)") }
    } else {
      // Files that cannot be removed do no harm.
      for path in moved { try? Files.remove(path) }
      error.tell("“\(place)” is unchanged")
    }
    if hadLog, let note = ExclusiveFile.giveLog(exchange.store) { error.tell(note.what) }
    return error
  }
}
