internal import DecantBase
internal import DecantPlain
internal import DecantPlan
internal import DecantPostgres
internal import DecantServerSchema
internal import DecantStore

/// The check that new rows get keys: those of the sequences must be beyond all others.
struct SequenceCheck {
  private let server: Server
  private let connection: PostgresConnection

  init(_ server: Server, _ connection: PostgresConnection) { (self.server, self.connection) = (server, connection) }

  /// Returns the keys of tables for which new rows get a number that is taken, or none.
  ///
  /// A key without a sequence is a problem only in the tables of a `record`, which had one: in others the app may assign
  /// the keys. Values that are computed from a sequence, and sequences that the role may not read, are not checked.
  func problems(of tables: [ServerSchema.Table], _ record: StoreRecord?, _ catalog: ServerCatalog)
    throws(DecantError) -> [StoreProblem]
  {
    var problems: [StoreProblem] = []
    var checks: [(entity: String, column: String, sequence: ServerCatalog.Sequence, sql: String)] = []
    let isPlain = record.map { $0.tables != nil } ?? true
    let relations = isPlain ? [] : record?.objects.layout.relations ?? []
    for table in tables {
      let entity = relations.first { $0.table == table.name }?.root ?? table.own
      guard let found = catalog.tables[table.name], let key = found.key.first ?? table.key.first,
        let column = found.columns[key]
      else { continue }
      let name = "\(table.name).\(key)"
      guard let sequence = column.sequence else {
        // For a plain database only the columns are recorded: a key of one bigint was made an identity.
        let isIdentity = !isPlain ? table.isIdentity : found.key == [key] && column.type == "bigint"
        guard record != nil, isIdentity, !column.hasDefault, !column.isGenerated else { continue }
        problems.append(StoreProblem(.lowCounter, subject: entity, text: "\(name): nothing gives new rows a key"))
        continue
      }
      // Without an index all rows would be read.
      guard column.isCounted, sequence.increment > 0, found.key.first == key else { continue }
      let place = ServerStatements(place: server.schema).qualified(table.name)
      checks.append(
        (
          entity, name, sequence,
          """
          SELECT CASE WHEN is_called THEN last_value + \(sequence.increment)::pg_catalog.numeric ELSE last_value END
            <= (SELECT pg_catalog.max(\(ServerNames.quoted(key))) FROM \(place)) FROM \(sequence.name)
          """
        ))
    }
    for check in checks {
      let isLow = try server.explaining("cannot read the sequence of \(check.column)") { () throws(PostgresError) in
        let mayRead = """
          SELECT pg_catalog.has_sequence_privilege(oid, 'SELECT') AND pg_catalog.has_schema_privilege(relnamespace, 'USAGE')
          FROM pg_catalog.pg_class WHERE oid = $1::pg_catalog.oid
          """
        guard try connection.text(mayRead, [check.sequence.number]) == "t" else { return false }
        return try connection.text(check.sql) == "t"
      }
      guard isLow else { continue }
      problems.append(
        StoreProblem(
          .lowCounter,
          subject: check.entity,
          text: "\(check.column): its sequence is not beyond the highest key, so that new rows get keys that are taken"
        ))
    }
    return problems
  }
}
