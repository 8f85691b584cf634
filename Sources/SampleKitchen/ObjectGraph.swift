import DecantSQLite

/// An object by its entity and its key in the entity's table.
struct ObjectReference: Hashable {
  let entity: String
  let key: Int64
}

/// An object as it will be stored.
struct Object {
  let reference: ObjectReference
  /// How often it was saved.
  var version: Int64
  var values: [String: Binding]
  var links: [String: ObjectReference] = [:]
  /// The object's place in the ordered list it belongs to through a link.
  var places: [String: Int64] = [:]
}

/// The objects of a store and what joins them.
struct ObjectGraph {
  let schema: Schema
  private(set) var objects: [Object] = []
  /// The highest key allocated in the table of each root entity.
  private(set) var lastKeys: [String: Int64] = [:]
  /// The pairs of each many-to-many relationship.
  private(set) var joins: [String: [(ObjectReference, ObjectReference)]] = [:]
  private var positions: [ObjectReference: Int] = [:]
  private var listCounts: [String: Int64] = [:]

  init(_ schema: Schema) {
    self.schema = schema
  }

  /// Adds an object with the next key of its table.
  mutating func add(_ entity: String, version: Int64 = 1, _ values: [String: Binding]) -> ObjectReference {
    let root = schema.root(of: entity)
    let key = lastKeys[root, default: 0] + 1
    lastKeys[root] = key
    let reference = ObjectReference(entity: entity, key: key)
    positions[reference] = objects.count
    objects.append(Object(reference: reference, version: version, values: values))
    return reference
  }

  /// Uses up keys of a table as objects do that were deleted since.
  mutating func skipKeys(_ count: Int64, of root: String) {
    lastKeys[root, default: 0] += count
  }

  /// Links an object to another, and back where the inverse is to-one too.
  ///
  /// In an ordered list the object comes last, unless `place` says where.
  mutating func link(_ source: ObjectReference, _ name: String, to target: ObjectReference, place: Int64? = nil) {
    let relationships = schema.relationships(of: source.entity)
    guard let relationship = relationships.first(where: { $0.name == name }),
      let position = positions[source]
    else { preconditionFailure("\(source.entity) has no relationship \(name)") }
    let inverse = schema.inverse(of: relationship)
    objects[position].links[name] = target
    if inverse.isOrdered {
      let list = "\(target.entity) \(target.key) \(inverse.name)"
      let count = listCounts[list, default: 0]
      objects[position].places[name] = place ?? ObjectGraph.place(at: count)
      if place == nil { listCounts[list] = count + 1 }
    }
    if !inverse.isToMany, let back = positions[target] {
      objects[back].links[inverse.name] = source
    }
  }

  /// Joins two objects by the many-to-many relationship `name` of the first.
  mutating func join(_ first: ObjectReference, _ name: String, _ second: ObjectReference) {
    joins[name, default: []].append((first, second))
  }

  /// Returns the sort key of the element at `position` of a list nobody reordered: wide gaps
  /// leave room for elements that are inserted later.
  static func place(at position: Int64) -> Int64 {
    2048 + 1024 * position
  }
}
