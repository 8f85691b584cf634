internal import ArgumentParser
internal import DecantBase
internal import DecantPlan
internal import DecantTransfer

/// `decant query`: runs read-only SQL on entities and attributes.
struct QueryCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "query",
      abstract: "Reads a store with SQL on entities and attributes.",
      usage: "decant query <store> <sql> [<options>]",
      discussion: HelpPage.discussion(
        """
        Entities are tables, and attributes are their columns. Every object has _id, \
        its key, and _entity, the name of its entity. A to-one relationship is a column \
        with the key of the other object; many-to-many links are tables such as \
        Recipe_tags, with the columns Recipe_id and Tag_id.

        Values are as stored: dates are seconds since 2001, UUIDs 16 bytes. \
        date_value('2026-01-31') and uuid_value('…') create such values; date_text(x) \
        and uuid_text(x) convert them to text.
        """,
        details: """
          -p sets the value of a parameter, written :name, @name or $name in the SQL. A \
          number, 'text' in quotes, x'00FF', NULL, TRUE and FALSE are read as in SQL; \
          everything else is text.
          """,
        examples: """
          decant query Recipes.sqlite "SELECT title FROM Recipe WHERE rating >= 4"
          decant query Recipes.sqlite "SELECT * FROM Recipe WHERE author = :a" -p a=Ada
          decant query Recipes.sqlite "SELECT r.title, c.name FROM Recipe AS r
            JOIN Category AS c ON c._id = r.category ORDER BY c.name" --csv
          decant query Recipes.sqlite "SELECT data FROM Image" --blob-dir pictures
          decant query Recipes.sqlite - --jsonl < report.sql
          """
      )
    )
  }

  @Argument(help: "The store to read. It is never changed.", completion: .file())
  var store: String

  @Argument(help: "One SELECT; - reads it from standard input.")
  var sql: String

  @Option(
    name: [.customShort("p"), .long],
    help: ArgumentHelp("The value of a parameter in the SQL; may be repeated.", valueName: "name=value")
  )
  var parameter: [String] = []

  @Flag(help: "Print comma-separated values with a header line.")
  var csv = false

  @Flag(help: "Print tab-separated values with a header line.")
  var tsv = false

  @Flag(help: "Print an array of JSON objects.")
  var json = false

  @Flag(help: "Print one JSON object per line.")
  var jsonl = false

  @Option(
    help: ArgumentHelp(
      "Write each binary value to a file in this folder, COLUMN-ROW.png or .bin.",
      valueName: "folder"
    ),
    completion: .directory
  )
  var blobDir: String?

  @OptionGroup var reading: ReadingOptions

  @OptionGroup var progress: ProgressOptions

  @Flag(help: "Do not check the structure of the store first.")
  var noVerify = false

  func validate() throws {
    guard [csv, tsv, json, jsonl].count(where: { $0 }) < 2 else {
      throw ValidationError("--csv, --tsv, --json and --jsonl cannot be combined: use only one")
    }
    _ = try parameters()
  }

  func run() throws {
    let isTable = !(csv || tsv || json || jsonl)
    let width = isTable ? StandardOutput.terminalColumnCount : nil
    let text = try reporting { () throws(DecantError) in
      sql == "-" ? try StandardInput.text(limit: 16 << 20) : sql
    }
    var query = StoreQuery(text, in: store)
    query.parameters = try parameters()
    query.model = reading.model
    query.verifies = !noVerify
    query.textByteLimit = width.map(QueryTable.textByteLimit)
    query.bytes = blobDir.map { .saved(folder: $0) } ?? (json || jsonl ? .lent : .described)
    let style = progress.besideOutput
    var runner = VerbRunner(style)
    runner.onEvent = { event in
      guard case .note(let note) = event, style != .json else { return false }
      StandardError.write("note: \(note.commandLine)\n")
      return true
    }
    let format: QueryFormat? = csv ? .csv : tsv ? .tsv : json ? .json : jsonl ? .jsonLines : nil
    let work = query.reading { rows throws(DecantError) in
      let stream = ResultStream()
      do throws(DecantError) {
        if let format {
          try rows.write(as: format, to: stream.write)
        } else {
          try rows.write(QueryTable(rows.columns.map(\.name), columnCount: width), stream.write)
        }
      } catch {
        // Rows read before a failure are still written.
        try stream.flush()
        throw error
      }
      try stream.flush()
    }
    try runner.run(work)
  }

  /// Returns the values of the parameters by name.
  private func parameters() throws -> [String: Value] {
    var values: [String: Value] = [:]
    for argument in parameter {
      guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else {
        throw ValidationError("'-p \(argument)' has no value: write -p NAME=VALUE")
      }
      let name = String(argument[..<sign])
      let value = Value(parameter: String(argument[argument.index(after: sign)...]))
      guard values.updateValue(value, forKey: name) == nil else {
        throw ValidationError("-p sets \(name) twice: remove one")
      }
    }
    return values
  }
}
