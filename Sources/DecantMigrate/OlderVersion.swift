package import DecantBase
package import DecantPlan
package import DecantStore
internal import DecantVersions

/// A source store of another model version than the merge destination, migrated to that version in a temporary folder.
///
/// The migration is the same as by `Migration`; only the place of the result differs. The result is removed when it is
/// no longer read.
package struct OlderVersion {
  package let source: StoreLocation
  package let destination: StoreLocation
  /// The bundle with the intermediate versions; `nil` if none was given.
  package let bundle: String?
  /// The place of a model to read a source that does not contain its own.
  package let model: String?
  /// The pattern for the result: the destination, or a version of the bundle if the destination does not contain its
  /// model.
  package let wanted: String
  package let options: CopyOptions
  package let opener: any MigrationOpener

  /// Creates a migration for a store to be merged into another one.
  package init(
    _ source: StoreLocation,
    into destination: StoreLocation,
    bundle: String?,
    model: String?,
    wanted: String,
    options: CopyOptions,
    opener: any MigrationOpener
  ) {
    self.source = source
    self.destination = destination
    self.bundle = bundle
    self.model = model
    self.wanted = wanted
    self.options = options
    self.opener = opener
  }

  /// The store that was made from the source.
  package struct Made {
    /// Its place.
    package let path: String
    /// The temporary folder, which is removed with the store when it is no longer referenced.
    package let folder: ScratchFolder
    /// The state of the source's files.
    package let origin: [FileStatus?]
    /// Notes for the reader.
    package let notes: [ReportNote]
  }

  /// Migrates the source into a temporary folder.
  ///
  /// - Parameters:
  ///   - cancellation: Ends the migration and discards its result.
  ///   - onEvent: Receives the progress.
  /// - Returns: The store of the destination's version; `nil` if the source can be read as it is.
  /// - Throws: `DecantError` of the family `.modelMismatch` if the source cannot be migrated without a decision.
  package func made(_ cancellation: Cancellation, _ onEvent: @escaping (WorkEvent) -> Void)
    throws(DecantError) -> Made?
  {
    let through = [bundle].compactMap(\.self)
    let found = try opener.openVersioned(source, against: wanted, through: through, model: model)
    guard let store = found.source, found.hasSameHashes != true else { return nil }
    // A store without a common entity belongs to another app.
    guard ModelMatching(from: store.model, to: found.target.model).hasPairs else { return nil }
    let check = try Check(source, against: wanted, opener: opener).report(on: found, cancellation)
    guard check.migration != .none else { return nil }
    // Equal names mean the same thing, unless a version has renamed something.
    let fits =
      ModelMisfits(from: store.model, to: found.target.model).all.isEmpty
      && !check.changes.contains { $0.kind.changesName }
    if bundle == nil {
      if fits { return nil }
      if let obstacle = check.obstacle { throw refused(obstacle) }
      // The source may be the newer version: then its additional data would be lost.
      if let loss = check.changes.first(where: { $0.isLoss || $0.demand == .mapping }) {
        throw refused(
          DecantError(.versionUnclear, "it is not known which is the older one, and \(loss.subject): \(loss.text)")
        )
      }
    } else if check.obstacle != nil {
      if fits { return nil }
      if found.isNewer { throw newer(check) }
    }
    guard options.idTableFile == nil else { throw keptKeys }
    let origin = DatabaseFile.status(of: source.place)
    let folder = try ScratchFolder()
    let path = "\(folder.path)/\(Files.name(of: source.place))"
    var migration = Migrate([source], to: wanted, opener: opener)
    migration.model = model
    migration.through = through
    migration.output = path
    migration.isUnversioned = found.target.model.versionHashes == nil
    migration.duplicates = options.merge?.duplicates
    migration.verifies = options.verifies
    migration.batchSize = options.batchSize
    migration.readsPrivateCopy = options.readsPrivateCopy
    onEvent(.began(.read))
    let report: MigrationReport
    do throws(DecantError) {
      report = try migration.operation.run(cancellation: cancellation) { event in
        guard case .working(.progress(var progress), _) = event else { return }
        progress.phase = .read
        onEvent(.progress(progress))
      }
    } catch {
      guard error.family == .modelMismatch else { throw error }
      throw refused(error)
    }
    return Made(path: path, folder: folder, origin: origin, notes: notes(on: report))
  }

  /// Returns notes on what was done, and what of the source is not merged.
  private func notes(on report: MigrationReport) -> [ReportNote] {
    let from = report.check.version.map { "of version “\($0.name)”" } ?? "of another model version"
    let ways = report.stages.map { stage in
      let versions = stage.versions.map { "“\($0)”" }.joined(separator: " → ")
      return switch stage.origin {
      case .inferred: "\(versions) by the models"
      case .mappingFile(let path), .mappingModel(let path): "\(versions) by “\(path)”"
      }
    }
    let moved = ReportNote(
      .copyMigrated,
      "“\(source.place)” is \(from) and a copy was migrated to the version of “\(destination.place)”: "
        + "\(ways.joined(separator: ", ")); the file itself is unchanged",
      remedy: bundle == nil ? "to use intermediate versions, pass \(say: .model)" : nil
    )
    return [moved]
      + report.losses.map { ReportNote(.notMigrated, "not migrated: \($0.subject): \($0.text)") }
      + report.copies.flatMap(\.notes).filter { !$0.kind.isAboutMadeStore }
  }

  /// The error for an ID table whose keys would refer to a temporary store.
  private var keptKeys: DecantError {
    DecantError(
      .unsuitableOption,
      "“\(source.place)” has a different model version than “\(destination.place)”, but an ID table applies to the store that is merged",
      place: "\(option: .keepIDs)",
      remedy:
        "migrate a copy, which writes its own table: \(migrating()) \(say: .keepIDs) FILE; then merge that copy"
    )
  }

  /// Returns the error for a source of a later version than the destination's.
  private func newer(_ check: CheckReport) -> DecantError {
    let (old, new) = (destination.place.shellWord, source.place.shellWord)
    let through: DecantError.Text = bundle.map { " \(option: .through, $0)" } ?? ""
    return DecantError(
      .storeIsNewer,
      "“\(source.place)” has a later model version than “\(destination.place)”"
        + (check.version.map { ": of “\($0.name)”" } ?? ""),
      place: check.obstacle?.spot,
      remedy:
        "migrate the store first, which keeps a backup: \(command: "migrate \(old) \(option: .to) \(new)\(through)", app: "migrate “\(destination.place)” to the version of “\(source.place)”"); then merge",
      cause: check.obstacle
    )
  }

  /// Returns the command that creates a store of the destination's version next to the source.
  private func migrating(_ options: DecantError.Text = "") -> DecantError.Text {
    let name = Files.name(of: source.place)
    let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
    let end = source.place.index(source.place.endIndex, offsetBy: -name[dot...].count)
    let made = (source.place[..<end] + "-migrated" + name[dot...]).shellWord
    let through: DecantError.Text = bundle.map { " \(option: .through, $0)" } ?? ""
    let (from, to): (String, DecantError.Text) = (source.place.shellWord, "\(option: .to, wanted)\(through)\(options)")
    return
      "\(command: "migrate \(from) \(to) \(option: .out) \(made)", app: "a migration of “\(source.place)” with \(to)")"
  }

  /// Returns the error for a source that cannot be migrated to the destination's version without a decision.
  private func refused(_ reason: DecantError) -> DecantError {
    let (old, new) = (source.place.shellWord, destination.place.shellWord)
    let isOpen = bundle != nil
    let both: DecantError.Text =
      "pass the model that contains both versions: \(say: .model) App.xcdatamodeld; or "
    let draft: DecantError.Text =
      "\(command: "merge \(old) \(new) \(option: .suggestMapping) > mapping.yaml", app: "draft a mapping with the mapping suggestion of the merge")"
    let merge: DecantError.Text =
      "\(command: "merge \(old) \(new) \(option: .mapping) mapping.yaml", app: "merge with \(option: .mapping)")"
    return DecantError(
      .modelsDiffer,
      "“\(source.place)” has a different model version than “\(destination.place)”: \(reason.what)",
      place: reason.spot,
      remedy:
        "\(bundle == nil ? both : "")migrate a copy, \(migrating(isOpen ? " \(say: .mapping) MAPPING" : "")), then merge that copy; "
        + "or map the data: \(draft), then \(merge)",
      cause: reason
    )
  }
}

extension ModelChange.Kind {
  /// Whether the change renames something, or moves it to another entity.
  fileprivate var changesName: Bool {
    switch self {
    case .entityRenamed, .attributeRenamed, .relationshipRenamed, .attributeMoved,
      .relationshipMoved, .hierarchiesMerged:
      true
    default: false
    }
  }
}
