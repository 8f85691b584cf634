internal import ArgumentParser
internal import Decant
internal import DecantStores
internal import JSON

/// `decant copy`: everything, or a chosen part, from one store into another.
struct CopyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Copies the objects of one store into another.",
    discussion: """
      Into a new store, which appears only when it is complete and proven. Into one
      that holds objects already with --append: all objects are added as new ones,
      keys that collide are renumbered, and every link follows.

      Examples:
        decant copy Recipes.sqlite Copy.sqlite
        decant copy Recipes.sqlite Soups.sqlite --where "Recipe: title LIKE '%soup%'"
        decant copy Guests.sqlite Kitchen.sqlite --append --dry-run
      """
  )

  @Argument(help: "The store to read. It is never changed.")
  var source: String

  @Argument(help: "The store to make, or with --append the one to add to.")
  var destination: String

  @OptionGroup(title: "What is copied")
  var choice: ChoiceOptions

  @OptionGroup(title: "How it is written")
  var writing: WritingOptions

  @OptionGroup(title: "Plain databases")
  var plain: PlainOptions

  @OptionGroup(title: "What is told")
  var output: OutputOptions

  func run() throws {
    let copy = try Copy(from: source, to: destination, options: options())
    TemporaryFiles.put(beside: destination)
    var progress = ProgressLine(output.progressStyle)
    let report = try reporting { () throws(DecantError) in
      defer { progress.clear() }
      return try copy.run(cancellation: Interrupt.listen()) { progress.show($0) }
    }
    if output.json {
      try StandardOutput.write(report.json.indentedText)
    } else if !output.quiet {
      try StandardOutput.write(report.text)
    }
    if report.rejectedCount > 0 { throw ExitCode.rejects }
  }

  private func options() throws -> CopyOptions {
    var options = CopyOptions()
    options.filters = choice.where
    options.model = choice.model
    options.keepsMetadata = choice.keepMetadata
    options.readsPrivateCopy = choice.privateCopy
    options.links = plain.link
    options.noLinks = plain.noLink
    options.firesTriggers = !plain.noTriggers
    options.leftOutTables = plain.leaveOut
    options.template = writing.template
    options.isUnversioned = writing.unversioned
    options.appends = writing.append
    options.writesMirroredStore = writing.force
    options.batchSize = writing.batchSize
    options.commit = writing.commit
    options.onError = writing.onError
    options.rejectsFile = writing.rejects
    options.keepsBackup = writing.backup
    options.idTableFile = writing.keepIDs
    options.leftOver = writing.resume ? .resume : .startOver
    options.verifies = writing.verify
    options.isDryRun = writing.dryRun
    return options
  }
}
