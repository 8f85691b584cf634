internal import ArgumentParser
internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantTransfer

/// `decant merge`: merges further stores into an existing one.
struct MergeCommand: ParsableCommand, MemoryLimited {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "merge",
      abstract: "Merges other stores or backups into a store.",
      usage: "decant merge <source> ... <destination> [<options>]",
      discussion: HelpPage.discussion(
        """
        Adds the objects that the destination does not have, and links them to those \
        that it has. Two objects are the same if they have the same identity: the \
        attributes that --identity names, else those that the model declares unique, \
        else a UUID. Existing objects are not changed, unless --merge says otherwise.
        """,
        details: """
          Objects without an identity are the same if they have the same key and one store \
          is a copy of the other, or both are copies of a third. Otherwise they are the \
          same if they have the same values, including the objects that belong to them. \
          Only two policies of --merge remove anything: replace removes many-to-many \
          links and parts that the source does not have; three-way removes what the \
          source has removed since --base.

          Several sources are merged one after the other, each in its own transaction. A \
          Core Data store of an older model version is first migrated in a temporary \
          folder; --model names the versions if the models of the two stores are not \
          enough.
          """,
        examples: """
          decant merge Backup.sqlite Kitchen.sqlite --dry-run
          decant merge Anna.sqlite Ben.sqlite Kitchen.sqlite --backup
          decant merge Old.sqlite Kitchen.sqlite --model App.xcdatamodeld
          decant merge Guests.sqlite Kitchen.sqlite --identity 'Tag: name'
          """
      )
    )
  }

  @Argument(
    help: ArgumentHelp("The stores to read, then the store to merge into.", valueName: "source … destination"),
    completion: .file()
  )
  var places: [String]

  @OptionGroup(title: "How to merge")
  var merging: MergingOptions

  @OptionGroup(title: "How to merge")
  var skipping: SkippingOptions

  @OptionGroup(title: "What to merge")
  var choice: ChoiceOptions

  @OptionGroup(title: "What to merge")
  var mapping: MappingOptions

  @OptionGroup(title: "How to write it")
  var writing: WritingOptions

  @OptionGroup(title: "How to write it")
  var preview: PreviewOptions

  @OptionGroup(title: "How to write it")
  var memory: MemoryOptions

  @OptionGroup(title: "Databases without Core Data", visibility: .rare)
  var plain: PlainReadingOptions

  @OptionGroup(title: "Databases without Core Data", visibility: .rare)
  var triggers: TriggerOptions

  @OptionGroup
  var output: OutputOptions

  func validate() throws {
    try writing.checkVerbose()
    if places.count < 2 {
      throw ValidationError("name at least one source, then the store to merge it into")
    }
    if mapping.suggestMapping, places.count > 2 {
      throw ValidationError("--suggest-mapping takes one source: name only one")
    }
    try choice.checkRules()
    try writing.checkRejects(mapping)
    if writing.resume, writing.commit == .run {
      throw ValidationError("--resume requires --commit batch: otherwise a merge is one transaction")
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
    guard sources.count > 1 || skipping.skipUnchanged else {
      return try CopyRunner(sources[0], destination, options, output, showsPlan: writing.verbose)
        .run()
    }
    var series = Merge(sources, into: destination, options: options)
    series.skipsUnchanged = skipping.skipUnchanged
    try run(series)
  }

  /// Merges several stores, and prints a report with a section for each.
  private func run(_ series: Merge) throws {
    let outcome = try VerbRunner(output).run(series, beside: series.destination.place)
    if output.json {
      try StandardOutput.write(document: outcome)
    } else if !output.quiet {
      let skipped = outcome.skipped.isEmpty ? [] : [outcome.skippedLines.joined(separator: "\n")]
      let texts = skipped + outcome.reports.map { $0.text(showsAll: writing.verbose) }
      let end = ([outcome.verdict].compactMap(\.self) + outcome.notes.commandLine.map { "note: \($0)" })
      try StandardOutput.write((texts + (end.isEmpty ? [] : [end.joined(separator: "\n")])).joined(separator: "\n\n"))
    }
    if let failure = outcome.failure {
      try reporting { () throws(DecantError) in throw failure }
    }
    if outcome.reports.contains(where: { $0.rejectedCount > 0 }) {
      throw ExitCode.rejects
    }
  }
}

/// The option for merges that are repeated.
struct SkippingOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Skip sources that have not changed since they were last merged into this PostgreSQL database.",
      discussion: .detail(
        """
        Which sources were merged, with what content and by which options, is recorded in the table decant.merged of the \
        database. Rows that others deleted or changed in the database since are not merged again.
        """
      ),
      visibility: .rare
    )
  )
  var skipUnchanged = false
}
