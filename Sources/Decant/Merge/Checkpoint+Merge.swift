internal import SQLite

/// What a merge had found out before its first batch, kept with the checkpoint: once some batches are there,
/// it could not be found out again.
extension Checkpoint {
  /// Writes down which objects were there already, and what becomes of them.
  func record(merge planning: Planning) throws(SQLiteError) {
    for (table, row) in planning.lastLinks {
      try connection.run(
        "INSERT INTO main.decant_run VALUES (?1, ?2)",
        .text("last " + table),
        .text(String(row))
      )
    }
    let insertion = try connection.prepare(
      "INSERT INTO main.decant_merge VALUES (?1, ?2, ?3, ?4, ?5)"
    )
    for case .objects(let root) in planning.plan.steps.map(\.kind) {
      guard let map = planning.ids.map(of: root), let survivors = map.survivors else { continue }
      for (kind, columns) in [
        ("distinct", survivors.distinctColumns), ("title", survivors.titleColumns),
      ] {
        for column in columns {
          try connection.run(
            "INSERT OR IGNORE INTO main.decant_run VALUES (?1, ?2)",
            .text("\(kind) \(root) \(column)"),
            .text(column)
          )
        }
      }
      func note(_ key: Int64, _ kind: String, _ other: Int64?) throws(SQLiteError) {
        try insertion.run(
          .text(root),
          .integer(key),
          .text(kind),
          other.map { .integer($0) } ?? .null,
          .integer(try map.outcome(of: key).rawValue)
        )
      }
      if try planning.keepsKeys(of: map) {
        let counter = planning.counters[root] ?? Int64.min
        try map.fresh.forEach { key throws(SQLiteError) in
          if key <= counter, try map.destination(of: key) == key { try note(key, "kept", nil) }
        }
      }
      try survivors.matched.forEach { key throws(SQLiteError) in
        try note(key, "pair", try survivors.destination(of: key))
      }
      if let continued = map.continued {
        // Those that stay away are told by the same.
        try map.existing.forEach { key throws(SQLiteError) in
          guard let image = try continued.destination(of: key) else { return }
          try note(key, "continued", image)
        }
      }
      try survivors.settled?.forEach { key throws(SQLiteError) in try note(key, "settled", nil) }
      try survivors.twins.forEach { key throws(SQLiteError) in
        try note(key, "twin", try survivors.twin(of: key))
      }
      try survivors.doubles?.forEach { key throws(SQLiteError) in
        try note(key, "double", try survivors.number(of: key))
        if try survivors.titleNumber(of: key) == nil { try note(key, "part", nil) }
      }
    }
  }

  /// The SELECT of the keys `k` that were free before the unfinished merge in `schema`, and that it gives to new objects
  /// of `roots`; `nil` where there is none.
  static func keptKeys(of roots: [String], in schema: String, on connection: Connection)
    throws(SQLiteError) -> String?
  {
    guard try exists(in: schema, on: connection),
      try names(in: schema, on: connection).contains(mergeTable)
    else { return nil }
    let names = roots.map(\.sqlText).joined(separator: ", ")
    return
      "SELECT source AS k FROM \(schema.sqlName).decant_merge WHERE kind = 'kept' AND root IN (\(names))"
  }

  /// Returns what was written down of tables of ordered links; `nil` where there is no unfinished copy.
  static func lastLinks(in schema: String, on connection: Connection) throws(SQLiteError)
    -> [String: Int64]?
  {
    guard try exists(in: schema, on: connection) else { return nil }
    var last: [String: Int64] = [:]
    try connection.forEachRow(
      "SELECT substr(key, 6), value FROM \(schema.sqlName).decant_run WHERE key LIKE 'last %'"
    ) { row in
      last[row.text(at: 0) ?? ""] = Int64(row.text(at: 1) ?? "")
    }
    return last
  }

  /// Reads what `record` wrote down of `root` into `pairs`.
  static func read(
    _ root: String,
    into pairs: ObjectPairs,
    among keys: KeySet,
    in schema: String,
    on connection: Connection
  ) throws(SQLiteError) {
    let rows = "FROM \(schema.sqlName).decant_merge WHERE root = \(root.sqlText)"
    try connection.run(
      """
      INSERT INTO \(pairs.table) SELECT source, other, 1 \(rows) AND kind = 'pair' AND other IS NOT NULL
      """
    )
    try connection.forEachRow("SELECT source \(rows) AND kind = 'pair'") {
      row throws(SQLiteError) in
      try pairs.note(row.integer(at: 0))
    }
    try pairs.settle()
    if try connection.integer("SELECT 1 \(rows) AND kind = 'continued' LIMIT 1") != nil {
      let continued = try StoredPairs(on: connection)
      _ = try continued.add("SELECT source, other \(rows) AND kind = 'continued'")
      pairs.continued = continued
    }
    try connection.run("INSERT INTO \(pairs.twins) SELECT source, other \(rows) AND kind = 'twin'")
    try connection.run(
      "INSERT INTO \(pairs.doubles) SELECT source, other, NULL, 0, 0 \(rows) AND kind = 'double'"
    )
    try connection.run(
      "UPDATE \(pairs.doubles) SET isPart = 1 WHERE source IN (SELECT source \(rows) AND kind = 'part')"
    )
    let settled = try Survivors.keys(
      "SELECT source \(rows) AND kind = 'settled'",
      among: keys,
      on: connection
    )
    pairs.settled = settled.count > 0 ? settled : nil
    func set(_ outcomes: MergeOutcome...) throws(SQLiteError) -> KeySet {
      let list = outcomes.map { "\($0.rawValue)" }.joined(separator: ", ")
      return try Survivors.keys(
        "SELECT source \(rows) AND outcome IN (\(list))",
        among: keys,
        on: connection
      )
    }
    pairs.outcome = MergeChoice.Outcome(
      changed: try set(.skipped, .updated, .filled),
      updated: try set(.updated, .filled),
      filled: try set(.filled),
      // A merge by a base is one transaction, which nobody goes on with.
      properties: try PropertyKeys(among: keys, on: connection)
    )
    func columns(_ kind: String) throws(SQLiteError) -> [String] {
      var columns: [String] = []
      try connection.forEachRow(
        "SELECT value FROM \(schema.sqlName).decant_run WHERE substr(key, 1, length(?1)) = ?1 ORDER BY key",
        .text("\(kind) \(root) ")
      ) { row in
        columns.append(row.text(at: 0) ?? "")
      }
      return columns
    }
    (pairs.distinctColumns, pairs.titleColumns) = (try columns("distinct"), try columns("title"))
  }
}
