internal import CDecantLinux
internal import DecantSystem

/// Two files that change names.
extension Files {
  /// What is behind the name of a file whose exchange was cut off half-way.
  package static let exchangeEnding = ".decant-swap"

  /// Exchanges the names of two files on one disk.
  ///
  /// One step, where the file system knows it. Elsewhere the file at `place` gets a second name first,
  /// `.decant-swap` behind `other`; then one rename puts the other in its place. At any moment one of the
  /// two is at `place`, whole; what a kill leaves, `endExchange` ends.
  ///
  /// - Parameters:
  ///   - place: The name that must never be without a file.
  ///   - other: The other name.
  /// - Throws: `SystemError`; which file is where, only a look tells then.
  package static func exchange(_ place: String, with other: String) throws(SystemError) {
    let isDone = renameat2(AT_FDCWD, other, AT_FDCWD, place, UInt32(decant_rename_exchange)) == 0
    if isDone { return }
    guard errno == EINVAL || errno == ENOSYS else { throw SystemError("exchange", place) }
    let aside = other + exchangeEnding
    guard link(place, aside) == 0 else { throw SystemError("create a hard link to", place) }
    do throws(SystemError) {
      // Each name is on the disk before another one goes.
      try syncFolder(folder(of: aside))
      guard rename(other, place) == 0 else { throw SystemError("rename", other) }
    } catch {
      // Only a second name; the next run takes it away.
      try? remove(aside)
      throw error
    }
    do throws(SystemError) {
      try syncFolder(folder(of: place))
      try publish(aside, at: other)
    } catch {
      // Back, in the same way; where that fails as well, the next run ends what was begun.
      if link(place, other) == 0, rename(aside, place) != 0 { try? remove(other) }
      throw error
    }
  }

  /// Ends an exchange of two names that was cut off.
  ///
  /// - Parameters:
  ///   - place: The name that is never without a file.
  ///   - other: The other name.
  /// - Returns: Whether the two are exchanged now; otherwise they are as they were.
  /// - Throws: `SystemError`, also where something lies there that no exchange has left.
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

  /// Gives the file at `path` the owner and the permissions of another one.
  ///
  /// - Returns: Whether it is that owner's now, which not everybody may bring about.
  package static func give(_ path: String, to other: FileStatus) throws(SystemError) -> Bool {
    guard let status = try FileStatus.look(at: path) else {
      throw SystemError("access", path, code: ENOENT)
    }
    var isOwners = true
    if status.owner != other.owner {
      isOwners = chown(path, other.owner.user, other.owner.group) == 0
    }
    if status.permissions != other.permissions || status.owner != other.owner {
      guard chmod(path, other.permissions) == 0 else {
        throw SystemError("set the permissions of", path)
      }
    }
    return isOwners
  }

  /// Whether anybody has the file at `path` open, this process included; false where the system does not
  /// tell.
  ///
  /// Somebody may have a database open without holding any lock on it.
  package static func isOpen(_ path: String) throws(SystemError) -> Bool {
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { throw SystemError("open", path) }
    defer { close(file) }
    guard isShared(file) else { return false }
    // Some file systems give a lease to nobody: a file without a name, which is new, tells.
    let control = open(folder(of: path), Int32(decant_nameless) | O_RDWR | O_CLOEXEC, 0o600)
    guard control >= 0 else { return false }
    defer { close(control) }
    return !isShared(control)
  }

  /// Whether a lease on an open file is refused, which is given only to who has it open alone.
  private static func isShared(_ file: Int32) -> Bool {
    let lease = Int32(decant_set_lease)
    // Whoever opens it meanwhile waits, and the system says so with a signal: one that nobody minds.
    guard fcntl(file, Int32(decant_set_signal), SIGURG) == 0 else { return false }
    guard fcntl(file, lease, Int32(F_WRLCK)) == 0 else { return errno == EAGAIN }
    _ = fcntl(file, lease, Int32(F_UNLCK))
    return false
  }
}
