internal import ArgumentParser
internal import Decant

/// `decant merge`: pours a second store into one that is there.
struct MergeCommand: ParsableCommand, MemoryLimited {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merges a second store, or a backup, into an existing one.",
    discussion: """
      What the destination does not have yet is added, and linked with what it has.
      Two objects are the same if they agree in what --identity names, in what the
      schema says is unique, or in a UUID; in two copies of one store also if they have
      the same key; else if they hold the same, down to what they own. An object of the
      destination stays as it is unless --merge says otherwise. Only --merge replace
      removes anything: links from many to many, and parts that the source lacks.

      Examples:
        decant merge Backup.sqlite Kitchen.sqlite --dry-run
        decant merge Backup.sqlite Kitchen.sqlite --backup
        decant merge Guests.sqlite Kitchen.sqlite --merge newest --identity 'Tag: name'
      """
  )

  @Argument(help: "The store to read. It is never changed.")
  var source: String

  @Argument(help: "The store to merge it into.")
  var destination: String

  @OptionGroup(title: "What is merged, and how")
  var merging: MergingOptions

  @Flag(help: "With --dry-run, name the objects that would be added, updated or removed.")
  var list = false

  @Option(
    help: ArgumentHelp(
      "How many objects --list names of each entity.",
      valueName: "number"
    )
  )
  var limit = 20

  @OptionGroup(title: "What is read")
  var choice: ChoiceOptions

  @OptionGroup(title: "What is read")
  var mapping: MappingOptions

  @OptionGroup(title: "How it is written")
  var writing: WritingOptions

  @OptionGroup(title: "Plain databases")
  var plain: PlainReadingOptions

  @OptionGroup(title: "Plain databases")
  var triggers: TriggerOptions

  @OptionGroup(title: "What is told")
  var output: OutputOptions

  @OptionGroup(title: "How it is written")
  var memory: MemoryOptions

  func validate() throws {
    try choice.checkRules()
    if list, !writing.dryRun { throw ValidationError("--list goes with --dry-run") }
    if limit < 1 { throw ValidationError("--limit is a number of objects: 1 or more") }
    try writing.checkRejects(mapping)
    if writing.resume, writing.commit == .run {
      throw ValidationError("--resume goes with --commit batch: else a merge is all or nothing")
    }
  }

  func run() throws {
    var options = CopyOptions()
    choice.enter(into: &options)
    try mapping.enter(into: &options)
    try plain.enter(into: &options)
    triggers.enter(into: &options)
    writing.enter(into: &options)
    options.verb = "merge"
    options.merge = merging.rules(byDefault: .skip, options.mapping)
    options.explainedObject = merging.why
    if list { options.listedObjectCount = limit }
    if merging.why != nil { options.isDryRun = true }
    if try mapping.suggest(source, destination, options, output) { return }
    try CopyRunner(source, destination, options, output, showsPlan: writing.verbose).run()
  }
}
