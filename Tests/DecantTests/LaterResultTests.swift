import DecantBase
import Foundation
import Testing

/// A result of a second thread.
@Suite struct LaterResultTests {
  private struct Failure: Error {}

  @Test func `it arrives, or its error does`() {
    #expect(LaterResult("test") { _ in 7 }.get() == 7)
    var count = 0
    let slow = LaterResult("test") { _ in
      Thread.sleep(forTimeInterval: 0.5)
      return 8
    }
    #expect(slow.get { count += 1 } == 8)
    #expect(count > 0)
    #expect(throws: Failure.self) {
      try LaterResult<Int, Failure>("test") { _ throws(Failure) in throw Failure() }.get()
    }
  }

  /// The owner waits for the end of a thread whose result it does not need, at whatever moment it releases it.
  @Test func `a result that nobody needs ends`() {
    final class Log: @unchecked Sendable {
      var hasEnded = false
    }
    for delay in [0, 0.000_1, 0.001, 0.01] {
      for _ in 1...50 {
        let log = Log()
        var later: LaterResult<Int, Never>? = LaterResult("test") { end in
          while !end.isCancelled {}
          log.hasEnded = true
          return 0
        }
        Thread.sleep(forTimeInterval: delay)
        _ = later
        later = nil
        #expect(log.hasEnded)
      }
    }
  }
}
