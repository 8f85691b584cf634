internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// Constraints that may be violated while rows change from one state to the other, and that hold again in the end.
struct HeldConstraints {
  private let tables: ExistingTables
  /// The foreign keys that are not deferrable, and are made so for the time of the change.
  private let references: [ServerCatalog.Reference]
  /// The links that are written after all rows, because their foreign keys cannot be deferred, by table.
  let lateLinks: [String: LateLinks]
  /// The columns of links that are emptied in rows to be deleted, by table: the server would refuse to delete their
  /// targets first, whether or not the foreign key is deferred.
  let emptied: [String: Set<String>]
  /// The foreign keys that can be neither deferred nor written later, or whose links cannot be emptied before.
  let strict: [ServerCatalog.Reference]
  /// The foreign keys that are dropped for the time of the change.
  private let dropped: [ForeignKeyDefinition]
  /// The unique indexes in which changed rows exchange values.
  private let indexes: [(name: String, definition: IndexDefinition)]

  /// Finds the constraints that `changes` may violate, besides those that are `dropped`; `rows` has both states.
  init(
    _ tables: ExistingTables, _ changes: [TableChanges], _ rows: Connection,
    besides dropped: [ForeignKeyDefinition] = []
  ) throws(DecantError) {
    (self.tables, self.dropped) = (tables, dropped)
    let kept = tables.catalog.references.filter { !dropped.contains($0) }
    let canDefer = tables.server.abilities.has(.deferrable)
    var (references, strict): ([ServerCatalog.Reference], [ServerCatalog.Reference]) = ([], [])
    var lateLinks: [String: LateLinks] = [:]
    for reference in kept where !(canDefer && reference.isDeferrable) {
      guard try HeldConstraints.isViolated(reference, by: changes, rows, inOneStatement: canDefer) else { continue }
      if canDefer, tables.catalog.tables[reference.table]?.isOwned == true {
        references.append(reference)
      } else if let change = changes.first(where: { $0.table.name == reference.table }) {
        let isWhole = lateLinks[reference.table, default: LateLinks()].add(reference, of: change)
        if !isWhole { strict.append(reference) }
      }
    }
    (self.references, self.lateLinks) = (references, lateLinks)
    var emptied = lateLinks.mapValues(\.emptied)
    for reference in kept where reference.restrictsDeletion {
      guard let own = changes.firstIndex(where: { $0.table.name == reference.table && $0.removed > 0 }),
        let other = changes.firstIndex(where: { $0.table.name == reference.target && $0.removed > 0 }), own < other
      else { continue }
      var links = LateLinks()
      if links.add(reference, of: changes[own]) {
        emptied[reference.table, default: []].formUnion(links.emptied)
      } else {
        strict.append(reference)
      }
    }
    (self.strict, self.emptied) = (strict, emptied)
    var indexes: [(table: String, index: ServerCatalog.UniqueIndex)] = []
    for change in changes {
      for index in change.facts.uniqueIndexes where try change.exchanges(index.columns, on: rows) {
        indexes.append((change.table.name, index))
      }
    }
    if let other = indexes.first(where: { tables.catalog.tables[$0.table]?.isOwned != true }) {
      throw HeldConstraints.notOwned(other, tables)
    }
    if let other = indexes.first(where: { table, index in
      let isTarget = { (target: String?, columns: [String]) in target == table && Set(columns) == Set(index.columns) }
      return tables.catalog.references.contains { isTarget($0.target, $0.targetColumns) }
        || tables.catalog.actingReferences.contains { isTarget($0.target, $0.targetColumns) }
    }) {
      throw DecantError(
        .unsupportedContent,
        "rows of \(other.table) exchange values of the unique index \(other.index.name), to which foreign keys refer",
        place: "\(tables.server.place)",
        remedy: "nothing was changed: exchange the values on the server, or leave the rows out with \(option: .where)"
      )
    }
    self.indexes = try indexes.map { _, index throws(DecantError) in
      (index.name, try IndexDefinition(index, tables.server, tables.connection))
    }
  }

  private static func notOwned(
    _ other: (table: String, index: ServerCatalog.UniqueIndex),
    _ tables: ExistingTables
  ) -> DecantError {
    DecantError(
      .accessDenied,
      "rows of \(other.table) exchange values of the unique index \(other.index.name), for which the role has to own the "
        + "table",
      place: tables.server.place,
      remedy: "use the role of the owner; nothing was changed",
      remedies: []
    )
  }

  /// Whether a foreign key that is checked after each statement may be violated after one of them.
  ///
  /// Links are changed first, then rows are deleted, in the reverse order of `changes`, then values are changed, and
  /// then rows are added, in that order. Rows of one table refer to each other only in the same statement; if not
  /// `inOneStatement`, the server may divide it.
  private static func isViolated(
    _ reference: ServerCatalog.Reference,
    by changes: [TableChanges],
    _ rows: Connection,
    inOneStatement: Bool
  ) throws(DecantError) -> Bool {
    guard let own = changes.firstIndex(where: { $0.table.name == reference.table }),
      let other = changes.firstIndex(where: { $0.table.name == reference.target }), !changes[own].isEmpty
    else { return false }
    let (holder, target) = (changes[own], changes[other])
    if own == other, holder.added > 0, !inOneStatement { return true }
    if own < other, target.added > 0 && holder.added > 0 || target.removed > 0 && holder.removed > 0 { return true }
    guard holder.changed > 0 else { return false }
    let hasFixedTarget =
      !target.followsRows && reference.targetColumns.allSatisfy { name in target.key.contains { $0.name == name } }
    if target.changed > 0, !hasFixedTarget { return true }
    guard target.added > 0 else { return false }
    return try holder.changes(reference.columns, on: rows)
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
    let lock = TableLock(tables.server, tables.connection, [])
    for key in dropped { try lock.take(by: key.drop, "cannot drop the foreign keys of \(key.reference.table)") }
    for reference in references {
      try lock.take(
        by: alter(reference, "DEFERRABLE INITIALLY IMMEDIATE"), "cannot defer the foreign key \(reference.name)")
    }
    for (name, index) in indexes {
      try lock.take(by: index.drop, "cannot drop the index \(name) for the time of the change")
    }
    guard tables.server.abilities.has(.deferrable) else { return }
    try run("SET CONSTRAINTS ALL DEFERRED", "cannot defer the foreign keys")
  }

  /// Checks the foreign keys, and runs deferred triggers; from then on nothing is deferred.
  func check() throws(DecantError) {
    guard tables.server.abilities.has(.deferrable) else { return }
    try run("SET CONSTRAINTS ALL IMMEDIATE", "cannot check the foreign keys")
  }

  /// Checks the foreign keys, and restores everything.
  func restore() throws(DecantError) {
    try check()
    for reference in references {
      try run(alter(reference, "NOT DEFERRABLE"), "cannot restore the foreign key \(reference.name)")
    }
    for (name, index) in indexes {
      for sql in index.create { try run(sql, "cannot make the index \(name) again") }
    }
    for key in dropped {
      for sql in key.create { try run(sql, "cannot create the foreign key \(key.reference.name) again") }
    }
  }
}
