internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The main loop of a copy, by steps, batches and checkpoints.
struct RowCopy {
  let session: CopySession
  let planning: Planning
  /// The destination's layout.
  let layout: Layout
  /// The checkpoint, if batches are committed one by one.
  ///
  /// Otherwise the caller's single transaction holds all of them.
  let checkpoint: (any Checkpoint)?
  let options: CopyOptions
  let cancellation: Cancellation
  let onEvent: (WorkEvent) -> Void

  /// The limit of rejected objects.
  let bound: RejectBound

  var rejects: Rejects {
    Rejects(connection: session.connection, schema: checkpoint == nil ? "temp" : "main")
  }

  /// Copies every row that is not copied yet; returns the counts of links in all batches.
  ///
  /// Afterwards the updates that `update` returns for each step are performed. If the rows that are written stay as
  /// they are, `proceed` is called after each batch of a step, and after its last one.
  func run(
    update: @escaping (CopyStep) throws(DecantError) -> (any BatchCopy)?,
    proceed: (_ step: CopyStep, _ isDone: Bool) throws(DecantError) -> Void
  ) throws(DecantError) -> [String: LinkCounts] {
    var done: Int64 = 0
    var links: [String: LinkCounts] = [:]
    let expected = planning.rowCounts.values.reduce(0, +)
    let steps = planning.plan.steps
    let refused = refusedLinks
    let rowsStay = rowsStay && refused.isEmpty
    func refuseMissing() {
      planning.ids.refuseMissing(
        refused,
        andReferences: options.firstReferenceKey.map { (planning.plan.missing.required, $0) }
      )
    }
    refuseMissing()
    var released: [String: ReleasedValues] = [:]
    /// Returns the release of values for new rows of `step`, unless batches are committed one by one.
    func release(for step: CopyStep) throws(DecantError) -> ReleasedValues? {
      guard checkpoint == nil else { return nil }
      released[step.name] = try ReleasedValues(step, planning, to: layout, on: session.connection) {
        () throws(DecantError) in
        planning.ids.refuseMissing([])
        defer { refuseMissing() }
        return try withTriggers(of: step, isUpdate: true) { () throws(DecantError) in try update(step) }
      }
      return released[step.name]
    }
    defer { planning.ids.refuseMissing([]) }
    for (step, isUpdate) in steps.map({ ($0, false) }) + steps.map({ ($0, true) }) {
      // An existing object keeps its link.
      if isUpdate { planning.ids.refuseMissing([]) }
      if isUpdate, let rows = released[step.name]?.updatedRows {
        done += rows
        continue
      }
      guard
        let copy = try withTriggers(
          of: step,
          isUpdate: isUpdate,
          { () throws(DecantError) in
            try isUpdate ? update(step) : batchCopy(of: step, release(for: step))
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
        if rowsStay { try proceed(step, false) }
      }
      done += rows
      if rowsStay, !isUpdate { try proceed(step, true) }
    }
    guard let checkpoint else { return links }
    return try explaining("cannot read the checkpoint") { () throws(SQLiteError) in
      try checkpoint.links()
    }
  }

  /// Whether nothing but `refusedLinks` changes rows after their batch is committed: no object is rejected, and none is
  /// joined to another.
  private var rowsStay: Bool {
    checkpoint != nil && !planning.isMerge && !planning.plan.joinsObjects && options.onError == .stop
      && options.firstReferenceKey == nil
  }

  /// The relationships whose dangling links reject their objects.
  private var refusedLinks: Set<String> {
    let columns = planning.plan.linkColumns(of: layout)
    let refused = columns.filter { planning.plan.missing.rule(of: $0) == .reject }
    return Set(refused.map(\.property.description))
  }

  /// Counts the links of a page copy, and clears dangling ones, as the copy of rows does while it runs.
  func mendAdoptedLinks(in layout: Layout) throws(DecantError) -> [String: LinkCounts] {
    try explaining("cannot count links") { () throws(SQLiteError) in
      // The proof would find an object without entity, too.
      try AdoptedLinks(connection: session.connection, ids: planning.ids)
        .mend(layout, checksEntities: !options.verifies)
    }
  }

  /// Clears links to rejected objects, and records the rejects in the report.
  ///
  /// - Returns: `links`, without the cleared ones.
  func settleRejects(
    source: Layout,
    _ links: [String: LinkCounts],
    _ report: inout CopyReport
  ) throws(DecantError) -> [String: LinkCounts] {
    var links = links
    for (name, counts) in try followRejects(source) { links[name, default: LinkCounts()] += counts }
    try bound.check(rejects)
    try settling { () throws(SQLiteError) in
      for relation in source.relations {
        for (entity, count) in try rejects.counts(of: relation, in: CopySession.source) {
          report.reject(count, of: entity)
        }
        for (entity, count) in try rejects.counts(of: relation, in: CopySession.source, areThere: true) {
          report.reject(count, of: entity, areThere: true)
        }
      }
      report.rejectedByCode = try rejects.countsByCode()
      guard let checkpoint else {
        for (name, count) in try rejects.cutLinks(in: layout, ids: planning.ids) {
          links[name, default: LinkCounts()] += LinkCounts(copied: -count, cut: count)
        }
        return
      }
      // Counted in the transaction that clears them, so that a resumed run counts nothing twice.
      try session.connection.transaction { () throws(SQLiteError) in
        for (name, count) in try rejects.cutLinks(in: layout, ids: planning.ids) {
          try checkpoint.add(LinkCounts(copied: -count, cut: count), to: name)
        }
      }
      links = try checkpoint.links()
    }
    return links
  }

  /// Rejects objects that require a rejected object; returns the links lost with them.
  private func followRejects(_ source: Layout) throws(DecantError) -> [String: LinkCounts] {
    let reach = try explaining("cannot process the rejects") { () throws(SQLiteError) in
      try Reach("lost", on: session.connection)
    }
    let parents = RejectedParents(
      connection: session.connection,
      planning: planning,
      source: source,
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

  /// Runs `body`, which sets links to rejected objects to null; if one of them is required, throws an error that names
  /// it.
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

  /// Returns the condition that a row was not rejected, for steps without integer keys that lost objects.
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

  /// Prepares a copy; `nil` if there is nothing to write and a trigger or constraint needs a function of an app.
  ///
  /// - Throws: `DecantError` that names the trigger and the function, if there are rows to write.
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
        // An update is prepared only if rows are updated.
        if !isUpdate, try session.connection.integer(step.firstRow) == nil { return (nil, false) }
        // Prefers the trigger fired by this kind of statement.
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

  /// Returns the unknown function in SQLite's message, since there is no error code for it.
  private static func missingFunction(in message: String) -> String? {
    for marker in ["no such function: ", "unknown function: "] where message.contains(marker) {
      let parts = message.split(separator: marker)
      return parts.last.map { String($0.prefix { $0 != "(" }) }
    }
    return nil
  }

  /// Returns the plan with the proof that links by values to rejected rows are empty.
  func provingRejects(_ plan: CopyPlan, from source: Layout) throws(DecantError) -> CopyPlan {
    let roots = try explaining("cannot read the rejects") { () throws(SQLiteError) in try Set(rejects.roots()) }
    guard !roots.isEmpty else { return plan }
    var plan = plan
    for link in plan.valueLinks(from: source, to: layout) where roots.contains(link.targets.target.root) {
      guard let index = plan.steps.firstIndex(where: { $0.objectRoot == link.written.root }),
        var targets = NonIntegerKeyTargets(link.link, in: source, schema: CopySession.source)
      else { continue }
      targets.accepted = "NOT \(rejects.include(targets.target, as: "p"))"
      plan.steps[index].proveEmpty(link.emptied, of: link.written, to: link.targetTable, targets)
    }
    return plan
  }

  private func batchCopy(of step: CopyStep, _ released: ReleasedValues?) throws(DecantError) -> any BatchCopy {
    if case .values(let count) = step.batching {
      return try ValueBatchCopy(
        step,
        keyCount: count,
        on: session.connection,
        ids: planning.ids,
        options: options,
        rejects: rejects,
        bound: bound,
        released: released
      )
    }
    return try StepCopy(
      step,
      on: session.connection,
      ids: planning.ids,
      options: options,
      rejects: rejects,
      bound: bound,
      released: released,
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

  /// Runs `body` in its own transaction, unless a single transaction holds everything.
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
