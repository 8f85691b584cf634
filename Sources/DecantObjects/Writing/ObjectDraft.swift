public import DecantBase

/// What an object is to have: values and links, set in the block that ``WriteBlock`` hands it to.
///
/// What is not set stays as it is; in a new object it is the model's default, or nothing. Reading gives what was set here,
/// else what the object has. Where many objects are changed at once, each has values of its own, and there is nothing to read.
///
/// ```swift
/// let soup = try block.insert(Recipe.self) {
///   $0.title = "Borscht"
///   $0.category = soups.id
///   $0.tags.append(winter.id)
/// }
/// ```
@dynamicMemberLookup
public struct ObjectDraft<Object: StoredObject> {
  /// The values that were set, by the attribute's name.
  var values: [String: StoreValue] = [:]
  /// The links that were set, by the relationship's name.
  var links: [String: LinkEdit] = [:]
  /// The object as it is; `nil` for a new one, and for many.
  private let current: StoreRecord?
  private let misread: Misread?

  /// What was read that has no single value.
  private final class Misread {
    var name: String?
  }

  /// A draft of a new object, or of `current`; of many objects where it is `isShared`.
  init(of current: StoreRecord? = nil, isShared: Bool = false) {
    self.current = current
    misread = isShared || current != nil ? Misread() : nil
  }

  /// The name of a property that was read here and cannot be.
  var misreadName: String? { misread?.name }

  fileprivate func value(_ name: String) -> StoreValue? {
    if let value = values[name] ?? current?[name] { return value }
    misread?.name = name
    return nil
  }

  /// An attribute; `nil` takes the value away.
  public subscript<Value>(dynamicMember member: KeyPath<Object.Fields, Field<Value>>) -> Value? {
    get { value(ObjectDraft.fields[keyPath: member].path.name).flatMap { Value($0) } }
    set { values[ObjectDraft.fields[keyPath: member].path.name] = newValue?.storeValue ?? .null }
  }

  /// A to-one relationship; `nil` leads to no object.
  public subscript<Target>(dynamicMember member: KeyPath<Object.Fields, ToOne<Target>>) -> ObjectID<Target>? {
    get {
      let name = ObjectDraft.fields[keyPath: member].path.name
      if let edit = links[name] { return edit.whole?.first.map { ObjectID($0) } }
      return value(name).flatMap { ObjectID($0) }
    }
    set { links[ObjectDraft.fields[keyPath: member].path.name] = LinkEdit(whole: newValue.map { [$0.key] } ?? []) }
  }

  /// A to-many relationship: what was set here; objects can be added and removed, or the whole list replaced.
  public subscript<Target>(dynamicMember member: KeyPath<Object.Fields, ToMany<Target>>) -> LinkedObjects<Target> {
    get { LinkedObjects(edit: links[ObjectDraft.fields[keyPath: member].path.name] ?? LinkEdit()) }
    set { links[ObjectDraft.fields[keyPath: member].path.name] = newValue.edit }
  }

  private static var fields: Object.Fields { Object.Fields(ObjectPath(FieldPath())) }
}

extension ObjectDraft where Object == StoreRecord {
  /// An attribute, or the key that a to-one relationship leads to, by its name.
  public subscript(_ name: String) -> StoreValue? {
    get { value(name) }
    set { values[name] = newValue ?? .null }
  }

  /// A to-many relationship by its name.
  public subscript(many name: String) -> LinkedObjects<StoreRecord> {
    get { LinkedObjects(edit: links[name] ?? LinkEdit()) }
    set { links[name] = newValue.edit }
  }
}

/// What is to be done to the objects of a to-many relationship.
///
/// ```swift
/// $0.tags.append(winter.id)          // those that are there stay
/// $0.tags.remove(summer.id)
/// $0.steps = [first, second]         // these and no others, in this order
/// ```
public struct LinkedObjects<Target>: ExpressibleByArrayLiteral {
  var edit: LinkEdit

  init(edit: LinkEdit) { self.edit = edit }

  /// These objects and no others, in this order where the relationship is ordered.
  public init(_ ids: [ObjectID<Target>]) { edit = LinkEdit(whole: ids.map(\.key)) }

  public init(arrayLiteral ids: ObjectID<Target>...) { self.init(ids) }

  /// Adds an object, at the end of a list that is ordered; one that is linked already stays where it is.
  public mutating func append(_ id: ObjectID<Target>) { edit.steps.append(.add(id.key)) }

  /// Takes away the link to an object, if there is one; the object itself stays.
  public mutating func remove(_ id: ObjectID<Target>) { edit.steps.append(.remove(id.key)) }
}

/// What is to become of an object's links of one relationship.
struct LinkEdit {
  /// The keys that it leads to and no others; `nil` for those that are there.
  var whole: [Int64]?
  /// What is done to these, one after the other.
  var steps: [Step] = []

  enum Step {
    case add(Int64)
    case remove(Int64)
  }
}
