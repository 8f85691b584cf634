internal import ArgumentParser
internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantArchive
internal import DecantTransfer

/// `decant export`: exports a store, or a selected part of it, to an archive.
struct ExportCommand: ParsableCommand, MemoryLimited {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "export",
      abstract: "Writes a store, or a part of it, to one file.",
      usage: "decant export <source> <archive> [<options>]",
      discussion: HelpPage.discussion(
        """
        The extension of the file decides the format. .decant is an archive from which \
        “decant import” restores the store: text, one JSON object per line, with the \
        model and the images; .decant.zst, .gz, .xz, .lz4 and .zip are compressed. \
        .html is a page for any browser and .eml a mail to send, both with the archive \
        inside. Recipes can be written for other apps: .paprikarecipes, .melarecipes, \
        .json (schema.org), .mmf (Meal-Master), nextcloud:FOLDER, cooklang:FOLDER.
        """,
        details: """
          The file appears only after it is complete and was read again. If another app's \
          format cannot hold a field of the recipes, a note names the field; --dry-run \
          prints these notes beforehand.
          """,
        examples: """
          decant export Recipes.sqlite Recipes.decant.zst
          decant export Recipes.sqlite Best.melarecipes --where 'Recipe: rating >= 4'
          decant export Recipes.sqlite Soup.html --root "Recipe: title = 'Soup'"
          decant export Recipes.sqlite 'Shared/*.eml' --each Recipe
          decant export Recipes.sqlite - | ssh host 'cat > Recipes.decant'
          """
      )
    )
  }

  @Argument(help: "The store to read. It is never changed.", completion: .file())
  var source: String

  @Argument(help: "The file to create; - writes an archive to standard output.", completion: .file())
  var archive: String

  @OptionGroup(title: "What to export")
  var choice: ChoiceOptions

  @OptionGroup(title: "What to export")
  var parts: ExportPartOptions

  @OptionGroup(title: "What to export")
  var mapping: MappingOptions

  @OptionGroup(title: "What to export")
  var part: ShareOptions

  @OptionGroup(title: "How to write it")
  var page: PageOutputOptions

  @OptionGroup(title: "How to write it")
  var packing: PackingOptions

  @OptionGroup(title: "How to write it")
  var memory: MemoryOptions

  @OptionGroup(title: "Databases without Core Data", visibility: .rare)
  var plain: PlainReadingOptions

  @OptionGroup
  var output: OutputOptions

  func validate() throws {
    try choice.checkRules(begins: parts.each != nil || part.share != nil)
    if part.share != nil {
      guard mapping.mapping != nil else {
        throw ValidationError("--share names a part that a mapping file defines: add --mapping FILE")
      }
      guard choice.root.isEmpty, parts.each == nil else {
        throw ValidationError("--share defines its own roots: remove --root and --each")
      }
    }
    guard parts.each != nil else { return }
    if page.title != nil || page.chapters {
      throw ValidationError("--each writes a file for every object: remove --title and --chapters")
    }
    if packing.maxPart != nil || packing.dryRun || !choice.root.isEmpty {
      throw ValidationError(
        "--each writes a file for every object: remove --root, --max-part and --dry-run"
      )
    }
  }

  func run() throws {
    var options = CopyOptions()
    choice.enter(into: &options)
    try mapping.enter(into: &options)
    try part.enter(into: &options)
    try plain.enter(into: &options)
    options.verifies = packing.verify
    options.isDryRun = packing.dryRun
    if try mapping.suggest(source, archive, options, output) { return }
    if let each = parts.each { return try run(each, options) }
    var export = Export(from: source, to: archive, options: options)
    export.level = packing.level
    export.page = page.options
    export.partByteCount = packing.maxPart
    try ExportRunner(export, output, isPipe: archive == "-").run()
  }
}

extension ExportCommand {
  /// Exports each object of `entity`, and reports each archive when it is complete.
  private func run(_ entity: String, _ options: CopyOptions) throws {
    var export = ExportEach(entity, of: source, into: archive, options: options)
    export.level = packing.level
    export.page = page.options
    export.keepsReports = output.json
    let lines = ResultStream()
    var runner = VerbRunner(output)
    runner.onEvent = { event in
      guard case .made(let report) = event, !output.json, !output.quiet else { return false }
      let line = "\(report.destination.place) · \(report.copiedCount.groupedCount("object"))\n"
      _ = try reporting { () throws(DecantError) in try lines.write([line]) }
      if report.destination.kind != StoreKinds.archive, !report.notes.isEmpty {
        StandardError.write(report.notes.commandLine.map { "note: \(report.destination.place): \($0)\n" }.joined())
      }
      return false
    }
    let report = try runner.run(export, beside: export.folder)
    try reporting { () throws(DecantError) in try lines.flush() }
    if output.json {
      try StandardOutput.write(document: report)
    } else if !output.quiet {
      try StandardOutput.write("\n\(Int64(report.archiveCount).groupedCount("archive")) in \(export.folder)")
    }
  }
}

/// The option for exporting each object to a file of its own.
struct ExportPartOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write each object of ENTITY to a file of its own, in the folder ARCHIVE.",
      discussion: .detail(
        "Each file includes the objects that its object needs. ARCHIVE may be FOLDER/*.html, or have another extension, to choose the format."
      ),
      valueName: "ENTITY"
    ),
    completion: .entity
  )
  var each: String?
}

/// The options for the appearance of a page or a mail.
struct PageOutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The title of a page or mail with several objects.",
      discussion: .detail("It stands on the cover when a page is printed."),
      valueName: "text"
    )
  )
  var title: String?

  @Flag(
    help: ArgumentHelp(
      "Put recipes into chapters, by their first category.",
      discussion: .detail("Recipes are in the order of their titles, within each chapter as well.")
    )
  )
  var chapters = false

  @Flag(
    help: ArgumentHelp(
      "Include your own notes and ratings of recipes.",
      discussion: .detail("Without this, a page or mail has neither, and its archive does not have them either.")
    )
  )
  var withNotes = false

  /// The options of the exported pages.
  var options: PageOptions {
    var options = PageOptions()
    (options.title, options.hasChapters, options.keepsNotes) = (title, chapters, withNotes)
    return options
  }
}

/// The options for writing an archive.
struct PackingOptions: ParsableArguments {
  @Flag(help: "Print what would be written, and write nothing.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "The compression level: 1 to 9, for .zst up to 22.",
      discussion: .detail("The default is a fast one."),
      valueName: "level"
    )
  )
  var level: Int?

  @Option(
    help: ArgumentHelp(
      "Split the archive into NAME.1.decant, NAME.2.decant and so on, none larger than this, such as 20MB.",
      discussion: .detail(
        "The size is measured before compression. Import reads the parts in any order."
      ),
      valueName: "size"
    ),
    transform: ByteCount.argument
  )
  var maxPart: Int64?

  @Flag(inversion: .prefixedNo, help: "Read the archive again and check all of it.")
  var verify = true

  func validate() throws {
    if let maxPart, maxPart < PackingOptions.smallestPart {
      throw ValidationError("--max-part must be at least 2MiB: a single line can take 1 MiB")
    }
  }

  private static let smallestPart: Int64 = 2 << 20
}

/// Runs an export, shows its progress and prints its report.
struct ExportRunner {
  private let export: Export
  private let output: OutputOptions
  private let isPipe: Bool

  init(_ export: Export, _ output: OutputOptions, isPipe: Bool) {
    self.export = export
    self.output = output
    self.isPipe = isPipe
  }

  /// Whether the losses of a format are printed before anything is written, instead of in the report.
  private var saysLosses: Bool {
    export.writesRecipes && !export.options.isDryRun && !output.json && !output.quiet
      && output.progressStyle != .json
  }

  func run() throws {
    var runner = VerbRunner(output)
    if saysLosses {
      runner.onEvent = { event in
        guard case .note(let note) = event else { return false }
        StandardError.write("note: \(note.commandLine)\n")
        return true
      }
    }
    var report = try runner.run(export, beside: export.destination.place)
    if saysLosses { report.notes = [] }
    let isShare = !export.options.roots.isEmpty
    // An archive written to standard output must not be mixed with other text.
    if isPipe, !export.options.isDryRun {
      if output.json {
        StandardError.write(try report.documentText + "\n")
      } else if !output.quiet {
        StandardError.write(report.text(ofShare: isShare) + "\n")
      }
    } else if output.json {
      try StandardOutput.write(document: report)
    } else if !output.quiet {
      try StandardOutput.write(report.text(ofShare: isShare))
    }
    if report.rejectedCount > 0 { throw ExitCode.rejects }
  }
}
