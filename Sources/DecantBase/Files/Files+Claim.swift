internal import DecantSystem

extension Files {
  /// Claims an open file for this process, as long as it is open.
  ///
  /// - Returns: `false` while another has it.
  package static func claim(_ descriptor: Int32) -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  /// Closes a claimed file, which is free then.
  ///
  /// A program that this process is starting shares the file until it has begun; closing alone would leave the claim to
  /// it for that long.
  package static func release(_ descriptor: Int32) {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
