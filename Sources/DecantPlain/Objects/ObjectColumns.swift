internal import DecantBase
internal import DecantStore

/// The columns in which one table holds the properties of a root entity and of all below it.
///
/// What two siblings call by one name, and is the same kind of value, shares a column; of different
/// kinds each has its entity's name in front, as has every property whose name is taken.
struct ObjectColumns {
  private let model: Model
  private var names: PlainNames

  /// Knows the names that properties cannot have.
  init(_ model: Model, reserved: Set<String>) {
    self.model = model
    names = PlainNames(reserved)
  }

  /// Something that wants a column.
  private struct Wish {
    let entity: Entity
    /// The name it would have if it were alone.
    let name: String
    /// Where the column is another one although the name is the same.
    let kind: String
    let column: RelationColumn
    /// The column beside it, with the place in the list at the other end.
    var position: RelationColumn?
  }

  /// Returns the columns of the entities of `family`, parents first; `codes` says which objects have
  /// the properties of an entity, `nil` for all.
  mutating func columns(of family: [Entity], _ codes: (Entity) -> [Int64]?) -> [RelationColumn] {
    let attributes = family.flatMap { entity in
      entity.attributes.flatMap { attribute in
        wishes(attribute, of: entity, path: [], codes(entity))
      }
    }
    let links = family.flatMap { entity in
      entity.relationships.compactMap { wish($0, of: entity, codes(entity)) }
    }
    let all = settle(attributes) + settle(links)
    // Bytes at the end of a row can be written piece by piece; and what is read without them is not read
    // past them.
    return all.filter { !$0.holdsBytes } + all.filter(\.holdsBytes)
  }

  private func wishes(_ attribute: Attribute, of entity: Entity, path: [String], _ codes: [Int64]?) -> [Wish] {
    guard !attribute.isTransient, attribute.type != .undefined else { return [] }
    let path = path + [attribute.name]
    if case .composite(let leaves) = attribute.type {
      return leaves.flatMap { wishes($0, of: entity, path: path, codes) }
    }
    var column = RelationColumn(
      name: "",
      columnRole: .attribute(Property(entity.name, path.joined(separator: "."))),
      onlyIn: codes,
      type: attribute.type
    )
    column.encoding = attribute.type.plainEncoding
    return [
      Wish(
        entity: entity,
        name: path.joined(separator: "_"),
        kind: attribute.type.name + (attribute.allowsExternalStorage ? ", external" : ""),
        column: column
      )
    ]
  }

  private func wish(_ relationship: Relationship, of entity: Entity, _ codes: [Int64]?) -> Wish? {
    guard !relationship.isToMany, !relationship.isTransient else { return nil }
    let property = Property(entity.name, relationship.name)
    let root = model.root(of: relationship.destination)?.name ?? relationship.destination
    let isOrdered = model.inverse(of: relationship)?.isOrdered == true
    return Wish(
      entity: entity,
      name: relationship.name,
      kind: root + (isOrdered ? ", ordered" : ""),
      column: RelationColumn(name: "", columnRole: .target(property), onlyIn: codes, targetRoot: root),
      position: isOrdered
        ? RelationColumn(name: "", columnRole: .position(property), onlyIn: codes) : nil
    )
  }

  /// Gives each of `wishes` its column.
  private mutating func settle(_ wishes: [Wish]) -> [RelationColumn] {
    let rivals = Dictionary(grouping: wishes) { $0.name.foldedName }
    var shared: [String: (column: String, position: String?)] = [:]
    var columns: [RelationColumn] = []
    for wish in wishes {
      let others = rivals[wish.name.foldedName] ?? []
      let isShared = others.allSatisfy { isSame($0, wish) }
      let name: (column: String, position: String?)
      if isShared, let there = shared[wish.name] {
        name = there
      } else {
        name = claim(wish, isAlone: isShared || !others.contains { isSibling($0, wish) })
        shared[wish.name] = name
      }
      var (column, position) = (wish.column, wish.position)
      column.name = name.column
      columns.append(column)
      if let place = name.position {
        position?.name = place
        columns += [position].compactMap(\.self)
      }
    }
    return columns
  }

  private mutating func claim(_ wish: Wish, isAlone: Bool) -> (column: String, position: String?) {
    let own = "\(wish.entity.name)_\(wish.name)"
    let suffix = wish.column.targetRoot == nil ? "" : "_id"
    let column =
      isAlone ? names.claim(wish.name + suffix, own + suffix) : names.claim(own + suffix)
    guard wish.position != nil else { return (column, nil) }
    let position =
      isAlone
      ? names.claim("\(wish.name)_position", "\(own)_position") : names.claim("\(own)_position")
    return (column, position)
  }

  /// Whether one column can hold both: no object has the two of them.
  private func isSame(_ one: Wish, _ other: Wish) -> Bool {
    guard one.entity.name != other.entity.name else { return one.name == other.name }
    return one.name == other.name && one.kind == other.kind && isSibling(one, other)
  }

  /// Whether no object is of both entities.
  private func isSibling(_ one: Wish, _ other: Wish) -> Bool {
    let (a, b) = (one.entity.name, other.entity.name)
    return !model.lineage(of: a).contains { $0.name == b }
      && !model.lineage(of: b).contains { $0.name == a }
  }
}

extension RelationColumn {
  /// Whether its values are bytes, which may be many.
  fileprivate var holdsBytes: Bool { type == .binary || type == .transformable }
}

extension AttributeType {
  /// How a plain database writes values of this type.
  var plainEncoding: ValueEncoding {
    switch self {
    case .date: .dateText
    case .uuid: .uuidText
    case .decimal: .decimalText
    case .undefined, .integer16, .integer32, .integer64, .double, .float, .string, .boolean,
      .binary,
      .uri, .transformable, .objectID, .composite:
      .asIs
    }
  }

  /// What a plain database declares the column as.
  ///
  /// SQLite converts what is stored by this word: each is one by which values stay as they are written.
  var plainDeclaration: String {
    switch self {
    case .integer16, .integer32, .integer64: "INTEGER"
    case .boolean: "BOOLEAN"
    case .double, .float: "REAL"
    case .date: "DATETIME"
    case .decimal, .string, .uri, .uuid: "TEXT"
    case .binary, .transformable, .undefined, .objectID, .composite: "BLOB"
    }
  }
}
