internal import Dispatch
internal import Synchronization

/// A run on a thread of its own, and its events in order.
///
/// SQLite blocks, and Swift's own threads must not be blocked. The run stays at most a few events ahead of its
/// consumer.
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
  /// A stream ends at once when its task is cancelled and drops later events; the result is therefore taken from the
  /// run itself.
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

/// The thread of one run: stops it, and waits for its end.
private final class ThreadedWork<Report: Sendable>: Sendable {
  private typealias Outcome = Result<Report, DecantError>

  private enum State {
    case running([CheckedContinuation<Outcome, Never>])
    case ended(Outcome)
  }

  let cancellation = Cancellation()
  private let state = Mutex(State.running([]))
  /// The number of events that may wait for the consumer.
  private let room = DispatchSemaphore(value: 0)

  init() { for _ in 0..<64 { room.signal() } }

  /// Requests the run to stop; events no longer wait for room.
  func stop() {
    cancellation.cancel()
    room.signal()
  }

  func waitForRoom() { if !cancellation.isCancelled { room.wait() } }

  func makeRoom() { room.signal() }

  /// Passes the result to the waiting tasks; nothing of the run is active any more.
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
