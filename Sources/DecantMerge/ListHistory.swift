internal import DecantMatch
internal import DecantPlan
internal import DecantProof
internal import DecantStore
internal import DecantJSON
internal import DecantSQLite

/// The ordered lists whose order the source has changed since the base, with their order in the base.
///
/// Only the order of the objects that both stores have in the list counts; added or removed objects do not change it.
final class ListHistory {
  let lists: [OrderedLists]
  private let connection: Connection
  private let insertion, lookup: Statement

  /// Compares the lists of the source with those of the base.
  ///
  /// - Parameter source: The two stores.
  /// - Throws: `SQLiteError` if one cannot be read.
  init(_ source: BaseComparison) throws(SQLiteError) {
    connection = try Connection("", mode: .create)
    try connection.run(
      """
      CREATE TABLE before (list INTEGER, owner INTEGER, place INTEGER, target INTEGER, shown TEXT,
        PRIMARY KEY (list, owner, place)) WITHOUT ROWID
      """
    )
    insertion = try connection.prepare("INSERT INTO before VALUES (?1, ?2, ?3, ?4, ?5)")
    lookup = try connection.prepare("SELECT target, shown FROM before WHERE list = ?1 AND owner = ?2 ORDER BY place")
    lists = OrderedLists.all(of: source.comparison.source.layout)
    for lists in self.lists {
      guard let there = lists.link(in: source.comparison.destination.layout) else { continue }
      try compare(lists, there, source)
    }
  }

  private func compare(_ lists: OrderedLists, _ there: Link, _ source: BaseComparison) throws(SQLiteError) {
    let own = source.connection
    let table = try TemporaryTable(
      "(owner INTEGER, position, target INTEGER, PRIMARY KEY (owner, position, target)) WITHOUT ROWID",
      on: own
    )
    defer { withExtendedLifetime(table) {} }
    try own.run("INSERT OR IGNORE INTO \(table) \(ListHistory.rows(there, CopySession.destination))")
    let before = try own.prepare("SELECT target FROM \(table) WHERE owner = ?1 ORDER BY position, target")
    let values = ConflictValues(source.hashes, on: own)
    var (owner, list): (Int64?, [Int64]) = (nil, [])
    func finish() throws(SQLiteError) {
      guard let key = owner, list.count > 1,
        let image = try source.partner(of: key, lists.link.holder)
      else { return }
      var old: [(target: Int64, before: Int64)] = []
      try before.bind(.integer(image), at: 1)
      defer { before.reset() }
      while try before.step() {
        let target = before.integer(at: 0)
        guard let origin = try source.origin(of: target, lists.link.target) else { continue }
        old.append((origin, target))
      }
      let both = Set(list).intersection(old.map(\.target))
      guard list.filter(both.contains) != old.map(\.target).filter(both.contains) else { return }
      for (place, element) in old.enumerated() where both.contains(element.target) {
        let shown = try values.object(element.before, lists.link.target, .destination)
        try insertion.run(
          .integer(Int64(lists.number)),
          .integer(key),
          .integer(Int64(place)),
          .integer(element.target),
          .text(shown.text)
        )
      }
    }
    let rows = ListHistory.rows(lists.link, CopySession.source)
    try own.forEachRow("SELECT owner, target FROM (\(rows)) ORDER BY owner, position, target") {
      row throws(SQLiteError) in
      if owner != row.integer(at: 0) {
        try finish()
        (owner, list) = (row.integer(at: 0), [])
      }
      list.append(row.integer(at: 1))
    }
    try finish()
  }

  /// Returns the rows of lists: `owner`, `position` and `target`.
  static func rows(_ link: Link, _ schema: String) -> String {
    """
    SELECT owner, position, target FROM (\(link.rows(in: schema, bothWays: false)))
    WHERE owner IS NOT NULL AND position IS NOT NULL AND target IS NOT NULL
    """
  }

  /// Returns the owners, in the source, of lists whose order was changed there.
  func owners(of lists: OrderedLists) throws(SQLiteError) -> [Int64] {
    var owners: [Int64] = []
    try connection.forEachRow(
      "SELECT DISTINCT owner FROM before WHERE list = ?1 ORDER BY 1",
      .integer(Int64(lists.number))
    ) { row in owners.append(row.integer(at: 0)) }
    return owners
  }

  /// Returns a list's order in the base, limited to the source's members: the source keys, and the objects as JSON
  /// text.
  func order(of lists: OrderedLists, _ owner: Int64) throws(SQLiteError) -> [(target: Int64, shown: String)] {
    defer { lookup.reset() }
    try lookup.bind([.integer(Int64(lists.number)), .integer(owner)])
    var order: [(target: Int64, shown: String)] = []
    while try lookup.step() { order.append((lookup.integer(at: 0), lookup.text(at: 1) ?? "null")) }
    return order
  }
}
