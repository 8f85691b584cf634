internal import ArgumentParser
internal import DecantBase
internal import DecantPlan

/// The options that say how two stores are read that are held against each other.
struct ComparedStoresOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The model of stores that do not contain their own: .xcdatamodeld, .momd, .mom, or another store.",
      valueName: "model"
    ),
    completion: .file()
  )
  var model: String?

  @Option(
    help: ArgumentHelp(
      "Treat the column as a foreign key to the table; may be repeated.",
      valueName: "TABLE.COLUMN -> TABLE",
      visibility: .rare
    ),
    completion: .property,
    transform: CopyOptions.Link.init(argument:)
  )
  var link: [CopyOptions.Link] = []

  @Option(
    help: ArgumentHelp(
      "Do not treat the column as a foreign key, even if a links file does; may be repeated.",
      valueName: "TABLE.COLUMN",
      visibility: .rare
    ),
    completion: .property,
    transform: Property.init(argument:)
  )
  var noLink: [Property] = []

  @OptionGroup(visibility: .rare)
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
