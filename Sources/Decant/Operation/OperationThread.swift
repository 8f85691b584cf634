internal import Dispatch
internal import Synchronization

/// A run on a thread of its own, and the events that it reports, one after another.
///
/// SQLite blocks, and Swift's own threads must not be blocked. The run does not get far ahead of who watches it.
struct OperationThread<Report: Sendable> {
  private let name: String
  private let work = ThreadedWork()
  private var isFinished = false
  private var stream: AsyncThrowingStream<OperationEvent<Report>, any Error>.Iterator

  /// Starts the run.
  init(
    _ name: String,
    _ run:
      @escaping @Sendable (Cancellation, (OperationEvent<Report>) -> Void)
      throws(DecantError) -> Void
  ) {
    self.name = name
    let work = work
    let stream = AsyncThrowingStream<OperationEvent<Report>, any Error> { continuation in
      continuation.onTermination = { _ in work.stop() }
      DispatchQueue(label: "decant.\(name)").async {
        do {
          try run(work.cancellation) { event in
            work.waitForRoom()
            continuation.yield(event)
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
        work.end()
      }
    }
    self.stream = stream.makeAsyncIterator()
  }

  /// Returns the next event, or `nil` after the last.
  mutating func next(isolation actor: isolated (any Actor)?) async throws(DecantError)
    -> OperationEvent<Report>?
  {
    let next: OperationEvent<Report>?
    do {
      next = try await stream.next(isolation: actor)
    } catch {
      throw error as? DecantError ?? DecantError(.systemFailed, "the \(name) failed", cause: error)
    }
    if let next {
      work.makeRoom()
      if case .finished = next { isFinished = true }
      return next
    }
    // A stream that is cancelled ends at once; the run ends where it can.
    await work.waitForEnd()
    guard Task.isCancelled, !isFinished else { return nil }
    throw DecantError(.interrupted, "the \(name) was stopped", cause: CancellationError())
      .within(name)
  }
}

/// The thread of one run: how to stop it, and how to wait for its end.
private final class ThreadedWork: Sendable {
  private enum State {
    case running([CheckedContinuation<Void, Never>])
    case ended
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

  /// Tells those who wait that nothing runs any more.
  func end() {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      defer { state = .ended }
      guard case .running(let waiting) = state else { return [] }
      return waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func waitForEnd() async {
    await withCheckedContinuation { continuation in
      let isEnded = state.withLock { state -> Bool in
        guard case .running(let waiting) = state else { return true }
        state = .running(waiting + [continuation])
        return false
      }
      if isEnded { continuation.resume() }
    }
  }
}
