package import DecantBase
internal import DecantSystem

/// The file in which a new store is built, beside the place where it will appear.
///
/// `NAME.decant-partial` belongs to one process at a time. It is published by one rename when it is
/// complete and proven; until then the place itself stays as it is.
package final class PartialFile {
  /// The place where the store will appear.
  package let place: String
  package var path: String { place + ".decant-partial" }
  /// Whether an earlier run left something here.
  package let isLeftOver: Bool
  private var descriptor: Int32

  /// Claims the partial file of `place`, making it if there is none; what it is to replace has it keep its permissions.
  ///
  /// - Parameter place: Where the store is to appear.
  /// - Throws: `DecantError` of the family `.storeBusy` while another process writes there.
  package init(for place: String) throws(DecantError) {
    self.place = place
    let path = place + ".decant-partial"
    try PartialFile.checkPlace(place)
    // Whoever had the lock before may have published this very file in the meantime; then there is
    // another one to claim. A few times in a row that is chance.
    for _ in 1...100 {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, Files.newFileMode)
      guard descriptor >= 0 else { throw DecantError(SystemError("write", path)) }
      guard Files.claim(descriptor) else {
        close(descriptor)
        throw DecantError(
          .otherRun,
          "another decant process is writing “\(place)”",
          place: LockHolders(of: [path]).text,
          remedy: "wait until it finishes"
        )
      }
      do throws(SystemError) {
        if let held = FileStatus(descriptor: descriptor),
          try FileStatus.look(at: path)?.number == held.number
        {
          if let replaced = FileStatus(place), replaced.isFile {
            _ = try Files.give(path, to: replaced)
          }
          self.descriptor = descriptor
          isLeftOver = held.byteCount > 0
          return
        }
      } catch {
        close(descriptor)
        throw DecantError(error)
      }
      close(descriptor)
    }
    throw DecantError(SystemError("claim", path, code: SystemError.inputOutput))
  }

  deinit {
    if descriptor >= 0 { Files.release(descriptor) }
  }

  /// Refuses a place where no file can appear: one without a folder, or with what is left of another store.
  package static func checkPlace(_ place: String) throws(DecantError) {
    guard !place.hasSuffix("/") else {
      throw DecantError(
        .invalidPlace,
        "“\(place)” is a folder, but a store is a file",
        remedy: "append the file name"
      )
    }
    guard FileStatus(Files.folder(of: place))?.isFolder == true else {
      throw DecantError(
        .folderNotFound,
        "there is no folder “\(Files.folder(of: place))” to create “\(Files.name(of: place))” in",
        remedy: "create the folder first",
        remedies: [.makeFolder(Files.folder(of: place)), .chooseAnotherPlace]
      )
    }
    try checkIsFree(place)
  }

  /// Refuses a place whose old log or journal is still there.
  ///
  /// SQLite would take it for the new file's own, and bring old data back or damage new.
  private static func checkIsFree(_ place: String) throws(DecantError) {
    if FileStatus(unfollowed: place) != nil, FileStatus(place) == nil {
      throw DecantError(
        .invalidPlace,
        "“\(place)” is a broken symbolic link",
        remedy: "remove the link, or name its intended target"
      )
    }
    for suffix in ["-wal", "-journal"] {
      guard let left = FileStatus(unfollowed: place + suffix), left.byteCount > 0 || !left.isFile
      else { continue }
      throw DecantError(
        .placeOccupied,
        "“\(place)\(suffix)” is left over from a store that no longer exists",
        place: "SQLite would treat it as part of the new “\(Files.name(of: place))”",
        remedy: "move it away; if you still need that store, restore both together"
      )
    }
  }

  /// Empties the file, so that the work starts from nothing.
  package func clear() throws(DecantError) {
    do throws(SystemError) {
      // The journal goes first: one that outlives its file would be rolled back into the next.
      for suffix in ["-journal", "-wal", "-shm"] { try Files.remove(path + suffix) }
      guard ftruncate(descriptor, 0) == 0 else { throw SystemError("empty", path) }
    } catch {
      throw DecantError(error)
    }
  }

  /// Gives the finished file its name, durably; SQLite must have closed it.
  package func publish() throws(DecantError) {
    do throws(SystemError) {
      // Empty by now, or not even there; under the new name nobody would look for them.
      for suffix in ["-journal", "-wal", "-shm"] { try Files.remove(path + suffix) }
      guard fsync(descriptor) == 0 else { throw SystemError("sync", path) }
    } catch {
      throw DecantError(error)
    }
    try PartialFile.checkIsFree(place)
    guard FileStatus(descriptor: descriptor)?.isSame(as: path) == true else {
      throw DecantError(
        .fileChanged,
        "“\(path)” was removed or replaced during the copy",
        remedy: "do not touch it while decant runs, and \(.again)"
      )
    }
    do throws(SystemError) {
      try Files.publishDurably(path, at: place)
    } catch {
      guard error.isExisting else { throw DecantError(error) }
      throw DecantError(
        .placeOccupied,
        "“\(place)” appeared during the copy",
        remedy: "the finished copy is “\(path)”: rename it",
        cause: error
      )
    }
  }

  /// Lets `body` write a file beside `place`, which gets its name only when it is whole.
  ///
  /// - Parameters:
  ///   - place: Where the file is to appear.
  ///   - body: Writes the empty file at the path that it is given; whether it did.
  /// - Returns: What `body` returned.
  /// - Throws: `DecantError` where the file cannot be written, and whatever `body` throws; nothing is left then.
  package static func publishing(
    _ place: String,
    _ body: (String) throws(DecantError) -> Bool
  ) throws(DecantError) -> Bool {
    let file = try PartialFile(for: place)
    do throws(DecantError) {
      try file.clear()
      guard try body(file.path) else {
        file.remove()
        return false
      }
      try file.publish()
      return true
    } catch {
      file.remove()
      throw error
    }
  }

  /// Writes `text` as a new file at `place`, which gets its name only when it is whole.
  package static func publish(_ text: String, at place: String) throws(DecantError) {
    _ = try publishing(place) { partial throws(DecantError) in
      let file = try OutputFile(partial)
      file.write(text)
      try file.close()
      return true
    }
  }

  /// Takes the file away: nothing is left of the attempt.
  package func remove() {
    // Best effort on the way out of an error that is already being reported; a rerun clears it.
    for suffix in ["-journal", "-wal", "-shm", ""] { try? Files.remove(path + suffix) }
  }
}
