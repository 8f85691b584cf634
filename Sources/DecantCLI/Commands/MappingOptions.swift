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
    let text = try reporting { () throws(DecantError) in
      guard Export.isArchive(destination) else {
        return try MappingSuggestion(from: source, to: destination, options: options).text()
      }
      return try Export(from: source, to: destination, options: options).suggestedMapping()
    }
    try StandardOutput.write(text)
    return true
  }

  /// Reads the file and enters it into the options of a copy.
  func enter(into options: inout CopyOptions) throws {
    guard let mapping else { return }
    options.mapping = try reporting { () throws(DecantError) in try Mapping.read(mapping) }
  }
}
