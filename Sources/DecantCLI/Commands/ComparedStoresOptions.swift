internal import ArgumentParser
internal import DecantBase
internal import DecantPlan

/// The options that say how two stores are read that are held against each other.
struct ComparedStoresOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The model to read stores with that do not hold their own.", valueName: "model"))
  var model: String?

  @Option(
    help: ArgumentHelp(
      "A column of a plain database holds keys of a table, although nothing declares it; may be repeated.",
      valueName: "TABLE.COLUMN -> TABLE"
    ),
    transform: CopyOptions.Link.init(argument:)
  )
  var link: [CopyOptions.Link] = []

  @Option(
    help: ArgumentHelp(
      "A column looks like a link and is none, whatever a links file says; may be repeated.",
      valueName: "TABLE.COLUMN"
    ),
    transform: Property.init(argument:)
  )
  var noLink: [Property] = []

  @OptionGroup
  var links: LinksFileOptions

  /// Whether anything was said.
  var isSaid: Bool { model != nil || !link.isEmpty || !noLink.isEmpty || links.links != nil }

  /// Returns what they say of links.
  func linkOptions() throws -> CopyOptions {
    var options = CopyOptions()
    options.links = link
    options.noLinks = noLink
    try links.enter(into: &options)
    return options
  }
}
