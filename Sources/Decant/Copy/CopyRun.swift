internal import SQLite

/// One run of a copy: `run` reads as the flow of the architecture.
final class CopyRun {
  private let copy: Copy
  private var options: CopyOptions
  private let cancellation: Cancellation
  private let onEvent: (CopyEvent) -> Void
  private var clock = PhaseClock()
  /// The table of kept keys, once it is written.
  private var writtenIDTable: IDTableFile?
  /// The file of rejects, where it was asked for.
  private let rejectsFile: RejectsFile?
  /// Whether the copy is done, whatever fails afterwards.
  private var isPublished = false

  init(_ copy: Copy, cancellation: Cancellation, onEvent: @escaping (CopyEvent) -> Void) {
    self.copy = copy
    options = copy.options
    rejectsFile = copy.options.rejectsFile.map { RejectsFile($0) }
    self.cancellation = cancellation
    self.onEvent = onEvent
  }

  func run(_ opener: any StoreOpener) throws(DecantError) -> CopyReport {
    try copy.checkOutputFiles()
    options = try copy.options.withMapping()
    let log = options.readsPrivateCopy ? nil : SourceLog(of: copy.source.place)
    let (source, destination) = try open(opener)
    guard options.verb != "merge" || !destination.isNew else {
      throw DecantError(
        .storeNotFound,
        "there is no store at “\(destination.identity.place)” to pour “\(source.identity.place)” into",
        remedy: "check the spelling; a new store is what “decant copy” makes"
      )
    }
    begin(.resolve)
    // Where a run that was cut off left a journal, this is a private copy: nothing is mended yet.
    let file = destination.isNew ? nil : try DatabaseFile.open(destination.path)
    let encoding = try file?.textEncoding() ?? destination.requiredEncoding
    let table = try Workbench(source: source, encoding: encoding)
    table.setProgressCheck(StopCheck(cancellation))
    var planner = Planner(source: source, destination: destination, options: options)
    if let base = options.merge?.base, destination.isNew, FileStatus(base.place) == nil {
      throw DecantError(.storeNotFound, "there is no store at “\(base.place)”", place: "--base")
    }
    if !destination.isNew {
      planner.base = try MergeBase.open(
        copy.source,
        copy.destination,
        options,
        opener,
        cancellation
      )
      if let base = planner.base { planner.options.merge = base.rules }
    }
    // Values in files are compared, too.
    table.files.destination = destination.externalStorage
    let planning = try plan(planner, file, on: table)
    defer { planning.ids.removeAll() }
    try log?.check()
    onEvent(.planned(planning.expectedWork(verifies: options.verifies)))
    var report: CopyReport
    if options.isDryRun {
      report = self.report(source, destination, planning)
      let links = planning.predictedLinks
      report.removedLinkCount = planning.removedLinkCount
      report.count(links, planning)
      report.notes += MissingTargets(connection: table.connection, planning: planning)
        .notes(links, destination.layout)
      try countValueLinks(planning, source.layout, on: table.connection, into: &report)
      report.explanation = planning.explanation
      report.closure = planning.closure
      report.describe(planning, copiesPages: destination.canAdoptPages && options.takesEverything)
    } else {
      try Files.checkRoom(
        // The rows once, and once more for a log or for sorting indexes.
        for: planning.sourceByteCount * 2,
        beside: destination.path,
        "the copy needs up to",
        remedy: "make room, or name a place on another disk"
      )
      report = try perform(planning, planner, table, log, opener)
    }
    if options.keepsBackup, destination.isNew {
      report.notes.append("no backup was made: the destination is new")
    }
    report.notes = source.notes + destination.notes + (planner.base?.notes ?? []) + report.notes
    report.phases = clock.stop()
    report.peakMemoryByteCount = Memory.peakByteCount
    return report
  }

  /// Opens both stores; through a mapping the source is seen as objects of the destination's model.
  private func open(_ opener: any StoreOpener) throws(DecantError)
    -> (any SourceStore, any DestinationStore)
  {
    let base = try opener.openSource(copy.source, facing: copy.destination, options: options)
    let destination = try opener.openDestination(copy.destination, like: base, options: options)
    guard let mapping = options.mapping else { return (base, destination) }
    var seed = SystemRandomNumberGenerator()
    let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &seed) }
    if options.matchesObjects(isNew: destination.isNew) { try mapping.checkCanMerge() }
    let source = try MappedStore(
      base,
      by: mapping,
      for: destination,
      seed: bytes,
      missing: MissingRules(said: options.missing, general: options.missingDefault),
      identities: options.merge?.identities ?? [:]
    )
    return (source, destination)
  }

  /// Plans on a connection that writes nothing; the source is read in one state.
  ///
  /// An existing destination is read from `file`.
  private func plan(_ planner: Planner, _ file: DatabaseFile?, on table: Workbench)
    throws(DecantError) -> Planning
  {
    let destination = planner.destination
    defer { withExtendedLifetime(file) {} }
    let fingerprint = try explaining("cannot read “\(destination.identity.place)”") {
      () throws(SQLiteError) in
      if let file { try table.connection.attach(file.uri, as: Planner.destination) }
      return try Fingerprint.holding(Workbench.source, on: table.connection) {
        () throws(SQLiteError) in
        try table.beginReading()
      } release: { _ throws(SQLiteError) in
        try table.endReading()
      }.fingerprint
    }
    // A part of the proof that comes first: what is missing in the source already is in no sum.
    if options.verifies {
      try StructureCheck(of: Workbench.source, on: table.connection).run(
        // What is sorted by an order that nobody knows cannot be found out of order.
        !options.choosesObjects || !planner.source.unknownCollations.isEmpty ? .quick : .thorough,
        place: planner.source.identity.place
      )
      if !destination.isNew {
        try StructureCheck(of: Planner.destination, on: table.connection)
          .run(.quick, place: destination.identity.place)
      }
    }
    var planning = try planner.planning(
      on: table.connection,
      of: fingerprint,
      destination: Planner.destination
    )
    if planning.isMerge, !planning.isNew {
      planning.destinationFingerprint = try explaining(
        "cannot read “\(destination.identity.place)”"
      ) {
        () throws(SQLiteError) in try Fingerprint(of: Planner.destination, on: table.connection)
      }
    }
    if options.isDryRun {
      if let closure = planning.ids.closure {
        planning.closure = try explaining("cannot measure what --root takes") {
          () throws(SQLiteError) in
          try ClosureLevels(closure: closure, connection: table.connection).measure()
        }
      }
      try table.offer(planning.ids, files: destination.externalStorage)
      let missing = MissingTargets(connection: table.connection, planning: planning)
      try missing.check(
        destination.layout,
        in: Planner.destination,
        from: planner.source.layout
      )
      planning.predictedLinks = try explaining("cannot count the links") { () throws(SQLiteError) in
        try PredictedLinks(connection: table.connection, planning: planning).count()
      }
      if planning.isMerge {
        planning.removedLinkCount = try MergeReplacement(
          connection: table.connection,
          planning: planning,
          source: planner.source.layout,
          model: planner.source.model,
          schema: Planner.destination
        ).run(isDryRun: true)
      }
    }
    if let object = options.explainedObject, planning.isMerge {
      planning.explanation = try MergeExplanation(
        connection: table.connection,
        planning: planning,
        source: planner.source,
        destination: destination,
        schema: Planner.destination,
        base: planner.base
      ).lines(of: object)
    }
    try explaining("cannot end reading") { () throws(SQLiteError) in
      try table.endReading()
      if !destination.isNew { try table.connection.detach(Planner.destination) }
    }
    return planning
  }

  private func perform(
    _ first: Planning,
    _ planner: Planner,
    _ table: Workbench,
    _ log: SourceLog?,
    _ opener: any StoreOpener
  ) throws(DecantError) -> CopyReport {
    let (source, destination) = (planner.source, planner.destination)
    let site = try site(for: destination, source)
    // Told at once: who waits should know that work of an earlier run is gone.
    for note in source.notes + site.notes { onEvent(.note(note)) }
    do throws(DecantError) {
      if let site = site as? NewStoreSite, destination.canAdoptPages, options.takesEverything {
        begin(.copy)
        try site.adoptPages(from: table.connection, in: first.fingerprint)
      }
      return try perform(first, planner, site, log, opener)
    } catch {
      // The copy is there and has its name; what failed came after.
      guard !isPublished else { throw error }
      // Whoever resumes a copy means to keep what it has, whatever stopped it this time; what was only
      // begun from a damaged source leads nowhere.
      let isWorthKeeping =
        error.code != .corruptStore || (site as? NewStoreSite)?.continuesEarlierWork == true
      let isResumable =
        site.isResumable
        && (error.code == .interrupted || (options.leftOver == .resume && isWorthKeeping))
      var told = site.abandon(toResume: isResumable, after: error)
      if let table = writtenIDTable {
        // A table of keys that nothing got would mislead; of those that something got there is no other.
        if site.holdsCopy { told.tell("the kept keys: \(table.partial)") } else { table.remove() }
      }
      rejectsFile?.abandon(keeping: site.holdsCopy, telling: &told)
      throw try FailedCopy(
        planner: planner,
        planning: first,
        site: site,
        source: table,
        isResumable: isResumable,
        left: told.place == error.place ? nil : told.place
      ).explanation(of: told)
    }
  }

  private func site(for destination: any DestinationStore, _ source: any SourceStore)
    throws(DecantError) -> any CopySite
  {
    if destination.isNew {
      return try NewStoreSite(destination, source: source, options: options)
    }
    return switch options.commit {
    case .run: ExistingStoreSite(destination, options: options)
    case .batch: BatchedStoreSite(destination, options: options)
    }
  }

  private func perform(
    _ first: Planning,
    _ planner: Planner,
    _ site: any CopySite,
    _ log: SourceLog?,
    _ opener: any StoreOpener
  ) throws(DecantError) -> CopyReport {
    let (bench, fingerprint) = try site.open(planner.source)
    try log?.check()
    try planner.source.mapped?.settle(on: bench.connection, as: Workbench.source)
    let planning = try current(first, planner, bench, fingerprint)
    defer { if planning.ids !== first.ids { planning.ids.removeAll() } }
    if planning.connection !== bench.connection {
      try planner.source.mapped?.carryStubs(from: planning.connection, to: bench.connection)
    }
    try bench.offer(planning.ids, files: planner.destination.externalStorage)
    try MissingTargets(connection: bench.connection, planning: planning)
      .check(planner.destination.layout, in: "main", from: planner.source.layout)
    let checkpoint = try site.begin(planning, on: bench)
    let rows = RowCopy(
      bench: bench,
      planning: planning,
      layout: planner.destination.layout,
      checkpoint: checkpoint,
      options: options,
      cancellation: cancellation,
      onEvent: onEvent,
      bound: RejectBound(options, planning, isCommitted: site is BatchedStoreSite)
    )
    var proof = CopyProof(
      plan: planning.plan,
      layout: planner.destination.layout,
      ids: planning.ids,
      sourceFiles: planner.source.externalStorage,
      destinationFiles: planner.destination.externalStorage
    )
    begin(.copy)
    let before = try self.before(proof, planning, checkpoint, bench)
    var report = self.report(planner.source, planner.destination, planning)
    let isAdopted = (site as? NewStoreSite)?.adopted != nil
    report.countObjects()
    let triggersRun = !planner.destination.isNew && planner.destination.firesTriggers
    try setTriggers(triggersRun, bench)
    let met =
      isAdopted
      ? try rows.mendAdoptedLinks(in: planner.destination.layout)
      : try rows.run { step throws(DecantError) in
        guard planning.isMerge else { return nil }
        return try MergeUpdate(
          step,
          planning,
          from: planner.source.layout,
          to: planner.destination.layout,
          batchSize: options.batchSize,
          on: bench.connection
        )
      }
    if planning.isMerge {
      let removed = try MergeReplacement(
        connection: bench.connection,
        planning: planning,
        source: planner.source.layout,
        model: planner.source.model
      ).run()
      report.removedLinkCount = removed
    }
    var links = try rows.settleRejects(
      source: planner.source.layout,
      met,
      &report
    )
    let single = try SingleLinks(
      connection: bench.connection,
      planning: planning,
      source: planner.source.layout,
      destination: planner.destination
    ).settle()
    for (name, count) in single.written {
      links[name, default: LinkCounts()].copied -= count
      links[name, default: LinkCounts()].cut += count
    }
    report.notes += single.notes
    try setTriggers(false, bench)
    if let rejectsFile, report.rejectedCount > 0 {
      // The source is held in the state that was copied.
      report.notes += try rejectsFile.write(
        rows.rejects,
        of: planner.source,
        copy.source,
        to: planner.destination,
        options,
        planning.fingerprint,
        by: opener
      )
      report.rejectsFile = rejectsFile.path
    }
    report.count(links, planning)
    try countValueLinks(planning, planner.source.layout, on: bench.connection, into: &report)
    if let files = try site.copyFiles(planning, from: planner.source, on: bench) {
      report.files = files
    } else {
      report.files = try InlinedFiles(
        source: planner.source.layout,
        destination: planner.destination.layout,
        connection: bench.connection
      ).counts()
    }
    // A batch is finished before the work stops; what comes after may be cut short at any time.
    bench.setProgressCheck(StopCheck(cancellation))
    proof.rejected = try rows.rejectedConditions()
    var prover = Prover(proof, bench, planning, cancellation, onEvent)
    prover.before = before
    prover.triggersRan = triggersRun
    if let site = site as? BatchedStoreSite {
      prover.isCommitted = true
      if site.continuesEarlierWork { prover.keys = try planning.newKeys() }
    }
    begin(.check)
    let expected = options.verifies ? try prover.expected() : nil
    begin(.index)
    try site.finish(planning, on: bench)
    if let closure = planning.ids.closure {
      let reader = try site.reader(bench)
      try ClosureScan(closure, ids: planning.ids, isNew: planning.isNew)
        .run(planner.destination.layout, on: reader.connection, schema: reader.schema)
    }
    if let expected {
      begin(.check)
      let reader = try site.reader(bench)
      try prover.prove(expected, reader, &report)
      if planning.isMerge {
        try MergeProof(
          connection: bench.connection,
          planning: planning,
          proof: proof,
          source: planner.source.layout
        ).check()
      }
    }
    try report.checkBalance()
    // A run that is resumed completes the store that an earlier one named.
    report.destination.uuid = try planner.destination.uuid(in: "main", on: bench.connection)
    if let file = options.idTableFile {
      let table = IDTableFile(file)
      try table.write(
        planning,
        from: report.source,
        to: report.destination,
        links: options.links,
        through: planner.source.mapped.map { ($0, bench.connection) }
      )
      writtenIDTable = table
      report.idTableFile = file
    }
    begin(.publish)
    try site.publish(bench)
    isPublished = true
    if let file = planning.ids.tombstones {
      try file.remember(
        planning.ids.stableHashes,
        planning.ids,
        on: planning.connection
      )
    }
    try rejectsFile?.publish()
    try writtenIDTable?.publish()
    report.notes += site.notes
    return report
  }

  /// Counts the links by values; in a merge nothing tells which of them are new.
  private func countValueLinks(
    _ planning: Planning,
    _ layout: Layout,
    on connection: Connection,
    into report: inout CopyReport
  ) throws(DecantError) {
    guard !planning.isMerge else { return }
    let counts = try ValueLinkTargets.counts(
      of: layout,
      filters: planning.plan.filters,
      on: connection
    )
    report.count(counts, planning)
  }

  /// Has the destination's triggers run, or not.
  ///
  /// They may write to an index for searching, as they do for any insert; SQLite does not mark these as
  /// harmless. Functions of decant's own are known to statements only, never to a schema.
  private func setTriggers(_ areEnabled: Bool, _ bench: Workbench) throws(DecantError) {
    try explaining("cannot set triggers") { () throws(SQLiteError) in
      try bench.connection.setTriggersEnabled(areEnabled)
      try bench.connection.setSchemasTrusted(areEnabled)
    }
  }

  /// What the destination's tables hold before the copy in which no key tells its rows.
  private func before(
    _ proof: CopyProof,
    _ planning: Planning,
    _ checkpoint: Checkpoint?,
    _ bench: Workbench
  ) throws(DecantError) -> CopyProof.Sums {
    guard options.verifies, !planning.isNew, planning.plan.steps.contains(where: \.isAnonymous)
    else { return [:] }
    return try explaining("cannot read the destination") { () throws(SQLiteError) in
      if let sums = try checkpoint?.sums() { return sums }
      let sums = try proof.anonymousSums(on: bench.connection, schema: "main")
      try checkpoint?.record(sums)
      return sums
    }
  }

  /// The planning, made again where source or destination moved since: now both are held.
  private func current(
    _ first: Planning,
    _ planner: Planner,
    _ bench: Workbench,
    _ fingerprint: Fingerprint
  ) throws(DecantError) -> Planning {
    let counters = try planner.counters(in: "main", on: bench.connection)
    let isSame = try explaining("cannot read “\(planner.destination.identity.place)”") {
      () throws(SQLiteError) in
      // What an object is compared with must be what is there now.
      guard first.isMerge, !first.isNew else { return true }
      return try Fingerprint(of: "main", on: bench.connection) == first.destinationFingerprint
    }
    if isSame, fingerprint == first.fingerprint, counters == first.counters {
      try planner.destination.checkRoom(for: first.enteredCount, in: "main", on: bench.connection)
      return first
    }
    return try planner.planning(
      on: bench.connection,
      of: fingerprint,
      destination: "main"
    )
  }

  private func report(
    _ source: any SourceStore,
    _ destination: any DestinationStore,
    _ planning: Planning
  ) -> CopyReport {
    var report = CopyReport(
      verb: options.verb,
      source: source.identity,
      sourceFingerprint: planning.fingerprint.description,
      destination: destination.identity,
      entities: source.model.entities.compactMap { entity in
        planning.counts[entity.name].map { counts in
          var report = EntityReport(name: entity.name, source: counts.source)
          report.filtered = counts.source - counts.included
          report.stubs = counts.stubs
          return report
        }
      }
    )
    report.knowsLinks = source.modelGap == nil
    report.conflicts = planning.conflicts
    report.conflictCount = planning.conflictCount
    report.referenceRelationships = planning.plan.closure?.references ?? []
    if planning.isMerge { report.count(planning.counts) }
    if planning.goneCount > 0 {
      let (count, base) = (planning.goneCount, options.merge?.base)
      let why = [
        options.merge?.tombstoneFile == nil ? nil : "merged once",
        base == nil ? nil : "in “\(base?.place ?? "")”",
      ].compactMap(\.self).joined(separator: " or ")
      report.notes.append(
        "\(count.counted("object")) \(count == 1 ? "stays" : "stay") away: "
          + "\(count == 1 ? "it was" : "they were") \(why), and \(count == 1 ? "is" : "are") gone since"
      )
    }
    return report
  }

  private func begin(_ phase: Phase) {
    clock.begin(phase)
    onEvent(.began(phase))
  }
}
