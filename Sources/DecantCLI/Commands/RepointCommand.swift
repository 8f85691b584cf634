internal import ArgumentParser
internal import DecantMaintain
internal import DecantTransfer

/// `decant repoint`: has references that another store holds follow a copy, or become identities.
struct RepointCommand: ParsableCommand, MemoryLimited {
  static let configuration = CommandConfiguration(
    commandName: "repoint",
    abstract: "Re-points references to objects that another store holds.",
    discussion: """
      A sync engine keeps references to the objects of an app's store in a store of
      its own: URIs like x-coredata://STORE/Recipe/p12 as text or bytes, or keys
      beside the name of an entity. With --ids they follow the copy that wrote the
      table; with --to-identity they become the value by which the app itself tells
      the object apart, and without --ids nothing needs to have been copied.
      References that lead nowhere are kept and counted. In place, in one
      transaction; running it once more changes nothing.

      Examples:
        decant repoint Tracking.sqlite --at QSSyncedEntity.originObjectID \\
          --ids ids.sqlite
        decant repoint Tracking.sqlite --at QSSyncedEntity.originObjectID \\
          --store App.sqlite --identity 'QSCompany: identifier' \\
          --set "identifier = entityType || '.' || originObjectID"
        decant repoint Notes.db --at 'note.key -> Recipe' --ids ids.sqlite
      """
  )

  @Argument(help: "The store that holds the references.")
  var store: String

  @Option(
    help: ArgumentHelp(
      "Where references stand; may be repeated.",
      discussion: """
        For keys alone behind an arrow the entity they are of, 'Note.recipeKey -> Recipe', or behind a \
        point the attribute of the same object that names it, 'Note.objectKey -> .kind'.
        """,
      valueName: "ENTITY.ATTRIBUTE"
    ),
    transform: ReferencePlace.init(argument:)
  )
  var at: [ReferencePlace] = []

  @OptionGroup(title: "Where they are to lead")
  var targets: TargetOptions

  @Option(
    help: ArgumentHelp(
      "What else changes with a reference, as SQL over the object's attributes; may be repeated.",
      discussion: "The attribute that --at names has its new value there already.",
      valueName: "ATTRIBUTE = EXPRESSION"
    ),
    transform: SetRule.init(argument:)
  )
  var `set`: [SetRule] = []

  @Option(
    help: ArgumentHelp(
      "A model to read a store with that does not hold its own: .xcdatamodeld, .momd, .mom, or another store; may be repeated.",
      valueName: "model"
    )
  )
  var model: [String] = []

  @OptionGroup(title: "How it is written")
  var writing: RepointWritingOptions

  @OptionGroup(title: "What is told")
  var output: OutputOptions

  @OptionGroup(title: "How it is written")
  var memory: MemoryOptions

  @Flag(name: .shortAndLong, help: "Show the values of references that were kept.")
  var verbose = false

  func validate() throws {
    if at.isEmpty {
      throw ValidationError("say where the references stand: --at 'Entity.attribute'")
    }
    try targets.check()
  }

  func run() throws {
    var repoint = Repoint(store, at: at)
    targets.enter(into: &repoint)
    writing.enter(into: &repoint)
    repoint.sets = `set`
    repoint.models = model
    var report = try VerbRunner(output).run(repoint, beside: store)
    report.showsValues = verbose
    if output.json {
      try StandardOutput.write(document: report)
    } else if !output.quiet {
      try StandardOutput.write(report.text)
    }
  }
}
