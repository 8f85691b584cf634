internal import SQLite

/// Matches objects by what they hold: their values, and what they are linked with.
///
/// Objects whose values occur once on either side are pairs. The others are told apart by their links:
/// a hash of an object's values and of what stands for its neighbours, taken again and again, sees one
/// step further each time, in both directions of every link, so that cycles come to an end where no two
/// hashes part any more. What is alike even then is paired in the order of keys, one root entity after
/// the other, each pair being a landmark for the rest. What finds nobody in the same place is paired with
/// an object of the same values in another one: it differs in its links.
final class ContentMatching {
  let connection: Connection
  let tables: [MatchTables]
  let links: [MatchLink]
  let numbers: [String: Int]
  private let tieBreak: TieBreak

  /// How often hashes may still be taken.
  ///
  /// Each time reads all links that lead to what is open; what is alike
  /// in so wide an environment, as in a chain of a thousand equal objects, is paired in the order of keys.
  private var roundsLeft = 100

  init(
    connection: Connection,
    tables: [MatchTables],
    links: [MatchLink],
    numbers: [String: Int],
    tieBreak: TieBreak
  ) {
    self.tieBreak = tieBreak
    self.connection = connection
    self.tables = tables
    self.links = links
    self.numbers = numbers
  }

  /// Pairs what can be paired.
  func run() throws(SQLiteError) {
    for table in tables {
      _ = try table.pairSingles(table.own, by: "own", where: "identity IS NULL")
      try table.beginContent()
    }
    try settle()
    while try breakTies() { try settle() }
    for table in try open() {
      try refine([table]) { $0.isColumn && $1 == .holder }
      if try table.pairInOrder(table.open, by: "hash", tieBreak) > 0 { try table.prune() }
      if try table.pairInOrder(table.open, by: "own", tieBreak) > 0 { try table.prune() }
    }
    for table in tables {
      for side in MatchSide.allCases { try connection.run("DELETE FROM \(table.open[side])") }
    }
  }

  private func open() throws(SQLiteError) -> [MatchTables] {
    var open: [MatchTables] = []
    for table in tables where try table.isOpen() { open.append(table) }
    return open
  }

  /// Takes hashes and pairs what they tell apart until they tell nothing new.
  private func settle() throws(SQLiteError) {
    var classCount: Int64 = -1
    while roundsLeft > 0 {
      roundsLeft -= 1
      let open = try open()
      guard !open.isEmpty else { return }
      try refine(open) { _, _ in true }
      var pairCount: Int64 = 0
      var count: Int64 = 0
      for table in open {
        let found = try table.pairSingles(table.open, by: "hash")
        if found > 0 { try table.prune() }
        pairCount += found
        for side in MatchSide.allCases where side == .source || tieBreak.mindsStrangers {
          count +=
            try connection.integer("SELECT count(DISTINCT hash) FROM \(table.open[side])") ?? 0
        }
      }
      if pairCount == 0, count <= classCount { return }
      classCount = pairCount > 0 ? -1 : count
    }
  }

  /// Pairs objects that nothing tells apart, of one root entity; false where there are none.
  private func breakTies() throws(SQLiteError) -> Bool {
    let open = try open()
    let isLast = roundsLeft <= 0
    for table in open {
      // Whether two that lead to their like are in the same place is known once those are paired.
      let loops = links.filter { $0.holder == table.root.name && $0.target == table.root.name }
      let condition = Sided { side in
        guard !isLast else { return "1" }
        let open = "(SELECT key FROM \(table.open[side]))"
        return
          (["1"]
          + loops.map { link in
            let end = link.ends[side]
            return
              "key NOT IN (SELECT \(end.holder) FROM \(end.table) WHERE \(end.target) IN \(open))"
          }).joined(separator: " AND ")
      }
      if try table.pairInOrder(table.open, by: "hash", tieBreak, where: condition) > 0 {
        try table.prune()
        return true
      }
    }
    guard !isLast else { return false }
    // A ring of equal objects: any of them may be the first.
    for table in open where try table.pairInOrder(table.open, by: "hash", tieBreak, limit: 1) > 0 {
      try table.prune()
      return true
    }
    return false
  }

  /// The end of a link whose object's hash takes in what is at the other end.
  private enum End { case holder, target }

  /// Takes the hashes of all objects in `open` again, over the links and in the directions that count.
  private func refine(_ open: [MatchTables], _ counts: (MatchLink, End) -> Bool)
    throws(SQLiteError)
  {
    for side in MatchSide.allCases {
      for table in open {
        for link in links {
          if link.holder == table.root.name, counts(link, .holder) {
            try add(link, .holder, to: table, side)
          }
          if link.target == table.root.name, counts(link, .target) {
            try add(link, .target, to: table, side)
          }
        }
      }
      // All at once in the end: until then every object sees the others as they were.
      for table in open {
        try connection.run(
          "UPDATE \(table.open[side]) SET hash = mix(own, links), links = 0"
        )
      }
    }
  }

  private func add(_ link: MatchLink, _ end: End, to table: MatchTables, _ side: MatchSide)
    throws(SQLiteError)
  {
    let place = link.ends[side]
    let (own, other, root) =
      end == .holder
      ? (place.holder, place.target, link.target) : (place.target, place.holder, link.holder)
    guard let number = numbers[root] else { return }
    let tag = link.name + (link.isReflexive || end == .holder ? "" : " back")
    var token = "token_\(side.rawValue)(\(number), \(other))"
    if tieBreak.mindsStrangers, link.isColumn, end == .holder {
      token = "ifnull(\(token), CASE WHEN \(other) IN \(place.targets) THEN 'elsewhere' END)"
    }
    let sum = "mix_sum(\(([tag.sqlText, token] + place.positions).joined(separator: ", ")))"
    try connection.run(
      """
      UPDATE \(table.open[side]) AS o SET links = mix(o.links, x.m) FROM
        (SELECT \(own) AS k, \(sum) AS m FROM \(place.table)
        WHERE \(own) IN (SELECT key FROM \(table.open[side])) GROUP BY 1) AS x
      WHERE x.k = o.key AND x.m IS NOT NULL
      """
    )
  }
}
