internal import SQLite

/// Plans a copy on a connection where the source is attached.
struct Planner {
  let source: any SourceStore
  let destination: any DestinationStore
  let options: CopyOptions

  /// The name under which an existing destination is attached while nothing is written yet.
  static let destination = "destination"

  /// Plans with what `connection` sees of the source at this moment.
  ///
  /// - Parameters:
  ///   - connection: Its read of the source is held by a transaction or a snapshot.
  ///   - fingerprint: Of the state of the source that is held.
  ///   - schema: Where an existing destination is found.
  /// - Returns: The plan, with the ID table filled and everything counted.
  /// - Throws: `DecantError` for whatever does not fit, with code `.usage` or `.modelMismatch`.
  func planning(
    on connection: Connection,
    of fingerprint: Fingerprint,
    destination schema: String
  ) throws(DecantError) -> Planning {
    try checkModel()
    try checkCollations()
    let filters = try filters()
    var builder = PlanBuilder(
      sourceModel: source.model,
      sourceLayout: source.layout,
      destinationModel: destination.model,
      destinationLayout: destination.layout,
      sourceSchema: Workbench.source
    )
    if options.template != nil {
      builder.misfitRemedy =
        "leave --template away, or name a store or model of the source's version"
    }
    var plan = try builder.plan(filters: filters)
    try plan.checkUnmatchedColumns(on: connection, place: source.identity.place)
    try source.layout.checkForeignValues(
      in: Workbench.source,
      on: connection,
      place: source.identity.place
    )
    try plan.checkSingleOwners(on: connection, place: source.identity.place)
    plan.keepsMetadata = options.keepsMetadata
    plan.template = options.template
    try explaining("cannot look for large values") { () throws(SQLiteError) in
      try plan.findLargeValues(on: connection)
    }
    try checkUnfinished(on: connection, schema)
    try checkAppending(on: connection, schema)
    let counters = try counters(in: schema, on: connection)
    // Conditions read other entities by name.
    if !filters.isEmpty { try views.offer(in: Workbench.source, on: connection) }
    let ids = IDTable()
    let counts = try resolve(on: connection, counters, filters).fill(ids)
    try settleStrangers(ids, in: schema, on: connection)
    try checkComputedLinks(ids)
    try UndeclaredLinks(layout: source.layout, ids: ids, schema: Workbench.source)
      .check(on: connection, place: source.identity.place)
    var rowCounts: [String: Int64] = [:]
    for step in plan.steps {
      rowCounts[step.name] = try explaining("cannot count \(step.name)") {
        () throws(SQLiteError) in
        try step.rowCount(on: connection, ids: ids)
      }
    }
    let planning = Planning(
      plan: plan,
      ids: ids,
      counts: counts,
      counters: counters,
      fingerprint: fingerprint,
      rowCounts: rowCounts,
      sourceByteCount: try sourceByteCount(on: connection),
      sourcePlace: source.identity.place,
      hasUnknownOrder: !source.unknownCollations.isEmpty,
      isNew: destination.isNew
    )
    try destination.checkRoom(for: planning.addedCount, in: schema, on: connection)
    return planning
  }

  /// Returns, for each root entity of an existing destination, the highest key it had handed out
  /// before this copy: what an unfinished one has written down, else what the store says.
  func counters(in schema: String, on connection: Connection) throws(DecantError) -> [String: Int64]
  {
    guard !destination.isNew else { return [:] }
    let noted = try explaining("cannot read “\(destination.identity.place)”") {
      () throws(SQLiteError) in
      try Checkpoint.counters(in: schema, on: connection)
    }
    if let noted { return noted }
    return try destination.counters(in: schema, on: connection)
  }

  /// Says for every link that keeps strangers which values can lead to no object there.
  private func settleStrangers(_ ids: IDTable, in schema: String, on connection: Connection)
    throws(DecantError)
  {
    guard !destination.isNew else { return }
    for relation in destination.layout.relations {
      guard let map = ids.map(of: relation.root) else { continue }
      let table = "\(schema.sqlName).\(relation.table.sqlName)"
      let lowest = try explaining("cannot read the keys of \(relation.root)") {
        () throws(SQLiteError) in
        try connection.integer("SELECT min(\(relation.keyName)) FROM \(table)")
      }
      map.strangers = .below(min(1, lowest ?? 1))
    }
  }

  private var views: EntityViews { EntityViews(model: source.model, layout: source.layout) }

  private func resolve(
    on connection: Connection,
    _ counters: [String: Int64],
    _ filters: [CopyPlan.EntityFilter]
  )
    -> Resolve
  {
    Resolve(
      connection: connection,
      sourceModel: source.model,
      sourceLayout: source.layout,
      sourceSchema: Workbench.source,
      counters: counters,
      filters: filters,
      allowsStrangers: options.onError == .reject,
      looksAtEveryEntity: options.isDryRun
    )
  }

  /// Says which object it was, where a copy failed over one whose entity has no place in its table.
  func nameStranger(on connection: Connection, _ planning: Planning, _ error: DecantError)
    throws(DecantError)
  {
    guard let cause = error.cause as? SQLiteError, cause.message.hasPrefix(UnknownEntity.marker)
    else {
      return
    }
    try resolve(on: connection, planning.counters, []).nameStranger(in: planning.ids)
  }

  /// Checks the conditions before anything is read.
  private func filters() throws(DecantError) -> [CopyPlan.EntityFilter] {
    var filters: [CopyPlan.EntityFilter] = []
    let views = views
    for filter in options.filters {
      guard let root = source.model.root(of: filter.entity) else {
        let names = source.model.entities.map(\.name)
        throw DecantError(
          .usage,
          "there is no entity \(filter.entity) in “\(source.identity.place)”",
          place: "--where \(filter.entity): …",
          remedy: filter.entity.remedy(among: names)
        )
      }
      let expression = try Expression(
        filter.expression,
        entity: filter.entity,
        views: views,
        option: "--where"
      )
      filters.append(
        CopyPlan.EntityFilter(
          entity: filter.entity,
          root: root.name,
          entities: source.model.family(of: filter.entity).map(\.name),
          expression: expression.text
        )
      )
    }
    return filters
  }

  private func sourceByteCount(on connection: Connection) throws(DecantError) -> Int64 {
    try explaining("cannot measure “\(source.identity.place)”") { () throws(SQLiteError) in
      let reader = connection.reader(of: Workbench.source)
      let pages = try reader.integer("PRAGMA \(Workbench.source).page_count") ?? 0
      return pages * (try reader.integer("PRAGMA \(Workbench.source).page_size") ?? 0)
    }
  }
}
