internal import ArgumentParser
internal import DecantPlan
internal import DecantTransfer

/// `decant copy`: everything, or a chosen part, from one store into another.
struct CopyCommand: ParsableCommand, MemoryLimited {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Copies the objects of one store into another.",
    discussion: """
      Into a new store, which appears only when it is complete and proven. Into one
      that holds objects already with --append: all objects are added as new ones,
      keys that collide are renumbered, and every link follows. Or with --merge,
      which adds what is not there yet: see “decant help merge”.

      Examples:
        decant copy Recipes.sqlite Copy.sqlite
        decant copy Recipes.sqlite Soups.sqlite --root "Recipe: title LIKE '%soup%'"
        decant copy Guests.sqlite Kitchen.sqlite --append --dry-run
        decant copy Old.sqlite New.sqlite --suggest-mapping > mapping.yaml
      """
  )

  @Argument(help: "The store to read. It is never changed.")
  var source: String

  @Argument(help: "The store to make, or with --append the one to add to.")
  var destination: String

  @OptionGroup(title: "What is copied")
  var choice: ChoiceOptions

  @OptionGroup(title: "What is copied")
  var mapping: MappingOptions

  @OptionGroup(title: "What becomes of what is there")
  var adding: AddingOptions

  @OptionGroup(title: "Merging")
  var merging: MergingOptions

  @OptionGroup(title: "How it is written")
  var writing: WritingOptions

  @OptionGroup(title: "How it is written")
  var preview: PreviewOptions

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
    try writing.checkRejects(mapping)
    if adding.append, merging.isWanted {
      throw ValidationError("--append adds all objects as new ones, --merge does not: say one of them")
    }
    if writing.force, !adding.append, !merging.isWanted {
      throw ValidationError("--force goes with --append or --merge: a copy overwrites nothing")
    }
    if writing.resume, adding.append || merging.isWanted, writing.commit == .run {
      throw ValidationError("--resume goes with a new store, or with --commit batch: else adding is all or nothing")
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
    options.appends = adding.append
    options.merge = merging.rules(byDefault: nil)
    options.explainedObject = merging.why
    if merging.why != nil { options.isDryRun = true }
    if try mapping.suggest(source, destination, options, output) { return }
    try CopyRunner(source, destination, options, output, showsPlan: writing.verbose).run()
  }
}
