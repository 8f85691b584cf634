internal import SQLite

/// Proves a copy: the same hashes of what was to be there and of what is there.
struct CopyProof {
  let plan: CopyPlan
  let layout: Layout

  /// The sums of every step, by its name and the entity's code.
  typealias Sums = [String: [Int64: RowHash.Sum]]

  /// Sums up what the source holds, with keys and links as the ID table maps them.
  func expected(on connection: Connection, ids: IDTable, _ didRead: (CopyStep) -> Bool)
    throws(SQLiteError) -> Sums
  {
    let hash = RowHash()
    try connection.register(hash, as: "row_sum", .directOnly)
    var sums: Sums = [:]
    for step in plan.steps {
      guard didRead(step) else { break }
      hash.isNumeric = step.proofs.map(\.isNumeric)
      let values = [entity(of: step, \.expected)] + step.proofs.map(\.expected)
      var select = SelectStatement(
        columns: ["row_sum(\(values.joined(separator: ", ")))"],
        source: "\(step.source) AS r"
      )
      switch step.kind {
      case .objects(let root):
        if ids.map(of: root)?.isWhole == false {
          select.conditions = ["id(\(root.sqlText), r._id) IS NOT NULL"]
        }
      case .links:
        select.conditions = step.proofs.prefix(2).map { "\($0.expected) IS NOT NULL" }
      }
      try connection.run(select.sql)
      sums[step.name] = hash.take()
    }
    return sums
  }

  /// Sums up what `schema`, the destination, holds of the copy.
  ///
  /// - Parameters:
  ///   - connection: One that has not written what it now reads.
  ///   - schema: The name under which the destination is open there.
  ///   - counters: For each root entity, the key above which the copied objects lie.
  func actual(
    on connection: Connection,
    schema: String,
    above counters: [String: Int64],
    _ didRead: (CopyStep) -> Bool
  ) throws(SQLiteError) -> Sums {
    let hash = RowHash()
    try connection.register(hash, as: "row_sum", .directOnly)
    var sums: Sums = [:]
    for step in plan.steps {
      guard didRead(step) else { break }
      hash.isNumeric = step.proofs.map(\.isNumeric)
      let values = [entity(of: step, \.actual)] + step.proofs.map(\.actual)
      var select = SelectStatement(
        columns: ["row_sum(\(values.joined(separator: ", ")))"],
        source: "\(schema.sqlName).\(step.table.sqlName)"
      )
      select.conditions = conditions(of: step, above: counters)
      try connection.run(select.sql)
      sums[step.name] = hash.take()
    }
    return sums
  }

  /// The rows of the destination that the copy wrote.
  private func conditions(of step: CopyStep, above counters: [String: Int64]) -> [String] {
    switch step.kind {
    case .objects(let root):
      guard let counter = counters[root], counter > 0 else { return [] }
      return ["\(step.keyColumn.sqlName) > \(counter)"]
    case .links(let links):
      // Copied links join copied objects, so either end tells them.
      guard let counter = counters[links.ownerRoot], counter > 0,
        let owner = step.assignments.first?.column
      else { return [] }
      return ["\(owner.sqlName) > \(counter)"]
    }
  }

  /// The entity's code, by which sums are kept apart: the second of the proven values.
  private func entity(of step: CopyStep, _ side: KeyPath<CopyStep.Proof, String>) -> String {
    guard case .objects(let root) = step.kind, let relation = layout.relation(of: root),
      let column = relation.entityColumn,
      let proof = step.assignments.first(where: { $0.column == column })?.proof
    else { return "0" }
    return proof[keyPath: side]
  }
}
