internal import DecantArchive
internal import DecantRecipes
internal import DecantBase
internal import DecantContainers
internal import DecantCopy
internal import DecantPlan
internal import DecantStore

/// One run of an import.
struct ImportRun {
  private let work: Import
  /// Whether recipes go unchanged into a plain database that decant made from recipe files, or creates now.
  private let isIntoLibrary: Bool
  private let cancellation: Cancellation
  private let onEvent: (WorkEvent) -> Void
  /// The base of the merge, once it has been read, if it is an archive.
  private var base: StagedArchive?
  /// The other files in folders with archives, if there are no recipes among them.
  private var besides: StagedRecipes?

  init(_ work: Import, cancellation: Cancellation, onEvent: @escaping (WorkEvent) -> Void) {
    self.work = work
    let (place, options) = (work.destination.place, work.options)
    isIntoLibrary =
      StoreKinds.hasModel(work.destination.kind) != true && options.mapping == nil && options.template == nil
      && (FileStatus(place) == nil || ImportedVersions.isLibrary(at: place))
    self.cancellation = cancellation
    self.onEvent = onEvent
  }

  mutating func run() throws(DecantError) -> ImportReport {
    var clock = PhaseClock()
    clock.begin(.read)
    onEvent(.began(.read))
    let sources: [Source]
    do throws(DecantError) {
      sources = try read()
    } catch {
      throw unsalvaged(error)
    }
    base = try readBase()
    let phases = clock.stop()
    guard sources.count < 2 || work.options.merge?.listsConflicts != true else {
      throw DecantError(
        .conflictingOptions,
        "conflicts can be decided for one archive at a time, but \(sources.count) are given",
        place: "\(option: .conflicts), \(option: .decisions), \(option: .resolve)",
        remedy: "import them one at a time"
      )
    }
    if sources.count > 1, !work.options.isDryRun {
      // Incompatible sources are detected before any of the others is written.
      for source in sources { _ = try copy(source, isDryRun: true, rejects: nil) { _ in } }
    }
    var reports: [CopyReport] = []
    for (number, source) in sources.enumerated() {
      if sources.count > 1 { onEvent(.part(number + 1, of: sources.count)) }
      do throws(DecantError) {
        // Each has its own file: `rejects.decant`, `rejects.2.decant`.
        let rejects = work.options.rejectsFile.map { file in
          number == 0 ? file : ArchivePlace(lines: file).name(ofPart: number + 1)
        }
        var report = try copy(source, isDryRun: work.options.isDryRun, rejects: rejects, onEvent)
        let own = report.phases.first { $0.phase == .read }?.seconds ?? 0
        if reports.isEmpty {
          report.phases = phases + report.phases.filter { $0.phase != .read }
          report.phases[0].seconds += own
        }
        if number == sources.count - 1 { try tellRest(&report) }
        reports.append(report)
        onEvent(.made(report))
      } catch {
        guard !reports.isEmpty, !work.options.isDryRun else { throw error }
        var told = error
        let names = reports.map { "“\($0.source.place)”" }.joined(separator: ", ")
        told.tell("imported before that: \(names)")
        throw told
      }
    }
    return ImportReport(reports)
  }

  /// Adds the files in folders that are neither archives nor recipes to the last report.
  private func tellRest(_ report: inout CopyReport) throws(DecantError) {
    guard let besides else { return }
    besides.complete(&report)
    guard let file = work.options.rejectsFile, !besides.rejects.isEmpty, !report.isDryRun else {
      return
    }
    let place = report.rejectsFile.map { ArchivePlace(lines: $0).name(ofPart: 2) } ?? file
    try besides.writeRejects(to: place)
    report.rejectsFile = report.rejectsFile ?? place
  }

  /// A source that is imported as a whole.
  private enum Source {
    case archive(StagedArchive)
    case recipes(StagedRecipes)
  }

  private func copy(
    _ source: Source,
    isDryRun: Bool,
    rejects: String?,
    _ onEvent: (WorkEvent) -> Void
  ) throws(DecantError) -> CopyReport {
    switch source {
    case .archive(let archive):
      var report = try copy(archive, isDryRun: isDryRun, rejects: rejects, onEvent)
      report.forget(archive.stubCounts)
      report.mainEntity = archive.header.model.model.mainEntity(among: report.entities)
      report.isPartial = archive.damage != nil
      archive.skipped.enter(into: &report, of: archive.place)
      if work.options.mapping != nil, archive.unfollowedCount > 0 {
        let count = archive.unfollowedCount
        report.notes.append(
          ReportNote(
            .linksEmpty,
            "\(count) link\(count == 1 ? "" : "s") to objects that the archive only refers to "
              + "\(count == 1 ? "is" : "are") empty: a mapping does not resolve them, and no missing rule "
              + "applies to them"))
      }
      return report
    case .recipes(let recipes):
      return try copy(recipes, isDryRun: isDryRun, rejects: rejects, onEvent)
    }
  }

  /// Imports recipes.
  private func copy(
    _ recipes: StagedRecipes,
    isDryRun: Bool,
    rejects: String?,
    _ onEvent: (WorkEvent) -> Void
  ) throws(DecantError) -> CopyReport {
    var options = work.options
    options.isDryRun = isDryRun
    options.rejectsFile = rejects
    options.unreadCount = Int64(recipes.rejects.count)
    let unites = isIntoLibrary && options.merge?.duplicates == .merge
    if unites { options.merge?.duplicates = nil }
    if StoreKinds.hasModel(work.destination.kind) == true,
      FileStatus(work.destination.place) == nil,
      options.template == nil
    {
      // Only the template has the version hashes.
      options.template = try recipes.modelPlace()
      options.isUnversioned = true
    }
    if let base = options.merge?.base, StoreKinds.hasModel(work.destination.kind) == true || !isIntoLibrary,
      options.mapping == nil, ImportedVersions.isLibrary(at: base.place)
    {
      throw DecantError(
        .unsuitableOption,
        "“\(base.place)” is a plain database of recipes, which is no base for a Core Data store",
        place: "\(option: .base)",
        remedy: "name the older version of the recipe file, or a Core Data store that it was imported into"
      )
    }
    if options.mapping == nil {
      options.model = try recipes.model(of: work.destination, options, work.kinds)
      // Recipes from files are numbered 1, 2, 3 as they are read.
      options.merge?.lineage = .none
    }
    if takesCorrections, let base = recipes.base {
      options.merge?.rule = MergeRules.Rule(.threeWay)
      options.merge?.base = base
      options.merge?.leavesUnknown = true
    }
    let keepsVersions = isIntoFile && !isDryRun
    if keepsVersions, options.idTableFile == nil { options.idTableFile = recipes.idTableFile }
    var report = try Copy(
      from: StoreLocation(place: recipes.place),
      to: work.destination,
      options: options,
      opener: ImportOpener(archives: [], recipes: recipes, kinds: work.kinds)
    ).perform(cancellation, onEvent)
    if keepsVersions, let file = options.idTableFile {
      report.notes += try recipes.settle(
        in: work.destination.place,
        file,
        overwrites: overwritesVersions(report),
        unites: unites
      )
      report.idTableFile = work.options.idTableFile
    }
    recipes.complete(&report)
    if let file = options.rejectsFile, !recipes.rejects.isEmpty, !isDryRun,
      report.rejectsFile == nil
    {
      try recipes.writeRejects(to: file)
      report.rejectsFile = file
    }
    return report
  }

  /// Whether archives of recipes are read like recipe files, which requires such a database and complete archives.
  private var takesArchives: Bool { isIntoLibrary && !work.salvages }

  /// Whether the destination is a file of recipes, which also keeps the imported versions.
  private var isIntoFile: Bool {
    isIntoLibrary && work.destination.kind.flatMap { work.kinds.kind(named: $0) }?.isFile != false
  }

  /// Whether the last imported version determines how an existing recipe is treated.
  private var takesCorrections: Bool {
    guard let rules = work.options.merge, work.takesCorrections, isIntoFile else { return false }
    return rules.rule.policy == .skip && rules.rules.isEmpty && rules.base == nil && rules.tombstoneFile == nil
      && rules.identities.isEmpty && rules.withoutIdentity.isEmpty
  }

  /// Whether the store now has the content of the files, as intended; otherwise the next import considers it again.
  private func overwritesVersions(_ report: CopyReport) -> Bool {
    if takesCorrections { return report.conflictCount == 0 || work.options.merge?.listsConflicts != true }
    return [.update, .replace, .threeWay].contains(recipePolicy)
  }

  /// Imports one archive, or reports what an import would do.
  private func copy(
    _ archive: StagedArchive,
    isDryRun: Bool,
    rejects: String?,
    _ onEvent: (WorkEvent) -> Void
  ) throws(DecantError) -> CopyReport {
    var options = work.options
    options.isDryRun = isDryRun
    options.rejectsFile = rejects
    // References to objects outside the archive are only matched; they are not objects themselves.
    options.filters += archive.stubCounts.keys.sorted().map {
      CopyOptions.Filter(entity: $0, expression: "_id < \(ReferenceStubs.firstKey)")
    }
    // Unless the model or the user defines an identity, the attributes that identify references identify all objects.
    let model = archive.header.model.model
    for (entity, names) in archive.stubKeys where options.merge?.identities[entity] == nil {
      let constraints = model.lineage(of: entity).flatMap(\.uniquenessConstraints)
      if constraints.isEmpty { options.merge?.identities[entity] = names }
    }
    if options.mapping != nil { options.filters = work.options.filters }
    // An object that points to a newly rejected object is rejected as well: existing objects are not imported again.
    if archive.header.rejectCount != nil, options.onError == .reject,
      options.missingDefault == .null
    {
      options.missingDefault = .reject
    }
    if options.mapping == nil { options.firstReferenceKey = ReferenceStubs.firstKey }
    return try Copy(
      from: StoreLocation(kind: ArchiveKind.name, place: archive.place),
      to: work.destination,
      options: options,
      opener: ImportOpener(archives: [archive] + (base.map { [$0] } ?? []), kinds: work.kinds)
    ).perform(cancellation, onEvent)
  }

  /// Reads the base without objects that it only refers to: those were never sent, so they cannot have been deleted.
  private func readBase() throws(DecantError) -> StagedArchive? {
    guard let base = work.options.merge?.base,
      try work.kinds.facing(base, work.options).kind()?.name == ArchiveKind.name
    else { return nil }
    return try StagedArchive.read([base.place], limits: work.limits, cancellation: cancellation)
  }

  /// The content that a file seems to have.
  private enum Look {
    /// An archive, with its header if it could be read in advance.
    case archive(ArchiveHeader?)
    /// A file to be searched for recipes, and the reason why it is not an archive.
    case other(DecantError)
  }

  /// Checks whether a file is an archive, and reads its header.
  ///
  /// If there are several files, any that is not an archive is searched for recipes: other files in a folder are listed
  /// in the report and stop nothing.
  ///
  /// - Throws: `DecantError` for a file that can be neither.
  private func look(at file: String) throws(DecantError) -> Look {
    if file == ArchivePlace.pipe { return .archive(nil) }
    if FileStatus(file)?.isFolder == true {
      return .other(DecantError(.notAStore, "“\(file)” is a folder"))
    }
    do throws(DecantError) {
      let header = try ArchiveParts.header(of: file, work.limits)
      // If a container holds several files, each is examined.
      guard takesArchives, RecipeFiles.isRecipes(header) || !ArchiveStream.isAlone(file, work.limits) else {
        return .archive(header)
      }
      return .other(DecantError(.notAStore, "“\(file)” contains no recipe"))
    } catch {
      let isAlone = work.files.count == 1
      if error.code == .accessDenied, !isAlone { return .other(error) }
      // A file that begins like an archive is taken for one, even if it is damaged.
      guard error.family == .corruptStore, !ArchiveStream.isArchive(file) else { throw error }
      guard isAlone, !RecipeFiles.isRecipes(file) else { return .other(error) }
      throw RecipeFiles.refusal(of: file) ?? error
    }
  }

  /// Returns the error of a file from which nothing could be salvaged, without the advice to salvage it.
  private func unsalvaged(_ error: DecantError) -> DecantError {
    guard work.salvages, error.advice?.names(.salvage) == true else { return error }
    var error = error
    error.advice = "\(ArchiveReceipt.again)"
    return error
  }

  /// Returns the model of the existing store or of the template; `nil` for a store made from the archive.
  private func destinationModel() throws(DecantError) -> Model? {
    let isMade = FileStatus(work.destination.place) == nil && work.options.template == nil
    guard work.options.mapping == nil, !isMade else { return nil }
    return try work.kinds.facing(work.destination, work.options).model(work.options)
  }

  /// Reads each source into a database of its own; an unreadable archive stops the whole import.
  private mutating func read() throws(DecantError) -> [Source] {
    var archives: [(file: String, header: ArchiveHeader?)] = []
    var others: [String] = []
    var fault: DecantError?
    for file in work.files {
      switch try look(at: file) {
      case .archive(let header): archives.append((file, header))
      case .other(let error):
        others.append(file)
        fault = error
      }
    }
    let expected = Dictionary(
      archives.map { ($0.file, $0.header?.objectCount ?? 0) },
      uniquingKeysWith: { first, _ in first }
    )
    let groups = ArchiveParts.group(archives)
    let reading = ReadingProgress(onEvent, groups.compactMap(\.first).map { expected[$0] ?? 0 })
    // If a file has the extension of an archive and is not one, it is a damaged archive, and not a file of another kind.
    let isBeside = !archives.isEmpty && !others.contains { ArchivePlace($0, isAsked: false)?.isLines == true }
    let recipes = others.isEmpty ? nil : try readRecipes(others, fault, isBeside: isBeside, reading)
    reading.endOthers()
    for file in recipes?.archives ?? [] {
      archives.append((file, try ArchiveParts.header(of: file, work.limits)))
    }
    var sources: [Source] = []
    for parts in ArchiveParts.group(archives) {
      sources.append(
        .archive(
          try StagedArchive.read(
            parts,
            limits: work.limits,
            salvages: work.salvages,
            // With a mapping, references cannot be resolved: the other model has other identifying attributes.
            keepsReferences: work.options.mapping == nil,
            // The store may now accept what it rejected before.
            model: try destinationModel(),
            holdsBack: true,
            cancellation: cancellation,
            reading.take
          )
        )
      )
      reading.endArchive()
    }
    guard let recipes else { return sources }
    if recipes.isEmpty { besides = recipes } else { sources.append(.recipes(recipes)) }
    return sources
  }

  /// The policy for recipes that were imported earlier with other content.
  private var recipePolicy: MergePolicy {
    let rules = work.options.merge
    return rules?.rules["Recipe"]?.policy ?? rules?.rule.policy ?? .skip
  }

  /// Reads files that are not archives: recipe files and folders, whose archives it lists.
  private func readRecipes(
    _ files: [String],
    _ fault: DecantError?,
    isBeside: Bool,
    _ reading: ReadingProgress
  ) throws(DecantError) -> StagedRecipes {
    do throws(DecantError) {
      return try StagedRecipes(
        files,
        limits: work.limits.container,
        readsLayout: !work.onlyStructured,
        listsArchives: true,
        hasOthers: isBeside,
        archives: takesArchives ? work.limits : nil,
        policy: work.options.mapping == nil ? recipePolicy : .skip,
        correcting: takesCorrections ? work.destination.place : nil,
        cancellation: cancellation,
        reading.take
      )
    } catch {
      // A single file is neither: the error that it causes as an archive may explain more.
      guard error.cause is NothingRead, work.files.count == 1, var fault,
        FileStatus(files[0])?.isFolder != true
      else { throw error }
      // A file that cannot be unpacked is damaged, whatever its format.
      if let place = error.spot, !(fault.cause is ContainerError) {
        fault.tell("and no recipe file: \(place)")
      }
      throw fault
    }
  }
}

extension CopyReport {
  /// Subtracts from the counts what was not an object of the archive.
  fileprivate mutating func forget(_ stubs: [String: Int64]) {
    for index in entities.indices {
      guard let count = stubs[entities[index].name] else { continue }
      entities[index].source -= count
      entities[index].filtered -= count
    }
  }
}

extension Model {
  /// Returns the main entity of the copied objects: owned by no other and owning the most.
  ///
  /// If the model does not determine one, it is the first.
  fileprivate func mainEntity(among reports: [EntityReport]) -> String? {
    let copied = reports.filter { $0.copied > 0 }.map(\.name)
    let owned = Set(
      entities.flatMap { entity in
        entity.relationships.filter { $0.deleteRule == .cascade }.map(\.destination)
      }
    )
    func ownedCount(_ name: String) -> Int {
      lineage(of: name).flatMap(\.relationships).count { $0.deleteRule == .cascade }
    }
    return copied.filter { name in lineage(of: name).allSatisfy { !owned.contains($0.name) } }
      .max { ownedCount($0) < ownedCount($1) } ?? copied.first
  }
}
