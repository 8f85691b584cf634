internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Rows without an integer key that are merged with a base.
extension Planner {
  /// Numbers such rows of both stores, and adds their numbers to `ids`.
  ///
  /// - Parameters:
  ///   - plan: The plan; links to rows that are not copied are cleared in it.
  ///   - rules: The rules of the merge.
  ///   - ids: The ID table.
  ///   - resolve: Determines which objects are merged.
  ///   - connection: The connection that has both stores.
  ///   - schema: The schema name of the destination.
  /// - Returns: The plan and the layouts for matching objects, with the numbers as keys of the rows.
  /// - Throws: `DecantError` if a store cannot be read.
  func number(
    _ plan: inout CopyPlan,
    _ rules: MergeRules,
    _ ids: IDTable,
    _ resolve: Resolve,
    on connection: Connection,
    _ schema: String
  ) throws(DecantError) -> (plan: CopyPlan, layouts: Sided<Layout>) {
    let layouts = Sided(source.layout, destination.layout)
    guard base != nil, var rows = NumberedRows(rules, source.model, layouts) else {
      return (emptyingLinks(of: &plan, ids), layouts)
    }
    try rows.offer(on: connection, schema)
    let numbered = rows.layouts(schema)
    rows.steps = try PlanBuilder(
      sourceModel: source.model,
      sourceLayout: numbered.source,
      destinationModel: destination.model,
      destinationLayout: numbered.destination,
      sourceSchema: CopySession.source
    ).plan(filters: plan.filters).steps
    exemptDerived(in: &rows.steps)
    ids.numberedRows = rows
    var matched = rows.numbered(emptyingLinks(of: &plan, ids))
    for index in rows.steps.indices {
      rows.steps[index].emptyLinks(toRemovedRowsOf: source.layout, ids)
    }
    ids.numberedRows = rows
    matched.setKept(rules, destination.model, numbered.destination)
    var counters: [String: Int64] = [:]
    for relation in numbered.destination.relations where rows.roots.contains(relation.root) {
      counters[relation.root] = try explaining("cannot number \(relation.root)") {
        () throws(SQLiteError) in
        try connection.integer("SELECT max(\(relation.keyName)) FROM \(relation.sqlTable(in: schema))") ?? 0
      }
    }
    var source = numbered.source
    source.relations.removeAll { !rows.roots.contains($0.root) }
    var own = Resolve(
      connection: connection,
      sourceModel: resolve.sourceModel,
      sourceLayout: source,
      sourceSchema: resolve.sourceSchema,
      counters: counters
    )
    own.filters = resolve.filters
    own.isMerge = true
    // Their total was already counted with the other rows.
    _ = try own.fill(ids)
    return (matched, numbered)
  }

  /// Clears links by values in `plan` if their targets are not copied; returns the plan for comparing objects, with the
  /// source's values.
  private func emptyingLinks(of plan: inout CopyPlan, _ ids: IDTable) -> CopyPlan {
    var compared = plan
    for index in plan.steps.indices {
      plan.steps[index].emptyLinks(toRemovedRowsOf: source.layout, ids)
      // Rows without an identity are compared with the values that are written.
      if case .unkeyed = plan.steps[index].kind { compared.steps[index] = plan.steps[index] }
    }
    return compared
  }
}
