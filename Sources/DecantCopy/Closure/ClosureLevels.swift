internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The size of a closure by distance: objects, and the bytes of their values.
struct ClosureLevels {
  let closure: Closure
  let connection: Connection

  /// Returns the numbers for the report of a dry run.
  func measure() throws(SQLiteError) -> CopyReport.Closure {
    var levels: [CopyReport.Closure.Level] = []
    for rows in closure.tables.objects where closure.counts[rows.relation.root] ?? 0 > 0 {
      levels += try self.levels(of: rows)
    }
    // Within a distance, the order of the layout is kept, which is the model's order.
    let sorted = levels.enumerated().sorted {
      ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset)
    }.map(\.element)
    let taken = closure.counts.filter { $0.value > 0 }
    let rules = closure.plan.paths.filter { taken[$0.from] != nil }
      .map { ($0.name.description, $0.rule) }
    return CopyReport.Closure(
      levels: sorted,
      depth: closure.depth,
      rules: Dictionary(rules, uniquingKeysWith: { first, _ in first })
    )
  }

  private func levels(of rows: ObjectRows) throws(SQLiteError) -> [CopyReport.Closure.Level] {
    let relation = rows.relation
    let names = Dictionary(relation.entities.map { ($0.code, $0.name) }, uniquingKeysWith: { first, _ in first })
    let only = relation.entities.first
    // The number of columns in a statement is limited, so that each part is summed separately.
    var levels: [CopyReport.Closure.Level] = []
    let lengths = relation.columns.compactMap { $0.byteLength(in: "r") }
    for start in stride(from: 0, to: max(lengths.count, 1), by: 500) {
      let part = lengths[start..<min(start + 500, lengths.count)]
      let sum = part.isEmpty ? "0" : part.joined(separator: " + ")
      var position = 0
      try connection.forEachRow(
        """
        SELECT min(m.distance, \(CopyReport.Closure.furthestLevel)) AS d,
          \(relation.entityCode(in: "r") ?? "\(only?.code ?? 0)") AS e, count(*), sum(\(sum))
        FROM \(rows.members) AS m CROSS JOIN \(rows.source(as: "r"))
        WHERE \(rows.number(of: "r")) = m.key GROUP BY 1, 2 ORDER BY 2, 1
        """
      ) { row in
        defer { position += 1 }
        if start > 0 {
          levels[position].byteCount += row.integer(at: 3)
          return
        }
        let name =
          relation.entities.count == 1 ? only?.name : names[row.integer(at: 1)]
        levels.append(
          CopyReport.Closure.Level(
            distance: row.integer(at: 0),
            entity: name ?? relation.root,
            objectCount: row.integer(at: 2),
            byteCount: row.integer(at: 3)
          )
        )
      }
    }
    return levels
  }
}

extension RelationColumn {
  /// Returns the SQL for the length of a value in bytes in the row `row`; `nil` if the column holds no value.
  fileprivate func byteLength(in row: String) -> String? {
    guard case .attribute = columnRole else { return nil }
    let name = name.sqlName(in: row)
    // The length of a BLOB is known without reading it, the byte length of a text is not.
    let length =
      switch type {
      case .binary, .transformable, .uuid, .objectID: "length(\(name))"
      case .string, .uri, .composite, .undefined, nil: "length(CAST(\(name) AS BLOB))"
      case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .date:
        "8 * (typeof(\(name)) <> 'null')"
      }
    guard isExternal else { return "coalesce(\(length), 0)" }
    return "coalesce(max(file_length('source', \(name)), 0), \(length), 0)"
  }
}
