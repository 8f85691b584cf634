internal import DecantBase

/// A query's result as lines of separated fields, with a line of names and LF at line ends.
struct QueryFields: QueryDocument {
  private let names: [String]
  private let separator: String
  private let field: (QueryValue) -> String

  /// Comma-separated values, quoted as in RFC 4180: no value is an empty field, an empty text two quotes.
  static func csv(_ columns: [QueryColumn]) -> QueryFields {
    QueryFields(columns, separator: ",") { value in
      // The description of bytes may contain a comma: `PNG image, 12.3 kB`.
      if case .text(let text) = value {
        text.quotedField
      } else {
        value.cellText.isEmpty ? "" : value.cellText.quotedField
      }
    }
  }

  /// Fields separated by tabs, escaped as in the text format of PostgreSQL's COPY: no value is `\N`; in a text tab,
  /// line ends and backslash are `\t`, `\n`, `\r` and `\\`.
  static func tsv(_ columns: [QueryColumn]) -> QueryFields {
    QueryFields(columns, separator: "\t") { $0 == .null ? "\\N" : $0.cellText.escapedField }
  }

  private init(_ columns: [QueryColumn], separator: String, field: @escaping (QueryValue) -> String) {
    names = columns.map { field(.text($0.name)) }
    self.separator = separator
    self.field = field
  }

  func begin(_ sink: Sink) throws(DecantError) -> Bool { try sink(line(names)) }

  func add(_ row: [QueryValue], _ sink: Sink) throws(DecantError) -> Bool { try sink(line(row.map(field))) }

  func end(_ sink: Sink) {}

  private func line(_ fields: [String]) -> [String] {
    fields.enumerated().flatMap { [$0 == 0 ? "" : separator, $1] } + ["\n"]
  }
}

extension String {
  fileprivate var quotedField: String {
    let special: Set<UInt8> = [0x22, 0x2c, 0x0a, 0x0d]
    guard isEmpty || utf8.contains(where: { special.contains($0) }) else { return self }
    return "\"" + replacing("\"", with: "\"\"") + "\""
  }

  fileprivate var escapedField: String {
    let special: Set<UInt8> = [0x09, 0x0a, 0x0d, 0x5c]
    guard utf8.contains(where: { special.contains($0) }) else { return self }
    var escaped = String.UnicodeScalarView()
    for scalar in unicodeScalars {
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
