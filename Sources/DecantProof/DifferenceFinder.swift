internal import DecantMatch
package import DecantPlan
package import DecantStore
package import DecantSQLite

/// Finds the objects behind different sums of two stores.
///
/// Both stores are attached to one connection. The search is slower than computing sums, and runs only for steps whose
/// sums differ.
package struct DifferenceFinder {
  package let proof: CopyProof
  package let connection: Connection
  /// The schema name of the second store.
  package let schema: String
  package let scope: CopyProof.Scope

  package init(proof: CopyProof, connection: Connection, schema: String, scope: CopyProof.Scope) {
    (self.proof, self.connection, self.schema) = (proof, connection, schema)
    self.scope = scope
  }

  /// Returns the first `limit` differences of `step`.
  package func differences(in step: CopyStep, limit: Int) throws(SQLiteError) -> [Difference] {
    let hash = SingleRowHash()
    try proof.prepare(connection)
    try connection.register(hash, as: "row_hash", .directOnly)
    switch step.kind {
    case .objects: return try objects(step, limit, hash)
    case .links(let links):
      return try rows(step, limit) { statement in
        [(1, links.ownerRoot), (2, links.targetRoot)].map { column, root in
          let key = statement.integer(at: column)
          return (try? proof.ids.map(of: root)?.source(of: key)) ?? key
        }
      }
    // Such a row has no key that identifies it.
    case .rows, .unkeyed: return try rows(step, min(limit, 1)) { _ in [] }
    }
  }

  /// Returns the rows of a step on either side: `k`, the key in the first store; `n`, the key in the second; `e`, the
  /// entity's code; `h`, a hash of all proven values.
  package func hashedRows(of step: CopyStep, _ whole: SingleRowHash) throws(SQLiteError) -> (
    left: SelectStatement, right: SelectStatement
  ) {
    let expected = proof.expectedRows(of: step)
    let actual = proof.actualRows(of: step, in: schema, scope)
    let flags = [true] + step.proofs.map(\.isNumeric)
    let there = try HashArguments(expected.columns, isNumeric: flags, on: connection)
    let here = try HashArguments(actual.columns, isNumeric: flags, on: connection)
    whole.isNumeric = there.isNumeric
    // The first proven value is the key, on both sides as a destination key.
    let key = step.proofs[0]
    var left = expected
    left.columns = [
      "\(step.sourceKey) AS k", "\(key.expected) AS n", "\(expected.columns[0]) AS e",
      "row_hash(\(there.values.joined(separator: ", "))) AS h",
    ]
    var right = actual
    right.columns = ["\(key.actual) AS n", "row_hash(\(here.values.joined(separator: ", "))) AS h"]
    return (left, right)
  }

  private func objects(_ step: CopyStep, _ limit: Int, _ whole: SingleRowHash) throws(SQLiteError) -> [Difference] {
    let (left, right) = try hashedRows(of: step, whole)
    var found: [Difference] = []
    let missing = try connection.prepare(
      """
      SELECT l.k, l.e, d.n IS NULL FROM (\(left.sql)) AS l LEFT JOIN (\(right.sql)) AS d ON d.n = l.n
      WHERE d.h IS NOT l.h LIMIT \(limit)
      """
    )
    while try missing.step() {
      let source = missing.integer(at: 0)
      let name = proof.entityName(missing.integer(at: 1), in: step)
      let kind: Difference.Kind =
        missing.integer(at: 2) == 1 ? .missing : .changed(try properties(of: source, step))
      found.append(Difference(entity: name, keys: [source], kind: kind, name: step.keyText(source)))
    }
    return try found + added(step, left, right, limit - found.count)
  }

  /// Returns the objects of the destination that correspond to no object of the source.
  private func added(
    _ step: CopyStep,
    _ left: SelectStatement,
    _ right: SelectStatement,
    _ limit: Int
  ) throws(SQLiteError) -> [Difference] {
    guard limit > 0 else { return [] }
    var found: [Difference] = []
    let statement = try connection.prepare(
      """
      SELECT d.n FROM (\(right.sql)) AS d
      WHERE d.n NOT IN (SELECT l.n FROM (\(left.sql)) AS l WHERE l.n IS NOT NULL) LIMIT \(limit)
      """
    )
    while try statement.step() {
      let key = statement.integer(at: 0)
      found.append(Difference(entity: step.name, keys: [key], kind: .added, name: step.keyText(key)))
    }
    return found
  }

  /// Returns the properties in which the object with `key` in the source differs from its counterpart.
  private func properties(of key: Int64, _ step: CopyStep) throws(SQLiteError) -> [String] {
    try changes(of: key, step).map(\.proof.property)
  }

  /// Returns the proven values in which the object with `key` in the source differs from its counterpart.
  package func changes(of key: Int64, _ step: CopyStep) throws(SQLiteError) -> [(
    proof: CopyStep.Proof, here: Binding, there: Binding
  )] {
    var expected = proof.expectedRows(of: step)
    expected.conditions.append("\(step.sourceKey) = ?1")
    expected.columns.append(step.proofs[0].expected)
    guard let there = try row(expected, .integer(key)), let image = there.last else { return [] }
    var actual = proof.actualRows(of: step, in: schema, scope)
    actual.conditions.append("\(step.keyColumn.sqlName) = ?1")
    guard let here = try row(actual, image) else { return [] }
    return step.proofs.enumerated().compactMap { index, proof in
      let values = (there[index + 1], here[index + 1])
      guard !values.0.isSame(as: values.1, isNumeric: proof.isNumeric) else { return nil }
      return (proof, values.0, values.1)
    }
  }

  private func row(_ select: SelectStatement, _ key: Binding) throws(SQLiteError) -> [Binding]? {
    let statement = try connection.prepare(select.sql)
    try statement.bind(key, at: 1)
    guard try statement.step() else { return nil }
    return (0..<statement.columnCount).map { statement.value(at: $0) }
  }

  /// Returns the rows that only one side has, identified by the keys that `keys` reads from them.
  private func rows(_ step: CopyStep, _ limit: Int, keys: (Statement) -> [Int64]) throws(SQLiteError) -> [Difference] {
    let expected = "SELECT * FROM (\(proof.expectedRows(of: step).sql))"
    let actual = "SELECT * FROM (\(proof.actualRows(of: step, in: schema, scope).sql))"
    var found: [Difference] = []
    for (one, other, kind) in [
      (expected, actual, Difference.Kind.missing), (actual, expected, .added),
    ] where found.count < limit {
      let statement = try connection.prepare("\(one) EXCEPT \(other) LIMIT \(limit - found.count)")
      while try statement.step() {
        found.append(Difference(entity: step.name, keys: keys(statement), kind: kind))
      }
    }
    return found
  }
}

extension Binding {
  /// Returns whether two values are equal for the proof, which compares bytes.
  func isSame(as other: Binding, isNumeric: Bool) -> Bool {
    switch (self, other) {
    case (.integer(let integer), .real(let real)), (.real(let real), .integer(let integer)):
      isNumeric && Int64(exactly: real) == integer
    case (.real(let one), .real(let other)):
      one.bitPattern == other.bitPattern || isNumeric && one == 0 && other == 0
    // Swift also treats strings with equal normal forms as equal.
    case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
    default: self == other
    }
  }
}
