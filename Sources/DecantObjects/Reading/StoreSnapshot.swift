internal import DecantBase
internal import DecantSystem
internal import Dispatch

/// What lends a connection to the reads of a block, as long as that runs.
protocol OpenReader: AnyObject, Sendable {
  func openReader() throws(DecantError) -> StoreReader
}

/// One state of a store: everything that is read in the block belongs together.
///
/// Only the closure that was given the snapshot can use it, and only on its own thread.
///
/// `@unchecked Sendable`: every use checks that it is on the thread of its closure, while that runs.
public final class StoreSnapshot: OpenReader, @unchecked Sendable {
  private let store: Store
  private let reader: StoreReader
  private let thread = pthread_self()
  private var isOpen = true

  init(_ store: Store, _ reader: StoreReader) { (self.store, self.reader) = (store, reader) }

  func end() { isOpen = false }

  func openReader() throws(DecantError) -> StoreReader {
    guard pthread_equal(thread, pthread_self()) != 0, isOpen else { throw WriteBlock.isOver }
    return reader
  }
}

extension StoreSnapshot: ObjectSource {
  public func objects<Object: EntityObject>(_ type: Object.Type) -> Objects<Object> {
    Objects(store, ObjectRequest(entity: Object.entity), in: self)
  }

  public func objects(_ name: String) -> Objects<StoreRecord> {
    Objects(store, ObjectRequest(entity: name), in: self)
  }

  public func objects<Object: EntityObject, Owner: EntityObject>(
    _ type: Object.Type,
    of owner: ObjectID<Owner>,
    _ relationship: String
  ) -> Objects<Object> {
    Objects(store, .leading(from: owner, relationship, to: Object.entity), in: self)
  }
}

extension Store {
  /// Reads one state of the store in several steps: counts, objects and lists that belong together.
  ///
  /// ```swift
  /// let (recipes, categories) = try store.read { snapshot in
  ///   let recipes = try snapshot.objects(Recipe.self).prefix(50).array()
  ///   return (recipes, try snapshot.objects(Category.self).by(recipes.map(\.category)))
  /// }
  /// ```
  ///
  /// - Parameter body: Reads; the snapshot it is given is of no use afterwards.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, or `DecantError` where the store cannot be read.
  public func read<Result>(_ body: (StoreSnapshot) throws -> Result) throws -> Result {
    let reader = try readers.take()
    defer {
      reader.end()
      readers.giveBack(reader)
    }
    try reader.begin()
    let snapshot = StoreSnapshot(self, reader)
    defer { snapshot.end() }
    return try body(snapshot)
  }

  /// Reads one state of the store in several steps, on a thread of the store's.
  public func read<Result: Sendable>(_ body: @escaping @Sendable (StoreSnapshot) throws -> Result) async throws
    -> Result
  {
    let result = try await readers.onThread { () throws(DecantError) in Swift.Result { try self.read(body) } }
    return try result.get()
  }
}
