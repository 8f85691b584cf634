internal import ArgumentParser
internal import DecantMaintain
internal import DecantTransfer

/// `decant repoint`: updates references in another store after a copy, or replaces them with identities.
struct RepointCommand: ParsableCommand, MemoryLimited {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "repoint",
      abstract: "Updates references to objects of another store after a copy.",
      usage: "decant repoint <store> --at <place> ... [<options>]",
      discussion: HelpPage.discussion(
        """
        Sync engines and other programs keep references to the objects of an app's \
        store in a store of their own: URIs such as x-coredata://STORE/Recipe/p12, or \
        keys next to the name of an entity. When objects are copied or migrated, their \
        keys change. --ids updates the references to the new keys; --to-identity replaces \
        them with the value by which the app identifies the object.
        """,
        details: """
          References to objects that do not exist are kept and counted. The store is \
          changed in one transaction. A second run changes nothing. Without --ids, no \
          copy is needed.
          """,
        examples: """
          decant repoint Notes.db --at 'note.key -> Recipe' --ids ids.sqlite
          decant repoint Tracking.sqlite --at QSSyncedEntity.originObjectID \\
            --ids ids.sqlite
          decant repoint Tracking.sqlite --at QSSyncedEntity.originObjectID \\
            --store App.sqlite --identity 'QSCompany: identifier' \\
            --set "identifier = entityType || '.' || originObjectID"
          """
      )
    )
  }

  @Argument(help: "The store that contains the references.", completion: .file())
  var store: String

  @OptionGroup(title: "Which references")
  var references: ReferenceOptions

  @OptionGroup(title: "What they refer to")
  var targets: TargetOptions

  @OptionGroup(title: "How to write it")
  var writing: RepointWritingOptions

  @OptionGroup(title: "How to write it")
  var memory: MemoryOptions

  @OptionGroup
  var output: OutputOptions

  @Flag(name: .shortAndLong, help: "Show the values of references that were kept.")
  var verbose = false

  func validate() throws {
    try targets.check()
  }

  func run() throws {
    var repoint = Repoint(store, at: references.at)
    references.enter(into: &repoint)
    targets.enter(into: &repoint)
    writing.enter(into: &repoint)
    var report = try VerbRunner(output).run(repoint, beside: store)
    report.showsValues = verbose
    if output.json {
      try StandardOutput.write(document: report)
    } else if !output.quiet {
      try StandardOutput.write(report.text)
    }
  }
}
