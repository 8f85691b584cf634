internal import DecantBase
internal import DecantMapping
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantProof
internal import DecantStore
internal import DecantSQLite

/// One run of a copy; `run` follows the steps of the architecture.
final class CopyRun {
  let copy: Copy
  private(set) var options: CopyOptions
  let cancellation: Cancellation
  let onEvent: (WorkEvent) -> Void
  /// Decides conflicts interactively, if requested.
  private let decide: Conflicts.Decider?
  private var clock = PhaseClock()
  /// The written ID table.
  var writtenIDTable: IDTableFile?
  /// The file of rejects, if it was requested.
  let rejectsFile: RejectsFile?
  /// The file of conflicts, if it was requested.
  let conflictsFile: ConflictFile?
  private var isDuplicating = false
  private var duplicatedByteCount: Int64 = 0
  /// The check of the source by a second thread, if that is possible.
  var check: SourceCheck?
  /// The sums of the source that are computed while rows are written, if that is possible.
  var ahead: SourceSums?
  /// Whether the copy is done, even if a later step fails.
  var isPublished = false

  init(
    _ copy: Copy,
    cancellation: Cancellation,
    deciding decide: Conflicts.Decider?,
    onEvent: @escaping (WorkEvent) -> Void
  ) {
    self.decide = decide
    self.copy = copy
    options = copy.options
    rejectsFile = copy.options.rejectsFile.map { RejectsFile($0) }
    conflictsFile = copy.options.merge?.conflictsFile.map { ConflictFile($0) }
    self.cancellation = cancellation
    self.onEvent = onEvent
  }

  func run(_ opener: any StoreOpener) throws(DecantError) -> CopyReport {
    // Reading a server takes as long as copying.
    clock.begin(.read)
    try completeEarlierRun()
    let interrupted =
      options.leftOver == .resume ? try opener.interruptedRun(at: copy.destination, options) : nil
    // The files of a run that was complete may have their final names.
    if interrupted?.isComplete != true { try copy.checkOutputFiles() }
    if let interrupted { return try complete(interrupted) }
    options = try copy.options.withMapping()
    let log = options.readsPrivateCopy ? nil : SourceLog(of: copy.source.place)
    var opener = try aligned(opener)
    let (source, destination) = try open(opener)
    opener = destination.place.writer.opener(opener, reading: copy.destination)
    guard !options.purpose.needsDestination || !destination.isNew else {
      throw DecantError(
        .storeNotFound,
        "there is no store at “\(destination.identity.place)” to merge “\(source.identity.place)” into",
        remedy: "check the spelling; to make a new store, use \(shell: "“decant copy”", app: "a copy")"
      )
    }
    try destination.place.writer.check(destination, options)
    begin(.resolve)
    // If an interrupted run left a journal, this is a private copy: nothing is recovered yet.
    let file = destination.isNew ? nil : try destination.place.store.open()
    let encoding = try file?.textEncoding() ?? destination.requiredEncoding
    let table = try CopySession(source: source, encoding: encoding)
    table.setProgressCheck(StopCheck(cancellation))
    var planner = Planner(source: source, destination: destination, options: options)
    if let base = options.merge?.base, destination.isNew, FileStatus(base.place) == nil {
      throw DecantError(.storeNotFound, "there is no store at “\(base.place)”", place: "\(option: .base)")
    }
    let search = SearchProgress(onEvent)
    let needsBase = !destination.isNew && options.merge?.needsBase == true
    planner.progress = search.part((needsBase ? 0.6 : 0)...1)
    if !destination.isNew {
      planner.conflicts = try Conflicts(options.merge, isDryRun: options.isDryRun, asking: decide)
      planner.base = try MergeBase.open(
        copy.source,
        copy.destination,
        options,
        planner.conflicts,
        opener,
        cancellation,
        search.part(0...0.6)
      )
      if let base = planner.base { planner.options.merge = base.rules }
    }
    // Values in external files are compared as well.
    table.files.destination = destination.externalStorage
    defer { check = nil }
    let planning: Planning
    do throws(DecantError) {
      planning = try plan(planner, file, on: table)
      // An existing store is not written to before the source is known to be sound.
      if options.isDryRun || !destination.isNew { try finishCheck() }
    } catch {
      throw check?.cause(of: error) ?? error
    }
    defer { planning.ids.removeAll() }
    if let conflicts = planner.conflicts { try conflictsFile?.write(conflicts) }
    try log?.check()
    onEvent(.planned(planning.expectedWork(verifies: options.verifies)))
    var report: CopyReport
    try destination.place.writer.checkRoom(for: planning, from: source, to: destination, options)
    if options.isDryRun {
      report = self.report(source, destination, planning)
      let links = planning.predictedLinks
      report.enter(removed: planning.removed)
      report.enter(links, secondEnds: planning.plan.secondEnds)
      try countRejects(planning, source.layout, into: &report)
      report.notes += MissingTargets(connection: table.connection, planning: planning)
        .notes(links, destination.layout)
      try countNonIntegerKeys(
        planning,
        source.layout,
        planning.predictedRejects?.rejects,
        on: table.connection,
        into: &report
      )
      report.notes += planning.collisions
      report.explanation = planning.explanation
      report.preview = planning.preview
      report.closure = planning.closure
      report.describe(
        planning,
        creation: destination.about.creation,
        copiesPages: destination.canAdoptPages && options.takesEverything
      )
      report.notes += TriggeredRows.notes(destination, foretelling: report)
    } else {
      do throws(DecantError) {
        report = try perform(planning, planner, table, log, opener)
      } catch {
        throw error.naming(triggers: destination.about.addingTriggers)
      }
    }
    if options.keepsBackup, destination.isNew {
      report.notes.append(ReportNote(.noBackup, "no backup was made: the destination is new"))
    }
    if let rules = options.merge {
      let decided = planning.plan.mergeRules ?? rules
      // For file formats with several ways to identify objects, only entities with differences need a note.
      let names = report.entities.filter { entity in
        entity.source > 0 && (decided.likeness == nil || entity.merge?.changed ?? 0 > 0)
      }.map(\.name)
      report.notes += decided.timeNotes(names, in: destination.model)
      report.notes += decided.identityNotes(source.model)
      report.notes += decided.keptNotes(report.entities, in: destination.model)
    }
    report.notes =
      source.notes + destination.notes + (planner.base?.notes ?? [])
      + [planning.linkNote].compactMap(\.self) + report.notes
    report.phases = clock.stop()
    report.peakMemoryByteCount = Memory.peakByteCount
    return report
  }

  /// Ends the last phase; returns the time of each.
  func stopClock() -> [PhaseTime] { clock.stop() }

  /// Removes the list of conflicts after a failed run, since it would describe a merge that did not happen.
  func removeConflictsFile(after error: inout DecantError) {
    guard !isPublished, let conflictsFile else { return }
    do throws(DecantError) {
      try conflictsFile.abandon()
    } catch let failure {
      error.tell("the list of conflicts could not be removed, and it contains values: \(failure.what)")
    }
  }

  /// Returns the opener that migrates merged stores to the destination's model version.
  private func aligned(_ opener: any StoreOpener) throws(DecantError) -> any StoreOpener {
    guard let rules = options.merge, options.mapping == nil, options.purpose.alignsVersions else {
      return opener
    }
    return try opener.aligning(
      [copy.source] + [rules.base].compactMap(\.self),
      with: copy.destination,
      options: options,
      cancellation: cancellation
    ) { [self] event in
      if case .began(let phase) = event { begin(phase) } else { onEvent(event) }
    }
  }

  /// Opens both stores; with a mapping, the source appears as objects of the destination's model.
  private func open(_ opener: any StoreOpener) throws(DecantError) -> (any SourceStore, any DestinationStore) {
    let base = try opener.openSource(copy.source, facing: copy.destination, options: options)
    options = options.spelled(like: base.model)
    options.links = base.portableLinks ?? options.links
    let destination = try opener.openDestination(copy.destination, like: base, options: options)
    guard let mapping = options.mapping else {
      let source: any SourceStore = NarrowedStore(base, for: destination) ?? base
      return (source.comparingLinks(like: destination.layout), destination)
    }
    var seed = SystemRandomNumberGenerator()
    let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &seed) }
    // A new store contains no existing objects, except those recorded in a tombstone file.
    if !destination.isNew || options.merge?.tombstoneFile != nil,
      options.matchesObjects(isNew: destination.isNew)
    {
      try mapping.checkCanMerge()
    }
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
  private func plan(_ planner: Planner, _ file: (any OpenPlace)?, on table: CopySession)
    throws(DecantError) -> Planning
  {
    let destination = planner.destination
    defer { withExtendedLifetime(file) {} }
    if case .own = destination.place, destination.isNew {
      try explaining("cannot set the caches") { () throws(SQLiteError) in try table.connection.takeCachesForOrder() }
    }
    let fingerprint = try explaining("cannot read “\(destination.identity.place)”") {
      () throws(SQLiteError) in
      try file?.attach(to: table.connection, as: CopySession.destination)
      return try planner.source.holding(CopySession.source, on: table.connection) {
        () throws(SQLiteError) in
        try table.beginReading()
      } release: { _ throws(SQLiteError) in
        try table.endReading()
      }.fingerprint
    }
    var planner = planner
    let progress = planner.progress
    // Compared with the search of a merge, the check is short.
    let checked = options.merge == nil ? 0.45 : 0.1
    let planned = options.isDryRun ? (options.merge == nil ? 0.7 : 0.85) : 1
    planner.progress = progress?.part(checked...planned)
    // The structure check is part of the proof, but comes first: rows already missing in the source are in no sum.
    if options.verifies {
      let half = destination.isNew ? checked : checked / 2
      if !planner.source.isTemporary {
        try checkSource(planner, in: fingerprint, on: table) { progress?.show($0 * half) }
      }
      if !destination.isNew, !options.fillsTemporary {
        try StructureCheck(of: CopySession.destination, on: table.connection)
          .run(.quick, place: destination.identity.place) { progress?.show(half + $0 * half) }
      }
    }
    var planning = try planner.planning(on: table.connection, of: fingerprint, destination: CopySession.destination)
    if !planning.isNew {
      planning.destinationFingerprint = try explaining("cannot read “\(destination.identity.place)”") {
        () throws(SQLiteError) in
        try destination.place.store.fingerprint(of: CopySession.destination, on: table.connection)
      }
    }
    if options.isDryRun {
      let counting = progress?.part(planned...1)
      counting?.show(0)
      if let closure = planning.ids.closure {
        planning.closure = try explaining("cannot measure the share") {
          () throws(SQLiteError) in
          try ClosureLevels(closure: closure, connection: table.connection).measure()
        }
      }
      try table.offer(planning.ids, files: destination.externalStorage)
      let missing = MissingTargets(connection: table.connection, planning: planning)
      try missing.check(destination.layout, in: CopySession.destination, from: planner.source.layout)
      try RequiredTargets(connection: table.connection, planning: planning, options: options)
        .check(destination.layout, in: CopySession.destination)
      planning.predictedRejects = try PredictedRejects(
        connection: table.connection,
        planning: planning,
        source: planner.source.layout,
        layout: destination.layout,
        onError: options.onError
      ).settle()
      planning.predictedLinks = try explaining("cannot count the links") { () throws(SQLiteError) in
        try PredictedLinks(connection: table.connection, planning: planning)
          .count(counting?.part(0.1...(planning.isMerge ? 0.5 : 1)))
      }
      if planning.isMerge {
        planning.removed = try MergeReplacement(
          connection: table.connection,
          planning: planning,
          source: planner.source.layout,
          destination: destination.layout,
          model: planner.source.model,
          schema: CopySession.destination
        ).run(isDryRun: true)
      }
      if !destination.isNew {
        planning.collisions = try UniqueCollisions(
          connection: table.connection, planning: planning, onError: options.onError
        )
        .notes(destination.model, destination.layout)
      }
      if options.listedObjectCount > 0 {
        planning.preview = try MergePreview(
          connection: table.connection,
          planning: planning,
          layouts: Sided(planner.source.layout, destination.layout),
          model: planner.source.model,
          schema: CopySession.destination,
          limit: options.listedObjectCount
        ).groups()
      }
    }
    if let object = options.explainedObject, planning.isMerge {
      planning.explanation = try MergeExplanation(
        connection: table.connection,
        planning: planning,
        source: planner.source,
        destination: destination,
        schema: CopySession.destination,
        base: planner.base
      ).lines(of: object)
    }
    try explaining("cannot finish reading") { () throws(SQLiteError) in
      try table.endReading()
      if !destination.isNew { try table.connection.detach(CopySession.destination) }
    }
    return planning
  }

  /// Waits for the check of the source, and releases the source.
  ///
  /// - Throws: `DecantError` if it is damaged.
  func finishCheck() throws(DecantError) {
    try check?.finish()
    check = nil
  }

  /// Checks the structure of the source, by a second thread if that is possible.
  private func checkSource(
    _ planner: Planner,
    in fingerprint: Fingerprint,
    on table: CopySession,
    _ tell: (Double) -> Void
  ) throws(DecantError) {
    // The order of an unknown collation cannot be checked.
    let depth: StructureCheck.Depth =
      !options.choosesObjects || !planner.source.unknownCollations.isEmpty ? .quick : .thorough
    let encoding = try explaining("cannot read the text encoding") { () throws(SQLiteError) in
      try table.connection.textEncoding()
    }
    check = SourceCheck(planner, in: fingerprint, depth, encoding: encoding.rawValue, cancellation)
    guard check == nil else { return }
    try StructureCheck(of: CopySession.source, on: table.connection)
      .run(depth, place: planner.source.identity.place, tell)
  }

  private func perform(
    _ first: Planning,
    _ planner: Planner,
    _ table: CopySession,
    _ log: SourceLog?,
    _ opener: any StoreOpener
  ) throws(DecantError) -> CopyReport {
    let (source, destination) = (planner.source, planner.destination)
    let writer = try destination.place.writer.makeWriter(for: destination, from: source, options) {
      [self] in
      goesOnDuplicating($0, $1)
    }
    // Reported at once, so that the user knows if the work of an earlier run was discarded.
    for note in source.notes + writer.notes { onEvent(.note(note)) }
    do throws(DecantError) {
      let adopts = destination.takesPages(options)
      // A file that may be taken must not be read while the new store is finished; taking it needs no time.
      let mayBeTaken = adopts && source.mayBeTaken
      if !mayBeTaken { try beginSums(first, planner, table) }
      if adopts {
        begin(.copy)
        try writer.adoptPages(from: table.connection, in: first.fingerprint)
      }
      if mayBeTaken, !writer.hasTakenSource { try beginSums(first, planner, table) }
      return try perform(first, planner, writer, log, opener)
    } catch {
      ahead = nil
      let error = isPublished ? error : check?.cause(of: error) ?? error
      // The copy is in place under its final name; a later step failed.
      guard !isPublished else { throw error }
      // A resumed copy is kept whatever stopped it this time. A new copy of a damaged source is not worth keeping.
      let isWorthKeeping = error.family != .corruptStore || writer.continuesEarlierWork
      // A store that is in use when it is to be replaced will soon be free; a full disk can be given room.
      let isResumable =
        writer.isResumable
        && (error.family == .interrupted || error.family == .storeBusy || error.isOfFullDisk
          || (options.leftOver == .resume && isWorthKeeping))
      var told = writer.abandon(toResume: isResumable, after: error)
      if let table = writtenIDTable {
        // An ID table without a copy would be misleading; if the copy exists, the table is the only record of its keys.
        if writer.holdsCopy { told.tell("the kept keys: \(table.partial)") } else { table.remove() }
      }
      rejectsFile?.abandon(keeping: writer.holdsCopy, telling: &told)
      throw try FailedCopy(
        planner: planner,
        planning: first,
        writer: writer,
        source: table,
        isResumable: isResumable,
        left: told.spot == error.spot ? nil : told.spot
      ).explanation(of: told)
    }
  }

  /// Begins to read the source for the proof on a second thread, if there is to be one.
  private func beginSums(_ planning: Planning, _ planner: Planner, _ table: CopySession) throws(DecantError) {
    guard options.verifies else { return }
    let encoding = try explaining("cannot read the text encoding") { () throws(SQLiteError) in
      try table.connection.textEncoding()
    }
    ahead = SourceSums(planning, planner, behind: check, encoding: encoding.rawValue, cancellation)
  }

  /// Reports how many bytes of a store are copied; returns whether to continue.
  private func goesOnDuplicating(_ done: Int64, _ all: Int64) -> Bool {
    if !isDuplicating {
      isDuplicating = true
      begin(.duplicate)
    }
    // A single piece is too small to report.
    let step = Int64(16 << 20)
    if done / step != duplicatedByteCount / step || (done == all && done != duplicatedByteCount) {
      onEvent(
        .progress(
          WorkProgress(
            phase: .duplicate,
            step: "",
            rowCount: 0,
            expectedRowCount: 0,
            byteCount: done,
            expectedByteCount: all
          )
        )
      )
    }
    duplicatedByteCount = done
    return !cancellation.isCancelled
  }

  func begin(_ phase: Phase) {
    clock.begin(phase)
    onEvent(.began(phase))
  }
}
