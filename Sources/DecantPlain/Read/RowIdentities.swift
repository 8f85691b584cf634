internal import DecantBase
internal import DecantStore

/// Finds out by which values the rows of a table are known in every database.
struct RowIdentities {
  let schema: PlainSchema
  let domains: KeyDomains
  /// The columns that the user named for tables.
  var said: [String: [String]] = [:]

  /// Returns the values by which the rows of `table` are known: those of the columns that the user named, else of a
  /// unique key, else of all columns but the integer key; none where nothing tells rows apart but their keys.
  ///
  /// - Parameter table: The table.
  /// - Returns: The values; where a column is a link, those by which the row is known that it leads to.
  func names(of table: TableSchema) -> [RowName] { names(of: table, [], isWhole: true) }

  private func names(of table: TableSchema, _ seen: [String], isWhole: Bool) -> [RowName] {
    guard !seen.contains(table.name) else { return [] }
    let key = schema.key(of: table)?.column
    let named = said.first { $0.key.isSameName(as: table.name) }?.value
      .compactMap { table.column($0)?.name }
    let unique = table.uniqueKeys.filter { columns in !columns.contains { $0 == key } }
    for columns in [named].compactMap(\.self) + unique {
      if let names = names(columns, of: table, seen, isWhole: isWhole) { return names }
    }
    // Of a link that leads in a circle no value tells where it leads; and what all the rows behind links hold is too much.
    return table.columns.filter { $0.name != key && (isWhole || !isLink($0.name, of: table)) }
      .compactMap { names([$0.name], of: table, seen, isWhole: false) }.flatMap(\.self)
  }

  private func isLink(_ column: String, of table: TableSchema) -> Bool {
    domains.target(of: column, in: table) != nil
  }

  /// The values of `columns`; `nil` where one of them is a link to rows that nothing tells apart.
  private func names(_ columns: [String], of table: TableSchema, _ seen: [String], isWhole: Bool) -> [RowName]? {
    var names: [RowName] = []
    for column in columns {
      guard let target = domains.target(of: column, in: table).flatMap(schema.table),
        let key = schema.key(of: target)
      else {
        names.append(RowName([], column))
        continue
      }
      let behind = self.names(of: target, seen + [table.name], isWhole: isWhole)
      guard !behind.isEmpty else { return nil }
      let step = RowName.Step(column, table: target.name, key: key.column)
      names += behind.map { $0.behind(step) }
    }
    return names.isEmpty ? nil : names
  }

  /// Returns the value that lies behind a row of `table` at the end of `path`.
  ///
  /// - Parameters:
  ///   - path: Columns, each of the row that the one before leads to.
  ///   - table: The table of the first one.
  /// - Returns: The value.
  /// - Throws: `Mistake` for a column that is not there, or leads to no table.
  func name(_ path: [String], in table: TableSchema) throws(Mistake) -> RowName {
    guard let column = table.column(path[0])?.name else {
      throw Mistake(
        text: "\(table.name) has no column \(path[0])",
        remedy: path[0].nearest(in: table.columns.map(\.name)).map { "did you mean \($0)?" }
      )
    }
    guard path.count > 1 else { return RowName([], column) }
    guard let target = domains.target(of: column, in: table).flatMap(schema.table),
      let key = schema.key(of: target)
    else { throw Mistake(text: "\(table.name).\(column) does not refer to a table", remedy: nil) }
    return try name(Array(path.dropFirst()), in: target)
      .behind(RowName.Step(column, table: target.name, key: key.column))
  }

  /// What is wrong with a path.
  struct Mistake: Error {
    let text: String
    let remedy: String?
  }
}
