internal import DecantBase

/// One state of a store: everything read in the block is consistent.
///
/// A snapshot is valid only in its closure, and only on that closure's thread.
public final class StoreSnapshot: ObjectSource, Sendable {
  public let origin: ObjectOrigin

  init(_ store: Store, _ block: BlockReader) { origin = ObjectOrigin(store: store, block: block) }
}

extension Store {
  /// Reads one state of the store in several steps: counts, objects and lists that are consistent.
  ///
  /// ```swift
  /// let (recipes, categories) = try store.read { snapshot in
  ///   let recipes = try snapshot.objects(Recipe.self).prefix(50).array()
  ///   return (recipes, try snapshot.objects(Category.self).by(recipes.map(\.category)))
  /// }
  /// ```
  ///
  /// - Parameter body: Reads; its snapshot is invalid afterwards.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, or `DecantError` if the store cannot be read.
  public func read<Result>(_ body: (StoreSnapshot) throws -> Result) throws -> Result {
    let reader = try readers.take()
    defer {
      reader.end()
      readers.giveBack(reader)
    }
    try reader.begin()
    let block = BlockReader(reader, isWriting: false)
    defer { block.end() }
    return try body(StoreSnapshot(self, block))
  }

  /// Reads one state of the store in several steps, on a thread of the store.
  public func read<Result: Sendable>(_ body: @escaping @Sendable (StoreSnapshot) throws -> Result) async throws
    -> Result
  {
    let result = try await readers.onThread { () throws(DecantError) in Swift.Result { try self.read(body) } }
    return try result.get()
  }
}
