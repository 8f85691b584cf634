internal import DecantSQLite

/// A search for the types of a statement's columns, where they come from attributes.
///
/// SQLite reports the origin of a column that is taken unchanged from a table. `max(created)` is an expression, but a
/// date like `created`; so is `coalesce(modified, created)` if both are dates. Therefore each call that returns one of
/// its arguments is replaced by each of them, in every combination, and the resulting statements are compiled but never
/// run; a column has a type if all of them agree. A compound SELECT is replaced by each of its parts in the same way,
/// as SQLite reports only one part.
struct ColumnTypes {
  let scratch: Connection
  let views: EntityViews

  /// The maximum number of combinations; if it is exceeded the columns have no type.
  private static let limit = 64

  /// Returns the type of each column of `statement`, which was compiled from `tokens`.
  func types(of statement: Statement, _ tokens: SQLTokens) -> [ColumnType?] {
    let variants = SQLVariants(named(tokens.tokens), limit: ColumnTypes.limit)
    let own = types(of: statement)
    guard variants.hasCompounds || own.contains(nil) else { return own }
    guard let agreed = agreedTypes(of: variants, count: own.count) else {
      // For a compound SQLite reports only one part.
      return variants.hasCompounds ? own.map { _ in nil } : own
    }
    return variants.hasCompounds ? agreed : zip(own, agreed).map { $0 ?? $1 }
  }

  /// Returns `tokens` with explicit column names in common table expressions: a compound takes its names from its first
  /// part, which the others lack.
  private func named(_ tokens: [SQLTokens.Token]) -> [SQLTokens.Token] {
    guard tokens.first?.word == "with" else { return tokens }
    let expressions = tokens[...].commonTables
    guard let end = expressions.last?.end else { return tokens }
    var named = tokens
    for expression in expressions.reversed() where !expression.hasColumns {
      let name = tokens[expression.name]
      let with = tokens[..<end].map(\.text).joined(separator: " ")
      // Some, such as recursive ones without names, do not compile: they are left unchanged.
      guard let all = try? scratch.prepare("\(with) SELECT * FROM \(name.text)") else { continue }
      let columns = (0..<all.columnCount).map { all.columnName(at: $0).quotedName }
      named.insert(
        SQLTokens.Token(kind: .sign, text: "(\(columns.joined(separator: ", "))) ", start: name.end, end: name.end),
        at: expression.name + 1
      )
    }
    return named
  }

  private func agreedTypes(of variants: SQLVariants, count: Int) -> [ColumnType?]? {
    guard let texts = variants.texts else { return nil }
    var agreed: [ColumnType?]?
    for text in texts {
      // A replacement may not be a valid statement; the types are then unknown.
      guard let variant = try? scratch.prepare(text), variant.columnCount == count else {
        return nil
      }
      let types = types(of: variant)
      agreed = agreed.map { zip($0, types).map { $0 == $1 ? $0 : nil } } ?? types
    }
    return agreed
  }

  private func types(of statement: Statement) -> [ColumnType?] {
    (0..<statement.columnCount).map { position in
      guard let origin = statement.origin(at: position) else { return nil }
      return views[origin.table]?.columns.first { $0.name == origin.column }?.type
    }
  }
}

/// A common table expression among the tokens of a statement.
private struct CommonTable {
  /// The index of its name.
  let name: Int
  /// Whether its column names are listed.
  let hasColumns: Bool
  /// The index after its closing parenthesis.
  let end: Int
}

extension ArraySlice<SQLTokens.Token> {
  /// The expressions of the WITH clause at the beginning of the slice.
  fileprivate var commonTables: [CommonTable] {
    var tables: [CommonTable] = []
    var rest = dropFirst()
    if rest.first?.word == "recursive" { rest = rest.dropFirst() }
    while rest.first?.name != nil {
      let name = rest.startIndex
      rest = rest.dropFirst()
      let columns = rest.inParentheses
      if let columns { rest = rest.dropFirst(columns.count + 2) }
      // AS [NOT] MATERIALIZED
      while ["as", "not", "materialized"].contains(rest.first?.word) { rest = rest.dropFirst() }
      guard let inside = rest.inParentheses else { break }
      rest = rest.dropFirst(inside.count + 2)
      tables.append(CommonTable(name: name, hasColumns: columns != nil, end: rest.startIndex))
      guard rest.first?.text == "," else { break }
      rest = rest.dropFirst()
    }
    return tables
  }
}
