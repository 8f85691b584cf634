internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Keys for objects that the source does not have and links lead to, where mapped objects have keys of their own.
///
/// A table of SQLite's in the temporary database: a key in the view for every key of the source's that is none.
struct MissingKeys {
  let mapped: MappedRoot
  let tables: MappedTables

  private static let id = "\".id\""
  private static let origin = "\".origin\""
  private static let base = "\".base\""

  /// The table, as SQL names it.
  private var table: String { "temp.\("missing of \(mapped.root)".quotedName)" }

  /// The key, as SQL, for the key `base` of `sourceRoot`; NULL for one that the source has.
  func key(_ base: String, of sourceRoot: String) -> String {
    "(SELECT m.\(MissingKeys.id) FROM \(table) AS m "
      + "WHERE m.\(MissingKeys.origin) = \(sourceRoot.sqlText) AND m.\(MissingKeys.base) = \(base))"
  }

  /// The source's key, as SQL, for the key `id` of the view.
  func base(of id: String) -> String {
    "(SELECT m.\(MissingKeys.base) FROM \(table) AS m WHERE m.\(MissingKeys.id) = \(id))"
  }

  /// The keys of empty objects between ?1 and ?2, with the source's keys and root entities, as a SELECT.
  func stubs(_ stubs: MappedStubs) -> String {
    """
    SELECT -1, m.\(MissingKeys.base), m.\(MissingKeys.id), m.\(MissingKeys.origin)
    FROM \(stubs.table) AS s JOIN \(table) AS m ON m.\(MissingKeys.id) = s.\(MappedStubs.key)
    WHERE m.\(MissingKeys.origin) IS NOT NULL AND m.\(MissingKeys.id) BETWEEN ?1 AND ?2
    """
  }

  /// Makes the table without rows.
  func make(on connection: Connection) throws(DecantError) {
    try explaining("cannot assign keys to missing objects of \(mapped.root)") { () throws(SQLiteError) in
      try connection.run(
        """
        CREATE TABLE IF NOT EXISTS \(table) (\(MissingKeys.id) INTEGER PRIMARY KEY, \(MissingKeys.origin) TEXT, \
        \(MissingKeys.base) INTEGER, UNIQUE (\(MissingKeys.origin), \(MissingKeys.base)))
        """
      )
      try connection.run("DELETE FROM \(table)")
    }
  }

  /// Fills the table with the links that `connection` sees at this moment; the keys of objects are there.
  func fill(_ schema: String, on connection: Connection) throws(DecantError) {
    guard let keys = tables.keys(of: mapped) else { return }
    try explaining("cannot assign keys to missing objects of \(mapped.root)") { () throws(SQLiteError) in
      // Others follow behind the highest key.
      try connection.run(
        "INSERT INTO \(table) SELECT coalesce(max(\"\(MappedKeys.id)\"), 0), NULL, NULL FROM \(keys.table)"
      )
      for links in links(in: schema) {
        try add(links.rows, links.sourceRoot, schema, on: connection)
      }
    }
  }

  private func add(
    _ rows: String,
    _ sourceRoot: String,
    _ schema: String,
    on connection: Connection
  ) throws(SQLiteError) {
    guard let relation = tables.source.layout.relation(of: sourceRoot), relation.keyColumn != nil
    else { return }
    try connection.run(
      """
      INSERT OR IGNORE INTO \(table) (\(MissingKeys.origin), \(MissingKeys.base))
      SELECT DISTINCT \(sourceRoot.sqlText), base FROM (\(rows)) AS l
      WHERE typeof(base) = 'integer' AND NOT EXISTS
        (SELECT 1 FROM \(relation.sqlTable(in: schema)) AS t WHERE t.\(relation.keyName) = l.base)
      ORDER BY base
      """
    )
  }

  /// The keys of the source, as `base`, that links to objects of the root hold, by the root they are keys of.
  private func links(in schema: String) -> [(sourceRoot: String, rows: String)] {
    var links: [(sourceRoot: String, rows: String)] = []
    for part in tables.roots.flatMap(\.parts) {
      for value in part.values.sorted(by: { "\($0.key)" < "\($1.key)" }).map(\.value) {
        guard case .link(let key, let sourceRoot, mapped.root, _) = value else { continue }
        func add(_ base: String, _ sourceRoot: String) {
          let select = SelectStatement(
            columns: ["\(base) AS base"],
            source: "\(tables.rows(of: part.source, in: schema)) AS \(part.source.quotedName)"
          )
          links.append((sourceRoot, tables.outlines(of: [part], in: schema) + select.sql))
        }
        func raw(_ column: RelationColumn) -> String {
          "\(part.source.quotedName).\(tables.rawName(of: column, in: part).quotedName)"
        }
        switch key {
        case .column(let column): add(raw(column), sourceRoot)
        case .expression(let expression): add(expression, sourceRoot)
        case .first(let ends): for end in ends { add(raw(end.column), end.sourceRoot) }
        case .paired(let property, let isReversed):
          let pairs = MappedPairs(property: property, isReversed: isReversed, tables: tables)
          add(pairs.end(of: "\(part.source.quotedName).\(EntityView.key)"), sourceRoot)
        case .ownObject, .backward: continue
        }
      }
    }
    for own in tables.links {
      for source in own.sources {
        let ends = [
          (own.ownerRoot, source.ownerColumn, source.ownerRoot),
          (own.targetRoot, source.targetColumn, source.targetRoot),
        ]
        for (root, column, sourceRoot) in ends where root == mapped.root {
          let select = SelectStatement(
            columns: ["l.\(column.sqlName) AS base"],
            source: "\(source.sqlTable(in: schema)) AS l",
            conditions: [source.condition].compactMap(\.self)
          )
          links.append((sourceRoot, select.sql))
        }
      }
    }
    return links
  }
}
