internal import DecantBase
internal import DecantPostgres

/// The statements that drop an index or its constraint, and create it again with everything that depends on it.
struct IndexDefinition {
  let drop: String
  let create: [String]

  /// Reads the definition of `index` of the table called `name`, which the role owns.
  init(_ index: ServerCatalog.UniqueIndex, of name: String, _ server: Server, _ connection: PostgresConnection)
    throws(DecantError)
  {
    let row = try server.explaining("cannot read the definition of \(index.name)") { () throws(PostgresError) in
      try connection.rows(
        """
        SELECT pg_catalog.pg_get_constraintdef(k.oid), pg_catalog.pg_get_indexdef(x.oid),
          pg_catalog.array_to_string(x.reloptions, ', '),
          (SELECT s.spcname FROM pg_catalog.pg_tablespace AS s WHERE s.oid = x.reltablespace),
          i.indisreplident, i.indisclustered, pg_catalog.obj_description(x.oid, 'pg_class'),
          pg_catalog.obj_description(k.oid, 'pg_constraint'), x.relkind
        FROM pg_catalog.pg_class AS x JOIN pg_catalog.pg_index AS i ON i.indexrelid = x.oid
        LEFT JOIN pg_catalog.pg_constraint AS k ON k.conindid = x.oid AND k.contype IN ('p', 'u')
        WHERE x.oid = $1::pg_catalog.oid
        """,
        [index.number]
      ).first
    }
    guard let row else {
      throw DecantError(
        .storeChanged, "the index \(index.name) was dropped meanwhile", place: "\(server.place)", remedy: .again)
    }
    let table = "\(ServerNames.quoted(server.schema)).\(ServerNames.quoted(name))"
    let alter = "ALTER TABLE \(table)"
    let own = ServerNames.quoted(index.name)
    let qualified = "\(ServerNames.quoted(server.schema)).\(own)"
    var create: [String] = []
    if let constraint = row[0] {
      drop = "\(alter) DROP CONSTRAINT \(own)"
      create.append("\(alter) ADD CONSTRAINT \(own) \(constraint)")
      // The definition of a constraint lacks the parameters of its index.
      if let parameters = row[2] { create.append("ALTER INDEX \(qualified) SET (\(parameters))") }
    } else {
      drop = "DROP INDEX \(qualified)"
      // That of a partitioned table would be created without those of its partitions.
      let definition = row[1] ?? ""
      create.append(
        row[8] == "I" ? definition.replacing(" ON ONLY ", with: " ON ", maxReplacements: 1) : definition)
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
    self.create = create
  }
}
