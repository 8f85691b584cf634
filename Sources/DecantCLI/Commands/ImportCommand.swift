internal import ArgumentParser
internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantArchive
internal import DecantTransfer

/// `decant import`: archives into a store.
struct ImportCommand: ParsableCommand, MemoryLimited {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Takes archives and recipe files into a store.",
    discussion: """
      Into a new store, which is made as the archive's was; or into one that is
      there, where only what it does not have yet is added (--merge says otherwise),
      so that importing twice changes nothing. All files are read and checked first:
      one that is damaged, cut off, or asks for too much changes nothing. Pages and
      mails are archives as well; parts may come in any order. What is unpacked lies
      in the folder that TMPDIR names meanwhile.

      Recipe files of some twenty apps, folders of them, and what is packed in them
      go into a store of recipes: each recipe once, told by its own ID, by the page it
      comes from, or by what it holds. What a file is its content says. One that cannot
      be read is listed with its reason and stops nothing; decant stores lists the kinds.

      Examples:
        decant import ~/Downloads Recipes.sqlite
        decant import Recipes.decant.zst Kitchen.sqlite
        decant import Soup.decant Cake.decant.gz Kitchen.sqlite --dry-run
        decant import Photos.1.decant Photos.2.decant Photos.sqlite
      """
  )

  @Argument(
    help: ArgumentHelp(
      "The archives, whole or in parts, recipe files and folders of such, - for an archive on standard input; and last the store.",
      valueName: "file … store"
    )
  )
  var places: [String]

  @OptionGroup(title: "What becomes of what is there")
  var merging: MergingOptions

  @OptionGroup(title: "What is taken")
  var choice: ImportChoiceOptions

  @OptionGroup(title: "What is taken")
  var mapping: MappingOptions

  @OptionGroup(title: "What a file may ask for")
  var limits: LimitOptions

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
    if places.count < 2 {
      throw ValidationError("name one archive at least, and last the store to import it into")
    }
    if places.dropLast().count(where: { $0 == "-" }) > 1 || places.last == "-" {
      throw ValidationError("- is standard input, once, and no place for a store")
    }
    if mapping.suggestMapping, places.count > 2 {
      throw ValidationError("--suggest-mapping is for one file and the store: name one file")
    }
    if writing.resume, writing.commit == .run {
      throw ValidationError("--resume goes with --commit batch: else an import is all or nothing")
    }
  }

  func run() throws {
    guard let destination = places.last else { return }
    var work = Import(Array(places.dropLast()), into: destination)
    try plain.enter(into: &work.options)
    triggers.enter(into: &work.options)
    writing.enter(into: &work.options)
    try preview.enter(into: &work.options)
    work.options.filters = choice.where
    work.options.template = choice.template
    try mapping.enter(into: &work.options)
    if try mapping.suggest(places[0], destination, work.options, output) { return }
    work.options.merge = merging.rules(byDefault: .skip, work.options.mapping)
    work.options.explainedObject = merging.why
    if merging.why != nil { work.options.isDryRun = true }
    work.salvages = choice.salvage
    work.limits = limits.limits
    var runner = VerbRunner(output)
    runner.dialog = ConflictDialog(mine: destination, theirs: places[0])
    let reports = try runner.run(work, beside: destination)
    try tell(reports, of: destination, isDryRun: work.options.isDryRun)
    if reports.contains(where: { $0.rejectedCount > 0 || $0.isPartial }) { throw ExitCode.rejects }
    if work.options.merge?.listsConflicts == true, reports.contains(where: { $0.conflictCount > 0 }) {
      throw ExitCode.rejects
    }
  }

  private func tell(_ reports: [CopyReport], of destination: String, isDryRun: Bool) throws {
    if output.json {
      guard reports.count > 1 else { return try StandardOutput.write(document: reports[0]) }
      return try StandardOutput.write(document: ArchiveReports(verb: "import", archives: reports))
    }
    guard !output.quiet else { return }
    var texts = reports.map { $0.text(showsPlan: writing.verbose) }
    if !isDryRun, merging.why == nil { texts.append(Self.hint(reports, destination)) }
    try StandardOutput.write(texts.joined(separator: "\n\n"))
  }

  /// Says how to see what came.
  private static func hint(_ reports: [CopyReport], _ destination: String) -> String {
    let name = destination.shellQuoted
    let entity = reports.lazy.compactMap(\.mainEntity).first
    guard let entity else { return "to see what is there: decant inspect \(name)" }
    return "to see it: decant query \(name) \("SELECT * FROM \(entity) LIMIT 10".shellQuoted)"
  }
}

/// The options that choose what is taken of archives.
struct ImportChoiceOptions: ParsableArguments {
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only objects of ENTITY that meet an SQL condition on its attributes; may be repeated.",
      valueName: "ENTITY: CONDITION"
    ),
    transform: CopyOptions.Filter.init(argument:)
  )
  var `where`: [CopyOptions.Filter] = []

  @Option(
    help: ArgumentHelp(
      "Make a new Core Data store after this model or store, for objects of a plain database.",
      valueName: "model"
    )
  )
  var template: String?

  @Flag(help: "Take what is whole of an archive that is damaged or cut off, and say what is missing.")
  var salvage = false
}

/// The options that bound what an archive may ask for.
struct LimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Bytes that all files in a container may unpack to; 1TiB unless told otherwise.",
      valueName: "size"
    ),
    transform: ByteCount.argument
  )
  var maxBytes: Int64 = Int64(ArchiveLimits().totalByteCount)

  @Option(
    help: ArgumentHelp(
      "Bytes of a line, 1MiB unless told otherwise; of the first one sixteen times that.",
      valueName: "size"
    ),
    transform: ByteCount.argument
  )
  var maxLine: Int64 = Int64(ArchiveLimits().lineByteCount)

  @Option(help: ArgumentHelp("Objects of an archive.", valueName: "count"))
  var maxObjects: Int64 = ArchiveLimits().objectCount

  @Option(help: ArgumentHelp("Files in a container.", valueName: "count"))
  var maxMembers: Int = ArchiveLimits().memberCount

  @Option(help: ArgumentHelp("Containers in one another.", valueName: "count"))
  var maxNesting: Int = ArchiveLimits().nestingDepth

  @Option(help: ArgumentHelp("Bytes that may come of one packed byte.", valueName: "factor"))
  var maxExpansion: Int = ArchiveLimits().expansion

  @Option(help: ArgumentHelp("JSON values in one another.", valueName: "count"))
  var maxDepth: Int = ArchiveLimits().depth

  func validate() throws {
    let numbers =
      [maxBytes, maxLine, maxObjects] + [maxMembers, maxExpansion, maxDepth].map(Int64.init)
    if numbers.contains(where: { $0 < 1 }) || maxNesting < 0 {
      throw ValidationError("a limit must be at least 1")
    }
    if maxLine > 1 << 40 {
      throw ValidationError("--max-line is too large: lines are held in memory")
    }
    if maxDepth > 1000 { throw ValidationError("--max-depth may be 1000 at the most") }
  }

  var limits: ArchiveLimits {
    var limits = ArchiveLimits()
    limits.totalByteCount = Int(maxBytes)
    limits.memberCount = maxMembers
    limits.nestingDepth = maxNesting
    limits.expansion = maxExpansion
    limits.lineByteCount = Int(maxLine)
    limits.objectCount = maxObjects
    limits.depth = maxDepth
    return limits
  }
}
