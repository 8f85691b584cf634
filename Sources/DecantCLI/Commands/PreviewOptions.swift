internal import ArgumentParser
internal import DecantPlan

/// The options for listing objects in a dry run.
struct PreviewOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "With --dry-run: list the objects.",
      discussion: .detail("Those that would be added, updated or removed.")
    )
  )
  var list = false

  @Option(help: ArgumentHelp("How many objects of each entity --list shows.", valueName: "number", visibility: .rare))
  var limit = 20

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit must be at least 1") }
  }

  /// Adds these options to the options of a copy, in which all others are already set.
  func enter(into options: inout CopyOptions) throws {
    guard list else { return }
    guard options.isDryRun else { throw ValidationError("--list requires --dry-run") }
    options.listedObjectCount = limit
  }
}
