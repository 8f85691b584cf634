public import DecantBase

/// One or more committed changes of a store.
public struct StoreChange: Sendable, Hashable {
  /// The entities whose objects this store inserted, updated or deleted.
  ///
  /// `nil` if another connection or process wrote, so that any object may have changed.
  public var entities: Set<String>?
  /// Whether the store's file was replaced by another.
  public var isReplacement: Bool

  /// Creates a change.
  public init(entities: Set<String>?, isReplacement: Bool = false) {
    (self.entities, self.isReplacement) = (entities, isReplacement)
  }

  func joined(_ other: StoreChange) -> StoreChange {
    var joined = StoreChange(entities: nil, isReplacement: isReplacement || other.isReplacement)
    if let entities, let others = other.entities { joined.entities = entities.union(others) }
    return joined
  }
}

/// The changes of a store since the call that returned this sequence, for one loop.
///
/// Changes that are committed while the loop body runs arrive as one. The loop ends when its task is cancelled.
public struct StoreChanges: AsyncSequence, Sendable {
  public typealias Element = StoreChange
  public typealias Failure = DecantError

  private let subscription: ChangeSubscription

  init(_ watch: StoreWatch, _ entity: String?) { subscription = ChangeSubscription(watch, entity) }

  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

  /// Returns a change that no loop has received yet, or `nil` if there is none.
  func takePending() -> StoreChange? { subscription.subscriber.takePending() }

  /// The iterator over the changes.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: ChangeSubscription

    /// Waits for the next change; returns `nil` if the task is cancelled.
    ///
    /// - Throws: `DecantError` if changes can no longer be detected.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(DecantError) -> StoreChange? {
      try await subscription.subscriber.next()
    }

    /// Waits for the next change; returns `nil` if the task is cancelled.
    public mutating func next() async throws(DecantError) -> StoreChange? { try await next(isolation: nil) }
  }
}

/// A subscription to changes, active as long as it is referenced.
final class ChangeSubscription: Sendable {
  let subscriber: ChangeSubscriber
  private let watch: StoreWatch
  private let number: Int

  init(_ watch: StoreWatch, _ entity: String?) {
    self.watch = watch
    subscriber = ChangeSubscriber(entity)
    number = watch.begin(subscriber)
  }

  deinit { watch.end(number) }
}

extension Store {
  /// Returns the changes of objects of a type, including those of its subentities.
  ///
  /// Writes of this store arrive at once. Those of other connections and processes arrive within a quarter of a second
  /// and may concern any object. Changes count from this call on: call it, then read, then start the loop, and no
  /// change is missed.
  ///
  /// ```swift
  /// let changes = store.changes(of: Recipe.self)
  /// show(try await recipes.array())
  /// for try await _ in changes { show(try await recipes.array()) }
  /// ```
  ///
  /// - Returns: The changes, for one loop.
  public func changes<Object: EntityObject>(of type: Object.Type) -> StoreChanges {
    StoreChanges(watch, Object.entity)
  }

  /// Returns the changes of any object.
  public func changes() -> StoreChanges { StoreChanges(watch, nil) }

  /// Notifies the subscribers of a write of this store; called right after its commit.
  ///
  /// - Parameter entities: The objects' own entities; `nil` if it may be any entity.
  package func noteChange(entities: Set<String>?) { watch.note(entities) }

  /// Prepares `noteChange`; called in the open transaction of the write.
  ///
  /// Without it the write may also be taken for one of another process and be reported twice.
  package func noteWriting() { watch.noteWriting() }
}
