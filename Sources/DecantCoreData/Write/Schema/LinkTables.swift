internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// The tables of many-to-many relationships, as in Core Data.
///
/// A table is named after one of the two ends. There is a known rule only if the ends have different entities and are
/// both ordered or both unordered: the entity with the lower number names the table. In all other cases the most likely
/// form is used, and the relationship is listed as doubtful.
struct LinkTables {
  /// A table, and the index for its other direction.
  struct Table {
    let name: String
    let columns: [String]
    let sql: String
    let indexName: String
    let indexSQL: String
  }

  /// One end of a relationship, seen from the entity that declares it.
  private struct End {
    let entity: String
    let relationship: Relationship
    var property: Property { Property(entity, relationship.name) }
  }

  private(set) var tables: [Table] = []
  /// The relationships whose table name only a store could show, as `Entity.relationship`.
  private(set) var doubtful: [String] = []

  private let names: SchemaNames
  /// The column with the keys of the objects at each end.
  private var columns: [Property: String] = [:]

  init(_ names: SchemaNames) {
    self.names = names
    let pairs = names.model.entities.flatMap { entity in
      entity.relationships.compactMap { relationship in
        pair(End(entity: entity.name, relationship: relationship))
      }
    }
    var taken: Set<String> = []
    for (end, other) in pairs {
      let base = "Z_\(names.number(end.entity))\(other.relationship.name.uppercased())"
      var name = base
      var clash = 0
      while !taken.insert(name).inserted {
        clash += 1
        name = base + String(clash)
      }
      columns[end.property] = name
    }
    var seen: Set<Property> = []
    for (end, other) in pairs where !seen.contains(end.property) {
      seen.formUnion([end.property, other.property])
      if isDoubtful(end, other) {
        doubtful.append(end.property.description)
      }
      tables.append(namesTable(end, over: other) ? table(end, other) : table(other, end))
    }
  }

  /// Returns both ends of a many-to-many relationship; `nil` for other relationships.
  private func pair(_ end: End) -> (End, End)? {
    let relationship = end.relationship
    guard relationship.isToMany, !relationship.isTransient,
      let property = names.model.inverseProperty(of: relationship),
      let inverse = names.model.relationship(property), inverse.isToMany
    else { return nil }
    return (end, End(entity: property.entity, relationship: inverse))
  }

  private func isDoubtful(_ a: End, _ b: End) -> Bool {
    if a.property == b.property { return false }
    // It is unknown whether the number is that of the declaring or of the inheriting entity.
    let isInherited =
      a.relationship.destination != b.entity || b.relationship.destination != a.entity
    return a.entity == b.entity || a.relationship.isOrdered != b.relationship.isOrdered
      || isInherited
  }

  /// Returns whether the table is named after `a`, as far as known stores show.
  private func namesTable(_ a: End, over b: End) -> Bool {
    let isFirst = names.number(a.entity) <= names.number(b.entity)
    guard a.relationship.isOrdered != b.relationship.isOrdered else { return isFirst }
    if a.entity == b.entity { return a.relationship.isOrdered }
    return isInTree(a.entity) == isInTree(b.entity) ? isFirst : isInTree(a.entity)
  }

  private func isInTree(_ entity: String) -> Bool {
    names.model.lineage(of: entity).count > 1 || names.model.family(of: entity).count > 1
  }

  private func table(_ namer: End, _ other: End) -> Table {
    let isReflexive = namer.property == other.property
    let name = "Z_\(names.number(namer.entity))\(namer.relationship.name.uppercased())"
    let owner = columns[namer.property] ?? ""
    let target = isReflexive ? "REFLEXIVE" : columns[other.property] ?? ""
    var all = [owner, target]
    if other.relationship.isOrdered { all.append("Z_FOK_\(owner.dropFirst(2))") }
    if namer.relationship.isOrdered, !isReflexive { all.append("Z_FOK_\(target.dropFirst(2))") }
    let definitions = all.map { $0.sqlName + " INTEGER" }.joined(separator: ", ")
    let key = "PRIMARY KEY (\(owner.sqlName), \(target.sqlName))"
    let index = "\(name)_\(target)_INDEX"
    return Table(
      name: name,
      columns: all,
      sql: "CREATE TABLE \(name.sqlName) ( \(definitions), \(key) )",
      indexName: index,
      indexSQL: "CREATE INDEX \(index.sqlName) ON \(name.sqlName) "
        + "(\(target.sqlName), \(owner.sqlName))"
    )
  }
}
