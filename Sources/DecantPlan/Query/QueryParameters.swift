public import DecantBase
internal import DecantSQLite

/// The values of the parameters in a query.
struct QueryParameters {
  private let values: [String: Value]

  /// Creates the values by parameter name, with or without the prefix `:`, `@`, `$` or `?`.
  init(_ values: [String: Value]) { self.values = values }

  /// The value of a parameter as it is written in the statement.
  subscript(parameter: String) -> Value? {
    values[parameter] ?? values[String(parameter.dropFirst())]
  }

  /// Throws unless every parameter of `statement` has a value, and every value has a parameter.
  func check(_ statement: Statement, _ tokens: SQLTokens) throws(SQLiteError) {
    let parameters = names(in: statement, tokens)
    for (_, name) in parameters where self[name] == nil {
      throw SQLiteError(code: SQLiteError.statementCode, message: QueryMistake.noValue + name)
    }
    let known = Set(parameters.flatMap { [$0.name, String($0.name.dropFirst())] })
    guard let unknown = values.keys.sorted().first(where: { !known.contains($0) }) else { return }
    let all = parameters.map(\.name).joined(separator: ", ")
    throw SQLiteError(
      code: SQLiteError.statementCode,
      message: QueryMistake.noParameter + unknown + (all.isEmpty ? "" : ", only \(all)")
    )
  }

  /// Binds its value to every parameter of `statement`.
  func bind(to statement: Statement, _ tokens: SQLTokens) throws(SQLiteError) {
    for (position, name) in names(in: statement, tokens) {
      guard let value = self[name] else { continue }
      try statement.bind(value.binding, at: position)
    }
  }

  /// Returns the parameters by position; the name of a bare `?` is its number.
  private func names(in statement: Statement, _ tokens: SQLTokens) -> [(position: Int, name: String)] {
    guard statement.parameterCount > 0 else { return [] }
    let hasBare = tokens.tokens.contains { $0.kind == .parameter && $0.text == "?" }
    return (1...statement.parameterCount).compactMap { position in
      // Without a bare `?`, a number without a name is not used in the statement.
      (statement.parameterName(at: position) ?? (hasBare ? "?\(position)" : nil)).map {
        (position, $0)
      }
    }
  }
}

extension Value {
  /// Parses the value of a parameter in SQL syntax; any other text is used unchanged.
  ///
  /// Recognised are `NULL`, `TRUE` and `FALSE` in upper or lower case; a number in JSON syntax, integers up to 64 bits;
  /// a text in single quotes, with inner quotes doubled; bytes as `x'00FF'`. A number with a plus sign or leading
  /// zeros, such as `+49` or `007`, is a text: as a number it would change.
  public init(parameter text: String) {
    switch text.lowercased() {
    case "null": self = .null
    case "true": self = .integer(1)
    case "false": self = .integer(0)
    default:
      self =
        Value(numeral: text) ?? Value(quotation: text) ?? Value(hexadecimal: text) ?? .text(text)
    }
  }

  private init?(numeral text: String) {
    guard let match = text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) else {
      return nil
    }
    if match.output.2 == nil, match.output.3 == nil {
      guard let integer = Int64(text) else { return nil }
      self = .integer(integer)
    } else {
      guard let number = Double(text), number.isFinite else { return nil }
      self = .double(number)
    }
  }

  private init?(quotation text: String) {
    guard let match = text.wholeMatch(of: /'((?:[^']|'')*)'/) else { return nil }
    self = .text(String(match.output.1).replacing("''", with: "'"))
  }

  private init?(hexadecimal text: String) {
    guard let match = text.wholeMatch(of: /[xX]'((?:[0-9A-Fa-f]{2})*)'/) else { return nil }
    let digits = Array(match.output.1)
    self = .binary(
      stride(from: 0, to: digits.count, by: 2).compactMap {
        UInt8(String(digits[$0...($0 + 1)]), radix: 16)
      }
    )
  }

  /// The value as stored.
  fileprivate var binding: Binding {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .double(let number), .date(let number): .real(number)
    case .decimal(let text), .text(let text), .uri(let text): .text(text)
    case .uuid(let bytes), .binary(let bytes): .blob(bytes)
    }
  }
}
