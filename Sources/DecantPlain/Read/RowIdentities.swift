internal import DecantBase
internal import DecantStore

/// Determines the values that identify the rows of a table in every database.
struct RowIdentities {
  let schema: PlainSchema
  let domains: KeyDomains
  /// The identities named by the user, by table.
  var said: [String: [String]] = [:]

  /// Returns the values that identify the rows of `table`.
  ///
  /// These are the columns that the user named, else a unique key, else all columns but the integer key. The result is
  /// empty if rows differ only in their keys.
  ///
  /// - Parameter table: The table.
  /// - Returns: The values; for a column that is a link, the values that identify its target.
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
    // A cyclic link cannot be identified, and all values of all targets would be too many.
    return table.columns.filter { $0.name != key && (isWhole || !isLink($0.name, of: table)) }
      .compactMap { names([$0.name], of: table, seen, isWhole: false) }.flatMap(\.self)
  }

  private func isLink(_ column: String, of table: TableSchema) -> Bool {
    domains.target(of: column, in: table) != nil
  }

  /// Returns the values of `columns`; `nil` if one of them is a link to rows without an identity.
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

  /// Returns the value at the end of `path`, starting at a row of `table`.
  ///
  /// - Parameters:
  ///   - path: Columns, each of the row that the previous one points to.
  ///   - table: The table of the first one.
  /// - Returns: The value.
  /// - Throws: `Mistake` for a column that does not exist or does not point to a table.
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

  /// The error in a path.
  struct Mistake: Error {
    let text: String
    let remedy: String?
  }
}
