internal import DecantSystem
internal import Synchronization

/// Databases that SQLite has open in this process while other code may read the same file.
///
/// Closing any descriptor of a file releases every lock of the process on it (fcntl(2)). SQLite therefore keeps its own
/// descriptors open, but it does not know of others. This type keeps those open, too, as long as the file is held.
package enum HeldFiles {
  private struct File: Hashable {
    let device, number: UInt64

    init?(_ status: FileStatus?) {
      guard let status else { return nil }
      (device, number) = (status.device, status.number)
    }
  }

  private struct Entry {
    var holders = 0
    var descriptors: [Int32] = []
  }

  private static let entries = Mutex<[File: Entry]>([:])

  /// A hold on a file while it exists; release it after the connections to the file.
  package final class Hold: Sendable {
    private let file: File

    /// Holds the file at `path`; returns `nil` if there is no file.
    package init?(_ path: String) {
      guard let file = File(FileStatus(path)) else { return nil }
      self.file = file
      HeldFiles.entries.withLock { $0[file, default: Entry()].holders += 1 }
    }

    deinit {
      let left = HeldFiles.entries.withLock { entries in
        entries[file]?.holders -= 1
        guard entries[file]?.holders == 0 else { return [Int32]() }
        return entries.removeValue(forKey: file)?.descriptors ?? []
      }
      for descriptor in left { DecantSystem.close(descriptor) }
    }
  }

  /// Opens a file for reading, and reuses a descriptor that `close` kept if there is one.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - flags: The flags of `open(2)`, for reading.
  /// - Returns: The descriptor, at the beginning of the file; negative if the file cannot be opened.
  static func open(_ path: String, _ flags: Int32) -> Int32 {
    let status = flags & O_NOFOLLOW == 0 ? FileStatus(path) : FileStatus(unfollowed: path)
    let kept = entries.withLock { entries in
      guard let file = File(status), status?.isFile == true else { return Int32?.none }
      return entries[file]?.descriptors.popLast()
    }
    guard let kept else { return DecantSystem.open(path, flags) }
    lseek(kept, 0, SEEK_SET)
    return kept
  }

  /// Closes a descriptor from `open`, at once or when the file is no longer held.
  static func close(_ descriptor: Int32) {
    let file = File(FileStatus(descriptor: descriptor))
    let isKept = entries.withLock { entries in
      guard let file, entries[file] != nil else { return false }
      entries[file]?.descriptors.append(descriptor)
      return true
    }
    if !isKept { DecantSystem.close(descriptor) }
  }
}
