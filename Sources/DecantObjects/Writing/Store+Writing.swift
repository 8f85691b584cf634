internal import DecantBase
internal import Dispatch

/// Writing.
extension Store {
  /// Changes the store in one transaction: if `body` throws, nothing is changed.
  ///
  /// The result is what Core Data would write: keys, entities and versions of rows, both sides of relationships, order,
  /// delete rules, the model's requirements for values, and persistent history if the store keeps it. A plain database
  /// applies its own foreign keys, constraints and triggers.
  ///
  /// Writes of one `Store` run one after the other; `policy` limits the wait for other writers. Reading continues in
  /// the meantime; in a store without a write-ahead log only until the commit.
  ///
  /// ```swift
  /// try await store.write { block in
  ///   let soup = try block.insert(Recipe.self) { $0.title = "Borscht" }
  ///   try block.delete(block.objects(Recipe.self).filter { $0.rating == 0 })
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - policy: How long to wait for other writers, and which stores may be written.
  ///   - body: Makes the changes, on a separate thread; its block is invalid afterwards.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, or `DecantError`: `.storeLocked` if others keep the store locked too long,
  ///   `.constraintViolated` for what the model or the database forbids, `.mirroredStore`. `CancellationError` if the
  ///   task was cancelled before the write began; a write that has begun ends early only if `body` throws.
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

/// The options for writing to a store.
public struct WritePolicy: Sendable {
  /// The time to wait for another process or connection that is writing.
  public var busyTimeout = Duration.seconds(5)
  /// Whether to write to a store that CloudKit mirrors, although the mirror may never send the changes.
  public var writesMirroredStores = false

  /// Creates the default policy: five seconds, no mirrored stores.
  public init() {}
}
