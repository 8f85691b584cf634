internal import DecantSystem
internal import Synchronization

/// Databases that SQLite has open in this process while other parts of it may look at the same file.
///
/// Closing any descriptor of a file gives up every lock that the process has on it (fcntl(2)): SQLite keeps descriptors
/// open itself for that reason, and cannot know of those of others. So these stay open, too, as long as the file is held.
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

  /// Holds a file as long as it is there; the connections to the file go before it.
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

  /// Opens a file for reading, by a descriptor that was to be closed before and was not where there is one.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - flags: As `open(2)` takes them, for reading.
  /// - Returns: The descriptor, at the beginning of the file; below 0 where it cannot be opened.
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

  /// Closes a descriptor of `open`, at once or when nobody holds its file any more.
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
