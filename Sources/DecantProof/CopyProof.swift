package import DecantMatch
package import DecantPlan
package import DecantStore
package import DecantSQLite

/// Proves a copy by comparing the hashes of the expected and the actual rows.
package struct CopyProof {
  package var plan: CopyPlan
  /// The destination's layout.
  package let layout: Layout
  package let ids: IDTable
  package let sourceFiles: (any ExternalStorage)?
  package let destinationFiles: (any ExternalStorage)?
  /// The condition that a row was not rejected, for steps without integer keys that lost objects.
  package var rejected: [String: String] = [:]
  /// The schema name of the destination on the source's connection, since expected values may depend on the
  /// destination.
  package var written = "main"

  package init(
    plan: CopyPlan,
    layout: Layout,
    ids: IDTable,
    sourceFiles: (any ExternalStorage)?,
    destinationFiles: (any ExternalStorage)?,
    rejected: [String: String] = [:],
    written: String = "main"
  ) {
    (self.plan, self.layout, self.ids) = (plan, layout, ids)
    (self.sourceFiles, self.destinationFiles, self.rejected) = (sourceFiles, destinationFiles, rejected)
    self.written = written
  }

  /// Registers the functions that compare values stored in files, and values too large for memory.
  @discardableResult
  package func prepare(_ connection: Connection) throws(SQLiteError) -> [StandIn] {
    let sides = FileSides(source: sourceFiles, destination: destinationFiles)
    // A session has registered them already, and cannot replace them while it holds its source.
    if try !connection.hasFunction("content") {
      try ValueFunctions.register(on: connection)
      try sides.register(on: connection)
    }
    let large = LargeValue(connection)
    try connection.register(large, as: "large", argumentCount: 5, .directOnly)
    let file = LargeFile(sides)
    try connection.register(file, as: "large_file", argumentCount: 2, .directOnly)
    return [large, file]
  }

  /// Which rows of the destination are compared with the source.
  package enum Scope {
    /// Rows with keys above the highest one allocated before the copy.
    case above([String: Int64])
    /// Rows that the ID table maps to; the destination may hold more.
    case images
  }

  /// Computes the sums of the source's rows, with keys and links mapped by the ID table.
  ///
  /// `isWanted` is called before each step; `false` ends the work.
  package func expected(on connection: Connection, _ isWanted: (CopyStep) -> Bool) throws(SQLiteError) -> ProofSums {
    try sums(on: connection, isWanted) { expectedRows(of: $0) }
  }

  /// Computes the sums of the copied rows in `schema`, the destination.
  ///
  /// - Parameters:
  ///   - connection: A connection, preferably not the one that wrote the rows.
  ///   - schema: The schema name of the destination on this connection.
  ///   - scope: Which of its rows are included.
  ///   - isWanted: Called before each step; `false` ends the work.
  /// - Returns: The sums, by step and entity.
  /// - Throws: `SQLiteError` if the destination cannot be read.
  package func actual(
    on connection: Connection,
    schema: String,
    _ scope: Scope,
    _ isWanted: (CopyStep) -> Bool
  ) throws(SQLiteError) -> ProofSums {
    try sums(on: connection, isWanted) { actualRows(of: $0, in: schema, scope) }
  }

  /// Returns the rows of a step in the source: the proven values, with keys and links mapped.
  package func expectedRows(of step: CopyStep) -> SelectStatement {
    var select = SelectStatement(
      columns: ([entity(of: step, \.expected)] + step.expectedValues).map {
        $0.replacing(CopyStep.written, with: written.sqlName)
      },
      source: step.sourceTable
    )
    switch step.kind {
    case .objects(let root):
      if ids.map(of: root)?.isWhole == false {
        let (name, key) = (root.sqlText, step.sourceKey)
        select.conditions = [
          step.isMerging ? "is_new(\(name), \(key))" : "id(\(name), \(key)) IS NOT NULL"
        ]
      }
    case .links: select.conditions = step.proofConditions.map { "(\($0))" }
    case .unkeyed(let root, _):
      // The conditions are the user's and use names, which equal the column names in such a table.
      if !step.filters.isEmpty {
        // The proven expressions may qualify columns with the entity's name, so that the table gets that alias.
        select.source =
          "(SELECT *, \(root.sqlText) AS _entity FROM \(step.sourceTable)) AS \(root.sqlName)"
        select.conditions = step.filters.map { "(\($0))" }
      }
    case .rows: break
    }
    if let rejects = rejected[step.name] { select.conditions.append(rejects) }
    return select
  }

  /// Returns the rows of a step in the destination.
  func actualRows(of step: CopyStep, in schema: String, _ scope: Scope) -> SelectStatement {
    SelectStatement(
      columns: [entity(of: step, \.actual)] + step.actualValues(in: schema),
      source: "\(schema.sqlName).\(step.table.sqlName)",
      conditions: conditions(of: step, scope)
    )
  }

  private func sums(
    on connection: Connection,
    _ isWanted: (CopyStep) -> Bool,
    _ rows: (CopyStep) -> SelectStatement
  ) throws(SQLiteError) -> ProofSums {
    let hash = RowHash()
    let large = try prepare(connection)
    try connection.register(hash, as: "row_sum", .directOnly)
    var sums: ProofSums = [:]
    for step in plan.steps {
      // Merged links have no keys of their own that would distinguish them from other links.
      switch step.kind {
      case .links, .unkeyed: if step.isMerging { continue }
      case .objects, .rows: break
      }
      guard isWanted(step) else { break }
      var select = rows(step)
      let arguments = try HashArguments(
        Array(select.columns.dropFirst()),
        isNumeric: step.proofs.map(\.isNumeric),
        on: connection
      )
      hash.expect(isNumeric: arguments.isNumeric, standIns: arguments.parts + large)
      let values = [select.columns[0]] + arguments.values
      select.columns = ["row_sum(\(values.joined(separator: ", ")))"]
      try connection.run(select.sql)
      sums[step.name] = hash.take()
    }
    return sums
  }

  private func conditions(of step: CopyStep, _ scope: Scope) -> [String] {
    switch (scope, step.kind) {
    case _ where step.actualConditions != nil: return step.actualConditions ?? []
    case _ where step.isAnonymous: return []
    case (.above(let counters), .objects(let root)):
      return counters[root].map { ["\(step.keyColumn.sqlName) > \($0)"] } ?? []
    case (.above(let counters), .links(let links)):
      // Copied links join copied objects, so either end identifies them. A value that is no key is excluded, since text
      // compares greater than every number.
      let owner = step.assignments[0].column.sqlName
      return counters[links.ownerRoot].map {
        ["\(owner) > \($0)", "typeof(\(owner)) = 'integer'"]
      } ?? []
    case (_, .rows), (_, .unkeyed): return []
    case (.images, .objects(let root)):
      return ["origin(\(root.sqlText), \(step.keyColumn.sqlName)) IS NOT NULL"]
    case (.images, .links(let links)):
      return zip([links.ownerRoot, links.targetRoot], step.assignments).map { root, assignment in
        "origin(\(root.sqlText), \(assignment.column.sqlName)) IS NOT NULL"
      }
    }
  }

  /// Returns the entity's code, by which sums are grouped.
  private func entity(of step: CopyStep, _ side: KeyPath<CopyStep.Proof, String>) -> String {
    guard case .objects(let root) = step.kind, let relation = layout.relation(of: root),
      let column = relation.entityColumn,
      let proof = step.assignments.first(where: { $0.column == column })?.proof
    else { return "0" }
    return proof[keyPath: side]
  }

  /// Returns the name of the entity with `code` in the rows of `step`; the relationship's name for links.
  package func entityName(_ code: Int64, in step: CopyStep) -> String {
    guard case .objects(let root) = step.kind, let relation = layout.relation(of: root) else {
      return step.name
    }
    return relation.entities.first { $0.code == code || relation.entityColumn == nil }?.name
      ?? step.name
  }

  /// Computes the sums of whole tables of `schema`, the destination, whose copied rows cannot be told apart by a key.
  package func anonymousSums(on connection: Connection, schema: String) throws(SQLiteError) -> ProofSums {
    var proof = self
    proof.plan.steps = plan.steps.filter(\.isAnonymous)
    return try proof.actual(on: connection, schema: schema, .images) { _ in true }
  }

  /// Returns the steps whose sums differ.
  package func differingSteps(_ expected: ProofSums, _ actual: ProofSums) -> [CopyStep] {
    plan.steps.filter { expected[$0.name] ?? [:] != actual[$0.name] ?? [:] }
  }
}
