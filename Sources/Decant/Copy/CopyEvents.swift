internal import Dispatch
internal import Synchronization

/// The events of a copy, as they happen; see `Copy.events`.
public struct CopyEvents: AsyncSequence, Sendable {
  public typealias Element = CopyEvent

  private let copy: Copy

  init(_ copy: Copy) { self.copy = copy }

  /// Starts the copy on a thread of its own.
  public func makeAsyncIterator() -> Iterator { Iterator(copy) }

  /// Hands out the events of one run.
  public struct Iterator: AsyncIteratorProtocol {
    private let work: Work
    private var isFinished = false
    private var stream: AsyncThrowingStream<CopyEvent, any Error>.Iterator

    init(_ copy: Copy) {
      let work = Work()
      let stream = AsyncThrowingStream<CopyEvent, any Error> { continuation in
        continuation.onTermination = { _ in work.stop() }
        // A thread of its own: SQLite blocks, and Swift's own threads must not be blocked.
        DispatchQueue(label: "decant.copy").async {
          do {
            try copy.run(cancellation: work.cancellation) { event in
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
      self.work = work
      self.stream = stream.makeAsyncIterator()
    }

    /// Returns the next event, or `nil` after the last.
    ///
    /// - Throws: `DecantError`; with code `.interrupted` when this task was cancelled.
    public mutating func next() async throws -> CopyEvent? {
      if let event = try await stream.next() {
        work.makeRoom()
        if case .finished = event { isFinished = true }
        return event
      }
      // A stream that is cancelled ends at once; the copy ends after the batch at hand.
      await work.waitForEnd()
      guard Task.isCancelled, !isFinished else { return nil }
      throw DecantError(
        .interrupted,
        "the copy was stopped",
        remedy: "run it again; a new store can be resumed"
      )
    }
  }
}

/// The thread of one run: how to stop it, and how to wait for its end.
private final class Work: Sendable {
  private enum State {
    case running([CheckedContinuation<Void, Never>])
    case ended
  }

  let cancellation = Cancellation()
  private let state = Mutex(State.running([]))
  /// How many events may wait to be looked at: a copy does not run far ahead of who watches it.
  private let room = DispatchSemaphore(value: 0)

  init() { for _ in 0..<64 { room.signal() } }

  /// Asks the copy to stop; events need no room any more.
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
