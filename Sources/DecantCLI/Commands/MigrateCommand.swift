internal import ArgumentParser
internal import DecantBase
internal import DecantMigrate
internal import DecantPlan
internal import DecantStore
internal import DecantTransfer

/// `decant migrate`: migrates a store to another version of its model.
struct MigrateCommand: ParsableCommand, MemoryLimited {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "migrate",
      abstract: "Migrates a Core Data store to another version of its model.",
      usage: "decant migrate <store> ... --to <model> [<options>]",
      discussion: HelpPage.discussion(
        """
        The store is migrated through every intermediate version. The new store is built \
        next to the old one, compared with it, and replaces it in one step; the old one \
        is kept as NAME.backup-1, and “decant rollback” restores it. Close the app first.

        The model must have version hashes, as the App.momd of a built app and every \
        store of the new version do. “decant check” shows beforehand whether a mapping \
        is needed.
        """,
        details: """
          A store that another program has open is not changed. If the run is killed, \
          either the old store or the new one is in place, complete; the next run, or \
          rollback, removes the leftovers.

          Changes that follow from the models, including renaming identifiers, need no \
          mapping. Core Data's own mapping models, .cdm and .xcmappingmodel, are used if \
          they are next to the model. “decant help copy” describes --suggest-mapping, which \
          drafts a mapping file.

          With --place, the first existing store is moved to that path, and migrated if \
          necessary. If a usable store is already there, it is kept, so that a second run \
          does nothing.
          """,
        examples: """
          decant migrate Recipes.sqlite --to App.momd
          decant migrate Old.sqlite --to 'App.momd#App 3' --mapping 'App 2=names.yaml'
          decant migrate Old.sqlite --to New.sqlite --through App.xcdatamodeld
          decant migrate ~/a.sqlite ~/b.sqlite --place /data/a.sqlite --to App.momd
          """
      )
    )
  }

  @Argument(help: "The store; with --place, all paths where it may be.", completion: .file())
  var store: [String]

  @OptionGroup(title: "Which model")
  var models: MigrationModelOptions

  @OptionGroup(title: "Where to put the store")
  var places: PlaceOptions

  @OptionGroup(title: "How to write it")
  var writing: MigrationWritingOptions

  @OptionGroup(title: "How to write it")
  var memory: MemoryOptions

  @OptionGroup
  var output: OutputOptions

  func validate() throws {
    if store.isEmpty { throw ValidationError("name the store to migrate") }
    if store.count > 1, places.place == nil {
      throw ValidationError("several stores are paths where one may be: name its new path with --place NEW")
    }
  }

  func run() throws {
    var migration = Migrate(store, to: models.target)
    models.enter(into: &migration)
    try places.enter(into: &migration)
    writing.enter(into: &migration)
    let report = try VerbRunner(output)
      .run(migration, beside: places.place ?? places.out ?? store[0])
    if output.json {
      try StandardOutput.write(document: report)
    } else if !output.quiet {
      try StandardOutput.write(report.text)
    }
  }
}

/// The options for the target model of a migration, and the path to it.
struct MigrationModelOptions: ParsableArguments {
  @Option(
    name: .customLong("to"),
    help: ArgumentHelp(
      "The new model: .momd, .mom, or a store that has it. Add “#Version” for a version other than the current one.",
      valueName: "model"
    ),
    completion: .file()
  )
  var target: String

  @Option(
    help: ArgumentHelp(
      "The intermediate versions, oldest first, if the new model does not contain them; may be repeated.",
      discussion: .detail("An .xcdatamodeld, a .momd, one version of either, or a store."),
      valueName: "model"
    ),
    completion: .file()
  )
  var through: [String] = []

  @Option(
    help: ArgumentHelp(
      "How to convert the objects in the step to VERSION: a mapping file, .cdm or .xcmappingmodel.",
      discussion: .detail("May be repeated. Without VERSION it applies to the first step that needs one."),
      valueName: "[VERSION=]FILE"
    ),
    completion: .file(),
    transform: Migrate.StepMapping.init(argument:)
  )
  var mapping: [Migrate.StepMapping] = []

  @OptionGroup
  var reading: ReadingOptions

  @Option(
    help: ArgumentHelp(
      "What to do with objects that violate a new uniqueness constraint: skip, update, keep-both or error.",
      discussion: .detail(
        """
        skip keeps the object with the lowest key, update the one with the highest; links to the others then point \
        to it. keep-both gives the others a new identity.
        """
      ),
      valueName: "policy"
    ),
    completion: .list(["skip", "update", "keep-both", "error"]),
    transform: Migrate.duplicates(argument:)
  )
  var merge: MergeRules.Duplicates?

  @Flag(
    help: ArgumentHelp(
      "Create the store from a model without version hashes, such as an .xcdatamodeld.",
      discussion: .detail("Apps can open it only after one step on a Mac, which the report describes."),
      visibility: .rare
    )
  )
  var unversioned = false

  /// Adds these options to a migration, whose target is already set.
  func enter(into migration: inout Migrate) {
    migration.model = reading.model
    migration.through = through
    migration.mappings = mapping
    migration.duplicates = merge
    migration.isUnversioned = unversioned
  }
}

/// The options for the place of a migrated store.
struct PlaceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Create the new store at this path, and do not change the old one.", valueName: "path"),
    completion: .file()
  )
  var out: String?

  @Option(
    help: ArgumentHelp(
      "Move the store to this path, and migrate it if necessary.",
      discussion: .detail("If the folder cannot be accessed, the store stays where it is, and the report says so."),
      valueName: "path"
    ),
    completion: .file()
  )
  var place: String?

  @Option(
    name: .customLong("else"),
    help: ArgumentHelp(
      "With --place: the store to copy there if none exists yet.",
      valueName: "seed",
      visibility: .rare
    ),
    completion: .file()
  )
  var seed: String?

  @Flag(
    help: ArgumentHelp(
      "With --place: remove the store at its old path, with its log and external files, after the new one was opened and read.",
      visibility: .rare
    )
  )
  var removeOld = false

  func validate() throws {
    if out != nil, place != nil {
      throw ValidationError("--out leaves the store where it is, --place moves it: use only one of them")
    }
    if place == nil, seed != nil || removeOld {
      throw ValidationError("--else and --remove-old require --place")
    }
  }

  func enter(into migration: inout Migrate) throws {
    migration.output = try path(out, "--out")
    migration.place = try path(place, "--place")
    migration.seed = seed.map { StoreKinds.location($0) }
    migration.removesOld = removeOld
  }

  /// Returns the path in `[kind:]place`.
  private func path(_ text: String?, _ option: String) throws -> String? {
    guard let location = text.map({ StoreKinds.location($0) }) else { return nil }
    guard StoreKinds.hasModel(location.kind) != false else {
      throw ValidationError("only Core Data stores can be migrated: \(option) cannot be a store of another kind")
    }
    return location.place
  }
}

/// The options for writing a migrated store.
struct MigrationWritingOptions: ParsableArguments {
  @Flag(help: "Print what would be done, and write nothing.")
  var dryRun = false

  @Option(
    name: .customLong("keep-ids"),
    help: ArgumentHelp(
      "Record in this file which object became which.",
      discussion: .detail("A SQLite database, which verify, diff and repoint read."),
      valueName: "file"
    ),
    completion: .file()
  )
  var keepIDs: String?

  @Flag(help: "Continue an interrupted run after its last batch.")
  var resume = false

  @Flag(inversion: .prefixedNo, help: "Read the result and compare it.")
  var verify = true

  @Option(help: ArgumentHelp("How many rows to write and commit together.", valueName: "rows", visibility: .rare))
  var batchSize: Int64 = 10_000

  func validate() throws {
    if batchSize < 1 { throw ValidationError("--batch-size must be at least 1") }
  }

  func enter(into migration: inout Migrate) {
    migration.batchSize = batchSize
    migration.idTableFile = keepIDs
    migration.resumes = resume
    migration.verifies = verify
    migration.isDryRun = dryRun
  }
}

extension Migrate {
  /// Parses a policy as the rule for duplicate objects of one store, which are merged one after the other.
  static func duplicates(argument: String) throws -> MergeRules.Duplicates {
    switch MergePolicy(rawValue: argument) {
    case .error: return .error
    case .skip: return .first
    case .update: return .last
    case .keepBoth: return .keepBoth
    case .fill, .newest, .replace, .threeWay, nil:
      throw ValidationError(
        "--merge takes one of these policies here: skip, update, keep-both or error"
      )
    }
  }
}

extension Migrate.StepMapping {
  /// Parses `VERSION=FILE`, or just a file.
  init(argument: String) throws {
    guard let sign = argument.firstIndex(of: "=") else {
      self.init(path: argument)
      return
    }
    let version = argument[..<sign].trimmed
    let path = argument[argument.index(after: sign)...].trimmed
    guard !version.isEmpty, !path.isEmpty else {
      throw ValidationError("write the mapping as 'VERSION=FILE', like 'App 2=names.yaml'")
    }
    self.init(version: version, path: path)
  }
}
