internal import CDecantLinux
internal import DecantSystem

/// Exchange of two file names.
extension Files {
  /// The ending of the temporary name of an interrupted exchange.
  package static let exchangeEnding = ".decant-swap"

  /// Exchanges the names of two files on one disk.
  ///
  /// This is one step if the file system supports it. Otherwise the file at `place` first gets a second name, `other`
  /// with `.decant-swap` appended; then one rename puts the other file in its place. At any moment `place` has one of
  /// the two files, complete; `endExchange` completes an exchange that a kill interrupted.
  ///
  /// - Parameters:
  ///   - place: The name that must never be without a file.
  ///   - other: The other name.
  /// - Throws: `SystemError`; only a look at the files shows which file has which name then.
  package static func exchange(_ place: String, with other: String) throws(SystemError) {
    let isDone = renameat2(AT_FDCWD, other, AT_FDCWD, place, UInt32(decant_rename_exchange)) == 0
    if isDone { return }
    guard errno == EINVAL || errno == ENOSYS else { throw SystemError("exchange", place) }
    let aside = other + exchangeEnding
    guard link(place, aside) == 0 else { throw SystemError("create a hard link to", place) }
    do throws(SystemError) {
      // Each name is synced to the disk before another one is removed.
      try syncFolder(folder(of: aside))
      guard rename(other, place) == 0 else { throw SystemError("rename", other) }
    } catch {
      // Only a second name; the next run removes it.
      try? remove(aside)
      throw error
    }
    do throws(SystemError) {
      try syncFolder(folder(of: place))
      try publish(aside, at: other)
    } catch {
      // Undoes the exchange in the same way; if that fails as well, the next run completes it.
      if link(place, other) == 0, rename(aside, place) != 0 { try? remove(other) }
      throw error
    }
  }

  /// Completes an exchange of two names that was interrupted.
  ///
  /// - Parameters:
  ///   - place: The name that is never without a file.
  ///   - other: The other name.
  /// - Returns: Whether the two are now exchanged; otherwise they are unchanged.
  /// - Throws: `SystemError`, also if a file exists there that no exchange has left.
  package static func endExchange(_ place: String, with other: String) throws(SystemError) -> Bool {
    let aside = other + exchangeEnding
    guard let left = try FileStatus.look(at: aside) else { return false }
    guard !left.isSame(as: place) else {
      try remove(aside)
      return false
    }
    if left.isSame(as: other) {
      try remove(aside)
    } else {
      try publish(aside, at: other)
    }
    try syncFolder(folder(of: place))
    return true
  }

  /// Sets the owner and the permissions of the file at `path` to those of another file.
  ///
  /// - Returns: Whether the file now has that owner, which not every user may set.
  package static func give(_ path: String, to other: FileStatus) throws(SystemError) -> Bool {
    guard let status = try FileStatus.look(at: path) else {
      throw SystemError("access", path, code: ENOENT)
    }
    var isOwners = true
    if status.owner != other.owner {
      isOwners = chown(path, other.owner.user, other.owner.group) == 0
      // A member of the group may give it at least to the group.
      if !isOwners { _ = chown(path, uid_t.max, other.owner.group) }
    }
    if status.permissions != other.permissions || status.owner != other.owner {
      guard chmod(path, other.permissions) == 0 else {
        throw SystemError("set the permissions of", path)
      }
    }
    return isOwners
  }

  /// Returns whether any process, including this one, has the file at `path` open; false if the system does not know.
  ///
  /// A process may have a database open without holding a lock on it.
  package static func isOpen(_ path: String) throws(SystemError) -> Bool {
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { throw SystemError("open", path) }
    defer { close(file) }
    guard isShared(file) else { return false }
    // Some file systems grant no lease at all: a new file without a name shows that.
    let control = open(folder(of: path), Int32(decant_nameless) | O_RDWR | O_CLOEXEC, 0o600)
    guard control >= 0 else { return false }
    defer { close(control) }
    return !isShared(control)
  }

  /// Returns whether a lease on an open file is refused; it is granted only if no other descriptor is open.
  private static func isShared(_ file: Int32) -> Bool {
    let lease = Int32(decant_set_lease)
    // A process that opens the file meanwhile waits, and the system signals it with SIGURG, which is ignored.
    guard fcntl(file, Int32(decant_set_signal), SIGURG) == 0 else { return false }
    guard fcntl(file, lease, Int32(F_WRLCK)) == 0 else { return errno == EAGAIN }
    _ = fcntl(file, lease, Int32(F_UNLCK))
    return false
  }
}
