internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The matching of changed objects with those of a common ancestor that have another key there.
extension Matcher {
  /// Pairs unpaired objects of `group` with similar objects of the ancestor under other keys.
  ///
  /// Two stores that merge each other's new objects give them different keys. An ancestor that is a copy of one of them
  /// has that one's keys. Objects are paired if most of their values agree, or a text that is almost always different, and
  /// no other object agrees in as much; an object that agrees as well with the one under its own key is paired with that.
  ///
  /// - Returns: Whether there were any.
  func pairMoved(_ group: [String]) throws(DecantError) -> Bool {
    guard rules.isAboutAncestor, rules.lineage == .found, !isIntoNothing else { return false }
    var isFound = false
    try explaining("cannot match \(group.joined(separator: ", "))") { () throws(SQLiteError) in
      // Paired objects may be the targets of others.
      var isSettled = false
      while !isSettled {
        isSettled = true
        for name in group where try pairMoved(name) {
          isFound = true
          if group.count > 1 { isSettled = false }
        }
      }
    }
    return isFound
  }

  private func pairMoved(_ name: String) throws(SQLiteError) -> Bool {
    guard let root = hashes.root(name), let pairs = pairs[name], let keys = included[name], pairs.keepsPartners,
      hashes.continued(by: root) == nil, !root.relations.source.isNumbered, try !pairs.isComplete(among: keys)
    else { return false }
    var rows = EqualKeyRows(root, hashes, pairs, decided: decided(without: name))
    guard let open = try MovedRows(rows, on: connection) else { return false }
    try rows.leaveOutCommonValues(on: connection)
    defer { withExtendedLifetime(rows) {} }
    var candidates: [MovedRows.Candidate] = []
    try open.forEachCandidate(by: rows) { candidate throws(SQLiteError) in
      if try isIncluded(candidate.source, name) { candidates.append(candidate) }
    }
    let best = MovedRows.best(of: candidates)
    guard !best.isEmpty, try haveMoved(root, pairs, open, rows) else { return false }
    for pair in best {
      try pairs.add(pair.source, pair.destination, pair.source == pair.destination ? .key : .moved)
    }
    try pairs.settle()
    return true
  }

  /// Returns whether the ancestor has the keys of another store for some objects of `root`.
  private func haveMoved(_ root: MatchRoot, _ pairs: ObjectPairs, _ open: MovedRows, _ rows: EqualKeyRows)
    throws(SQLiteError) -> Bool
  {
    if !lineage.contains(root.name) { return true }
    if try fork(of: root, pairs) != nil { return true }
    return try open.haveOthersUnderEqualKeys(by: rows)
  }
}

/// The unpaired objects of both stores without identity.
private struct MovedRows {
  /// Two objects that agree in some values.
  struct Candidate {
    let source, destination: Int64
    /// How much they agree in: values, of which those that are almost always different count twice.
    let score: Int64
  }

  private let connection: Connection
  private let tables: Sided<TemporaryTable>
  /// Each pair of objects that agree in a value that few of them have.
  private let candidates: TemporaryTable

  /// The maximum number of unpaired objects of each store.
  private static let limit: Int64 = 10_000
  /// The maximum number of unpaired objects of each store with a value by which they are compared.
  private static let most = 20

  /// Reads the objects; `nil` if a store has none, or very many.
  init?(_ rows: EqualKeyRows, on connection: Connection) throws(SQLiteError) {
    self.connection = connection
    let names =
      ["k", "e"] + rows.columns.map { "v\($0)" } + rows.owners.map { "o\($0)" } + rows.parts.map { "p\($0)" } + ["h"]
    // Long bytes are compared by their hash.
    let values = names.map { name in
      name.hasPrefix("v") ? "iif(typeof(\(name)) = 'blob' AND length(\(name)) > 1000, mix_all(\(name)), \(name))" : name
    }
    tables = try Sided.tables("(\(names.joined(separator: ", ")))", on: connection)
    candidates = try TemporaryTable("(s INTEGER, d INTEGER, UNIQUE (s, d))", on: connection)
    for side in MatchSide.allCases {
      try connection.run(
        """
        INSERT INTO \(tables[side]) SELECT \(values.joined(separator: ", ")) FROM (\(rows.rows[side])) WHERE i IS NULL
        LIMIT \(MovedRows.limit + 1)
        """
      )
      let count = connection.changeCount
      guard count > 0, count <= MovedRows.limit else { return nil }
      try connection.run("CREATE INDEX temp.\(tables[side].name)_key ON \(tables[side].name) (k)")
    }
  }

  private var both: String {
    "\(candidates) AS c JOIN \(tables.source) AS s ON s.k = c.s JOIN \(tables.destination) AS d ON d.k = c.d"
  }

  /// Calls `body` with those that may be the same.
  func forEachCandidate(by rows: EqualKeyRows, _ body: (Candidate) throws(SQLiteError) -> Void) throws(SQLiteError) {
    for column in rows.columns {
      let few = Sided { side in
        "SELECT v\(column) FROM \(tables[side]) GROUP BY 1 HAVING count(*) <= \(MovedRows.most)"
      }
      try connection.run(
        """
        INSERT OR IGNORE INTO \(candidates) SELECT s.k, d.k FROM \(tables.source) AS s
        JOIN \(tables.destination) AS d ON d.v\(column) = s.v\(column) AND d.e IS s.e
        WHERE \(rows.isTelling("s.v\(column)", column)) AND s.v\(column) IN (\(few.source))
          AND d.v\(column) IN (\(few.destination))
        """
      )
    }
    try connection.forEachRow(
      """
      SELECT k, l, agreeing + told FROM (SELECT s.k AS k, d.k AS l, \(rows.agreeing) AS agreeing, \(rows.known) AS whole,
        \(rows.toldAgreeing) AS told, \(rows.toldDiffering) AS unlike, \(rows.wordsAgreeing) AS words FROM \(both) WHERE NOT (\(rows.leadsToOther)))
      WHERE unlike <= told AND (agreeing * 2 > whole OR unlike < told OR words > 0) ORDER BY 3 DESC, 1, 2
      """
    ) { row throws(SQLiteError) in
      try body(
        Candidate(source: row.integer(at: 0), destination: row.integer(at: 1), score: row.integer(at: 2))
      )
    }
  }

  /// Returns whether the stores have different objects under a key.
  func haveOthersUnderEqualKeys(by rows: EqualKeyRows) throws(SQLiteError) -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM \(tables.source) AS s JOIN \(tables.destination) AS d ON d.k = s.k
      WHERE \(rows.isOther) LIMIT 1
      """
    ) != nil
  }

  /// Returns the pairs of which neither object agrees in as much with another one, the best first; these are left out
  /// when the next are chosen.
  static func best(of candidates: [Candidate]) -> [Candidate] {
    var (rest, best) = (candidates, [Candidate]())
    while true {
      let source = Dictionary(rest.map { ($0.source, $0.score) }) { max($0, $1) }
      let destination = Dictionary(rest.map { ($0.destination, $0.score) }) { max($0, $1) }
      let first = rest.filter { source[$0.source] == $0.score && destination[$0.destination] == $0.score }
      let counts = Sided(
        Dictionary(first.map { ($0.source, 1) }, uniquingKeysWith: +),
        Dictionary(first.map { ($0.destination, 1) }, uniquingKeysWith: +)
      )
      let found = first.filter { pair in
        counts.source[pair.source] == 1 && counts.destination[pair.destination] == 1
          || pair.source == pair.destination
      }
      guard !found.isEmpty else { return best }
      best += found
      let (taken, gone) = (Set(found.map(\.source)), Set(found.map(\.destination)))
      rest.removeAll { taken.contains($0.source) || gone.contains($0.destination) }
    }
  }
}
