internal import DecantSystem

/// The processes that hold a lock on a file, according to Linux's `/proc/locks`.
///
/// A line there is `1: POSIX  ADVISORY  WRITE 4711 fe:00:5522630 0 EOF`: the process, then device and inode number of
/// the file. If the file cannot be read, or lists no process, the holders are unknown.
package struct LockHolders {
  private let holders: [DecantError.Holder]

  /// Finds the processes that have a lock on the database at `path`, or on the files beside it that SQLite locks.
  package init(ofDatabase path: String) {
    self.init(of: ["", "-wal", "-shm", "-journal"].map { path + $0 })
  }

  /// Finds the processes other than this one that have a lock on one of `paths`.
  package init(of paths: [String]) {
    holders = LockHolders.processes(paths.compactMap { FileStatus($0) }).map { process in
      .init(process: process, name: LockHolders.lines(of: "/proc/\(process)/comm")?.first)
    }
  }

  /// The names of the first three; `nil` if none is known.
  package var text: String? {
    guard !holders.isEmpty else { return nil }
    return holders.prefix(3).map { holder in
      (holder.name.map { "\($0), " } ?? "") + "process \(holder.process)"
    }.joined(separator: "; ") + (holders.count > 3 ? "; and \(holders.count - 3) more" : "")
  }

  /// The remedies, beside waiting.
  package var remedies: [DecantError.Remedy] { [.closeOtherProgram(holders), .runAgain] }

  private static func processes(_ files: [FileStatus]) -> [Int32] {
    guard !files.isEmpty, let locks = lines(of: "/proc/locks") else { return [] }
    var processes: [Int32] = []
    for line in locks {
      // A process that waits for a lock holds none: its line has an arrow after the number.
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] != "->", let process = Int32(words[4]), process > 0,
        process != getpid(), !processes.contains(process),
        files.contains(where: { $0.isMeant(by: words[5]) })
      else { continue }
      processes.append(process)
    }
    return processes
  }

  /// Returns the lines of a file that the kernel generates on reading.
  private static func lines(of path: String) -> [String]? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var lines: [String] = []
    var buffer = [CChar](repeating: 0, count: 512)
    while fgets(&buffer, Int32(buffer.count), file) != nil {
      let bytes = buffer.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:))
      lines.append(String(decoding: bytes, as: UTF8.self))
    }
    return lines
  }
}

extension FileStatus {
  /// Returns whether `name`, as in `fe:00:5522630`, is this file: its device in hexadecimal, and its inode number.
  fileprivate func isMeant(by name: Substring) -> Bool {
    let parts = name.split(separator: ":")
    guard parts.count == 3, let major = UInt64(parts[0], radix: 16),
      let minor = UInt64(parts[1], radix: 16), UInt64(parts[2]) == number
    else { return false }
    return major == (device >> 8) & 0xfff | (device >> 32) & 0xffff_f000
      && minor == device & 0xff | (device >> 12) & 0xffff_ff00
  }
}
