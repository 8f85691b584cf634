internal import ArgumentParser
internal import DecantBase
internal import DecantMaintain
internal import DecantTransfer

/// `decant clean`: removes the metadata that syncing left in a store.
struct CleanCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "clean",
      abstract: "Removes sync metadata from a store.",
      usage: "decant clean <store> --what <kinds> [<options>]",
      discussion: HelpPage.discussion(
        """
        Removes only the given kinds. Objects, links and the identifier of the store \
        are not changed. The cleaned store is a new file, which contains nothing of \
        the removed data; the previous file is kept as a backup.
        """,
        examples: """
          decant clean Recipes.sqlite --what icloud --dry-run
          decant clean Recipes.sqlite --what cloudkit,history
          """
      )
    )
  }

  @Argument(help: "The store to clean.", completion: .file())
  var store: String

  @Option(
    help: ArgumentHelp(
      "What to remove, separated by commas: icloud (its keys), cloudkit (the tables of the mirror), history (persistent history).",
      valueName: "kinds"
    ),
    completion: .list(["icloud", "cloudkit", "history"])
  )
  var what: String

  @Flag(inversion: .prefixedNo, help: "Keep the previous store as NAME.backup-1.")
  var backup = true

  @Flag(help: "Print what would be removed, and write nothing.")
  var dryRun = false

  @OptionGroup var output: OutputOptions

  func run() throws {
    let kinds = what.split(separator: ",").map(\.trimmed)
    var clean = Clean(store, of: kinds.filter { !$0.isEmpty })
    clean.keepsBackup = backup
    clean.isDryRun = dryRun
    let report = try VerbRunner(output).run(clean, beside: store)
    if output.json {
      try StandardOutput.write(document: report)
    } else if !output.quiet {
      try StandardOutput.write(report.text)
    }
  }
}
