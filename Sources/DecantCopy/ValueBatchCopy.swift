internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Copies one step of the plan by ranges of the values of a non-integer key.
///
/// Such a table has no row numbers: its rows are in the order of these values.
struct ValueBatchCopy: BatchCopy {
  private let connection: Connection
  private let ids: IDTable
  private let step: CopyStep
  private let keyCount: Int
  private let batchSize: Int64
  private let onError: CopyOptions.OnError
  private let rejects: Rejects
  private let released: ReleasedValues?
  private let bound: RejectBound
  private let first: Statement
  private let later: Statement
  private let replacements: (first: Statement, later: Statement)?

  /// Prepares for `step`, with batches as ranges of `keyCount` values.
  init(
    _ step: CopyStep,
    keyCount: Int,
    on connection: Connection,
    ids: IDTable,
    options: CopyOptions,
    rejects: Rejects,
    bound: RejectBound,
    released: ReleasedValues? = nil
  ) throws(DecantError) {
    self.step = step
    self.keyCount = keyCount
    self.connection = connection
    self.ids = ids
    self.rejects = rejects
    self.released = released
    self.bound = bound
    batchSize = options.batchSize
    onError = options.onError
    do throws(SQLiteError) {
      first = try connection.prepare(step.insertion(into: "main", isFirst: true))
      later = try connection.prepare(step.insertion(into: "main"))
      if let one = step.replacement(into: "main", isFirst: true),
        let two = step.replacement(into: "main")
      {
        replacements = (try connection.prepare(one), try connection.prepare(two))
      } else {
        replacements = nil
      }
    } catch {
      throw DecantError("cannot copy \(step.name)", place: error.shownSQL, cause: error)
    }
  }

  func nextBatch(after position: RowPosition?) throws(SQLiteError) -> RowBatch? {
    let rows = Rows(after: position, last: nil, keyCount)
    // For a table that is read through another connection, each range of values would scan all rows: it is one batch.
    let isFed = connection.reader(of: CopySession.source) !== connection
    guard let last = try isFed ? lastRow(of: rows) : row(of: rows, at: batchSize) else {
      return nil
    }
    return RowBatch(after: position, last: last)
  }

  func copy(_ batch: RowBatch) throws(DecantError) -> BatchOutcome {
    _ = ids.takeLinkCounts()
    do throws(SQLiteError) {
      let rows = Rows(after: batch.after, last: batch.last, keyCount)
      let insertion = batch.after == nil ? first : later
      try insertion.bind(rows.bindings)
      defer { insertion.reset() }
      while try insertion.step() {}
      var outcome = BatchOutcome(rows: connection.changeCount, links: ids.takeLinkCounts())
      if let replacement = batch.after == nil ? replacements?.first : replacements?.later {
        try replacement.bind(rows.bindings)
        defer { replacement.reset() }
        while try replacement.step() {}
      }
      if case .links(let links) = step.kind {
        outcome.links = [
          links.relationship.description: try IncompleteLinks(links, of: step, on: connection).count(
            rows.condition,
            rows.bindings,
            written: outcome.rows
          )
        ]
      }
      return outcome
    } catch {
      guard error.refusesRow, !connection.isAutocommit, case .unkeyed(let root, _) = step.kind else {
        throw connection.refusal("cannot write \(step.title)", place: nil, error)
      }
      if let released, try released.release(after: error) { return try copy(batch) }
      return try copyHalves(of: batch, root: root, error)
    }
  }

  private func copyHalves(of batch: RowBatch, root: String, _ error: SQLiteError) throws(DecantError) -> BatchOutcome {
    let middle = try explaining("cannot split a batch") { () throws(SQLiteError) -> RowPosition? in
      let rows = Rows(after: batch.after, last: batch.last, keyCount)
      let count = try connection.prepare("SELECT count(*) FROM \(step.source) AS r WHERE \(rows.condition)")
      try count.bind(rows.bindings)
      guard try count.step(), count.integer(at: 0) > 1 else { return nil }
      return try row(of: rows, at: count.integer(at: 0) / 2)
    }
    guard let middle else { return try reject(batch.last, root: root, error) }
    var outcome = try copy(RowBatch(after: batch.after, last: middle))
    outcome += try copy(RowBatch(after: middle, last: batch.last))
    return outcome
  }

  /// Leaves out one row that the destination refused, or ends the copy.
  private func reject(_ position: RowPosition, root: String, _ error: SQLiteError) throws(DecantError) -> BatchOutcome {
    let refusal = Refusal(error, step: step)
    guard onError == .reject || refusal.isMissing else {
      throw DecantError(
        .constraintViolated,
        "cannot write \(root) with the key \(position.keyText): \(refusal.reason)",
        place: "\(Refusal.place(table: step.table))",
        remedy: refusal.remedy,
        cause: error
      )
    }
    try explaining("cannot record a rejected object") { () throws(SQLiteError) in
      guard case .values(let values) = position else { return }
      try rejects.add(root: root, values: values, refusal)
    }
    try bound.note(rejects)
    return BatchOutcome()
  }

  /// Returns the position of the last row of `rows`.
  private func lastRow(of rows: Rows) throws(SQLiteError) -> RowPosition? {
    let keys = (0..<keyCount).map { "r._k\($0)" }
    let statement = try connection.prepare(
      """
      SELECT \(keys.joined(separator: ", ")) FROM \(step.source) AS r WHERE \(rows.condition)
      ORDER BY \(keys.map { "\($0) DESC" }.joined(separator: ", ")) LIMIT 1
      """
    )
    try statement.bind(rows.bindings)
    guard try statement.step() else { return nil }
    return .values(try key(of: statement))
  }

  /// Returns the values of the key in the current row of `statement`.
  private func key(of statement: Statement) throws(SQLiteError) -> [Binding] {
    var values: [Binding] = []
    for position in 0..<keyCount { values.append(try statement.exactValue(at: position)) }
    return values
  }

  /// Returns the position of the row at index `count` of `rows`, or of the last one if there are fewer.
  private func row(of rows: Rows, at count: Int64) throws(SQLiteError) -> RowPosition? {
    let keys = (0..<keyCount).map { "r._k\($0)" }.joined(separator: ", ")
    let statement = try connection.prepare(
      """
      SELECT \(keys) FROM \(step.source) AS r WHERE \(rows.condition)
      ORDER BY \(keys) LIMIT \(count)
      """
    )
    try statement.bind(rows.bindings)
    var last: RowPosition?
    while try statement.step() {
      last = .values(try key(of: statement))
    }
    return last
  }

  /// The rows after one position up to another, or to the end.
  private struct Rows {
    var condition = "1"
    var bindings: [Binding] = []

    init(after: RowPosition?, last: RowPosition?, _ keyCount: Int) {
      for (sign, position) in [(">", after), ("<=", last)] {
        guard case .values(let values) = position else { continue }
        let parameters = values.indices.map { "?\(bindings.count + $0 + 1)" }
        condition +=
          " AND \(CopyStep.keyTuple(keyCount)) \(sign) (\(parameters.joined(separator: ", ")))"
        bindings += values
      }
    }
  }
}
