extension Layout {
  /// The statements that create the tables and indexes of the model, as Core Data words them.
  var statements: [String] {
    tables.flatMap(creation) + tables.flatMap(indexes)
  }

  /// The bookkeeping that every store has, after the entities' own tables.
  static let bookkeeping = [
    "CREATE TABLE Z_PRIMARYKEY "
      + "(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
    "CREATE TABLE Z_METADATA "
      + "(Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
    "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
  ]

  private func creation(of table: Table) -> [String] {
    let columns = table.columns.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
    let joins = table.joins.map { join in
      "CREATE TABLE \(join.name) ( \(join.first) INTEGER, \(join.second) INTEGER, "
        + "PRIMARY KEY (\(join.first), \(join.second)) )"
    }
    return ["CREATE TABLE \(table.name) ( \(columns) )"] + joins
  }

  private func indexes(of table: Table) -> [String] {
    let links = table.columns.compactMap { column -> String? in
      guard case .link = column.role else { return nil }
      return "CREATE INDEX \(table.name)_\(column.name)_INDEX ON \(table.name) (\(column.name))"
    }
    let entity =
      table.hasSubentities
      ? ["CREATE INDEX \(table.name)_Z_ENT_INDEX ON \(table.name) (Z_ENT)"] : []
    let joins = table.joins.map { join in
      "CREATE INDEX \(join.name)_\(join.second)_INDEX ON \(join.name) "
        + "(\(join.second), \(join.first))"
    }
    return links + entity + joins
  }
}
