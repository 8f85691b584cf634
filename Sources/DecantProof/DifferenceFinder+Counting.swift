internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The search of a two-way comparison for all differences, not only the first ones.
extension DifferenceFinder {
  /// Calls `body` for every object that both stores have and that differs, with its key in either store and the code of
  /// its entity.
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

  /// A row that is not in both stores, or several equal ones.
  struct RowDifference {
    var kind: DiffReport.Item.Kind
    var count: Int64
    /// The keys of a link's two ends in the first store.
    var keys: [Int64] = []
    /// The key values of a row without integer key, with the values that differ in `changes`.
    var name: [Binding] = []
    var changes: [(proof: CopyStep.Proof, here: Binding, there: Binding)] = []
    /// All proven values, if requested; `nil` on the side that does not have the row.
    var values: [(here: Binding?, there: Binding?)] = []
  }

  /// Calls `body` for every link, and every object with a key of values, that is not equal in both stores; for other
  /// rows, which have no names, with the number of equal ones.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - withValues: Whether to supply all values of a row, which is not possible for rows with very many columns.
  ///   - body: Receives the difference.
  /// - Throws: `SQLiteError` if a store cannot be read.
  func forEachRowDifference(
    in step: CopyStep,
    withValues: Bool = false,
    _ body: (RowDifference) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let hash = SingleRowHash()
    try proof.prepare(connection)
    try connection.register(hash, as: "row_hash", .directOnly)
    let x = try rows(of: step, proof.expectedRows(of: step), hash)
    let y = try rows(of: step, proof.actualRows(of: step, in: schema, scope), hash)
    let ends = keyPositions(of: step)
    // Rows identified by all of their values are equal if both stores have them.
    let hasValues = !ends.isEmpty || withValues && step.proofs.count <= DifferenceFinder.widest
    let values = hasValues ? step.proofs.indices.map { "c\($0 + 1)" } : []
    let kept = (["c0"] + values + ["h"]).joined(separator: ", ")
    // The rows that are not equal, of both stores. The planner would compare each with each without an index.
    let rest = try TemporaryTable("(side, \(kept))", on: connection)
    defer { withExtendedLifetime(rest) {} }
    let keys = ends.isEmpty ? [("h", "BINARY")] : ends.map { ("c\($0)", collation(of: $0, in: step)) }
    let index = keys.map { "\($0) COLLATE \($1.sqlName)" }.joined(separator: ", ")
    try connection.run("CREATE INDEX \(rest)_key ON \(rest.name) (\(index))")
    // Hashes are compared instead of values: SQLite treats 1 and 1.0 as equal, as well as whatever a collation does.
    try connection.run(
      """
      WITH x AS MATERIALIZED (\(x)), y AS MATERIALIZED (\(y)) INSERT INTO \(rest)
      SELECT 0, \(kept) FROM x WHERE NOT EXISTS (SELECT 1 FROM y WHERE y.h = x.h AND y.c0 = x.c0)
      UNION ALL SELECT 1, \(kept) FROM y WHERE NOT EXISTS (SELECT 1 FROM x WHERE x.h = y.h AND x.c0 = y.c0)
      """
    )
    let join = keys.map { "r.\($0) IS l.\($0) COLLATE \($1.sqlName)" }.joined(separator: " AND ")
    let columns =
      ends.isEmpty
      ? ["l.c0", "r.c0"] + values.map { "CASE WHEN l.c0 IS NULL THEN r.\($0) ELSE l.\($0) END" }
      : ["l", "r"].flatMap { side in (["c0"] + values + ["h"]).map { "\(side).\($0)" } }
    let select = "SELECT \(columns.joined(separator: ", "))"
    try connection.forEachRow(
      """
      \(select) FROM \(rest) AS l LEFT JOIN \(rest) AS r ON r.side = 1 AND \(join) WHERE l.side = 0
      UNION ALL \(select) FROM \(rest) AS r LEFT JOIN \(rest) AS l ON l.side = 0 AND \(join)
      WHERE r.side = 1 AND l.c0 IS NULL
      """
    ) { row throws(SQLiteError) in
      try tell(row, step, ends, withValues: withValues, body)
    }
  }

  /// Returns the rows of one side: `c0`, the number of equal rows; `c1` and so on, the values; `h`, their hash.
  private func rows(of step: CopyStep, _ select: SelectStatement, _ hash: SingleRowHash) throws(SQLiteError) -> String {
    let values = Array(select.columns.dropFirst())
    let arguments = try HashArguments(values, isNumeric: step.proofs.map(\.isNumeric), on: connection)
    hash.isNumeric = arguments.isNumeric
    var named = select
    named.columns =
      ["row_hash(\(arguments.values.joined(separator: ", "))) AS h"]
      + values.enumerated().map { "\($1) AS c\($0 + 1)" }
    let columns = step.proofs.indices.map { "c\($0 + 1)" }.joined(separator: ", ")
    return "SELECT count(*) AS c0, \(columns), h FROM (\(named.sql)) GROUP BY h"
  }

  /// Returns the collation of the column with the proven value at `position`, from 1, in the second store.
  private func collation(of position: Int, in step: CopyStep) -> String {
    let proof = step.proofs[position - 1]
    guard let column = step.assignments.first(where: { $0.proof == proof })?.column else { return "BINARY" }
    return connection.collation(of: column, in: step.table, schema) ?? "BINARY"
  }

  /// The maximum number of values per side: a joined row cannot hold more of both.
  private static let widest = 900

  /// Returns the positions, from 1, of the proven values that identify a row; empty if it has no key.
  private func keyPositions(of step: CopyStep) -> [Int] {
    switch step.kind {
    case .links: return [1, 2]
    case .unkeyed(_, let key):
      let positions = key.compactMap { column in
        step.proofs.firstIndex { $0.property == column }.map { $0 + 1 }
      }
      guard positions.count == key.count, step.proofs.count <= DifferenceFinder.widest else {
        return []
      }
      return positions
    case .objects, .rows: return []
    }
  }

  private func tell(
    _ row: Statement,
    _ step: CopyStep,
    _ ends: [Int],
    withValues: Bool,
    _ body: (RowDifference) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    // Each side has the number of equal rows, their values and their hash.
    let width = ends.isEmpty ? 1 : step.proofs.count + 2
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
    if here != nil, there != nil, !ends.isEmpty {
      for (index, proof) in step.proofs.enumerated() {
        let values = (row.value(at: index + 1), row.value(at: width + index + 1))
        if !values.0.isSame(as: values.1, isNumeric: proof.isNumeric) {
          difference.changes.append((proof, values.0, values.1))
        }
      }
      // If one side only has more equal rows than the other, just the surplus differs.
      if withValues {
        difference.values = step.proofs.indices.map { (row.value(at: $0 + 1), row.value(at: width + $0 + 1)) }
      }
      if !difference.changes.isEmpty { try body(difference) }
    }
    guard here != there else { return }
    difference.kind = here ?? 0 > there ?? 0 ? .onlyInA : .onlyInB
    difference.count = abs((here ?? 0) - (there ?? 0))
    difference.changes = []
    if withValues {
      let positions = ends.isEmpty ? 2..<row.columnCount : start + 1..<start + 1 + step.proofs.count
      let isHere = difference.kind == .onlyInA
      difference.values = positions.map { position in
        let value = row.value(at: position)
        return isHere ? (value, nil) : (nil, value)
      }
    }
    try body(difference)
  }
}
