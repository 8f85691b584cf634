internal import Dispatch
internal import Synchronization

/// Work that a second thread does, one piece after the other, while the first goes on.
///
/// The first thread may be limited in how far it is ahead. After an error nothing more is done, and the error is thrown where the
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
  ///   - name: What the thread is called in a debugger.
  ///   - limit: How many pieces may wait; by default any number.
  package init(_ name: String, limit: Int? = nil) {
    self.limit = limit ?? .max
    queue = DispatchQueue(label: "decant.\(name)")
    room = limit.map { _ in DispatchSemaphore(value: 0) }
    for _ in 0..<(limit ?? 0) { room?.signal() }
  }

  /// Whether many pieces wait, so that the first thread may take some of the work over.
  package var isBehind: Bool { state.withLock { $0.count > limit / 2 } }

  /// Has `body` done behind what was added before.
  ///
  /// What it uses belongs to the second thread until `wait` returns, or until `body` is released. Before a large piece is
  /// added, all others are done.
  package func add(isLarge: Bool = false, _ body: @escaping () throws -> Void) throws {
    if isLarge { wait() }
    room?.wait()
    let failure = state.withLock { state in
      state.count += 1
      return state.failure
    }
    // Safe: it is called once, by the queue. The caller uses what it captures only after `wait`, which the queue orders, or
    // when it is the only owner again, which the release of `body` orders.
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

  /// Throws what went wrong so far.
  package func check() throws { if let failure = state.withLock({ $0.failure }) { throw failure } }

  /// Waits until all is done.
  package func wait() { queue.sync {} }

  /// Waits until all is done, and calls `body` ten times a second meanwhile.
  package func wait(_ body: () -> Void) {
    let end = DispatchSemaphore(value: 0)
    queue.async { end.signal() }
    while end.wait(timeout: .now() + .milliseconds(100)) == .timedOut { body() }
  }

  /// Waits until all is done, and throws what went wrong.
  package func finish() throws {
    wait()
    try check()
  }
}
