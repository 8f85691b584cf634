internal import DecantSQLite

/// Finds out what the values of a statement's columns are: whose attribute's, where they are one's.
///
/// SQLite tells it of a column that is taken from a table as it is. `max(created)` is computed, but
/// a date like `created`; so is `coalesce(modified, created)` if both are dates. Therefore each call
/// that hands on one of its arguments is replaced by one of them, in every combination, and the
/// statements that come of it are compiled and never run; a column has a type if all of them agree.
/// A compound SELECT is replaced by its parts in the same way, as SQLite tells of one part alone.
struct ColumnTypes {
  let scratch: Connection
  let views: EntityViews

  /// More combinations than this are not tried: the columns then have no type.
  private static let limit = 64

  /// Returns the type of each column of `statement`, which was compiled from `tokens`.
  func types(of statement: Statement, _ tokens: SQLTokens) -> [ColumnType?] {
    let variants = SQLVariants(named(tokens.tokens), limit: ColumnTypes.limit)
    let own = types(of: statement)
    guard variants.hasCompounds || own.contains(nil) else { return own }
    guard let agreed = agreedTypes(of: variants, count: own.count) else {
      // What SQLite tells of a compound is true of one part alone.
      return variants.hasCompounds ? own.map { _ in nil } : own
    }
    return variants.hasCompounds ? agreed : zip(own, agreed).map { $0 ?? $1 }
  }

  /// Returns `tokens` with the names of columns written out behind those of common table expressions: a
  /// compound takes them from its first part, and the others have to do without it.
  private func named(_ tokens: [SQLTokens.Token]) -> [SQLTokens.Token] {
    guard tokens.first?.word == "with" else { return tokens }
    let expressions = tokens[...].commonTables
    guard let end = expressions.last?.end else { return tokens }
    var named = tokens
    for expression in expressions.reversed() where !expression.hasColumns {
      let name = tokens[expression.name]
      let with = tokens[..<end].map(\.text).joined(separator: " ")
      // Where it does not compile, as one that is recursive without names, nothing is gained.
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
      // A replacement may be no statement any more; then nothing can be said.
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
  /// Where its name stands.
  let name: Int
  /// Whether its columns are named behind it.
  let hasColumns: Bool
  /// Where it ends: behind its parenthesis.
  let end: Int
}

extension ArraySlice<SQLTokens.Token> {
  /// The expressions of the WITH that the slice begins with.
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
