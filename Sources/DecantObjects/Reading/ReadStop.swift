internal import DecantBase
internal import DecantSQLite
internal import Synchronization

/// Ends a statement when the reading task is cancelled.
///
/// A read on the caller's thread checks the caller's task; a read on a thread of the store checks the cancellation
/// passed to that thread.
final class ReadStop: ProgressCheck {
  /// Whether the read on this thread should end.
  static var isStopped: Bool { Cancellation.current?.isCancelled ?? Task.isCancelled }

  static var error: DecantError { DecantError(.interrupted, "the read was cancelled") }

  /// Throws if the read on this thread should end.
  static func check() throws(DecantError) { if isStopped { throw error } }

  private var interrupters: [Interrupter] = []
  private var followed: Cancellation?

  override func isStopped() -> Bool { Self.isStopped }

  override func add(_ interrupter: Interrupter) { interrupters.append(interrupter) }

  override func remove(_ interrupter: Interrupter) {
    followed?.remove(interrupter)
    interrupters.removeAll { $0 === interrupter }
  }

  /// Lets `cancellation` interrupt the long steps of the read that starts now; `nil` when the read ends.
  func follow(_ cancellation: Cancellation?) {
    for interrupter in interrupters {
      followed?.remove(interrupter)
      cancellation?.add(interrupter)
    }
    followed = cancellation
  }
}

/// Limits the number of reads that have a thread; the others wait, first come, first served.
final class ReadTurns: Sendable {
  private let state: Mutex<State>

  private struct State {
    var free: Int
    var waiting: [(cancellation: Cancellation, turn: CheckedContinuation<Bool, Never>)] = []
  }

  init(count: Int) { state = Mutex(State(free: count)) }

  /// Waits for a turn; returns false if the read was cancelled before.
  func take(_ cancellation: Cancellation) async -> Bool {
    await withCheckedContinuation { turn in
      let hasTurn: Bool? = state.withLock { state in
        // The canceller checks the waiting reads after it has set the flag.
        if cancellation.isCancelled { return false }
        if state.free > 0 {
          state.free -= 1
          return true
        }
        state.waiting.append((cancellation, turn))
        return nil
      }
      if let hasTurn { turn.resume(returning: hasTurn) }
    }
  }

  /// Passes the turn to the next read.
  func giveBack() {
    let next = state.withLock { state in
      if state.waiting.isEmpty {
        state.free += 1
        return CheckedContinuation<Bool, Never>?.none
      }
      return state.waiting.removeFirst().turn
    }
    next?.resume(returning: true)
  }

  /// Wakes the waiting reads that were cancelled.
  func endCancelled() {
    let cancelled = state.withLock { state in
      let cancelled = state.waiting.filter { $0.cancellation.isCancelled }
      state.waiting.removeAll { $0.cancellation.isCancelled }
      return cancelled
    }
    for waiting in cancelled { waiting.turn.resume(returning: false) }
  }
}
