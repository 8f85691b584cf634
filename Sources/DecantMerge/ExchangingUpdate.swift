internal import DecantStore
internal import DecantSQLite

/// An update in which rows may exchange values that must be unique.
///
/// SQLite checks such values row by row: where one takes a value that another one has yet, the statement fails though no two
/// have the same in the end. Then all new values are worked out first, the rows give up their values of the columns in
/// question, and take the new ones.
struct ExchangingUpdate {
  /// The table of `main` that is written, `o` in the expressions.
  let table: String
  /// The columns that name a row, and stay.
  let keys: [String]
  /// The columns, as SQL, and what each is set to, over `o` and `x`.
  let values: [(column: String, value: String)]
  /// The rows `x` that the values come from, as SQL without alias.
  let source: String
  /// The condition that a row `x` belongs to a row `o`.
  let condition: String
  /// Whether triggers of the table say themselves what happens in a conflict: the statement would override them.
  let leavesConflicts: Bool

  /// The table of the new values.
  ///
  /// It stays for the next batch: it cannot be dropped while the source is held.
  private var rows: String { "temp.\("decant exchanged \(table)".sqlName)" }

  /// The update in one statement.
  var sql: String {
    """
    UPDATE\(leavesConflicts ? "" : " OR ABORT") main.\(table.sqlName) AS o SET \(values.map { "\($0.column) = \($0.value)" }.joined(separator: ",\n  "))
    FROM (\(source)) AS x WHERE \(condition)
    """
  }

  /// Runs the update again that failed for `failure`, in two steps; returns how many rows were written.
  ///
  /// - Throws: `failure` where it was none of such values, where rows have the same in the end, or where triggers would see
  ///   the first step.
  func run(after failure: SQLiteError, _ bindings: [Binding], on connection: Connection) throws(SQLiteError) -> Int64 {
    // Where SQLite has undone the transaction a savepoint would begin one of its own.
    guard !connection.isAutocommit, var given = columns(of: failure), try !hasTriggers(connection) else {
      throw failure
    }
    try connection.run("SAVEPOINT decant_exchange")
    do throws(SQLiteError) {
      try collect(bindings, on: connection)
      var count: Int64?
      while count == nil {
        try giveUp(given, on: connection)
        do throws(SQLiteError) {
          count = try write(on: connection)
        } catch {
          // Another constraint may be in the way as well.
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
      // Where SQLite has undone the transaction there is no savepoint any more.
      if !connection.isAutocommit {
        try connection.run("ROLLBACK TO decant_exchange")
        try connection.run("RELEASE decant_exchange")
      }
      throw error
    }
  }

  /// The columns whose values are not unique, without those of the key, which stay; `nil` where none can be given up, or
  /// something else is wrong.
  private func columns(of error: SQLiteError) -> Set<String>? {
    let unique = "UNIQUE constraint failed: "
    guard error.isConstraint, error.message.hasPrefix(unique + table + ".") else { return nil }
    let names = error.message.dropFirst(unique.count).split(separator: ", ").map {
      String($0.dropFirst(table.count + 1))
    }
    let set = Set(values.map(\.column))
    let given = names.filter { !keys.contains($0) && set.contains($0.sqlName) }
    return given.isEmpty ? nil : Set(given)
  }

  /// Whether triggers of the table run, which would be told of values that no row is meant to have.
  private func hasTriggers(_ connection: Connection) throws(SQLiteError) -> Bool {
    guard connection.hasTriggersEnabled else { return false }
    return try connection.integer(
      "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE)",
      .text(table)
    ) == 1
  }

  /// Works out the new values of all rows.
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

  /// Has the rows give up their values of `columns` for others of the same type that no row has.
  private func giveUp(_ columns: Set<String>, on connection: Connection) throws(SQLiteError) {
    let sets = columns.sorted().map { name in
      let (own, least) = ("o.\(name.sqlName)", "(SELECT min(m.\(name.sqlName)) FROM main.\(table.sqlName) AS m)")
      return """
        \(name.sqlName) = CASE typeof(\(own)) WHEN 'text' THEN hex(randomblob(16)) WHEN 'blob' THEN randomblob(16)
          WHEN 'null' THEN NULL ELSE min(\(least), 0) - x.rowid END
        """
    }
    let checks = try connection.integer("PRAGMA ignore_check_constraints") ?? 0
    try connection.run("PRAGMA ignore_check_constraints = 1")
    defer { try? connection.run("PRAGMA ignore_check_constraints = \(checks)") }
    try connection.run(
      """
      UPDATE OR ABORT main.\(table.sqlName) AS o SET \(sets.joined(separator: ", ")) FROM \(rows) AS x WHERE \(isSame)
      """
    )
  }

  /// Writes the new values; returns of how many rows.
  private func write(on connection: Connection) throws(SQLiteError) -> Int64 {
    let sets = values.enumerated().map { "\($1.column) = x.v\($0)" }.joined(separator: ", ")
    try connection.run(
      "UPDATE OR ABORT main.\(table.sqlName) AS o SET \(sets) FROM \(rows) AS x WHERE \(isSame)"
    )
    return connection.changeCount
  }
}
