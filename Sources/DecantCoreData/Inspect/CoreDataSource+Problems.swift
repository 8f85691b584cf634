internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

extension CoreDataSource {
  /// Returns the problems of the system tables: of the counters, the metadata and the model in the store.
  func bookkeepingProblems(on connection: Connection, _ schema: String) throws(DecantError) -> [StoreProblem] {
    try counterProblems(on: connection, schema) + metadataProblems(on: connection, schema)
      + modelProblems(on: connection, schema)
  }

  private func counterProblems(on connection: Connection, _ schema: String) throws(DecantError) -> [StoreProblem] {
    let names = Dictionary(file.numbers.map { ($1, $0) }) { first, _ in first }
    var problems: [StoreProblem] = []
    try reading { () throws(SQLiteError) in
      try connection.forEachRow(
        "SELECT Z_ENT, Z_NAME, Z_MAX FROM \(schema.sqlName).Z_PRIMARYKEY ORDER BY Z_ENT"
      ) { row throws(SQLiteError) in
        guard let entity = names[row.integer(at: 0)] else { return }
        let name = row.text(at: 1) ?? ""
        if name != entity { problems.append(staleName(name, of: entity)) }
        guard let relation = layout.relation(of: entity) else { return }
        let highest = try connection.integer(
          "SELECT max(\(relation.keyName)) "
            + "FROM \(relation.sqlTable(in: schema))"
        )
        let counter = row.integer(at: 2)
        if let highest, highest > counter {
          problems.append(lowCounter(counter, highest, of: entity))
        }
        if max(counter, highest ?? 0) == Int64.max { problems.append(fullCounter(of: entity)) }
      }
    }
    return problems
  }

  /// Returns the problems of the metadata; every intact store has one row of them.
  private func metadataProblems(on connection: Connection, _ schema: String) throws(DecantError) -> [StoreProblem] {
    let count = try reading { () throws(SQLiteError) in
      try connection.integer("SELECT count(*) FROM \(schema.sqlName).Z_METADATA") ?? 0
    }
    guard count != 1 else { return [] }
    let text =
      count == 0
      ? "table Z_METADATA is empty: the store has no identifier and no version"
      : "table Z_METADATA has \(count) rows instead of 1: only the first is read and copied"
    return [StoreProblem(.metadataRows, subject: "Z_METADATA", count: count, text: text)]
  }

  /// Returns the problems of the model; a store without any model is intact, one with an unreadable model is not.
  private func modelProblems(on connection: Connection, _ schema: String) throws(DecantError) -> [StoreProblem] {
    guard file.columns["Z_MODELCACHE"] != nil else { return [] }
    let isThere = try reading { () throws(SQLiteError) in
      try connection.integer(
        "SELECT EXISTS (SELECT 1 FROM \(schema.sqlName).Z_MODELCACHE WHERE length(Z_CONTENT) > 0)"
      ) == 1
    }
    guard isThere, let reason = try unreadableModel() else { return [] }
    return [StoreProblem(.unreadableModel, subject: "Z_MODELCACHE", text: reason)]
  }

  /// Returns why the model in the store cannot be read, even if another model is used.
  private func unreadableModel() throws(DecantError) -> String? {
    if let gap = file.modelGap { return gap.message }
    guard file.modelOrigin != "in the store", let cache = try file.modelCache() else { return nil }
    do throws(DecantError) {
      _ = try ModelCache.read(cache, place: file.database.path)
      return nil
    } catch {
      return "cannot read the model in the store: \(error.message)"
    }
  }

  private func staleName(_ name: String, of entity: String) -> StoreProblem {
    StoreProblem(
      .staleName,
      subject: entity,
      text: "Z_PRIMARYKEY still uses the former name of the entity \(entity), \(name)"
    )
  }

  private func lowCounter(_ counter: Int64, _ highest: Int64, of entity: String) -> StoreProblem {
    StoreProblem(
      .lowCounter,
      subject: entity,
      count: highest &- counter,
      text: "Z_MAX of \(entity) is \(counter), but its highest key is \(highest):"
        + " new objects would get keys that are taken"
    )
  }

  private func fullCounter(of entity: String) -> StoreProblem {
    StoreProblem(
      .fullCounter,
      subject: entity,
      text: "the keys of \(entity) have reached \(Int64.max), the maximum:"
        + " no object can be added"
    )
  }
}
