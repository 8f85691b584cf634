package import DecantPlan
package import DecantStore
package import DecantSQLite

/// The conflicting changes of both stores, in a temporary table.
package final class ConflictLog {
  private let connection: Connection
  private let insertion: Statement
  /// The properties, by their number in the table.
  private var columnRoles: [ColumnRole] = []

  private let deletion: Statement

  private let table, deletions: TemporaryTable

  /// The conflicts of one object.
  package struct Conflict {
    package let pair: MatchedPair
    package var columnRoles: [ColumnRole]
  }

  package init(on connection: Connection) throws(SQLiteError) {
    self.connection = connection
    table = try TemporaryTable(
      "(root TEXT, source INTEGER, destination INTEGER, property INTEGER, PRIMARY KEY (root, source, property)) "
        + "WITHOUT ROWID",
      on: connection
    )
    deletions = try TemporaryTable(
      "(root TEXT, side TEXT, key INTEGER, PRIMARY KEY (root, side, key)) WITHOUT ROWID",
      on: connection
    )
    deletion = try connection.prepare("INSERT OR IGNORE INTO \(deletions) VALUES (?1, ?2, ?3)")
    insertion = try connection.prepare("INSERT OR IGNORE INTO \(table) VALUES (?1, ?2, ?3, ?4)")
  }

  package func add(_ pair: MatchedPair, _ conflicts: [ColumnRole]) throws(SQLiteError) {
    guard !conflicts.isEmpty else { return }
    for columnRole in conflicts {
      if !columnRoles.contains(columnRole) { columnRoles.append(columnRole) }
      let number = columnRoles.firstIndex(of: columnRole) ?? 0
      try insertion.run(.text(pair.root), .integer(pair.source), .integer(pair.destination), .integer(Int64(number)))
    }
  }

  /// Records an object that the destination changed and the source removed, by its key in the destination.
  package func add(deletedBySource key: Int64, of root: String) throws(SQLiteError) {
    try add(deletion: .destination, key, root)
  }

  /// Records an object that the source changed and the destination removed, by its key in the source.
  package func add(deletedByDestination key: Int64, of root: String) throws(SQLiteError) {
    try add(deletion: .source, key, root)
  }

  private func add(deletion side: MatchSide, _ key: Int64, _ root: String) throws(SQLiteError) {
    try deletion.run(.text(root), .text(side.rawValue), .integer(key))
  }

  /// Calls `body` with every object that one store changed and the other removed: its root entity, the store that has
  /// it, and its key there.
  package func forEachDeletion(_ body: (String, MatchSide, Int64) throws(SQLiteError) -> Void) throws(SQLiteError) {
    try connection.forEachRow("SELECT root, side, key FROM \(deletions) ORDER BY 1, 2, 3") {
      row throws(SQLiteError) in
      guard let side = MatchSide(rawValue: row.text(at: 1) ?? "") else { return }
      try body(row.text(at: 0) ?? "", side, row.integer(at: 2))
    }
  }

  /// Removes the conflicts of objects that `keptCopies` contains without a number: an earlier merge resolved them.
  package func removeSettled(of root: String, among keptCopies: TemporaryTable) throws(SQLiteError) {
    try connection.run(
      """
      DELETE FROM \(table) WHERE root = ?1
        AND source NOT IN (SELECT source FROM \(keptCopies) WHERE number IS NOT NULL)
      """,
      .text(root)
    )
  }

  /// Calls `body` with the conflicts of every object, in the order of the source's keys.
  package func forEach(_ body: (Conflict) throws(SQLiteError) -> Void) throws(SQLiteError) {
    var current: Conflict?
    try connection.forEachRow(
      "SELECT root, source, destination, property FROM \(table) ORDER BY 1, 2, 4"
    ) { row throws(SQLiteError) in
      let pair = MatchedPair(root: row.text(at: 0) ?? "", source: row.integer(at: 1), destination: row.integer(at: 2))
      let columnRole = columnRoles[Int(row.integer(at: 3))]
      if current?.pair == pair {
        current?.columnRoles.append(columnRole)
      } else {
        if let current { try body(current) }
        current = Conflict(pair: pair, columnRoles: [columnRole])
      }
    }
    if let current { try body(current) }
  }

  /// Returns the number of objects with conflicts.
  package func objectCount() throws(SQLiteError) -> Int64 {
    try connection.integer(
      "SELECT (SELECT count(*) FROM (SELECT DISTINCT root, source FROM \(table))) + (SELECT count(*) FROM \(deletions))"
    ) ?? 0
  }

  /// Returns whether the object of the source has conflicts.
  package func contains(_ key: Int64, of root: String) throws(SQLiteError) -> Bool {
    try connection.integer(
      "SELECT EXISTS (SELECT 1 FROM \(table) WHERE root = ?1 AND source = ?2)",
      .text(root),
      .integer(key)
    ) == 1
  }
}
