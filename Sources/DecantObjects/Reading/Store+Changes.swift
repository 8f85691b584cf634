public import DecantBase

/// A change of a store that was committed, or several of them.
public struct StoreChange: Sendable, Hashable {
  /// The entities whose objects were inserted, updated or deleted by this store; `nil` where another connection or process
  /// wrote, and any object may have changed.
  public var entities: Set<String>?
  /// Whether another file took the store's place.
  public var isReplacement: Bool

  /// Describes a change.
  public init(entities: Set<String>?, isReplacement: Bool = false) {
    (self.entities, self.isReplacement) = (entities, isReplacement)
  }

  func joined(_ other: StoreChange) -> StoreChange {
    var joined = StoreChange(entities: nil, isReplacement: isReplacement || other.isReplacement)
    if let entities, let others = other.entities { joined.entities = entities.union(others) }
    return joined
  }
}

/// The changes of a store from the moment on in which it was asked for them; for one loop.
///
/// Changes that are committed while the loop's body runs come as one. The loop ends when its task is cancelled.
public struct StoreChanges: AsyncSequence, Sendable {
  public typealias Element = StoreChange
  public typealias Failure = DecantError

  private let subscription: ChangeSubscription

  init(_ watch: StoreWatch, _ entity: String?) { subscription = ChangeSubscription(watch, entity) }

  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

  /// A change that came and that no loop was given; `nil` where there is none.
  func takePending() -> StoreChange? { subscription.subscriber.takePending() }

  /// Hands out the changes.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: ChangeSubscription

    /// Waits for the next change; returns `nil` when the task is cancelled.
    ///
    /// - Throws: `DecantError` where changes cannot be noticed any more.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(DecantError) -> StoreChange? {
      try await subscription.subscriber.next()
    }

    /// Waits for the next change; returns `nil` when the task is cancelled.
    public mutating func next() async throws(DecantError) -> StoreChange? { try await next(isolation: nil) }
  }
}

/// Has changes arrive as long as somebody keeps it.
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
  /// The changes of objects of a type, those of entities below it included.
  ///
  /// Own writes come at once, those of other connections and processes within a quarter of a second, with any object that
  /// may have changed. Changes count from this call on: ask for them, then read, then begin the loop, and none is missed.
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

  /// The changes of any object.
  public func changes() -> StoreChanges { StoreChanges(watch, nil) }

  /// Tells those that wait for changes, right after its commit, of a write of this store's.
  ///
  /// - Parameter entities: The objects' own entities; `nil` where it may be any.
  package func noteChange(entities: Set<String>?) { watch.note(entities) }

  /// Prepares for `noteChange`, in the open transaction of the write: without it the write may be taken for one of another
  /// process as well, and come twice.
  package func noteWriting() { watch.noteWriting() }
}
