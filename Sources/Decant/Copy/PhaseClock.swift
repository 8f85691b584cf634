internal import Glibc

/// Measures how long each phase of a run takes; a phase that comes again is added to.
struct PhaseClock {
  private let clock = ContinuousClock()
  private var current: (phase: Phase, start: ContinuousClock.Instant)?
  private var times: [CopyReport.PhaseTime] = []

  /// Ends the phase at hand and begins `phase`.
  mutating func begin(_ phase: Phase) {
    end()
    current = (phase, clock.now)
  }

  /// Ends the last phase and returns all of them.
  mutating func stop() -> [CopyReport.PhaseTime] {
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
      times.append(CopyReport.PhaseTime(phase: current.phase, seconds: seconds))
    }
    self.current = nil
  }
}

/// What this process takes of the machine's memory.
package enum Memory {
  /// The most that was resident at once, in bytes.
  package static var peakByteCount: Int64 {
    // Not what getrusage says where it can be helped: that counts the memory of the program that
    // started this one, up to the moment at which it became another.
    let status = String(
      decoding: Files.start(of: "/proc/self/status", count: 1 << 14),
      as: UTF8.self
    )
    if let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let count = Int64(line.filter(\.isNumber))
    {
      return count * 1024
    }
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    // Linux counts in KiB.
    return Int64(usage.ru_maxrss) * 1024
  }
}

extension Int64 {
  /// The number of bytes as a person says it: `512 bytes`, `1.4 MB`.
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
