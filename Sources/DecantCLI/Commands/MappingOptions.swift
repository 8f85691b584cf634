internal import ArgumentParser
internal import DecantBase
internal import DecantMapping
internal import DecantPlan
internal import DecantTransfer

/// The option that names a mapping file.
struct MappingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The YAML file that defines how to convert the objects to the destination's model.",
      discussion: .detail(
        "Without it, both stores must have the same model. The destination must exist, or --template names its model."
      ),
      valueName: "file"
    ),
    completion: .file()
  )
  var mapping: String?

  @Flag(
    help: ArgumentHelp(
      "Print a draft of a mapping file for the two models.",
      discussion: .detail(
        "Every guess is marked. The destination must exist or be a recipe file, or --template names its model."
      )
    )
  )
  var suggestMapping = false

  func validate() throws {
    if suggestMapping, mapping != nil {
      throw ValidationError("--suggest-mapping prints a new mapping file: remove --mapping and --json")
    }
  }

  /// Prints a draft of a mapping file, if requested; returns whether it did.
  func suggest(
    _ source: String,
    _ destination: String,
    _ options: CopyOptions,
    _ output: OutputOptions
  ) throws -> Bool {
    guard suggestMapping else { return false }
    guard !output.json else {
      throw ValidationError("--suggest-mapping prints a new mapping file: remove --json")
    }
    let suggestion =
      Export.isArchive(destination)
      ? Export(from: source, to: destination, options: options).mappingSuggestion
      : MappingSuggestion(from: source, to: destination, options: options).operation
    try StandardOutput.write(VerbRunner(output).run(suggestion))
    return true
  }

  /// Reads the file and adds it to the options of a copy.
  func enter(into options: inout CopyOptions) throws {
    guard let mapping else { return }
    options.mapping = try reporting { () throws(DecantError) in try Mapping.read(mapping) }
  }
}
