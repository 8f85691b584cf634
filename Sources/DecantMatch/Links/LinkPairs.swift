internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// A search for pairs of columns that form a link together: one names the table, the other contains the key.
///
/// Their names may show it, as `commentable_type` and `commentable_id`; otherwise the values do: names of tables, or
/// keys of rows with such names, as Django's content types.
final class LinkPairs {
  /// Such a pair, seen from the column with the keys.
  struct Pair {
    /// The column that names the table.
    let typeColumn: String
    /// The types in this column.
    let types: [LinkType]
    let weight: LinkEvidence.Weight
  }

  let layout: Layout
  let ids: IDTable
  let names: TableNames
  /// The connection with the database, and its schema.
  let connection: Connection
  let schema: String
  /// The columns whose values name tables, by table.
  private var typeColumns: [String: [String]] = [:]

  /// The number of rows that are read to determine whether a column names tables.
  private static let sampleCount = 1_000
  /// The number of rows from which a pair is certain by its names alone.
  private static let surelyCount: Int64 = 10

  /// Prepares a search in `layout`, attached to `connection` as `schema`.
  init(_ layout: Layout, _ ids: IDTable, on connection: Connection, _ schema: String) {
    names = TableNames(layout.relations.filter { !$0.isVirtual }.map(\.root))
    (self.layout, self.ids, self.connection, self.schema) = (layout, ids, connection, schema)
  }

  /// Finds the column that names the table of each key in `column`.
  ///
  /// - Parameters:
  ///   - column: A column of `relation` that is not a declared link.
  ///   - hint: The evidence of its name.
  ///   - value: Its values as SQL, with texts of digits converted to numbers.
  ///   - relation: The table.
  ///   - changes: Whether only keys that change count.
  /// - Returns: The pair; `nil` if there is none, or none of the keys changes.
  /// - Throws: `SQLiteError` if the database cannot be read.
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
      // A few rows with types that match no table may be unrelated to tables.
      let isSure =
        types.contains { $0.root != nil }
        || types.map(\.valueCount).reduce(0, +) >= LinkPairs.surelyCount
      return Pair(typeColumn: type, types: types, weight: isSure ? .strong : .weak)
    }
    // A column whose name suggests a table leads there in every row.
    let isPlain = hint.named.contains { $0.reason != .holder }
    guard !column.columnRole.isKey, !isPlain, hint.isLinkLike || hint.countsValues else { return nil }
    for type in try typeColumns(of: relation) where type != column.name {
      // A type that belongs to another column by its name is unlikely to belong to this one, too.
      guard !relation.columns.contains(where: { $0.linkHint?.typeColumn == type }) else { continue }
      let types = try types(type, value, in: relation, changes)
      guard types.contains(where: \.isMoved) else { continue }
      guard areKeys(types, isLinkLike: hint.isLinkLike, isPart: !relation.keyColumns.contains(type)) else {
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

  /// Returns whether the values are keys of the tables that the types name.
  ///
  /// In a column with the name of a link most values must be keys, otherwise all of them, and several different ones of
  /// one table if the type is part of the table's key.
  private func areKeys(_ types: [LinkType], isLinkLike: Bool, isPart: Bool) -> Bool {
    let named = types.filter { $0.root != nil }
    let (all, rows) = (types.map(\.valueCount).reduce(0, +), named.map(\.valueCount).reduce(0, +))
    let hits = named.map(\.hitCount).reduce(0, +)
    guard rows * 2 >= all, hits > 0 else { return false }
    return isLinkLike
      ? hits * 2 >= rows : hits == rows && (isPart || named.contains(where: \.hasSeveral))
  }

  /// Returns the columns of `relation` whose values name tables.
  private func typeColumns(of relation: Relation) throws(SQLiteError) -> [String] {
    if let known = typeColumns[relation.root] { return known }
    var found: [String] = []
    for column in relation.columns where try namesTables(column, of: relation) {
      found.append(column.name)
    }
    typeColumns[relation.root] = found
    return found
  }

  /// Returns the table of types to which `column` leads, by declaration or by name.
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
