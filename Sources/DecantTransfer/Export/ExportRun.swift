internal import DecantArchive
internal import DecantContainers
internal import DecantPages
internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantStore
internal import DecantJSON
internal import DecantSQLite

/// One run of an export.
final class ExportRun {
  let export: Export
  var options: CopyOptions
  /// The store to read: the named one, or a temporary copy of it.
  var location: StoreLocation
  var original: StillCopy?
  /// Whether the store was written to between two reads.
  var hasMoved = false
  let place: ArchivePlace
  let cancellation: Cancellation
  let onEvent: (WorkEvent) -> Void
  private var clock = PhaseClock()
  let folder: ScratchFolder

  init(_ export: Export, cancellation: Cancellation, onEvent: @escaping (WorkEvent) -> Void) throws(DecantError) {
    self.export = export
    options = export.options
    location = export.source
    original = export.original
    self.cancellation = cancellation
    self.onEvent = onEvent
    guard let place = ArchivePlace(export.destination.place, isAsked: true) else {
      throw DecantError(
        .invalidPlace,
        "“\(export.destination.place)” is not an archive name",
        remedy:
          "use NAME.decant, or NAME.decant.zst, .gz, .xz, .lz4 or .zip for a compressed archive, or "
          + "NAME.html or NAME.eml for a page or mail; for recipes, the name of another app's file, such as NAME.paprikarecipes"
      )
    }
    if export.partByteCount != nil, !place.isLines || place.path == ArchivePlace.pipe {
      throw DecantError(
        .unsuitableOption,
        "“\(place.path)” cannot be split into parts",
        remedy: "remove \(option: .maxPart), or use an archive of lines: NAME.decant.gz"
      )
    }
    try export.page.check(place.path, isPage: !place.isLines)
    if place.path == ArchivePlace.pipe { try options.checkCanMeasure("standard output") }
    self.place = place
    folder = try ScratchFolder()
  }

  func run() throws(DecantError) -> CopyReport {
    do throws(DecantError) {
      return try report()
    } catch {
      throw told(error)
    }
  }

  private func report() throws(DecantError) -> CopyReport {
    begin(.resolve)
    if options.isDryRun { return try dryRun() }
    if options.readsPrivateCopy { try keepStill() }
    let report: CopyReport
    do throws(DecantError) {
      report = try attempt()
    } catch {
      // Others keep writing to the store, so the export reads a copy.
      guard hasMoved, original == nil else { throw error }
      try keepStill()
      report = try attempt()
    }
    return report
  }

  /// Returns the error with the name of the store in place of the name of its copy.
  private func told(_ error: DecantError) -> DecantError {
    let copies = ["whole.sqlite", "chosen.sqlite"].map { "\(folder.path)/\($0)" } + [location.place]
    return copies.reduce(error) { $0.naming(original?.identity.place ?? export.source.place, for: $1) }
  }

  private func keepStill() throws(DecantError) {
    let copy = try StillCopy(
      of: export.source,
      options: options,
      in: folder,
      opener: export.kinds,
      cancellation: cancellation
    )
    original = copy
    location = copy.location
    options.readsPrivateCopy = false
  }

  private func attempt() throws(DecantError) -> CopyReport {
    try cancellation.check()
    let log = SourceLog(of: location.place)
    var chosen = options.needsChoice ? try choose() : nil
    if leavesNotes {
      if chosen == nil, try !privateValues().columns.isEmpty { chosen = try choose() }
      if var report = chosen {
        try leaveNotes(&report)
        chosen = report
      }
    }
    let part = chosen.map { StoreLocation(kind: $0.source.kind, place: $0.destination.place) }
    let source = try export.kinds.openSource(
      part ?? location,
      options: part == nil && original == nil ? options : options.readingCopy
    )
    try log.check()
    var report = try write(source, part ?? location, chosen)
    report.notes = (original?.notes ?? []) + source.notes + report.notes
    if let original {
      report.source = original.identity
      report.sourceFingerprint = original.fingerprint
    }
    report.phases = clock.stop()
    report.peakMemoryByteCount = Memory.peakByteCount
    return report
  }

  func begin(_ phase: Phase) {
    clock.begin(phase)
    onEvent(.began(phase))
  }

  /// Whether the cook's own notes and ratings are left out: a page or a mail is meant for other people.
  private var leavesNotes: Bool { !place.isLines && !export.page.keepsNotes }

  /// The attributes of the store for notes and ratings.
  private func privateValues() throws(DecantError) -> PrivateValues {
    PrivateValues(of: try export.kinds.openSource(location, options: original == nil ? options : options.readingCopy))
  }

  /// Removes the cook's own notes and ratings from the selected objects, which are a copy.
  private func leaveNotes(_ report: inout CopyReport) throws(DecantError) {
    let part = StoreLocation(kind: report.source.kind, place: report.destination.place)
    let values = PrivateValues(of: try export.kinds.openSource(part, options: options.readingCopy))
    report.notes += notes(values, try values.clear(at: part.place))
  }

  /// Returns notes for the report about notes and ratings, of which `cleared` were removed.
  private func notes(_ values: PrivateValues, _ cleared: [String]) -> [ReportNote] {
    var notes = values.columns.filter { !$0.isOptional }.map { column in
      ReportNote(.notesLeftOut, "not left out: \(column.label), as the model does not allow it to be empty")
    }
    if !cleared.isEmpty {
      notes.append(
        ReportNote(
          .notesLeftOut, "left out as private: \(cleared.joined(separator: ", ")); \(option: .withNotes) includes them")
      )
    }
    return notes
  }

  /// Returns what would be written, counted by the copy that selects it.
  private func dryRun() throws(DecantError) -> CopyReport {
    var report = try choose()
    if leavesNotes {
      let values = try privateValues()
      report.notes += notes(values, values.columns.filter(\.isOptional).map(\.label))
    }
    report.verb = "export"
    report.destination = StoreIdentity(kind: ArchiveKind.name, place: place.path)
    // The plan has the statements of a copy, which an export does not report.
    report.plan = []
    return report
  }

  /// Copies the selected objects, with the links between them, to a temporary store.
  private func choose() throws(DecantError) -> CopyReport {
    var options = options
    options.tellsReferences = true
    return try Copy(
      from: location,
      to: StoreLocation(kind: nil, place: "\(folder.path)/chosen.sqlite"),
      options: options,
      opener: export.kinds
    ).perform(cancellation, onEvent)
  }
}

extension CopyOptions {
  /// Whether a temporary store is needed: for a part of the objects, or for changed links.
  var needsChoice: Bool {
    choosesObjects || asksForTargets || onError == .reject || !leftOutTables.isEmpty
  }
}
