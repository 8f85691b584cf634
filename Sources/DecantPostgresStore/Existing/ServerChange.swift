internal import DecantBase
internal import DecantPlain
internal import DecantPlan
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// Changes tables on a server to match the rows of the temporary database, in the transaction that has locked them.
final class ServerChange {
  let tables: ExistingTables
  private let stop: ProgressCheck?
  /// The connection with the temporary database as `main`, and its original state as `before`.
  let rows: Connection
  let statements: ServerStatements
  /// Returns the name of the object or link in a table, by its key in the source; `nil` for others.
  let sourceName: (String, [String: Int64]) throws(DecantError) -> String?
  /// The tables whose rows are links, in the form in which SQLite compares names: a row is no object that could be left out.
  var linkTables: Set<String> = []
  /// The changes of all tables, in an order in which references lead to earlier tables.
  private(set) var changes: [TableChanges]
  var notes: [ReportNote] = []
  /// Whether the transaction was committed, or is being committed.
  private(set) var mayBeDone = false
  /// The rows that the server refuses, if they are to be left out, and the names of those that it refused before.
  var refused: [RefusedRow] = []
  var refusedBefore: Set<String> = []
  /// Whether refused rows are searched for, so that they can be left out; otherwise the first one ends the change.
  var leavesOut = false
  /// The server's error if it refuses a row only when it checks deferred constraints; then each row is checked at once.
  private(set) var lateCause: PostgresError?
  /// Whether the foreign keys of the tables that get rows are dropped while they are added.
  var defersConstraints = false
  /// Whether only deferred constraints are left to be checked.
  private var isAtEnd = false
  /// The links that are written after all rows, by table.
  var lateLinks: [String: LateLinks] = [:]
  /// What to do if it is not known whether the changes were committed.
  var remedyAfterCommit: DecantError.Text = .again
  /// Whether the server has the changes, uncommitted.
  private(set) var isWritten = false
  /// What the transaction had written before the changes, if the server counts it.
  private var written: WrittenRows?
  /// How many rows of each table the changes have updated; more than once if they were updated several times.
  private var updated: [String: Int64] = [:]

  var server: Server { tables.server }
  var connection: PostgresConnection { tables.connection }

  /// Prepares to compare the two states of the temporary database, which is the `main` schema of `rows` and stays locked.
  ///
  /// `given` contains the columns with values in `main`, by table; the server generates the others by their defaults, or
  /// with `isMade` by triggers of any table.
  /// `sourceName` returns the name of an object or a link, by the name of its table in `main` and the values of its key, by
  /// columns in the form in which SQLite compares names.
  init(
    _ tables: ExistingTables,
    _ rows: Connection,
    given: [String: Set<String>],
    isMade: Bool = false,
    _ stop: ProgressCheck?,
    sourceName: @escaping (String, [String: Int64]) throws(DecantError) -> String?
  ) throws(DecantError) {
    (self.tables, self.rows, self.stop, self.sourceName) = (tables, rows, stop, sourceName)
    statements = ServerStatements(place: tables.server.schema)
    try explaining("cannot read the temporary database") { () throws(SQLiteError) in
      try rows.attach(DatabaseFile.uri(of: tables.before, "mode=ro"), as: "before")
      try rows.takeCachesForOrder()
      rows.setProgressCheck(stop)
    }
    changes = try ServerChange.order(tables).map { table throws(DecantError) in
      // The columns of a store that decant copied have the defaults of their original store.
      let given = tables.record == nil || isMade ? given[table.own.foldedName] : nil
      let isTarget = tables.catalog.actingReferences.contains { $0.target == table.name }
      let isNumbered = try explaining("cannot read the temporary database") { () throws(SQLiteError) in
        try rows.integer(
          "SELECT NOT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?1 COLLATE NOCASE", .text(table.own))
          == 1
      }
      let links = tables.catalog.references.filter { $0.table == table.name }.flatMap(\.columns)
      return TableChanges(
        table, tables.catalog.tables[table.name] ?? .init(), given: given, isMade: isMade, links: Set(links),
        isTarget: isTarget,
        isNumbered: isNumbered)
    }
  }

  /// Returns the tables, each after those that it refers to; in a circle, references that can be empty are ignored.
  private static func order(_ tables: ExistingTables) -> [ServerSchema.Table] {
    let references = tables.catalog.references
    let all = order(tables.schema.tables, by: references)
    return order(all, by: references.filter(tables.catalog.isRequired))
  }

  private static func order(_ tables: [ServerSchema.Table], by references: [ServerCatalog.Reference])
    -> [ServerSchema.Table]
  {
    var order: [ServerSchema.Table] = []
    var seen: Set<String> = []
    var work = tables.reversed().map { (table: $0, isLeft: false) }
    while let (table, isLeft) = work.popLast() {
      if isLeft {
        order.append(table)
        continue
      }
      guard seen.insert(table.name).inserted else { continue }
      work.append((table, true))
      for reference in references where reference.table == table.name {
        guard let target = tables.first(where: { $0.name == reference.target }) else { continue }
        work.append((target, false))
      }
    }
    return order
  }

  /// Compares the two states.
  func compare() throws(DecantError) { for index in changes.indices { try changes[index].count(on: rows) } }

  /// Makes the changes; returns the rows that the server refuses, in which case it is unchanged.
  func writeAccepted() throws(DecantError) -> [RefusedRow] {
    (refused, leavesOut, lateCause) = ([], true, nil)
    try compare()
    try run("SAVEPOINT decant_change", "cannot begin the changes")
    do throws(DecantError) { try write() } catch {
      guard let cause = error.cause as? PostgresError, cause.isOfRow else { throw error }
      if refused.isEmpty {
        // What a deferred trigger demands may depend on rows that are written later.
        guard isAtEnd, cause.isOfEqualRows else { throw error }
        lateCause = cause
        try run("ROLLBACK TO SAVEPOINT decant_change", "cannot undo the changes")
        try search(of: error)
      }
      // Otherwise other rows may need those that were left out.
    }
    if !refused.isEmpty {
      refusedBefore.formUnion(refused.map(ServerChange.name))
      try run("ROLLBACK TO SAVEPOINT decant_change", "cannot undo the changes")
    }
    try run("RELEASE SAVEPOINT decant_change", "cannot end the changes")
    isWritten = refused.isEmpty
    return refused
  }

  /// Makes the changes once more, and checks each row at once, until refused ones are found; throws `error` if there are
  /// none.
  private func search(of error: DecantError) throws(DecantError) {
    do throws(DecantError) { try write() } catch let other {
      guard !refused.isEmpty, (other.cause as? PostgresError)?.isOfRow == true else { throw other }
    }
    guard !refused.isEmpty else { throw error }
  }

  /// Makes the compared changes.
  func write() throws(DecantError) {
    guard changes.contains(where: { !$0.isEmpty }) else { return }
    isAtEnd = false
    (written, updated) = (try WrittenRows(of: changes.map(\.table.name), server, connection), [:])
    try checkKeys()
    let dropped = defersConstraints ? try ForeignKeyDefinition.read(of: self) : []
    let constraints = try HeldConstraints(tables, changes, rows, besides: dropped)
    lateLinks = constraints.lateLinks
    do throws(DecantError) { try write(constraints) } catch { throw strictLinks(constraints.strict, error) }
  }

  private func write(_ constraints: HeldConstraints) throws(DecantError) {
    try constraints.release()
    guard try writeExisting(constraints, verifies: false) else { return }
    for change in changes where change.added > 0 {
      try insert(change)
      guard refused.isEmpty else { return }
      try advanceSequences(change)
    }
    for change in changes { try writeLateLinks(change) }
    for change in changes where change.added > 0 { try checkInheritedNumbers(change) }
    guard lateCause == nil else { return }
    isAtEnd = true
    try constraints.restore()
  }

  /// Changes and deletes rows, except for links that are written after all rows; returns whether the server accepts
  /// them, and, if `verifies`, has them as they were sent.
  func writeExisting(_ constraints: HeldConstraints, verifies: Bool) throws(DecantError) -> Bool {
    let removes = changes.contains { $0.removed > 0 }
    for change in changes where change.removed > 0 { try loadRemoved(change) }
    for change in changes where change.changed > 0 {
      try load(change)
      try checkPartitions(change)
    }
    for reference in tables.otherReferences { try check(reference) }
    // Links must lead away from a row before it is deleted, as the deletion would otherwise affect the linking rows.
    if removes || !lateLinks.isEmpty { for change in changes where change.changed > 0 { try update(change, .links) } }
    for change in changes { try emptyLinks(constraints.emptied[change.table.name] ?? [], ofRemoved: change) }
    for change in changes.reversed() where change.removed > 0 { try delete(change, verifies: verifies) }
    for change in changes where change.changed > 0 {
      try update(change, .all)
      // Triggers of later tables may miss what was left out.
      guard refused.isEmpty else { return false }
      guard !verifies, lateLinks[change.table.name] == nil else { continue }
      try run("DROP TABLE \(changedRows(of: change))", "cannot drop a temporary table")
    }
    guard verifies else { return true }
    // Deferred triggers may change the rows as well.
    try constraints.check()
    for change in changes where change.changed > 0 {
      try checkChanged(change)
      try run("DROP TABLE \(changedRows(of: change))", "cannot drop a temporary table")
    }
    return true
  }

  /// Verifies the changes that were made, unless `verifies` is false, and commits.
  ///
  /// The added rows, as they were read back, are recorded with the `links` of the source in the ID table `record`, if there
  /// is one. `note` records the change on the server, in the same transaction.
  func finish(
    verifies: Bool,
    recordingIn record: String? = nil,
    links: [ServerSchema.Reference] = [],
    note: () throws(DecantError) -> Void
  ) throws(DecantError) {
    if verifies, changes.contains(where: { !$0.isEmpty }) {
      let written = try writtenRows()
      // An ID table needs the rows as they were read back.
      var isProven = record == nil ? try areAsWritten(written) : false
      if !isProven, let written { isProven = try prove(written) }
      if !isProven { try prove() }
      if let record { try AddedRowsRecord.write(changes, links, of: rows, "proof", to: record) }
    }
    try note()
    try commit()
  }

  /// Throws if rows without a key were changed.
  func checkKeys() throws(DecantError) {
    guard let change = changes.first(where: { $0.key.isEmpty && $0.removed + $0.changed > 0 }) else { return }
    throw DecantError(
      .unsupportedContent,
      "rows of \(change.table.name) have no key on the server, so that \((change.removed + change.changed).counted("row")) "
        + "cannot be found there to be changed",
      place: "\(server.place)",
      remedy: "add a primary key to the table; nothing was changed"
    )
  }

  @discardableResult
  func run(_ sql: String, _ context: String) throws(DecantError) -> Int64 {
    try server.explaining(context) { () throws(PostgresError) in try connection.run(sql) }
  }

  // MARK: Rows

  func quoted(_ names: [String], _ prefix: String = "") -> String {
    names.map { prefix + ServerNames.quoted($0) }.joined(separator: ", ")
  }

  /// Returns the name of a table in statements that change its rows, excluding those of tables that inherit from it.
  func target(_ change: TableChanges) -> String {
    (change.table.hasHeirs ? "ONLY " : "") + statements.qualified(change.table.name)
  }

  /// Returns a value of the temporary table `u`, converted to the column's type; `source` is its column there.
  func value(
    _ column: ServerSchema.Column, _ change: TableChanges, from source: ServerSchema.Column? = nil
  ) -> String {
    let value = "u.\(ServerNames.quoted((source ?? column).name))"
    return change.isExact(column) ? value : "\(value)::\(change.facts.columns[column.name]?.base ?? "text")"
  }

  /// Sends rows of the temporary database to a new table on the server, by default a temporary one; returns their number.
  ///
  /// The column `position` of the new table, if it is given, has the numbers of the rows from 1.
  func send(
    _ change: TableChanges,
    _ columns: [ServerSchema.Column],
    to name: String,
    in place: String = "pg_temp",
    _ database: String = "main",
    numberedBy position: String? = nil,
    where condition: String
  ) throws(DecantError) -> Int64 {
    var part = change.table
    (part.columns, part.key, part.isIdentity) = (columns, [], false)
    for index in part.columns.indices { part.columns[index].defaultValue = nil }
    var sent = part
    sent.origin = change.table.own
    sent.name = name
    for index in sent.columns.indices { sent.columns[index].origin = columns[index].own }
    let temporary = ServerStatements(place: place)
    try run(temporary.create(sent), "cannot create a temporary table")
    if let position {
      try run(
        ServerStatements.number(temporary.qualified(name), by: position),
        "cannot number the rows of \(change.table.name)")
    }
    let transfer = RowTransfer(server: server, table: sent, statements: temporary)
    let count = try RowSender(transfer, of: rows, database, where: condition, to: connection)
      .sendBatch(rowLimit: .max, byteLimit: .max)
    try run("ANALYZE \(temporary.qualified(name))", "cannot analyze a temporary table")
    return count
  }

  func changedRows(of change: TableChanges) -> String {
    ServerStatements(place: "pg_temp").qualified(temporaryName("changed", change))
  }

  func removedRows(of change: TableChanges) -> String {
    ServerStatements(place: "pg_temp").qualified(temporaryName("removed", change))
  }

  func temporaryName(_ what: String, _ change: TableChanges) -> String {
    "decant_\(what)_\(changes.firstIndex { $0.table.name == change.table.name } ?? 0)"
  }

  /// Returns the column of a temporary table that marks the changed columns of a row.
  private func mark(_ change: TableChanges) -> ServerSchema.Column {
    var names = PlainNames(Set(change.table.columns.map(\.name.foldedName)), limit: ServerNames.limit)
    return ServerSchema.Column(name: names.claim("decant_changed"), type: .text, sending: change.changedColumns)
  }

  private func load(_ change: TableChanges) throws(DecantError) {
    _ = try send(
      change, change.table.columns + change.formerKey + [mark(change)], to: temporaryName("changed", change),
      where: change.isChanged)
  }

  /// Returns the condition on the server that a column of a row is changed.
  func isChanged(_ position: Int, _ change: TableChanges) -> String {
    "pg_catalog.substr(u.\(ServerNames.quoted(mark(change).name)), \(position + 1), 1) = '1'"
  }

  /// Returns the positions of the columns that are changed in at least one row.
  private func changedPositions(_ change: TableChanges) throws(DecantError) -> [Int] {
    let terms = change.table.columns.indices.map { "pg_catalog.bool_or(\(isChanged($0, change)))" }
    let found = try server.explaining("cannot read a temporary table") { () throws(PostgresError) in
      try connection.rows("SELECT \(terms.joined(separator: ", ")) FROM \(changedRows(of: change)) AS u")
    }
    return change.table.columns.indices.filter { found.first?[$0] == "t" }
  }

  /// The part of the changed values that is written at a time: links come before rows are deleted, and those that are
  /// left out until then after rows were added.
  enum Part { case links, all, lateLinks }

  /// Writes the values that have changed.
  ///
  /// The others are not written: they may have been rounded when they were read.
  func update(_ change: TableChanges, _ part: Part) throws(DecantError) {
    let links = tables.catalog.references.filter { $0.table == change.table.name }.flatMap(\.columns)
    let late = lateLinks[change.table.name] ?? LateLinks()
    let values = try changedPositions(change).compactMap { position -> String? in
      let column = change.table.columns[position]
      let isKey = change.key.contains { $0.name == column.name }
      let isLate = late.lateInExisting.contains(column.name)
      let isEmptied = part == .links && late.emptiedInExisting.contains(column.name)
      let isWritten =
        switch part {
        case .links: links.contains(column.name) && !isKey && (!isLate || isEmptied)
        case .all: (change.followsRows || !isKey) && !isLate
        case .lateLinks: isLate
        }
      guard isWritten else { return nil }
      let name = ServerNames.quoted(column.name)
      let new = isEmptied ? "NULL" : value(column, change)
      return "\(name) = CASE WHEN \(isChanged(position, change)) THEN \(new) ELSE t.\(name) END"
    }
    guard !values.isEmpty else { return }
    let rows = changedRows(of: change)
    // By then, the rows have their new keys.
    let isRow = part == .lateLinks ? isSame(change) : isChangedRow(change)
    func statement(_ condition: String) -> String {
      "UPDATE \(target(change)) AS t SET \(values.joined(separator: ", ")) FROM \(rows) AS u WHERE \(isRow)"
        + condition
    }
    func writeAll() throws(DecantError) {
      let done = try update(change, statement(""), "cannot change rows of \(change.table.name)")
      try check(done, change.changed, change, "changed")
    }
    guard let cause = try refusal(of: writeAll) else { return }
    try leaveOut(cause, change, isNew: false, rows, change.changed) { statement(" AND \($0)") }
  }

  /// Runs a statement that updates rows of a table; returns their number.
  @discardableResult
  func update(_ change: TableChanges, _ sql: String, _ context: String) throws(DecantError) -> Int64 {
    let done = try run(sql, context)
    updated[change.table.name, default: 0] += done
    return done
  }

  private func loadRemoved(_ change: TableChanges) throws(DecantError) {
    _ = try send(change, change.key, to: temporaryName("removed", change), "before", where: change.isRemoved)
  }

  /// Returns the condition that a row `t` of the server's table has the key of the row `u` of a temporary one.
  func isSame(_ change: TableChanges, keptIn columns: [ServerSchema.Column]? = nil) -> String {
    zip(zip(change.key, columns ?? change.key), change.facts.keyOperators)
      .map { "t.\(ServerNames.quoted($0.0.name)) \($1) \(value($0.0, change, from: $0.1))" }
      .joined(separator: " AND ")
  }

  /// Returns the condition that a row `t` of the server's table is the changed row `u`.
  func isChangedRow(_ change: TableChanges) -> String {
    isSame(change, keptIn: change.followsRows ? change.formerKey : nil)
  }

  /// Throws if the server would change rows of a table that is not part of the change.
  ///
  /// Rows that others add there are committed before the count, or cannot refer to rows of this change, which are
  /// locked.
  private func check(_ reference: ServerCatalog.ActingReference) throws(DecantError) {
    guard let change = changes.first(where: { $0.table.name == reference.target }) else { return }
    var count: Int64 = 0
    let leads = zip(zip(reference.targetColumns, reference.operators), reference.columns)
      .map { "t.\(ServerNames.quoted($0.0)) \($0.1) r.\(ServerNames.quoted($1))" }.joined(separator: " AND ")
    func add(_ rows: String, _ isSame: String, _ condition: String) throws(DecantError) {
      let targets = "FROM \(target(change)) AS t JOIN \(rows) AS u ON \(isSame)"
      try RowLock(server, connection, "\(targets) WHERE \(condition)", of: change.table.name).take()
      let found = try server.explaining("cannot count the rows of \(reference.table)") { () throws(PostgresError) in
        try connection.text(
          """
          SELECT count(*) FROM \(reference.table) AS r WHERE EXISTS (
            SELECT 1 \(targets) WHERE \(leads) AND (\(condition)))
          """)
      }
      count += found.flatMap { Int64($0) } ?? 0
    }
    if reference.actsOnDeletion, change.removed > 0 { try add(removedRows(of: change), isSame(change), "true") }
    let changed = reference.targetColumns.compactMap { name in change.table.columns.firstIndex { $0.name == name } }
    if reference.actsOnChange, change.changed > 0, !changed.isEmpty {
      let condition = changed.map { isChanged($0, change) }.joined(separator: " OR ")
      try add(changedRows(of: change), isChangedRow(change), condition)
    }
    guard count > 0 else { return }
    throw DecantError(
      .unsupportedContent,
      "the server would delete or change \(count.counted("row")) of \(reference.table), which \(count == 1 ? "leads" : "lead") to "
        + "rows of \(change.table.name) that are deleted or changed, and \(count == 1 ? "is" : "are") not part of the merge",
      place: "\(server.place)",
      remedy: "delete them or change their links first; nothing was changed"
    )
  }

  private func delete(_ change: TableChanges, verifies: Bool) throws(DecantError) {
    let rows = removedRows(of: change)
    // Some may have been deleted together with the rows that they belong to.
    try run(
      "DELETE FROM \(target(change)) AS t USING \(rows) AS u WHERE \(isSame(change))",
      "cannot delete rows of \(change.table.name)"
    )
    if verifies { try checkRemoved(change) }
    try run("DROP TABLE \(rows)", "cannot drop a temporary table")
  }

  private func insert(_ change: TableChanges) throws(DecantError) {
    let isExact = change.table.columns.allSatisfy { change.isExact($0) }
    func writeAll() throws(DecantError) {
      guard !isExact else {
        let transfer = RowTransfer(server: server, table: firstForm(of: change), statements: statements)
        let count = try RowSender(transfer, of: rows, where: change.isAdded, to: connection)
          .sendBatch(rowLimit: .max, byteLimit: .max)
        return try check(count, change.added, change, "added")
      }
      let added = try sendAdded(change)
      let count = try run(insertion(change, from: added), "cannot add rows to \(change.table.name)")
      try check(count, change.added, change, "added")
      try run("DROP TABLE \(added)", "cannot drop a temporary table")
    }
    guard let cause = try refusal(of: writeAll) else { return }
    // The server tells the line, unless rows come from another table.
    if !leavesOut, let line = cause.line, line <= change.added {
      throw try error(cause, change, isNew: true, at: line)
    }
    guard !isUnnamed(cause) else { throw try error(cause, change, isNew: true) }
    let added = try sendAdded(change)
    try leaveOut(cause, change, isNew: true, added, change.added) { condition in
      "\(insertion(change, from: added)) WHERE \(condition)"
    }
    try run("DROP TABLE \(added)", "cannot drop a temporary table")
  }

  /// Sends the added rows to a temporary table; returns its name.
  private func sendAdded(_ change: TableChanges) throws(DecantError) -> String {
    _ = try send(change, firstForm(of: change).columns, to: "decant_added", where: change.isAdded)
    return ServerStatements(place: "pg_temp").qualified("decant_added")
  }

  /// Returns the statement that adds the rows of a temporary table, without a condition.
  private func insertion(_ change: TableChanges, from rows: String) -> String {
    let values = change.table.columns.map { value($0, change) }.joined(separator: ", ")
    return "INSERT INTO \(statements.qualified(change.table.name)) (\(quoted(change.table.columns.map(\.name)))) "
      + "OVERRIDING SYSTEM VALUE SELECT \(values) FROM \(rows) AS u"
  }

  /// Advances sequences beyond the values of new rows; for keys, the numbers were already taken.
  func advanceSequences(_ change: TableChanges) throws(DecantError) {
    for column in change.table.columns where change.facts.key != [column.name] {
      guard let sequence = change.facts.columns[column.name]?.sequence,
        let highest = try change.highestAdded(column, upTo: sequence.limit, on: rows)
      else { continue }
      try tables.keys.advance(sequence, beyond: highest)
    }
  }

  func check(_ count: Int64, _ expected: Int64, _ change: TableChanges, _ what: String) throws(DecantError) {
    guard count != expected else { return }
    throw DecantError(
      .proofFailed,
      "the server \(what) \(count.counted("row")) of \(change.table.name) instead of \(expected)",
      place: "\(server.place)",
      remedy: advice(change)
    )
  }

  /// Returns the advice for a server whose rows differ from those that were written.
  private func advice(_ change: TableChanges) -> DecantError.Text {
    let triggers = change.facts.triggers.joined(separator: ", ")
    return triggers.isEmpty
      ? "nothing was changed: look for triggers and rules of this and other tables, and for values that its types round"
      : "nothing was changed: the table has triggers (\(triggers)), which may change rows"
  }

  // MARK: Verification

  /// Returns the condition of the rows on the server that were written, if none besides the added and changed ones was.
  private func writtenRows() throws(DecantError) -> String? {
    let counts = changes.map { change in
      let updated = updated[change.table.name] ?? 0
      return (
        change.table.name,
        WrittenRows.Counts(inserted: change.added, updated: updated, deleted: change.removed)
      )
    }
    return try written?.condition(Dictionary(counts) { first, _ in first })
  }

  /// Whether the tables have the rows of the temporary database, with which they are compared while they are read.
  ///
  /// With the condition of the rows that were written, only these are read.
  private func areAsWritten(_ condition: String?) throws(DecantError) -> Bool {
    var schema = ServerSchema()
    schema.tables = changes.map(\.table)
    for index in schema.tables.indices { schema.tables[index].condition = condition }
    let own = condition == nil ? [] : changes.map { ($0.table.name, $0.isWritten) }
    let written = ServerTables(server: server, schema: schema, statements: statements)
    // Other tables are read as texts, which do not sort like their values.
    guard tables.record != nil, try written.canCompare(with: rows) else { return false }
    // Where a difference ends the reading, the server's statement is cancelled.
    try run("SAVEPOINT decant_proof", "cannot begin the proof")
    let areEqual = try written.areEqual(
      to: rows, where: Dictionary(own) { first, _ in first }, areNew: false, on: connection)
    try run("ROLLBACK TO SAVEPOINT decant_proof", "cannot end the proof")
    return areEqual
  }

  /// Reads the tables back; throws if they differ from the temporary database.
  ///
  /// With the condition of the rows that were written, only these are read, and the result is whether they are equal.
  @discardableResult
  private func prove(_ condition: String? = nil) throws(DecantError) -> Bool {
    let path = "\(tables.folder.path)/proof\(condition == nil ? "" : "-written").sqlite"
    let encoding = try explaining("cannot read the temporary database") { () throws(SQLiteError) in
      try rows.text("PRAGMA main.encoding") ?? "UTF-8"
    }
    let proof = try ScratchTables.make(at: path, encoding: encoding) { proof throws(DecantError) in
      try explaining("cannot create the temporary tables") { () throws(SQLiteError) in
        for change in changes { try proof.run(change.proofTable) }
      }
    }
    var schema = ServerSchema()
    schema.tables = changes.map(\.whole)
    for index in schema.tables.indices { schema.tables[index].condition = condition }
    try ServerTables(server: server, schema: schema, statements: statements).fetch(into: proof, on: connection)
    try explaining("cannot read the rows again") { () throws(SQLiteError) in
      try rows.attach(DatabaseFile.uri(of: path, "mode=ro"), as: "proof")
      try rows.takeCachesForOrder()
    }
    var (filled, computed): ([String], [String]) = ([], [])
    for change in changes {
      let count = try change.differenceCount(ofWritten: condition != nil, on: rows)
      guard count == 0 || condition == nil else {
        try explaining("cannot end the proof") { () throws(SQLiteError) in try rows.run("DETACH proof") }
        return false
      }
      guard count > 0 else {
        filled += try change.filledColumns(on: rows).map { "\($0.name) in \($0.count.counted("row"))" }
        computed += try change.computedColumns(on: rows).map { "\($0.name) in \($0.count.counted("row"))" }
        continue
      }
      let first = try change.firstDifference(on: rows).map { key, columns throws(DecantError) in
        ": \(columns.joined(separator: ", ")) of \(try sourceName(of: change, key) ?? "the row with the key (\(key.joined(separator: ", ")))")"
      }
      throw DecantError(
        .proofFailed,
        "\(count.counted("row")) of \(change.table.name) \(count == 1 ? "differs" : "differ") on the server from what was "
          + "written\(first ?? "")",
        place: "\(server.place)",
        remedy: advice(change)
      )
    }
    if !computed.isEmpty {
      notes.append(
        ReportNote(
          .notWritten,
          "the server generates values that differ from the source's, which are not written: \(ServerNames.list(computed))"
        ))
    }
    guard !filled.isEmpty else { return true }
    notes.append(
      ReportNote(.triggersRun, "triggers of the server filled values that were empty: \(ServerNames.list(filled))"))
    return true
  }

  func commit() throws(DecantError) {
    let words = ServerCommit.Words(
      context: "cannot commit the changes",
      done: "the changes were committed",
      remedy: remedyAfterCommit
    )
    let commit = ServerCommit(server: server, connection: connection, stop: stop, words: words)
    if let note = try commit.perform(&mayBeDone) { notes.append(note) }
  }
}

extension TableChanges {
  /// Whether the type of a column is exactly that of the values sent.
  func isExact(_ column: ServerSchema.Column) -> Bool {
    let type = column.type == .timestamp ? "timestamp with time zone" : column.type.rawValue
    return facts.columns[column.name]?.type == type
  }
}
