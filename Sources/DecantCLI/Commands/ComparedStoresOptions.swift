internal import ArgumentParser
internal import DecantBase
internal import DecantPlan

/// The options for reading two stores that are compared.
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

  /// Whether any of these options was given.
  var isSaid: Bool { model != nil || !link.isEmpty || !noLink.isEmpty || links.links != nil }

  /// Returns the options on links.
  func linkOptions() throws -> CopyOptions {
    var options = CopyOptions()
    options.links = link
    options.noLinks = noLink
    try links.enter(into: &options)
    return options
  }
}
