internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantStore

/// Constraints that may be violated while rows change from one state to the other, and that hold again in the end.
struct HeldConstraints {
  private let tables: ExistingTables
  /// The foreign keys that are not deferrable, of tables that the role owns.
  private let references: [ServerCatalog.Reference]
  /// The unique indexes in which changed rows exchange values, by table.
  private let indexes: [(table: String, index: ServerCatalog.UniqueIndex)]

  /// Finds the constraints that `changes` may violate; `rows` has both states.
  init(_ tables: ExistingTables, _ changes: [TableChanges], _ rows: Connection) throws(DecantError) {
    self.tables = tables
    let written = Set(changes.filter { !$0.isEmpty }.map(\.table.name))
    references = tables.catalog.references.filter { reference in
      !reference.isDeferrable && tables.catalog.tables[reference.table]?.isOwned == true
        && (written.contains(reference.table) || reference.target.map(written.contains) == true)
    }
    var indexes: [(table: String, index: ServerCatalog.UniqueIndex)] = []
    for change in changes {
      for index in change.facts.uniqueIndexes where try change.exchanges(index.columns, on: rows) {
        indexes.append((change.table.name, index))
      }
    }
    self.indexes = indexes
    guard let other = indexes.first(where: { tables.catalog.tables[$0.table]?.isOwned != true }) else { return }
    throw DecantError(
      .accessDenied,
      "rows of \(other.table) exchange values of the unique index \(other.index.name), for which the role has to own the "
        + "table",
      place: tables.server.place,
      remedy: "use the role of the owner; nothing was changed",
      remedies: []
    )
  }

  private func run(_ sql: String, _ context: String) throws(DecantError) {
    try tables.server.explaining(context) { () throws(PostgresError) in _ = try tables.connection.run(sql) }
  }

  private func alter(_ reference: ServerCatalog.Reference, _ state: String) -> String {
    "ALTER TABLE \(ServerNames.quoted(tables.server.schema)).\(ServerNames.quoted(reference.table)) "
      + "ALTER CONSTRAINT \(ServerNames.quoted(reference.name)) \(state)"
  }

  /// Defers the checks of foreign keys to the end, and drops the indexes, before any row is written.
  func release() throws(DecantError) {
    for reference in references {
      try run(alter(reference, "DEFERRABLE INITIALLY IMMEDIATE"), "cannot defer the foreign key \(reference.name)")
    }
    for (_, index) in indexes { try run(index.drop, "cannot make the index \(index.name) again") }
    try run("SET CONSTRAINTS ALL DEFERRED", "cannot defer the foreign keys")
  }

  /// Checks the foreign keys, and restores everything.
  func restore() throws(DecantError) {
    try run("SET CONSTRAINTS ALL IMMEDIATE", "cannot check the foreign keys")
    for reference in references {
      try run(alter(reference, "NOT DEFERRABLE"), "cannot restore the foreign key \(reference.name)")
    }
    for (_, index) in indexes { try run(index.create, "cannot make the index \(index.name) again") }
  }
}
