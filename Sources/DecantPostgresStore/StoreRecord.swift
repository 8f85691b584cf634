internal import DecantArchive
internal import DecantBase
internal import DecantJSON
internal import DecantPlain
internal import DecantPostgres
internal import DecantServerSchema
internal import DecantStore

/// The row of `decant.store` that describes a store in the database, so that the store can be restored.
struct StoreRecord {
  /// The kind of the store that was copied: `coredata`, or another one with a model.
  var kind: String
  var uuid: String?
  var model: Model
  /// The form of the tables for objects.
  var form: ServerForm
  /// The store without its objects; `nil` for a kind that needs none.
  var template: [UInt8]?

  /// The schema of decant's own tables.
  static let place = "decant"

  private static let columns = """
    schema text PRIMARY KEY, kind text NOT NULL, uuid text, model jsonb NOT NULL, names jsonb NOT NULL,
    metadata bytea, source text NOT NULL, at timestamptz NOT NULL DEFAULT pg_catalog.now(), state text
    """
  // `state` is NULL for a complete store, or the schema with the record of the run that fills the visible tables; a table
  // of an earlier version gets the column when it is needed.

  /// The tables of a store whose layout is not determined by its model; `nil` for tables of objects.
  var tables: ServerSchema?

  /// The layout of the objects.
  var objects: ObjectsLayout { ObjectsLayout(model, form.objects) }
  /// The form of the tables while objects are changed: they hold their owners, as in a Core Data store.
  var changedForm: ObjectsForm {
    var form = form.objects
    form.holdsOwners = true
    return form
  }
  /// The layout of the objects while they are changed.
  var changedObjects: ObjectsLayout { ObjectsLayout(model, changedForm) }
  /// The tables in the database.
  var schema: ServerSchema { tables ?? ServerSchema(objects, form) }

  /// Reads the record of `server.schema`; `nil` if there is none.
  ///
  /// The record of a store that is not complete is refused, or not taken for one if `ignoringIncomplete`.
  static func find(_ server: Server, _ connection: PostgresConnection, ignoringIncomplete: Bool = false)
    throws(DecantError) -> StoreRecord?
  {
    let context = "cannot read decant.store"
    let rights = try server.explaining(context) { () throws(PostgresError) in
      try connection.rows(
        """
        SELECT pg_catalog.has_schema_privilege(n.oid, 'USAGE'), pg_catalog.has_table_privilege(c.oid, 'SELECT'),
          EXISTS (SELECT 1 FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = c.oid AND a.attname = 'state')
        FROM pg_catalog.pg_namespace AS n JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid
        WHERE n.nspname = 'decant' AND c.relname = 'store'
        """
      )
    }
    guard let found = rights.first else { return nil }
    let role = ServerNames.quoted(connection.user)
    try ServerRights(server, connection).refuse(
      "read decant.store, which describes the stores in this database",
      without: found.prefix(2) == ["t", "t"]
        ? [] : ["GRANT USAGE ON SCHEMA decant TO \(role)", "GRANT SELECT ON decant.store TO \(role)"])
    let rows = try server.explaining(context) { () throws(PostgresError) in
      try connection.rows(
        """
        SELECT kind, uuid, model, names - 'tables', pg_catalog.encode(metadata, 'hex'),
          \(found[2] == "t" ? "state" : "NULL") FROM decant.store
        WHERE schema = $1
        """,
        [server.schema]
      )
    }
    guard let row = rows.first, let kind = row[0], let model = row[2], let recorded = row[3] else {
      return nil
    }
    let record: StoreRecord
    do throws(DecantError) {
      let names = try ArchiveModel.tree(in: recorded, place: server.place)
      guard let form = ServerForm(names) else { throw DecantError(.damaged, "its names cannot be read") }
      let tables = names["plain"].map { ServerSchema($0) }
      if case .some(.none) = tables { throw DecantError(.damaged, "its names cannot be read") }
      record = StoreRecord(
        kind: kind,
        uuid: row[1],
        model: try ArchiveModel.model(in: model, place: server.place),
        form: form,
        template: row[4].map { [UInt8](hexadecimal: $0) },
        tables: tables ?? nil
      )
    } catch {
      throw damage(server, error.message, error)
    }
    if record.tables == nil {
      // The tables follow from the model, and are recorded as well.
      let isSame = try server.explaining(context) { () throws(PostgresError) in
        try connection.text(
          "SELECT names -> 'tables' = $2::jsonb -> 'tables' FROM decant.store WHERE schema = $1",
          [server.schema, record.layoutText])
      }
      if isSame != "t" { throw damage(server, "its model is not that of its tables") }
    }
    let tables = (record.tables ?? record.schema).tables.map(\.name)
    let first = try server.explaining(context) { () throws(PostgresError) in
      try connection.text(
        """
        SELECT c.relname FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relname = ANY ($2::pg_catalog.name[]) LIMIT 1
        """, [server.schema, ServerNames.array(tables)])
    }
    guard tables.isEmpty || first != nil else { return nil }
    guard row[5] != nil else { return record }
    guard ignoringIncomplete else { throw building(server) }
    return nil
  }

  /// The error that the row of `server.schema` cannot be used.
  static func damage(_ server: Server, _ what: String, _ cause: (any Error)? = nil) -> DecantError {
    DecantError(
      .damaged,
      "the row of \(server.schema) in decant.store is damaged: \(what)",
      place: server.place,
      remedy: "restore that row from a backup of the database; or \(forgetting(server))",
      remedies: [],
      cause: cause
    )
  }

  /// The error that the tables of `server.schema` are not complete.
  private static func building(_ server: Server) -> DecantError {
    DecantError(
      .storeLocked,
      "the store in the schema \(server.schema) is not complete: a copy is filling it, or was interrupted",
      place: "\(server.place)",
      remedy: "wait for the copy; if it no longer runs, \(.again), which starts it over",
      remedies: []
    )
  }

  /// Whether the run in the schema `place` is filling the tables of `server.schema`.
  static func isBuilding(_ server: Server, in place: String, on connection: PostgresConnection) throws(PostgresError)
    -> Bool
  {
    guard try hasState(connection) else { return false }
    return try connection.text(
      "SELECT 1 FROM decant.store WHERE schema = $1 AND state = $2", [server.schema, place]) != nil
  }

  /// Removes the record of the run in the schema `place`, if the role may: without its tables it means nothing.
  static func forget(_ server: Server, in place: String, on connection: PostgresConnection) throws(PostgresError) {
    do throws(PostgresError) {
      try connection.run("DELETE FROM decant.store WHERE schema = $1 AND state = $2", [server.schema, place])
    } catch {
      guard error.isPermission else { throw error }
    }
  }

  private static func hasState(_ connection: PostgresConnection) throws(PostgresError) -> Bool {
    try connection.text(
      """
      SELECT 1 FROM pg_catalog.pg_attribute
      WHERE attrelid = pg_catalog.to_regclass('decant.store') AND attname = 'state'
      """) != nil
  }

  /// How to have the tables read without the record.
  static func forgetting(_ server: Server) -> String {
    "have the tables read as those of any database, without the model and the types of the store: "
      + "DELETE FROM decant.store WHERE schema = \(ServerNames.quoted(literal: server.schema))"
  }

  /// Writes the record, in the transaction that publishes the tables, or before visible ones are made by the run in the
  /// schema `place`.
  func write(_ server: Server, source: String, building place: String? = nil, on connection: PostgresConnection)
    throws(PostgresError)
  {
    // If it already exists, the role need not have the right to create it.
    if try connection.text("SELECT pg_catalog.to_regclass('decant.store')") == nil {
      try connection.run("CREATE SCHEMA IF NOT EXISTS decant")
      try connection.run("CREATE TABLE IF NOT EXISTS decant.store (\(StoreRecord.columns))")
    }
    var hasState = try StoreRecord.hasState(connection)
    if place != nil, !hasState {
      try connection.run("ALTER TABLE decant.store ADD COLUMN IF NOT EXISTS state text")
      hasState = true
    }
    try connection.run(
      """
      INSERT INTO decant.store (schema, kind, uuid, model, names, metadata, source\(hasState ? ", state" : ""))
      VALUES ($1, $2, $3, $4::jsonb, $5::jsonb, pg_catalog.decode($6, 'hex'), $7\(hasState ? ", $8" : ""))
      ON CONFLICT (schema) DO UPDATE SET kind = excluded.kind, uuid = excluded.uuid, model = excluded.model,
        names = excluded.names, metadata = excluded.metadata, source = excluded.source, at = excluded.at
        \(hasState ? ", state = excluded.state" : "")
      """,
      [
        server.schema, kind, uuid, ArchiveModel.text(of: model), layoutText,
        template?.hexadecimal, source,
      ] + (hasState ? [place] : [])
    )
  }

  /// The names and types of the tables, as a text that is equal for equal tables.
  var layoutText: String { JSONValue.object(names).text }

  /// The assignment of properties to columns.
  private var names: [(String, JSONValue)] {
    if let tables { return [("plain", tables.json)] }
    let layout = objects.layout
    var tables: [(String, JSONValue)] = []
    for relation in layout.relations {
      let columns = relation.columns.compactMap { column -> (String, JSONValue)? in
        switch column.columnRole {
        case .attribute(let property), .target(let property):
          ("\(property.entity).\(property.name)", .string(column.name))
        default: nil
        }
      }
      tables.append((relation.table, .object([("entity", .string(relation.root)), ("columns", .object(columns))])))
    }
    for links in layout.linkRelations {
      tables.append((links.table, .object([("relationship", .string(links.relationship.description))])))
    }
    return form.members + [("tables", .object(tables))]
  }
}

extension [UInt8] {
  /// The bytes in the server's notation.
  fileprivate var hexadecimal: String {
    String(unsafeUninitializedCapacity: 2 * count) { text in
      func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 87 + value }
      for (position, byte) in enumerated() {
        text[2 * position] = digit(byte >> 4)
        text[2 * position + 1] = digit(byte & 15)
      }
      return 2 * count
    }
  }

  /// Reads bytes from hexadecimal digits in the server's notation.
  fileprivate init(hexadecimal text: String) {
    self.init()
    reserveCapacity(text.utf8.count / 2)
    var high: UInt8?
    for digit in text.utf8 {
      let value = digit < 58 ? digit &- 48 : digit &- 87
      if let first = high {
        append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
  }
}
