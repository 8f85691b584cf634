internal import ArgumentParser
internal import Decant
internal import DecantStores

/// `decant query`: read-only SQL over entities and attributes.
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Reads a store with SQL over its entities and attributes.",
    discussion: """
      Entities are tables, attributes their columns, whatever the store calls them.
      Every object has _id, its key, and _entity, the name of its own entity; a
      to-one relationship is the key it leads to. Links of many to many are in
      tables such as Recipe_tags, with Recipe_id and Tag_id.

      In expressions values are as they are stored: dates in seconds since 2001,
      UUIDs as 16 bytes. date_value('2026-01-31') and uuid_value('…') make them,
      date_text(x) and uuid_text(x) make text of them.

      Examples:
        decant query Recipes.sqlite "SELECT title FROM Recipe WHERE rating >= 4"
        decant query Recipes.sqlite "SELECT r.title, c.name FROM Recipe AS r
          JOIN Category AS c ON c._id = r.category ORDER BY c.name" --csv
      """
  )

  @Argument(help: "The store to read. It is never changed.")
  var store: String

  @Argument(help: "One SELECT.")
  var sql: String

  @OptionGroup var reading: ReadingOptions

  @Flag(help: "Print comma-separated values, with a line of names first.")
  var csv = false

  @Flag(help: "Print an array of JSON objects.")
  var json = false

  @Flag(help: "Do not check the structure of the store first.")
  var noVerify = false

  func validate() throws {
    if csv, json { throw ValidationError("--csv and --json exclude each other") }
  }

  func run() throws {
    let cancellation = Interrupt.listen()
    let width = csv || json ? nil : StandardOutput.terminalColumnCount
    let query = try reporting { () throws(DecantError) in
      try Query(
        sql,
        in: store,
        model: reading.model,
        verifies: !noVerify,
        textByteLimit: width.map(QueryTable.textByteLimit),
        cancellation: cancellation
      )
    }
    for note in query.notes { StandardError.write("note: \(note)\n") }
    let stream = ResultStream()
    // What was read before a failure is not held back.
    defer { try? stream.flush() }
    if csv {
      let document = try QueryCSV(query.columns, to: stream)
      while let row = try next(of: query), try document.add(row) {}
    } else if json {
      var document = QueryJSON(query.columns, to: stream)
      while let row = try next(of: query), try document.add(row) {}
      try document.end()
    } else {
      var table = QueryTable(query.columns, columnCount: width, to: stream)
      while let row = try next(of: query), try table.add(row) {}
      try table.end()
    }
    try stream.flush()
  }

  private func next(of query: Query) throws -> [QueryValue]? {
    try reporting { () throws(DecantError) in try query.next() }
  }
}
