internal import DecantBase
internal import DecantStore

/// The columns in which one table holds the properties of a root entity and its subentities.
///
/// Properties of siblings with the same name and the same type share a column. If the types differ, each gets its
/// entity's name as a prefix, and so does every property whose name is taken.
struct ObjectColumns {
  private let model: Model
  private let form: ObjectsForm
  private var names: PlainNames

  /// Reserves the names that properties cannot have.
  init(_ model: Model, _ form: ObjectsForm, reserved: Set<String>) {
    (self.model, self.form) = (model, form)
    names = form.names(reserved)
  }

  /// A request for a column.
  private struct Wish {
    let entity: Entity
    /// The preferred name.
    let name: String
    /// The type; columns of the same name but different types are separate.
    let kind: String
    let column: RelationColumn
    /// The column beside it, with the position in the list at the other end.
    var position: RelationColumn?
  }

  /// Returns the columns of the entities of `family`, parents first.
  ///
  /// `codes` returns which objects have the properties of an entity, `nil` for all.
  mutating func columns(of family: [Entity], _ codes: (Entity) -> [Int64]?) -> [RelationColumn] {
    let attributes = family.flatMap { entity in
      entity.attributes.flatMap { attribute in
        wishes(attribute, of: entity, path: [], codes(entity))
      }
    }
    let links = family.flatMap { entity in
      entity.relationships.compactMap { wish($0, of: entity, codes(entity)) }
    }
    let all = settle(attributes) + settle(links) + owners(of: family, codes)
    // Bytes at the end of a row can be written piece by piece, and the other columns can be read without reading them.
    return all.filter { !$0.holdsBytes } + all.filter(\.holdsBytes)
  }

  /// Returns the columns of the owners of objects, if the objects hold them, and of their places in lists.
  private mutating func owners(of family: [Entity], _ codes: (Entity) -> [Int64]?) -> [RelationColumn] {
    guard form.holdsOwners else { return [] }
    var columns: [RelationColumn] = []
    for owner in model.entities {
      for relationship in owner.relationships
      where relationship.isToMany && relationship.inverse == nil && !relationship.isTransient {
        guard let target = model[relationship.destination], let entity = family.first(where: { $0.name == target.name })
        else { continue }
        let property = Property(owner.name, relationship.name)
        let name = "\(form.name(owner.name))_\(form.name(relationship.name))"
        let (root, codes) = (model.root(of: owner.name)?.name, codes(entity))
        columns.append(
          RelationColumn(
            name: names.claim("\(name)_owner"), columnRole: .owner(property), onlyIn: codes, targetRoot: root))
        guard relationship.isOrdered else { continue }
        columns.append(
          RelationColumn(name: names.claim("\(name)_place"), columnRole: .ownerPosition(property), onlyIn: codes))
      }
    }
    return columns
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
    column.encoding = form.encoding(attribute.type, Property(entity.name, path.joined(separator: ".")))
    return [
      Wish(
        entity: entity,
        name: path.map(form.name).joined(separator: "_"),
        kind: attribute.type.name + (attribute.allowsExternalStorage ? ", external" : "") + ", \(column.encoding)",
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
      name: form.name(relationship.name),
      kind: root + (isOrdered ? ", ordered" : ""),
      column: RelationColumn(name: "", columnRole: .target(property), onlyIn: codes, targetRoot: root),
      position: isOrdered
        ? RelationColumn(name: "", columnRole: .position(property), onlyIn: codes) : nil
    )
  }

  /// Assigns a column to each of `wishes`.
  private mutating func settle(_ wishes: [Wish]) -> [RelationColumn] {
    let rivals = Dictionary(grouping: wishes) { $0.name.foldedName }
    var shared: [String: (entity: String, column: String, position: String?)] = [:]
    var columns: [RelationColumn] = []
    for wish in wishes {
      let others = rivals[wish.name.foldedName] ?? []
      let isShared = others.allSatisfy { isSame($0, wish) }
      let name: (column: String, position: String?)
      let there = shared[wish.name]
      if isShared, let there {
        name = (there.column, there.position)
      } else {
        name = claim(wish, isAlone: isShared || !others.contains { isSibling($0, wish) })
        // Others share the column of the first property of an entity that has several of this name.
        if there?.entity != wish.entity.name { shared[wish.name] = (wish.entity.name, name.column, name.position) }
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
    let own = "\(form.name(wish.entity.name))_\(wish.name)"
    let suffix = wish.column.targetRoot == nil ? "" : "_id"
    func claim(_ suffix: String) -> String {
      guard isAlone else { return names.claim(own + suffix) }
      return form.numbersNames
        ? names.claim(wish.name + suffix) : names.claim(wish.name + suffix, own + suffix)
    }
    return (claim(suffix), wish.position == nil ? nil : claim("_position"))
  }

  /// Returns whether one column can hold both: they are one property, or no object has both.
  ///
  /// Properties of one entity can have one name here, as `fooBar` and `foo_bar` do in a notation.
  private func isSame(_ one: Wish, _ other: Wish) -> Bool {
    guard one.entity.name != other.entity.name else { return one.column.columnRole == other.column.columnRole }
    return one.name == other.name && one.kind == other.kind && isSibling(one, other)
  }

  /// Returns whether no object belongs to both entities.
  private func isSibling(_ one: Wish, _ other: Wish) -> Bool {
    let (a, b) = (one.entity.name, other.entity.name)
    return !model.lineage(of: a).contains { $0.name == b }
      && !model.lineage(of: b).contains { $0.name == a }
  }
}

extension RelationColumn {
  /// Whether its values are bytes, which may be large.
  fileprivate var holdsBytes: Bool { type == .binary || type == .transformable }
}

extension AttributeType {
  /// The form in which a plain database stores values of this type.
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

  /// The declared type of the column in a plain database.
  ///
  /// SQLite converts values by the declared type; with these types it keeps values as they are written.
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
