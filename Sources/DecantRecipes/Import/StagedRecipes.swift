package import DecantArchive
internal import DecantCoreData
internal import DecantPlain
internal import DecantRecipeFormats
package import DecantContainers
package import DecantBase
package import DecantPlan
package import DecantStore
package import DecantJSON
internal import DecantSQLite

/// The cause of an error for files that contain no recipe at all, even if a format was given.
package struct NothingRead: Error {}

/// Recipe files that were read into a database of their own, in a temporary folder, which is used like any other store.
package final class StagedRecipes: Sendable {
  /// The path that the user named; of several, the first and the number of the others.
  package let place: String
  let duplicates: RecipeDuplicates.Outcome
  package let rejects: [RecipeFindings.Reject]
  let warnings: [RecipeFindings.Warning]
  /// The number of warnings, of which the first are kept.
  let warningCount: Int
  let unknown: [RecipeFindings.Reject]
  /// The number of recipes that were read, by the name of their format.
  let counts: [String: Int64]
  /// The archives in folders, which were requested and not read.
  package let archives: [String]
  private let path: String
  private let origin: [FileStatus?]
  package let folder: ScratchFolder
  /// The results of comparing these files with the store.
  let versions: StagedVersions.Outcome
  /// The last imported versions of the recipes that have changed since: the base of a three-way merge.
  package let base: StoreLocation?

  /// Reads files and folders.
  ///
  /// - Parameters:
  ///   - paths: The paths that the user named.
  ///   - limits: The limits for containers.
  ///   - only: The name of the only format to be read, if one was given.
  ///   - readsLayout: Whether the layout of pages is read in addition to their structured data.
  ///   - listsArchives: Whether archives in folders are listed, in which case there may be nothing else.
  ///   - hasOthers: Whether other files are read, too, so that none of these has to hold a recipe or be readable.
  ///   - archiveLimits: The limits for archives of recipes, which then count as recipe files; `nil` if they do not.
  ///   - policy: How to treat a recipe that was already read with other content.
  ///   - store: The place of the store that takes corrections: recipes whose files have not changed since they were
  ///     imported into it are left out. `nil` if there is none.
  ///   - cancellation: Ends the reading.
  ///   - onProgress: Called from time to time with the number of recipes so far.
  /// - Throws: `DecantError` if nothing can be read at all.
  package init(
    _ paths: [String],
    limits: ContainerLimits = ContainerLimits(),
    only: String? = nil,
    readsLayout: Bool = true,
    listsArchives: Bool = false,
    hasOthers: Bool = false,
    archives archiveLimits: ArchiveLimits? = nil,
    policy: MergePolicy = .skip,
    correcting store: String? = nil,
    cancellation: Cancellation = Cancellation(),
    _ onProgress: @escaping (WorkProgress) -> Void = { _ in }
  ) throws(DecantError) {
    place = paths.count == 1 ? paths[0] : "\(paths[0]) and \(paths.count - 1) more"
    origin = paths.map { FileStatus($0) }
    folder = try ScratchFolder()
    let library = try store.flatMap { place throws(DecantError) in try ImportedVersions(place) }
    let stager = try RecipeStager(in: folder.path)
    stager.connection.setProgressCheck(StopCheck(cancellation))
    let files = try RecipeFiles(
      stager,
      in: folder,
      limits: limits,
      only: only,
      readsLayout: readsLayout,
      listsArchives: listsArchives,
      archives: archiveLimits,
      cancellation: cancellation
    ) { count in
      onProgress(WorkProgress(phase: .read, step: "Recipe", rowCount: count, expectedRowCount: count, byteCount: 0))
    }
    let findings = files.findings
    for path in paths {
      do throws(DecantError) {
        try files.read(path)
      } catch {
        guard error.code == .accessDenied, hasOthers || paths.count > 1 else { throw error }
        findings.reject(nil, "\(error.what)")
      }
    }
    archives = findings.archives
    if findings.recipeCount == 0, archives.isEmpty, !hasOthers {
      throw StagedRecipes.nothing(in: paths, findings)
    }
    let basePath = "\(folder.path)/imported.sqlite"
    (versions, duplicates) = try explaining("cannot compare recipes") { () throws(SQLiteError) in
      let connection = stager.connection
      try StagedVersions.note(on: connection)
      var versions = StagedVersions.Outcome()
      if store != nil {
        // Even without a store: the next import would otherwise take the newest version for a correction.
        let older = try StagedVersions.removeOlder(on: connection)
        if let library {
          versions = try StagedVersions(
            on: connection,
            library,
            RecipeBase(at: basePath, connection, library),
            damaged: findings.isDamaged
          ).settle()
        }
        versions.repeated.merge(older) { $0 + $1 }
      }
      let duplicates = try RecipeDuplicates(on: connection, policy: policy, given: versions.recipes).settle()
      return (versions, duplicates)
    }
    base = versions.recipes.isEmpty ? nil : StoreLocation(kind: PlainKind.name, place: basePath)
    try stager.finish()
    stager.connection.setProgressCheck(nil)
    path = stager.path
    (rejects, unknown) = (findings.rejects, findings.unknown)
    // Warnings about a recipe were reported when it was first imported.
    let left = versions.unchanged.union(versions.deleted.keys)
    let said = findings.warnings.filter { $0.recipe.map { left.contains($0.key) } ?? false }
    warnings = findings.warnings.filter { $0.recipe.map { !left.contains($0.key) } ?? true }
    warningCount = findings.warningCount - said.count
    counts = findings.counts
  }

  /// Returns the error for files that contain no recipe.
  private static func nothing(in paths: [String], _ findings: RecipeFindings) -> DecantError {
    if paths.count == 1, findings.rejects.isEmpty, let refusal = RecipeFiles.refusal(of: paths[0]) { return refusal }
    let found = findings.rejects + findings.unknown
    let reasons = found.prefix(3).map { reject in
      let name = reject.entry ?? (paths.count > 1 ? Files.name(of: reject.file) : nil)
      return (name.map { "\($0): " } ?? "") + reject.reason
    }
    let rest = found.count > reasons.count ? "; and \(found.count - reasons.count) more" : ""
    return DecantError(
      .notAStore,
      paths.count == 1
        ? "“\(paths[0])” contains no recipe that decant can read"
        : "none of the \(paths.count) files contains a recipe that decant can read",
      place: reasons.isEmpty ? nil : DecantError.Text(reasons.joined(separator: "; ") + rest),
      remedy: "for the supported formats, \(shell: "run: decant stores", app: "see the kinds of stores")",
      cause: NothingRead()
    )
  }

  /// Whether no recipe was read: there are only archives, and files of other kinds.
  package var isEmpty: Bool { counts.isEmpty }

  /// Returns the recipes as a store.
  ///
  /// A mapping is written for the recipe model, in which lists are ordered.
  package func source(options: CopyOptions) throws(DecantError) -> any SourceStore {
    let file = try PlainFile(database(), options: options)
    guard options.mapping == nil else {
      return try ObjectsSource(file, model: ModelLocation(modelPlace()).read())
    }
    var source = PlainSource(file)
    source.likeness = RecipeLikeness.make(isPlain: true, beside: versions.beside)
    return source
  }

  /// Returns the recipes as a store whose objects are copied to `other`, or compared with it.
  package func source(facing other: FacingStore, options: CopyOptions) throws(DecantError) -> any SourceStore {
    guard let model = try other.model(options) else {
      return try source(options: options)
    }
    var source = try ObjectsSource(PlainFile(database(), options: options), model: model)
    source.likeness = RecipeLikeness.make(isPlain: false)
    return source
  }

  /// Returns the base of a three-way merge, as a store.
  package func baseSource(options: CopyOptions) throws(DecantError) -> any SourceStore {
    let file = try DatabaseFile.made(
      base?.place ?? "", of: base?.place ?? "", kind: PlainKind.name, origin: [], notes: [], keeper: folder)
    var source = PlainSource(try PlainFile(file, options: options))
    source.likeness = RecipeLikeness.make(isPlain: true, beside: versions.beside)
    return source
  }

  /// The file for the table that maps these recipes to those of the store.
  package var idTableFile: String { "\(folder.path)/ids.sqlite" }

  /// Ends an import: records, in the store that recipes were imported into, what their files contain, as the base of
  /// the next import, and looks for recipes that are nearly the same.
  ///
  /// - Parameters:
  ///   - place: The store.
  ///   - ids: The table that maps the recipes to those of the store.
  ///   - overwrites: Whether recorded versions are replaced by the current content of the files.
  ///   - unites: Whether recipes that are nearly the same are merged; otherwise the new ones are only named.
  /// - Returns: Notes about such recipes.
  /// - Throws: `DecantError` if the store cannot be written.
  package func settle(in place: String, _ ids: String, overwrites: Bool, unites: Bool) throws(DecantError)
    -> [ReportNote]
  {
    try ImportedVersions.settle(
      "\(folder.path)/versions.sqlite", ids, in: place, overwrites: overwrites, unites: unites)
  }

  /// Returns the place of the recipe model, from which a Core Data store can be made.
  package func modelPlace() throws(DecantError) -> String { try RecipeModel.write(in: folder.path) }

  private func database() throws(DecantError) -> DatabaseFile {
    try DatabaseFile.made(
      path,
      of: place,
      kind: counts.keys.sorted().joined(separator: ", "),
      origin: origin,
      notes: [],
      keeper: folder,
      isFinal: true
    )
  }

  /// Adds everything to the report that the copy itself does not know.
  package func complete(_ report: inout CopyReport) {
    let rejected = Int64(rejects.count)
    let (count, unchanged) = (duplicates.count + versions.repeated.values.reduce(0, +), Int64(versions.unchanged.count))
    let (deleted, left) = (Int64(versions.deleted.count), Int64(versions.left.count))
    if report["Recipe"] == nil, count + rejected + unchanged + deleted + left > 0 {
      report.entities.insert(EntityReport(name: "Recipe", source: 0), at: 0)
    }
    for index in report.entities.indices where report.entities[index].name == "Recipe" {
      report.entities[index].source += count + unchanged + rejected + deleted + left
      report.entities[index].skipped += count + unchanged + deleted + left
      report.entities[index].merge?.notAdded += deleted
      report.entities[index].rejected += rejected
      report.entities[index].merge?.same += unchanged
      report.entities[index].merge?.changed += left
      if unchanged > 0 {
        report.entities[index].merge?.pairings.append(
          EntityReport.Pairing(way: .likeness, names: ["unchanged file"], count: unchanged))
      }
      report.entities[index].merge?.duplicate += count
    }
    if !isEmpty { report.mainEntity = "Recipe" }
    if rejected > 0 { report.rejectedByCode[.parse, default: 0] += rejected }
    report.unread = rejects.map(\.unread)
    report.passedOver = unknown.map(\.unread)
    report.remarks = warnings.map {
      CopyReport.Unread(file: $0.file, entry: $0.entry, reason: $0.message, confidence: $0.confidence)
    }
    report.corrections = Array(
      versions.corrections.lazy.flatMap { correction in
        correction.changes.lazy.map { change in
          CopyReport.Correction(
            entity: "Recipe", title: correction.title, field: change.field, before: change.before, after: change.after)
        }
      }.prefix(CopyReport.Correction.limit)
    )
    report.correctionCount = versions.corrections.reduce(0) { $0 + Int64($1.changes.count) }
    report.recipes = report["Recipe"].map { CopyReport.RecipeCounts($0) }
    if let recipes = report.recipes, recipes.found != recipes.taken {
      report.notes.append(ReportNote(.formatsRead, recipes.sentence))
    }
    report.notes += notes
  }

  /// Notes for the reader about the recipes that were read.
  private var notes: [ReportNote] {
    var notes: [ReportNote] = []
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let formats = sorted.map { name, count in
      if name == RecipeArchives.format { return "\(count.counted("recipe")) that decant exported" }
      let title = RecipeFormats.all.first { $0.name == name }?.title ?? name
      return "\(count.counted("recipe")) of \(title)"
    }
    if !formats.isEmpty { notes.append(ReportNote(.formatsRead, "read: \(formats.joined(separator: ", "))")) }
    notes += duplicateNotes
    notes += versions.corrections.prefix(20).map { correction in
      ReportNote(.corrected, "“\(correction.title)” has changed in its file: \(correction.text)")
    }
    if versions.corrections.count > 20 {
      notes.append(
        ReportNote(
          .corrected, "and \(versions.corrections.count - 20) more",
          remedy: "the JSON report lists all of them"))
    }
    if !versions.deleted.isEmpty {
      let titles = versions.deleted.sorted { $0.key < $1.key }.map { "“\($0.value)”" }
      notes.append(
        ReportNote(
          .notAddedAgain,
          "\(Int64(titles.count).counted("recipe")) deleted here since the last import, and left out: "
            + "\(titles.prefix(5).joined(separator: ", "))\(titles.count > 5 ? ", …" : "")",
          remedy: "\(say: .merge, "skip") adds \(titles.count == 1 ? "it" : "them") again"
        )
      )
    }
    notes += remarkNotes
    let skipped = RemarkGroup.all(of: unknown.map { ($0.entry ?? Files.name(of: $0.file), $0.reason) })
    notes += skipped.prefix(20).map { group in
      guard group.count > 1 else {
        return ReportNote(.fileSkipped, "skipped: \(place(of: unknown[group.first])): \(group.text)")
      }
      return ReportNote(.fileSkipped, "skipped: \(group.count) files, such as \(group.names): \(group.text)")
    }
    if skipped.count > 20 {
      notes.append(StagedRecipes.more(.fileSkipped, "and \(skipped.count - 20) more reasons to skip files"))
    }
    return notes
  }

  private func place(of file: RecipeFindings.Reject) -> String {
    "\(Files.name(of: file.file))\(file.entry.map { ", \($0)" } ?? "")"
  }

  /// The remarks about recipes, grouped by their text.
  private var remarkNotes: [ReportNote] {
    let groups = RemarkGroup.all(
      of: warnings.map { ($0.recipe?.title ?? $0.entry ?? Files.name(of: $0.file), $0.text) })
    var notes = groups.prefix(20).map { group in
      let first = warnings[group.first]
      guard group.count > 1 else {
        let entry = first.entry.map { ", \($0)" } ?? ""
        return ReportNote(.remark, "\(Files.name(of: first.file))\(entry): \(first.message)")
      }
      return StagedRecipes.more(.remark, "\(group.count) × \(group.text): \(group.names)")
    }
    let rest = warningCount - groups.prefix(20).reduce(0) { $0 + $1.count }
    if rest > 0 { notes.append(StagedRecipes.more(.remark, "and \(rest) more remarks")) }
    return notes
  }

  /// Returns a note about items that are in the report but not in the notes.
  private static func more(_ kind: ReportNote.Kind, _ message: DecantError.Text) -> ReportNote {
    ReportNote(kind, message, remedy: "\(option: .verbose) lists them all")
  }

  /// Notes for the reader about recipes that were read more than once.
  private var duplicateNotes: [ReportNote] {
    var notes: [ReportNote] = []
    let found = duplicates.found.merging(versions.repeated, uniquingKeysWith: +)
    let count = duplicates.count + versions.repeated.values.reduce(0, +)
    if count > 0 {
      let ways = RecipeDuplicates.Way.allCases.compactMap { way in found[way].map { "\($0) by \(way.text)" } }
      notes.append(
        ReportNote(
          .duplicatesFound,
          "\(count.counted("recipe")) found more than once: \(ways.joined(separator: ", "))"))
    }
    if duplicates.completedCount > 0 {
      notes.append(
        ReportNote(
          .completedFromOther,
          "\(duplicates.completedCount.counted("recipe")) completed with pictures or other data from another file with "
            + "the same recipe"))
    }
    let (others, left) = (duplicates.changed + versions.others, versions.left)
    let changed = duplicates.changedCount + Int64(versions.others.count)
    if changed > 0 {
      notes.append(
        different(changed, "of them have more, less or different content, which is not copied", others))
    }
    if !left.isEmpty {
      let count = Int64(left.count)
      notes.append(
        different(
          count,
          "\(count == 1 ? "recipe" : "recipes") not copied: most lines differ from the last version, "
            + "as in a damaged file or a part of a page", left))
    }
    return notes
  }

  /// Returns a note about recipes with different content, which a policy takes.
  private func different(_ count: Int64, _ words: String, _ titles: [String]) -> ReportNote {
    let them = count == 1 ? "it" : "them"
    return ReportNote(
      .differentContent,
      "\(count) \(words): \(titles.prefix(5).joined(separator: ", "))\(count > 5 ? ", …" : "")",
      remedy: "\(say: .merge, "update") takes \(them), keep-both adds \(them) as new"
    )
  }

  /// A line for each file or entry that did not become a recipe.
  package var unreadLines: [JSONValue] {
    rejects.map { reject in
      .object([
        ("entity", .string("Recipe")), ("file", .string(reject.file)),
        ("entry", reject.entry.map { .string($0) } ?? .null),
        ("code", .string(RejectCode.parse.rawValue)), ("reason", .string(reject.reason)),
      ])
    }
  }

  /// Writes these lines to the file that the user named.
  package func writeRejects(to path: String) throws(DecantError) {
    let file = try OutputFile(path)
    for line in unreadLines { file.write(line.text + "\n") }
    try file.close()
  }
}

extension CopyReport.RecipeCounts {
  /// The counts as a sentence.
  fileprivate var sentence: DecantError.Text {
    let parts = [
      (taken, "taken"), (alreadyThere, "already there"), (changed, "changed"), (damaged, "damaged"),
      (leftOut, "left out"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "\(found.counted("recipe")) found: \(parts.isEmpty ? "none taken" : parts.joined(separator: ", "))"
  }
}

extension RecipeFindings.Reject {
  fileprivate var unread: CopyReport.Unread {
    CopyReport.Unread(file: file, entry: entry, reason: reason)
  }
}

extension RecipeDuplicates.Way {
  /// The way in which a duplicate was recognized, in words.
  fileprivate var text: String {
    switch self {
    case .nativeID: "their own ID"
    case .page: "the page they are from"
    case .content: "their content"
    }
  }
}
