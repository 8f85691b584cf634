internal import DecantBase
internal import DecantPlan

/// Determines which columns hold keys, and of which tables.
///
/// A column holds keys of a table if it is that table's integer key, or part of a foreign key to a column that does. In
/// this way a value is followed over any number of tables to its original key.
struct KeyDomains {
  private let schema: PlainSchema
  private var domains: [Property: Set<String>] = [:]
  /// For each table with an integer key, the table that names its family.
  private var families: [String: String] = [:]

  init(_ schema: PlainSchema) {
    self.schema = schema
    for table in schema.readableTables {
      for column in table.columns {
        let found = domain(of: column.name, in: table)
        domains[Property(table.name, column.name)] = found
        join(found)
      }
      // A row number without a column of its own may have been named as a link.
      if let key = schema.key(of: table), !key.isShown {
        let found = domain(of: key.column, in: table).union([table.name])
        domains[Property(table.name, key.column)] = found
        join(found)
      }
    }
  }

  /// Returns the table whose keys `column` of `table` holds, or `nil`.
  ///
  /// For a key that is also a link it is the other table.
  func target(of column: String, in table: TableSchema) -> String? {
    let found = domains[Property(table.name, column)] ?? []
    let key = schema.key(of: table)?.column
    // A declared link takes precedence over a derived one.
    for link in schema.links where link.isOf(column, in: table) {
      if let named = schema.table(link.target)?.name, found.contains(named) { return named }
    }
    for foreignKey in table.foreignKeys {
      guard let place = foreignKey.columns.firstIndex(of: column),
        let target = schema.table(foreignKey.table), found.contains(target.name),
        schema.key(of: target)?.column == foreignKey.targets[place]
      else { continue }
      return target.name
    }
    return found.filter { column != key || $0 != table.name }.min()
  }

  /// Returns whether the values of `column` are keys of any table.
  func holdsKeys(_ column: String, of table: String) -> Bool {
    domains[Property(table, column)]?.isEmpty == false
  }

  /// Returns the name of the family of tables that share keys with `table`.
  func family(of table: String) -> String { families[table] ?? table }

  private func domain(of column: String, in table: TableSchema) -> Set<String> {
    var found: Set<String> = []
    var seen: Set<Property> = []
    var open = [(table, column)]
    while let (table, column) = open.popLast() {
      guard seen.insert(Property(table.name, column)).inserted else { continue }
      if let key = schema.key(of: table), key.isShown, key.column == column {
        found.insert(table.name)
      }
      for link in schema.links where link.isOf(column, in: table) {
        if let target = schema.table(link.target), schema.key(of: target) != nil {
          found.insert(target.name)
        }
      }
      for foreignKey in table.foreignKeys {
        guard let target = schema.table(foreignKey.table) else { continue }
        for (own, other) in zip(foreignKey.columns, foreignKey.targets) where own == column {
          open.append((target, other))
        }
      }
    }
    return found
  }

  /// Joins tables that share keys: one value is a key in each of them.
  private mutating func join(_ tables: Set<String>) {
    guard tables.count > 1 else { return }
    let names = Set(tables.map { family(of: $0) })
    guard let name = names.min() else { return }
    for table in tables { families[table] = name }
    for (table, family) in families where names.contains(family) { families[table] = name }
    for family in names { families[family] = name }
  }
}

extension CopyOptions.Link {
  /// Returns whether the link is in `column` of `table`.
  func isOf(_ column: String, in table: TableSchema) -> Bool {
    property.entity.isSameName(as: table.name) && property.name.isSameName(as: column)
  }
}
