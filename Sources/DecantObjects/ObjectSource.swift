public import DecantBase

/// Where objects are read: a store, or a write block, which sees what it has changed.
public protocol ObjectSource {
  /// All objects of an entity that is known as a Swift type, those of entities below it included.
  func objects<Object: EntityObject>(_ type: Object.Type) -> Objects<Object>

  /// All objects of the entity `name`, those of entities below it included.
  ///
  /// A name that the model lacks is an error when the objects are read.
  func objects(_ name: String) -> Objects<StoreRecord>

  /// The objects that a to-many relationship leads to, in the order of the list where it has one.
  ///
  /// - Parameters:
  ///   - type: The type of these objects.
  ///   - owner: The object whose relationship it is.
  ///   - relationship: Its name.
  /// - Returns: The objects; an unknown name is an error when they are read.
  func objects<Object: EntityObject, Owner: EntityObject>(
    _ type: Object.Type,
    of owner: ObjectID<Owner>,
    _ relationship: String
  ) -> Objects<Object>
}

extension ObjectSource {
  /// The object with this key; `nil` where there is none.
  public func object<Object: EntityObject>(_ id: ObjectID<Object>) throws(DecantError) -> Object? {
    try objects(Object.self).object(id)
  }
}
