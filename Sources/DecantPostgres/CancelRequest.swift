internal import CDecantPostgres
internal import Dispatch
internal import Synchronization

/// A request to the server to cancel the running statement of a connection.
///
/// libpq waits for the answer without a limit, so this happens on another thread. When the answer arrives, the server
/// has notified the process of the connection: later statements are not affected.
final class CancelRequest {
  /// The state that both threads share.
  private final class State: Sendable {
    let isWithdrawn = Atomic(false)
    let answered = DispatchSemaphore(value: 0)
  }

  private let state = State()
  private let end = ContinuousClock.now + .seconds(10)

  /// Makes the request.
  init?(_ connection: OpaquePointer) {
    guard let request = PQgetCancel(connection) else { return nil }
    // Unchecked, but safe: only the other thread uses it.
    nonisolated(unsafe) let own = request
    let state = state
    DispatchQueue(label: "decant.cancel").async {
      var message = [CChar](repeating: 0, count: 256)
      if !state.isWithdrawn.load(ordering: .acquiring) { PQcancel(own, &message, 256) }
      PQfreeCancel(own)
      state.answered.signal()
    }
  }

  /// Waits for the answer after the statement has ended; a request that has not been sent yet is withdrawn.
  ///
  /// Returns false if there is no answer within ten seconds.
  func settle() -> Bool {
    state.isWithdrawn.store(true, ordering: .releasing)
    let left = (end - .now).components
    let milliseconds = max(left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000, 0)
    return state.answered.wait(timeout: .now() + .milliseconds(Int(milliseconds))) == .success
  }
}
