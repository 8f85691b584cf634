internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// The links of a table that are written after all rows, where the server checks foreign keys at once.
struct LateLinks {
  /// A foreign key, or several with common columns, which are written together.
  struct Link {
    var columns: Set<String>
    var references: [ServerCatalog.Reference]
  }

  private(set) var links: [Link] = []
  /// The columns that are empty in new rows until then.
  private(set) var emptied: Set<String> = []
  /// The columns that keep their values in existing rows until then.
  private(set) var kept: Set<String> = []
  private var free: Set<String> = []

  /// The columns that are empty in existing rows until then.
  var emptiedInExisting: Set<String> { free.subtracting(kept) }
  /// The columns of existing rows that are written after all rows.
  var lateInExisting: Set<String> { free.union(kept) }

  /// Adds a foreign key; returns whether new rows can be written without it.
  ///
  /// Columns that cannot be empty keep their values in existing rows; with `keepingAll`, the others do as well. Without
  /// `inNew`, only existing rows are concerned.
  mutating func add(
    _ reference: ServerCatalog.Reference, of change: TableChanges, inNew: Bool = true, keepingAll: Bool = false
  ) -> Bool {
    // Rows are found again by their key.
    guard !change.key.isEmpty else { return false }
    let columns = Set(reference.columns.filter { name in !change.key.contains { $0.name == name } })
    let free = columns.filter { change.facts.columns[$0]?.isRequired == false }
    self.free.formUnion(free)
    if inNew { emptied.formUnion(free) }
    if free.isEmpty || keepingAll { kept.formUnion(columns) }
    var link = Link(columns: columns, references: [reference])
    for other in links where !other.columns.isDisjoint(with: columns) {
      link.columns.formUnion(other.columns)
      link.references += other.references.filter { $0.name != reference.name }
    }
    links.removeAll { !$0.columns.isDisjoint(with: columns) }
    links.append(link)
    return !free.isEmpty
  }
}

/// Writing links after all rows.
extension ServerChange {
  /// Returns the table of a change as its new rows are sent at first.
  func firstForm(of change: TableChanges) -> ServerSchema.Table {
    var table = change.table
    for index in table.columns.indices where lateLinks[table.name]?.emptied.contains(table.columns[index].name) == true
    {
      table.columns[index].sending = "NULL"
    }
    return table
  }

  /// Empties the links in `columns` of rows that are deleted, as they may lead to one another.
  func emptyLinks(_ columns: Set<String>, ofRemoved change: TableChanges) throws(DecantError) {
    guard !columns.isEmpty, change.removed > 0 else { return }
    let values = columns.sorted().map { "\(ServerNames.quoted($0)) = NULL" }
    try update(
      change,
      "UPDATE \(target(change)) AS t SET \(values.joined(separator: ", ")) FROM \(removedRows(of: change)) AS u "
        + "WHERE \(isSame(change))",
      "cannot change rows of \(change.table.name)")
  }

  /// Writes the links of a table that were left out.
  func writeLateLinks(_ change: TableChanges) throws(DecantError) {
    guard let late = lateLinks[change.table.name] else { return }
    if change.changed > 0 {
      try update(change, .lateLinks)
      try run("DROP TABLE \(changedRows(of: change))", "cannot drop a temporary table")
    }
    let columns = change.table.columns.filter { late.emptied.contains($0.name) }
    guard change.added > 0, !columns.isEmpty else { return }
    let isLinked = columns.map { "r.\($0.own.sqlName) IS NOT NULL" }.joined(separator: " OR ")
    let name = temporaryName("late", change)
    let count = try send(change, change.key + columns, to: name, where: "(\(isLinked)) AND \(change.isAdded)")
    let rows = ServerStatements(place: "pg_temp").qualified(name)
    let values = columns.map { "\(ServerNames.quoted($0.name)) = \(value($0, change))" }.joined(separator: ", ")
    let done = try update(
      change,
      "UPDATE \(target(change)) AS t SET \(values) FROM \(rows) AS u WHERE \(isSame(change))",
      "cannot add links to rows of \(change.table.name)")
    try check(done, count, change, "changed")
    try run("DROP TABLE \(rows)", "cannot drop a temporary table")
  }

  /// Returns the error for a link that the server refuses although its target is written later.
  func strictLinks(_ strict: [ServerCatalog.Reference], _ error: DecantError) -> DecantError {
    guard !strict.isEmpty, refused.isEmpty, (error.cause as? PostgresError)?.isOfLink == true else { return error }
    let names = strict.map { "\($0.table).\($0.columns.joined(separator: ", "))" }
    return DecantError(
      .unsupportedContent,
      "rows refer to others that are written later or deleted earlier, in a circle of links that cannot be empty "
        + "(\(ServerNames.list(names))), and their foreign keys cannot be deferred: \(error.message)",
      place: "\(server.place)",
      remedy:
        "nothing was changed: allow NULL in one of these columns, or make a foreign key deferrable, without ON DELETE RESTRICT, "
        + "if the server can",
      remedies: [],
      cause: error.cause
    )
  }
}
