internal import DecantBase
internal import Synchronization

/// The databases with large logs that this process has found sound, so that their logs are not read again each time
/// they are opened.
enum SoundFiles {
  private static let known = Mutex<[String: (state: [FileStatus?], soundness: FileSoundness)]>([:])
  /// The log size from which a second reading is worth avoiding.
  private static let logByteCount: Int64 = 1 << 20
  /// The age in nanoseconds from which the time of a file distinguishes two states.
  private static let age: Int64 = 2_000_000_000

  /// Returns the soundness recorded for the database at `path`, if its files are still in that `state`.
  static func soundness(of path: String, in state: [FileStatus?]) -> FileSoundness? {
    known.withLock { known in
      guard let found = known[path], found.state == state else { return nil }
      return found.soundness
    }
  }

  /// Records the soundness of the database at `path` in `state`, unless it is damaged or was just written.
  static func note(_ path: String, in state: [FileStatus?], _ soundness: FileSoundness) {
    let now = Files.now
    guard soundness.damage == nil, state.contains(where: { $0?.byteCount ?? 0 > logByteCount }),
      state.allSatisfy({ $0.map { $0.changed < now - age } ?? true })
    else { return }
    known.withLock { known in
      if known.count >= 16 { known.removeAll() }
      known[path] = (state, soundness)
    }
  }
}
