internal import ArgumentParser
internal import DecantMigrate
internal import DecantTransfer

/// `decant check`: determines which migration a store needs.
struct CheckCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "check",
      abstract: "Shows which migration a Core Data store needs for a model.",
      usage: "decant check <store> --against <model> [<options>]",
      discussion: HelpPage.discussion(
        """
        Names the version of the store, compares its model with the given one, and \
        counts what prevents a migration. The answer is one of four:

          none        The store can be opened unchanged.
          inferred    A migration is needed, and follows from the models. If Core
                      Data itself would not infer it, the report says so.
          mapping     A mapping file must decide something: the value of a new
                      required attribute, the objects of an entity that is gone,
                      a type that cannot be converted.
          impossible  The store's model is not available, or there is no path
                      to the given version.

        Neither store nor model is changed. No values of objects are shown.

        Exit code: 0 for any answer. With --exit-code, 0 for none, 20 for inferred, \
        21 for mapping, 12 for impossible.
        """,
        examples: """
          decant check Recipes.sqlite --against App.momd
          decant check Old.sqlite --against 'App.xcdatamodeld#App 3' --json
          """
      )
    )
  }

  @Argument(help: "The store to read. It is never changed.", completion: .file())
  var store: String

  @Option(
    help: ArgumentHelp(
      "The model: .momd, .mom, .xcdatamodeld, .xcdatamodel, or another store. Add “#Version” for a version other than the current one.",
      valueName: "model"
    ),
    completion: .file()
  )
  var against: String

  @OptionGroup var reading: ReadingOptions

  @Flag(help: "Report the answer in the exit code, too.")
  var exitCode = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if output.quiet, output.json {
      throw ValidationError("--quiet prints nothing: remove --json")
    }
  }

  func run() throws {
    var check = Check(store, against: against)
    check.model = reading.model
    let report = try VerbRunner(output).run(check)
    if output.json {
      try StandardOutput.write(document: report)
    } else if !output.quiet {
      try StandardOutput.write(report.text)
    }
    if exitCode, let code = ExitCode(report.migration) { throw code }
  }
}

extension ExitCode {
  /// The exit code for a required migration; `nil` if none is needed.
  init?(_ migration: CheckReport.Migration) {
    switch migration {
    case .none: return nil
    case .inferred: self.init(20)
    case .mapping: self.init(21)
    case .impossible: self.init(12)
    }
  }
}
