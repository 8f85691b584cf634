internal import DecantBase
internal import DecantSystem

/// The memory that this process can still take.
package enum AvailableMemory {
  /// The maximum size in bytes of a text that SQLite holds in memory as a whole; `nil` for any size.
  ///
  /// Measured: a text takes up to four times its size while it is copied between databases, and briefly more. The limit
  /// is determined once, so that every pass treats a value alike.
  package static let largestText: Int64? = byteCount.map { $0 / 5 }

  /// The smallest amount of memory, in bytes, that the system, the control group and the process's own limit allow;
  /// `nil` if none of them can be read.
  private static var byteCount: Int64? { [ofSystem, ofGroup, ofProcess].compactMap(\.self).min() }

  private static var ofSystem: Int64? {
    let line = text(of: "/proc/meminfo").split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int64($0) }.map { $0 * 1_024 }
  }

  private static var ofGroup: Int64? {
    let folder = "/sys/fs/cgroup/memory."
    guard let limit = Int64(text(of: folder + "max").prefix { $0 != "\n" }),
      let used = Int64(text(of: folder + "current").prefix { $0 != "\n" })
    else { return nil }
    // Cached file content is released when memory is needed.
    let cached = text(of: folder + "stat").split(separator: "\n").first { $0.hasPrefix("inactive_file ") }
    return max(limit - used + (cached?.split(separator: " ").last.flatMap { Int64($0) } ?? 0), 0)
  }

  private static var ofProcess: Int64? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < UInt64(Int64.max) else {
      return nil
    }
    let pages = text(of: "/proc/self/statm").split(separator: " ").first.flatMap { Int64($0) } ?? 0
    return max(Int64(limit.rlim_cur) - pages * Int64(getpagesize()), 0)
  }

  /// Returns the content of a system file; empty if the file does not exist.
  private static func text(of path: String) -> String {
    guard let bytes = try? Files.content(of: path) else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }
}
