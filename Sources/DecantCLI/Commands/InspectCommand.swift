internal import ArgumentParser
internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantTransfer

/// `decant inspect`: what a store holds, and what is wrong with it.
struct InspectCommand: ParsableCommand, MemoryLimited {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Shows what a store holds, and what is wrong with it.",
    discussion: """
      Entities, objects, links, what syncing left behind, and problems. The store
      is read from beginning to end and not changed. No value of an object is
      shown: only counts and sizes, in which a number has 8 bytes; binary and
      transformable values, pictures as a rule, stand apart.

      Examples:
        decant inspect Recipes.sqlite
        decant inspect Recipes.sqlite --entity Recipe
        decant inspect Old.sqlite --model App.xcdatamodeld --json
        decant inspect shop.db --suggest-links > links.yaml
      """
  )

  @Argument(help: "The store to read. It is never changed.")
  var store: String

  @OptionGroup var reading: ReadingOptions

  @OptionGroup
  var memory: MemoryOptions

  @Option(
    help: ArgumentHelp(
      "Show this entity alone, with a line for each attribute and relationship; may be repeated.",
      valueName: "name"
    )
  )
  var entity: [String] = []

  @Flag(
    help: ArgumentHelp(
      "Print a links file for a plain database: the columns that look like links, with the evidence.",
      discussion: "--links of copy, merge, import, export, verify and diff takes such a file."
    )
  )
  var suggestLinks = false

  @Flag(name: .shortAndLong, help: "Show a line for each attribute and relationship.")
  var verbose = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if suggestLinks, output.json || verbose || !entity.isEmpty || reading.model != nil {
      throw ValidationError("--suggest-links prints a links file: leave --json, --verbose, --entity and --model away")
    }
    if output.json, verbose || !entity.isEmpty {
      throw ValidationError("--json has everything: leave --verbose and --entity away")
    }
  }

  func run() throws {
    Interrupt.ignoreClosedPipes()
    if suggestLinks {
      return try StandardOutput.write(VerbRunner(output).run(LinkSuggestion(for: store)))
    }
    var inspect = Inspect(store)
    inspect.model = reading.model
    let inspection = try VerbRunner(output).run(inspect)
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
