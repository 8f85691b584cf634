internal import ArgumentParser
internal import Decant

/// The options that say what a plain database does not say itself.
struct PlainReadingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A column holds keys of a table, although nothing declares it: renumber it with them; may be repeated.",
      valueName: "TABLE.COLUMN -> TABLE"
    ),
    transform: CopyOptions.Link.init(argument:)
  )
  var link: [CopyOptions.Link] = []

  @Option(
    help: ArgumentHelp(
      "A column looks like a link and is none: copy its values as they are; may be repeated.",
      valueName: "TABLE.COLUMN"
    ),
    transform: Property.init(argument:)
  )
  var noLink: [Property] = []

  @Option(
    help: ArgumentHelp(
      "Leave out a virtual table that cannot be copied; may be repeated.",
      valueName: "table"
    )
  )
  var leaveOut: [String] = []
}

/// The option that says how a plain database is added to.
struct TriggerOptions: ParsableArguments {
  @Flag(
    help: "Do not run the triggers of a database that is added to; else they run as for any insert."
  )
  var noTriggers = false

  /// Enters what it says into the options of a copy.
  func enter(into options: inout CopyOptions) {
    options.firesTriggers = !noTriggers
  }
}

extension PlainReadingOptions {
  /// Enters what they say into the options of a copy.
  func enter(into options: inout CopyOptions) {
    options.links = link
    options.noLinks = noLink
    options.leftOutTables = leaveOut
  }
}

extension CopyOptions.Link {
  /// Reads `table.column -> table`.
  init(argument: String) throws {
    guard let arrow = argument.firstRange(of: "->") else {
      throw ValidationError(
        "write the link as 'table.column -> table', like 'note.recipe_id -> recipe'"
      )
    }
    let target = argument[arrow.upperBound...].trimmed
    guard !target.isEmpty else {
      throw ValidationError("“\(argument)” does not say which table the link leads to")
    }
    try self.init(Property(argument: String(argument[..<arrow.lowerBound])), to: target)
  }
}

extension Property {
  /// Reads `table.column`; what stands before the last point is the table.
  init(argument: String) throws {
    let text = argument[...].trimmed
    guard let point = text.lastIndex(of: "."), point > text.startIndex,
      text.index(after: point) < text.endIndex
    else { throw ValidationError("write the column as table.column, like note.recipe_id") }
    self.init(String(text[..<point]), String(text[text.index(after: point)...]))
  }
}

extension Substring {
  /// The text without blanks around it.
  var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
