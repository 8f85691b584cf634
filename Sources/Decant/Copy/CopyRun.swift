internal import SQLite

/// One run of a copy: `run` reads as the flow of the architecture.
final class CopyRun {
  private let copy: Copy
  private let options: CopyOptions
  private let cancellation: Cancellation
  private let onEvent: (CopyEvent) -> Void
  private var clock = PhaseClock()

  init(_ copy: Copy, cancellation: Cancellation, onEvent: @escaping (CopyEvent) -> Void) {
    self.copy = copy
    options = copy.options
    self.cancellation = cancellation
    self.onEvent = onEvent
  }

  func run(_ opener: any StoreOpener) throws(DecantError) -> CopyReport {
    let source = try opener.openSource(copy.source, options: options)
    let destination = try opener.openDestination(copy.destination, like: source, options: options)
    begin(.resolve)
    let table = try Workbench(source: source)
    table.connection.setProgressCheck(StopCheck(cancellation))
    let planner = Planner(source: source, destination: destination, options: options)
    let planning = try plan(planner, on: table)
    onEvent(.planned(planning.expectedWork(verifies: options.verifies)))
    var report: CopyReport
    if options.isDryRun {
      report = self.report(source, destination, planning)
      report.describe(planning)
    } else {
      try checkSpace(for: planning, destination)
      report = try perform(planning, planner, table)
    }
    report.notes = source.notes + destination.notes + report.notes
    report.phases = clock.stop()
    report.peakMemoryByteCount = Memory.peakByteCount
    return report
  }

  /// Plans on a connection that writes nothing; the source is read in one state.
  private func plan(_ planner: Planner, on table: Workbench) throws(DecantError) -> Planning {
    let destination = planner.destination
    try explaining("cannot read “\(destination.identity.place)”") { () throws(SQLiteError) in
      if !destination.isNew {
        let uri = DatabaseFile.uri(of: destination.path, "mode=ro")
        try table.connection.attach(uri, as: Planner.destination)
      }
      try table.connection.run("BEGIN")
    }
    let planning = try planner.planning(on: table.connection, destination: Planner.destination)
    try explaining("cannot end reading") { () throws(SQLiteError) in
      try table.connection.run("COMMIT")
      if !destination.isNew { try table.connection.detach(Planner.destination) }
    }
    return planning
  }

  private func perform(_ first: Planning, _ planner: Planner, _ table: Workbench)
    throws(DecantError) -> CopyReport
  {
    let (source, destination) = (planner.source, planner.destination)
    let site: any CopySite =
      destination.isNew
      ? try NewStoreSite(destination, source: source, options: options)
      : ExistingStoreSite(destination, options: options)
    do throws(DecantError) {
      if let site = site as? NewStoreSite, destination.canAdoptPages, options.takesEverything {
        begin(.copy)
        try site.adoptPages(from: table.connection, in: first.fingerprint)
      }
      return try perform(first, planner, site)
    } catch {
      let isResumable = error.code == .interrupted && site.isResumable
      site.abandon(toResume: isResumable)
      guard error.code == .interrupted else { throw error }
      throw DecantError(
        .interrupted,
        "the copy was stopped",
        place: "“\(destination.identity.place)” is as it was",
        remedy: isResumable
          ? "run the same command with --resume to go on after the last batch"
          : "run the same command again to make it anew",
        cause: error
      )
    }
  }

  private func perform(_ first: Planning, _ planner: Planner, _ site: any CopySite)
    throws(DecantError) -> CopyReport
  {
    let bench = try site.open(planner.source)
    let planning = try current(first, planner, bench)
    try bench.offer(planning.ids)
    let checkpoint = try site.begin(planning, on: bench)
    let rows = RowCopy(
      bench: bench,
      planning: planning,
      checkpoint: checkpoint,
      options: options,
      cancellation: cancellation,
      onEvent: onEvent
    )
    begin(.copy)
    var report = self.report(planner.source, planner.destination, planning)
    let isAdopted = (site as? NewStoreSite)?.adopted != nil
    report.count(
      isAdopted ? try rows.mendAdoptedLinks(in: planner.destination.layout) : try rows.run(),
      planning
    )
    try rows.settleRejects(in: planner.destination.layout, source: planner.source.layout, &report)
    report.files =
      try site.copyFiles(planning, from: planner.source, on: bench) ?? CopyReport.FileCounts()
    // A batch is finished before the work stops; what comes after may be cut short at any time.
    bench.connection.setProgressCheck(StopCheck(cancellation))
    let proof = CopyProof(
      plan: planning.plan,
      layout: planner.destination.layout,
      ids: planning.ids,
      sourceFiles: planner.source.externalStorage,
      destinationFiles: planner.destination.externalStorage
    )
    let prover = Prover(proof, bench, planning, cancellation, onEvent)
    begin(.check)
    let expected = options.verifies ? try prover.expected() : nil
    begin(.index)
    try site.finish(planning, on: bench)
    if let expected {
      begin(.check)
      let reader = try site.reader(bench)
      try prover.prove(expected, reader, &report)
    }
    try report.checkBalance()
    if let file = options.idTableFile {
      try IDTableFile(file).write(planning, from: planner.source, to: planner.destination)
      report.idTableFile = file
    }
    begin(.publish)
    try site.publish(bench)
    report.notes += site.notes
    return report
  }

  /// The planning, made again where source or destination moved since: now both are held.
  private func current(_ first: Planning, _ planner: Planner, _ bench: Workbench)
    throws(DecantError) -> Planning
  {
    let fingerprint = try explaining("cannot read the source") { () throws(SQLiteError) in
      try Fingerprint(of: Workbench.source, on: bench.connection)
    }
    let destination = planner.destination
    let counters =
      destination.isNew ? [:] : try destination.counters(in: "main", on: bench.connection)
    if fingerprint == first.fingerprint, counters == first.counters { return first }
    return try planner.planning(on: bench.connection, destination: "main")
  }

  private func checkSpace(for planning: Planning, _ destination: any DestinationStore)
    throws(DecantError)
  {
    // The rows once, and once more for a log or for sorting indexes.
    let needed = planning.sourceByteCount * 2
    guard let free = Files.freeByteCount(beside: destination.path), free < needed else { return }
    throw DecantError(
      .failed,
      "not enough room beside “\(destination.identity.place)”: the copy needs up to "
        + "\(needed.asByteCount), \(free.asByteCount) are free",
      remedy: "make room, or name a place on another disk"
    )
  }

  private func report(
    _ source: any SourceStore,
    _ destination: any DestinationStore,
    _ planning: Planning
  ) -> CopyReport {
    CopyReport(
      verb: "copy",
      source: source.identity,
      sourceFingerprint: planning.fingerprint.description,
      destination: destination.identity,
      entities: source.model.entities.compactMap { entity in
        planning.counts[entity.name].map { counts in
          var report = EntityReport(name: entity.name, source: counts.source)
          report.filtered = counts.source - counts.included
          return report
        }
      }
    )
  }

  private func begin(_ phase: Phase) {
    clock.begin(phase)
    onEvent(.began(phase))
  }
}
