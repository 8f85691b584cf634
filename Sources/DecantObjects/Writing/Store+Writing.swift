internal import DecantBase
internal import Dispatch

/// Writing.
extension Store {
  /// Changes the store in one transaction: when `body` returns, all of it is there; when it throws, nothing is.
  ///
  /// What is written is what Core Data would accept: keys, entities and versions of rows, both sides of a relationship,
  /// order, delete rules, what the model requires of values, and persistent history where the store keeps it. A plain
  /// database applies its own foreign keys, constraints and triggers.
  ///
  /// Writes of one `Store` come one after the other; those of others are waited for as long as `policy` says. Reading
  /// goes on meanwhile, in a store without a write-ahead log until the commit.
  ///
  /// ```swift
  /// try await store.write { block in
  ///   let soup = try block.insert(Recipe.self) { $0.title = "Borscht" }
  ///   try block.delete(block.objects(Recipe.self).filter { $0.rating == 0 })
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - policy: How long others are waited for, and what is written at all.
  ///   - body: Makes the changes, on a thread of its own; the block it is given is of no use afterwards.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, or `DecantError`: `.storeLocked` where others keep the store too long,
  ///   `.constraintViolated` for what the model or the database forbids, `.mirroredStore`. `CancellationError` where the task
  ///   was cancelled before the write began; one that has begun is ended by what `body` throws alone.
  @discardableResult
  public func write<Result: Sendable>(
    _ policy: WritePolicy = WritePolicy(),
    _ body: @escaping @Sendable (WriteBlock) throws -> Result
  ) async throws -> Result {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        writer.queue.async {
          continuation.resume(
            with: Swift.Result {
              if cancellation.isCancelled { throw CancellationError() }
              return try self.write(policy, body)
            })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Changes the store in one transaction, on the caller's thread.
  @discardableResult
  public func write<Result>(
    _ policy: WritePolicy = WritePolicy(),
    _ body: (WriteBlock) throws -> Result
  ) throws -> Result {
    try writer.write(policy, for: self, body)
  }
}

/// How a store is written to.
public struct WritePolicy: Sendable {
  /// How long another process or connection that is writing is waited for.
  public var busyTimeout = Duration.seconds(5)
  /// Whether a store that CloudKit mirrors is written to, though its mirror may never send the changes.
  public var writesMirroredStores = false

  /// Five seconds, and no mirrored stores.
  public init() {}
}
