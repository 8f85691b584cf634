internal import DecantBase

/// A query's result as lines of fields with tabs between them, with a line of names.
///
/// No value is `\N`; in a text tab, line ends and backslash are `\t`, `\n`, `\r` and `\\`, as the text format of
/// PostgreSQL's COPY has them.
struct QueryTSV: QueryDocument {
  private let columns: [QueryColumn]

  init(_ columns: [QueryColumn]) { self.columns = columns }

  func begin(_ sink: Sink) throws(DecantError) -> Bool {
    try sink(QueryTSV.line(columns.map { QueryTSV.escaped($0.name) }))
  }

  func add(_ row: [QueryValue], _ sink: Sink) throws(DecantError) -> Bool {
    let fields = row.map { $0 == .null ? "\\N" : QueryTSV.escaped($0.cellText) }
    return try sink(QueryTSV.line(fields))
  }

  func end(_ sink: Sink) {}

  private static func line(_ fields: [String]) -> [String] {
    fields.enumerated().flatMap { [$0 == 0 ? "" : "\t", $1] } + ["\n"]
  }

  private static func escaped(_ text: String) -> String {
    let special: Set<UInt8> = [0x09, 0x0a, 0x0d, 0x5c]
    guard text.utf8.contains(where: { special.contains($0) }) else { return text }
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\t": escaped.append(contentsOf: "\\t".unicodeScalars)
      case "\n": escaped.append(contentsOf: "\\n".unicodeScalars)
      case "\r": escaped.append(contentsOf: "\\r".unicodeScalars)
      case "\\": escaped.append(contentsOf: "\\\\".unicodeScalars)
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}
