internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Finds pairs of columns that together are a link: one names the table, the other holds the key.
///
/// Their names may say so, as `commentable_type` beside `commentable_id`; else the values do: names of tables, or keys
/// of rows that have such names, as Django's content types.
final class LinkPairs {
  /// Such a pair, seen from the column with the keys.
  struct Pair {
    /// The column that names the table.
    let typeColumn: String
    /// The types that it names.
    let types: [LinkType]
    let weight: LinkEvidence.Weight
  }

  let layout: Layout
  let ids: IDTable
  let names: TableNames
  /// Where the database is attached, and under which name.
  let connection: Connection
  let schema: String
  /// The columns whose values name tables, by table.
  private var typeColumns: [String: [String]] = [:]

  /// How many rows tell whether a column names tables.
  private static let sampleCount = 1_000
  /// From how many rows on a pair is sure by its names alone.
  private static let surelyCount: Int64 = 10

  /// Prepares a search in `layout`, attached to `connection` as `schema`.
  init(_ layout: Layout, _ ids: IDTable, on connection: Connection, _ schema: String) {
    names = TableNames(layout.relations.filter { !$0.isVirtual }.map(\.root))
    (self.layout, self.ids, self.connection, self.schema) = (layout, ids, connection, schema)
  }

  /// Looks for the column that names the table of each key in `column`.
  ///
  /// - Parameters:
  ///   - column: A column of `relation` that is no declared link.
  ///   - hint: What its name says.
  ///   - value: Its values as SQL, numbers in the place of texts of digits.
  ///   - relation: The table.
  ///   - changes: Whether only keys count that become others.
  /// - Returns: The pair; `nil` where there is none, and where none of the keys changes.
  /// - Throws: `SQLiteError` where the database cannot be read.
  func pair(
    of column: RelationColumn,
    _ hint: LinkHint,
    _ value: String,
    in relation: Relation,
    changes: Bool
  ) throws(SQLiteError) -> Pair? {
    if let type = hint.typeColumn {
      let types = try types(type, value, in: relation, changes)
      guard types.contains(where: \.isMoved) else { return nil }
      // A few rows of types that no table is called after may have nothing to do with tables.
      let isSure =
        types.contains { $0.root != nil }
        || types.map(\.valueCount).reduce(0, +) >= LinkPairs.surelyCount
      return Pair(typeColumn: type, types: types, weight: isSure ? .strong : .weak)
    }
    // A column whose name points to a table leads there in every row.
    let isPlain = hint.named.contains { $0.reason != .holder }
    guard !column.columnRole.isKey, !isPlain, hint.isLinkLike || hint.countsValues else { return nil }
    for type in try typeColumns(of: relation) where type != column.name {
      // A type that belongs to another column by its name is hardly this one's, too.
      guard !relation.columns.contains(where: { $0.linkHint?.typeColumn == type }) else { continue }
      let types = try types(type, value, in: relation, changes)
      guard types.contains(where: \.isMoved) else { continue }
      guard areKeys(types, isLinkLike: hint.isLinkLike, isPart: !relation.isKeyed(by: type)) else {
        continue
      }
      return Pair(typeColumn: type, types: types, weight: hint.isLinkLike ? .strong : .weak)
    }
    return nil
  }

  private func types(_ type: String, _ value: String, in relation: Relation, _ changes: Bool)
    throws(SQLiteError) -> [LinkType]
  {
    var scan = LinkTypeScan(type, of: relation, self)
    try scan.read(
      """
      SELECT t, v FROM (SELECT \(type.sqlName) AS t, \(value) AS v FROM \(relation.sqlTable(in: schema)))
      WHERE t IS NOT NULL AND typeof(v) = 'integer' AND v > 0
      """,
      changes: changes
    )
    return scan.types
  }

  /// Whether the values are keys of the tables that the types name: most of them in a column that is called like a
  /// link, else all, and several of one table where a row tells of the whole table.
  private func areKeys(_ types: [LinkType], isLinkLike: Bool, isPart: Bool) -> Bool {
    let named = types.filter { $0.root != nil }
    let (all, rows) = (types.map(\.valueCount).reduce(0, +), named.map(\.valueCount).reduce(0, +))
    let hits = named.map(\.hitCount).reduce(0, +)
    guard rows * 2 >= all, hits > 0 else { return false }
    return isLinkLike
      ? hits * 2 >= rows : hits == rows && (isPart || named.contains(where: \.hasSeveral))
  }

  /// The columns of `relation` whose values name tables.
  private func typeColumns(of relation: Relation) throws(SQLiteError) -> [String] {
    if let known = typeColumns[relation.root] { return known }
    var found: [String] = []
    for column in relation.columns where try namesTables(column, of: relation) {
      found.append(column.name)
    }
    typeColumns[relation.root] = found
    return found
  }

  /// The table to whose rows `column` leads that tell a type, as it is declared or as its name says.
  func typeRelation(_ column: RelationColumn) -> Relation? {
    let named = column.linkHint.flatMap { hint in
      hint.countsValues ? hint.named.first { $0.reason == .table }?.target : nil
    }
    guard !column.isConditional, let root = column.targetRoot ?? named,
      let relation = layout.relation(of: root)
    else { return nil }
    return relation.rowNames.isEmpty ? nil : relation
  }

  private func namesTables(_ column: RelationColumn, of relation: Relation) throws(SQLiteError) -> Bool {
    let type: String
    switch column.columnRole {
    case .target, .attribute:
      if typeRelation(column) != nil {
        type = "integer"
        break
      }
      guard column.conversion != .toNumber, case .attribute = column.columnRole else { return false }
      type = "text"
    default: return false
    }
    var scan = LinkTypeScan(column.name, of: relation, self)
    let rows = "SELECT \(column.name.sqlName) AS t FROM \(relation.sqlTable(in: schema))"
    return try scan.namesTables(
      """
      SELECT DISTINCT t FROM (\(rows) LIMIT \(LinkPairs.sampleCount)) WHERE typeof(t) = '\(type)'
      """
    )
  }
}

extension Relation {
  /// Whether the table's own key has the column.
  fileprivate func isKeyed(by column: String) -> Bool {
    if case .values(let columns) = key { columns.contains(column) } else { ownKey.contains(column) }
  }
}
