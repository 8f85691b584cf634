public import DecantBase
internal import DecantSystem

/// Where objects are read: a store, a snapshot of it, or a write block, which sees what it has changed.
public protocol ObjectSource {
  /// The store, and the block if it is one.
  var origin: ObjectOrigin { get }
}

/// A store, and the block in which it is read.
public struct ObjectOrigin: Sendable {
  let store: Store
  /// The block whose state is read; `nil` for a state of its own for each read.
  var block: BlockReader?
}

extension ObjectSource {
  /// All objects of an entity that is known as a Swift type, those of entities below it included.
  public func objects<Object: EntityObject>(_ type: Object.Type) -> Objects<Object> {
    Objects(origin, ObjectRequest(entity: Object.entity))
  }

  /// All objects of the entity `name`, those of entities below it included.
  ///
  /// A name that the model lacks is an error when the objects are read.
  public func objects(_ name: String) -> Objects<StoreRecord> { Objects(origin, ObjectRequest(entity: name)) }

  /// The objects that a to-many relationship leads to, in the order of the list where it has one.
  ///
  /// - Parameters:
  ///   - type: The type of these objects.
  ///   - owner: The object whose relationship it is.
  ///   - relationship: Its name.
  /// - Returns: The objects; an unknown name is an error when they are read.
  public func objects<Object: EntityObject, Owner: EntityObject>(
    _ type: Object.Type,
    of owner: ObjectID<Owner>,
    _ relationship: String
  ) -> Objects<Object> {
    var request = ObjectRequest(entity: Object.entity)
    request.owner = ObjectRequest.Owner(entity: Owner.entity, keys: [owner.key], relationship: relationship)
    return Objects(origin, request)
  }

  /// The object with this key, or `nil`.
  public func object<Object: EntityObject>(_ id: ObjectID<Object>) throws(DecantError) -> Object? {
    try objects(Object.self).object(id)
  }
}

/// The connection of a snapshot or a write block, as long as its closure runs.
///
/// `@unchecked Sendable`: `reader` is lent, and `isOpen` changed, on the thread of the closure alone, which every use checks.
final class BlockReader: @unchecked Sendable {
  /// Whether what is read may be changed by the block meanwhile.
  let isWriting: Bool
  private let reader: StoreReader
  private let thread = pthread_self()
  private var isOpen = true

  init(_ reader: StoreReader, isWriting: Bool) { (self.reader, self.isWriting) = (reader, isWriting) }

  func end() { isOpen = false }

  /// The connection.
  ///
  /// - Throws: `DecantError` of the code `.unsupportedRequest` on another thread, and after the closure has ended.
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
