extension Migration {
  /// The events of a run; it starts when their iteration begins, on a thread of its own, and the last event says that
  /// the store is ready to be opened.
  ///
  /// Cancelling the task that iterates stops the migration: the iteration throws `DecantError` with code
  /// `.interrupted`, once nothing of it runs any more, and the store is as it was.
  public var events: MigrationEvents { MigrationEvents(self) }
}

/// The events of a migration, as they happen; see `Migration.events`.
public struct MigrationEvents: AsyncSequence, Sendable {
  public typealias Element = MigrationEvent

  private let migration: Migration

  init(_ migration: Migration) { self.migration = migration }

  /// Starts the migration on a thread of its own.
  public func makeAsyncIterator() -> Iterator { Iterator(migration) }

  /// Hands out the events of one run.
  public struct Iterator: AsyncIteratorProtocol {
    private var thread: EventThread<MigrationEvent>

    init(_ migration: Migration) {
      let stopped = DecantError(
        .interrupted,
        "the migration was stopped",
        remedy: "run it again; the store is as it was"
      )
      thread = EventThread("decant.migrate", stopped: stopped) { event in
        if case .finished = event { true } else { false }
      } _: { cancellation, tell in
        try migration.run(cancellation: cancellation, tell)
      }
    }

    /// Returns the next event, or `nil` after the last.
    ///
    /// - Throws: `DecantError`; with code `.interrupted` when this task was cancelled.
    public mutating func next() async throws -> MigrationEvent? { try await thread.next() }
  }
}
