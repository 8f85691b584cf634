internal import DecantBase

/// A query's result as comma-separated values, quoted as RFC 4180 says, with a line of names and LF at line
/// ends.
///
/// No value is an empty field, an empty text two quotes.
struct QueryCSV: QueryDocument {
  private let columns: [QueryColumn]

  init(_ columns: [QueryColumn]) { self.columns = columns }

  func begin(_ sink: Sink) throws(DecantError) -> Bool {
    try sink(QueryCSV.line(columns.map { QueryCSV.quoted($0.name) }))
  }

  func add(_ row: [QueryValue], _ sink: Sink) throws(DecantError) -> Bool {
    let fields = row.map { value in
      if case .text(let text) = value { QueryCSV.quoted(text) } else { QueryCSV.plain(value) }
    }
    return try sink(QueryCSV.line(fields))
  }

  func end(_ sink: Sink) {}

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
