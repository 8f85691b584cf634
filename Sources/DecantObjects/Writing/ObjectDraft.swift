public import DecantBase

/// The values and links to give an object, set in a closure of ``WriteBlock``.
///
/// Properties that are not set keep their values; in a new object they have the model's default or no value. Reading
/// returns the value set here, or else that of the object. When many objects are changed at once, each has its own
/// values, and only values set here can be read.
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
  /// The values that were set, by attribute name.
  var values: [String: StoreValue] = [:]
  /// The links that were set, by relationship name.
  var links: [String: LinkEdit] = [:]
  /// The object before the change; `nil` for a new object, and for many.
  private let current: StoreRecord?
  private let misread: Misread?

  /// The name of a property that was read although it has no single value.
  private final class Misread {
    var name: String?
  }

  /// Creates a draft of a new object, of `current`, or of many objects if `isShared`.
  init(of current: StoreRecord? = nil, isShared: Bool = false) {
    self.current = current
    misread = isShared || current != nil ? Misread() : nil
  }

  /// The name of a property that was read here but cannot be.
  var misreadName: String? { misread?.name }

  fileprivate func value(_ name: String) -> StoreValue? {
    if let value = values[name] ?? current?[name] { return value }
    misread?.name = name
    return nil
  }

  /// An attribute; `nil` removes the value.
  public subscript<Value>(dynamicMember member: KeyPath<Object.Fields, Field<Value>>) -> Value? {
    get { value(ObjectDraft.fields[keyPath: member].path.name).flatMap { Value($0) } }
    set { values[ObjectDraft.fields[keyPath: member].path.name] = newValue?.storeValue ?? .null }
  }

  /// A to-one relationship; `nil` removes the link.
  public subscript<Target>(dynamicMember member: KeyPath<Object.Fields, ToOne<Target>>) -> ObjectID<Target>? {
    get {
      let name = ObjectDraft.fields[keyPath: member].path.name
      if let edit = links[name] { return edit.whole?.first.map { ObjectID($0) } }
      return value(name).flatMap { ObjectID($0) }
    }
    set { links[ObjectDraft.fields[keyPath: member].path.name] = LinkEdit(whole: newValue.map { [$0.key] } ?? []) }
  }

  /// A to-many relationship as set here: objects can be added and removed, or the whole list replaced.
  public subscript<Target>(dynamicMember member: KeyPath<Object.Fields, ToMany<Target>>) -> LinkedObjects<Target> {
    get { LinkedObjects(edit: links[ObjectDraft.fields[keyPath: member].path.name] ?? LinkEdit()) }
    set { links[ObjectDraft.fields[keyPath: member].path.name] = newValue.edit }
  }

  private static var fields: Object.Fields { Object.Fields(ObjectPath(FieldPath())) }
}

extension ObjectDraft where Object == StoreRecord {
  /// An attribute or the key of a to-one relationship, by name.
  public subscript(_ name: String) -> StoreValue? {
    get { value(name) }
    set { values[name] = newValue ?? .null }
  }

  /// A to-many relationship, by name.
  public subscript(many name: String) -> LinkedObjects<StoreRecord> {
    get { LinkedObjects(edit: links[name] ?? LinkEdit()) }
    set { links[name] = newValue.edit }
  }
}

/// Changes to the targets of a to-many relationship.
///
/// ```swift
/// $0.tags.append(winter.id)          // keeps the existing targets
/// $0.tags.remove(summer.id)
/// $0.steps = [first, second]         // replaces all targets, in this order
/// ```
public struct LinkedObjects<Target>: ExpressibleByArrayLiteral {
  var edit: LinkEdit

  init(edit: LinkEdit) { self.edit = edit }

  /// Replaces all targets by these objects, in this order if the relationship is ordered.
  public init(_ ids: [ObjectID<Target>]) { edit = LinkEdit(whole: ids.map(\.key)) }

  public init(arrayLiteral ids: ObjectID<Target>...) { self.init(ids) }

  /// Adds an object, at the end of an ordered list; an object that is already linked keeps its place.
  public mutating func append(_ id: ObjectID<Target>) { edit.steps.append(.add(id.key)) }

  /// Removes the link to an object, if there is one; the object itself stays.
  public mutating func remove(_ id: ObjectID<Target>) { edit.steps.append(.remove(id.key)) }
}

/// Changes to the links of one relationship of an object.
struct LinkEdit {
  /// The keys that replace all targets; `nil` to keep the existing targets.
  var whole: [Int64]?
  /// The changes to make to the targets, in order.
  var steps: [Step] = []

  enum Step {
    case add(Int64)
    case remove(Int64)
  }
}
