internal import DecantBase
internal import DecantPostgres
internal import DecantStore

/// Writing the batches.
extension BatchRun {
  /// The number of rows that were added, and of those that are to be.
  var counts: (done: Int64, all: Int64) {
    steps.filter { $0.kind == .rows }.reduce((0, 0)) { ($0.0 + $1.done, $0.1 + $1.count) }
  }

  /// Writes what is left, each batch in a transaction of its own.
  func perform(batchSize: Int64, verifies: Bool) throws(DecantError) {
    var missing: [String: Int64] = [:]
    for number in steps.indices {
      while steps[number].done < steps[number].count {
        guard !connection.isStopped() else { throw DecantError(.interrupted, "the operation was interrupted") }
        let last = min(steps[number].done + batchSize, steps[number].count)
        let batch = try repeating(matches: !steps[number].matches.isEmpty) { (matching) throws(DecantError) in
          var batch = Batch()
          try connection.transaction { () throws(DecantError) in
            batch = try write(steps[number], number, upTo: last, verifies, matching)
          } explaining: { error in
            server.error(error, "cannot commit a batch")
          }
          return batch
        }
        steps[number].done = last
        steps[number].matched += batch.matched
        missing[steps[number].table, default: 0] += batch.missing
      }
    }
    for table in Set(steps.map(\.table)).sorted() {
      // Those of an earlier process are known as well.
      let matched = steps.filter { $0.table == table }.reduce(0) { $0 + $1.matched }
      note(Batch(matched: matched, missing: missing[table] ?? 0), of: table)
    }
  }

  /// What others have changed of a batch.
  private struct Batch {
    /// The number of rows that they have added.
    var matched: Int64 = 0
    /// The number of links that were not written.
    var missing: Int64 = 0
  }

  private func note(_ batch: Batch, of table: String) {
    let (matched, missing) = (batch.matched, batch.missing)
    if missing > 0 {
      notes.append(
        ReportNote(
          .changedMeanwhile,
          "\(missing.counted("row")) of \(table) did not get a link: other programs have deleted "
            + "\(missing == 1 ? "it or its target" : "them or their targets") since, or given "
            + "\(missing == 1 ? "it" : "them") another"))
    }
    if matched > 0 {
      notes.append(
        ReportNote(
          .changedMeanwhile,
          "\(matched.counted("row")) of \(table) \(matched == 1 ? "was" : "were") not added: another program has added "
            + "\(matched == 1 ? "one" : "others") with the same unique values since, to which links lead now"))
    }
  }

  /// Runs a transaction again if the server ends it because of others, at most ten times; and with `true` if it refuses
  /// unique values: others may add several rows, one after the other.
  private func repeating(matches: Bool, _ body: (Bool) throws(DecantError) -> Batch) throws(DecantError) -> Batch {
    var (matching, refusals) = (false, 0)
    for _ in 1..<10 {
      do throws(DecantError) { return try body(matching) } catch {
        guard let cause = error.cause as? PostgresError else { throw error }
        let isOfOthers = cause.state.map(["40001", "40P01"].contains) ?? false
        guard isOfOthers || matches && cause.isOfEqualRows && refusals < 5 else { throw error }
        if cause.isOfEqualRows {
          matching = true
          refusals += 1
        }
        Files.pause(milliseconds: UInt32.random(in: 20...100))
      }
    }
    return try body(matching)
  }

  /// Writes one batch of a step, and notes it, in an open transaction.
  private func write(_ step: Step, _ number: Int, upTo last: Int64, _ verifies: Bool, _ matching: Bool)
    throws(DecantError) -> Batch
  {
    var batch = Batch()
    let isNext = try server.explaining("cannot note a batch") { () throws(PostgresError) in
      try connection.run(
        "UPDATE \(progress) SET done = $3::bigint WHERE number = $1::bigint AND done = $2::bigint",
        [String(number), String(step.done), String(last)])
    }
    guard isNext == 1 else {
      throw DecantError(
        .storeLocked, "another process continues this run", place: "\(server.place)", remedy: "let it finish",
        remedies: [])
    }
    let condition = step.isIn(step.done + 1, last)
    if matching { batch.matched = try match(step, number, upTo: last) }
    if batch.matched > 0 {
      _ = try server.explaining("cannot note a batch") { () throws(PostgresError) in
        try connection.run(
          "UPDATE \(progress) SET matched = matched + $2::bigint WHERE number = $1::bigint",
          [String(number), String(batch.matched)])
      }
    }
    let count = last - step.done - batch.matched
    switch step.kind {
    case .constraint:
      do throws(DecantError) {
        try TableLock(server, connection, []).take(
          by: step.statement, "cannot restore the foreign keys of \(step.table)")
      } catch {
        throw explained(error, of: step)
      }
    case .links:
      // Those of rows that others have added are not in the record.
      let left = try server.explaining("cannot write links of \(step.table)") { () throws(PostgresError) in
        try connection.text("SELECT count(*) FROM \(recordTable(number)) AS u WHERE \(condition)")
      }
      let before = verifies ? try linkState(of: step, condition, locks: true) : nil
      let written = try write("\(step.statement) AND \(condition)", "cannot write links of \(step.table)", step)
      try checkDeferred(step)
      batch.missing = (left.flatMap { Int64($0) } ?? count) - written
      guard let before, let after = try linkState(of: step, condition) else { break }
      let lost = before.linked + written - after.linked
      guard lost == 0, after.others == before.others else { throw notAsWritten(step, lost > 0 ? lost : nil) }
    case .rows:
      let written = try write("\(step.statement) AND \(condition)", "cannot add rows to \(step.table)", step)
      try checkDeferred(step)
      var same = written
      if verifies, written == count, let pairs = step.pairs {
        let isSame = step.isSame.map { " AND \($0)" } ?? ""
        let text = try server.explaining("cannot read the rows of \(step.table) again") { () throws(PostgresError) in
          try connection.text("SELECT count(*) FROM \(pairs) WHERE \(condition)\(isSame)")
        }
        same = text.flatMap { Int64($0) } ?? 0
      }
      guard same == count else { throw notAsWritten(step, count - same) }
    }
    return batch
  }

  /// Lets the server check deferred constraints and run deferred triggers, which may change the rows of a batch.
  private func checkDeferred(_ step: Step) throws(DecantError) {
    guard server.abilities.has(.deferrable) else { return }
    _ = try write("SET CONSTRAINTS ALL IMMEDIATE", "cannot check the rows of \(step.table)", step)
  }

  /// The rows of a batch of links, which are locked with `locks`: how many have their links, and a hash of their other
  /// copied values; `nil` if they cannot be found again.
  private func linkState(of step: Step, _ condition: String, locks: Bool = false) throws(DecantError) -> (
    linked: Int64, others: String?
  )? {
    guard let pairs = step.pairs, let isSame = step.isSame, let others = step.others else { return nil }
    let row = try server.explaining("cannot read the rows of \(step.table) again") { () throws(PostgresError) in
      try connection.rows(
        """
        SELECT pg_catalog.count(CASE WHEN x.linked THEN 1 END),
          pg_catalog.sum(('x' || pg_catalog.substr(pg_catalog.md5(x.others), 1, 16))::bit(64)::bigint)
        FROM (SELECT \(isSame) AS linked, \(others) AS others FROM \(pairs) WHERE \(condition)
          \(locks ? "FOR NO KEY UPDATE OF t" : "")) AS x
        """
      ).first
    }
    return (row?[0].flatMap { Int64($0) } ?? 0, row?[1])
  }

  /// The error for rows of a batch that the server has changed.
  private func notAsWritten(_ step: Step, _ count: Int64?) -> DecantError {
    let rows =
      count.map { "\($0.counted("row")) of \(step.table) \($0 == 1 ? "is" : "are")" } ?? "rows of \(step.table) are"
    return DecantError(
      .proofFailed,
      "\(rows) not on the server as written: look for triggers and rules of this table",
      place: "\(server.place)",
      remedy: "change what refuses or changes them, then \(.again(with: .resume))"
    )
  }

  /// Returns the table of the record with the rows of a step, in the form used in statements.
  func recordTable(_ number: Int) -> String {
    qualified(BatchRun.recordTable(steps[number].kind, number))
  }

  static func recordTable(_ kind: Step.Kind, _ number: Int) -> String { "\(kind.rawValue)_\(number)" }

  private func write(_ sql: String, _ context: String, _ step: Step) throws(DecantError) -> Int64 {
    do throws(PostgresError) { return try connection.run(sql) } catch {
      throw explained(server.error(error, context), of: step)
    }
  }

  /// Returns an error with a remedy if the server refuses rows because of what others have written since.
  private func explained(_ error: DecantError, of step: Step) -> DecantError {
    guard let cause = error.cause as? PostgresError, cause.isOfRow else { return error }
    var explained = error
    let undone: DecantError.Text = "or undo the run with \(command: "rollback", app: "a rollback")"
    explained.advice =
      step.kind == .constraint
      ? "change or delete these rows of \(step.table), then \(.again(with: .resume)); \(undone)"
      : step.kind == .links
        ? .again(with: .resume)
        : cause.isOfLink
          ? "another program has deleted a row to which a row to be added refers: restore it, then \(.again(with: .resume)); "
            + "\(undone)"
          : "change what refuses them, such as a row that another program has added since, then \(.again(with: .resume)); "
            + "\(undone)"
    return explained
  }
}
