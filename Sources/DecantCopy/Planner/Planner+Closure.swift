internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantSQLite

/// The selection by `--root`.
extension Planner {
  /// Checks the roots and rules before anything is read; `nil` if everything is copied.
  func closurePlan() throws(DecantError) -> ClosurePlan? {
    guard !options.roots.isEmpty else {
      guard let rule = options.rules.first else { return nil }
      throw DecantError(
        .missingOption,
        "a rule is given, but no root to follow it from",
        place: rule.place.map { "\($0)" }
          ?? "\(option: .rule, "\(rule.relationship)=\(rule.rule.rawValue)")",
        remedy: "add a root: \(say: .root) 'Entity: condition'"
      )
    }
    guard !options.keepsMetadata else {
      throw DecantError(
        .conflictingOptions,
        "\(option: .keepMetadata) copies the metadata of all objects, but \(option: .root) copies only some objects",
        remedy: "use only one of them"
      )
    }
    let roots = try filters(options.roots, option: .root)
    let paths = ClosurePaths(
      model: source.model,
      layout: source.layout,
      schema: CopySession.source,
      tables: ClosureTables(source.layout, schema: CopySession.source)
    )
    let rules = ClosureRules(rules: options.rules, model: source.model, views: views, place: source.identity.place)
    return ClosurePlan(roots: roots, paths: try rules.settle(paths.all))
  }

  /// Finds the selected objects, and makes them available to SQL on `connection` through `ids`.
  func close(
    _ plan: ClosurePlan?,
    _ filters: [CopyPlan.EntityFilter],
    _ ids: IDTable,
    on connection: Connection
  ) throws(DecantError) {
    guard let plan else { return }
    ids.closure = try ClosureSearch(
      plan,
      filters: filters,
      views: views,
      schema: CopySession.source,
      place: source.identity.place,
      on: connection
    ).run()
    try explaining("cannot register functions") { () throws(SQLiteError) in
      try CopySession.offer(ids, on: connection)
    }
  }
}
