package import DecantStore
package import DecantSQLite

/// Tables of which a column says for each row what it is, as `IssuePriority` in `enumerations`: a link may be called
/// after that, as `priority_id`.
package struct RowKinds {
  private var tables: [String: Set<String>] = [:]

  /// How many rows tell what the rows of a table are.
  private static let sampleCount = 1_000
  /// How many different kinds of rows a table has at the most.
  private static let limit = 100

  /// Reads the kinds of the rows of all tables in `layout`.
  ///
  /// - Parameters:
  ///   - layout: The tables.
  ///   - connection: Where the database is attached.
  ///   - schema: Its name there.
  /// - Throws: `SQLiteError` where it cannot be read.
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
          // As a class is called: after what it is, with what it is for before it.
          guard words.count > 1, let last = words.last?.singular else { continue }
          for name in [last, words.joined().singular] {
            tables[name, default: []].insert(relation.root)
          }
        }
      }
    }
  }

  /// Returns the table whose rows are called like `column`, which ends like a link.
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
  /// Whether it may say for each row of the table what that is.
  fileprivate var isRowKind: Bool {
    guard case .attribute = columnRole, conversion != .toNumber else { return false }
    return LinkName.isRowKind(name)
  }
}
