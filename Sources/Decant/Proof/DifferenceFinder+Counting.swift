internal import SQLite

/// What a comparison asks of the finder that looks both ways: not the first differences, but all.
extension DifferenceFinder {
  /// Calls `body` for every object that both stores have and that is not equal: its key in either, and the
  /// code of its entity.
  func forEachChange(
    in step: CopyStep,
    _ body: (_ key: Int64, _ image: Int64, _ code: Int64) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let hash = SingleRowHash()
    try proof.prepare(connection)
    try connection.register(hash, as: "row_hash", .directOnly)
    let (left, right) = try hashedRows(of: step, hash)
    try connection.forEachRow(
      """
      SELECT l.k, l.n, l.e FROM (\(left.sql)) AS l LEFT JOIN (\(right.sql)) AS d ON d.n = l.n
      WHERE d.h IS NOT l.h
      """
    ) { row throws(SQLiteError) in
      try body(row.integer(at: 0), row.integer(at: 1), row.integer(at: 2))
    }
  }

  /// A row that is not in both stores, or more than one that are alike.
  struct RowDifference {
    var kind: DiffReport.Item.Kind
    var count: Int64
    /// Of links the keys of its ends in the first store.
    var keys: [Int64] = []
    /// Of a table whose rows are told by values these, and what differs.
    var name: [Binding] = []
    var changes: [(proof: CopyStep.Proof, here: Binding, there: Binding)] = []
  }

  /// Calls `body` for every row of links, and of objects told by values, that is not in both stores; of other
  /// rows with how many there are in all.
  func forEachRowDifference(
    in step: CopyStep,
    _ body: (RowDifference) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    try proof.prepare(connection)
    let sides = """
      WITH x AS MATERIALIZED (\(rows(of: step, proof.expectedRows(of: step)))),
      y AS MATERIALIZED (\(rows(of: step, proof.actualRows(of: step, in: schema, scope)))),
      l AS MATERIALIZED (SELECT * FROM x EXCEPT SELECT * FROM y),
      r AS MATERIALIZED (SELECT * FROM y EXCEPT SELECT * FROM x)
      """
    let ends = keyPositions(of: step)
    let join = ends.map { "r.c\($0) IS l.c\($0)" }.joined(separator: " AND ")
    try connection.forEachRow(
      """
      \(sides)
      SELECT l.*, r.* FROM l LEFT JOIN r ON \(join)
      UNION ALL SELECT l.*, r.* FROM r LEFT JOIN l ON \(join) WHERE l.c0 IS NULL
      """
    ) { row throws(SQLiteError) in
      try tell(row, step, ends, body)
    }
  }

  /// The rows of one side with their number, `c0`, in front: a table may hold a row twice.
  private func rows(of step: CopyStep, _ select: SelectStatement) -> String {
    var named = select
    named.columns = select.columns.dropFirst().enumerated().map { "\($1) AS c\($0 + 1)" }
    let columns = step.proofs.indices.map { "c\($0 + 1)" }.joined(separator: ", ")
    return "SELECT count(*) AS c0, \(columns) FROM (\(named.sql)) GROUP BY \(columns)"
  }

  /// Which of a row's proven values, from 1 on, tell it from others; all where it has no key.
  private func keyPositions(of step: CopyStep) -> [Int] {
    switch step.kind {
    case .links: return [1, 2]
    case .unkeyed(_, let key):
      let positions = key.compactMap { column in
        step.proofs.firstIndex { $0.property == column }.map { $0 + 1 }
      }
      return key.isEmpty || positions.count < key.count ? Array(1...step.proofs.count) : positions
    case .objects, .rows: return Array(1...step.proofs.count)
    }
  }

  private func tell(
    _ row: Statement,
    _ step: CopyStep,
    _ ends: [Int],
    _ body: (RowDifference) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    // Both sides have the row's number and its values.
    let width = step.proofs.count + 1
    let (here, there) = (row.integerOrNil(at: 0), row.integerOrNil(at: width))
    let start = here == nil ? width : 0
    var difference = RowDifference(kind: .changed, count: min(here ?? 0, there ?? 0))
    if case .links(let links) = step.kind {
      for (position, root) in zip(ends, [links.ownerRoot, links.targetRoot])
      where row.type(at: start + position) == .integer {
        let key = row.integer(at: start + position)
        difference.keys.append(try proof.ids.map(of: root)?.source(of: key) ?? key)
      }
    } else {
      difference.name = ends.map { row.value(at: start + $0) }
    }
    if here != nil, there != nil {
      for (index, proof) in step.proofs.enumerated() {
        let values = (row.value(at: index + 1), row.value(at: width + index + 1))
        if values.0 != values.1 { difference.changes.append((proof, values.0, values.1)) }
      }
      // Rows that only are there more often on one side are the same, but for those that are too many.
      if !difference.changes.isEmpty { try body(difference) }
    }
    guard here != there else { return }
    difference.kind = here ?? 0 > there ?? 0 ? .onlyInA : .onlyInB
    difference.count = abs((here ?? 0) - (there ?? 0))
    difference.changes = []
    try body(difference)
  }
}
