internal import ArgumentParser
internal import DecantBase
internal import DecantMapping
internal import DecantPlan
internal import DecantTransfer

/// The option that names a mapping file.
struct MappingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The YAML file that says how to convert the objects to the model of the destination.",
      discussion: .detail(
        "Without it both stores have the same model. The destination exists, or --template names its model."
      ),
      valueName: "file"
    ),
    completion: .file()
  )
  var mapping: String?

  @Flag(
    help: ArgumentHelp(
      "Print such a file for the two models.",
      discussion: .detail(
        "Every guess in it is marked. The destination exists, or --template names its model, or it is a recipe file."
      )
    )
  )
  var suggestMapping = false

  func validate() throws {
    if suggestMapping, mapping != nil {
      throw ValidationError("--suggest-mapping prints a new mapping file: leave --mapping and --json away")
    }
  }

  /// Prints a mapping file, where one was asked for; returns whether it was.
  func suggest(
    _ source: String,
    _ destination: String,
    _ options: CopyOptions,
    _ output: OutputOptions
  ) throws -> Bool {
    guard suggestMapping else { return false }
    guard !output.json else {
      throw ValidationError("--suggest-mapping prints a new mapping file: leave --json away")
    }
    let suggestion =
      Export.isArchive(destination)
      ? Export(from: source, to: destination, options: options).mappingSuggestion
      : MappingSuggestion(from: source, to: destination, options: options).operation
    try StandardOutput.write(VerbRunner(output).run(suggestion))
    return true
  }

  /// Reads the file and enters it into the options of a copy.
  func enter(into options: inout CopyOptions) throws {
    guard let mapping else { return }
    options.mapping = try reporting { () throws(DecantError) in try Mapping.read(mapping) }
  }
}
