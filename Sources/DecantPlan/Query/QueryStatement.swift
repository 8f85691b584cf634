internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// A user's statement, checked on a scratch connection, in the form that runs on the store.
struct QueryStatement {
  /// The positions of a column's value in the rows of the statement.
  struct Place {
    let value: Int
    /// The position of the length of bytes that are too large to read.
    let length: Int?
    /// The position of their first bytes, if they may have a mark.
    let head: Int?
  }

  /// The statement to run.
  let text: String
  let columns: [QueryColumn]
  let places: [Place]

  /// The size limit of values; for larger ones only the length is returned, which SQLite knows without reading them.
  private static let byteLimit = 4 << 20

  /// Compiles `sql` on the outlines of `views` only.
  ///
  /// - Parameters:
  ///   - sql: The user's statement.
  ///   - views: The readable views.
  ///   - parameters: The values of its parameters.
  ///   - sparesLarge: Whether large bytes are omitted.
  /// - Throws: `SQLiteError` for an invalid statement.
  init(
    _ sql: String,
    views: EntityViews,
    parameters: QueryParameters = QueryParameters([:]),
    sparesLarge: Bool = true
  ) throws(SQLiteError) {
    let tokens = SQLTokens(sql).body
    guard let first = tokens.tokens.first else {
      throw SQLiteError(code: SQLiteError.statementCode, message: "there is no SQL")
    }
    guard !tokens.tokens.contains(where: { $0.text == ";" }) else {
      throw SQLiteError(code: SQLiteError.statementCode, message: QueryMistake.several)
    }
    // Comments after the semicolon are not a statement.
    let body = String(decoding: Array(sql.utf8)[first.start..<tokens.end], as: UTF8.self)
    let scratch = try views.scratch(SelectAuthorizer(allowing: SafeFunctions.all, views: views, allowsRecursion: true))
    let statement = try scratch.prepare(body)
    guard ["select", "with", "values"].contains(first.word), statement.columnCount > 0 else {
      throw SQLiteError(code: SQLiteError.statementCode, message: QueryMistake.notSelect)
    }
    try parameters.check(statement, tokens)
    let types = ColumnTypes(scratch: scratch, views: views).types(of: statement, tokens)
    columns = types.enumerated().map { position, type in
      QueryColumn(name: statement.columnName(at: position), type: type)
    }
    (text, places) =
      sparesLarge
      ? QueryStatement.sparing(body, types)
      : (body, types.indices.map { Place(value: $0, length: nil, head: nil) })
  }

  /// Returns a statement that omits large bytes: SQLite knows their length without reading them.
  ///
  /// Bytes that may have a mark must be read; SQLite then holds one value at a time.
  private static func sparing(_ sql: String, _ types: [ColumnType?]) -> (String, [Place]) {
    guard types.contains(where: { $0?.attribute.isBinary == true }) else {
      return (sql, types.indices.map { Place(value: $0, length: nil, head: nil) })
    }
    var columns: [String] = []
    var places: [Place] = []
    for (position, type) in types.enumerated() {
      let name = "c\(position)"
      guard type?.attribute.isBinary == true else {
        places.append(Place(value: columns.count, length: nil, head: nil))
        columns.append(name)
        continue
      }
      let isLarge = "typeof(\(name)) = 'blob' AND length(\(name)) > \(byteLimit)"
      let isMarked = type?.isExternal == true
      places.append(Place(value: columns.count, length: columns.count + 1, head: isMarked ? columns.count + 2 : nil))
      columns.append("CASE WHEN \(isLarge) THEN NULL ELSE \(name) END")
      columns.append("CASE WHEN \(isLarge) THEN length(\(name)) END")
      guard isMarked else { continue }
      let count = ImageFormat.headByteCount + 1
      columns.append("CASE WHEN \(isLarge) THEN substr(\(name), 1, \(count)) END")
    }
    let names = types.indices.map { "c\($0)" }.joined(separator: ", ")
    let select = SelectStatement(columns: columns, source: "\"decant result\"")
    return ("WITH \"decant result\" (\(names)) AS (\n\(sql)\n)\n\(select.sql)", places)
  }
}

extension SQLTokens {
  /// The statement without leading and trailing semicolons.
  var body: SQLTokens {
    var body = self
    body.dropLeadingSemicolons()
    body.dropSemicolons()
    return body
  }

  /// The end of the last token.
  var end: Int { tokens.last?.end ?? 0 }
}
