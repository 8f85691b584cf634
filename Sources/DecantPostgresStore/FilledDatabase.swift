internal import DecantBase
internal import DecantPlain
internal import DecantPlan
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// A plain database that is restored from its template and the rows of a server.
struct FilledDatabase {
  let path: String
  let server: Server
  let schema: ServerSchema
  /// Records the rows that the database refuses, and the conditions that rows break; without it, the former are an error.
  let broken: BrokenRules?

  /// Inserts the rows of all tables, and rebuilds full-text indexes of texts in other tables; returns which values were
  /// rounded.
  @discardableResult
  func fill(on connection: PostgresConnection) throws(DecantError) -> RoundedValues {
    let context = "cannot fill the database"
    let scratch = try explaining(context) { () throws(SQLiteError) in
      let scratch = try Connection(path, mode: .readWrite)
      for pragma in ["journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF", "ignore_check_constraints = ON"] {
        try scratch.run("PRAGMA \(pragma)")
      }
      try scratch.takeCachesForOrder()
      try scratch.setTriggersEnabled(false)
      return scratch
    }
    var rounded = try ServerTables(
      server: server, schema: schema, statements: ServerStatements(place: server.schema)
    ).fetch(into: scratch, recordingIn: broken, on: connection)
    let file = try PlainFile(StoreLocation(kind: PlainKind.name, place: path), options: CopyOptions())
    try explaining(context) { () throws(SQLiteError) in
      for table in file.schema.tables {
        guard case .table = table.virtual?.content else { continue }
        try scratch.run("INSERT INTO main.\(table.name.sqlName) (\(table.name.sqlName)) VALUES ('rebuild')")
      }
      try countNumbers(of: file.schema, on: scratch, &rounded)
      if let broken { try countViolations(of: file.schema, on: scratch, broken) }
    }
    return rounded
  }

  /// Counts the rows that break conditions (CHECK), which are not checked while rows are inserted: the database that was
  /// copied may have such rows, too.
  private func countViolations(of made: PlainSchema, on scratch: Connection, _ broken: BrokenRules) throws(SQLiteError)
  {
    for table in made.tables where table.hasChecks {
      guard let own = schema.tables.first(where: { $0.own.isSameName(as: table.name) }) else { continue }
      let violations = SQLTokens(table.sql).checks.map { "NOT (\($0))" }
      do throws(SQLiteError) {
        let count = try scratch.integer(
          "SELECT count(*) FROM main.\(table.name.sqlName) WHERE \(violations.joined(separator: " OR "))")
        broken.add(violations: count ?? 0, of: own)
      } catch {
        // A condition may call functions of the app that made the database.
        guard error.isGeneral else { throw error }
      }
    }
  }

  /// Counts the texts consisting of digits that columns with a numeric affinity convert to numbers.
  private func countNumbers(of made: PlainSchema, on scratch: Connection, _ rounded: inout RoundedValues)
    throws(SQLiteError)
  {
    for table in schema.tables {
      guard let there = made.tables.first(where: { $0.name.isSameName(as: table.own) }) else { continue }
      for column in table.columns where column.type == .text && column.form == nil {
        let affinity = there.columns.first { $0.name.isSameName(as: column.own) }?.affinity
        guard let affinity, [.integer, .real, .numeric].contains(affinity) else { continue }
        let count = try scratch.integer(
          "SELECT count(*) FROM main.\(table.own.sqlName) WHERE typeof(\(column.own.sqlName)) IN ('integer', 'real')")
        rounded.add(count ?? 0, of: "\(table.name).\(column.name)")
      }
    }
  }
}
