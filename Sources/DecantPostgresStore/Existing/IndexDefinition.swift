internal import DecantBase
internal import DecantPostgres

/// The statements that drop an index or its constraint, and create it again with everything that depends on it.
struct IndexDefinition {
  let drop: String
  let create: [String]

  /// Reads the definition of `index`, whose table the role owns, and those of its parts in the partitions of the table.
  init(_ index: ServerCatalog.UniqueIndex, _ server: Server, _ connection: PostgresConnection) throws(DecantError) {
    let rows = try server.explaining("cannot read the definition of \(index.name)") { () throws(PostgresError) in
      try connection.rows(
        """
        WITH RECURSIVE part (oid, depth) AS (
          SELECT $1::pg_catalog.oid, 0
          UNION ALL SELECT h.inhrelid, p.depth + 1 FROM part AS p JOIN pg_catalog.pg_inherits AS h ON h.inhparent = p.oid
        )
        SELECT pg_catalog.pg_get_constraintdef(k.oid), pg_catalog.pg_get_indexdef(x.oid),
          pg_catalog.array_to_string(x.reloptions, ', '),
          (SELECT s.spcname FROM pg_catalog.pg_tablespace AS s WHERE s.oid = x.reltablespace),
          i.indisreplident, i.indisclustered, pg_catalog.obj_description(x.oid, 'pg_class'),
          pg_catalog.obj_description(k.oid, 'pg_constraint'), x.relkind, n.nspname, c.relname, x.relname
        FROM part AS p JOIN pg_catalog.pg_class AS x ON x.oid = p.oid
        JOIN pg_catalog.pg_index AS i ON i.indexrelid = x.oid
        JOIN pg_catalog.pg_class AS c ON c.oid = i.indrelid JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        LEFT JOIN pg_catalog.pg_constraint AS k ON k.conindid = x.oid AND k.contype IN ('p', 'u')
        ORDER BY p.depth DESC, p.oid
        """,
        [index.number]
      )
    }
    guard let whole = rows.last else {
      throw DecantError(
        .storeChanged, "the index \(index.name) was dropped meanwhile", place: "\(server.place)", remedy: .again)
    }
    drop = IndexDefinition.drop(whole)
    // An index that a partition already has becomes part of that of the whole table.
    create = rows.flatMap(IndexDefinition.create)
  }

  /// The names that statements use for the index in `row`, for its table, and for it in its schema.
  private static func names(_ row: [String?]) -> (own: String, table: String, qualified: String) {
    let (schema, own) = (ServerNames.quoted(row[9] ?? ""), ServerNames.quoted(row[11] ?? ""))
    return (own, "\(schema).\(ServerNames.quoted(row[10] ?? ""))", "\(schema).\(own)")
  }

  private static func drop(_ row: [String?]) -> String {
    let (own, table, qualified) = names(row)
    return row[0] == nil ? "DROP INDEX \(qualified)" : "ALTER TABLE \(table) DROP CONSTRAINT \(own)"
  }

  private static func create(_ row: [String?]) -> [String] {
    let (own, table, qualified) = names(row)
    let alter = "ALTER TABLE \(table)"
    var create: [String] = []
    if let constraint = row[0] {
      create.append("\(alter) ADD CONSTRAINT \(own) \(constraint)")
      // The definition of a constraint lacks the parameters of its index.
      if let parameters = row[2] { create.append("ALTER INDEX \(qualified) SET (\(parameters))") }
    } else {
      // That of a partitioned table would be created without those of its partitions.
      let definition = row[1] ?? ""
      create.append(row[8] == "I" ? definition.replacing(" ON ONLY ", with: " ON ", maxReplacements: 1) : definition)
    }
    if let tablespace = row[3] {
      create.append("ALTER INDEX \(qualified) SET TABLESPACE \(ServerNames.quoted(tablespace))")
    }
    if row[4] == "t" { create.append("\(alter) REPLICA IDENTITY USING INDEX \(own)") }
    if row[5] == "t" { create.append("\(alter) CLUSTER ON \(own)") }
    if let comment = row[6] {
      create.append("COMMENT ON INDEX \(qualified) IS \(ServerNames.quoted(literal: comment))")
    }
    if let comment = row[7] {
      create.append("COMMENT ON CONSTRAINT \(own) ON \(table) IS \(ServerNames.quoted(literal: comment))")
    }
    return create
  }
}
