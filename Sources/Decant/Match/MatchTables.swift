internal import SQLite

/// The temporary tables in which the objects of one root entity are matched.
///
/// First `own`, with the hashes of every object; then `open`, with those that have no partner yet and
/// may find one. They are emptied in the end, not dropped, as tables are numbered by how many there are.
struct MatchTables {
  let root: MatchRoot
  let pairs: StoredPairs
  let own: Sided<String>
  let open: Sided<String>
  /// What others see of it.
  let state: MatchState
  private let connection: Connection

  init(_ root: MatchRoot, on connection: Connection) throws(SQLiteError) {
    self.root = root
    self.connection = connection
    pairs = try StoredPairs(on: connection)
    let number = try connection.integer("SELECT count(*) FROM temp.sqlite_schema") ?? 0
    own = Sided { "temp.decant_own_\(number)\($0.rawValue)" }
    open = Sided { "temp.decant_open_\(number)\($0.rawValue)" }
    for side in MatchSide.allCases {
      try connection.run(
        "CREATE TABLE \(own[side]) (key INTEGER PRIMARY KEY, identity INTEGER, own INTEGER NOT NULL)"
      )
      try connection.run(
        """
        CREATE TABLE \(open[side]) (key INTEGER PRIMARY KEY, own INTEGER NOT NULL,
          hash INTEGER NOT NULL, links INTEGER NOT NULL DEFAULT 0)
        """
      )
    }
    let lookups = Sided(
      try connection.prepare("SELECT hash FROM \(open.source) WHERE key = ?1"),
      try connection.prepare("SELECT hash FROM \(open.destination) WHERE key = ?1")
    )
    state = .open(pairs, lookups)
  }

  /// Enters the hashes of all objects.
  func fill() throws(SQLiteError) {
    for side in MatchSide.allCases {
      let identity = root.identityHash(side) { $0.links.isEmpty }
      try connection.run(
        SelectStatement(
          columns: [root.key(side), identity ?? "NULL", root.ownHash(side)],
          source: root.table(side)
        ).inserting(into: own[side], columns: ["key", "identity", "own"])
      )
    }
  }

  /// Opens the objects without identity and partner, as far as the other side has some with the same
  /// values.
  func beginContent() throws(SQLiteError) {
    for side in MatchSide.allCases {
      let others = side == .source ? own.destination : open.source
      let isFree = side == .source ? "identity IS NULL AND " : ""
      try connection.run(
        """
        INSERT INTO \(open[side]) (key, own, hash) SELECT key, own, own FROM \(own[side])
        WHERE identity IS NULL AND key NOT IN (SELECT \(column(side)) FROM \(pairs.table))
        AND own IN (SELECT own FROM \(others) WHERE \(isFree)
          \(side == .source ? "key NOT IN (SELECT destination FROM \(pairs.table))" : "1"))
        """
      )
    }
    for side in MatchSide.allCases { try connection.run("DELETE FROM \(own[side])") }
  }

  /// Whether objects of both sides are left to match.
  func isOpen() throws(SQLiteError) -> Bool {
    try connection.integer("SELECT EXISTS (SELECT 1 FROM \(open.source))") == 1
  }

  /// Removes from the open objects those that have a partner, and those whose like the other side has no
  /// more.
  func prune() throws(SQLiteError) {
    for side in MatchSide.allCases {
      try connection.run(
        "DELETE FROM \(open[side]) WHERE key IN (SELECT \(column(side)) FROM \(pairs.table))"
      )
    }
    for side in MatchSide.allCases {
      try connection.run(
        "DELETE FROM \(open[side]) WHERE own NOT IN (SELECT own FROM \(open[side.other]))"
      )
    }
  }

  /// Pairs objects that have a value of `column` alone on either side; returns how many.
  func pairSingles(_ tables: Sided<String>, by column: String, where condition: String = "1")
    throws(SQLiteError) -> Int64
  {
    let singles = Sided { side in
      """
      (SELECT min(key) AS key, \(column) AS h FROM \(tables[side]) WHERE \(condition)
      GROUP BY h HAVING count(*) = 1)
      """
    }
    return try pairs.add(
      "SELECT a.key, b.key FROM \(singles.source) AS a JOIN \(singles.destination) AS b ON b.h = a.h"
    )
  }

  /// Pairs objects with equal values of `column` one to one, in the order of their keys; returns how many.
  ///
  /// From the highest on where the tie-break says so.
  func pairInOrder(
    _ tables: Sided<String>,
    by column: String,
    _ tieBreak: TieBreak = .usual,
    where condition: Sided<String> = Sided("1", "1"),
    limit: Int = -1
  ) throws(SQLiteError) -> Int64 {
    let order = tieBreak == .fromTheEnd ? "DESC" : "ASC"
    let numbered = Sided { side in
      """
      (SELECT key, \(column) AS h, row_number() OVER (PARTITION BY \(column) ORDER BY key \(order)) AS n
      FROM \(tables[side]) WHERE \(condition[side]))
      """
    }
    return try pairs.add(
      """
      SELECT a.key, b.key FROM \(numbered.source) AS a JOIN \(numbered.destination) AS b
      ON b.h = a.h AND b.n = a.n \(limit < 0 ? "" : "ORDER BY a.key \(order) LIMIT \(limit)")
      """
    )
  }

  private func column(_ side: MatchSide) -> String {
    side == .source ? "source" : "destination"
  }
}
