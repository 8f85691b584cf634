internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// One comparison of two stores whose objects are matched: counts the differences, then names them.
struct DiffRun {
  let diff: Diff
  let comparison: Comparison
  /// The compared entities; `nil` for all.
  let wanted: Set<String>?
  let matchedBy: [String: MatchedBy]
  /// The maximum number listed beside the report for each entity and relationship; `nil` for no list.
  let listLimit: Int?

  var connection: Connection { comparison.connection }
  var source: Layout { comparison.source.layout }
  var destination: Layout { comparison.destination.layout }

  /// Removes from `ids` the objects whose keys map to no object of `there`, the second store's own table.
  static func restrict(
    _ ids: IDTable,
    to there: IDTable,
    _ layout: Layout,
    _ connection: Connection
  ) throws(SQLiteError) {
    for relation in layout.relations {
      guard let map = ids.map(of: relation.root), let bounds = try map.existing.bounds() else {
        continue
      }
      // The pairs that were found are known to exist.
      if case .stored = map.form { continue }
      let keys = there.map(of: relation.root)?.existing
      let set = try KeySet(range: bounds, expecting: map.existing.count, on: connection)
      try map.existing.forEach { key throws(SQLiteError) in
        guard let image = try map.destination(of: key), try keys?.contains(image) == true else {
          return
        }
        try set.insert(key)
      }
      try set.seal()
      ids.add(
        IDMap(
          root: map.root,
          form: map.form,
          existing: map.existing,
          included: set.count == map.existing.count ? map.existing : set
        )
      )
    }
  }

  /// Compares everything; returns the report, and the list if one is requested.
  func report(
    countsInB: [String: Resolve.EntityCounts],
    _ cancellation: Cancellation,
    _ onEvent: (WorkEvent) -> Void
  ) throws(DecantError) -> (DiffReport, FoundDifferences?) {
    var plan = comparison.plan.lookingBothWays(source, destination, kept: comparison.keptRoots)
    plan.steps.removeAll { !isWanted($0) }
    var report = DiffReport(
      a: comparison.source.identity,
      b: comparison.destination.identity,
      entities: entities(countsInB),
      rows: [],
      differences: [],
      isCutOff: false,
      notes: comparison.notes
    )
    let (proof, expected, actual) = try comparison.proven(plan, cancellation, onEvent)
    let differing = Set(proof.differingSteps(expected, actual).map(\.name))
    let list = try explaining("cannot list what differs") { () throws(SQLiteError) -> FoundDifferences? in
      guard let listLimit else { return nil }
      return try FoundDifferences(of: comparison.finder(proof), limit: listLimit)
    }
    for step in proof.plan.steps {
      let finder = comparison.finder(proof)
      list?.begin(step)
      let (counts, isEqual) = (expected[step.name] ?? [:], !differing.contains(step.name))
      try explaining("cannot find the differences in \(step.title)") { () throws(SQLiteError) in
        switch step.kind {
        case .objects(let root):
          try addObjects(of: root, step, isEqual ? nil : finder, counts, list, to: &report)
        case .unkeyed(let root, let key):
          try addUnkeyed(root, isToldByKey: !key.isEmpty, step, isEqual ? nil : finder, counts, list, to: &report)
        case .links, .rows:
          try addRows(of: step, isEqual ? nil : finder, counts, list, to: &report)
        }
      }
    }
    try addLostTables(to: &report)
    let texts = TextIndexComparison(comparison: comparison)
    let found = try explaining("cannot compare the full-text indexes") { () throws(SQLiteError) in
      try texts.differences(of: wanted)
    }
    report.add(found, limit: max(listLimit ?? 0, diff.differenceLimit))
    report.notes += [texts.note].compactMap(\.self)
    try explaining("cannot name what differs") { () throws(SQLiteError) in
      for index in report.differences.indices {
        let item = report.differences[index]
        if item.name == nil { report.differences[index].name = try comparison.name(of: item) }
      }
    }
    report.entities.removeAll { entity in
      entity.same + entity.changed + entity.onlyInA + entity.onlyInB == 0
    }
    return (report, list)
  }

  /// Returns all compared entities, without counts.
  private func entities(_ countsInB: [String: Resolve.EntityCounts]) -> [DiffReport.Entity] {
    comparison.source.model.entities.compactMap { entity in
      guard comparison.counts[entity.name] != nil || countsInB[entity.name] != nil,
        wanted?.contains(entity.name) ?? true
      else { return nil }
      return DiffReport.Entity(name: entity.name, matchedBy: matchedBy[entity.name] ?? .key)
    }
  }

  private func isWanted(_ step: CopyStep) -> Bool {
    guard let wanted else { return true }
    return switch step.kind {
    case .objects(let root), .unkeyed(let root, _):
      source.relation(of: root)?.entities.contains { wanted.contains($0.name) } ?? false
    case .links(let links):
      wanted.contains(links.relationship.entity)
        || (links.inverse.map { wanted.contains($0.entity) } ?? false)
    case .rows: false
    }
  }

  private func addObjects(
    of root: String,
    _ step: CopyStep,
    _ finder: DifferenceFinder?,
    _ sums: [Int64: RowHash.Sum],
    _ list: FoundDifferences?,
    to report: inout DiffReport
  ) throws(SQLiteError) {
    guard let here = source.relation(of: root), let there = destination.relation(of: root) else {
      return
    }
    let proof = comparison.proof(comparison.plan)
    for (code, sum) in sums {
      report.change(proof.entityName(code, in: step)) { $0.same += sum.count }
    }
    var items: [DiffReport.Item] = []
    if let finder {
      try finder.forEachChange(in: step) { key, image, code throws(SQLiteError) in
        let name = proof.entityName(code, in: step)
        guard wanted?.contains(name) ?? true else { return }
        report.change(name) { $0.count(.changed, 1) }
        try list?.add(.changed, of: name, keysInA: [key], keyInB: image)
        guard items.count <= diff.differenceLimit else { return }
        items.append(
          DiffReport.Item(
            entity: name,
            kind: .changed,
            keysInA: [key],
            keysInB: [image],
            changes: try changes(of: key, step, finder, there)
          )
        )
      }
    }
    for (relation, side) in [(here, MatchSide.source), (there, .destination)] {
      let unpaired = try Unpaired(
        relation,
        side,
        on: connection,
        limit: DifferenceLimit.beyond(diff.differenceLimit),
        entities: wanted
      ) { entity, key throws(SQLiteError) in
        let isHere = side == .source
        try list?.add(
          isHere ? .onlyInA : .onlyInB,
          of: entity,
          keysInA: isHere ? [key] : [],
          keyInB: isHere ? nil : key
        )
      }
      for (entity, count) in unpaired.counts {
        report.change(entity) {
          if side == .source { $0.onlyInA += count } else { $0.onlyInB += count }
        }
      }
      items += unpaired.first.map { entity, key in
        DiffReport.Item(
          entity: entity,
          kind: side == .source ? .onlyInA : .onlyInB,
          keysInA: side == .source ? [key] : [],
          keysInB: side == .source ? [] : [key]
        )
      }
    }
    report.add(items, limit: diff.differenceLimit)
  }

  private func changes(
    of key: Int64,
    _ step: CopyStep,
    _ finder: DifferenceFinder,
    _ relation: Relation
  ) throws(SQLiteError) -> [DiffReport.Change] {
    try finder.changes(of: key, step).map { change(of: $0, step, relation) }
  }

  func change(
    of values: (proof: CopyStep.Proof, here: Binding, there: Binding),
    _ step: CopyStep,
    _ relation: Relation?
  ) -> DiffReport.Change {
    let property = values.proof.property
    guard diff.showsValues else { return DiffReport.Change(property: property) }
    let name = step.assignments.first { $0.proof == values.proof }?.column
    let column = relation?.columns.first { $0.name == name }
    let terms = comparison.source.model.terms
    return DiffReport.Change(
      property: property,
      valueInA: ValueText.text(of: values.here, in: column, terms),
      valueInB: ValueText.text(of: values.there, in: column, terms)
    )
  }
}
