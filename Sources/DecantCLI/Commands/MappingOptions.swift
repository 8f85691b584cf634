internal import ArgumentParser
internal import Decant

/// The option that names a mapping file.
struct MappingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How objects of the source's model become objects of the destination's: a YAML file.",
      discussion:
        "Without it both have one model. The destination is there, or made after --template.",
      valueName: "file"
    )
  )
  var mapping: String?

  /// Reads the file and enters it into the options of a copy.
  func enter(into options: inout CopyOptions) throws {
    guard let mapping else { return }
    options.mapping = try reporting { () throws(DecantError) in try Mapping.read(mapping) }
  }
}
