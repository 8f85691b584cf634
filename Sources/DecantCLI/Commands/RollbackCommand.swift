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

        decant makes no backups of databases on a server. There, --ids names the file \
        that copy, merge or import --keep-ids wrote, and the rows that this run added \
        are deleted, unless they were changed since. Rows that it changed are not \
        restored. If other rows refer to the added ones by now, nothing is deleted. \
        Without --ids, the rows of an interrupted run with --commit batch are deleted.
        """,
        examples: """
          decant rollback Recipes.sqlite
          decant rollback postgres://db.example/app --ids ids.sqlite --dry-run
          """
      )
    )
  }

  @Argument(help: "The store to restore.", completion: .file())
  var store: String

  @Option(
    help: ArgumentHelp(
      "For a database on a server: delete the rows that the run which wrote this file with --keep-ids added.",
      valueName: "file"
    ),
    completion: .file()
  )
  var ids: String?

  @Flag(help: "With --ids: count the rows, and delete none.")
  var dryRun = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if dryRun, ids == nil { throw ValidationError("--dry-run requires --ids: a rollback to a backup can be undone") }
  }

  func run() throws {
    let rollback = ids.map { Rollback(addedBy: $0, to: store, isDryRun: dryRun) } ?? Rollback(store)
    let report = try VerbRunner(output).run(rollback, beside: store)
    if output.json {
      try StandardOutput.write(document: report)
    } else if !output.quiet {
      try StandardOutput.write(report.text)
    }
  }
}
