package import DecantBase
package import DecantPlan
internal import DecantSQLite
package import DecantStore

/// The tables of a plain database, with their keys and links.
package struct PlainSchema: Sendable, Hashable {
  /// All tables that hold rows, in order of creation.
  package var tables: [TableSchema] { didSet { places = Self.places(of: tables) } }
  /// The places in `tables`, by folded name.
  private var places: [String: Int]
  /// For each table whose key is a column with an integer in every row, though it is not the row number, that column.
  package var integerKeys: [String: String] = [:]
  /// The tables whose key is also a link to values that are copied unchanged, so that the key must not change.
  package private(set) var valueKeyTables: Set<String> = []
  /// Collations of indexes that are defined only in the app that made the database.
  package var unknownCollations: [UnknownCollation] = []
  /// Undeclared links of all rows, as named by the user.
  package var links: [CopyOptions.Link] = []
  /// Links only of rows that meet a condition, with keys in place of identifying values.
  package var conditionalLinks: [CopyOptions.Link] = []
  /// Columns that look like links but are not, as named by the user: `table.column`.
  package var noLinks: [Property] = []

  /// Describes a database of these tables.
  package init(tables: [TableSchema]) {
    self.tables = tables
    places = Self.places(of: tables)
  }

  private static func places(of tables: [TableSchema]) -> [String: Int] {
    Dictionary(tables.indices.map { (tables[$0].name.foldedName, $0) }) { first, _ in first }
  }

  /// Returns the table called `name`, as SQLite compares names.
  package func table(_ name: String) -> TableSchema? { places[name.foldedName].map { tables[$0] } }

  /// Returns the integer that identifies a row of `table`, if there is one.
  package func key(of table: TableSchema) -> IntegerKey? {
    if let virtual = table.virtual {
      guard virtual.content == .own else { return nil }
      return virtual.module.hasPrefix("rtree")
        ? table.columns.first.map { IntegerKey(column: $0.name, isShown: true, isRowID: false) }
        : IntegerKey(column: "rowid", isShown: false, isRowID: false)
    }
    if let alias = table.rowIDAlias {
      guard !valueKeyTables.contains(table.name) else { return nil }
      return IntegerKey(column: alias, isShown: true, isRowID: true)
    }
    if let column = integerKeys[table.name], !valueKeyTables.contains(table.name) {
      return IntegerKey(column: column, isShown: true, isRowID: false)
    }
    return table.rowID.map { IntegerKey(column: $0, isShown: false, isRowID: true) }
  }

  /// An integer that identifies a row.
  package struct IntegerKey {
    /// The column, or the name under which the row number can be queried.
    package var column: String
    /// Whether it is one of the table's own columns.
    package var isShown: Bool
    var isRowID: Bool
  }

  /// The tables that are read and written row by row.
  var readableTables: [TableSchema] {
    tables.filter { $0.virtual == nil || $0.virtual?.content == .own }
  }

  /// Finds the tables whose keys must not change.
  ///
  /// Example: a key that refers to `user (number)`, which is not a key there, would refer to nothing under another
  /// number.
  package mutating func findValueKeys() {
    while true {
      let domains = KeyDomains(self)
      let found = readableTables.filter { table in
        guard let key = key(of: table), key.isShown else { return false }
        return table.foreignKeys.contains { link in
          zip(link.columns, link.targets).contains { own, target in
            own == key.column && !domains.holdsKeys(target, of: link.table)
          }
        }
      }
      // A table without a key may leave others without one.
      guard !found.isEmpty else { return }
      valueKeyTables.formUnion(found.map(\.name))
    }
  }

  /// Takes the links of all rows that the user named, with names as spelled here.
  ///
  /// A link to a table whose key is not an integer is a foreign key to that key, which is copied unchanged.
  mutating func take(_ named: [CopyOptions.Link]) {
    links = named
    findValueKeys()
    for link in named {
      guard let key = valueKey(of: link), let place = tables.firstIndex(where: { $0.name == link.property.entity })
      else { continue }
      links.removeAll { $0 == link }
      let isDeclared = tables[place].foreignKeys.contains { $0.columns == key.columns && $0.table == key.table }
      if !isDeclared { tables[place].foreignKeys.append(key) }
    }
    findValueKeys()
  }

  /// Returns the foreign key that `link` is, if the target's key is not an integer; `nil` for a link to an integer key.
  func valueKey(of link: CopyOptions.Link) -> ForeignKey? {
    guard let column = table(link.property.entity)?.column(link.property.name), let target = table(link.target),
      let own = declaredKey(of: target)
    else { return nil }
    if let key = key(of: target), key.isShown || link.leadsToRowNumbers == true { return nil }
    return ForeignKey(columns: [column.name], table: target.name, targets: [own], onDelete: "", isDeclared: false)
  }

  /// Returns the one column that is the declared key of `table`.
  func declaredKey(of table: TableSchema) -> String? {
    let keys = (table.primaryKey.isEmpty ? table.uniqueKeys : [table.primaryKey]).filter { $0.count == 1 }
    return keys.count == 1 ? table.column(keys[0][0])?.name : nil
  }

  /// Returns a column and its table as spelled here.
  func spelled(_ property: Property) -> Property {
    guard let table = table(property.entity) else { return property }
    return Property(table.name, table.column(property.name)?.name ?? property.name)
  }

  /// Returns the same tables with names as spelled in `other`, if they differ only in case.
  func spelled(like other: PlainSchema) -> PlainSchema {
    var (schema, spelled) = (self, tables)
    func name(_ table: String) -> String { other.table(table)?.name ?? table }
    for (index, table) in tables.enumerated() {
      if let same = other.table(table.name) { spelled[index] = table.spelled(like: same) }
      for (place, key) in table.foreignKeys.enumerated() {
        spelled[index].foreignKeys[place].table = name(key.table)
        spelled[index].foreignKeys[place].targets = key.targets.map {
          other.table(key.table)?.column($0)?.name ?? $0
        }
      }
    }
    schema.tables = spelled
    schema.integerKeys = [:]
    for (table, column) in integerKeys {
      schema.integerKeys[name(table)] = other.table(table)?.column(column)?.name ?? column
    }
    return schema
  }
}
