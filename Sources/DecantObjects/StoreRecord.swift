public import DecantBase

/// An object of any entity, with its values by name: for tools that do not know the model.
public struct StoreRecord: StoredObject {
  public static var properties: [String]? { nil }

  /// The key of the object; `nil` if the rows of the table have no integer key.
  public let id: ObjectID<StoreRecord>?
  /// The entity of the object, which may be a subentity of the requested one.
  public let entity: String
  private let names: [String]
  private let values: [StoreValue]

  public init(_ row: borrowing ObjectRow) throws(DecantError) {
    id = row.key.map { ObjectID($0) }
    entity = row.entity
    names = row.names
    values = row.names.indices.map { row.value(at: $0) }
  }

  /// The value of an attribute, or the key of a to-one relationship; `nil` if the entity has no such property.
  public subscript(_ name: String) -> StoreValue? {
    names.firstIndex(of: name).map { values[$0] }
  }

  /// The names of the values, in the order of the model.
  public var properties: [String] { names }

  /// The fields of an object of any entity, by name; with an unknown name, reading the objects fails.
  public struct Fields: ObjectFields {
    let path: ObjectPath

    public init(_ path: ObjectPath) { self.path = path }

    /// An attribute, or the key of a to-one relationship.
    public subscript<Value: FieldValue>(_ name: String, as type: Value.Type = StoreValue.self) -> Field<Value> {
      path.field(name)
    }

    /// The key of the object.
    public var id: Field<ObjectID<StoreRecord>> { path.id() }

    /// Returns the fields of a to-one relationship's target.
    public func one(_ name: String) -> Fields { Fields(ObjectPath(path.path.following(name))) }

    /// Returns a to-many relationship.
    public func many(_ name: String) -> ToMany<StoreRecord> { path.many(name) }
  }
}
