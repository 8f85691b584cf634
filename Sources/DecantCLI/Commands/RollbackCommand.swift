internal import ArgumentParser
internal import DecantMaintain
internal import DecantTransfer

/// `decant rollback`: puts a store back that was changed.
struct RollbackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Puts a store back as it was before its last change.",
    discussion: """
      Its last backup, NAME.backup-1 or the highest number there is, takes its place:
      migrate, clean and copy --commit batch make one, copy --append and repoint do
      with --backup. Store and backup change names, so nothing is lost, and the same
      command once more undoes it. Where a migration or a copy --commit batch was
      interrupted, the store is as it was: then what it left is cleared, and no
      backup is put back. Close the app first: a store that another program has
      open is left alone.

      Example:
        decant rollback Recipes.sqlite
      """
  )

  @Argument(help: "The store to put back.")
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
