internal import Dispatch
internal import Synchronization

/// A run on a thread of its own, and the events that it reports, one after another.
///
/// SQLite blocks, and Swift's own threads must not be blocked. The run does not get far ahead of who watches it.
struct OperationThread<Report: Sendable> {
  private let work = ThreadedWork<Report>()
  private var isFinished = false
  private var stream: AsyncStream<OperationEvent<Report>>.Iterator

  /// Starts the run.
  init(
    _ name: String,
    _ run:
      @escaping @Sendable (Cancellation, (OperationEvent<Report>) -> Void)
      throws(DecantError) -> Report
  ) {
    let work = work
    let stream = AsyncStream<OperationEvent<Report>> { continuation in
      continuation.onTermination = { _ in work.stop() }
      DispatchQueue(label: "decant.\(name)").async {
        let result = Result { () throws(DecantError) in
          try run(work.cancellation) { event in
            work.waitForRoom()
            continuation.yield(event)
          }
        }
        continuation.finish()
        work.end(result)
      }
    }
    self.stream = stream.makeAsyncIterator()
  }

  /// Returns the next event, or `nil` after the last.
  ///
  /// A stream whose task is cancelled ends at once, and what comes after is not in it: what the run came to is asked of
  /// the run itself.
  mutating func next(isolation actor: isolated (any Actor)?) async throws(DecantError) -> OperationEvent<Report>? {
    if let next = await stream.next(isolation: actor) {
      work.makeRoom()
      return next
    }
    guard !isFinished else { return nil }
    let result = await work.result()
    isFinished = true
    return .finished(try result.get())
  }
}

/// The thread of one run: how to stop it, and how to wait for its end.
private final class ThreadedWork<Report: Sendable>: Sendable {
  private typealias Outcome = Result<Report, DecantError>

  private enum State {
    case running([CheckedContinuation<Outcome, Never>])
    case ended(Outcome)
  }

  let cancellation = Cancellation()
  private let state = Mutex(State.running([]))
  /// How many events may wait to be looked at.
  private let room = DispatchSemaphore(value: 0)

  init() { for _ in 0..<64 { room.signal() } }

  /// Asks the run to stop; events need no room any more.
  func stop() {
    cancellation.cancel()
    room.signal()
  }

  func waitForRoom() { if !cancellation.isCancelled { room.wait() } }

  func makeRoom() { room.signal() }

  /// Tells those who wait what the run came to; nothing of it runs any more.
  func end(_ outcome: Result<Report, DecantError>) {
    let waiting = state.withLock { state -> [CheckedContinuation<Outcome, Never>] in
      defer { state = .ended(outcome) }
      guard case .running(let waiting) = state else { return [] }
      return waiting
    }
    for continuation in waiting { continuation.resume(returning: outcome) }
  }

  /// Waits until the run has ended.
  func result() async -> Result<Report, DecantError> {
    await withCheckedContinuation { continuation in
      let ended = state.withLock { state -> Outcome? in
        switch state {
        case .ended(let outcome): return outcome
        case .running(let waiting):
          state = .running(waiting + [continuation])
          return nil
        }
      }
      if let ended { continuation.resume(returning: ended) }
    }
  }
}
