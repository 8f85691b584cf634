internal import Dispatch
internal import Synchronization

/// Work that a second thread does, one piece after the other, while the first one continues.
///
/// The number of waiting pieces can be limited. After an error nothing more is done, and the error is thrown where the
/// next piece is added, or at the end.
package final class OrderedWork: Sendable {
  private struct State {
    var failure: (any Error)?
    var count = 0
  }

  private let queue: DispatchQueue
  private let room: DispatchSemaphore?
  private let limit: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - name: The name of the thread in a debugger.
  ///   - limit: The maximum number of waiting pieces; by default any number.
  package init(_ name: String, limit: Int? = nil) {
    self.limit = limit ?? .max
    queue = DispatchQueue(label: "decant.\(name)")
    room = limit.map { _ in DispatchSemaphore(value: 0) }
    for _ in 0..<(limit ?? 0) { room?.signal() }
  }

  /// Whether many pieces are waiting, so that the first thread may take over some of the work.
  package var isBehind: Bool { state.withLock { $0.count > limit / 2 } }

  /// The number of pieces that are not done.
  package var waitingCount: Int { state.withLock { $0.count } }

  /// Adds `body`, which runs after everything that was added before.
  ///
  /// The second thread owns the values that `body` captures until `wait` returns, or until `body` is released. A large
  /// piece is added only after all others are done.
  package func add(isLarge: Bool = false, _ body: @escaping () throws -> Void) throws {
    if isLarge { wait() }
    room?.wait()
    let failure = state.withLock { state in
      state.count += 1
      return state.failure
    }
    // Safe: the queue calls `body` once. The caller uses its captured values only after `wait`, which the queue orders,
    // or when it is their only owner again, which the release of `body` orders.
    nonisolated(unsafe) let body = body
    queue.async { [self] in
      defer {
        state.withLock { $0.count -= 1 }
        room?.signal()
      }
      guard state.withLock({ $0.failure == nil }) else { return }
      do {
        try body()
      } catch {
        state.withLock { $0.failure = error }
      }
    }
    if let failure { throw failure }
  }

  /// Whether a piece has failed.
  package var hasFailed: Bool { state.withLock { $0.failure != nil } }

  /// Throws the first error so far.
  package func check() throws { if let failure = state.withLock({ $0.failure }) { throw failure } }

  /// Waits until all work is done.
  package func wait() { queue.sync {} }

  /// Waits until all work is done, and calls `body` ten times a second meanwhile.
  package func wait(_ body: () -> Void) {
    let end = DispatchSemaphore(value: 0)
    queue.async { end.signal() }
    while end.wait(timeout: .now() + .milliseconds(100)) == .timedOut { body() }
  }

  /// Waits until all work is done, and throws the first error.
  package func finish() throws {
    wait()
    try check()
  }
}
