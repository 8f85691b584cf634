internal import DecantBase

/// The fields of an object in conditions: made by `decant generate swift`, one type for each entity.
public protocol ObjectFields: Sendable {
  /// The fields of the object that `path` names.
  init(_ path: ObjectPath)
}

/// Which object of a condition fields belong to; only generated code handles it.
public struct ObjectPath: Sendable {
  let path: FieldPath

  init(_ path: FieldPath) { self.path = path }

  /// The key of the object itself.
  public func id<Object>() -> Field<ObjectID<Object>> { Field(path) }

  /// The attribute `name`.
  public func field<Value: FieldValue>(_ name: String) -> Field<Value> { Field(path.named(name)) }

  /// The to-one relationship `name`.
  public func one<Target: StoredObject>(_ name: String) -> ToOne<Target> { ToOne(path.named(name)) }

  /// The to-many relationship `name`.
  public func many<Target: StoredObject>(_ name: String) -> ToMany<Target> { ToMany(path.named(name)) }
}

/// A to-one relationship in a condition: its target's fields, and whether there is one.
@dynamicMemberLookup
public struct ToOne<Target: StoredObject>: Sendable {
  let path: FieldPath

  init(_ path: FieldPath) { self.path = path }

  /// A field of the object at the other end; without one it has no value.
  public subscript<Value>(dynamicMember member: KeyPath<Target.Fields, Value>) -> Value {
    Target.Fields(ObjectPath(path.following(path.name)))[keyPath: member]
  }

  /// The key of the object at the other end.
  public var id: Field<ObjectID<Target>> { Field(path) }

  /// Whether it points to this object; with `nil`, whether it points to no object.
  public static func == (link: ToOne, id: ObjectID<Target>?) -> ObjectCondition { link.id == id }

  /// Whether it points to another object, or to no object; with `nil`, whether it points to an object.
  public static func != (link: ToOne, id: ObjectID<Target>?) -> ObjectCondition { link.id != id }
}

/// A to-many relationship in a condition.
public struct ToMany<Target: StoredObject>: Sendable {
  let path: FieldPath

  init(_ path: FieldPath) { self.path = path }

  /// Whether it leads to an object that meets a condition.
  public func contains(_ condition: (Target.Fields) -> ObjectCondition) -> ObjectCondition {
    let linked = FieldPath.linked()
    return ObjectCondition(.leads(path, linked, condition(Target.Fields(ObjectPath(linked))).node))
  }

  /// Whether it leads to this object.
  public func contains(_ id: ObjectID<Target>) -> ObjectCondition {
    let linked = FieldPath.linked()
    return ObjectCondition(.leads(path, linked, .compared(linked, .isEqual, .integer(id.key))))
  }

  /// Whether it leads to no object.
  public var isEmpty: ObjectCondition { !ObjectCondition(.leads(path, .linked(), nil)) }
}
