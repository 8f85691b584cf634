/// The note of two files that are about to change names: by it a later run ends what a kill cut off.
///
/// A store and the file that is to take its place are known by their numbers, which stay with them whatever they
/// are called. At any moment one of the two is at the store's place, whole.
struct SwapJournal {
  /// The store's file.
  let store: String
  /// The file that takes its place; afterwards the store as it was, until that gets the name of a backup.
  let made: String
  /// Where the note is kept, on the same disk.
  let path: String

  private static let heading = "decant swap 1"

  /// What became of an exchange that was cut off.
  enum Outcome: Sendable, Hashable {
    /// None was begun.
    case none
    /// The store is as it was.
    case undone
    /// The new store is in place, and the old one is the backup of this name.
    case done(backup: String)
  }

  /// Notes which file is which, so that it outlasts the machine.
  func write() throws(DecantError) {
    guard let old = FileStatus(store), let new = FileStatus(made) else {
      throw DecantError(.failed, "“\(made)” was removed while it was being put in place")
    }
    let text = """
      \(SwapJournal.heading)
      old \(old.device) \(old.number)
      new \(new.device) \(new.number)

      """
    let partial = path + ".decant-partial"
    let file = try OutputFile(partial)
    file.write(text)
    try file.close()
    do throws(SystemError) {
      try Files.sync(partial)
      try Files.publish(partial, at: path)
      try Files.syncFolder(Files.folder(of: path))
    } catch {
      throw DecantError(error)
    }
  }

  /// Exchanges the two, and gives the store as it was the name of the next backup.
  ///
  /// - Returns: That name.
  /// - Throws: `DecantError`; `settle` finds out what was done.
  func exchange() throws(DecantError) -> String {
    do throws(SystemError) {
      try Files.exchange(store, with: made)
      try Files.syncFolder(Files.folder(of: store))
      try Files.syncFolder(Files.folder(of: made))
    } catch {
      throw DecantError(error)
    }
    return try nameBackup()
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

  /// Ends an exchange that was cut off: what was not exchanged yet stays as it was, and what was is given its name.
  ///
  /// The note stays: it is taken away when nothing else is left of the work.
  func settle() throws(DecantError) -> Outcome {
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
        if old.isAt(made) { try explaining { () throws(SystemError) in try Files.remove(made) } }
        outcome = .done(backup: backup)
      } else if old.isAt(made) {
        outcome = .done(backup: try nameBackup())
      } else {
        throw unknown
      }
    } else if old.isAt(store) {
      outcome = .undone
    } else {
      throw unknown
    }
    return outcome
  }

  /// A file by its number and its disk.
  private struct Mark {
    let device: UInt64
    let number: UInt64

    init?(_ line: Substring, _ name: String) {
      let words = line.split(separator: " ")
      guard words.count == 3, words[0] == name, let device = UInt64(words[1]),
        let number = UInt64(words[2])
      else { return nil }
      (self.device, self.number) = (device, number)
    }

    func isAt(_ path: String) -> Bool {
      FileStatus(path).map { $0.device == device && $0.number == number } ?? false
    }
  }

  private func read() throws(DecantError) -> (old: Mark, new: Mark)? {
    guard FileStatus(path) != nil else { return nil }
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try Files.content(of: path) } catch {
      throw DecantError(error)
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.count == 3, lines[0] == SwapJournal.heading, let old = Mark(lines[1], "old"),
      let new = Mark(lines[2], "new")
    else {
      throw DecantError(
        .corruptStore,
        "“\(path)” does not say which store was to take the place of which",
        remedy: "look at “\(store)”, which is whole, and move “\(Files.folder(of: path))” away"
      )
    }
    return (old, new)
  }

  /// The backup that is the store as it was, where it got its name already.
  private func backup(_ old: Mark) throws(DecantError) -> String? {
    let latest = try explaining { () throws(SystemError) in try Backups(of: store).latestName() }
    return latest.flatMap { old.isAt($0) ? $0 : nil }
  }

  private var unknown: DecantError {
    DecantError(
      .failed,
      "“\(store)” was replaced by somebody after a migration of it was cut off",
      place: "“\(path)” speaks of other files than those that are there",
      remedy: "look at “\(store)”, and move “\(Files.folder(of: path))” away"
    )
  }
}
