internal import ArgumentParser
internal import DecantBase
internal import DecantCopy
internal import DecantMapping
internal import DecantPages
internal import DecantPlan
internal import DecantProof
internal import DecantTransfer

/// `decant diff`: shows the differences between two stores in both directions.
struct DiffCommand: ParsableCommand, MemoryLimited {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "diff",
      abstract: "Shows how two stores differ.",
      usage: "decant diff <a> <b> [<options>]",
      discussion: HelpPage.discussion(
        """
        Reads both stores and changes neither. Compares the values and links of objects \
        that both stores have, and lists the others as only in A or only in B. Objects \
        are paired by identity, as “decant merge” pairs them. Differences between the \
        schemas are listed, too.

        Exit code 0: equal. 4: they differ.
        """,
        details: """
          Objects are paired by the file of --ids, else by identity, by a UUID, by key if \
          one store is a copy of the other, else by content. A table, column, index, \
          trigger or view that only one store has, or that is declared differently, is a \
          difference; everything else is still compared.

          --sql prints only a patch, for databases without Core Data. Applied with sqlite3, \
          it makes the rows, keys and counters of A equal to those of B in one \
          transaction. Rows are identified by their primary key.

          --html writes a new file that shows the differences side by side, with \
          pictures: one page for browsers, phones and paper.
          """,
        examples: """
          decant diff Recipes.sqlite Backup.sqlite
          decant diff Before.sqlite After.sqlite --entity Recipe --verbose
          decant diff Theirs.sqlite Mine.sqlite --base Before.sqlite
          decant diff Recipes.sqlite Backup.sqlite --html differences.html
          decant diff Mine.db Theirs.db --sql > patch.sql; sqlite3 Mine.db < patch.sql
          """
      )
    )
  }

  @Argument(help: "A store.", completion: .file())
  var a: String

  @Argument(help: "The store to compare it with.", completion: .file())
  var b: String

  @Flag(name: .shortAndLong, help: "Show the values that differ.")
  var verbose = false

  @Option(
    help: ArgumentHelp("Compare only this entity and those derived from it; may be repeated.", valueName: "name"),
    completion: .entity
  )
  var entity: [String] = []

  @Option(
    help: ArgumentHelp(
      "How many differences to list for each entity and relationship: 20, on a page 1000; 0 prints only counts.",
      valueName: "number"
    )
  )
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "The common ancestor of both stores: show what a three-way merge of A into B would do.",
      discussion: .detail(
        "Prints the report of a dry run: additions, changes, removals and conflicts. Exit code 4 if there are any."
      ),
      valueName: "store"
    ),
    completion: .file()
  )
  var base: String?

  @Flag(help: "Print the SQL that makes A equal to B; only for databases without Core Data.")
  var sql = false

  @Option(
    help: ArgumentHelp(
      "Write a page into a new file that shows the differences side by side, with values and pictures.",
      valueName: "file"
    ),
    completion: .file()
  )
  var html: String?

  @Option(
    help: ArgumentHelp("Compare A after a mapping file has converted it to B's model.", valueName: "file"),
    completion: .file()
  )
  var mapping: String?

  @Option(
    help: ArgumentHelp("The file that copy --keep-ids wrote for a copy from A to B.", valueName: "file"),
    completion: .file()
  )
  var ids: String?

  @OptionGroup
  var pairing: PairingOptions

  @OptionGroup
  var reading: ComparedStoresOptions

  @OptionGroup
  var memory: MemoryOptions

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit must be at least 0") }
    if output.quiet, output.json || verbose {
      throw ValidationError("--quiet prints nothing: remove --json and --verbose")
    }
    if mapping != nil, ids != nil || base != nil || sql {
      throw ValidationError("--mapping converts the objects of A: remove --ids, --base and --sql")
    }
    if base != nil, ids != nil || !entity.isEmpty || verbose || sql || html != nil {
      throw ValidationError(
        "--base shows what a merge of all entities would do: remove --ids, --entity, --verbose, --sql and --html"
      )
    }
    if sql {
      let others =
        ids != nil || pairing.isSaid || !entity.isEmpty || reading.isSaid || limit != nil || html != nil
      if others || output.json || output.quiet || verbose {
        throw ValidationError(
          "--sql prints a patch of all rows, identified by their primary keys: remove the other options"
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
    if let limit { diff.differenceLimit = limit }
    diff.showsValues = verbose
    let runner = VerbRunner(output)
    let report =
      try html.map { try runner.run(diff.page(at: $0, limit: limit ?? Diff.pageLimit)) } ?? runner.run(diff)
    if output.json {
      try StandardOutput.write(document: report)
    } else if !output.quiet {
      try StandardOutput.write(report.text + (html.map { "\nthe page is \($0.printable)" } ?? ""))
    }
    if !report.isEqual { throw ExitCode.differ }
  }

  /// Prints the result that a three-way merge of A into B would have.
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
    options.listedObjectCount = limit ?? 20
    let report = try VerbRunner(output).run(Copy(from: a, to: b, options: options))
    if output.json {
      try StandardOutput.write(document: report)
    } else if !output.quiet {
      try StandardOutput.write(report.text())
    }
    if report.conflictCount + report.rejectedCount > 0 || !report.changesNothing { throw ExitCode.differ }
  }

  private func printPatch(_ diff: Diff) throws {
    let patch = diff.patch { bytes throws(DecantError) in try StandardOutput.write(bytes) }
    if try VerbRunner(output.progress.besideOutput).run(patch) { throw ExitCode.differ }
  }
}
