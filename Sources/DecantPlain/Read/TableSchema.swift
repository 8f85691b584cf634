/// A table of a plain database, as SQLite describes it.
internal import DecantBase
internal import DecantPlan
internal import DecantStore

package struct TableSchema: Sendable, Hashable {
  /// The table's name, unquoted.
  package var name: String
  /// The statement that made it.
  package var sql: String
  /// Its columns in their order, but for those a virtual table hides.
  package var columns: [ColumnSchema]
  /// Whether its rows have numbers.
  package var hasRowID: Bool
  /// The names of the columns of its primary key, in the key's order; empty where none is declared.
  package var primaryKey: [String]
  /// The column that is the row's number, where one is.
  package var rowIDAlias: String?
  /// The foreign keys it declares.
  package var foreignKeys: [ForeignKey]
  /// The columns of its unique indexes that hold for all rows, constraints among them.
  package var uniqueKeys: [[String]]
  /// The collations by which unique indexes compare columns, in small letters, by the column's folded name.
  package var uniqueCollations: [String: String] = [:]
  /// The collations of its indexes, those of constraints among them, each with the first column that it sorts.
  package var collatedColumns: [String: String] = [:]
  /// Those among them by which an index goes downwards.
  package var descendingCollations: Set<String> = []
  /// What kind of virtual table it is; `nil` for an ordinary one.
  package var virtual: VirtualTable?

  /// Returns the column called `name`, as SQLite compares names.
  package func column(_ name: String) -> ColumnSchema? {
    columns.first { $0.name.isSameName(as: name) }
  }

  /// Whether a copy of the pages might give rows other numbers.
  ///
  /// From a file that is only read SQLite takes no CHECK along, and finds two such tables different:
  /// then it copies row by row, which counts rows anew and cannot fill computed columns.
  package var mayLoseRowIDs: Bool {
    virtual == nil && mayHaveChecks
      && ((hasRowID && rowIDAlias == nil) || columns.contains(where: \.isGenerated))
  }

  /// Whether a copy of the pages might sort an index by a collation that nobody knows.
  ///
  /// It would where it goes row by row, for the same reason; and what stands in for such a collation keeps
  /// rows in their order only upwards.
  package func mayLoseOrder(_ schema: PlainSchema) -> Bool {
    schema.unknownCollations.contains { collation in
      mayHaveChecks && collatedColumns[collation.name] != nil
        || descendingCollations.contains(collation.name)
    }
  }

  /// Whether it allocates no key a second time, and remembers the highest.
  package var numbersOnce: Bool { SQLTokens(sql).tokens.contains { $0.word == "autoincrement" } }

  /// Whether its constraints say what happens in a conflict, as `UNIQUE ON CONFLICT REPLACE` does.
  var resolvesConflicts: Bool { SQLTokens(sql).tokens.contains { $0.word == "conflict" } }

  private var mayHaveChecks: Bool { sql.foldedName.contains("check") }

  /// A name by which the number of a row can be asked for; `nil` where columns have taken all of them.
  package var rowID: String? {
    guard hasRowID else { return nil }
    return ["rowid", "_rowid_", "oid"].first { name in
      !columns.contains { $0.name.isSameName(as: name) }
    }
  }
}

/// A foreign key.
package struct ForeignKey: Sendable, Hashable {
  /// The columns that hold it.
  package var columns: [String]
  /// The table it leads to.
  package var table: String
  /// The columns there, in the same order.
  package var targets: [String]
  /// What happens to the row when the other one is deleted: `CASCADE`, `SET NULL` and so on.
  package var onDelete: String

  /// The same in the words of models; NULL and a default alike replace the link.
  var deleteRule: DeleteRule {
    switch onDelete.foldedName {
    case "cascade": .cascade
    case "set null", "set default": .nullify
    default: .deny
    }
  }
}

extension TableSchema {
  /// The same table, with its own name and those of its columns as `other` spells them.
  func spelled(like other: TableSchema) -> TableSchema {
    func column(_ name: String) -> String { other.column(name)?.name ?? name }
    var table = self
    table.name = other.name
    for index in columns.indices { table.columns[index].name = column(columns[index].name) }
    table.primaryKey = primaryKey.map(column)
    table.rowIDAlias = rowIDAlias.map(column)
    table.uniqueKeys = uniqueKeys.map { $0.map(column) }
    for index in foreignKeys.indices {
      table.foreignKeys[index].columns = foreignKeys[index].columns.map(column)
    }
    return table
  }
}
