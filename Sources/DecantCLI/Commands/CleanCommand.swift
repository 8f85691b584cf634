internal import ArgumentParser
internal import DecantMaintain
internal import DecantTransfer

/// `decant clean`: removes from a store what syncing left behind in it.
struct CleanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clean",
    abstract: "Removes from a store what syncing left behind in it.",
    discussion: """
      In place, and only the kinds that are named: objects, links and the store's
      identifier stay as they are. A backup is made first; the file is vacuumed, so
      that nothing of what was removed stays readable in it.

      Examples:
        decant clean Recipes.sqlite --what icloud --dry-run
        decant clean Recipes.sqlite --what cloudkit,history
      """
  )

  @Argument(help: "The store to clean.")
  var store: String

  @Option(
    help: ArgumentHelp(
      "What to remove, with commas between: icloud, cloudkit, history.",
      discussion: "iCloud's keys, the tables of CloudKit's mirror, persistent history.",
      valueName: "kinds"
    )
  )
  var what: String

  @Flag(inversion: .prefixedNo, help: "Keep the store as it was, as NAME.backup-1, beside it.")
  var backup = true

  @Flag(help: "Say what would be removed, and write nothing.")
  var dryRun = false

  @OptionGroup var output: OutputOptions

  func run() throws {
    let kinds = what.split(separator: ",").map { word in
      String(word.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
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
