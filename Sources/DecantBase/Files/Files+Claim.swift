internal import DecantSystem

extension Files {
  /// Locks an open file for this process until it is closed.
  ///
  /// - Returns: `false` while another process has the lock.
  package static func claim(_ descriptor: Int32) -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  /// Unlocks and closes a file that `claim` locked.
  ///
  /// A program that this process is starting shares the file until it has begun; closing alone would keep the lock
  /// until then.
  package static func release(_ descriptor: Int32) {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
