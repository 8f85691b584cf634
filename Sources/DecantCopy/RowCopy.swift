internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The loop of a copy: step by step, batch by batch, checkpoint by checkpoint.
struct RowCopy {
  let session: CopySession
  let planning: Planning
  /// Of the destination.
  let layout: Layout
  /// How far the copy has come, where batches are committed one by one.
  ///
  /// Otherwise one transaction, the caller's, holds all of them.
  let checkpoint: (any Checkpoint)?
  let options: CopyOptions
  let cancellation: Cancellation
  let onEvent: (WorkEvent) -> Void

  /// How many objects may be rejected.
  let bound: RejectBound

  var rejects: Rejects {
    Rejects(connection: session.connection, schema: checkpoint == nil ? "temp" : "main")
  }

  /// Copies every row that is not copied yet; returns the links that all batches together met.
  ///
  /// Then what `update` makes of each step is done, if it is anything.
  func run(update: (CopyStep) throws(DecantError) -> (any BatchCopy)?) throws(DecantError) -> [String: LinkCounts] {
    var done: Int64 = 0
    var links: [String: LinkCounts] = [:]
    let expected = planning.rowCounts.values.reduce(0, +)
    let steps = planning.plan.steps
    planning.ids.refuseMissing(
      refusedLinks,
      andReferences: options.firstReferenceKey.map { (planning.plan.missing.required, $0) }
    )
    defer { planning.ids.refuseMissing([]) }
    for (step, isUpdate) in steps.map({ ($0, false) }) + steps.map({ ($0, true) }) {
      // An object that is there keeps the link it has.
      if isUpdate { planning.ids.refuseMissing([]) }
      guard
        let copy = try withTriggers(
          of: step,
          isUpdate: isUpdate,
          { () throws(DecantError) in
            try isUpdate ? update(step) : batchCopy(of: step)
          }
        )
      else { continue }
      let name = isUpdate ? "update \(step.name)" : step.name
      var (position, rows) = try explaining("cannot read the checkpoint") {
        () throws(SQLiteError) in try checkpoint?.position(of: name) ?? (nil, 0)
      }
      while let batch = try explaining(
        "cannot read \(step.name)",
        {
          () throws(SQLiteError) in try copy.nextBatch(after: position)
        }
      ) {
        try stopIfAsked()
        let outcome = try inBatch(step) { () throws(DecantError) in
          let outcome = try explaining(name) { () throws(DecantError) in try copy.copy(batch) }
          try explaining("cannot record the checkpoint") { () throws(SQLiteError) in
            try checkpoint?.record(name, position: batch.last, rows: rows + outcome.rows, links: outcome.links)
          }
          return outcome
        }
        position = batch.last
        rows += outcome.rows
        for (name, counts) in outcome.links { links[name, default: LinkCounts()] += counts }
        tell(step, done + rows, expected)
      }
      done += rows
    }
    guard let checkpoint else { return links }
    return try explaining("cannot read the checkpoint") { () throws(SQLiteError) in
      try checkpoint.links()
    }
  }

  /// The relationships whose links have their object rejected where they lead nowhere.
  private var refusedLinks: Set<String> {
    let columns = planning.plan.linkColumns(of: layout)
    let refused = columns.filter { planning.plan.missing.rule(of: $0) == .reject }
    return Set(refused.map(\.property.description))
  }

  /// Counts the links of a page copy, and makes null those that lead nowhere: what the copy of rows
  /// does as it goes.
  func mendAdoptedLinks(in layout: Layout) throws(DecantError) -> [String: LinkCounts] {
    try explaining("cannot count links") { () throws(SQLiteError) in
      let links = AdoptedLinks(connection: session.connection, ids: planning.ids)
      // The proof would meet such an object; without one, it is looked for.
      if !options.verifies { try links.checkEntities(of: layout) }
      return try links.mend(layout)
    }
  }

  /// Cuts links to rejected objects, and enters the rejects into the report.
  ///
  /// - Returns: `links`, without those that were cut.
  func settleRejects(
    source: Layout,
    _ links: [String: LinkCounts],
    _ report: inout CopyReport
  ) throws(DecantError) -> [String: LinkCounts] {
    var links = links
    for (name, counts) in try followRejects() { links[name, default: LinkCounts()] += counts }
    try bound.check(rejects)
    try settling { () throws(SQLiteError) in
      for relation in source.relations {
        for (entity, count) in try rejects.counts(of: relation, in: CopySession.source) {
          report.reject(count, of: entity)
        }
      }
      report.rejectedByCode = try rejects.countsByCode()
      guard let checkpoint else {
        for (name, count) in try rejects.cutLinks(in: layout, ids: planning.ids) {
          links[name, default: LinkCounts()] += LinkCounts(copied: -count, cut: count)
        }
        return
      }
      // Counted in the transaction that cuts them: a run that is resumed counts nothing twice.
      try session.connection.transaction { () throws(SQLiteError) in
        for (name, count) in try rejects.cutLinks(in: layout, ids: planning.ids) {
          try checkpoint.add(LinkCounts(copied: -count, cut: count), to: name)
        }
      }
      links = try checkpoint.links()
    }
    return links
  }

  /// Rejects what may not be without an object that was rejected; returns the links that are gone with it.
  private func followRejects() throws(DecantError) -> [String: LinkCounts] {
    let reach = try explaining("cannot process the rejects") { () throws(SQLiteError) in
      try Reach("lost", on: session.connection)
    }
    let parents = RejectedParents(
      connection: session.connection,
      planning: planning,
      layout: layout,
      rejects: rejects,
      onError: options.onError,
      reach: reach
    )
    guard try parents.matter else { return [:] }
    var lost: [String: LinkCounts] = [:]
    try inTransaction("the rejects") { () throws(DecantError) in
      lost = try parents.follow()
      try explaining("cannot record the checkpoint") { () throws(SQLiteError) in
        for (name, counts) in lost { try checkpoint?.add(counts, to: name) }
      }
    }
    return lost
  }

  /// Runs `body`, which makes links to rejected objects null; says which link must not be.
  private func settling(_ body: () throws(SQLiteError) -> Void) throws(DecantError) {
    do throws(SQLiteError) { try body() } catch {
      let marker = "NOT NULL constraint failed: "
      guard error.message.hasPrefix(marker) else {
        throw DecantError("cannot process the rejects", cause: error)
      }
      throw DecantError(
        .linkBroken,
        "\(error.message.dropFirst(marker.count)) is required, and points to objects that the "
          + "destination rejected",
        remedy:
          "also reject the objects that point to them: missing: reject in a mapping, or \(say: .onError, "reject"); or exclude "
          + "those objects with \(say: .where)",
        cause: error
      )
    }
  }

  /// For steps without integer keys that lost objects: the condition that a row was not rejected.
  func rejectedConditions() throws(DecantError) -> [String: String] {
    var conditions: [String: String] = [:]
    for step in planning.plan.steps {
      guard case .unkeyed(let root, let key) = step.kind else { continue }
      let isComplete = try explaining("cannot read the rejects") { () throws(SQLiteError) in
        try !rejects.roots().contains(root)
      }
      if !isComplete { conditions[step.name] = rejects.isAccepted(root: root, key: key) }
    }
    return conditions
  }

  /// Prepares what is to be written; `nil` where that is nothing and a trigger or a constraint needs a function of an app.
  ///
  /// - Throws: `DecantError` that names the trigger and the function, where rows are to be written.
  private func withTriggers(
    of step: CopyStep,
    isUpdate: Bool,
    _ prepare: () throws(DecantError) -> (any BatchCopy)?
  ) throws(DecantError) -> (any BatchCopy)? {
    do throws(DecantError) {
      return try prepare()
    } catch {
      guard let cause = error.cause as? SQLiteError,
        let name = RowCopy.missingFunction(in: cause.message)
      else { throw error }
      let found = try explaining("cannot look for triggers") {
        () throws(SQLiteError) -> (trigger: String?, writes: Bool) in
        // An update is prepared only where rows are updated.
        if !isUpdate, try session.connection.integer(step.firstRow) == nil { return (nil, false) }
        // Of several the one that this statement fires.
        let trigger = try session.connection.text(
          """
          SELECT name FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE
          AND instr(lower(sql), lower(?2)) ORDER BY instr(lower(sql), ?3) = 0, rowid LIMIT 1
          """,
          .text(step.table),
          .text(name),
          .text(isUpdate ? "update" : "insert")
        )
        return (trigger, true)
      }
      guard found.writes else { return nil }
      guard let trigger = found.trigger else { throw error }
      throw DecantError(
        .unsupportedContent,
        "the trigger \(trigger) of \(step.table) calls \(name), a function that only the database's own app defines",
        remedy: "write the rows without running triggers: \(say: .noTriggers)",
        cause: cause
      )
    }
  }

  /// The function that SQLite does not know, as its message has it: there is no code of its own for this.
  private static func missingFunction(in message: String) -> String? {
    for marker in ["no such function: ", "unknown function: "] where message.contains(marker) {
      let parts = message.split(separator: marker)
      return parts.last.map { String($0.prefix { $0 != "(" }) }
    }
    return nil
  }

  private func batchCopy(of step: CopyStep) throws(DecantError) -> any BatchCopy {
    if case .values(let count) = step.batching {
      return try ValueBatchCopy(
        step,
        keyCount: count,
        on: session.connection,
        ids: planning.ids,
        options: options,
        rejects: rejects,
        bound: bound
      )
    }
    return try StepCopy(
      step,
      on: session.connection,
      ids: planning.ids,
      options: options,
      rejects: rejects,
      bound: bound,
      files: session.files.source
    )
  }

  private func inBatch(_ step: CopyStep, _ body: () throws(DecantError) -> BatchOutcome)
    throws(DecantError) -> BatchOutcome
  {
    var outcome = BatchOutcome()
    try inTransaction("a batch of \(step.name)") { () throws(DecantError) in outcome = try body() }
    return outcome
  }

  /// Runs `body` in a transaction of its own, where not one holds all of them.
  private func inTransaction(_ title: String, _ body: () throws(DecantError) -> Void) throws(DecantError) {
    guard checkpoint != nil else { return try body() }
    try explaining("cannot begin \(title)") { () throws(SQLiteError) in
      try session.connection.run("BEGIN")
    }
    do throws(DecantError) {
      try body()
      try explaining("cannot commit \(title)") { () throws(SQLiteError) in
        try session.connection.run("COMMIT")
      }
    } catch {
      if !session.connection.isAutocommit { try? session.connection.run("ROLLBACK") }
      throw error
    }
  }

  private func stopIfAsked() throws(DecantError) {
    guard cancellation.isCancelled else { return }
    throw DecantError(.interrupted, "the copy was interrupted")
  }

  private func tell(_ step: CopyStep, _ rows: Int64, _ expected: Int64) {
    let pages = try? session.connection.integer("PRAGMA main.page_count")
    let size = try? session.connection.integer("PRAGMA main.page_size")
    onEvent(
      .progress(
        WorkProgress(
          phase: .copy,
          step: step.name,
          rowCount: rows,
          expectedRowCount: expected,
          byteCount: (pages ?? 0) * (size ?? 0)
        )
      )
    )
  }
}
