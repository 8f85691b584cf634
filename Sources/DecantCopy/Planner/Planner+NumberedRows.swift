internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Rows without an integer key that are merged with a base.
extension Planner {
  /// Numbers such rows of both stores, and enters their numbers into `ids`.
  ///
  /// - Parameters:
  ///   - plan: What is written; links to rows that stay away are emptied in it.
  ///   - rules: The rules of the merge.
  ///   - ids: The ID table.
  ///   - resolve: What finds out which objects are merged.
  ///   - connection: The one that has both stores.
  ///   - schema: Where the destination is attached.
  /// - Returns: The plan and the layouts by which objects are matched: in them the rows have their numbers for keys.
  /// - Throws: `DecantError` where a store cannot be read.
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
    // How many there are was counted with all others.
    _ = try own.fill(ids)
    return (matched, numbered)
  }

  /// Has links by values in `plan` be empty where they lead to what stays away; returns the plan by which objects are
  /// compared, in which they hold what the source has.
  private func emptyingLinks(of plan: inout CopyPlan, _ ids: IDTable) -> CopyPlan {
    var compared = plan
    for index in plan.steps.indices {
      plan.steps[index].emptyLinks(toRemovedRowsOf: source.layout, ids)
      // Rows that nothing names are compared as they are written.
      if case .unkeyed = plan.steps[index].kind { compared.steps[index] = plan.steps[index] }
    }
    return compared
  }
}
