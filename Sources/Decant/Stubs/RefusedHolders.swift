internal import SQLite

/// The objects that are not copied as a link of theirs leads nowhere, and a rule rejects them for it.
///
/// For what they lead to no empty object is made. One that is made for others may be what they lack: so it is
/// asked again as long as there come more.
struct RefusedHolders {
  let connection: Connection

  private static let table = "temp.decant_refused_holder"
  /// Links that have the object which holds them rejected, each with the object, where it leads, and whether
  /// nothing is copied there.
  private static let edges = "temp.decant_refusing_link"

  /// Whether there may be any.
  private(set) var matter = false

  init(on connection: Connection) { self.connection = connection }

  /// Notes the links, before it is known which empty objects there are.
  ///
  /// - Parameters:
  ///   - links: Those that the destination holds.
  ///   - rules: What becomes of them.
  ///   - written: Puts the name of the destination's schema into SQL.
  /// - Throws: `SQLiteError` where the source cannot be read.
  mutating func note(_ links: [LinkColumn], _ rules: MissingRules, _ written: (String) -> String)
    throws(SQLiteError)
  {
    try connection.run(
      "CREATE TABLE IF NOT EXISTS \(Self.table) (root TEXT, key INTEGER, PRIMARY KEY (root, key)) WITHOUT ROWID"
    )
    try connection.run("DELETE FROM \(Self.table)")
    for link in links where rules.rule(of: link) == .reject {
      guard link.step.hasObjectKeys,
        let end = link.assignment.expression.uncounted.link
      else { continue }
      let (key, image) = ("\(end.calling(.sourceKey))", end.calling(.id))
      if !matter {
        try connection.run(
          """
          CREATE TABLE IF NOT EXISTS \(Self.edges)
            (root TEXT, key INTEGER, end_root TEXT, end_key INTEGER, missing INTEGER)
          """
        )
        try connection.run("DELETE FROM \(Self.edges)")
        matter = true
      }
      let select = link.select(
        [
          link.root.sqlText, "r._id", (link.column.targetRoot ?? link.root).sqlText, key,
          "\(image) IS NULL",
        ],
        where: ["\(key) IS NOT NULL"]
      )
      try connection.run("INSERT INTO \(Self.edges) \(written(select.sql))")
    }
    guard matter else { return }
    try connection.run(
      "CREATE INDEX IF NOT EXISTS temp.decant_refusing_end ON decant_refusing_link (end_root, end_key)"
    )
  }

  /// Finds them, with the empty objects that there are by now.
  ///
  /// - Parameter stubs: Where these stand, by root entity: the select of their keys.
  /// - Throws: `SQLiteError` where there is no room for them.
  func settle(_ stubs: [(root: String, keys: String)]) throws(SQLiteError) {
    guard matter else { return }
    let made = stubs.map { "e.end_root = \($0.root.sqlText) AND e.end_key IN (\($0.keys))" }
    let isMade = made.isEmpty ? "0" : made.joined(separator: " OR ")
    try connection.run("DELETE FROM \(Self.table)")
    try connection.run(
      """
      INSERT INTO \(Self.table)
      WITH RECURSIVE lost (root, key) AS (
        SELECT e.root, e.key FROM \(Self.edges) AS e WHERE e.missing AND NOT (\(isMade))
        UNION
        SELECT e.root, e.key FROM lost CROSS JOIN \(Self.edges) AS e
        ON e.end_root = lost.root AND e.end_key = lost.key
      )
      SELECT root, key FROM lost
      """
    )
  }

  /// The conditions that the object of `root` with the key `key` is none of them.
  func conditions(_ root: String, _ key: String = "r._id") -> [String] {
    guard matter else { return [] }
    return ["\(key) NOT IN (SELECT key FROM \(Self.table) WHERE root = \(root.sqlText))"]
  }

  /// The same of those that hold `link`, where integers name them.
  func conditions(_ link: LinkColumn) -> [String] {
    link.step.hasObjectKeys ? conditions(link.root) : []
  }
}

extension CopyStep {
  /// Whether integers name its objects.
  fileprivate var hasObjectKeys: Bool { if case .objects = kind { true } else { false } }
}
