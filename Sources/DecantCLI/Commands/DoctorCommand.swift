internal import ArgumentParser
internal import DecantMaintain
internal import DecantTransfer

/// `decant doctor`: finds the problems of a store, and suggests how to fix them.
struct DoctorCommand: ParsableCommand, MemoryLimited {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "doctor",
      abstract: "Examines a store and says what is wrong with it and how to fix it.",
      usage: "decant doctor <store> [<options>]",
      discussion: HelpPage.discussion(
        """
        Checks the structure of the file and its indexes, dangling links, missing \
        external files, unreadable rows and values, and sync metadata; in a plain \
        database also columns that look like undeclared links. Each finding has \
        advice, and a command where one helps. The store is not changed, and no \
        value of an object is shown.

        Exit code: 0 for a healthy store, 4 with findings.
        """,
        examples: """
          decant doctor Recipes.sqlite
          decant doctor shop.db --json
          decant doctor Old.sqlite --model App.xcdatamodeld
          """
      )
    )
  }

  @Argument(help: "The store to examine. It is never changed.", completion: .file())
  var store: String

  @OptionGroup var reading: ReadingOptions

  @OptionGroup
  var memory: MemoryOptions

  @Flag(name: .shortAndLong, help: "Show every finding, not at most five with the same advice.")
  var verbose = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if output.json || output.quiet, verbose {
      throw ValidationError("--json prints every finding, and --quiet prints none: remove --verbose")
    }
  }

  func run() throws {
    Interrupt.ignoreFailedWrites()
    let report = try VerbRunner(output).run(Doctor(store, model: reading.model))
    if output.json {
      try StandardOutput.write(document: report)
    } else if !output.quiet {
      try StandardOutput.write(report.text(isVerbose: verbose))
    }
    if !report.isHealthy { throw ExitCode.differ }
  }
}
