internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The objects of one root entity that the other store does not have.
struct Unpaired {
  /// The number of objects, by concrete entity.
  var counts: [String: Int64] = [:]
  /// The first of them.
  var first: [(entity: String, key: Int64)] = []

  /// Searches for objects of `relation` on `side`, limited to `entities` if given.
  ///
  /// - Parameters:
  ///   - relation: The table of the objects.
  ///   - side: The store that has them.
  ///   - connection: The connection on which both stores are open.
  ///   - limit: The maximum number of named objects.
  ///   - entities: The entities to include; `nil` for all.
  ///   - found: Called for each object, named or not.
  /// - Throws: `SQLiteError` if the store cannot be read, and any error of `found`.
  init(
    _ relation: Relation,
    _ side: MatchSide,
    on connection: Connection,
    limit: Int,
    entities: Set<String>? = nil,
    _ found: (_ entity: String, _ key: Int64) throws(SQLiteError) -> Void = { _, _ throws(SQLiteError) in }
  ) throws(SQLiteError) {
    guard relation.keyColumn != nil else { return }
    let key = relation.keyName
    let image = side == .source ? "id" : "origin"
    let select = SelectStatement(
      columns: [key, relation.entityCode() ?? "NULL"],
      source: relation.sqlTable(in: side.schema),
      conditions: ["\(image)(\(relation.root.sqlText), \(key)) IS NULL"],
      order: [key]
    )
    try connection.forEachRow(select.sql) { row throws(SQLiteError) in
      let code = row.integerOrNil(at: 1)
      let entity = relation.entities.first { code == nil || $0.code == code }?.name
      let name = entity ?? relation.root
      guard entities?.contains(name) ?? true else { return }
      counts[name, default: 0] += 1
      if first.count < limit { first.append((name, row.integer(at: 0))) }
      try found(name, row.integer(at: 0))
    }
  }
}
