internal import CDecantLinux
internal import DecantSystem

/// A clock for the phases of a run; the times of a repeated phase are added up.
package struct PhaseClock {
  package init() {}

  private let clock = ContinuousClock()
  private var current: (phase: Phase, start: ContinuousClock.Instant)?
  private var times: [PhaseTime] = []

  /// Ends the current phase and begins `phase`.
  package mutating func begin(_ phase: Phase) {
    end()
    current = (phase, clock.now)
  }

  /// Ends the last phase and returns all of them.
  package mutating func stop() -> [PhaseTime] {
    end()
    return times
  }

  private mutating func end() {
    guard let current else { return }
    let passed = current.start.duration(to: clock.now).components
    let seconds = Double(passed.seconds) + Double(passed.attoseconds) / 1e18
    if let index = times.firstIndex(where: { $0.phase == current.phase }) {
      times[index].seconds += seconds
    } else {
      times.append(PhaseTime(phase: current.phase, seconds: seconds))
    }
    self.current = nil
  }
}

/// The memory use of this process.
package enum Memory {
  /// Makes the allocator return large buffers to the system when they are freed, since otherwise they add to the peak,
  /// and keep up to 1 MiB of small ones.
  package static func returnLargeBuffers() { decant_return_large_buffers() }

  /// The peak resident memory, in bytes.
  package static var peakByteCount: Int64 {
    // getrusage() starts with the memory of the process that started this program.
    if let kibibytes = highWaterMark { return kibibytes * 1024 }
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Int64(usage.ru_maxrss) * 1024
  }

  /// The peak of this program alone, in KiB; `nil` if the system does not report it.
  private static var highWaterMark: Int64? {
    guard let file = fopen("/proc/self/status", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix("VmHWM:") else { continue }
      return text.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int64($0) }
    }
    return nil
  }
}

extension Int64 {
  /// The number of bytes for people: `512 bytes`, `1.4 MB`.
  package var asByteCount: String {
    var value = Double(self)
    guard value >= 1000 else { return counted("byte") }
    for unit in ["kB", "MB", "GB", "TB"] {
      value /= 1000
      if value < 1000 || unit == "TB" {
        let tenths = Int64((value * 10).rounded())
        return value < 100 ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\(tenths / 10) \(unit)"
      }
    }
    return "\(self) bytes"
  }
}
