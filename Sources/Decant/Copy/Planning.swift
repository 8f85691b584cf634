internal import SQLite

/// What a copy will do, with everything that had to be read to know it.
struct Planning {
  let plan: CopyPlan
  let ids: IDTable
  /// For each concrete entity, how many objects there are and are copied.
  let counts: [String: Resolve.EntityCounts]
  /// For each root entity, the highest key the destination had handed out before.
  let counters: [String: Int64]
  /// The state of the source that was read.
  let fingerprint: Fingerprint
  /// Rows to be written by each step.
  let rowCounts: [String: Int64]
  let sourceByteCount: Int64
  /// The source's place, as the user named it.
  let sourcePlace: String
  /// Whether indexes are sorted by collations that only their app knows.
  let hasUnknownOrder: Bool
  /// Whether the destination is made, and holds nothing else.
  let isNew: Bool

  /// How many objects are copied at the most.
  var addedCount: Int64 { counts.values.map(\.included).reduce(0, +) }

  /// For each root entity that gets objects, the highest key that will be handed out.
  func highestKeys() throws(DecantError) -> [String: Int64] {
    var keys: [String: Int64] = [:]
    for case .objects(let root) in plan.steps.map(\.kind) {
      guard let map = ids.map(of: root) else { continue }
      keys[root] = try explaining("cannot find the highest key of \(root)") {
        () throws(SQLiteError) in try map.highestDestination()
      }
    }
    return keys
  }

  /// For each root entity that gets objects, the range in which their keys lie and no others.
  func newKeys() throws(DecantError) -> [String: ClosedRange<Int64>] {
    var ranges: [String: ClosedRange<Int64>] = [:]
    for (root, highest) in try highestKeys() {
      // A store that is made holds nothing else.
      let lowest = counters[root].map { $0 == Int64.max ? $0 : $0 + 1 } ?? Int64.min
      if lowest <= highest { ranges[root] = lowest...highest }
    }
    return ranges
  }

  /// How much work it is, for somebody who waits.
  func expectedWork(verifies: Bool) -> ExpectedWork {
    let rows = rowCounts.values.reduce(0, +)
    return ExpectedWork(
      rowCount: rows,
      sourceByteCount: sourceByteCount,
      proofRowCount: verifies ? 2 * rows : 0
    )
  }
}

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

  /// Refuses to renumber what computed columns lead to, or are computed from.
  private func checkComputedLinks(_ ids: IDTable) throws(DecantError) {
    for link in source.layout.computedLinks {
      let roots = [link.targetRoot, link.root]
      guard roots.contains(where: { ids.map(of: $0).map { $0.form != .keep } ?? false }) else {
        continue
      }
      throw DecantError(
        .modelMismatch,
        "\(link.relationship) of “\(source.identity.place)” leads to \(link.targetRoot) by a computed "
          + "column, which cannot follow keys that change",
        remedy: "copy into a new place, where keys stay what they are"
      )
    }
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

  /// Refuses whatever must look something up, where only the app knows how indexes are sorted.
  private func checkCollations() throws(DecantError) {
    guard let name = source.unknownCollations.first,
      !(destination.canAdoptPages && options.takesEverything)
    else { return }
    throw DecantError(
      .modelMismatch,
      "“\(source.identity.place)” is sorted by “\(name)”, a collation that only its app knows",
      place: destination.isNew && options.takesEverything
        ? nil : "rows can neither be chosen nor added then, only copied as a whole",
      remedy: destination.isNew && !destination.canAdoptPages
        ? "close the app and copy the file itself, with the -wal that may lie beside it"
        : "copy everything into a new place, without --where, --resume, --on-error and --append"
    )
  }

  /// Refuses what changes keys, or leaves objects out, where nobody knows which columns hold keys.
  private func checkModel() throws(DecantError) {
    guard let gap = source.modelGap else { return }
    let reason: String
    if !destination.isNew {
      reason = "--append gives objects new keys"
    } else if !options.filters.isEmpty {
      reason = "--where cuts the links to what it leaves out"
    } else if options.onError == .reject {
      reason = "--on-error reject cuts the links to what it leaves out"
    } else {
      return
    }
    throw DecantError(
      gap.code,
      gap.message,
      place: "\(reason), and without the model nobody knows which columns are links",
      remedy: gap.remedy ?? "name the model: --model",
      cause: gap
    )
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

  /// Refuses a store in which an earlier copy was cut off, unless it is to be completed.
  private func checkUnfinished(on connection: Connection, _ schema: String) throws(DecantError) {
    guard !destination.isNew, options.leftOver != .resume else { return }
    let isUnfinished = try explaining("cannot read “\(destination.identity.place)”") {
      () throws(SQLiteError) in
      try Checkpoint.exists(in: schema, on: connection)
    }
    if isUnfinished { throw Checkpoint.unfinished(destination.identity.place) }
  }

  /// Refuses to pour into a store that holds objects, unless that is what was asked for.
  private func checkAppending(on connection: Connection, _ schema: String) throws(DecantError) {
    guard !destination.isNew, !options.appends else { return }
    let counts = try destination.objectCounts(in: schema, on: connection)
    guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return }
    throw DecantError(
      .usage,
      "“\(destination.identity.place)” already holds \(most.value) \(most.key)",
      place: counts.count > 1 ? "and objects of \(counts.count - 1) more entities" : nil,
      remedy: "say --append to add all objects as new ones, or name a new store"
    )
  }

  private func sourceByteCount(on connection: Connection) throws(DecantError) -> Int64 {
    try explaining("cannot measure “\(source.identity.place)”") { () throws(SQLiteError) in
      let reader = connection.reader(of: Workbench.source)
      let pages = try reader.integer("PRAGMA \(Workbench.source).page_count") ?? 0
      return pages * (try reader.integer("PRAGMA \(Workbench.source).page_size") ?? 0)
    }
  }
}
