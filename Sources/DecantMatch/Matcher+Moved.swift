internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The matching of changed objects that have another key in the other store, since an earlier merge, or in a common
/// ancestor.
extension Matcher {
  /// Pairs unpaired objects of `group` with similar objects under other keys.
  ///
  /// Two stores that merge each other's new objects give them different keys. An ancestor that is a copy of one of them
  /// has that one's keys. Objects are paired if most of their values agree, or a text that is almost always different,
  /// and no other object agrees in as much; an object that agrees as well with the one under its own key is paired with
  /// that. Without an ancestor, objects are paired only if their stores have a common origin and the pair is certain.
  ///
  /// - Returns: Whether there were any.
  func pairMoved(_ group: [String]) throws(DecantError) -> Bool {
    guard rules.lineage == .found, !isIntoNothing else { return false }
    let names = rules.isAboutAncestor ? group : group.filter(lineage.contains)
    var isFound = false
    try explaining("cannot match \(group.joined(separator: ", "))") { () throws(SQLiteError) in
      // Paired objects may be the targets of others.
      var isSettled = false
      while !isSettled {
        isSettled = true
        for name in names where try pairMoved(name) {
          isFound = true
          if names.count > 1 { isSettled = false }
        }
      }
    }
    return isFound
  }

  private func pairMoved(_ name: String) throws(SQLiteError) -> Bool {
    contestedKeys[name] = nil
    guard let root = hashes.root(name), let pairs = pairs[name], let keys = included[name], pairs.keepsPartners,
      hashes.continued(by: root) == nil, !root.relations.source.isNumbered, try !pairs.isComplete(among: keys)
    else { return false }
    var rows = EqualKeyRows(root, hashes, pairs, decided: decided(without: name))
    guard let open = try MovedRows(rows, on: connection) else { return false }
    try rows.leaveOutCommonValues(on: connection)
    defer { withExtendedLifetime(rows) {} }
    var candidates: [MovedRows.Candidate] = []
    try open.forEachCandidate(by: rows, needsDistinguishing: !rules.isAboutAncestor) { candidate throws(SQLiteError) in
      if try isIncluded(candidate.source, name) { candidates.append(candidate) }
    }
    var best = MovedRows.best(of: candidates)
    if !rules.isAboutAncestor {
      let fitting = try open.fitting(best, root, by: rows)
      contestedKeys[name] = MovedRows.contestedKeys(by: best, fitting)
      best = try open.certain(among: fitting, pairs)
    }
    guard !best.isEmpty, try haveMoved(root, pairs, open, rows) else { return false }
    for pair in best {
      try pairs.add(pair.source, pair.destination, pair.source == pair.destination ? .key : .moved)
    }
    try pairs.settle()
    return true
  }

  /// Returns whether the stores have different objects under a key, or the ancestor those of another store.
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
    /// How certain it is without an ancestor that they are the same.
    let certainty: Certainty
  }

  enum Certainty: Int64 {
    case unknown
    /// They agree in half of all values, and in as many of those that are almost always different as they differ in.
    case likely
    /// They agree in more of the values that are almost always different, and in more texts with words among them or in most
    /// of all values.
    case clear
    /// They agree in half of all values, and in two more of those that are almost always different; or in most of all
    /// values, at least three, and in more texts with words.
    case sure
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
  ///
  /// - Parameters:
  ///   - rows: How they are compared.
  ///   - needsDistinguishing: Whether objects of different keys need to agree in a value that is almost always different.
  ///   - body: What is called.
  /// - Throws: `SQLiteError` if the database reports an error.
  func forEachCandidate(
    by rows: EqualKeyRows,
    needsDistinguishing: Bool,
    _ body: (Candidate) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    for column in needsDistinguishing ? rows.distinct.sorted() : Array(rows.columns) {
      let few = Sided { side in
        "SELECT v\(column) FROM \(tables[side]) GROUP BY 1 HAVING count(*) <= \(MovedRows.most)"
      }
      try connection.run(
        """
        INSERT OR IGNORE INTO \(candidates) SELECT s.k, d.k FROM \(tables.source) AS s
        JOIN \(tables.destination) AS d ON d.v\(column) = s.v\(column) AND d.e IS s.e
        WHERE \(rows.isInformative("s.v\(column)", column)) AND s.v\(column) IN (\(few.source))
          AND d.v\(column) IN (\(few.destination))
        """
      )
    }
    if needsDistinguishing {
      try connection.run(
        """
        INSERT OR IGNORE INTO \(candidates) SELECT s.k, d.k FROM \(tables.source) AS s
        JOIN \(tables.destination) AS d ON d.k = s.k AND d.e IS s.e
        WHERE s.k IN (SELECT s FROM \(candidates) UNION ALL SELECT d FROM \(candidates))
        """
      )
    }
    // A limit keeps the inner query apart: SQLite would compute its values again for each use.
    try connection.forEachRow(
      """
      SELECT k, l, agreeing + distinguishing, CASE
        WHEN distinguishing > unlike + 1 AND agreeing * 2 >= whole THEN 3
        WHEN agreeing > 2 AND agreeing * 2 > whole AND words > otherWords THEN 3
        WHEN unlike < distinguishing AND (agreeing * 2 > whole OR words > otherWords) THEN 2
        ELSE distinguishing > 0 AND agreeing * 2 >= whole END
      FROM (SELECT s.k AS k, d.k AS l, \(rows.agreeing) AS agreeing, \(rows.known) AS whole,
        \(rows.distinguishingAgreeing) AS distinguishing, \(rows.distinguishingDiffering) AS unlike, \(rows.wordsAgreeing) AS words,
        \(rows.wordsDiffering) AS otherWords FROM \(both) WHERE NOT (\(rows.leadsToOther)) LIMIT -1)
      WHERE unlike <= distinguishing AND (agreeing * 2 > whole OR unlike < distinguishing OR words > 0) ORDER BY 3 DESC, 1, 2
      """
    ) { row throws(SQLiteError) in
      try body(
        Candidate(
          source: row.integer(at: 0), destination: row.integer(at: 1), score: row.integer(at: 2),
          certainty: Certainty(rawValue: row.integer(at: 3)) ?? .unknown)
      )
    }
  }

  /// Returns the pairs of objects that an earlier merge may have given different keys, and that share a value that no other
  /// object has.
  ///
  /// An object gets another key in the other store where its own is taken: it is above its own.
  func fitting(_ best: [Candidate], _ root: MatchRoot, by rows: EqualKeyRows) throws(SQLiteError) -> [Candidate] {
    let likely = best.filter { $0.certainty != .unknown && $0.source != $0.destination }
    guard !likely.isEmpty else { return [] }
    try connection.run("DELETE FROM \(candidates)")
    for pair in likely {
      try connection.run("INSERT INTO \(candidates) VALUES (?1, ?2)", .integer(pair.source), .integer(pair.destination))
    }
    func has(_ key: String, _ side: MatchSide) -> String {
      "EXISTS (SELECT 1 FROM \(root.table(side)) WHERE \(root.key(side)) = \(key))"
    }
    var fitting: Set<Int64> = []
    try connection.forEachRow(
      """
      SELECT s.k FROM \(both) WHERE iif(s.k < d.k, \(has("s.k", .destination)), \(has("d.k", .source)))
        AND (\(rows.shareUnique))
      """
    ) { row in fitting.insert(row.integer(at: 0)) }
    return likely.filter { fitting.contains($0.source) }
  }

  /// Returns those of the fitting pairs that are certain without an ancestor.
  ///
  /// If the keys of both objects are below those of other common objects, both existed when the stores were merged. Being
  /// alike is enough then, as it is for objects that have each other's keys. If one of the keys is, either other objects
  /// got their keys the same way, or the two are surely the same.
  func certain(among found: [Candidate], _ pairs: ObjectPairs) throws(SQLiteError) -> [Candidate] {
    guard !found.isEmpty else { return [] }
    var (last, came) = (Sided(Int64.min, Int64.min), Sided(false, false))
    try connection.forEachRow(
      """
      SELECT max(source), max(destination), max(source < destination), max(source > destination) FROM \(pairs.table)
      """
    ) { row in
      guard row.type(at: 0) != .null else { return }
      last = Sided(row.integer(at: 0), row.integer(at: 1))
      came = Sided(row.integer(at: 2) == 1, row.integer(at: 3) == 1)
    }
    let exchanged = MovedRows.exchanged(found)
    return found.filter { pair in
      let old = [pair.source < last.source, pair.destination < last.destination].count { $0 }
      let others = pair.source < pair.destination ? came.source : came.destination
      return old == 2 || exchanged.contains(pair.source)
        || old == 1 && (pair.certainty == .sure || pair.certainty == .clear && others)
    }
  }

  /// Returns the sources of pairs that have the same keys in both stores, in another order.
  private static func exchanged(_ pairs: [Candidate]) -> Set<Int64> {
    let partners = Dictionary(pairs.map { ($0.source, $0.destination) }) { first, _ in first }
    var (open, exchanged) = (Set(partners.keys), Set<Int64>())
    while let first = open.first {
      var (cycle, next) = ([Int64](), first as Int64?)
      while let key = next, open.remove(key) != nil {
        cycle.append(key)
        next = partners[key]
      }
      if next == first { exchanged.formUnion(cycle) }
    }
    return exchanged
  }

  /// Returns the keys that are no evidence: both stores have an object that agrees in more with one of another key, or one has
  /// an object that is probably one of another key.
  static func contestedKeys(by best: [Candidate], _ fitting: [Candidate]) -> Set<Int64> {
    let moved = best.filter { $0.source != $0.destination }
    return Set(moved.map(\.source)).intersection(moved.map(\.destination))
      .union(fitting.filter { $0.certainty != .likely }.flatMap { [$0.source, $0.destination] })
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
