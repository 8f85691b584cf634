internal import DecantPlan
internal import DecantSQLite

/// The nesting levels of a root entity's objects: those without link to their own entity are on level 0, those that
/// link to one of these on level 1, and so on.
struct MatchLevels {
  /// The number of levels, in the store that has more.
  let count: Int
  /// Whether objects link to one another in a cycle.
  let hasCircles: Bool
  private let tables: Sided<TemporaryTable>
  private let connection: Connection

  /// Determines the level of every object in both stores, by `link`.
  init(_ root: MatchRoot, _ link: MatchHashes.Link, _ hashes: MatchHashes, on connection: Connection)
    throws(SQLiteError)
  {
    self.connection = connection
    tables = try Sided.tables("(key INTEGER PRIMARY KEY, link INTEGER, level INTEGER)", on: connection)
    var highest = 0
    var hasCircles = false
    for side in MatchSide.allCases {
      let table = tables[side]
      var target = hashes.resolved(link, of: root, side)
      // An object whose target is not merged has no link afterwards.
      if side == .source {
        target = "CASE WHEN merge_kept(\(root.number), \(target)) THEN \(target) END"
      }
      try connection.run(
        """
        INSERT INTO \(table) SELECT k, t, CASE WHEN t IS NULL THEN 0 END
        FROM (SELECT \(root.key(side)) AS k, \(target) AS t FROM \(root.table(side)))
        """
      )
      try connection.run("CREATE INDEX \(table)_link ON \(table.name) (link)")
      try connection.run("CREATE INDEX \(table)_level ON \(table.name) (level)")
      var level = 0
      // The plus keeps SQLite from searching for all rows without level.
      let deepen = try connection.prepare(
        """
        UPDATE \(table) SET level = ?1 + 1
        WHERE link IN (SELECT key FROM \(table) WHERE level = ?1) AND +level IS NULL
        """
      )
      while true {
        try deepen.run(.integer(Int64(level)))
        guard connection.changeCount > 0 else { break }
        level += 1
      }
      highest = max(highest, level + 1)
      let rest = "SELECT EXISTS (SELECT 1 FROM \(table) WHERE level IS NULL)"
      if try connection.integer(rest) == 1 { hasCircles = true }
    }
    count = highest
    self.hasCircles = hasCircles
  }

  /// Returns a SELECT of the keys of the objects on `level`.
  func keys(at level: Int, _ side: MatchSide) -> String {
    "SELECT key FROM \(tables[side]) WHERE level = \(level)"
  }

  /// Returns a SELECT of the keys of objects without level.
  func circles(_ side: MatchSide) -> String {
    "SELECT key FROM \(tables[side]) WHERE level IS NULL"
  }

  /// Returns the lowest and the highest key of each store.
  func bounds() throws(SQLiteError) -> Sided<ClosedRange<Int64>> {
    func range(_ side: MatchSide) throws(SQLiteError) -> ClosedRange<Int64> {
      let low = try connection.integer("SELECT min(key) FROM \(tables[side])") ?? 0
      return low...(try connection.integer("SELECT max(key) FROM \(tables[side])") ?? low)
    }
    return Sided(try range(.source), try range(.destination))
  }
}
