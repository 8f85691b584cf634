public import DecantBase
internal import DecantSystem

/// A source of objects: a store, a snapshot of it, or a write block, which sees its own changes.
public protocol ObjectSource {
  /// The store, and the write block or snapshot if there is one.
  var origin: ObjectOrigin { get }
}

/// A store, and the write block or snapshot in which it is read.
public struct ObjectOrigin: Sendable {
  let store: Store
  /// The block whose state is read; `nil` if each read sees a state of its own.
  var block: BlockReader?
}

extension ObjectSource {
  /// Returns all objects of an entity that has a Swift type, including those of its subentities.
  public func objects<Object: EntityObject>(_ type: Object.Type) -> Objects<Object> {
    Objects(origin, ObjectRequest(entity: Object.entity))
  }

  /// Returns all objects of the entity `name`, including those of its subentities.
  ///
  /// If the model has no such entity, reading the objects fails.
  public func objects(_ name: String) -> Objects<StoreRecord> { Objects(origin, ObjectRequest(entity: name)) }

  /// Returns the targets of a to-many relationship, in their order if it is ordered.
  ///
  /// - Parameters:
  ///   - type: The type of the targets.
  ///   - owner: The object that has the relationship.
  ///   - relationship: The name of the relationship.
  /// - Returns: The targets; with an unknown name, reading them fails.
  public func objects<Object: EntityObject, Owner: EntityObject>(
    _ type: Object.Type,
    of owner: ObjectID<Owner>,
    _ relationship: String
  ) -> Objects<Object> {
    var request = ObjectRequest(entity: Object.entity)
    request.owner = ObjectRequest.Owner(entity: Owner.entity, keys: [owner.key], relationship: relationship)
    return Objects(origin, request)
  }

  /// Returns the object with this key, or `nil` if there is none.
  public func object<Object: EntityObject>(_ id: ObjectID<Object>) throws(DecantError) -> Object? {
    try objects(Object.self).object(id)
  }
}

/// The connection of a snapshot or a write block, valid while its closure runs.
///
/// `@unchecked Sendable`: `reader` is used, and `isOpen` changed, only on the thread of the closure; every use checks
/// that.
final class BlockReader: @unchecked Sendable {
  /// Whether the block may change what is being read.
  let isWriting: Bool
  private let reader: StoreReader
  private let thread = pthread_self()
  private var isOpen = true

  init(_ reader: StoreReader, isWriting: Bool) { (self.reader, self.isWriting) = (reader, isWriting) }

  func end() { isOpen = false }

  /// Returns the connection.
  ///
  /// - Throws: `DecantError` with the code `.unsupportedRequest` on another thread, or after the closure has ended.
  func open() throws(DecantError) -> StoreReader {
    guard pthread_equal(thread, pthread_self()) != 0, isOpen else { throw BlockReader.isOver }
    return reader
  }

  static var isOver: DecantError {
    DecantError(
      .unsupportedRequest,
      "objects of a block are read outside of it",
      remedy: "read them by the store, or within the block as an array"
    )
  }
}
