package import DecantBase

/// Puts a finished store, or a backup, in the place of another one, which is kept as a backup.
///
/// The new store's external files come first: their names are UUIDs, and files too many harm nobody. Then both files
/// are held, so that nothing of either lies in a log; the exchange is noted and done in one step. The note stays until
/// all else of the work is cleared. A kill at any moment leaves the old store at its place or the new one, whole.
package struct StoreReplacement {
  package let exchange: FileExchange
  /// What to call the store in errors.
  package let place: String
  /// The folders of external files of the store that is made and of the one it replaces; `nil` where there are none.
  package let folders: (made: String, store: String)?

  package init(exchange: FileExchange, place: String, folders: (made: String, store: String)?) {
    (self.exchange, self.place, self.folders) = (exchange, place, folders)
  }

  /// What was done.
  package struct Outcome {
    /// The store as it was.
    package var backup: String
    package var notes: [ReportNote] = []
  }

  /// Replaces the store.
  ///
  /// - Parameters:
  ///   - fingerprint: The state that was read, in which the store must still be; `nil` where it does not matter.
  ///   - holdMade: Holds the file that is made, where somebody has it open.
  ///   - finish: What is done last in it, when everything that others could refuse is behind.
  /// - Returns: The name of the backup.
  /// - Throws: `DecantError`; everything is as it was, unless the error says that it is done all the same.
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
    var outcome = Outcome(backup: "")
    try explaining { () throws(SystemError) in
      // An app that could write its store must be able to go on.
      if try !Files.give(made, to: status) {
        outcome.notes.append(ReportNote(.ownerChanged, "the file now belongs to a different user than before"))
      }
      try Files.giveAttributes(made, of: store)
      // Not while it is held: closing a file gives up every lock that this process has on it.
      try Files.sync(made)
    }
    var hadLog = false
    var new: ExclusiveFile?
    do throws(DecantError) {
      try moveFiles(&moved)
      // Byte 18 of a database is 2 where it has a write-ahead log. Noted before it is taken away.
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
      // Both are held until they are released: nobody could open either of them while the names changed.
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

  /// Throws where another file cannot take the place of the one at `file`.
  ///
  /// - Parameters:
  ///   - file: The store's file, where its name is a link the one that it leads to.
  ///   - place: What to call the store in errors.
  ///   - remedy: What to do instead.
  /// - Throws: `DecantError` of the family `.usage`, or `.failed` where it may not be written.
  package static func checkCanReplace(_ file: String, place: String, remedy: DecantError.Text) throws(DecantError) {
    // Where it has vanished, whoever opens it says so.
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

  /// Puts the files of the store that is made where they belong; `moved` names those that were not there.
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

  /// Finds out what was done when something failed, and takes back what can be.
  private func settled(_ error: DecantError, _ moved: [String], _ hadLog: Bool) throws(DecantError) -> DecantError {
    var error = error
    if exchange.isDone, (try? exchange.settle()) == nil {
      error.tell("“\(place)” was replaced anyway; the previous store: \(exchange.made)")
    } else if case .done(let backup, _) = try exchange.settle() {
      error.tell("“\(place)” was replaced anyway; the previous store: \(backup)")
    } else {
      // What stays of them harms nobody.
      for path in moved { try? Files.remove(path) }
      error.tell("“\(place)” is unchanged")
    }
    if hadLog, let note = ExclusiveFile.giveLog(exchange.store) { error.tell(note.what) }
    return error
  }
}
