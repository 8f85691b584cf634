internal import DecantBase
internal import DecantPlan

/// A query's result as comma-separated values, quoted as RFC 4180 says, with a line of names and LF at line
/// ends.
///
/// No value is an empty field, an empty text two quotes.
struct QueryCSV: QueryDocument {
  private let stream: ResultStream

  /// Begins with the names of `columns`.
  init(_ columns: [QueryColumn], to stream: ResultStream) throws(DecantError) {
    self.stream = stream
    _ = try stream.write(QueryCSV.line(columns.map { QueryCSV.quoted($0.name) }))
  }

  /// Writes a row; false if nobody reads any more.
  func add(_ row: [QueryValue]) throws(DecantError) -> Bool {
    let fields = row.map { value in
      if case .text(let text) = value { QueryCSV.quoted(text) } else { QueryCSV.plain(value) }
    }
    return try stream.write(QueryCSV.line(fields))
  }

  /// Writes nothing more.
  func end() {}

  private static func line(_ fields: [String]) -> [String] {
    fields.enumerated().flatMap { [$0 == 0 ? "" : ",", $1] } + ["\n"]
  }

  /// A description of bytes has a comma in it: `PNG image, 12.3 kB`.
  private static func plain(_ value: QueryValue) -> String {
    let text = value.cellText
    return text.isEmpty ? "" : quoted(text)
  }

  private static func quoted(_ text: String) -> String {
    let special: Set<UInt8> = [0x22, 0x2c, 0x0a, 0x0d]
    guard text.isEmpty || text.utf8.contains(where: { special.contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
