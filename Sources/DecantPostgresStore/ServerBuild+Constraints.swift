internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore
internal import Synchronization

/// Additions to filled tables.
extension ServerBuild {
  /// Makes the server add the keys and indexes of a filled table, set its sequence and analyze its values, in one
  /// transaction of `queue` unless the table is visible.
  func addKeys(to table: ServerSchema.Table, _ required: [String], highest: Int64, _ queue: ServerQueue)
    throws(DecantError)
  {
    let indexes = schema.indexes.filter { $0.table == table.name }
    let (begin, commit) = boundaries
    let keys =
      begin + statements.finish(table, required: required)
      + [statements.setSequence(of: table, highest: highest)].compactMap(\.self)
    let analysis = "ANALYZE \(statements.qualified(table.name))"
    try queue.add("cannot add the keys and indexes of \(table.name)") { [self] connection in
      var leftOut: [ServerSchema.Index] = []
      do throws(PostgresError) {
        for sql in keys { try connection.run(sql) }
        for index in indexes {
          if !run.isVisible {
            try connection.run(statements.create(index))
          } else if try !create(index, on: connection) {
            leftOut.append(index)
          }
        }
      } catch {
        guard error.isTooLarge, !run.isVisible else { throw error }
        try connection.run("ROLLBACK")
        for sql in keys { try connection.run(sql) }
        for index in indexes where try !create(index, on: connection) { leftOut.append(index) }
      }
      try connection.run(analysis)
      try run.record([.keys(table: table.name)] + leftOut.map { .noIndex($0.name) }, on: connection)
      for sql in commit { try connection.run(sql) }
      tooLarge.withLock { $0 += leftOut }
    }
  }

  /// The statements before and after a change of a table, which make it one transaction if that makes a difference.
  private var boundaries: (begin: [String], commit: [String]) {
    run.isVisible ? ([], []) : (["BEGIN", "SET LOCAL synchronous_commit = off"], ["COMMIT"])
  }

  /// Creates an index; returns false if a value is too large for it.
  private func create(_ index: ServerSchema.Index, on connection: PostgresConnection) throws(PostgresError) -> Bool {
    let isWithin = connection.isInTransaction
    if isWithin { try connection.run("SAVEPOINT decant_index") }
    do throws(PostgresError) {
      try connection.run(statements.create(index))
      if isWithin { try connection.run("RELEASE SAVEPOINT decant_index") }
      return true
    } catch {
      guard error.isTooLarge else { throw error }
      if isWithin { try connection.run("ROLLBACK TO SAVEPOINT decant_index") }
      return false
    }
  }

  /// Adds a note about the indexes that the server could not create.
  func noteLargeIndexes() {
    let leftOut = tooLarge.withLock(\.self)
    guard !leftOut.isEmpty else { return }
    let names = leftOut.map { "\($0.table) (\($0.columns.joined(separator: ", ")))" }.joined(separator: "; ")
    note(
      .schemaNotCopied, "indexes not created, because values are larger than the server allows in an index: \(names)"
    )
  }

  /// Adds the references of all tables, which have their keys by then, unless they `areThere`, and makes the server check
  /// them, those of a table in one transaction of `queue`.
  func addReferences(areThere: Bool, _ queue: ServerQueue) throws(DecantError) {
    let context = "cannot add the foreign keys"
    let leftOut = tooLarge.withLock(\.self)
    let references = schema.references.filter { reference in !leftOut.contains { $0.isKey(of: reference) } }
    if !areThere {
      try changing(context) { () throws(DecantError) in
        if connection.isInTransaction { try perform(["SET LOCAL synchronous_commit = off"], context) }
        for reference in references {
          // Adding one locks both tables, checking it later hinders nobody.
          let isLater = server.abilities.has(.notValid)
          if !isLater { try checkOnServer(reference) }
          try perform([statements.create(reference) + (isLater ? " NOT VALID" : "")], context)
        }
        try run.record([.references], on: connection)
      }
    }
    guard server.abilities.has(.notValid) else { return }
    for table in schema.tables {
      let checks = references.filter { $0.table == table.name }.map { statements.validate($0) }
      guard !checks.isEmpty else { continue }
      let (begin, commit) = boundaries
      try queue.add(context) { connection in
        for sql in begin + checks + commit { try connection.run(sql) }
      }
    }
  }

  /// Throws the error of a server that checks a reference later, if rows of it lead nowhere.
  private func checkOnServer(_ reference: ServerSchema.Reference) throws(DecantError) {
    try server.explaining("cannot check the foreign keys") { () throws(PostgresError) in
      guard try connection.text(statements.orphan(of: reference)) != nil else { return }
      throw PostgresError(
        state: "23503", message: "rows of \(reference.table) lead nowhere", constraint: reference.name)
    }
  }

  /// Throws if rows have references without a target, which SQLite permits and the server refused; names the first of
  /// them.
  func checkReferences(in scratch: Connection) throws(DecantError) {
    for reference in schema.references { try check(reference, in: scratch) }
  }

  private func check(_ reference: ServerSchema.Reference, in scratch: Connection) throws(DecantError) {
    guard let table = schema.tables.first(where: { $0.name == reference.table }), table.origin != nil,
      let target = schema.tables.first(where: { $0.name == reference.target })
    else { return }
    let columns = reference.columns.map { "r.\(table.own($0).sqlName)" }
    let targets = reference.targetColumns.map { "t.\(target.own($0).sqlName)" }
    let conditions =
      columns.map { "\($0) IS NOT NULL" } + [
        """
        NOT EXISTS (SELECT 1 FROM main.\(target.own.sqlName) AS t
        WHERE \(zip(columns, targets).map { "\($0) = \($1)" }.joined(separator: " AND ")))
        """
      ]
    let rows = "FROM main.\(table.own.sqlName) AS r WHERE \(conditions.joined(separator: " AND "))"
    let found = try explaining("cannot check the links of \(table.own)") { () throws(SQLiteError) in
      try scratch.integer("SELECT count(*) \(rows)") ?? 0
    }
    guard found > 0 else { return }
    let keys = table.key.map { "quote(r.\(table.own($0).sqlName))" }
    var first: [String] = []
    if !keys.isEmpty {
      try explaining("cannot check the links of \(table.own)") { () throws(SQLiteError) in
        try scratch.forEachRow("SELECT \(keys.joined(separator: " || ', ' || ")) \(rows) LIMIT 3") { row in
          first.append(row.text(at: 0).map { keys.count == 1 ? $0 : "(\($0))" } ?? "NULL")
        }
      }
    }
    let list = first.joined(separator: ", ")
    let named =
      first.isEmpty
      ? "" : found == 1 ? " (key \(list))" : found > 3 ? " (the first have the keys \(list))" : " (keys \(list))"
    throw DecantError(
      .linkBroken,
      "\(found.counted("row")) of \(table.own)\(named) \(found == 1 ? "leads" : "lead") nowhere: "
        + "\(reference.columns.joined(separator: ", ")) has no row in \(target.own), so the server refuses the foreign key",
      place: server.place,
      remedy: "nothing was published: correct these rows in a copy of the database"
    )
  }
}

extension ServerSchema.Index {
  /// Whether this index is on the columns that `reference` refers to.
  fileprivate func isKey(of reference: ServerSchema.Reference) -> Bool {
    isUnique && table == reference.target && Set(columns) == Set(reference.targetColumns)
  }
}
