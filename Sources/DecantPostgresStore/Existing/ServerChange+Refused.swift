internal import DecantBase
internal import DecantPlain
internal import DecantPlan
internal import DecantPostgres
internal import DecantServerSchema
internal import DecantStore

extension ServerChange {
  private var search: RowSearch { RowSearch(server: server, connection: connection) }

  /// Runs `write`, which writes all rows of a table; if the server refuses one, undoes it and returns the server's error.
  func refusal(of write: () throws(DecantError) -> Void) throws(DecantError) -> PostgresError? {
    guard lateCause == nil else { return lateCause }
    return try search.refusal(of: write)
  }

  /// Whether an error says nothing about single rows: a row may refer to a later one.
  ///
  /// If other rows are left out, it may refer to one of those.
  func isUnnamed(_ cause: PostgresError) -> Bool { cause.isOfLink && refused.isEmpty }

  /// Writes the rows that the server accepts, and notes the others.
  ///
  /// - Parameters:
  ///   - cause: The server's error for all rows together.
  ///   - change: The table that they are written to.
  ///   - isNew: Whether they are added.
  ///   - name: The temporary table with the rows, in the order in which they were sent.
  ///   - count: Their number.
  ///   - statement: Returns the statement that writes the rows `u` which meet a condition.
  /// - Throws: `DecantError` that names a row, if none may be left out.
  func leaveOut(
    _ cause: PostgresError,
    _ change: TableChanges,
    isNew: Bool,
    _ name: String,
    _ count: Int64,
    by statement: (String) -> String
  ) throws(DecantError) {
    guard !isUnnamed(cause) else { throw try error(cause, change, isNew: isNew) }
    var names = PlainNames(Set(change.table.columns.map(\.name.foldedName)), limit: ServerNames.limit)
    let position = names.claim("decant_position")
    let found = try search.write(
      name, count, by: position, onlyFirst: !leavesOut, checksAtOnce: lateCause != nil, statement
    ).filter { !$0.error.isOfLink }
    guard let first = found.first else {
      guard refused.isEmpty, lateCause == nil else { return }
      throw try error(cause, change, isNew: isNew)
    }
    guard leavesOut, !change.key.isEmpty, !isOfLinks(change) else {
      throw try error(first.error, change, isNew: isNew, at: first.position)
    }
    let errors = Dictionary(found.map { ($0.position, $0.error) }) { first, _ in first }
    var (place, again): (Int64, Int64?) = (0, nil)
    try change.forEachKey(where: isNew ? change.isAdded : change.isChanged, on: rows) { _, key in
      place += 1
      guard let error = errors[place] else { return }
      let row = RefusedRow(
        table: change.table.own, keyColumns: change.key.map(\.own), key: key, isNew: isNew, reason: Server.reason(error)
      )
      if refusedBefore.contains(ServerChange.name(row)), again == nil { again = place }
      refused.append(row)
    }
    guard let again else { return }
    // No single object of the source was left out with the row.
    refused = []
    throw try error(errors[again] ?? cause, change, isNew: isNew, at: again)
  }

  private func isOfLinks(_ change: TableChanges) -> Bool { linkTables.contains(change.table.own.foldedName) }

  /// Returns a text that only a refused row has.
  static func name(_ row: RefusedRow) -> String { "\(row.isNew) \(row.table) \(row.key)" }

  /// Returns the error for a refused row at a position from 1, if that is known.
  func error(_ cause: PostgresError, _ change: TableChanges, isNew: Bool, at position: Int64? = nil)
    throws(DecantError) -> DecantError
  {
    let name = try position.map { position throws(DecantError) in
      try self.name(of: change, isNew: isNew, at: position)
    }
    let context = isNew ? "cannot add \(name ?? "rows") to" : "cannot change \(name ?? "rows") of"
    return server.error(
      cause,
      "\(context) \(change.table.name)",
      remedy: leavesOut || isOfLinks(change) ? ServerChange.adviceOfNamed : ServerChange.adviceOfRow
    )
  }

  private static let adviceOfRow: DecantError.Text =
    "nothing was changed: correct it, or leave it out with \(option: .where), or with \(option: .onError, "reject")"
  private static let adviceOfNamed: DecantError.Text =
    "nothing was changed: correct it, or leave it out with \(option: .where)"

  /// Returns the name of a row at a position from 1, for an error.
  private func name(of change: TableChanges, isNew: Bool, at position: Int64) throws(DecantError) -> String {
    var (texts, count): ([String], Int64) = ([], 0)
    try change.forEachKey(where: isNew ? change.isAdded : change.isChanged, on: rows) { found, _ in
      count += 1
      if count == position { texts = found }
    }
    guard isNew else { return "the row with the key \(texts.joined(separator: ", "))" }
    guard !texts.isEmpty else { return "row \(position) of the new ones" }
    return try sourceName(of: change, texts) ?? "the row with the new key (\(texts.joined(separator: ", ")))"
  }

  /// Returns the name in the source of the row of `main` with the key `texts`, for an error; `nil` if it is not known.
  func sourceName(of change: TableChanges, _ texts: [String]) throws(DecantError) -> String? {
    let numbers = zip(change.key, texts).compactMap { column, text in
      [.smallint, .integer, .bigint].contains(column.type) ? Int64(text).map { (column.own.foldedName, $0) } : nil
    }
    guard numbers.count == change.key.count else { return nil }
    return try sourceName(change.table.own, Dictionary(numbers) { first, _ in first }).map { "\($0) of the source" }
  }
}
