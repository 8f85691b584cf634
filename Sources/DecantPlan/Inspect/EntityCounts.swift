internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// A count of the objects, values and links in one table.
///
/// The number of rows of each entity is read first, from the index on the entity if there is one; then the rows of each
/// entity with objects are read once, with all columns.
struct EntityCounts {
  let relation: Relation
  /// The layout of the possible targets of links.
  let layout: Layout
  /// The model with the targets of relationships.
  let model: Model
  let schema: String
  /// Whether only objects are counted, and not their values and links.
  let countsObjectsOnly: Bool

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
    // A result has at most 2000 columns, and the length of a statement is limited, too.
    for start in stride(from: 0, to: figures.count, by: 500) {
      let part = figures[start..<min(start + 500, figures.count)]
      let select = SelectStatement(
        columns: part.map { "coalesce(sum(\($0.sql)), 0)" },
        source: "\(table) AS o",
        conditions: relation.entityCode(in: "o").map { ["\($0) = \(entity.code)"] } ?? []
      )
      let row = try connection.prepare(select.sql)
      guard try row.step() else { return }
      for (position, figure) in part.enumerated() {
        figure.enter(row.integer(at: position), &census)
      }
    }
  }

  /// An expression that is summed over all rows, and the use of its sum.
  private struct Figure {
    let sql: String
    let enter: (Int64, inout Census) -> Void

    init(_ sql: String, _ enter: @escaping (Int64, inout Census) -> Void) {
      self.sql = sql
      self.enter = enter
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
      return [counted, Figure("NOT \(target.contains(name))") { $1.addLostKeys($0, property, of: root) }]
    case .target(let property):
      return linkFigures(property, name, target(of: property))
    case .owner(let property):
      return linkFigures(property, name, owner(of: property))
    case .targetEntity(let property):
      guard let key = key(.target(property)) else { return [] }
      // The entity of a missing object is unknown: such a link is counted already.
      let isWrong = target(of: property).entity(of: key).map { "coalesce(\(name) <> \($0), 0)" }
      return [
        Figure(
          "CASE WHEN \(key) IS NULL THEN \(name) IS NOT NULL WHEN \(name) IS NULL THEN 1 "
            + "ELSE \(isWrong ?? "0") END"
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
    let dangling = Figure("\(name) IS NOT NULL AND NOT \(target.contains(name))") {
      $1.addLinks(-$0, dangling: $0, of: property)
    }
    let stray = target.containsMisplaced(name).map { isStray in
      Figure("\(name) IS NOT NULL AND \(isStray)") { $1.add($0, .strayLink, of: property) }
    }
    return [all, dangling] + (stray.map { [$0] } ?? [])
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
