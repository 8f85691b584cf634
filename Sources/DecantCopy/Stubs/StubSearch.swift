internal import DecantBase
internal import DecantMapping
internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The search for dangling links whose rule is to create an empty object.
///
/// It runs after the objects to copy and the existing objects of the destination are known. The results are on disk and
/// part of the views of mapped objects, so that copy and proof treat them like any other object.
struct StubSearch {
  let connection: Connection
  let store: MappedStore
  let destination: any DestinationStore
  let ids: IDTable
  let resolve: Resolve
  /// The schema name of the destination.
  let schema: String
  /// The selected keys, by root entity, before they were matched with existing objects.
  let chosen: [String: KeySet]

  /// Links whose targets are searched: the keys as `k`.
  private struct Source {
    let root: String
    /// The target entity of the links.
    let wanted: String
    /// The SELECT of the links of all copied objects.
    let select: String
    /// The SELECT of the links of empty objects, if these have such links.
    let selectOfStubs: String?
  }

  /// Finds the empty objects, determines their entities, and adds them to the ID table and to `counts`.
  ///
  /// - Throws: `DecantError` of the family `.failed` for an empty object that cannot be created: its entity cannot be
  ///   determined, or a required value is missing.
  func run(_ plan: inout CopyPlan, _ counts: inout [String: Resolve.EntityCounts]) throws(DecantError) {
    let function = MissingTargetFunction(ids, chosen: chosen)
    defer { function.removeAll() }
    try explaining("cannot register functions") { () throws(SQLiteError) in
      try CopySession.offer(ids, on: connection)
      try connection.register(function, as: "missing_target", .directOnly)
      try connection.register(LinkKeyFunction(ids), as: "link_key", .directOnly)
    }
    let links = plan.linkColumns(of: destination.layout)
    let refused = try explaining("cannot look for dangling links") {
      () throws(SQLiteError) in
      try RefusedHolders(links, plan.missing, on: connection, written)
    }
    try find(sources(of: plan, refused), refused)
    for stubs in store.stubs {
      try settleEntities(stubs)
      try settleBacks(stubs, plan, refused)
    }
    plan.leaveOutStubLinks(Set(store.stubs.map(\.root)))
    try enter(&counts)
    for stubs in store.stubs {
      try StubCheck(stubs: stubs, destination: destination, connection: connection).run(plan)
    }
  }

  // MARK: Missing targets

  private func sources(of plan: CopyPlan, _ refused: RefusedHolders) -> [Source] {
    let model = destination.model
    var sources: [Source] = []
    for link in plan.linkColumns(of: destination.layout) {
      guard plan.missing.rule(of: link) == .stub, let root = link.column.targetRoot,
        let stubs = stubs(of: root),
        let key = link.assignment.expression.link?.calling(.missingTarget)
      else { continue }
      let relationship = model.relationship(link.property)
      let wanted =
        if case .owner(let property) = link.column.columnRole {
          property.entity
        } else {
          relationship?.destination ?? stubs.root
        }
      let ofStubs = self.stubs(of: link.root).map { own in
        SelectStatement(
          columns: ["\(key) AS k"],
          source: "\(link.step.source) AS r",
          conditions: ["r._id IN (SELECT \(MappedStubs.key) FROM \(own.table))"]
        ).sql
      }
      sources.append(
        Source(
          root: root,
          wanted: wanted,
          select: written(link.select(["\(key) AS k"], where: refused.conditions(link)).sql),
          selectOfStubs: ofStubs
        )
      )
    }
    for step in plan.steps {
      guard case .links(let links) = step.kind else { continue }
      let rules = StubRules.ends(of: links, plan.missing)
      let owner = (links.ownerRoot, "r._owner")
      let target = (links.targetRoot, "r._target")
      let back = links.isReflexive ? links.relationship : links.inverse
      for case (true, let relationship?, let from, let to) in [
        (rules.leadsToTarget, links.relationship, owner, target),
        (rules.leadsToOwner, back, target, owner),
      ] where stubs(of: to.0) != nil {
        let held =
          step.isMerging
          ? "is_new(\(from.0.sqlText), \(from.1))" : "id(\(from.0.sqlText), \(from.1)) IS NOT NULL"
        let declared = model[relationship.entity]?.relationships
          .first { $0.name == relationship.name }
        sources.append(
          Source(
            root: to.0,
            wanted: declared?.destination ?? to.0,
            select: SelectStatement(
              columns: ["missing_target(\(to.0.sqlText), \(to.1)) AS k"],
              source: "\(step.source) AS r",
              conditions: [held] + refused.conditions(from.0, from.1)
            ).sql,
            selectOfStubs: nil
          )
        )
      }
    }
    return sources
  }

  private func find(_ sources: [Source], _ refused: RefusedHolders) throws(DecantError) {
    // An empty object may be the target that another object needs to be copied, which may have links of its own.
    var isLarger = true
    while isLarger {
      try explaining("cannot look for dangling links") { () throws(SQLiteError) in
        try refused.settle(store.stubs.map { ($0.root, "SELECT \(MappedStubs.key) FROM \($0.table)") })
      }
      var isMore = try add(sources, \.select)
      // The identity of an empty object may include a link.
      while try add(sources, \.selectOfStubs) { isMore = true }
      isLarger = isMore && refused.matter
    }
  }

  /// Adds the targets of one kind of links; returns whether any of them is new.
  private func add(_ sources: [Source], _ select: (Source) -> String?) throws(DecantError) -> Bool {
    var isMore = false
    for source in sources {
      guard let select = select(source), let stubs = stubs(of: source.root) else { continue }
      try explaining("cannot look for links to \(source.root)") { () throws(SQLiteError) in
        try connection.run(
          """
          INSERT OR IGNORE INTO \(stubs.table) (\(MappedStubs.key), \(MappedStubs.wanted))
          SELECT k, \(source.wanted.sqlText) FROM (\(select)) WHERE k IS NOT NULL
          """
        )
      }
      if connection.changeCount > 0 { isMore = true }
    }
    return isMore
  }

  private func stubs(of root: String) -> MappedStubs? {
    store.stubs.first { $0.root == root }
  }

  private func written(_ sql: String) -> String {
    sql.replacing(CopyStep.written, with: schema.sqlName)
  }

  // MARK: Entities

  /// Determines the entity of each empty object.
  private func settleEntities(_ stubs: MappedStubs) throws(DecantError) {
    guard let relation = store.layout.relation(of: stubs.root) else { return }
    let view = relation.sqlTable(in: CopySession.source)
    let wanted = try explaining("cannot determine the entities of \(stubs.root)") {
      () throws(SQLiteError) -> [(name: String, key: Int64)] in
      try connection.run(
        "UPDATE \(stubs.table) SET \(MappedStubs.isDangling) = NOT known(\(stubs.root.sqlText), \(MappedStubs.key))"
      )
      try connection.run(
        """
        UPDATE \(stubs.table) SET \(MappedStubs.entity) =
          (SELECT v.\(EntityView.entityName) FROM \(view) AS v WHERE v.\(relation.keyName) = \(MappedStubs.key))
        WHERE NOT \(MappedStubs.isDangling)
        """
      )
      var wanted: [(name: String, key: Int64)] = []
      try connection.forEachRow(
        """
        SELECT \(MappedStubs.wanted), min(\(MappedStubs.key)) FROM \(stubs.table)
        WHERE \(MappedStubs.isDangling) GROUP BY 1
        """
      ) { row in wanted.append((row.text(at: 0) ?? "", row.integer(at: 1))) }
      return wanted
    }
    for (name, key) in wanted {
      guard let entity = entity(named: name, in: relation) else {
        throw DecantError(
          .linkBroken,
          "links point to missing objects of \(name), and their child entity is not known "
            + "(missing: stub)",
          place: "\(stubs.root) p\(key)",
          remedy: "use null or reject for these links"
        )
      }
      try explaining("cannot determine the entities of \(stubs.root)") { () throws(SQLiteError) in
        try connection.run(
          """
          UPDATE \(stubs.table) SET \(MappedStubs.entity) = \(entity.code)
          WHERE \(MappedStubs.isDangling) AND \(MappedStubs.wanted) = ?1
          """,
          .text(name)
        )
      }
    }
  }

  /// Returns the entity `name`, or its only sub-entity that can have objects.
  private func entity(named name: String, in relation: Relation) -> Relation.EntityCode? {
    let family = Set(destination.model.family(of: name).map(\.name))
    let possible = relation.entities.filter { family.contains($0.name) }
    return possible.first { $0.name == name } ?? (possible.count == 1 ? possible[0] : nil)
  }

  /// Links each empty object back to the object that refers to it, if both ends of a link are stored.
  private func settleBacks(_ stubs: MappedStubs, _ plan: CopyPlan, _ refused: RefusedHolders) throws(DecantError) {
    for back in stubs.backs {
      guard
        let link = plan.linkColumns(of: destination.layout).first(where: {
          $0.property == back.holder && $0.column.targetRoot == stubs.root
        }), let key = link.assignment.expression.link?.calling(.sourceKey)
      else { continue }
      let holders = written(link.select(["r._id AS i", "\(key) AS k"], where: refused.conditions(link)).sql)
      try explaining("cannot read the links \(back.holder)") { () throws(SQLiteError) in
        try connection.run(
          """
          UPDATE \(stubs.table) SET \(back.column) = h.i FROM (\(holders)) AS h
          WHERE h.k = \(MappedStubs.key)
          """
        )
      }
    }
  }

  // MARK: The ID table

  /// Makes links lead to the empty objects, and gives them keys.
  private func enter(_ counts: inout [String: Resolve.EntityCounts]) throws(DecantError) {
    var families: Set<String> = []
    for stubs in store.stubs {
      guard let relation = store.layout.relation(of: stubs.root), let map = ids.map(of: stubs.root)
      else { continue }
      let larger = try explaining("cannot record empty objects of \(stubs.root)") {
        () throws(SQLiteError) in
        for entity in relation.entities {
          counts[entity.name]?.stubs =
            try connection.integer(
              "SELECT count(*) FROM \(stubs.table) WHERE \(MappedStubs.entity) = \(entity.code)"
            ) ?? 0
        }
        return try widened(map, stubs)
      }
      guard let larger else { continue }
      ids.add(larger)
      families.insert(relation.family)
    }
    for relation in store.layout.relations where families.contains(relation.family) {
      guard let map = ids.map(of: relation.root) else { continue }
      let members = store.layout.relations.filter { $0.family == relation.family }.compactMap {
        other in ids.map(of: other.root).map { (other.root, $0.fresh) }
      }
      try explaining("cannot number \(relation.root)") { () throws(SQLiteError) in
        ids.add(try resolve.numbered(map, among: members))
      }
    }
  }

  /// Returns the map extended by the written empty objects; `nil` if there are none.
  private func widened(_ map: IDMap, _ stubs: MappedStubs) throws(SQLiteError) -> IDMap? {
    let all = try keys("SELECT \(MappedStubs.key) FROM \(stubs.table) ORDER BY 1", stubs)
    guard all.count > 0 else { return nil }
    let dangling = try keys(
      "SELECT \(MappedStubs.key) FROM \(stubs.table) WHERE \(MappedStubs.isDangling) ORDER BY 1",
      stubs
    )
    let existing = try union(map.existing, dangling)
    let included =
      map.included === map.existing && dangling.count == all.count
      ? existing : try union(map.included, all)
    return IDMap(
      root: map.root,
      form: map.form,
      existing: existing,
      included: included,
      fresh: map.fresh === map.included ? included : try union(map.fresh, all),
      matchedObjects: map.matchedObjects,
      stubs: all
    )
  }

  private func keys(_ select: String, _ stubs: MappedStubs) throws(SQLiteError) -> KeySet {
    let low = try connection.integer("SELECT min(\(MappedStubs.key)) FROM \(stubs.table)") ?? 0
    let high = try connection.integer("SELECT max(\(MappedStubs.key)) FROM \(stubs.table)") ?? 0
    let count = try connection.integer("SELECT count(*) FROM \(stubs.table)") ?? 0
    let set = try KeySet(range: low...high, expecting: count, on: connection)
    try connection.forEachRow(select) { row throws(SQLiteError) in
      try set.insert(row.integer(at: 0))
    }
    try set.seal()
    return set
  }

  /// Returns the keys of both sets; one of the sets itself if the other is empty.
  private func union(_ one: KeySet, _ other: KeySet) throws(SQLiteError) -> KeySet {
    guard let more = try other.bounds() else { return one }
    guard let own = try one.bounds() else { return other }
    let range = min(own.lowerBound, more.lowerBound)...max(own.upperBound, more.upperBound)
    let set = try KeySet(range: range, expecting: one.count + other.count, on: connection)
    try one.forEach { key throws(SQLiteError) in try set.insert(key) }
    try other.forEach { key throws(SQLiteError) in try set.insert(key) }
    try set.seal()
    return set
  }
}

extension Planner {
  /// Returns the search for empty objects, with the present selection.
  func stubSearch(_ ids: IDTable, _ resolve: Resolve, on connection: Connection, _ schema: String) -> StubSearch? {
    guard let store = source.mapped as? MappedStore else { return nil }
    var chosen: [String: KeySet] = [:]
    for root in store.stubs.map(\.root) { chosen[root] = ids.map(of: root)?.included }
    return StubSearch(
      connection: connection,
      store: store,
      destination: destination,
      ids: ids,
      resolve: resolve,
      schema: schema,
      chosen: chosen
    )
  }
}
