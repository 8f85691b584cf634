internal import ArgumentParser
internal import DecantMigrate
internal import DecantPlan
internal import DecantStore
internal import DecantTransfer

/// `decant migrate`: brings a store to another version of its model.
struct MigrateCommand: ParsableCommand, MemoryLimited {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Brings a Core Data store to a version of its model, through every version between.",
    discussion: """
      The new store is built beside the old one, proven, and put in its place in one
      step; the old one stays as NAME.backup-1, and “decant rollback” puts it back.
      Close the app first: a store that another program has open is left alone. A
      kill at any moment leaves the old store or the new one, whole; the next run, or
      rollback, clears up.

      What the models tell, renaming identifiers included, is done by itself. Where
      somebody has to decide, “decant check” says so, and a mapping file decides: see
      “decant help copy”. Core Data's own mapping models, .cdm and .xcmappingmodel,
      are taken where they lie beside the model.

      The model must have version hashes, by which an app knows its store again: give
      the App.momd of a built app, or a store of the wanted version, be it empty.

      With --place the store is there from now on. The first of the stores that
      exists is moved, and migrated on the way if it has to be; what is usable there
      already stays, so that the second run does nothing.

      Examples:
        decant migrate Recipes.sqlite --to App.momd
        decant migrate Old.sqlite --to 'App.momd#App 3' --mapping 'App 2=names.yaml'
        decant migrate Old.sqlite --to New.sqlite --through App.xcdatamodeld
        decant migrate ~/a.sqlite ~/b.sqlite --place /data/a.sqlite --to App.momd
      """
  )

  @Argument(help: "The store; with --place all places where it may be.")
  var store: [String]

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp(
      "The model it is to be of: .momd, .mom, or another store. “#Version” behind it names another version than the current.",
      valueName: "model"
    )
  )
  var target: String

  @Option(
    help: ArgumentHelp(
      "The versions between, oldest first, where the model does not hold them: .xcdatamodeld, .momd, one version of it, or a store; may be repeated.",
      valueName: "model"
    )
  )
  var through: [String] = []

  @OptionGroup var reading: ReadingOptions

  @Option(
    help: ArgumentHelp(
      "What becomes of the objects in the step to VERSION: a mapping file, a .cdm or an .xcmappingmodel; may be repeated.",
      discussion: "Without VERSION it is for the first step that asks for one.",
      valueName: "[VERSION=]FILE"
    ),
    transform: Migration.StepMapping.init(argument:)
  )
  var mapping: [Migration.StepMapping] = []

  @Option(
    help: ArgumentHelp(
      "What becomes of objects that are the same by what a version makes unique: skip, update, keep-both or error.",
      discussion:
        "skip keeps the one with the lowest key, update the one with the highest; what leads to the others leads to it. keep-both gives the others another identity.",
      valueName: "policy"
    ),
    transform: Migration.duplicates(argument:)
  )
  var merge: MergeRules.Duplicates?

  @Flag(
    help: ArgumentHelp(
      "Make the store after a model without version hashes, such as an .xcdatamodeld.",
      discussion: "An app opens it only after one step on a Mac, which the report names."
    )
  )
  var unversioned = false

  @OptionGroup(title: "Where it is afterwards")
  var places: PlaceOptions

  @OptionGroup(title: "How it is written")
  var writing: MigrationWritingOptions

  @OptionGroup(title: "What is told")
  var output: OutputOptions

  @OptionGroup(title: "How it is written")
  var memory: MemoryOptions

  func validate() throws {
    if store.isEmpty { throw ValidationError("name the store to migrate") }
    if store.count > 1, places.place == nil {
      throw ValidationError("several stores are the places where one may be: say where it is to be, --place NEW")
    }
  }

  func run() throws {
    var migration = Migration(store, to: target)
    migration.model = reading.model
    migration.through = through
    migration.mappings = mapping
    migration.duplicates = merge
    migration.isUnversioned = unversioned
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

/// The options that say where a migrated store is afterwards.
struct PlaceOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Make the new store there, and leave the old one alone.", valueName: "path"))
  var out: String?

  @Option(
    help: ArgumentHelp(
      "Where the store is from now on.",
      discussion: "A folder that cannot be reached leaves it where it is, which the report says.",
      valueName: "path"
    )
  )
  var place: String?

  @Option(
    name: .customLong("else"),
    help: ArgumentHelp(
      "The store to begin with where there is none yet; it is copied and never changed.",
      valueName: "seed"
    )
  )
  var seed: String?

  @Flag(
    help:
      "Remove the store at its old place, with its log and external files, once the new one was opened and looked through."
  )
  var removeOld = false

  func validate() throws {
    if out != nil, place != nil {
      throw ValidationError("--out leaves the store where it is, --place moves it: say one of them")
    }
    if place == nil, seed != nil || removeOld {
      throw ValidationError("--else and --remove-old go with --place")
    }
  }

  func enter(into migration: inout Migration) throws {
    migration.output = try path(out, "--out")
    migration.place = try path(place, "--place")
    migration.seed = seed.map { StoreKinds.location($0) }
    migration.removesOld = removeOld
  }

  /// The path in `[kind:]place`.
  private func path(_ text: String?, _ option: String) throws -> String? {
    guard let location = text.map({ StoreKinds.location($0) }) else { return nil }
    guard StoreKinds.hasModel(location.kind) != false else {
      throw ValidationError("what is migrated is a Core Data store: \(option) names no other kind")
    }
    return location.place
  }
}

/// The options that say how a migration is written.
struct MigrationWritingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Rows that are written and committed together.", valueName: "rows"))
  var batchSize: Int64 = 10_000

  @Option(
    name: .customLong("keep-ids"),
    help: ArgumentHelp(
      "Write down which object became which, as a SQLite database, for “decant repoint”.",
      valueName: "file"
    )
  )
  var keepIDs: String?

  @Flag(help: "Go on after the last batch of a migration that was cut off.")
  var resume = false

  @Flag(inversion: .prefixedNo, help: "Read everything again and prove it equal.")
  var verify = true

  @Flag(help: "Print what would be done, and write nothing.")
  var dryRun = false

  func validate() throws {
    if batchSize < 1 { throw ValidationError("--batch-size must be at least 1") }
  }

  func enter(into migration: inout Migration) {
    migration.batchSize = batchSize
    migration.idTableFile = keepIDs
    migration.resumes = resume
    migration.verifies = verify
    migration.isDryRun = dryRun
  }
}

extension Migration {
  /// Reads a policy as what becomes of objects of one store that are the same, merged one after the other.
  static func duplicates(argument: String) throws -> MergeRules.Duplicates {
    switch MergePolicy(rawValue: argument) {
    case .error: return .error
    case .skip: return .first
    case .update: return .last
    case .keepBoth: return .keepBoth
    case .fill, .newest, .replace, .threeWay, nil:
      throw ValidationError(
        "of objects of one store that are the same one stays, or all do: write skip, update, keep-both or error"
      )
    }
  }
}

extension Migration.StepMapping {
  /// Reads `VERSION=FILE`, or a file alone.
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
