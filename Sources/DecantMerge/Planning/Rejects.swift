package import DecantBase
package import DecantMatch
internal import DecantPlan
package import DecantStore
package import DecantSQLite

/// The objects that a copy left out because the destination refused them.
///
/// They are recorded in a table, in the transaction of the batch that contains them.
package struct Rejects {
  package let connection: Connection
  /// The schema of the table: the unpublished file, so that a resumed run finds it, or the temporary schema.
  package let schema: String

  package static let table = OwnTables.rejects

  package init(connection: Connection, schema: String) {
    (self.connection, self.schema) = (connection, schema)
  }

  private var name: String { "\(schema).\(Rejects.table)" }

  /// The condition that the destination lacks a rejected object: one whose change was refused stays there, with the
  /// links to it.
  private static let isMissing = "NOT is_there(root, key)"

  /// Creates the table.
  package func create() throws(SQLiteError) {
    try connection.run(
      """
      CREATE TABLE \(name) (
        root TEXT, key, reason TEXT, code TEXT, PRIMARY KEY (root, key)) WITHOUT ROWID
      """
    )
  }

  /// Records an object that the destination refused.
  package func add(root: String, key: Binding, _ refusal: Refusal) throws(SQLiteError) {
    try connection.run(
      "INSERT INTO \(name) (root, key, reason, code) VALUES (?1, ?2, ?3, ?4)",
      .text(root),
      key,
      .text(refusal.reason),
      .text(refusal.code.rawValue)
    )
  }

  /// Records an object without an integer key, by the values of its key.
  package func add(root: String, values: [Binding], _ refusal: Refusal) throws(SQLiteError) {
    let parameters = values.indices.map { "?\($0 + 4)" }
    let statement = try connection.prepare(
      "INSERT INTO \(name) (root, key, reason, code) "
        + "VALUES (?1, \(RejectedObjects.keyText(parameters)), ?2, ?3)"
    )
    try statement.bind([.text(root), .text(refusal.reason), .text(refusal.code.rawValue)] + values)
    while try statement.step() {}
  }

  /// Returns the condition that the current row, with a key of these columns, was not rejected.
  package func isAccepted(root: String, key: [String]) -> String {
    // Not inside the subquery, because the row's columns may have the same names as those of this table.
    "\(RejectedObjects.keyText(key.map(\.sqlName))) NOT IN "
      + "(SELECT key FROM \(name) WHERE root = \(root.sqlText))"
  }

  /// Returns the condition that the row `row` of the source's `relation` was rejected.
  package func include(_ relation: Relation, as row: String) -> String {
    let key =
      switch relation.key {
      case .integer: "\(row).\(relation.keyName)"
      case .values(let names): RejectedObjects.keyText(names.map { "\(row).\($0.sqlName)" })
      case .none: "NULL"
      }
    return "\(key) IN (SELECT key FROM \(name) WHERE root = \(relation.root.sqlText) AND \(Rejects.isMissing))"
  }

  func drop() throws(SQLiteError) {
    try connection.run("DROP TABLE IF EXISTS \(name)")
  }

  /// Returns the number of rejected objects.
  package func count() throws(SQLiteError) -> Int64 {
    try connection.integer("SELECT count(*) FROM \(name)") ?? 0
  }

  /// Creates the table `RejectedObjects.table` on `reader`, which need not be the copy's own connection.
  package func list(on reader: Connection) throws(SQLiteError) {
    try reader.run(
      """
      CREATE TABLE \(RejectedObjects.table) (
        decant_root TEXT, decant_key, decant_code TEXT, decant_reason TEXT,
        PRIMARY KEY (decant_root, decant_key)) WITHOUT ROWID
      """
    )
    let insertion = try reader.prepare("INSERT INTO \(RejectedObjects.table) VALUES (?1, ?2, ?3, ?4)")
    let list = "SELECT root, key, coalesce(code, 'check'), reason FROM \(name)"
    try connection.forEachRow(list) { row throws(SQLiteError) in
      try insertion.bind((0..<4).map { row.value(at: $0) })
      while try insertion.step() {}
      insertion.reset()
    }
  }

  /// Returns the number of rejected objects, by the code of the reason.
  package func countsByCode() throws(SQLiteError) -> [RejectCode: Int64] {
    var counts: [RejectCode: Int64] = [:]
    // An earlier version recorded no code.
    try connection.forEachRow("SELECT code, count(*) FROM \(name) GROUP BY 1") { row in
      let code = row.text(at: 0).flatMap { RejectCode(rawValue: $0) } ?? .check
      counts[code, default: 0] += row.integer(at: 1)
    }
    return counts
  }

  /// Returns the root entities that lost objects.
  package func roots() throws(SQLiteError) -> [String] {
    var roots: [String] = []
    try connection.forEachRow("SELECT DISTINCT root FROM \(name)") { row in
      roots.append(row.text(at: 0) ?? "")
    }
    return roots
  }

  /// Returns the keys of the rejected objects of `root` that the destination lacks, or `nil` if there are none.
  package func keys(of root: String) throws(SQLiteError) -> KeySet? {
    let range = "FROM \(name) WHERE root = ?1 AND \(Rejects.isMissing)"
    guard
      let count = try connection.integer("SELECT count(*) \(range)", .text(root)), count > 0,
      let low = try connection.integer("SELECT min(key) \(range)", .text(root)),
      let high = try connection.integer("SELECT max(key) \(range)", .text(root))
    else { return nil }
    let keys = try KeySet(range: low...high, expecting: count, on: connection)
    try connection.forEachRow("SELECT key \(range)", .text(root)) { row throws(SQLiteError) in
      try keys.insert(row.integer(at: 0))
    }
    try keys.seal()
    return keys
  }

  /// Returns the number of rejected objects of each concrete entity: of those that the destination lacks, or of those
  /// that it has.
  package func counts(of relation: Relation, in source: String, areThere: Bool = false) throws(SQLiteError) -> [String:
    Int64]
  {
    var counts: [String: Int64] = [:]
    guard relation.keyColumn != nil else {
      guard !areThere else { return [:] }
      let count = "SELECT count(*) FROM \(name) WHERE root = ?1"
      counts[relation.root] = try connection.integer(count, .text(relation.root)) ?? 0
      return counts
    }
    let table = relation.sqlTable(in: source)
    let code = relation.entityCode(in: "s") ?? "NULL"
    try connection.forEachRow(
      """
      SELECT \(code), count(*) FROM \(name) AS j JOIN \(table) AS s
      ON s.\(relation.keyName) = j.key WHERE j.root = ?1 AND is_there(j.root, j.key) = \(areThere ? 1 : 0) GROUP BY 1
      """,
      .text(relation.root)
    ) { row in
      let code = row.integerOrNil(at: 0)
      // If a table holds a single entity, all of its objects count as objects of that entity.
      let entity =
        relation.entities.count == 1
        ? relation.entities.first : relation.entities.first { $0.code == code }
      counts[entity?.name ?? "", default: 0] += row.integer(at: 1)
    }
    return counts
  }

  /// Starts a search at the rejected objects, by their keys in the destination; those without integer keys by the text
  /// of their key.
  ///
  /// - Parameters:
  ///   - reach: The search.
  ///   - ids: The ID table, which `id` uses.
  /// - Throws: `SQLiteError` if there is no room for them.
  package func begin(_ reach: Reach, _ ids: IDTable) throws(SQLiteError) {
    for root in try roots() {
      let key = ids.keyMap(of: root) == nil ? "key" : "id(\(root.sqlText), key)"
      try reach.begin(at: "SELECT root, \(key) FROM \(name) WHERE root = \(root.sqlText) AND \(Rejects.isMissing)")
    }
  }

  /// Sets links to rejected objects to null in the destination; returns their number by relationship.
  ///
  /// A batch may have been written before objects of later batches were refused.
  package func cutLinks(in layout: Layout, ids: IDTable) throws(SQLiteError) -> [String: Int64] {
    var cut: [String: Int64] = [:]
    let gone = try Reach("gone", on: connection)
    try begin(gone, ids)
    for root in try roots() {
      guard let map = ids.keyMap(of: root), let keys = try keys(of: root) else { continue }
      for relation in layout.relations {
        try cutLinks(of: relation, to: root, gone, &cut)
      }
      for links in layout.linkRelations {
        let ends = [(links.ownerColumn, links.ownerRoot), (links.targetColumn, links.targetRoot)]
        for (column, end) in ends where end == root {
          try connection.run(
            "DELETE FROM main.\(links.table.sqlName) WHERE \(column.sqlName) IN \(gone.keys(of: root))"
          )
          cut[links.relationship.description, default: 0] += connection.changeCount
        }
      }
      map.except(keys)
    }
    return cut
  }

  private func cutLinks(
    of relation: Relation,
    to root: String,
    _ gone: Reach,
    _ cut: inout [String: Int64]
  ) throws(SQLiteError) {
    for column in relation.columns where column.targetRoot == root {
      let isGone = "\(relation.value(of: column)) IN \(gone.keys(of: root))"
      try connection.run(relation.clearing(column, in: "main", where: isGone))
      switch column.columnRole {
      case .target(let property), .owner(let property):
        cut[property.description, default: 0] += connection.changeCount
      case .attribute, .key, .targetEntity, .position, .ownerPosition, .unnamed, .revision:
        continue
      }
    }
  }
}

/// The rejected objects, and the number of dangling links by relationship.
package struct PredictedOutcome {
  package let rejects: Rejects
  package var missing: [String: Int64] = [:]

  package init(rejects: Rejects, missing: [String: Int64] = [:]) {
    (self.rejects, self.missing) = (rejects, missing)
  }
}
