/// The events of a copy, as they happen; see `Copy.events`.
public struct CopyEvents: AsyncSequence, Sendable {
  public typealias Element = CopyEvent

  private let copy: Copy

  init(_ copy: Copy) { self.copy = copy }

  /// Starts the copy on a thread of its own.
  public func makeAsyncIterator() -> Iterator { Iterator(copy) }

  /// Hands out the events of one run.
  public struct Iterator: AsyncIteratorProtocol {
    private var thread: EventThread<CopyEvent>

    init(_ copy: Copy) {
      let stopped = DecantError(
        .interrupted,
        "the copy was stopped",
        remedy: "run it again; a new store can be resumed"
      )
      thread = EventThread("decant.copy", stopped: stopped) { event in
        if case .finished = event { true } else { false }
      } _: { cancellation, tell in
        try withoutActuallyEscaping(tell) { tell in
          try copy.run(cancellation: cancellation, tell) { conflict, problem in
            ConflictQuestion.ask(conflict, problem) { tell(.conflict($0)) }
          }
        }
      }
    }

    /// Returns the next event, or `nil` after the last.
    ///
    /// - Throws: `DecantError`; with code `.interrupted` when this task was cancelled.
    public mutating func next() async throws -> CopyEvent? { try await thread.next() }
  }
}
