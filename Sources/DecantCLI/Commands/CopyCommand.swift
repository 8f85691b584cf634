internal import ArgumentParser
internal import DecantPlan
internal import DecantTransfer

/// `decant copy`: copies a whole store, or a selected part of it, into another store.
struct CopyCommand: ParsableCommand, MemoryLimited {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "copy",
      abstract: "Copies the objects of one store into another.",
      usage: "decant copy <source> <destination> [<options>]",
      discussion: HelpPage.discussion(
        """
        A new store appears only after it is complete and was compared with the source. \
        To add to an existing store, use --append, which adds every object as a new \
        one, or --merge, which adds only what is missing: see “decant help merge”. \
        Colliding keys are renumbered, and all links are updated.
        """,
        examples: """
          decant copy Recipes.sqlite Copy.sqlite
          decant copy Recipes.sqlite Soups.sqlite --root "Recipe: title LIKE '%soup%'"
          decant copy Guests.sqlite Kitchen.sqlite --append --dry-run
          decant copy Old.sqlite New.sqlite --suggest-mapping > mapping.yaml
          """
      )
    )
  }

  @Argument(help: "The store to read. It is never changed.", completion: .file())
  var source: String

  @Argument(help: "The store to create or, with --append or --merge, to add to.", completion: .file())
  var destination: String

  @OptionGroup(title: "What to copy")
  var choice: ChoiceOptions

  @OptionGroup(title: "What to copy")
  var mapping: MappingOptions

  @OptionGroup(title: "Where to copy it")
  var adding: AddingOptions

  @OptionGroup(title: "How to write it")
  var writing: WritingOptions

  @OptionGroup(title: "How to write it")
  var preview: PreviewOptions

  @OptionGroup(title: "How to write it")
  var memory: MemoryOptions

  @OptionGroup(title: "Merging", visibility: .rare)
  var merging: MergingOptions

  @OptionGroup(title: "Databases without Core Data", visibility: .rare)
  var plain: PlainReadingOptions

  @OptionGroup(title: "Databases without Core Data", visibility: .rare)
  var triggers: TriggerOptions

  @OptionGroup
  var output: OutputOptions

  func validate() throws {
    try choice.checkRules()
    try writing.checkVerbose()
    try writing.checkRejects(mapping)
    if adding.append, merging.isWanted {
      throw ValidationError("--append adds all objects as new ones, --merge does not: use only one of them")
    }
    if writing.force, !adding.append, !merging.isWanted {
      throw ValidationError("--force requires --append or --merge: a copy overwrites nothing")
    }
    if writing.resume, adding.append || merging.isWanted, writing.commit == .run {
      throw ValidationError("--resume requires a new store or --commit batch: otherwise adding is one transaction")
    }
  }

  func run() throws {
    var options = CopyOptions()
    choice.enter(into: &options)
    try mapping.enter(into: &options)
    try plain.enter(into: &options)
    triggers.enter(into: &options)
    writing.enter(into: &options)
    try preview.enter(into: &options)
    options.template = adding.template
    options.isUnversioned = adding.unversioned
    options.keepsExactDates = adding.exactDates
    options.columnTypes = adding.type
    options.tableNames = adding.names
    options.reconnectionTime = adding.reconnect
    options.workerCount = adding.workers
    options.appends = adding.append
    options.merge = merging.rules(byDefault: nil)
    options.explainedObject = merging.why
    if merging.why != nil { options.isDryRun = true }
    if try mapping.suggest(source, destination, options, output) { return }
    try CopyRunner(source, destination, options, output, showsPlan: writing.verbose).run()
  }
}
