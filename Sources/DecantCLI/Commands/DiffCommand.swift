internal import ArgumentParser
internal import Decant
internal import DecantStores
internal import JSON

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

      Examples:
        decant diff Recipes.sqlite Backup.sqlite
        decant diff Before.sqlite After.sqlite --entity Recipe --verbose
      """
  )

  @Argument(help: "A store.")
  var a: String

  @Argument(help: "The store to compare it with.")
  var b: String

  @Option(help: ArgumentHelp("The ID table of a copy from A to B.", valueName: "file"))
  var ids: String?

  @OptionGroup
  var reading: ComparedStoresOptions

  @OptionGroup
  var pairing: PairingOptions

  @OptionGroup
  var memory: MemoryOptions

  @Option(
    help: ArgumentHelp(
      "Compare this entity alone, with those below it; may be repeated.",
      valueName: "name"
    )
  )
  var entity: [String] = []

  @Option(
    help: ArgumentHelp(
      "How many differences are named of each entity and relationship; 0 shows counts alone.",
      valueName: "number"
    )
  )
  var limit = 20

  @Flag(help: "Print everything as one JSON document.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print errors only; the exit code tells.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Show the values that differ.")
  var verbose = false

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit is a number of differences: 0 or more") }
    if quiet, json || verbose {
      throw ValidationError("--quiet prints nothing: leave --json and --verbose away")
    }
  }

  func run() throws {
    var diff = Diff(a, b)
    diff.idTableFile = ids
    diff.model = reading.model
    diff.take(linksOf: try reading.linkOptions())
    pairing.enter(&diff.rules)
    diff.entities = entity
    diff.differenceLimit = limit
    diff.showsValues = verbose
    let report = try reporting { () throws(DecantError) in
      try diff.run(cancellation: Interrupt.listen())
    }
    if json {
      try StandardOutput.write(report.json.indentedText)
    } else if !quiet {
      try StandardOutput.write(report.text)
    }
    if !report.isEqual { throw ExitCode.differ }
  }
}
