internal import DecantBase
internal import DecantPlan
package import DecantStore

/// A table of a plain database, as SQLite describes it.
package struct TableSchema: Sendable, Hashable {
  /// The name of the table, unquoted.
  package var name: String
  /// The CREATE statement.
  package var sql: String
  /// The columns in order, without the hidden columns of a virtual table.
  package var columns: [ColumnSchema]
  /// Whether the rows have row numbers.
  package var hasRowID: Bool
  /// The columns of the primary key, in its order; empty if none is declared.
  package var primaryKey: [String]
  /// The column that is an alias of the row number, if there is one.
  package var rowIDAlias: String?
  /// The declared foreign keys.
  package var foreignKeys: [ForeignKey]
  /// The columns of its unique indexes that cover all rows, including those of constraints.
  package var uniqueKeys: [[String]]
  /// Its unique indexes with a condition.
  package var partialKeys: [Relation.PartialKey] = []
  /// The collations of columns in unique indexes, in lower case, by the column's folded name.
  package var uniqueCollations: [String: String] = [:]
  /// The collations of its indexes, including those of constraints, each with the first column that it sorts.
  package var collatedColumns: [String: String] = [:]
  /// The collations by which an index sorts in descending order.
  package var descendingCollations: Set<String> = []
  /// The kind of virtual table; `nil` for an ordinary table.
  package var virtual: VirtualTable?

  /// Returns the column called `name`, as SQLite compares names.
  package func column(_ name: String) -> ColumnSchema? {
    columns.first { $0.name.isSameName(as: name) }
  }

  /// Whether a copy of the pages might change row numbers.
  ///
  /// From a read-only file SQLite does not copy CHECK constraints and considers two such tables different: it then
  /// copies row by row, which renumbers rows and cannot fill generated columns.
  package var mayLoseRowIDs: Bool {
    virtual == nil && hasChecks
      && ((hasRowID && rowIDAlias == nil) || columns.contains(where: \.isGenerated))
  }

  /// Returns whether a copy of the pages might sort an index by an unknown collation.
  ///
  /// This happens when it copies row by row, for the same reason; and the substitute for such a collation keeps the
  /// order of rows only in ascending indexes.
  package func mayLoseOrder(_ schema: PlainSchema) -> Bool {
    schema.unknownCollations.contains { collation in
      hasChecks && collatedColumns[collation.name] != nil
        || descendingCollations.contains(collation.name)
    }
  }

  /// Returns whether the column called `name` is one of several columns of the primary key, or of another unique key.
  func isKeyPart(_ name: String) -> Bool {
    ([primaryKey] + uniqueKeys).contains { key in key.count > 1 && key.contains { $0.isSameName(as: name) } }
  }

  /// Whether it never reuses a key, because it is declared AUTOINCREMENT.
  package var numbersOnce: Bool { SQLTokens(sql).tokens.contains { $0.word == "autoincrement" } }

  /// Whether its constraints have a conflict clause, such as `UNIQUE ON CONFLICT REPLACE`.
  var resolvesConflicts: Bool { SQLTokens(sql).tokens.contains { $0.word == "conflict" } }

  /// Whether it or a column of it has a CHECK constraint.
  package var hasChecks: Bool { SQLTokens(sql).tokens.contains { $0.word == "check" } }

  /// A name under which the row number can be queried; `nil` if columns use all of them.
  package var rowID: String? {
    guard hasRowID else { return nil }
    return ["rowid", "_rowid_", "oid"].first { name in
      !columns.contains { $0.name.isSameName(as: name) }
    }
  }
}

/// A foreign key.
package struct ForeignKey: Sendable, Hashable {
  /// The referencing columns.
  package var columns: [String]
  /// The referenced table.
  package var table: String
  /// The referenced columns, in the same order.
  package var targets: [String]
  /// The action when the referenced row is deleted: `CASCADE`, `SET NULL` and so on.
  package var onDelete: String
  /// The action when the values of the referenced columns change, in the same terms.
  package var onUpdate = ""
  /// Whether the database declares it; otherwise the user named it.
  package var isDeclared = true

  /// The action as a delete rule of a model; both SET NULL and SET DEFAULT nullify the link.
  ///
  /// It is `nil` if nothing is declared.
  var deleteRule: DeleteRule? {
    guard isDeclared else { return nil }
    return switch onDelete.foldedName {
    case "cascade": .cascade
    case "set null", "set default": .nullify
    default: .deny
    }
  }
}

extension TableSchema {
  /// Returns the table with its name and column names as spelled in `other`.
  func spelled(like other: TableSchema) -> TableSchema {
    func column(_ name: String) -> String { other.column(name)?.name ?? name }
    var table = self
    table.name = other.name
    for index in columns.indices { table.columns[index].name = column(columns[index].name) }
    table.primaryKey = primaryKey.map(column)
    table.rowIDAlias = rowIDAlias.map(column)
    table.uniqueKeys = uniqueKeys.map { $0.map(column) }
    for index in partialKeys.indices { table.partialKeys[index].columns = partialKeys[index].columns.map(column) }
    for index in foreignKeys.indices {
      table.foreignKeys[index].columns = foreignKeys[index].columns.map(column)
    }
    return table
  }
}
