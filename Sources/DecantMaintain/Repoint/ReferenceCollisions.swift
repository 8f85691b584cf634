internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// Predicts violations of unique indexes.
///
/// It covers unique indexes over plain columns that include every row; violations of other ones show when they are
/// written. Nothing is read into memory: changed rows are looked up in the index one by one, and compared with each
/// other by SQLite's sorter.
struct ReferenceCollisions {
  let connection: Connection
  let work: ReferenceWork

  /// An index, and the collations of its columns.
  private struct UniqueIndex {
    var columns: [(name: String, collation: String)] = []
  }

  /// Throws the error of the later run if two objects of the table of `sites` would have the same values.
  func check(_ sites: [ReferenceSite]) throws(DecantError) {
    guard let first = sites.first else { return }
    let found = try explaining("cannot look for equal values of \(first.entity)") {
      () throws(SQLiteError) -> (UniqueIndex, ReferenceSite)? in
      for index in try indexes(of: first.relation.table) {
        let own = sites.filter { site in
          index.columns.contains { isColumn($0.name, of: site) }
        }
        if let site = own.first, try collides(index, own) { return (index, site) }
      }
      return nil
    }
    guard let (index, site) = found else { return }
    throw ReferenceWriter.collision(of: index.columns.map(\.name), site, "\(option: .at) '\(site.place)'", nil)
  }

  private func isColumn(_ name: String, of site: ReferenceSite) -> Bool {
    [site.column.name, site.entityColumn?.name].contains { $0?.lowercased() == name.lowercased() }
  }

  private func indexes(of table: String) throws(SQLiteError) -> [UniqueIndex] {
    var names: [String] = []
    try connection.forEachRow(
      "SELECT name FROM pragma_index_list(?1, 'main') WHERE \"unique\" = 1 AND partial = 0",
      .text(table)
    ) { row in
      names.append(row.text(at: 0) ?? "")
    }
    var indexes: [UniqueIndex] = []
    for name in names {
      var index = UniqueIndex()
      var isPlain = true
      try connection.forEachRow(
        "SELECT name, coll FROM pragma_index_xinfo(?1, 'main') WHERE key = 1 ORDER BY seqno",
        .text(name)
      ) { row in
        guard let column = row.text(at: 0) else { return isPlain = false }
        index.columns.append((column, row.text(at: 1) ?? "BINARY"))
      }
      if isPlain, !index.columns.isEmpty { indexes.append(index) }
    }
    return indexes
  }

  /// Whether a row changed at `sites` would have the same entry in `index` as another row.
  private func collides(_ index: UniqueIndex, _ sites: [ReferenceSite]) throws(SQLiteError) -> Bool {
    guard let site = sites.first else { return false }
    let key = "o.\(site.relation.keyName)"
    let values = index.columns.enumerated().map { position, column in
      "\(value(of: column.name, sites, key)) AS v\(position)"
    }
    let changed = """
      SELECT \(key) AS k, \(values.joined(separator: ", ")) FROM \(site.table) AS o
      WHERE \(key) IN (\(work.keys(of: sites)))
      """
    let isWhole = index.columns.indices.map { "v\($0) IS NOT NULL" }.joined(separator: " AND ")
    let groups = index.columns.enumerated().map { "v\($0) COLLATE \($1.collation.sqlName)" }
    let among = try connection.integer(
      """
      SELECT 1 FROM (\(changed)) WHERE \(isWhole)
      GROUP BY \(groups.joined(separator: ", ")) HAVING count(*) > 1 LIMIT 1
      """
    )
    guard among == nil else { return true }
    let equal = index.columns.enumerated().map { position, column in
      "\(column.name.sqlName(in: "o")) = n.v\(position) COLLATE \(column.collation.sqlName)"
    }
    let numbers = sites.map { String($0.number) }.joined(separator: ", ")
    let others = try connection.integer(
      """
      SELECT 1 FROM (\(changed)) AS n CROSS JOIN \(site.table) AS o ON \(equal.joined(separator: " AND "))
      WHERE NOT EXISTS (SELECT 1 FROM \(ReferenceWork.table) AS w
        WHERE w.site IN (\(numbers)) AND w.row = \(key)) LIMIT 1
      """
    )
    return others != nil
  }

  /// Returns the expression for the later value of the column `name` in the row `key`.
  private func value(of name: String, _ sites: [ReferenceSite], _ key: String) -> String {
    var values: [String] = []
    // The last write decides.
    for site in sites.reversed() {
      for (column, value) in [
        (site.column.name, "value"), (site.entityColumn?.name ?? "", "entity"),
      ]
      where column.lowercased() == name.lowercased() {
        values.append(
          "(SELECT w.\(value) FROM \(ReferenceWork.table) AS w WHERE w.site = \(site.number) AND w.row = \(key))"
        )
      }
    }
    let own = name.sqlName(in: "o")
    return values.isEmpty ? own : "coalesce(\((values + [own]).joined(separator: ", ")))"
  }
}
