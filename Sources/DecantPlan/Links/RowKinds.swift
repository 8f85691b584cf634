package import DecantStore
package import DecantSQLite

/// The tables with a column for the kind of each row, as `IssuePriority` in `enumerations`: a link may have that name,
/// as `priority_id`.
package struct RowKinds {
  private var tables: [String: Set<String>] = [:]

  /// The number of rows that are read for the kinds of a table.
  private static let sampleCount = 1_000
  /// The maximum number of different kinds in a table.
  private static let limit = 100

  /// Reads the kinds of rows of all tables in `layout`.
  ///
  /// - Parameters:
  ///   - layout: The tables.
  ///   - connection: The connection with the database.
  ///   - schema: Its schema there.
  /// - Throws: `SQLiteError` if it cannot be read.
  package init(_ layout: Layout, on connection: Connection, _ schema: String) throws(SQLiteError) {
    for relation in layout.relations where !relation.isVirtual && relation.keyColumn != nil {
      for column in relation.columns where column.isRowKind {
        let rows = "SELECT \(column.name.sqlName) AS t FROM \(relation.sqlTable(in: schema))"
        var kinds: Set<String> = []
        try connection.forEachRow(
          "SELECT DISTINCT t FROM (\(rows) LIMIT \(RowKinds.sampleCount)) WHERE typeof(t) = 'text' LIMIT \(RowKinds.limit + 1)"
        ) { row in
          kinds.insert(row.text(at: 0) ?? "")
        }
        guard kinds.count <= RowKinds.limit else { continue }
        for kind in kinds {
          let words = kind.split { ":\\./".contains($0) }.last.map { String($0).nameWords } ?? []
          // Class names end with the general term, preceded by a specific one.
          guard words.count > 1, let last = words.last?.singular else { continue }
          for name in [last, words.joined().singular] {
            tables[name, default: []].insert(relation.root)
          }
        }
      }
    }
  }

  /// Returns the table whose kind of rows has the name of `column`, which ends like a link.
  ///
  /// - Parameter column: The name of a column.
  /// - Returns: The table; `nil` for none and for several.
  package func table(calledLike column: String) -> String? {
    let name = LinkName(column)
    guard name.hasSuffix, let found = tables[name.whole], found.count == 1 else { return nil }
    return found.first
  }
}

extension RelationColumn {
  /// Whether it may contain the kind of each row.
  fileprivate var isRowKind: Bool {
    guard case .attribute = columnRole, conversion != .toNumber else { return false }
    return LinkName.isRowKind(name)
  }
}
