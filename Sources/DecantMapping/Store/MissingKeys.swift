internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Keys for link targets missing in the source, if mapped objects have keys of their own.
///
/// It is a temporary table with a key in the view for every source key without an object.
struct MissingKeys {
  let mapped: MappedRoot
  let tables: MappedTables

  private static let id = "\".id\""
  private static let origin = "\".origin\""
  private static let base = "\".base\""

  /// The qualified name of the table in SQL.
  private var table: String { "temp.\("missing of \(mapped.root)".quotedName)" }

  /// Returns the SQL for the view's key of the source key `base` of `sourceRoot`; NULL if the source has the object.
  func key(_ base: String, of sourceRoot: String) -> String {
    "(SELECT m.\(MissingKeys.id) FROM \(table) AS m "
      + "WHERE m.\(MissingKeys.origin) = \(sourceRoot.sqlText) AND m.\(MissingKeys.base) = \(base))"
  }

  /// Returns the SQL for the source's key of the view's key `id`.
  func base(of id: String) -> String {
    "(SELECT m.\(MissingKeys.base) FROM \(table) AS m WHERE m.\(MissingKeys.id) = \(id))"
  }

  /// Returns a SELECT of the keys of empty objects between ?1 and ?2, with the source's keys and root entities.
  func stubs(_ stubs: MappedStubs) -> String {
    """
    SELECT -1, m.\(MissingKeys.base), m.\(MissingKeys.id), m.\(MissingKeys.origin)
    FROM \(stubs.table) AS s JOIN \(table) AS m ON m.\(MissingKeys.id) = s.\(MappedStubs.key)
    WHERE m.\(MissingKeys.origin) IS NOT NULL AND m.\(MissingKeys.id) BETWEEN ?1 AND ?2
    """
  }

  /// Creates the empty table.
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

  /// Fills the table from the links that `connection` sees at this moment; the keys of objects must be assigned
  /// already.
  func fill(_ schema: String, on connection: Connection) throws(DecantError) {
    guard let keys = tables.keys(of: mapped) else { return }
    try explaining("cannot assign keys to missing objects of \(mapped.root)") { () throws(SQLiteError) in
      // The other keys follow the highest key.
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

  /// Returns SELECTs of the source keys, as `base`, in links to objects of the root, by the root entity of the keys.
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
