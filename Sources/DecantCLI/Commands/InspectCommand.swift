internal import ArgumentParser
internal import DecantBase
internal import DecantMatch
internal import DecantPages
internal import DecantPlan
internal import DecantTransfer

/// `decant inspect`: shows the content of a store, and its problems.
struct InspectCommand: ParsableCommand, MemoryLimited {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "inspect",
      abstract: "Shows what a store contains and what is wrong with it.",
      usage: "decant inspect <store> [<options>]",
      discussion: HelpPage.discussion(
        """
        Lists entities, objects, links, sync metadata and problems. The whole store is \
        read, and nothing is changed. Only counts and sizes are shown, no values of \
        objects.
        """,
        details: """
          In sizes, a number counts as 8 bytes. Binary and transformable values, which are \
          usually pictures, are listed separately.
          """,
        examples: """
          decant inspect Recipes.sqlite
          decant inspect Recipes.sqlite --fast
          decant inspect Recipes.sqlite --entity Recipe
          decant inspect Old.sqlite --model App.xcdatamodeld --json
          decant inspect shop.db --suggest-links > links.yaml
          decant inspect Recipes.sqlite --diagram model.svg
          """
      )
    )
  }

  @Argument(help: "The store to read. It is never changed.", completion: .file())
  var store: String

  @Option(
    help: ArgumentHelp(
      "Show only this entity, with a line for each attribute and relationship; may be repeated.",
      valueName: "name"
    ),
    completion: .entity
  )
  var entity: [String] = []

  @Flag(name: .shortAndLong, help: "Show a line for each attribute and relationship.")
  var verbose = false

  @Flag(
    help: ArgumentHelp(
      "Count only objects: do not read values and links, and look for no problems.",
      discussion: .detail("For large stores: the rows of each table are counted in its smallest index.")
    )
  )
  var fast = false

  @Flag(
    help: ArgumentHelp(
      "Print a file for --links: the columns of a database that look like links, with the evidence.",
      discussion: .detail("copy, merge, import, export, verify and diff take --links.")
    )
  )
  var suggestLinks = false

  @OptionGroup var reading: ReadingOptions

  @OptionGroup
  var memory: MemoryOptions

  @Option(
    help: ArgumentHelp(
      "Draw the entities and their relationships to a new file: .svg, .dot for Graphviz, .mmd for Mermaid.",
      discussion: .detail(
        "An .svg is drawn by Graphviz; if that is not installed, a file for Mermaid is written instead."
      ),
      valueName: "file"
    ),
    completion: .file()
  )
  var diagram: String?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if suggestLinks, output.json || verbose || fast || !entity.isEmpty || reading.model != nil {
      throw ValidationError(
        "--suggest-links prints a links file: remove --json, --verbose, --fast, --entity and --model")
    }
    if diagram != nil, output.json || verbose || suggestLinks || !entity.isEmpty {
      throw ValidationError(
        "--diagram draws the whole model: remove --json, --verbose, --entity and --suggest-links"
      )
    }
    if output.json, verbose || !entity.isEmpty {
      throw ValidationError("--json prints everything: remove --verbose and --entity")
    }
  }

  func run() throws {
    Interrupt.ignoreFailedWrites()
    if suggestLinks {
      return try StandardOutput.write(VerbRunner(output).run(LinkSuggestion(for: store)))
    }
    var inspect = Inspect(store)
    inspect.model = reading.model
    inspect.countsOnly = fast
    let file = try diagram.map { path in try reporting { () throws(DecantError) in try DiagramFile(path) } }
    let inspection = try VerbRunner(output).run(inspect)
    if let file { return try draw(inspection, to: file) }
    try reporting { () throws(DecantError) in try checkEntities(of: inspection) }
    if output.quiet { return }
    if output.json {
      try StandardOutput.write(document: inspection)
    } else if entity.isEmpty {
      let columnCount = StandardOutput.columnCount
      try StandardOutput.write(inspection.text(isVerbose: verbose, columnCount: columnCount))
    } else {
      try StandardOutput.write(inspection.text(of: entity))
    }
  }

  private func draw(_ inspection: Inspection, to file: DiagramFile) throws {
    let diagram = ModelDiagram(inspection)
    let written = try reporting { () throws(DecantError) in try file.write(diagram) }
    if output.quiet { return }
    let maker =
      switch written.form {
      case .svg: "drawn by Graphviz"
      case .dot: "for Graphviz"
      case .mermaid: "for Mermaid" + (file.form == .svg ? ", as Graphviz is not installed" : "")
      }
    let terms = inspection.identity.terms
    let entities = Int64(diagram.entityCount)
    let what =
      "\(entities.grouped) \(entities == 1 ? terms.entity : terms.entities), "
      + Int64(diagram.relationshipCount).groupedCount("relationship")
    try StandardOutput.write("\(written.path.printable): \(what), \(maker)")
  }

  private func checkEntities(of inspection: Inspection) throws(DecantError) {
    for name in entity where inspection[name] == nil {
      let names = inspection.entities.map(\.name)
      throw DecantError(
        .unknownName,
        "there is no \(inspection.identity.terms.entity) \(name) in “\(inspection.identity.place)”",
        remedy: name.remedy(among: names, of: inspection.identity.terms.entities),
        remedies: [.correctName(name, among: names)]
      )
    }
  }
}
