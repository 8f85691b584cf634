internal import ArgumentParser
internal import DecantPlan

/// The options by which a dry run names objects.
struct PreviewOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "With --dry-run: name the objects.",
      discussion: .detail("Those that would be added, updated or removed.")
    )
  )
  var list = false

  @Option(help: ArgumentHelp("How many objects of each entity --list names.", valueName: "number", visibility: .rare))
  var limit = 20

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit is a number of objects: 1 or more") }
  }

  /// Enters what they say into the options of a copy, of which the others are there already.
  func enter(into options: inout CopyOptions) throws {
    guard list else { return }
    guard options.isDryRun else { throw ValidationError("--list goes with --dry-run") }
    options.listedObjectCount = limit
  }
}
