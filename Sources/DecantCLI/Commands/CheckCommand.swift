internal import ArgumentParser
internal import DecantMigrate
internal import DecantTransfer

/// `decant check`: which migration a store needs.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Tells which migration a Core Data store needs for a version of its model.",
    discussion: """
      Names the version the store has, compares its model with the one it is held
      against, and counts what stands in the way. The answer is one of four:

        none        the store can be opened unchanged
        inferred    a migration is needed, and follows from the models; where
                    Core Data itself would not infer it, that is said
        mapping     somebody has to decide: a value for a new required attribute,
                    what becomes of objects whose entity is gone, a type that
                    does not convert
        impossible  the store's model cannot be had, or no versions lead there

      Store and model are read and not changed. No value of an object is shown.

      Exit code: 0 whenever there is an answer. With --exit-code 0 for none, 20
      for inferred, 21 for mapping, 12 for impossible.

      Examples:
        decant check Recipes.sqlite --against App.momd
        decant check Old.sqlite --against 'App.xcdatamodeld#App 3' --json
      """
  )

  @Argument(help: "The store to read. It is never changed.")
  var store: String

  @Option(
    help: ArgumentHelp(
      "The model it is to be opened with: .momd, .mom, .xcdatamodeld, .xcdatamodel, or another store. “#Version” behind it names another version than the current.",
      valueName: "model"
    )
  )
  var against: String

  @OptionGroup var reading: ReadingOptions

  @Flag(help: "Tell the answer by the exit code, too.")
  var exitCode = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if output.quiet, output.json {
      throw ValidationError("--quiet prints nothing: leave --json away")
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
  /// The exit code that tells of a migration; `nil` where none is needed.
  init?(_ migration: CheckReport.Migration) {
    switch migration {
    case .none: return nil
    case .inferred: self.init(20)
    case .mapping: self.init(21)
    case .impossible: self.init(12)
    }
  }
}
