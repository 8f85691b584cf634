internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The other ends of one-to-one links for which the mapping defines only one end.
///
/// Both stores keep such a link with both objects. The expression of one end is reversed in a temporary table, which
/// the view of the other end reads.
struct MappedBackLinks {
  /// The relationship of the destination that the mapping defines.
  let relationship: Property
  let tables: MappedTables

  static let owner = ".owner"
  static let target = ".target"

  private var name: String { "back of \(relationship)" }

  /// The qualified name of the table in SQL.
  var table: String { "temp.\(name.quotedName)" }

  /// Returns the SQL for the key of the object that links to the object `key`, both as keys of the destination's view.
  func owner(of key: String) -> String {
    "(SELECT b.\"\(MappedBackLinks.owner)\" FROM \(table) AS b WHERE b.\"\(MappedBackLinks.target)\" = \(key))"
  }

  /// Returns all that the links of `tables` need.
  static func all(_ tables: MappedTables) -> [MappedBackLinks] {
    var relationships: Set<Property> = []
    for value in tables.roots.flatMap(\.parts).flatMap(\.values.values) {
      if case .link(.backward(let relationship), _, _, _) = value {
        relationships.insert(relationship)
      }
    }
    return relationships.sorted { "\($0)" < "\($1)" }
      .map { MappedBackLinks(relationship: $0, tables: tables) }
  }

  /// Creates the empty table: views can be read only when all of their tables exist.
  func make(on connection: Connection) throws(DecantError) {
    try explaining("cannot reverse \(relationship)") { () throws(SQLiteError) in
      try connection.makeEmpty(
        table,
        "\"\(MappedBackLinks.target)\" INTEGER PRIMARY KEY, \"\(MappedBackLinks.owner)\" INTEGER"
      )
    }
  }

  /// Fills the table from the present state of the source on `connection`.
  ///
  /// - Throws: `DecantError` of the family `.usage` if two objects link to the same object.
  func fill(_ schema: String, on connection: Connection) throws(DecantError) {
    guard let root = tables.destination.model.root(of: relationship.entity)?.name,
      let mapped = tables.roots.first(where: { $0.root == root })
    else { return }
    let relation = try MappedRelation(mapped: mapped, store: tables).relation(in: schema).relation
    guard let column = relation.column(.target(relationship)) else { return }
    let value = relation.value(of: column)
    var rows = "\(relation.sqlTable(in: schema)) WHERE \(value) <> \(MappedKeys.nobody)"
    // Objects that the mapping leaves out have no links.
    for entity in relation.entities
    where mapped.parts.contains(where: { $0.entity == entity.name && $0.condition != nil }) {
      rows +=
        " AND (\(EntityView.entityName) <> \(entity.code) OR \(relation.keyName) IN "
        + "(SELECT \(EntityView.key) FROM temp.\(MappedStore.choiceName(of: entity.name).quotedName)))"
    }
    let double = try explaining("cannot reverse \(relationship)") {
      () throws(SQLiteError) -> (Int64, Int64)? in
      try connection.run("INSERT OR IGNORE INTO \(table) SELECT \(value), \(relation.keyName) FROM \(rows)")
      let statement = try connection.prepare(
        """
        SELECT \(relation.keyName), \(owner(of: value)) AS other FROM \(rows)
        AND other <> \(relation.keyName) LIMIT 1
        """
      )
      return try statement.step() ? (statement.integer(at: 1), statement.integer(at: 0)) : nil
    }
    guard let double else { return }
    let rule = mapped.parts.lazy.compactMap(\.rule).first { rule in
      rule.settings.contains { $0.property.text == relationship.name }
    }
    let said = rule?.settings.first { $0.property.text == relationship.name }
    throw tables.mapping.mistake(
      "\(relationship.entity) p\(double.0) and p\(double.1) have the same target in \(relationship.name), "
        + "but its inverse is to-one",
      at: said?.value.mark ?? .start,
      remedy: "change or remove the target of one of them"
    )
  }
}
