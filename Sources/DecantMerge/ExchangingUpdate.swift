internal import DecantStore
internal import DecantSQLite

/// An update in which rows may exchange values that must be unique.
///
/// SQLite checks uniqueness row by row: if a row takes a value that another one still has, the statement fails although
/// all values are unique in the end. In that case all new values are computed first, the rows get temporary values in
/// the columns concerned, as do those that the merge removes, and then take the new ones.
struct ExchangingUpdate {
  /// The table of `main` that is written; its alias in expressions is `o`.
  let table: String
  /// The key columns, which are not changed.
  let keys: [String]
  /// The columns, as SQL, and the new value of each, over `o` and `x`.
  let values: [(column: String, value: String)]
  /// The subquery of the rows `x` that provide the values, without alias.
  let source: String
  /// The condition that a row `x` belongs to a row `o`.
  let condition: String
  /// Whether triggers of the table define the conflict resolution, which the statement would override.
  let leavesConflicts: Bool
  /// The rows of the table that the merge removes.
  let leaving: LeavingRows?

  /// The table of the new values.
  ///
  /// It is kept for the next batch: it cannot be dropped while the source is held.
  private var rows: String { "temp.\("decant exchanged \(table)".sqlName)" }

  /// The update in one statement.
  var sql: String {
    """
    UPDATE\(leavesConflicts ? "" : " OR ABORT") main.\(table.sqlName) AS o SET \(values.map { "\($0.column) = \($0.value)" }.joined(separator: ",\n  "))
    FROM (\(source)) AS x WHERE \(condition)
    """
  }

  /// Runs the update again in two steps, after it failed with `failure`; returns the number of rows written.
  ///
  /// - Throws: `failure` if it had another cause, if values are not unique in the end, or if triggers would see the
  ///   first step.
  func run(after failure: SQLiteError, _ bindings: [Binding], on connection: Connection) throws(SQLiteError) -> Int64 {
    // If SQLite has rolled back the transaction, a savepoint would begin a new one.
    guard !connection.isAutocommit, var given = columns(of: failure),
      try !ExchangingUpdate.hasTriggers(table, on: connection)
    else {
      throw failure
    }
    try connection.run("SAVEPOINT decant_exchange")
    do throws(SQLiteError) {
      try collect(bindings, on: connection)
      var count: Int64?
      while count == nil {
        try giveUp(given, on: connection)
        _ = try leaving?.giveUp(given)
        do throws(SQLiteError) {
          count = try write(on: connection)
        } catch {
          // Another constraint may be violated as well.
          guard let more = columns(of: error), !more.isSubset(of: given) else {
            throw error.isConstraint ? failure : error
          }
          given.formUnion(more)
        }
      }
      try connection.run("DELETE FROM \(rows)")
      try connection.run("RELEASE decant_exchange")
      return count ?? 0
    } catch {
      // If SQLite has rolled back the transaction, the savepoint no longer exists.
      if !connection.isAutocommit {
        try connection.run("ROLLBACK TO decant_exchange")
        try connection.run("RELEASE decant_exchange")
      }
      throw error
    }
  }

  /// Returns the columns whose values are not unique, except key columns; `nil` if no column can get temporary values,
  /// or if the error has another cause.
  private func columns(of error: SQLiteError) -> Set<String>? {
    guard let names = ExchangingUpdate.columns(of: error, in: table) else { return nil }
    let set = Set(values.map(\.column))
    let given = names.filter { !keys.contains($0) && set.contains($0.sqlName) }
    return given.isEmpty ? nil : given
  }

  /// Returns the columns of `table` whose values are not unique; `nil` if the error has another cause.
  static func columns(of error: SQLiteError, in table: String) -> Set<String>? {
    let unique = "UNIQUE constraint failed: "
    guard error.isConstraint, error.message.hasPrefix(unique + table + ".") else { return nil }
    return Set(
      error.message.dropFirst(unique.count).split(separator: ", ").map { String($0.dropFirst(table.count + 1)) })
  }

  /// Returns whether triggers of the table run, which would see temporary values.
  static func hasTriggers(_ table: String, on connection: Connection) throws(SQLiteError) -> Bool {
    guard connection.hasTriggersEnabled else { return false }
    return try connection.integer(
      "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE)",
      .text(table)
    ) == 1
  }

  /// Computes the new values of all rows.
  private func collect(_ bindings: [Binding], on connection: Connection) throws(SQLiteError) {
    let names = keys.indices.map { "k\($0)" } + values.indices.map { "v\($0)" }
    let columns = keys.map { "o.\($0.sqlName)" } + values.map(\.value)
    try connection.run("CREATE TABLE IF NOT EXISTS \(rows) (\(names.joined(separator: ", ")))")
    let statement = try connection.prepare(
      """
      INSERT INTO \(rows) SELECT \(columns.joined(separator: ", "))
      FROM main.\(table.sqlName) AS o, (\(source)) AS x WHERE \(condition)
      """
    )
    try statement.bind(bindings)
    while try statement.step() {}
  }

  private var isSame: String {
    keys.enumerated().map { "o.\($1.sqlName) = x.k\($0)" }.joined(separator: " AND ")
  }

  /// Gives the rows temporary unique values of the same type in `columns`.
  private func giveUp(_ columns: Set<String>, on connection: Connection) throws(SQLiteError) {
    let sets = columns.sorted().map { name in
      "\(name.sqlName) = " + ExchangingUpdate.temporaryValue(name, of: table, minus: "x.rowid")
    }
    try ExchangingUpdate.withoutChecks(on: connection) { () throws(SQLiteError) in
      try connection.run(
        """
        UPDATE OR ABORT main.\(table.sqlName) AS o SET \(sets.joined(separator: ", ")) FROM \(rows) AS x WHERE \(isSame)
        """
      )
    }
  }

  /// Returns a unique value of the same type for a column of the row `o`; numbers are below all others by `distance`.
  static func temporaryValue(_ column: String, of table: String, minus distance: String) -> String {
    let (own, least) = ("o.\(column.sqlName)", "(SELECT min(m.\(column.sqlName)) FROM main.\(table.sqlName) AS m)")
    return """
      CASE typeof(\(own)) WHEN 'text' THEN hex(randomblob(16)) WHEN 'blob' THEN randomblob(16)
        WHEN 'null' THEN NULL ELSE min(\(least), 0) - \(distance) END
      """
  }

  /// Runs `body`, which may write values that violate conditions of their columns.
  static func withoutChecks(on connection: Connection, _ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    let checks = try connection.integer("PRAGMA ignore_check_constraints") ?? 0
    try connection.run("PRAGMA ignore_check_constraints = 1")
    defer { try? connection.run("PRAGMA ignore_check_constraints = \(checks)") }
    try body()
  }

  /// Writes the new values; returns the number of rows.
  private func write(on connection: Connection) throws(SQLiteError) -> Int64 {
    let sets = values.enumerated().map { "\($1.column) = x.v\($0)" }.joined(separator: ", ")
    try connection.run(
      "UPDATE OR ABORT main.\(table.sqlName) AS o SET \(sets) FROM \(rows) AS x WHERE \(isSame)"
    )
    return connection.changeCount
  }
}
