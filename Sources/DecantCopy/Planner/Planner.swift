internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Plans a copy on a connection where the source is attached.
struct Planner {
  let source: any SourceStore
  let destination: any DestinationStore
  var options: CopyOptions
  /// The common ancestor of source and destination, if the merge uses one.
  var base: MergeBase?
  /// The listing and deciding of conflicts, if the merge has them.
  var conflicts: Conflicts?
  /// The progress of the search, if it is reported.
  var progress: SearchProgress?

  /// Plans with the state of the source seen by `connection`.
  ///
  /// - Parameters:
  ///   - connection: A connection whose read of the source is held by a transaction or a snapshot.
  ///   - fingerprint: The held state of the source.
  ///   - schema: The schema name of an existing destination.
  /// - Returns: The plan, with the ID table filled and everything counted.
  /// - Throws: `DecantError` of the family `.usage` or `.modelMismatch` if something does not fit.
  func planning(
    on connection: Connection,
    of fingerprint: Fingerprint,
    destination schema: String
  ) throws(DecantError) -> Planning {
    let ids = IDTable()
    do throws(DecantError) {
      return try planning(ids, on: connection, of: fingerprint, destination: schema)
    } catch {
      // Its statements would keep the connection alive, and with it a lock.
      ids.removeAll()
      throw error
    }
  }

  private func planning(
    _ ids: IDTable,
    on connection: Connection,
    of fingerprint: Fingerprint,
    destination schema: String
  ) throws(DecantError) -> Planning {
    try checkModel()
    try checkCollations()
    try source.mapped?.settle(on: connection, as: CopySession.source)
    let chosen =
      try filters(options.filters, option: .where) + (source.mapped?.conditions ?? [])
    let closure = try closurePlan()
    let filters = chosen + (closure?.filters(of: source.layout) ?? [])
    var builder = PlanBuilder(
      sourceModel: source.model,
      sourceLayout: source.layout,
      destinationModel: destination.model,
      destinationLayout: destination.layout,
      sourceSchema: CopySession.source
    )
    builder.misfitRemedy =
      options.template == nil
      ? "copy into a new store or into one of the same model version, or map the data in a mapping "
        + "file: \(say: .suggestMapping) drafts one, \(say: .mapping) FILE uses it"
      : "remove \(option: .template), use a store or model of the source's version, or map the data in a mapping "
        + "file: \(say: .suggestMapping) drafts one, \(say: .mapping) FILE uses it"
    builder.takesOnlyReached = closure != nil
    var plan = try builder.plan(filters: filters)
    try builder.learnSpellings(on: connection)
    exemptDerived(in: &plan.steps)
    plan.unmatchedColumns += source.leftOut
    plan.closure = closure
    plan.missing = try missingRules(closure)
    plan.definitions = source.mapped?.definitions ?? []
    if options.takesNoObjects {
      plan.steps.removeAll { $0.isOfObjects || options.takesNoRows }
    }
    try plan.checkUnmatchedColumns(on: connection, place: source.identity.place)
    try source.layout.checkForeignValues(in: CopySession.source, on: connection, place: source.identity.place)
    try plan.checkSingleOwners(on: connection, place: source.identity.place)
    plan.keepsMetadata = options.keepsMetadata
    plan.template = options.template
    try explaining("cannot look for large values") { () throws(SQLiteError) in
      try plan.findLargeValues(on: connection)
    }
    try checkAppending(on: connection, schema)
    let counters = try counters(in: schema, on: connection)
    // Conditions may read other entities by name.
    if !filters.isEmpty { try views.offer(in: CopySession.source, on: connection) }
    try close(closure, chosen, ids, on: connection)
    if let counts = ids.closure?.counts {
      try options.check(objectCount: counts.values.reduce(0, +))
    }
    var resolve = resolve(on: connection, counters, filters, ids.closure)
    if resolve.isMerge { resolve.takenKeys = takenKeys(in: schema) }
    let lastLinks = options.merge == nil ? [:] : try lastLinks(in: schema, on: connection)
    let filled = isMatched ? 0.1 : 0.7
    resolve.progress = progress?.part(0...filled)
    var counts = try resolve.fill(ids)
    progress?.show(filled)
    let stubs = plan.missing.makeStubs ? stubSearch(ids, resolve, on: connection, schema) : nil
    if let rules = options.merge, isMatched {
      let schema = try isThere(schema, on: connection)
      try merge(&plan, rules, ids, &counts, resolve, lastLinks, fingerprint, on: connection, schema)
    }
    if let stubs {
      try stubs.run(&plan, &counts)
      if let taken = ids.closure?.counts {
        let made = counts.values.map(\.stubs).reduce(0, +)
        try options.check(objectCount: taken.values.reduce(made, +))
      }
    }
    try settleUnresolvedKeys(ids, in: schema, on: connection)
    try checkComputedLinks(ids)
    var undeclared = UndeclaredLinks(layout: source.layout, ids: ids, schema: CopySession.source)
    undeclared.filledByTriggers = Set(destination.layout.relations.filter(\.isFilledByTriggers).map(\.root))
    let linkNote = try undeclared.check(on: connection, place: source.identity.place)
    var rowCounts: [String: Int64] = [:]
    let counting = progress?.part((isMatched ? 0.95 : filled)...1)
    counting?.beginSteps(of: Int64(plan.steps.count))
    for step in plan.steps {
      counting?.begin(step.name, 1)
      rowCounts[step.name] = try explaining("cannot count \(step.name)") {
        () throws(SQLiteError) in
        try step.rowCount(on: connection, ids: ids)
      }
    }
    var planning = Planning(
      plan: plan,
      ids: ids,
      connection: connection,
      counts: counts,
      counters: counters,
      fingerprint: fingerprint,
      rowCounts: rowCounts,
      sourceByteCount: try sourceByteCount(on: connection),
      sourcePlace: source.identity.place,
      hasUnknownOrder: !source.unknownCollations.isEmpty,
      isNew: destination.isNew,
      lastLinks: lastLinks,
      derived: derivedAttributes
    )
    planning.linkNote = linkNote
    planning.identifyingLinks = identifyingLinks(of: plan)
    planning.conflicts = try conflicts(ids, plan, on: connection, schema)
    planning.conflictCount = try explaining("cannot count conflicts") {
      () throws(SQLiteError) in try ids.conflicts?.objectCount() ?? 0
    }
    planning.blockedCount = conflicts?.blockedCount ?? 0
    planning.goneCount = counts.values.map(\.merge.gone).reduce(0, +)
    try destination.checkRoom(for: planning.enteredCount, in: schema, on: connection)
    return planning
  }

  /// Whether existing objects are matched.
  private var isMatched: Bool {
    options.merge != nil && options.matchesObjects(isNew: destination.isNew)
  }

  /// Returns the highest allocated key for each root entity of an existing destination.
  func counters(in schema: String, on connection: Connection) throws(DecantError) -> [String: Int64] {
    guard !destination.isNew else { return [:] }
    return try destination.counters(in: schema, on: connection)
  }

  /// Returns SELECTs of the used keys for each root entity of an existing destination that may have free keys below
  /// its counter.
  private func takenKeys(in schema: String) -> [String: [String]] {
    guard !destination.isNew else { return [:] }
    var taken: [String: [String]] = [:]
    for relation in destination.layout.relations {
      taken[relation.root] = destination.takenKeys(of: relation.root, in: schema)
    }
    return taken
  }

  /// Returns the schema in which existing objects are found: for a new store, empty tables of the same names.
  private func isThere(_ schema: String, on connection: Connection) throws(DecantError) -> String {
    guard destination.isNew else { return schema }
    try EmptyTables(layout: destination.layout).attach(as: CopySession.destination, on: connection)
    return CopySession.destination
  }

  /// Matches existing objects, and limits the plan to the rest.
  private func merge(
    _ plan: inout CopyPlan,
    _ rules: MergeRules,
    _ ids: IDTable,
    _ counts: inout [String: Resolve.EntityCounts],
    _ resolve: Resolve,
    _ lastLinks: [String: Int64],
    _ fingerprint: Fingerprint,
    on connection: Connection,
    _ schema: String
  ) throws(DecantError) {
    var rules = rules
    try rules.check(source.model, place: source.identity.place)
    rules.takeLikeness(of: source, destination.layout)
    plan.mergeRules = rules
    try base?.checkIsCurrent(schema, source: fingerprint, on: connection, destination: destination)
    ids.baseChanges = base?.baseChanges
    ids.baseChanges?.away = base?.away ?? [:]
    plan.setIdentities(rules, source.model, source.layout)
    plan.setKept(rules, destination.model, destination.layout)
    plan.setClosedOwners(rules, destination.layout)
    let (matched, layouts) = try number(&plan, rules, ids, resolve, on: connection, schema)
    var merging = Merging(
      connection: connection,
      plan: matched,
      source: source,
      destination: destination,
      layouts: layouts,
      schema: schema,
      rules: rules,
      base: base,
      conflicts: conflicts,
      resolve: resolve,
      keepsPartners: options.idTableFile != nil || options.explainedObject != nil,
      clash: options.onError == .stop ? InheritedUniquenessConflict(options.purpose) : nil,
      progress: progress?.part(0.1...0.95)
    )
    try merging.findIdentities(ids)
    plan.mergeRules = merging.rules
    try merging.fill(ids, &counts)
    plan.mergeRules = merging.rules
    // Values replaced in additional copies do not affect the links to these copies.
    let values = plan
    plan.merge(
      into: destination.layout,
      from: source.layout,
      above: resolve.counters,
      ids: ids,
      derived: derivedAttributes,
      lastLinks: lastLinks,
      uniqueLinks: try uniqueLinks(in: schema, on: connection),
      isIntoNothing: destination.isNew
    )
    guard plan.joinsObjects else { return }
    try NonIntegerKeyConflict(
      connection: connection,
      plan: values,
      layouts: Sided(source.layout, destination.layout),
      schemas: Sided(CopySession.source, schema),
      isIntoNothing: destination.isNew,
      base: base
    ).check(ids)
    SingleLinks.expect(in: &plan, ids, destination.model, source.layout, destination.layout)
  }

  /// The attributes that the destination derives from others.
  private var derivedAttributes: Set<String> {
    Set(
      destination.model.entities.flatMap { entity in
        entity.attributes.filter(\.isDerived).map { "\(entity.name).\($0.name)" }
      }
    )
  }

  /// Leaves values that the destination's tables derive from others out of the comparison of rows, and of their identities.
  func exemptDerived(in steps: inout [CopyStep]) {
    let derived = destination.model.isFromTables ? derivedAttributes : []
    guard !derived.isEmpty else { return }
    for index in steps.indices {
      guard let root = steps[index].objectRoot, let relation = destination.layout.relation(of: root) else { continue }
      for place in steps[index].assignments.indices {
        let column = relation.column(of: steps[index].assignments[place])
        guard case .attribute(let property) = column?.columnRole, derived.contains(property.description) else {
          continue
        }
        steps[index].assignments[place].proof = nil
      }
    }
  }

  /// Returns the link tables of the destination that have a key of both ends.
  private func uniqueLinks(in schema: String, on connection: Connection) throws(DecantError) -> Set<String> {
    // A new store contains no links yet.
    guard !destination.isNew else { return Set(destination.layout.linkRelations.map(\.table)) }
    var unique: Set<String> = []
    for links in destination.layout.linkRelations {
      let ends = Set([links.ownerColumn, links.targetColumn])
      try explaining("cannot read the links \(links.relationship)") { () throws(SQLiteError) in
        var columns: [String: Set<String>] = [:]
        try connection.forEachRow(
          """
          SELECT l.name, i.name FROM pragma_index_list(?1, ?2) AS l, pragma_index_info(l.name, ?2) AS i
          WHERE l."unique" AND NOT l.partial
          """,
          .text(links.table),
          .text(schema)
        ) { row in
          columns[row.text(at: 0) ?? "", default: []].insert(row.text(at: 1) ?? "")
        }
        if columns.values.contains(ends) { unique.insert(links.table) }
      }
    }
    return unique
  }

  /// Returns the number of the last row for each table of ordered links in the destination.
  private func lastLinks(in schema: String, on connection: Connection) throws(DecantError) -> [String: Int64] {
    guard !destination.isNew else { return [:] }
    var last: [String: Int64] = [:]
    for links in destination.layout.linkRelations {
      guard links.positionColumn ?? links.inversePositionColumn != nil, let rowID = links.rowID
      else {
        continue
      }
      last[links.table] = try explaining("cannot read the links \(links.relationship)") {
        () throws(SQLiteError) in
        try connection.integer("SELECT max(\(rowID)) FROM \(links.sqlTable(in: schema))") ?? 0
      }
    }
    return last
  }

  /// Determines, for every link that keeps unresolved keys, which values can refer to no object of the destination.
  private func settleUnresolvedKeys(_ ids: IDTable, in schema: String, on connection: Connection) throws(DecantError) {
    guard !destination.isNew else { return }
    for relation in destination.layout.relations {
      guard let map = ids.map(of: relation.root) else { continue }
      let table = relation.sqlTable(in: schema)
      let lowest = try explaining("cannot read the keys of \(relation.root)") {
        () throws(SQLiteError) in
        try connection.integer("SELECT min(\(relation.keyName)) FROM \(table)")
      }
      map.unresolvedKeys = .below(min(1, lowest ?? 1))
    }
  }

  var views: EntityViews { EntityViews(model: source.model, layout: source.layout) }

  private func resolve(
    on connection: Connection,
    _ counters: [String: Int64],
    _ filters: [CopyPlan.EntityFilter],
    _ closure: Closure? = nil
  ) -> Resolve {
    Resolve(
      connection: connection,
      sourceModel: source.model,
      sourceLayout: source.layout,
      sourceSchema: CopySession.source,
      counters: counters,
      filters: filters,
      closure: closure,
      isMerge: options.merge != nil && !options.appends,
      allowsMisplacedObjects: options.onError == .reject,
      looksAtEveryEntity: options.isDryRun
    )
  }

  /// Names the object if a copy failed because an object's entity does not belong in its table.
  func nameMisplacedObject(on connection: Connection, _ planning: Planning, _ error: DecantError) throws(DecantError) {
    guard let cause = error.cause as? SQLiteError, cause.message.hasPrefix(RejectCode.unknownEntity)
    else {
      return
    }
    try resolve(on: connection, planning.counters, []).nameMisplacedObject(in: planning.ids)
  }

  /// Returns the links by which the merge of a plan recognizes objects.
  private func identifyingLinks(of plan: CopyPlan) -> Set<Property> {
    guard let rules = plan.mergeRules, plan.joinsObjects, !destination.isNew else { return [] }
    func identifies(_ relation: Relation, _ names: [String]) -> Bool {
      relation.entities.contains { entity in
        rules.identity(of: entity.name, in: source.model).map { !$0.filter(names.contains).isEmpty } ?? true
      }
    }
    let columns = plan.linkColumns(of: destination.layout).filter { identifies($0.relation, [$0.property.name]) }
    let values = plan.valueLinks(from: source.layout, to: destination.layout).filter {
      identifies($0.holder, $0.written.columns)
    }
    return Set(columns.map(\.property) + values.map(\.written.relationship))
  }

  /// Checks the conditions given by `option`, before anything is read.
  func filters(_ conditions: [CopyOptions.Filter], option: DecantError.Option) throws(DecantError)
    -> [CopyPlan.EntityFilter]
  {
    var filters: [CopyPlan.EntityFilter] = []
    let views = views
    for filter in conditions {
      let (origin, option) = (filter.origin, filter.option ?? option)
      guard let root = source.model.root(of: filter.entity) else {
        let names = source.model.entities.map(\.name)
        throw DecantError(
          .unknownName,
          source.mapped == nil
            ? "there is no \(source.model.terms.entity) \(filter.entity) in “\(source.identity.place)”"
            : "the destination has no \(source.model.terms.entity) \(filter.entity), and with a mapping "
              + "conditions apply to the mapped \(source.model.terms.objects)",
          place: origin.map { "\($0.place)" } ?? "\(option: option) \(filter.entity): …",
          remedy: "\(filter.entity.remedy(among: names, of: source.model.terms.entities))",
          remedies: [.correctName(filter.entity, among: names)]
        )
      }
      let expression = try Expression(
        filter.expression,
        entity: filter.entity,
        views: views,
        option: option,
        origin: origin
      )
      filters.append(
        CopyPlan.EntityFilter(
          entity: filter.entity,
          root: root.name,
          entities: source.model.family(of: filter.entity).map(\.name),
          expression: expression.text,
          origin: origin,
          option: filter.option
        )
      )
    }
    return filters
  }

  private func sourceByteCount(on connection: Connection) throws(DecantError) -> Int64 {
    try explaining("cannot measure “\(source.identity.place)”") { () throws(SQLiteError) in
      try CopyRoom.byteCount(of: CopySession.source, on: connection.reader(of: CopySession.source))
    }
  }
}
