public import DecantBase
internal import DecantSQLite

/// The values of the parameters in a query.
struct QueryParameters {
  private let values: [String: Value]

  /// Takes values by the names of their parameters, with `:`, `@`, `$` or `?` in front of them or without.
  init(_ values: [String: Value]) { self.values = values }

  /// The value of a parameter as it stands in the statement.
  subscript(parameter: String) -> Value? {
    values[parameter] ?? values[String(parameter.dropFirst())]
  }

  /// Throws unless every parameter of `statement` has a value, and every value a parameter.
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

  /// Gives every parameter of `statement` its value.
  func bind(to statement: Statement, _ tokens: SQLTokens) throws(SQLiteError) {
    for (position, name) in names(in: statement, tokens) {
      guard let value = self[name] else { continue }
      try statement.bind(value.binding, at: position)
    }
  }

  /// The parameters by their positions; a bare `?` goes by its number.
  private func names(in statement: Statement, _ tokens: SQLTokens) -> [(position: Int, name: String)] {
    guard statement.parameterCount > 0 else { return [] }
    let hasBare = tokens.tokens.contains { $0.kind == .parameter && $0.text == "?" }
    return (1...statement.parameterCount).compactMap { position in
      // Without a bare one a number that has no name is one that the statement passes over.
      (statement.parameterName(at: position) ?? (hasBare ? "?\(position)" : nil)).map {
        (position, $0)
      }
    }
  }
}

extension Value {
  /// Reads the value of a parameter as SQL writes it; what is nothing of the kind is a text as it stands.
  ///
  /// `NULL`, `TRUE` and `FALSE` in letters of either size; a number as JSON writes it, whole ones up to 64
  /// bits; a text in single quotes, in which a quote is doubled; bytes as `x'00FF'`. A number with a sign
  /// or zeros in front, such as `+49` or `007`, is a text: as a number it would be another one.
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

  /// The value as a store keeps it.
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
