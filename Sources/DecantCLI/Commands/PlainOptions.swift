internal import ArgumentParser
internal import DecantBase
internal import DecantMapping
internal import DecantPlan
internal import DecantStore

/// The options on links and tables that a plain database does not declare.
struct PlainReadingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Treat the column as a foreign key to the table, and renumber its values; may be repeated.",
      discussion: .detail("Append WHERE type = \"Post\" for only those rows that meet the condition."),
      valueName: "TABLE.COLUMN -> TABLE"
    ),
    completion: .property,
    transform: CopyOptions.Link.init(argument:)
  )
  var link: [CopyOptions.Link] = []

  @Option(
    help: ArgumentHelp(
      "Do not treat the column as a foreign key: copy its values unchanged; may be repeated.",
      valueName: "TABLE.COLUMN"
    ),
    completion: .property,
    transform: Property.init(argument:)
  )
  var noLink: [Property] = []

  @OptionGroup
  var links: LinksFileOptions

  @Option(
    help: ArgumentHelp("Leave out a virtual table that cannot be copied; may be repeated.", valueName: "table"),
    completion: .entity
  )
  var leaveOut: [String] = []
}

/// The option for adding to a plain database.
struct TriggerOptions: ParsableArguments {
  @Flag(help: "Do not run the triggers of an existing database. By default they run as for any insert.")
  var noTriggers = false

  /// Adds this option to the options of a copy.
  func enter(into options: inout CopyOptions) {
    options.firesTriggers = !noTriggers
  }
}

extension PlainReadingOptions {
  /// Adds these options to the options of a copy.
  func enter(into options: inout CopyOptions) throws {
    options.links = link
    options.noLinks = noLink
    options.leftOutTables = leaveOut
    try links.enter(into: &options)
  }
}

/// The option that names a links file.
struct LinksFileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file that lists which columns are links; “decant inspect --suggest-links” prints one.",
      discussion: .detail("--link and --no-link override it for their column."),
      valueName: "file"
    ),
    completion: .file()
  )
  var links: String?

  /// Reads the file and adds its content to the options of a copy.
  func enter(into options: inout CopyOptions) throws {
    guard let links else { return }
    options.enter(try reporting { () throws(DecantError) in try LinksFile(links) })
  }
}

extension CopyOptions.Link {
  /// Parses `table.column -> table`.
  init(argument: String) throws {
    do { try self.init(text: argument) } catch { throw ValidationError(error.message) }
  }
}

extension Property {
  /// Parses `table.column`; the part before the last point is the table.
  init(argument: String) throws {
    do { try self.init(text: argument) } catch { throw ValidationError(error.message) }
  }
}
