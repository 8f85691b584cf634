package import DecantBase
package import DecantPlan
package import DecantStore
internal import DecantVersions

/// A store of another version of a model than the one it is merged into: brought to that version aside.
///
/// The migration is the one that `Migration` makes; nothing but the place of the result is special. It lies in a
/// temporary folder and goes with whoever reads it.
package struct OlderVersion {
  package let source: StoreLocation
  package let destination: StoreLocation
  /// The bundle with the versions between; `nil` where nobody has named one.
  package let bundle: String?
  /// How to read the source, where it does not hold its own model: a model's place.
  package let model: String?
  /// What the result is made after: the destination, or where that does not hold its model a version of the bundle.
  package let wanted: String
  package let options: CopyOptions
  package let opener: any MigrationOpener

  /// Describes a store to be merged into another one.
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

  /// The store that was made of the source.
  package struct Made {
    /// Where it lies.
    package let path: String
    /// What goes when nobody reads it any more, and the store with it.
    package let folder: ScratchFolder
    /// The state of the files it was made of.
    package let origin: [FileStatus?]
    /// What a reader should know.
    package let notes: [ReportNote]
  }

  /// Migrates the source into a folder of its own.
  ///
  /// - Parameters:
  ///   - cancellation: Ends the migration; nothing of it stays.
  ///   - onEvent: Told how far it has come.
  /// - Returns: The store of the destination's version; `nil` where the source can be read as it is.
  /// - Throws: `DecantError` of the family `.modelMismatch` where nobody knows what becomes of its objects.
  package func made(_ cancellation: Cancellation, _ onEvent: @escaping (WorkEvent) -> Void)
    throws(DecantError) -> Made?
  {
    let through = [bundle].compactMap(\.self)
    let found = try opener.openVersioned(source, against: wanted, through: through, model: model)
    guard let store = found.source, found.hasSameHashes != true else { return nil }
    // What has nothing in common is another app's.
    guard ModelMatching(from: store.model, to: found.target.model).hasPairs else { return nil }
    let check = try Check(source, against: wanted, opener: opener).report(on: found, cancellation)
    guard check.migration != .none else { return nil }
    // What both call the same is the same, unless a version has changed a name.
    let fits =
      ModelMisfits(from: store.model, to: found.target.model).all.isEmpty
      && !check.changes.contains { $0.kind.changesName }
    if bundle == nil {
      if fits { return nil }
      if let obstacle = check.obstacle { throw refused(obstacle) }
      // The one may be the newer: then what it has more would be lost.
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

  /// What was done, and what of the source is left behind.
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

  /// The error of an ID table that would name keys of a store which is gone by then.
  private var keptKeys: DecantError {
    DecantError(
      .unsuitableOption,
      "“\(source.place)” has a different model version than “\(destination.place)”, but an ID table applies to the store that is merged",
      place: "\(option: .keepIDs)",
      remedy:
        "migrate a copy, which writes its own table: \(migrating()) \(say: .keepIDs) FILE; then merge that copy"
    )
  }

  /// The error of a source of a later version than the destination's.
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

  /// The command that makes a store of the destination's version beside the source.
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

  /// The error of a source of which nobody knows what becomes of its objects in the destination's version.
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
  /// Whether something is called otherwise afterwards, or belongs to something else.
  fileprivate var changesName: Bool {
    switch self {
    case .entityRenamed, .attributeRenamed, .relationshipRenamed, .attributeMoved,
      .relationshipMoved, .hierarchiesMerged:
      true
    default: false
    }
  }
}
