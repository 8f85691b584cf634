internal import ArgumentParser
internal import DecantMaintain
internal import DecantTransfer

/// `decant rollback`: restores a changed store from its backup.
struct RollbackCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "rollback",
      abstract: "Restores a store to the state before its last change.",
      usage: "decant rollback <store> [<options>]",
      discussion: HelpPage.discussion(
        """
        The last backup, NAME.backup-N with the highest N, replaces the store. migrate, \
        clean and copy --commit batch make one by default, other verbs with --backup. \
        Store and backup swap names, so that nothing is lost and a second \
        rollback undoes the first. Close the app first: a store that another program \
        has open is not changed.

        If a migration or a copy --commit batch was interrupted, the store was not \
        changed. Then rollback removes the leftovers of the run and restores no backup.
        """,
        examples: "decant rollback Recipes.sqlite"
      )
    )
  }

  @Argument(help: "The store to restore.", completion: .file())
  var store: String

  @OptionGroup var output: OutputOptions

  func run() throws {
    let rollback = Rollback(store)
    let report = try VerbRunner(output).run(rollback, beside: store)
    if output.json {
      try StandardOutput.write(document: report)
    } else if !output.quiet {
      try StandardOutput.write(report.text)
    }
  }
}
