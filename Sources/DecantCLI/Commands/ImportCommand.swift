internal import ArgumentParser
internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantArchive
internal import DecantTransfer

/// `decant import`: imports archives into a store.
struct ImportCommand: ParsableCommand, MemoryLimited {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "import",
      abstract: "Imports archives and recipe files into a store.",
      usage: "decant import <file> ... <store> [<options>]",
      discussion: HelpPage.discussion(
        """
        A new store is created like the one that was exported. If the store exists, only \
        missing objects are added, unless --merge says otherwise. Pages and mails \
        written by “decant export” are archives, too. Recipe files of about twenty apps \
        (“decant stores” lists them) are imported into a store of recipes, each once.
        """,
        details: """
          Importing a file again changes nothing. If a recipe file was corrected since, only \
          its corrections are taken, and what was edited in the store stays. All files are read and checked first. If \
          an archive is damaged, incomplete or exceeds a limit, nothing is written. A \
          recipe file that cannot be read is listed with the reason, and the others are \
          imported. A recipe is recognised by its ID, by its web address, or by its \
          content. The format of a file is recognised by its content. Files are unpacked \
          in the folder that TMPDIR names.
          """,
        examples: """
          decant import ~/Downloads Recipes.sqlite
          decant import Recipes.decant.zst Kitchen.sqlite
          decant import Soup.decant Cake.decant.gz Kitchen.sqlite --dry-run
          decant import Photos.1.decant Photos.2.decant Photos.sqlite
          """
      )
    )
  }

  @Argument(
    help: ArgumentHelp(
      "The files or folders to import (- is standard input), then the store.",
      valueName: "file … store"
    ),
    completion: .file()
  )
  var places: [String]

  @OptionGroup(title: "What to import")
  var choice: ImportChoiceOptions

  @OptionGroup(title: "What to import")
  var mapping: MappingOptions

  @OptionGroup(title: "How to merge")
  var merging: MergingOptions

  @OptionGroup(title: "How to write it")
  var writing: WritingOptions

  @OptionGroup(title: "How to write it")
  var preview: PreviewOptions

  @OptionGroup(title: "How to write it")
  var memory: MemoryOptions

  @OptionGroup(title: "Limits of a file", visibility: .rare)
  var limits: LimitOptions

  @OptionGroup(title: "Databases without Core Data", visibility: .rare)
  var plain: PlainReadingOptions

  @OptionGroup(title: "Databases without Core Data", visibility: .rare)
  var triggers: TriggerOptions

  @OptionGroup
  var output: OutputOptions

  func validate() throws {
    if places.count < 2 {
      throw ValidationError("name at least one archive or recipe file, then the store to import it into")
    }
    if places.dropLast().count(where: { $0 == "-" }) > 1 || places.last == "-" {
      throw ValidationError("- is standard input: it can be given once, and not as the store")
    }
    if mapping.suggestMapping, places.count > 2 {
      throw ValidationError("--suggest-mapping takes one file and the store: name only one file")
    }
    if writing.resume, writing.commit == .run {
      throw ValidationError("--resume requires --commit batch: otherwise an import is one transaction")
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
    work.takesCorrections = merging.merge.isEmpty && merging.base.isEmpty
    work.options.explainedObject = merging.why
    if merging.why != nil { work.options.isDryRun = true }
    work.salvages = choice.salvage
    work.onlyStructured = choice.onlyStructured
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

  private func tell(_ reports: ImportReport, of destination: String, isDryRun: Bool) throws {
    if output.json { return try StandardOutput.write(document: reports) }
    guard !output.quiet else { return }
    var texts = reports.map { $0.text(showsAll: writing.verbose) }
    if !isDryRun, merging.why == nil { texts.append(hint(reports, destination)) }
    try StandardOutput.write(texts.joined(separator: "\n\n"))
  }

  /// Returns a hint on how to view the imported objects.
  private func hint(_ reports: ImportReport, _ destination: String) -> String {
    let name = destination.shellQuoted
    let kind = StoreKinds.location(destination).kind.flatMap { StoreKinds.known.kind(named: $0) }
    // Recipes are read from files only.
    if kind?.isFile == false {
      let copy =
        reports.contains { $0.mainEntity == "Recipe" }
        ? "\nto read the recipes: decant copy \(name) Recipes.sqlite && decant recipes Recipes.sqlite" : ""
      return "to see the content: decant inspect \(name)" + copy
    }
    if isOfRecipes(destination) {
      return "to see them: decant recipes \(name)\nto read one: decant recipes \(name) show TITLE"
    }
    let entity = reports.lazy.compactMap(\.mainEntity).first
    guard let entity else { return "to see the content: decant inspect \(name)" }
    return "to see it: decant query \(name) \("SELECT * FROM \(entity) LIMIT 10".shellQuoted)"
  }
}

/// Returns whether a store contains recipes, after an import into it.
///
/// The import is complete, so a store that cannot be read without its model is not an error here.
private func isOfRecipes(_ store: String) -> Bool {
  guard let folder = try? ScratchFolder() else { return false }
  let choice = try? RecipeChoice(of: StoreKinds.location(store), CopyOptions(), in: folder.path)
  return withExtendedLifetime(folder) { choice?.isRecipes == true }
}

/// The options that select what is imported.
struct ImportChoiceOptions: ParsableArguments {
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("Only objects of ENTITY that meet an SQL condition.", valueName: "ENTITY: CONDITION"),
    completion: .entityAndAttributes,
    transform: CopyOptions.Filter.init(argument:)
  )
  var `where`: [CopyOptions.Filter] = []

  @Option(
    help: ArgumentHelp(
      "Create a new Core Data store from this model, or like this store.",
      discussion: .detail("For an archive of a database without Core Data."),
      valueName: "model"
    ),
    completion: .file()
  )
  var template: String?

  @Flag(help: "Import the readable part of a damaged archive.")
  var salvage = false

  @Flag(
    help: ArgumentHelp(
      "Read only the structured data of web pages.",
      discussion: .detail("Without it, what they lack is read from the layout of the page.")
    )
  )
  var onlyStructured = false
}

/// The options that limit the resources an archive may use.
struct LimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The most bytes that the files of a container may unpack to. (default: 1TiB)",
      valueName: "size"
    ),
    transform: ByteCount.argument
  )
  var maxBytes: Int64 = Int64(ArchiveLimits().totalByteCount)

  @Option(
    help: ArgumentHelp(
      "The longest line in bytes; the first line may have sixteen times as many. (default: 1MiB)",
      valueName: "size"
    ),
    transform: ByteCount.argument
  )
  var maxLine: Int64 = Int64(ArchiveLimits().lineByteCount)

  @Option(help: ArgumentHelp("The most objects in an archive.", valueName: "count"))
  var maxObjects: Int64 = ArchiveLimits().objectCount

  @Option(help: ArgumentHelp("The most files in a container.", valueName: "count"))
  var maxMembers: Int = ArchiveLimits().memberCount

  @Option(help: ArgumentHelp("The maximum number of packing layers around a file.", valueName: "count"))
  var maxNesting: Int = ArchiveLimits().nestingDepth

  @Option(help: ArgumentHelp("The most bytes that one compressed byte may unpack to.", valueName: "factor"))
  var maxExpansion: Int = ArchiveLimits().expansion

  @Option(help: ArgumentHelp("How deeply JSON values may be nested.", valueName: "count"))
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
    if maxDepth > 1000 { throw ValidationError("--max-depth must be at most 1000") }
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
