internal import DecantBase
internal import DecantPostgres
internal import DecantServerSchema

/// Comparing the recorded tables with those on the server, which an app may have changed since.
extension StoreRecord {
  /// Compares the recorded tables with the existing ones; returns notes about additions, which are not read.
  ///
  /// - Throws: `DecantError` if a table or a column is missing, or has a type whose values would be changed by reading.
  func check(_ catalog: ServerCatalog, _ server: Server) throws(DecantError) -> [ReportNote] {
    var added: [String] = []
    for table in schema.tables {
      guard let found = catalog.tables[table.name] else {
        throw other("\(table.name) no longer exists", server)
      }
      for column in table.columns {
        guard let type = found.columns[column.name]?.base else {
          throw other("\(table.name).\(column.name) no longer exists", server)
        }
        guard !column.type.reads(type) else { continue }
        throw other("\(table.name).\(column.name) is \(type), and was made as \(column.type.rawValue)", server)
      }
      let known = Set(table.columns.map(\.name))
      added += found.columns.keys.filter { !known.contains($0) }.sorted().map { "\(table.name).\($0)" }
    }
    let known = Set(schema.tables.map(\.name))
    let tables = catalog.tables.keys.filter { !known.contains($0) }.sorted()
    guard !added.isEmpty || !tables.isEmpty else { return [] }
    let parts = [
      tables.isEmpty ? nil : "the tables \(tables.joined(separator: ", "))",
      added.isEmpty ? nil : "the columns \(added.joined(separator: ", "))",
    ].compactMap(\.self)
    return [
      ReportNote(
        .tableNotRead,
        "not read, because they were added since the store was copied: \(parts.joined(separator: "; "))")
    ]
  }

  /// Returns a note if `decant.store` describes these tables under the name of a schema that no longer exists.
  static func noteOfOtherSchema(_ server: Server, _ connection: PostgresConnection) throws(DecantError) -> [ReportNote]
  {
    let found = try server.explaining("cannot read decant.store") { () throws(PostgresError) -> String? in
      guard try connection.text("SELECT pg_catalog.to_regclass('decant.store')") != nil else { return nil }
      return try connection.text(
        """
        WITH own AS (
          SELECT c.relname::text AS name FROM pg_catalog.pg_class AS c
          JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', 'p')
        ), other AS (
          SELECT schema, CASE WHEN names ? 'plain'
            THEN ARRAY(SELECT t ->> 'table' FROM pg_catalog.jsonb_array_elements(names -> 'plain') AS t)
            ELSE ARRAY(SELECT pg_catalog.jsonb_object_keys(names -> 'tables')) END AS tables
          FROM decant.store WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = schema)
        )
        SELECT min(schema) FROM other
        WHERE tables <> '{}' AND tables <@ ARRAY(SELECT name FROM own) HAVING count(*) = 1
        """, [server.schema])
    }
    guard let found else { return [] }
    return [
      ReportNote(
        .notInModel,
        "read as the tables of any database, although decant.store describes them in the schema \(found), which does not exist",
        remedy: "if that schema was renamed, this makes them the store again: UPDATE decant.store SET schema = "
          + "\(ServerNames.quoted(literal: server.schema)) WHERE schema = \(ServerNames.quoted(literal: found))")
    ]
  }

  private func other(_ what: String, _ server: Server) -> DecantError {
    DecantError(
      .modelsDiffer,
      "the tables are not those to which the store was copied: \(what)",
      place: server.place,
      remedy: "change it back; or \(StoreRecord.forgetting(server))",
      remedies: []
    )
  }
}

extension ServerType {
  /// Whether the values of a column with the server's type `name`, without its limits, are the same in this type.
  fileprivate func reads(_ name: String) -> Bool {
    switch self {
    // Every value can be a text, but bytes would become a different one.
    case .text: name != "bytea"
    case .smallint, .integer, .bigint: ["smallint", "integer", "bigint"].contains(name)
    case .double: ["real", "double precision"].contains(name)
    case .timestamp: name == "timestamp with time zone"
    case .boolean, .numeric, .uuid, .bytea: name == rawValue
    }
  }
}
