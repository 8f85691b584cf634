internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// Transfers rows between a table in PostgreSQL and one with the same name and columns in a temporary database.
struct RowTransfer {
  let server: Server
  let table: ServerSchema.Table
  let statements: ServerStatements
  /// The types and forms of the columns, which are needed for every value.
  let kinds: [(type: ServerType, form: ValueForm?)]

  init(server: Server, table: ServerSchema.Table, statements: ServerStatements) {
    (self.server, self.table, self.statements) = (server, table, statements)
    kinds = table.columns.map { ($0.type, $0.form) }
  }

  /// The order in which rows without keys are sent.
  var order: String { table.rowID.map { " ORDER BY \($0)" } ?? "" }
}

extension ServerSchema.Table {
  /// Returns the names of the columns that should have a value, and have one in every row of `main`.
  func columnsWithoutNull(in scratch: Connection) throws(DecantError) -> [String] {
    let wanted = columns.filter(\.wantsValue)
    guard !wanted.isEmpty else { return [] }
    let counts = wanted.map { "total(typeof(\($0.own.sqlName)) = 'null')" }.joined(separator: ", ")
    return try explaining("cannot read the table \(own)") { () throws(SQLiteError) in
      var names: [String] = []
      try scratch.forEachRow("SELECT \(counts) FROM main.\(own.sqlName)") { row in
        for (position, column) in wanted.enumerated() where row.real(at: position) == 0 { names.append(column.name) }
      }
      return names
    }
  }
}
