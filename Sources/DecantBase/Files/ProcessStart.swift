internal import DecantSystem

/// A process, told from a later one with the same number by when it began.
struct ProcessStart: Equatable {
  let number: Int32
  /// In ticks since the machine was started; 0 where the system does not tell.
  let began: UInt64

  /// This process.
  static let own = ProcessStart(number: getpid(), began: ProcessStart.began(getpid()) ?? 0)

  init(number: Int32, began: UInt64) {
    self.number = number
    self.began = began
  }

  /// Whether it runs, as far as this process can see.
  var isRunning: Bool {
    if let running = ProcessStart.began(number) { return began == 0 || running == began }
    // Without /proc nothing is known but that there is one of that number.
    return FileStatus("/proc/self/stat") == nil && (kill(number, 0) == 0 || errno == EPERM)
  }

  /// When the process with a number began; `nil` where none runs, or only its end is waited for.
  private static func began(_ number: Int32) -> UInt64? {
    let line = Files.start(of: "/proc/\(number)/stat", count: 1024)
    // The second field, the name in brackets, may hold anything.
    guard let name = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = line[(name + 1)...].split(separator: UInt8(ascii: " "))
    guard fields.count > 19, let state = fields[0].first, !"ZX".utf8.contains(state) else {
      return nil
    }
    return UInt64(String(decoding: fields[19], as: UTF8.self))
  }
}
