internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// A count of the objects, values and links in one table.
///
/// The number of rows of each entity is read first, from the index on the entity if there is one; then the rows of each
/// entity with objects are read once, with all columns, and once more per link to a large table: the values of the link
/// are sorted, so that its targets are looked up in their order, each once.
struct EntityCounts {
  let relation: Relation
  /// The layout of the possible targets of links.
  let layout: Layout
  /// The model with the targets of relationships.
  let model: Model
  let schema: String
  /// Whether only objects are counted, and not their values and links.
  let countsObjectsOnly: Bool
  /// The number of rows of each table with objects, if they are known.
  let rowCounts: [String: Int64]

  /// The number of rows from which the pages of a table are not expected to stay in the cache.
  private static let largeCount: Int64 = 5_000

  /// Adds all counts to `census`.
  func count(on connection: Connection, into census: inout Census) throws(SQLiteError) {
    for (code, rowCount) in try rowCounts(on: connection) where rowCount > 0 {
      guard let entity = relation.entity(of: code) else {
        census.addMisplacedObjects(rowCount, code: code, of: layout.name(of: code), in: relation)
        continue
      }
      census.addObjects(rowCount, of: entity.name)
      if !countsObjectsOnly { try countColumns(of: entity, on: connection, into: &census) }
    }
  }

  private var table: String { relation.sqlTable(in: schema) }

  private func rowCounts(on connection: Connection) throws(SQLiteError) -> [(Int64?, Int64)] {
    guard let column = relation.entityCode() else {
      return [(nil, try connection.integer("SELECT count(*) FROM \(table)") ?? 0)]
    }
    var counts: [(Int64?, Int64)] = []
    try connection.forEachRow(
      "SELECT \(column), count(*) FROM \(table) GROUP BY 1 ORDER BY 1"
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
    let figures = relation.columns
      .filter { $0.onlyIn?.contains(entity.code) ?? true }
      .flatMap { self.figures(of: $0, in: entity.name) }
    let conditions = relation.entityCode(in: "o").map { ["\($0) = \(entity.code)"] } ?? []
    // A result has at most 2000 columns, and the length of a statement is limited, too.
    let inRows = figures.filter { $0.keys.isEmpty }
    for start in stride(from: 0, to: inRows.count, by: 500) {
      let part = inRows[start..<min(start + 500, inRows.count)]
      let rows = SelectStatement(columns: [], source: "\(table) AS o", conditions: conditions)
      try enter(part, of: rows, on: connection, into: &census)
    }
    var lookups = figures.filter { !$0.keys.isEmpty }
    while let keys = lookups.first?.keys {
      let rows = SelectStatement(
        columns: keys.enumerated().map { "\($1) AS k\($0)" } + ["count(*) AS n"],
        source: "\(table) AS o NOT INDEXED",
        conditions: conditions
      )
      let order = keys.map { "\($0) COLLATE BINARY" }.joined(separator: ", ")
      let grouped = SelectStatement(columns: [], source: "(\(rows.sql) GROUP BY \(order)) AS k")
      try enter(lookups.filter { $0.keys == keys }[...], of: grouped, on: connection, into: &census)
      lookups.removeAll { $0.keys == keys }
    }
  }

  private func enter(
    _ figures: ArraySlice<Figure>,
    of rows: SelectStatement,
    on connection: Connection,
    into census: inout Census
  ) throws(SQLiteError) {
    var select = rows
    select.columns = figures.map { "coalesce(sum(\($0.keys.isEmpty ? $0.sql : "k.n * (\($0.sql))")), 0)" }
    let row = try connection.prepare(select.sql)
    guard try row.step() else { return }
    for (position, figure) in figures.enumerated() { figure.enter(row.integer(at: position), &census) }
  }

  /// An expression that is summed over all rows, and the use of its sum.
  private struct Figure {
    /// The values of a row by which rows are grouped first, if there are any.
    let keys: [String]
    /// The expression, in which the keys are called `k.k0` and so on.
    let sql: String
    let enter: (Int64, inout Census) -> Void

    init(_ sql: String, by keys: [String] = [], _ enter: @escaping (Int64, inout Census) -> Void) {
      (self.sql, self.keys, self.enter) = (sql, keys, enter)
    }
  }

  private func figures(of column: RelationColumn, in entity: String) -> [Figure] {
    let name =
      column.conditions.isEmpty ? "o.\(column.name.sqlName)" : relation.value(of: column, in: "o")
    switch column.columnRole {
    case .attribute(let property):
      let type = column.type ?? .undefined
      return [
        // typeof, unlike count, does not read the value, which may be larger than memory.
        Figure("typeof(\(name)) <> 'null'") {
          $1.addValues($0, byteCount: 0, of: property, type: type, in: entity)
        },
        Figure(byteCount(of: name, column.type)) {
          $1.addValues(0, byteCount: $0, of: property, type: type, in: entity)
        },
      ]
    case .key(let property):
      let counted = Figure("1") {
        $1.addValues($0, byteCount: 8 * $0, of: property, type: .integer64, in: entity)
      }
      guard let root = column.targetRoot else { return [counted] }
      // A key that is the key of another table's row is no relationship of the model.
      let target = ObjectTable(of: root, model, layout, schema)
      let (names, keys) = lookup(name, in: target)
      return [counted, Figure("NOT \(target.contains(names[0]))", by: keys) { $1.addLostKeys($0, property, of: root) }]
    case .target(let property):
      return linkFigures(property, name, target(of: property))
    case .owner(let property):
      return linkFigures(property, name, owner(of: property))
    case .targetEntity(let property):
      guard let key = key(.target(property)) else { return [] }
      // The entity of a missing object is unknown: such a link is counted already.
      let target = target(of: property)
      let (names, keys) = lookup(key, in: target, beside: [name])
      let (link, code) = (names[0], names[1])
      let isWrong = target.entity(of: link).map { "coalesce(\(code) <> \($0), 0)" }
      return [
        Figure(
          "CASE WHEN \(link) IS NULL THEN \(code) IS NOT NULL WHEN \(code) IS NULL THEN 1 ELSE \(isWrong ?? "0") END",
          by: keys
        ) { $1.add($0, .wrongTargetEntity, of: property) }
      ]
    case .position(let property):
      return positionFigures(property, name, key(.target(property)))
    case .ownerPosition(let property):
      return positionFigures(property, name, key(.owner(property)))
    case .unnamed, .revision:
      return []
    }
  }

  private func linkFigures(_ property: Property, _ name: String, _ target: ObjectTable) -> [Figure] {
    let all = Figure("\(name) IS NOT NULL") { $1.addLinks($0, dangling: 0, of: property) }
    let (names, keys) = lookup(name, in: target)
    let key = names[0]
    let dangling = Figure("\(key) IS NOT NULL AND NOT \(target.contains(key))", by: keys) {
      $1.addLinks(-$0, dangling: $0, of: property)
    }
    let stray = target.containsMisplaced(key).map { isStray in
      Figure("\(key) IS NOT NULL AND \(isStray)", by: keys) { $1.add($0, .strayLink, of: property) }
    }
    return [all, dangling] + (stray.map { [$0] } ?? [])
  }

  /// Returns the name of a value by which rows of `target` are looked up, and the values to group rows by before that.
  private func lookup(_ value: String, in target: ObjectTable, beside others: [String] = []) -> (
    names: [String], keys: [String]
  ) {
    let values = [value] + others
    guard let table = target.table, rowCounts[table] ?? 0 > EntityCounts.largeCount else { return (values, []) }
    return (values.indices.map { "k.k\($0)" }, values)
  }

  private func positionFigures(_ property: Property, _ name: String, _ key: String?) -> [Figure] {
    guard let key else { return [] }
    return [
      Figure("\(key) IS NOT NULL AND typeof(\(name)) <> 'integer'") {
        $1.add($0, .missingPosition, of: property)
      }
    ]
  }

  /// Returns the column with the role `columnRole` in the current row.
  private func key(_ columnRole: ColumnRole) -> String? {
    relation.column(columnRole).map { "o.\($0.name.sqlName)" }
  }

  /// Returns SQL for the bytes of a value; the length of a blob is known without reading it.
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

  private func target(of property: Property) -> ObjectTable {
    ObjectTable(of: model.relationship(property)?.destination, model, layout, schema)
  }

  private func owner(of property: Property) -> ObjectTable {
    ObjectTable(of: property.entity, model, layout, schema)
  }
}
