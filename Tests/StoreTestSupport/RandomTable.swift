internal import DecantSQLite

/// A table drawn at random, as SQL writes it.
package struct RandomTable {
  /// A column, and what the rows of it may hold.
  package struct Column {
    package var name: String
    var type: String
    /// What stands after the type: a default, a collation, a check.
    var constraints = ""
    package var content: Content

    /// What a row holds in a column.
    package enum Content: Equatable {
      /// The row's key, an integer.
      case number
      /// A text, bytes or an integer that no other row has, here or in another database of the schema.
      case unique(String)
      /// Any value that fits the type.
      case any
      /// Values of another row, by the foreign key at this place of the table's list.
      case link(Int)
      /// Keys of this table, which nothing declares.
      case undeclared(String)
      /// What SQLite computes from other columns.
      case computed(String)
    }
  }

  /// A foreign key to columns that are unique together.
  package struct ForeignKey {
    var columns: [String]
    var table: String
    var targets: [String]
    /// Whether the target is named by its table alone.
    var isShort: Bool
    var rules: String
  }

  package var name: String
  package var columns: [Column] = []
  package var primaryKey: [String] = []
  /// Whether the primary key stands with its only column.
  package var isInline = false
  package var isAutoincrement = false
  package var hasRowID = true
  package var isStrict = false
  package var foreignKeys: [ForeignKey] = []

  /// The groups of columns that a foreign key may lead to.
  package var uniqueGroups: [[String]] = []

  /// Whether a single integer names its rows.
  package var hasIntegerKey: Bool {
    primaryKey.count == 1 && column(primaryKey[0])?.content == .number
  }

  /// Those whose values are there before any other table's links are filled in.
  package var settledGroups: [[String]] {
    uniqueGroups.filter { group in
      group.allSatisfy { name in
        if primaryKey.contains(name) { return true }
        return if case .unique = column(name)?.content { true } else { false }
      }
    }
  }

  package func column(_ name: String) -> Column? { columns.first { $0.name == name } }

  /// The statement that makes the table.
  package var sql: String {
    var lines = columns.map { column in
      var line = column.name.quotedName + (column.type.isEmpty ? "" : " \(column.type)")
      if isInline, primaryKey == [column.name] {
        line += " PRIMARY KEY" + (isAutoincrement ? " AUTOINCREMENT" : "")
      }
      if case .computed(let expression) = column.content { line += " AS (\(expression))" }
      return line + (column.constraints.isEmpty ? "" : " \(column.constraints)")
    }
    if !isInline, !primaryKey.isEmpty { lines.append("PRIMARY KEY (\(list(primaryKey)))") }
    for group in uniqueGroups where group != primaryKey { lines.append("UNIQUE (\(list(group)))") }
    for key in foreignKeys {
      let targets = key.isShort ? "" : " (\(list(key.targets)))"
      lines.append("FOREIGN KEY (\(list(key.columns))) REFERENCES \(key.table.quotedName)\(targets) \(key.rules)")
    }
    let options = [hasRowID ? nil : "WITHOUT ROWID", isStrict ? "STRICT" : nil]
      .compactMap(\.self).joined(separator: ", ")
    return "CREATE TABLE \(name.quotedName) (\(lines.joined(separator: ", "))) \(options);"
  }

  private func list(_ names: [String]) -> String {
    names.map(\.quotedName).joined(separator: ", ")
  }
}
