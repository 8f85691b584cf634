internal import DecantSystem

/// A process, distinguished from a later one with the same ID by its start time.
struct ProcessStart: Equatable {
  let number: Int32
  /// The start in ticks since boot; 0 if unknown.
  let began: UInt64

  /// This process.
  static let own = ProcessStart(number: getpid(), began: ProcessStart.began(getpid()) ?? 0)

  init(number: Int32, began: UInt64) {
    self.number = number
    self.began = began
  }

  /// Whether the process runs, as far as this process can see.
  var isRunning: Bool {
    if let running = ProcessStart.began(number) { return began == 0 || running == began }
    // Without /proc it is only known that a process has this number.
    return FileStatus("/proc/self/stat") == nil && (kill(number, 0) == 0 || errno == EPERM)
  }

  /// Returns the start of the process with an ID; `nil` if none runs, or it is a zombie.
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
