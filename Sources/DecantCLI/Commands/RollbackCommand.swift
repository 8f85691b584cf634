internal import ArgumentParser
internal import Decant
internal import DecantStores
internal import JSON

/// `decant rollback`: puts a store back that was changed.
struct RollbackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Puts a store back as it was before its last change.",
    discussion: """
      Its last backup, NAME.backup-1 or the highest number there is, takes its place:
      migrate, clean and copy --commit batch make one, copy --append and repoint do
      with --backup. Store and backup change names, so nothing is lost, and the same
      command once more undoes it. A migration that was cut off is completed or
      cleared first. Close the app first: a store that another program has open is
      left alone.

      Examples:
        decant rollback Recipes.sqlite
        decant rollback Recipes.sqlite --forget
      """
  )

  @Argument(help: "The store to put back.")
  var store: String

  @Flag(
    help: ArgumentHelp(
      "Keep what a copy has added that was cut off, and drop its work tables.",
      discussion: "Of copy --commit batch; no backup is put back."
    )
  )
  var forget = false

  @Flag(help: "Print the report as one JSON document.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print errors only.")
  var quiet = false

  func run() throws {
    var rollback = Rollback(store)
    rollback.forgetsCopy = forget
    TemporaryFiles.put(beside: store)
    let report = try reporting { () throws(DecantError) in
      try rollback.run(cancellation: Interrupt.listen())
    }
    if json {
      try StandardOutput.write(report.json.indentedText)
    } else if !quiet {
      try StandardOutput.write(report.text)
    }
  }
}
