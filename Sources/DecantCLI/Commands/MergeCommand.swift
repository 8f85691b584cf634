internal import ArgumentParser
internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantTransfer

/// `decant merge`: merges further stores into one that is there.
struct MergeCommand: ParsableCommand, MemoryLimited {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merges further stores, or backups, into an existing one.",
    discussion: """
      What the destination does not have yet is added, and linked with what it has.
      Two objects are the same if they agree in what --identity names, in what the
      schema says is unique, or in a UUID; in two copies of one store also if they have
      the same key; else if they hold the same, down to what they own. An object of the
      destination stays as it is unless --merge says otherwise. Only two policies
      remove anything: replace, links from many to many and parts that the source
      lacks; three-way, what the source has removed since --base.

      Several sources are merged one after the other, each in a transaction of its own.
      A Core Data store of an older model version is migrated into a temporary folder
      first: --model names the versions where the two stores' own models do not tell.

      Examples:
        decant merge Backup.sqlite Kitchen.sqlite --dry-run
        decant merge Old.sqlite Kitchen.sqlite --model App.xcdatamodeld
        decant merge Anna.sqlite Ben.sqlite Kitchen.sqlite --backup
        decant merge Backup.sqlite Kitchen.sqlite --backup
        decant merge Guests.sqlite Kitchen.sqlite --merge newest --identity 'Tag: name'
      """
  )

  @Argument(
    help: ArgumentHelp(
      "The stores to read, which are never changed; and last the store to merge them into.",
      valueName: "source … destination"
    )
  )
  var places: [String]

  @OptionGroup(title: "What is merged, and how")
  var merging: MergingOptions

  @OptionGroup(title: "What is merged, and how")
  var preview: PreviewOptions

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
    if places.count < 2 {
      throw ValidationError("name one source at least, and last the store to merge it into")
    }
    if mapping.suggestMapping, places.count > 2 {
      throw ValidationError("--suggest-mapping is for one source: name one")
    }
    try choice.checkRules()
    try writing.checkRejects(mapping)
    if writing.resume, writing.commit == .run {
      throw ValidationError("--resume goes with --commit batch: else a merge is all or nothing")
    }
  }

  func run() throws {
    guard let destination = places.last else { return }
    let sources = Array(places.dropLast())
    var options = CopyOptions()
    choice.enter(into: &options)
    try mapping.enter(into: &options)
    try plain.enter(into: &options)
    triggers.enter(into: &options)
    writing.enter(into: &options)
    options.purpose = .merge
    options.merge = merging.rules(byDefault: .skip, options.mapping)
    options.explainedObject = merging.why
    try preview.enter(into: &options)
    if merging.why != nil { options.isDryRun = true }
    if try mapping.suggest(sources[0], destination, options, output) { return }
    guard sources.count > 1 else {
      return try CopyRunner(sources[0], destination, options, output, showsPlan: writing.verbose)
        .run()
    }
    try run(Merge(sources, into: destination, options: options))
  }

  /// Merges several stores and prints a report with a part for each.
  private func run(_ series: Merge) throws {
    let outcome = try VerbRunner(output).run(series, beside: series.destination.place)
    if output.json {
      try StandardOutput.write(document: outcome)
    } else if !output.quiet {
      let texts = outcome.reports.map { $0.text(showsPlan: writing.verbose) }
      try StandardOutput.write((texts + [outcome.verdict]).joined(separator: "\n\n"))
    }
    if let failure = outcome.failure {
      try reporting { () throws(DecantError) in throw failure }
    }
    if outcome.reports.contains(where: { $0.rejectedCount > 0 }) {
      throw ExitCode.rejects
    }
  }
}
