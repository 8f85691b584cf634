internal import SQLite

/// Counts the objects, values and links that lie in one table.
///
/// How many rows there are of each entity is read first, from the index on the entity where there is
/// one; then the rows of each entity that has some are read once, all its columns together.
struct EntityCounts {
  let relation: Relation
  /// Where the objects lie to which links may lead.
  let layout: Layout
  let schema: String

  /// Counts everything into `census`.
  func count(on connection: Connection, into census: inout Census) throws(SQLiteError) {
    for (code, rowCount) in try rowCounts(on: connection) where rowCount > 0 {
      guard let entity = relation.entity(of: code) else {
        census.addStrangers(rowCount, code: code, table: relation.table)
        continue
      }
      census.addObjects(rowCount, of: entity.name)
      try countColumns(of: entity, on: connection, into: &census)
    }
  }

  private var table: String { "\(schema.sqlName).\(relation.table.sqlName)" }

  private func rowCounts(on connection: Connection) throws(SQLiteError) -> [(Int64?, Int64)] {
    guard let column = relation.entityColumn?.sqlName else {
      return [(nil, try connection.integer("SELECT count(*) FROM \(table)") ?? 0)]
    }
    var counts: [(Int64?, Int64)] = []
    try connection.forEachRow(
      "SELECT \(column), count(*) FROM \(table) GROUP BY \(column) ORDER BY \(column)"
    ) { row throws(SQLiteError) in
      counts.append((row.integerOrNil(at: 0), row.integer(at: 1)))
    }
    return counts
  }

  private func countColumns(
    of entity: Relation.EntityCode,
    on connection: Connection,
    into census: inout Census
  ) throws(SQLiteError) {
    let columns = relation.columns.filter { column in
      (column.onlyIn?.contains(entity.code) ?? true) && figures(of: column) != nil
    }
    guard !columns.isEmpty else { return }
    let select = SelectStatement(
      columns: columns.compactMap(figures),
      source: "\(table) AS o",
      conditions: relation.entityColumn.map { ["o.\($0.sqlName) = \(entity.code)"] } ?? []
    )
    let row = try connection.prepare(select.sql)
    guard try row.step() else { return }
    for (position, column) in columns.enumerated() {
      let (first, second) = (row.integer(at: 2 * position), row.integer(at: 2 * position + 1))
      switch column.meaning {
      case .attribute(let property):
        census.addValues(
          first,
          byteCount: second,
          of: property,
          type: column.type ?? .undefined,
          in: entity.name
        )
      case .target(let property), .owner(let property):
        census.addLinks(first - second, dangling: second, of: property)
      case .targetEntity, .position, .ownerPosition, .unnamed, .revision:
        break
      }
    }
  }

  /// Two figures: of an attribute values and bytes, of a link all keys and those that lead nowhere.
  private func figures(of column: RelationColumn) -> String? {
    let name = "o.\(column.name.sqlName)"
    switch column.meaning {
    case .attribute:
      // Asking for the type, unlike count, reads no value: it may be larger than memory.
      return
        "coalesce(sum(typeof(\(name)) <> 'null'), 0), coalesce(sum(\(byteCount(of: name, column.type))), 0)"
    case .target, .owner:
      return "count(\(name)), coalesce(sum(\(name) IS NOT NULL AND NOT "
        + "\(target(of: column).contains(name))), 0)"
    case .targetEntity, .position, .ownerPosition, .unnamed, .revision:
      return nil
    }
  }

  /// The bytes of a value; the length of a blob is known without reading it.
  private func byteCount(of name: String, _ type: AttributeType?) -> String {
    switch type {
    case .binary, .transformable, .uuid, .objectID:
      "length(\(name))"
    case .string, .uri, .composite, .undefined, nil:
      "length(CAST(\(name) AS BLOB))"
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .date:
      "8 * (\(name) IS NOT NULL)"
    }
  }

  private func target(of column: RelationColumn) -> ObjectTable {
    ObjectTable(layout.relation(of: column.targetRoot ?? relation.root), schema: schema)
  }
}

/// The table of a root entity as a place to look keys up in.
struct ObjectTable {
  private let name: String?
  private let key: String

  init(_ relation: Relation?, schema: String) {
    name = relation.map { "\(schema.sqlName).\($0.table.sqlName)" }
    key = relation?.keyColumn.sqlName ?? ""
  }

  /// The condition that there is an object whose key is the expression `value`.
  func contains(_ value: String) -> String {
    guard let name else { return "0" }
    return "EXISTS (SELECT 1 FROM \(name) AS t WHERE t.\(key) = \(value))"
  }
}
