internal import DecantBase

/// The fields of an entity for conditions; `decant generate swift` generates one type for each entity.
public protocol ObjectFields: Sendable {
  /// Creates the fields of the object at `path`.
  init(_ path: ObjectPath)
}

/// The object of a condition that fields belong to; only generated code uses it.
public struct ObjectPath: Sendable {
  let path: FieldPath

  init(_ path: FieldPath) { self.path = path }

  /// Returns the key of the object itself.
  public func id<Object>() -> Field<ObjectID<Object>> { Field(path) }

  /// Returns the attribute `name`.
  public func field<Value: FieldValue>(_ name: String) -> Field<Value> { Field(path.named(name)) }

  /// Returns the to-one relationship `name`.
  public func one<Target: StoredObject>(_ name: String) -> ToOne<Target> { ToOne(path.named(name)) }

  /// Returns the to-many relationship `name`.
  public func many<Target: StoredObject>(_ name: String) -> ToMany<Target> { ToMany(path.named(name)) }
}

/// A to-one relationship in a condition: the fields of its target, and whether there is a target.
@dynamicMemberLookup
public struct ToOne<Target: StoredObject>: Sendable {
  let path: FieldPath

  init(_ path: FieldPath) { self.path = path }

  /// A field of the target; it has no value if there is no target.
  public subscript<Value>(dynamicMember member: KeyPath<Target.Fields, Value>) -> Value {
    Target.Fields(ObjectPath(path.following(path.name)))[keyPath: member]
  }

  /// The key of the target.
  public var id: Field<ObjectID<Target>> { Field(path) }

  /// Whether the relationship points to this object; with `nil`, whether it points to none.
  public static func == (link: ToOne, id: ObjectID<Target>?) -> ObjectCondition { link.id == id }

  /// Whether the relationship points to another object or to none; with `nil`, whether it points to any.
  public static func != (link: ToOne, id: ObjectID<Target>?) -> ObjectCondition { link.id != id }
}

/// A to-many relationship in a condition.
public struct ToMany<Target: StoredObject>: Sendable {
  let path: FieldPath

  init(_ path: FieldPath) { self.path = path }

  /// Whether the relationship has a target that meets a condition.
  public func contains(_ condition: (Target.Fields) -> ObjectCondition) -> ObjectCondition {
    let linked = FieldPath.linked()
    return ObjectCondition(.leads(path, linked, condition(Target.Fields(ObjectPath(linked))).node))
  }

  /// Whether the relationship has this object among its targets.
  public func contains(_ id: ObjectID<Target>) -> ObjectCondition {
    let linked = FieldPath.linked()
    return ObjectCondition(.leads(path, linked, .compared(linked, .isEqual, .integer(id.key))))
  }

  /// Whether the relationship has no targets.
  public var isEmpty: ObjectCondition { !ObjectCondition(.leads(path, .linked(), nil)) }
}
