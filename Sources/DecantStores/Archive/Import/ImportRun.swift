internal import Decant

/// One run of an import.
struct ImportRun {
  private let work: Import
  private let cancellation: Cancellation
  private let onEvent: (CopyEvent) -> Void

  init(_ work: Import, cancellation: Cancellation, onEvent: @escaping (CopyEvent) -> Void) {
    self.work = work
    self.cancellation = cancellation
    self.onEvent = onEvent
  }

  func run() throws(DecantError) -> [CopyReport] {
    var clock = PhaseClock()
    clock.begin(.read)
    onEvent(.began(.read))
    let archives = try read()
    let phases = clock.stop()
    var reports: [CopyReport] = []
    for archive in archives {
      do throws(DecantError) {
        var report = try Copy(
          from: StoreLocation(kind: StoreKinds.archive, place: archive.place),
          to: work.destination,
          options: work.options,
          opener: ImportOpener(archive: archive)
        ).run(cancellation: cancellation) { event in
          if case .finished = event { return }
          onEvent(event)
        }
        report.isPartial = archive.damage != nil
        if reports.isEmpty { report.phases = phases + report.phases }
        reports.append(report)
        onEvent(.finished(report))
      } catch {
        guard !reports.isEmpty, !work.options.isDryRun else { throw error }
        var told = error
        let names = reports.map { "“\($0.source.place)”" }.joined(separator: ", ")
        told.tell("imported before that: \(names)")
        throw told
      }
    }
    return reports
  }

  /// Reads all archives into databases of their own: one that cannot be read stops all.
  private func read() throws(DecantError) -> [StagedArchive] {
    var archives: [StagedArchive] = []
    for parts in try ArchiveParts.group(work.files, limits: work.limits) {
      archives.append(
        try StagedArchive.read(
          parts,
          limits: work.limits,
          salvages: work.salvages,
          cancellation: cancellation
        ) { [onEvent] progress in onEvent(.progress(progress)) }
      )
    }
    return archives
  }
}

/// Opens an archive that was read already.
private struct ImportOpener: StoreOpener {
  let archive: StagedArchive

  func openSource(_ location: StoreLocation, options: CopyOptions) throws(DecantError)
    -> any SourceStore
  {
    try archive.source(options: options)
  }

  func openSource(_ location: StoreLocation, facing other: StoreLocation, options: CopyOptions)
    throws(DecantError) -> any SourceStore
  {
    try archive.source(facing: other, options: options)
  }

  func openDestination(
    _ location: StoreLocation,
    like source: any SourceStore,
    options: CopyOptions
  ) throws(DecantError) -> any DestinationStore {
    try StoreKinds().openDestination(location, like: source, options: options)
  }
}
