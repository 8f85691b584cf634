internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Hashes of the source's objects that are the same in every store and at any time, if the identity is the same.
///
/// A merge uses them to remember the objects that it has merged.
final class StableHashes {
  private let connection: Connection
  private let hashes: MatchHashes
  /// A temporary table for each root entity: `key` and `hash`.
  private(set) var tables: [String: TemporaryTable] = [:]

  /// Computes the hashes, in the order of `groups`.
  init(_ hashes: MatchHashes, groups: [[String]], on connection: Connection) throws(SQLiteError) {
    self.hashes = hashes
    self.connection = connection
    for name in groups.joined() {
      guard let root = hashes.root(name) else { continue }
      let table = try TemporaryTable("(key INTEGER PRIMARY KEY, hash INTEGER NOT NULL)", on: connection)
      try connection.run(
        "INSERT INTO \(table) SELECT \(root.key(.source)), \(hash(of: root)) FROM \(root.table(.source))"
      )
      tables[name] = table
    }
  }

  private func hash(of root: MatchRoot) -> String {
    let table = root.relations.source.table.sqlName
    let identity = root.identityHash(.source, byEntity: true) { link in
      "CASE WHEN \(link.key.source) IS NOT NULL THEN \(token(link.root, link.key.source, root)) END"
    } where: { _ in
      true
    }
    let links = hashes.links(of: root).map { link in
      let key = root.relations.source.value(of: link.columns.source, in: table)
      return "CASE WHEN \(key) IS NULL THEN 0 ELSE \(token(link.target, key, root)) END"
    }
    let content = MixFunction.sql(hashes.ownValues(of: root, .source) + links)
    return identity.map { "ifnull(\($0), \(content))" } ?? content
  }

  /// Returns the hash of the object with `key`; 0 if it is not computed yet, as in a cycle.
  private func token(_ root: String, _ key: String, _ own: MatchRoot) -> String {
    guard let table = tables[root] else { return "0" }
    return "ifnull((SELECT z.hash FROM \(table) AS z WHERE z.key = \(key)), 0)"
  }
}
