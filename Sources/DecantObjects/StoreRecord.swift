public import DecantBase

/// An object of any entity, with its values by name: for tools that do not know the model.
public struct StoreRecord: StoredObject {
  public static var properties: [String]? { nil }

  /// Its key; `nil` where the rows of a table have no integer key.
  public let id: ObjectID<StoreRecord>?
  /// The object's own entity, which may be one below the entity that was asked for.
  public let entity: String
  private let names: [String]
  private let values: [StoreValue]

  public init(_ row: borrowing ObjectRow) throws(DecantError) {
    id = row.key.map { ObjectID($0) }
    entity = row.entity
    names = row.names
    values = row.names.indices.map { row.value(at: $0) }
  }

  /// The value of an attribute, or the key that a to-one relationship holds; `nil` for a name that the entity lacks.
  public subscript(_ name: String) -> StoreValue? {
    names.firstIndex(of: name).map { values[$0] }
  }

  /// The names of the values, in the model's order.
  public var properties: [String] { names }

  /// The fields of an object of any entity, by name: an unknown name is an error when the objects are read.
  public struct Fields: ObjectFields {
    let path: ObjectPath

    public init(_ path: ObjectPath) { self.path = path }

    /// An attribute, or the key that a to-one relationship holds.
    public subscript<Value: FieldValue>(_ name: String, as type: Value.Type = StoreValue.self) -> Field<Value> {
      path.field(name)
    }

    /// The object's own key.
    public var id: Field<ObjectID<StoreRecord>> { path.id() }

    /// A to-one relationship.
    public func one(_ name: String) -> Fields { Fields(ObjectPath(path.path.following(name))) }

    /// A to-many relationship.
    public func many(_ name: String) -> ToMany<StoreRecord> { path.many(name) }
  }
}
