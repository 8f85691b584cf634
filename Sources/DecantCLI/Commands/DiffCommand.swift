internal import ArgumentParser
internal import DecantBase
internal import DecantCopy
internal import DecantMapping
internal import DecantPlan
internal import DecantProof
internal import DecantTransfer

/// `decant diff`: what differs between two stores, both ways.
struct DiffCommand: ParsableCommand, MemoryLimited {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Shows which objects of two stores differ, both ways.",
    discussion: """
      Reads both stores and changes neither. Objects that both have are compared,
      values and links; the others are only in A or only in B. Objects are paired by
      an ID table, else as merge pairs them: by identity, by a UUID, by key where
      both stores go back to one, else by content. Tables, columns, indexes, triggers
      and views that only one has, or that are declared otherwise, are differences
      too; the rest is compared all the same.

      Exit code 0: equal. 4: they differ.

      With --sql the result is a patch for plain databases, which sqlite3 applies: it
      makes A equal to B, rows, keys and counters, in one transaction. Rows are told
      apart by their primary key, and nothing else is printed.

      Examples:
        decant diff Recipes.sqlite Backup.sqlite
        decant diff Before.sqlite After.sqlite --entity Recipe --verbose
        decant diff Theirs.sqlite Mine.sqlite --base Before.sqlite
        decant diff Mine.db Theirs.db --sql > patch.sql; sqlite3 Mine.db < patch.sql
      """
  )

  @Argument(help: "A store.")
  var a: String

  @Argument(help: "The store to compare it with.")
  var b: String

  @Option(help: ArgumentHelp("The ID table of a copy from A to B.", valueName: "file"))
  var ids: String?

  @Option(
    help: ArgumentHelp(
      "The common ancestor of both, the state that they started from: show what a three-way merge of A into B would do instead.",
      discussion:
        "What it would take, remove, and what conflicts: the report of its dry run. Exit code 4 if there is any of these.",
      valueName: "store"
    )
  )
  var base: String?

  @Option(help: ArgumentHelp("Compare A as a mapping file shows it: as objects of B's model.", valueName: "file"))
  var mapping: String?

  @OptionGroup
  var reading: ComparedStoresOptions

  @OptionGroup
  var pairing: PairingOptions

  @OptionGroup
  var memory: MemoryOptions

  @Option(help: ArgumentHelp("Compare this entity alone, with those below it; may be repeated.", valueName: "name"))
  var entity: [String] = []

  @Option(
    help: ArgumentHelp(
      "How many differences are named of each entity and relationship; 0 shows counts alone.",
      valueName: "number"
    )
  )
  var limit = 20

  @Flag(help: "Print the SQL that makes A equal to B instead: plain databases alone.")
  var sql = false

  @OptionGroup var output: OutputOptions

  @Flag(name: .shortAndLong, help: "Show the values that differ.")
  var verbose = false

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit is a number of differences: 0 or more") }
    if output.quiet, output.json || verbose {
      throw ValidationError("--quiet prints nothing: leave --json and --verbose away")
    }
    if mapping != nil, ids != nil || base != nil || sql {
      throw ValidationError("--mapping makes other objects of those of A: leave --ids, --base and --sql away")
    }
    if base != nil, ids != nil || !entity.isEmpty || verbose || sql {
      throw ValidationError(
        "--base shows what a merge of all entities would do: leave --ids, --entity, --verbose and --sql away"
      )
    }
    if sql {
      let others =
        ids != nil || pairing.isSaid || !entity.isEmpty || reading.isSaid || limit != 20
      if others || output.json || output.quiet || verbose {
        throw ValidationError(
          "--sql prints a patch of all rows, told apart by their primary keys: leave the other options away"
        )
      }
    }
  }

  func run() throws {
    var diff = Diff(a, b)
    if sql { return try printPatch(diff) }
    if let base { return try printMerge(since: base) }
    if let mapping {
      diff.mapping = try reporting { () throws(DecantError) in try Mapping.read(mapping) }
    }
    diff.idTableFile = ids
    diff.model = reading.model
    diff.take(linksOf: try reading.linkOptions())
    pairing.enter(&diff.rules)
    diff.entities = entity
    diff.differenceLimit = limit
    diff.showsValues = verbose
    let report = try VerbRunner(output).run(diff)
    if output.json {
      try StandardOutput.write(document: report)
    } else if !output.quiet {
      try StandardOutput.write(report.text)
    }
    if !report.isEqual { throw ExitCode.differ }
  }

  /// Prints what a three-way merge of A into B would do.
  private func printMerge(since base: String) throws {
    var options = try reading.linkOptions()
    options.model = reading.model
    options.purpose = .merge
    var rules = MergeRules(.threeWay)
    rules.base = StoreKinds.location(base)
    pairing.enter(&rules)
    options.merge = rules
    options.isDryRun = true
    options.writesMirroredStore = true
    options.listedObjectCount = limit
    let report = try VerbRunner(output).run(Copy(from: a, to: b, options: options))
    if output.json {
      try StandardOutput.write(document: report)
    } else if !output.quiet {
      try StandardOutput.write(report.text())
    }
    if report.conflictCount > 0 || !report.changesNothing { throw ExitCode.differ }
  }

  private func printPatch(_ diff: Diff) throws {
    let patch = diff.patch { bytes throws(DecantError) in try StandardOutput.write(bytes) }
    if try VerbRunner(output.progress.besideOutput).run(patch) { throw ExitCode.differ }
  }
}
