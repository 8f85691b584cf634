internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Copies one step of the plan by ranges of integers.
///
/// A batch is a range of keys and one statement. A failed statement leaves none of its rows; the range is then halved
/// until only the refused object remains.
struct StepCopy: BatchCopy {
  let connection: Connection
  let ids: IDTable
  let step: CopyStep
  let batchSize: Int64
  let onError: CopyOptions.OnError
  let rejects: Rejects
  /// The release of unique values that the destination's rows lose, if this is a merge.
  let released: ReleasedValues?
  private let bound: RejectBound
  private let insertion: Statement
  private let replacement: Statement?
  private let largeRows: LargeRows?

  init(
    _ step: CopyStep,
    on connection: Connection,
    ids: IDTable,
    options: CopyOptions,
    rejects: Rejects,
    bound: RejectBound,
    released: ReleasedValues? = nil,
    files: (any ExternalStorage)? = nil
  ) throws(DecantError) {
    self.step = step
    self.connection = connection
    self.ids = ids
    self.rejects = rejects
    self.released = released
    self.bound = bound
    batchSize = options.batchSize
    onError = options.onError
    do throws(SQLiteError) {
      largeRows = try LargeRows(step, on: connection, ids: ids, files: files)
      insertion = try connection.prepare(step.insertion(into: "main"))
      if let sql = step.replacement(into: "main") {
        replacement = try connection.prepare(sql)
      } else {
        replacement = nil
      }
      if case .links(let links) = step.kind {
        let name = links.relationship.description
        ids.site(of: name, to: links.targetRoot)?.countsNull = true
        ids.site(of: name + " owner", to: links.ownerRoot)?.countsNull = true
      }
    } catch {
      throw DecantError("cannot copy \(step.name)", place: error.shownSQL, cause: error)
    }
  }

  func nextBatch(after position: RowPosition?) throws(SQLiteError) -> RowBatch? {
    var key: Int64?
    if case .key(let last) = position { key = last }
    guard key != Int64.max, let last = try lastKey(after: key) else { return nil }
    return RowBatch(after: position, last: .key(last))
  }

  /// Returns the last key of the next batch after `key`.
  private func lastKey(after key: Int64?) throws(SQLiteError) -> Int64? {
    if case .objects(let root) = step.kind {
      return try ids.map(of: root)?.fresh.batchEnd(after: key, limit: batchSize)?.last
    }
    guard step.batching == .range else { return key == nil ? Int64.max : nil }
    // Run on the connection that has the file open, where rows come in order of their numbers without sorting.
    return try connection.reader(of: CopySession.source).integer(
      """
      SELECT max(_id) FROM
        (SELECT _id FROM \(step.source) WHERE _id >= ?1 ORDER BY _id LIMIT ?2)
      """,
      .integer(key.map { $0 + 1 } ?? Int64.min),
      .integer(batchSize)
    )
  }

  func copy(_ batch: RowBatch) throws(DecantError) -> BatchOutcome {
    guard let range = batch.range else { return BatchOutcome() }
    return try copy(range)
  }

  private func copy(_ range: ClosedRange<Int64>) throws(DecantError) -> BatchOutcome {
    _ = ids.takeLinkCounts()
    do throws(SQLiteError) {
      let last = try lastRow()
      let rows = try insert(range)
      var outcome = BatchOutcome(rows: rows, links: ids.takeLinkCounts())
      if case .links(let links) = step.kind {
        try dropIncompleteLinks(links, in: range, after: last, &outcome)
        try replacement?.run(.integer(range.lowerBound), .integer(range.upperBound))
      }
      try checkCount(outcome.rows, in: range)
      return outcome
    } catch {
      // Only refused objects are searched for; a full disk or a stop ends the copy at once.
      guard error.refusesRow, !connection.isAutocommit else {
        throw connection.refusal("cannot write \(step.name)", place: place(range), error)
      }
      if let released, try released.release(after: error) { return try copy(range) }
      return try copyHalves(of: range, error)
    }
  }

  /// Writes the rows of `range`, all or none; returns their number.
  private func insert(_ range: ClosedRange<Int64>) throws(SQLiteError) -> Int64 {
    let large = try largeRows?.keys(in: range) ?? []
    guard let largeRows, let last = large.last else {
      try insertion.run(.integer(range.lowerBound), .integer(range.upperBound))
      return connection.changeCount
    }
    // Each large row needs its own statement, as do the rows between: a failure must undo all of them.
    try connection.run("SAVEPOINT decant_large")
    do throws(SQLiteError) {
      var rows: Int64 = 0
      var first = range.lowerBound
      for key in large {
        if key > first {
          try insertion.run(.integer(first), .integer(key - 1))
          rows += connection.changeCount
        }
        rows += try largeRows.copy(key)
        first = key &+ 1
      }
      if last < range.upperBound {
        try insertion.run(.integer(first), .integer(range.upperBound))
        rows += connection.changeCount
      }
      try connection.run("RELEASE decant_large")
      return rows
    } catch {
      // A full disk has already rolled back the whole transaction.
      if !connection.isAutocommit {
        try? connection.run("ROLLBACK TO decant_large")
        try? connection.run("RELEASE decant_large")
      }
      throw error
    }
  }

  /// Throws unless every object of the range was written.
  private func checkCount(_ count: Int64, in range: ClosedRange<Int64>) throws(SQLiteError) {
    guard case .objects(let root) = step.kind, let map = ids.map(of: root) else { return }
    let expected = try map.fresh.count(in: range)
    guard count != expected else { return }
    throw SQLiteError(code: SQLiteError.internalCode, message: "\(count) of \(expected) objects were written")
  }

  private func copyHalves(of range: ClosedRange<Int64>, _ error: SQLiteError) throws(DecantError) -> BatchOutcome {
    guard case .objects(let root) = step.kind, let map = ids.map(of: root) else {
      throw DecantError("cannot write \(step.title)", place: place(range), cause: error)
    }
    let keys = try explaining("cannot split a batch") { () throws(SQLiteError) in
      let first = try map.fresh.rank(of: range.lowerBound)
      let end = try map.fresh.rank(of: range.upperBound) + 1
      return (
        isSingle: end - first <= 1,
        middle: try map.fresh.key(at: (first + end) / 2 - 1) ?? range.lowerBound,
        only: try map.fresh.key(at: first) ?? range.upperBound
      )
    }
    guard !keys.isSingle else { return try reject(keys.only, root: root, error) }
    var outcome = try copy(range.lowerBound...keys.middle)
    outcome += try copy((keys.middle + 1)...range.upperBound)
    return outcome
  }

  /// Leaves out one object that the destination refused, or ends the copy with an error that names it.
  private func reject(_ key: Int64, root: String, _ error: SQLiteError) throws(DecantError) -> BatchOutcome {
    let refusal = Refusal(error, step: step)
    let isStub = try explaining("cannot read \(root) \(step.keyText(key))") {
      () throws(SQLiteError) in
      try ids.map(of: root)?.stubs?.contains(key) == true
    }
    guard !isStub else {
      throw DecantError(
        .constraintViolated,
        "cannot write an empty \(try entityName(of: key) ?? root) as the target of links to \(step.keyText(key)): "
          + refusal.reason,
        place: "\(Refusal.place(table: step.table))",
        remedy:
          "use null or reject instead of stub for these links, or copy their targets as well",
        cause: error
      )
    }
    guard onError == .reject || refusal.isMissing else {
      throw DecantError(
        refusal.isUnknownEntity ? .damaged : .constraintViolated,
        "cannot write \(try entityName(of: key) ?? root) \(try name(of: key)): \(refusal.reason)",
        place: "\(Refusal.place(table: step.table))",
        remedy: refusal.isOfUniqueValues ? released?.remedy ?? refusal.remedy : refusal.remedy,
        cause: error
      )
    }
    try explaining("cannot record a rejected object") { () throws(SQLiteError) in
      try rejects.add(root: root, key: .integer(key), refusal)
    }
    try bound.note(rejects)
    return BatchOutcome()
  }

  /// Returns the last row of a link table before a batch; later rows belong to the batch.
  private func lastRow() throws(SQLiteError) -> Int64? {
    guard case .links = step.kind else { return nil }
    return try connection.integer("SELECT max(rowid) FROM main.\(step.table.sqlName)")
  }

  /// Returns the key of a source object, in words.
  private func name(of key: Int64) throws(DecantError) -> String {
    guard let relation = step.relation else { return step.keyText(key) }
    let names = RowNames(relation: relation, schema: CopySession.source, connection: connection)
    return try explaining("cannot read \(step.name) \(step.keyText(key))") {
      () throws(SQLiteError) in try names.name(of: key)
    }
  }

  /// Returns the concrete entity of a source object.
  private func entityName(of key: Int64) throws(DecantError) -> String? {
    guard let column = step.sourceEntityColumn else { return nil }
    let code = try explaining("cannot read \(step.name) \(step.keyText(key))") {
      () throws(SQLiteError) in
      try connection.integer("SELECT \(column) FROM \(step.sourceTable) WHERE \(step.sourceKey) = ?1", .integer(key))
    }
    return step.sourceEntities.first { $0.code == code }?.name
  }

  /// Removes link rows that lack an end, and counts them accordingly.
  ///
  /// They are rare, so that the rows are written first and checked only if an end was missing.
  private func dropIncompleteLinks(
    _ links: LinkRelation,
    in range: ClosedRange<Int64>,
    after last: Int64?,
    _ outcome: inout BatchOutcome
  ) throws(SQLiteError) {
    let name = links.relationship.description
    let counts = outcome.links
    let missed = counts.values.contains { $0.cut + $0.dangling > 0 }
    outcome.links = [name: LinkCounts(copied: outcome.rows)]
    let isUnreported = try hasUnreportedIncompleteLinks(in: range, outcome)
    guard missed || isUnreported, step.assignments.count >= 2 else { return }
    guard step.endConditions.isEmpty else { return try countIncompleteLinks(links, in: range, &outcome) }
    let (owner, target) = (step.assignments[0].column.sqlName, step.assignments[1].column.sqlName)
    try connection.run(
      """
      DELETE FROM main.\(step.table.sqlName)
      WHERE rowid > ?1 AND (\(owner) IS NULL OR \(target) IS NULL)
      """,
      .integer(last ?? Int64.min)
    )
    outcome.rows -= connection.changeCount
    try countIncompleteLinks(links, in: range, &outcome)
  }

  /// Returns whether rows of a batch may lack an end without a report, because they are checked before writing.
  private func hasUnreportedIncompleteLinks(in range: ClosedRange<Int64>, _ outcome: BatchOutcome)
    throws(SQLiteError) -> Bool
  {
    guard !step.endConditions.isEmpty else { return false }
    // If each row belongs to the table itself, left-out rows show up in the count.
    guard step.isAnonymous else { return true }
    let rows = try connection.integer(
      "SELECT count(*) FROM \(step.source) AS r WHERE _id BETWEEN ?1 AND ?2",
      .integer(range.lowerBound),
      .integer(range.upperBound)
    )
    return rows != outcome.rows
  }

  /// Counts the link rows of a batch that are not written or dangle.
  private func countIncompleteLinks(
    _ links: LinkRelation,
    in range: ClosedRange<Int64>,
    _ outcome: inout BatchOutcome
  ) throws(SQLiteError) {
    outcome.links[links.relationship.description] = try IncompleteLinks(links, of: step, on: connection)
      .count("_id BETWEEN ?1 AND ?2", [.integer(range.lowerBound), .integer(range.upperBound)], written: outcome.rows)
  }

  private func place(_ range: ClosedRange<Int64>) -> String {
    if case .rows = step.kind { return "batch up to row \(range.upperBound)" }
    let from = max(range.lowerBound, 0)
    return "\(step.name), keys \(from) to \(range.upperBound)"
  }
}
