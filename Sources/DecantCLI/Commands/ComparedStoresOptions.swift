internal import ArgumentParser
internal import Decant

/// The options that say how two stores are read that are held against each other.
struct ComparedStoresOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The model to read stores with that do not hold their own.",
      valueName: "model"
    )
  )
  var model: String?

  @Option(
    help: ArgumentHelp(
      "A column of a plain database holds keys of a table, although nothing declares it; may be repeated.",
      valueName: "TABLE.COLUMN -> TABLE"
    ),
    transform: CopyOptions.Link.init(argument:)
  )
  var link: [CopyOptions.Link] = []

  @OptionGroup
  var links: LinksFileOptions

  /// Returns what they say of links.
  func linkOptions() throws -> CopyOptions {
    var options = CopyOptions()
    options.links = link
    try links.enter(into: &options)
    return options
  }
}
