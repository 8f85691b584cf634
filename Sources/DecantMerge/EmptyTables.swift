package import DecantBase
package import DecantStore
package import DecantSQLite

/// The tables of a store to be created: empty, in memory.
///
/// A search for existing objects finds none in them.
package struct EmptyTables {
  package let layout: Layout

  package init(layout: Layout) {
    self.layout = layout
  }

  /// Attaches the tables as `schema`, unless this was done already.
  package func attach(as schema: String, on connection: Connection) throws(DecantError) {
    try explaining("cannot create tables in memory") { () throws(SQLiteError) in
      let isAttached = try connection.integer(
        "SELECT EXISTS (SELECT 1 FROM pragma_database_list WHERE name = ?1)",
        .text(schema)
      )
      guard isAttached == 0 else { return }
      try connection.attach(":memory:", as: schema)
      for (name, columns) in tables {
        let list = columns.map(\.sqlName).joined(separator: ", ")
        try connection.run("CREATE TABLE \(schema.sqlName).\(name.sqlName) (\(list))")
      }
    }
  }

  /// The tables, with the columns that identify objects and links.
  private var tables: [(name: String, columns: [String])] {
    var tables: [(name: String, columns: [String])] = []
    func add(_ columns: [String?], to name: String) {
      let index = tables.firstIndex { $0.name == name } ?? tables.endIndex
      if index == tables.endIndex { tables.append((name, [])) }
      for case .some(let column) in columns
      where !tables[index].columns.contains(where: { $0.lowercased() == column.lowercased() }) {
        tables[index].columns.append(column)
      }
    }
    for relation in layout.relations {
      add([relation.keyColumn, relation.entityColumn], to: relation.table)
      add(relation.columns.map(\.name), to: relation.table)
    }
    for links in layout.linkRelations {
      add([links.ownerColumn, links.targetColumn], to: links.table)
      add([links.positionColumn, links.inversePositionColumn], to: links.table)
    }
    return tables
  }
}
