internal import DecantBase
internal import DecantMapping
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantProof
internal import DecantStore
internal import DecantSQLite

extension CopyRun {
  /// The data shared by the phases of one copy.
  private struct Work {
    let planner: Planner
    let planning: Planning
    let writer: any CopyWriter
    let session: CopySession
    let rows: RowCopy
    var proof: CopyProof
    /// The contents of tables without keys before the copy.
    let before: ProofSums
    /// Whether the destination's triggers run while rows are written.
    let triggersRun: Bool
    /// What is written into a store that exists.
    let watch: ChangeWatch?

    var source: any SourceStore { planner.source }
    var destination: any DestinationStore { planner.destination }
  }

  /// Performs the copy planned in `first`, proves it and puts it in place.
  ///
  /// - Returns: The report.
  /// - Throws: `DecantError`; the writer says what remains of the work.
  func perform(
    _ first: Planning,
    _ planner: Planner,
    _ writer: any CopyWriter,
    _ log: SourceLog?,
    _ opener: any StoreOpener
  ) throws(DecantError) -> CopyReport {
    let (session, fingerprint) = try writer.open(planner.source, StopCheck(cancellation))
    try log?.check()
    try planner.source.mapped?.settle(on: session.connection, as: CopySession.source)
    let planning = try current(first, planner, writer, session, fingerprint)
    // The sums belong to another plan.
    if planning.ids !== first.ids { ahead = nil }
    defer { if planning.ids !== first.ids { planning.ids.removeAll() } }
    if planning.connection !== session.connection {
      try planner.source.mapped?.carryStubs(from: planning.connection, to: session.connection)
    }
    try session.offer(planning.ids, files: planner.destination.externalStorage)
    try planning.ids.numberedRows?.offer(on: session.connection, "main")
    try MissingTargets(connection: session.connection, planning: planning)
      .check(planner.destination.layout, in: "main", from: planner.source.layout)
    try RequiredTargets(connection: session.connection, planning: planning, options: options)
      .check(planner.destination.layout, in: "main")
    var work = try begin(planning, planner, writer, on: session)
    var report = self.report(planner.source, planner.destination, planning)
    report.countObjects()
    try copyRows(work, opener, &report)
    let merged = try recorded(work, &report)
    work.proof.rejected = try work.rows.rejectedConditions()
    work.proof.plan = try work.rows.provingRejects(work.proof.plan, from: planner.source.layout)
    try finish(work, &report)
    try report.checkBalance()
    // A resumed run completes the store that an earlier run identified.
    report.destination.uuid = try planner.destination.uuid(in: "main", on: session.connection)
    try writeIDTable(work, &report)
    begin(.publish)
    if let merged { work.writer.note(merged: merged) }
    work.writer.note(command: copy.command, report)
    try publish(work)
    report.notes += writer.notes
    return report
  }

  private func begin(
    _ planning: Planning,
    _ planner: Planner,
    _ writer: any CopyWriter,
    on session: CopySession
  ) throws(DecantError) -> Work {
    let checkpoint = try writer.begin(planning, on: session)
    let rows = RowCopy(
      session: session,
      planning: planning,
      layout: planner.destination.layout,
      checkpoint: checkpoint,
      options: options,
      cancellation: cancellation,
      onEvent: onEvent,
      bound: RejectBound(options, planning)
    )
    if checkpoint == nil {
      try explaining("cannot begin the copy") { () throws(SQLiteError) in try rows.rejects.create() }
    }
    let proof = planner.proof(of: planning, planning.ids)
    begin(.copy)
    return Work(
      planner: planner,
      planning: planning,
      writer: writer,
      session: session,
      rows: rows,
      proof: proof,
      before: try before(proof, planning, checkpoint, session),
      triggersRun: !planner.destination.isNew && planner.destination.firesTriggers,
      watch: planner.destination.isNew ? nil : ChangeWatch(session.connection)
    )
  }

  /// Returns the source as it is recorded in the destination; `nil`, with a note, if another merge of it could do more.
  private func recorded(_ work: Work, _ report: inout CopyReport) throws(DecantError) -> MergedSource? {
    guard let merged = options.mergedSource else { return nil }
    // Their targets may be added to the destination, also for rows that are not new.
    let dangling = try NonIntegerKeyTargets.counts(
      of: work.source.layout, filters: work.planning.plan.filters, on: work.session.connection
    ).values.reduce(report.links.dangling) { $0 + $1.dangling }
    let reasons = [
      (work.planning.fingerprint != merged.content.fingerprint, "it was written to meanwhile"),
      (report.rejectedCount > 0, "objects were rejected"), (report.conflictCount > 0, "objects have conflicts"),
      (dangling > 0, "links have no target"),
      (TimeUse.current?.isFound == true, "a condition or an expression calls a function of dates and times"),
    ]
    guard let reason = reasons.first(where: \.0)?.1 else { return merged }
    report.notes.append(
      ReportNote(.mergeNotRecorded, "the next run merges the source again, although it is unchanged: \(reason)"))
    return nil
  }

  // MARK: Rows

  /// Writes the objects and their links until the place of the destination accepts the rows; returns the counts of links.
  private func acceptedRows(_ work: Work, _ report: inout CopyReport) throws(DecantError) -> [String: LinkCounts] {
    guard options.onError == .reject, work.writer.mayRefuseRows else { return try writeRows(work, &report) }
    let connection = work.session.connection
    let objects = RefusedObjects(
      connection: connection, planning: work.planning, rejects: work.rows.rejects, bound: work.rows.bound)
    var refused: [RefusedRow] = []
    func run(_ sql: String) throws(DecantError) {
      try explaining("cannot write the rows again") { () throws(SQLiteError) in try connection.run(sql) }
    }
    while true {
      var attempt = report
      try run("SAVEPOINT decant_attempt")
      let links = try writeRows(work, without: refused.isEmpty ? nil : (objects, refused), &attempt)
      let found = try work.writer.refusedRows(work.session)
      guard !found.isEmpty else {
        try run("RELEASE decant_attempt")
        report = attempt
        return links
      }
      objects.forget()
      try run("ROLLBACK TO decant_attempt")
      try run("RELEASE decant_attempt")
      refused += found
    }
  }

  /// Writes the objects and their links, and sets rejected objects aside; returns the counts of links.
  private func writeRows(
    _ work: Work,
    without refused: (objects: RefusedObjects, rows: [RefusedRow])? = nil,
    _ report: inout CopyReport
  ) throws(DecantError) -> [String: LinkCounts] {
    let (planning, session, rows) = (work.planning, work.session, work.rows)
    let added = try TriggeredRows(work.destination, on: session.connection)
    var lists: ListOrders?
    if planning.isMerge {
      lists = try explaining("cannot read the lists") { () throws(SQLiteError) in
        var lists = ListOrders(
          connection: session.connection,
          ids: planning.ids,
          layouts: Sided(work.source.layout, work.destination.layout),
          schemas: Sided(CopySession.source, "main")
        )
        try lists.begin()
        return lists
      }
    }
    try setTriggers(work.triggersRun, session)
    if let refused { try refused.objects.begin(refused.rows) }
    let met =
      work.writer.hasPages
      ? try rows.mendAdoptedLinks(in: work.destination.layout)
      : try rows.run { step throws(DecantError) in
        try self.update(step, work)
      } proceed: { step, isDone throws(DecantError) in
        try work.writer.proceed(after: step, isDone: isDone, on: session)
      }
    if let refused { try refused.objects.end(refused.rows) }
    if planning.isMerge {
      report.enter(
        removed: try MergeReplacement(
          connection: session.connection,
          planning: planning,
          source: work.source.layout,
          destination: work.destination.layout,
          model: work.source.model
        ).run()
      )
    }
    var links = try rows.settleRejects(source: work.source.layout, met, &report)
    let single = try SingleLinks(
      connection: session.connection,
      planning: planning,
      source: work.source.layout,
      destination: work.destination
    ).settle()
    for (name, count) in single.written {
      links[name, default: LinkCounts()].copied -= count
      links[name, default: LinkCounts()].cut += count
    }
    for (name, count) in single.given { links[name, default: LinkCounts()].copied += count }
    report.notes += single.notes
    if let lists {
      try explaining("cannot put lists in order") { () throws(SQLiteError) in
        let taken = planning.ids.baseChanges?.orders ?? []
        try lists.write(taken)
        // The lists of a mapping may have no order of their own.
        if work.source.mapped == nil { try lists.placeAdded(besides: taken) }
      }
    }
    try setTriggers(false, session)
    if !work.writer.continuesEarlierWork {
      report.notes += try added.notes(report)
      // After a merge or a selection, some rows are missing for other reasons.
      if !planning.isMerge, !options.choosesObjects { report.notes += try added.lostNotes() }
    }
    return links
  }

  /// Writes the objects, their links and their files, and the file of rejected objects.
  private func copyRows(_ work: Work, _ opener: any StoreOpener, _ report: inout CopyReport) throws(DecantError) {
    let (planning, session, rows) = (work.planning, work.session, work.rows)
    let links = try acceptedRows(work, &report)
    if let rejectsFile, report.rejectedCount > 0 {
      // The source is held in the copied state.
      report.notes += try rejectsFile.write(
        rows.rejects,
        of: work.source,
        copy.source,
        to: work.destination,
        options,
        planning.fingerprint,
        by: opener
      )
      report.rejectsFile = rejectsFile.path
    }
    report.enter(links, secondEnds: planning.plan.secondEnds)
    let rejects = report.rejectedCount > 0 ? rows.rejects : nil
    try countNonIntegerKeys(planning, work.source.layout, rejects, on: session.connection, into: &report)
    report.files = try work.writer.copyFiles(planning, from: work.source, on: session) ?? report.files
    let inlined = try InlinedFiles(
      source: work.source.layout,
      destination: work.destination.layout,
      connection: session.connection
    ).counts()
    report.files.copied += inlined.copied
    report.files.missing += inlined.missing
  }

  /// Returns the changes of a step to existing objects; `nil` unless this is a merge.
  private func update(_ step: CopyStep, _ work: Work) throws(DecantError) -> (any BatchCopy)? {
    guard work.planning.isMerge else { return nil }
    if case .unkeyed = step.kind {
      return try RowUpdate(step, work.planning, to: work.destination.layout, on: work.session.connection)
    }
    return try MergeUpdate(
      step,
      work.planning,
      from: work.source.layout,
      to: work.destination.layout,
      batchSize: options.batchSize,
      on: work.session.connection
    )
  }

  /// Enables or disables the destination's triggers.
  ///
  /// They may write to a full-text index, as they do for any insert; SQLite does not mark these as harmless. decant's
  /// own functions are available only to statements, not to schemas.
  private func setTriggers(_ areEnabled: Bool, _ session: CopySession) throws(DecantError) {
    try explaining("cannot set triggers") { () throws(SQLiteError) in
      try session.connection.setTriggersEnabled(areEnabled)
      try session.connection.setSchemasTrusted(areEnabled)
    }
  }

  /// Returns the sums of the destination's tables in which copied rows cannot be told apart by a key, before the copy.
  private func before(
    _ proof: CopyProof,
    _ planning: Planning,
    _ checkpoint: (any Checkpoint)?,
    _ session: CopySession
  ) throws(DecantError) -> ProofSums {
    guard options.verifies, !planning.isNew, planning.plan.steps.contains(where: \.isAnonymous)
    else { return [:] }
    return try explaining("cannot read the destination") { () throws(SQLiteError) in
      if let sums = try checkpoint?.sums() { return sums }
      let sums = try proof.anonymousSums(on: session.connection, schema: "main")
      try checkpoint?.record(sums)
      return sums
    }
  }

  /// Returns the plan, made again if source or destination has changed since; both are held now.
  private func current(
    _ first: Planning,
    _ planner: Planner,
    _ writer: any CopyWriter,
    _ session: CopySession,
    _ fingerprint: Fingerprint
  ) throws(DecantError) -> Planning {
    let isSame = try isAsPlanned(first, planner, writer, session)
    if isSame, fingerprint == first.fingerprint {
      try planner.destination.checkRoom(for: first.enteredCount, in: "main", on: session.connection)
      return first
    }
    guard !writer.continuesEarlierWork || first.isNew else {
      throw DecantError(
        .storeChanged,
        "“\(isSame ? planner.source.identity.place : planner.destination.identity.place)” was changed while the "
          + "copy was planned",
        remedy: "close the program that is writing it, then \(.again)"
      )
    }
    return try planner.planning(on: session.connection, of: fingerprint, destination: "main")
  }

  /// Returns whether the held destination is in the planned state.
  private func isAsPlanned(
    _ first: Planning,
    _ planner: Planner,
    _ writer: any CopyWriter,
    _ session: CopySession
  ) throws(DecantError) -> Bool {
    guard !first.isNew else { return true }
    if try writer.heldState == first.destinationFingerprint { return true }
    // Objects to compare must not have changed; otherwise only the keys matter.
    guard !first.isMerge, !writer.continuesEarlierWork else { return false }
    return try planner.counters(in: "main", on: session.connection) == first.counters
  }

  // MARK: Proof and publication

  /// Creates the indexes and system data of the destination, and proves its contents.
  private func finish(_ work: Work, _ report: inout CopyReport) throws(DecantError) {
    let (planning, session) = (work.planning, work.session)
    var prover = Prover(work.proof, session, planning, cancellation, onEvent)
    prover.before = work.before
    prover.triggersRan = work.triggersRun
    prover.watch = work.watch
    begin(.check)
    // The sums computed ahead include rejected rows.
    if report.rejectedCount > 0 { ahead = nil }
    // Rows that a damaged source lost are in no sum, so the check must come first.
    try finishCheck()
    // The writer may release the source when it finishes.
    let expected = options.verifies && !work.writer.hasTakenSource ? try prover.expected(ahead) : nil
    ahead = nil
    begin(.index)
    try work.writer.finish(planning, on: session)
    if let closure = planning.ids.closure {
      let reader = try reader(work)
      try ClosureScan(closure, ids: planning.ids, isNew: planning.isNew)
        .run(work.destination.layout, on: reader.connection, schema: reader.schema)
    }
    guard options.verifies else { return }
    begin(.check)
    let structure = work.writer.isTemporary ? nil : try reader(work)
    try prover.prove(expected, try reader(work), structure: structure, &report)
    // The rows of the result itself show which objects differ.
    if try !work.writer.isAsRead(session) { try prover.prove(expected, try reader(work), structure: nil, &report) }
    guard planning.isMerge else { return }
    try MergeProof(
      connection: session.connection,
      planning: planning,
      proof: work.proof,
      source: work.source.layout
    ).check()
  }

  /// Returns the reader of the result, which stops when the session would.
  private func reader(_ work: Work) throws(DecantError) -> (connection: Connection, schema: String) {
    let reader = try work.writer.reader(work.session)
    reader.connection.setProgressCheck(StopCheck(cancellation))
    return reader
  }

  /// Writes the ID table, if it was requested.
  private func writeIDTable(_ work: Work, _ report: inout CopyReport) throws(DecantError) {
    guard let file = options.idTableFile else { return }
    let table = IDTableFile(file)
    try table.write(
      work.planning,
      from: report.source,
      to: report.destination,
      links: options.links,
      through: (work.source.mapped as? MappedStore).map { ($0, work.session.connection) }
    )
    writtenIDTable = table
    report.idTableFile = file
  }

  /// Puts the copy in place, and then the files about it.
  private func publish(_ work: Work) throws(DecantError) {
    if let writtenIDTable { try work.writer.note(idTable: writtenIDTable.path, partial: writtenIDTable.partial) }
    try work.writer.publish(work.session)
    isPublished = true
    let planning = work.planning
    // The copy is done; a request to stop comes too late.
    work.session.connection.setProgressCheck(nil)
    planning.connection.setProgressCheck(nil)
    if let file = planning.ids.tombstones {
      try file.remember(planning.ids.stableHashes, planning.ids, on: planning.connection)
    }
    try rejectsFile?.publish()
    try writtenIDTable?.publish()
    work.writer.clear()
  }

  /// Completes a run that was interrupted between two batches, and the files about it; returns its report.
  func complete(_ run: any InterruptedRun) throws(DecantError) -> CopyReport {
    begin(.publish)
    var report = try run.complete(copy.command, options, cancellation)
    isPublished = true
    _ = try rejectsFile?.complete()
    if let table = options.idTableFile.map({ IDTableFile($0) }), FileStatus(unfollowed: table.partial) != nil {
      try table.publish()
    }
    report.notes += run.clear()
    report.phases = stopClock()
    report.peakMemoryByteCount = Memory.peakByteCount
    return report
  }

  /// Completes an interrupted run: a store about to be replaced, and files that only lack their final names.
  ///
  /// - Throws: `DecantError` of the family `.usage` if this completes the copy, as there is nothing left to do.
  func completeEarlierRun() throws(DecantError) {
    let place = copy.destination.place
    guard !options.isDryRun else { return }
    var named: [String] = []
    var isComplete = false
    // At a new place the folder may belong to a migration, of which this is the copy.
    if FileStatus(place) != nil,
      case .done(let backup, let work) = try WorkFolder.settle(
        Files.resolved(place),
        completing: PendingIDTable.complete
      )
    {
      isComplete = work == .copy
      if let backup { named.append("the previous store: “\(backup)”") }
      if !isComplete {
        let what = ["completed an interrupted \(work.rawValue) of “\(place)”"] + named
        onEvent(.note(ReportNote(.completed, "\(what.joined(separator: "; "))")))
      }
    }
    if let file = options.idTableFile {
      if !isComplete { isComplete = try IDTableFile(file).complete(of: place) }
      if isComplete { named.append("“\(file)”") }
    }
    guard isComplete else { return }
    guard options.merge == nil || options.idTableFile != nil || options.rejectsFile != nil else {
      // Running the merge again adds nothing, and writes the files of what is to be remembered.
      return onEvent(
        .note(ReportNote(.completed, "completed an interrupted run of this merge; \(named.joined(separator: ", "))")))
    }
    if try rejectsFile?.complete() == true, let rejectsFile {
      named.append("“\(rejectsFile.path)”")
    }
    throw DecantError(
      .nothingToResume,
      "“\(place)” already holds the complete copy: the run was interrupted after the copy was done",
      place: "the remaining files were renamed into place: \(named.joined(separator: ", "))",
      remedy: options.merge?.tombstoneFile == nil
        ? "nothing is left to do; to copy again, use other file names for \(option: .keepIDs) and \(option: .rejects)"
        : "\(.againOtherwise) without \(option: .keepIDs) and \(option: .rejects), to record which objects were merged"
    )
  }
}
