package import DecantBase
internal import DecantSystem

/// The file in which a new store is built, beside its final place.
///
/// `NAME.decant-partial` belongs to one process at a time. One rename publishes it when it is complete and verified;
/// until then the final place stays unchanged.
package final class PartialFile {
  /// The final place of the store.
  package let place: String
  package var path: String { place + ".decant-partial" }
  /// Whether an earlier run left content here.
  package let isLeftOver: Bool
  private var descriptor: Int32

  /// Locks the partial file of `place`, creating it if necessary, with the permissions of a file that it replaces.
  ///
  /// - Parameter place: The final place of the store.
  /// - Throws: `DecantError` of the family `.storeBusy` if another process writes there.
  package init(for place: String) throws(DecantError) {
    self.place = place
    let path = place + ".decant-partial"
    try PartialFile.checkPlace(place)
    // The previous holder of the lock may have published this file meanwhile; then a new one is locked. A few
    // repetitions are possible.
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

  /// Throws if no file can be created at a place: its folder is missing, or files of another store are left there.
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

  /// Throws if an old log or journal exists at a place.
  ///
  /// SQLite would treat it as part of the new file, and restore old data or damage new data.
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

  /// Empties the file for a new start.
  package func clear() throws(DecantError) {
    do throws(SystemError) {
      // The journal is removed first: otherwise it could be rolled back into the next file.
      for suffix in ["-journal", "-wal", "-shm"] { try Files.remove(path + suffix) }
      guard ftruncate(descriptor, 0) == 0 else { throw SystemError("empty", path) }
    } catch {
      throw DecantError(error)
    }
  }

  /// Replaces the file by `made`, a finished file of this process, without copying it; the path of `made` leads here
  /// from then on.
  ///
  /// - Parameter made: The file, in a folder of this process; it gets the owner and the permissions of a new file here.
  /// - Returns: Whether it was taken; a file on another file system is not.
  /// - Throws: `DecantError` if it cannot be taken, although it is on the same one.
  package func take(_ made: String) throws(DecantError) -> Bool {
    guard let own = FileStatus(descriptor: descriptor), FileStatus(unfollowed: made)?.device == own.device,
      let target = Files.realPath(of: path)
    else { return false }
    do throws(SystemError) {
      // At any time, another thread may open the file by its old path.
      let (second, link) = ("\(made)-taken", "\(made)-link")
      guard DecantSystem.link(made, second) == 0 else { return false }
      _ = try Files.give(second, to: own)
      try Files.giveAttributes(second, of: path)
      let taken = open(second, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      guard taken >= 0, Files.claim(taken) else {
        let error = SystemError("open", second)
        if taken >= 0 { close(taken) }
        throw error
      }
      guard rename(second, path) == 0 else {
        let error = SystemError("rename", second)
        Files.release(taken)
        try Files.remove(second)
        // The same file system may be mounted twice.
        guard error.code == SystemError.otherDisk else { throw error }
        return false
      }
      Files.release(descriptor)
      descriptor = taken
      guard symlink(target, link) == 0, rename(link, made) == 0 else { throw SystemError("link", made) }
    } catch {
      throw DecantError(error)
    }
    return true
  }

  /// Renames the finished file to its place durably; SQLite must have closed it.
  package func publish() throws(DecantError) {
    do throws(SystemError) {
      // These are empty or missing by now, and do not belong to the new name.
      for suffix in ["-journal", "-wal", "-shm"] { try Files.remove(path + suffix) }
      guard fsync(descriptor) == 0 else { throw SystemError("sync", path) }
    } catch {
      throw DecantError(error)
    }
    PrivateCopies.forget(path)
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

  /// Calls `body` to write a file beside `place`, and renames it when it is complete.
  ///
  /// - Parameters:
  ///   - place: The final place of the file.
  ///   - body: Writes the empty file at the path that it receives; returns whether it did.
  /// - Returns: The result of `body`.
  /// - Throws: `DecantError` if the file cannot be written, and errors of `body`; the partial file is then removed.
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

  /// Writes `text` to a new file at `place`, which gets its name when it is complete.
  package static func publish(_ text: String, at place: String) throws(DecantError) {
    _ = try publishing(place) { partial throws(DecantError) in
      let file = try OutputFile(partial)
      file.write(text)
      try file.close()
      return true
    }
  }

  /// Removes the file.
  package func remove() {
    // Best effort: an error is already being reported, and the next run removes the rest.
    for suffix in ["-journal", "-wal", "-shm", ""] { try? Files.remove(path + suffix) }
  }
}
