public import DecantBase
internal import DecantMatch
public import DecantPlan
public import DecantStore
internal import DecantSQLite

/// The proof that a store holds everything another one holds, at any later time.
///
/// Every object of the source must exist and be equal; the destination may hold more. Objects are matched by a kept ID
/// table, otherwise by key if keys were kept, otherwise by identity, otherwise by content.
public struct Verify: Runnable {
  public let source: StoreLocation
  public let destination: StoreLocation
  /// The ID table kept by the copy; without one, objects are matched.
  public var idTableFile: String?
  /// The place of a model to read a store that does not contain its own.
  public var model: String?
  /// Links that a plain database does not declare.
  public var links: [LinkDeclaration] = []
  /// The identities of objects, and whether both stores have a common origin, as for a merge; policies are ignored.
  public var rules = MergeRules()
  /// Columns that look like links but are not; only their names are checked.
  public var noLinks: [Property] = []
  /// The positions of these in a links file.
  private var noLinkPlaces: [Property: String] = [:]
  /// The maximum number of differences named for each root entity and relationship; negative numbers count as 0.
  public var differenceLimit = DifferenceLimit.standard
  private let opener: any StoreOpener

  package init(_ source: StoreLocation, against destination: StoreLocation, opener: any StoreOpener) {
    self.source = source
    self.destination = destination
    self.opener = opener
  }

  /// Takes the links from the options of a copy.
  ///
  /// - Parameter options: The options; all others are ignored.
  package mutating func take(linksOf options: CopyOptions) {
    (links, noLinks, noLinkPlaces) = (options.links, options.noLinks, options.noLinkPlaces)
  }

  /// The comparison; it never changes a store.
  public var operation: DecantOperation<VerifyReport> {
    DecantOperation("comparison", .compare) { cancellation, tell throws(DecantError) in
      try withoutActuallyEscaping(tell) { tell throws(DecantError) in
        try perform(cancellation, tell)
      }
    }
  }

  private func perform(_ cancellation: Cancellation, _ onEvent: @escaping (WorkEvent) -> Void)
    throws(DecantError) -> VerifyReport
  {
    onEvent(.began(.read))
    let comparison = try Comparison(
      Comparison.Request(
        source: source,
        destination: destination,
        model: model,
        idTableFile: idTableFile,
        links: links,
        noLinks: noLinks,
        noLinkPlaces: noLinkPlaces,
        rules: rules,
        comparesShared: true,
        opener: opener
      ),
      cancellation
    )
    onEvent(.began(.resolve))
    let search = SearchProgress(onEvent)
    let (trial, rest) = (search.part(0...0.5), search.part(0.5...1))
    var rules = rules.spelled(like: comparison.source.model)
    try rules.check(comparison.source.model, place: comparison.source.identity.place)
    var finding =
      rules.lineage == .none
      ? Finding(isEqual: false, matchedBy: [:], differences: [])
      : try equalKeys(comparison, cancellation, trial.take)
    if !finding.isEqual {
      let way = rules.lineage == .none ? search : rest
      finding = try self.finding(comparison, comparison.pair(by: rules, keepsKeys: true, way), cancellation, onEvent)
    }
    if !finding.isEqual, rules.lineage == .found, !comparison.lineage.isEmpty,
      try holdsMore(comparison, among: finding.differences.map(\.entity))
    {
      // Keys may be equal by chance, as in two stores that began alike and then got different objects.
      rules.lineage = .none
      let way = try comparison.pair(by: rules, keepsKeys: true, rest)
      let second = try self.finding(comparison, way, cancellation, onEvent)
      // Otherwise the pairing with far fewer differences is the more likely one.
      if second.isEqual || second.differences.count * 2 < finding.differences.count {
        finding = second
      }
    }
    let misbooked = try misbooked(comparison)
    if !misbooked.isEmpty { finding.add(misbooked, limit: differenceLimit) }
    try explaining("cannot list the differences") { () throws(SQLiteError) in
      for index in finding.differences.indices {
        let found = finding.differences[index]
        finding.differences[index].name = try comparison.name(of: found) ?? found.name
      }
    }
    let schema = try schema(comparison)
    var report = report(comparison, finding, schema)
    report.notes += try comparison.unreadTables()
    return report
  }

  /// Returns the schema differences; for a merged store, and tables on a server that decant did not make, only those where
  /// the source has values that it cannot hold; for a copy of such tables, without other declarations.
  private func schema(_ comparison: Comparison) throws(DecantError) -> [SchemaDifference] {
    let all = try explaining("cannot compare the schemas") { () throws(SQLiteError) in
      try comparison.schema.differences(of: nil)
    }
    let texts = try explaining("cannot compare the full-text indexes") { () throws(SQLiteError) in
      try TextIndexComparison(comparison: comparison).differences(of: nil)
    }
    let areOfOthers = [comparison.source.layout, comparison.destination.layout].map { layout in
      layout.relations.contains { $0.columns.contains { $0.spelling != nil } }
    }
    guard comparison.table != nil || comparison.isRenumbered || areOfOthers[0] != areOfOthers[1] else {
      return all + texts
    }
    // A file that was copied from such tables declares its columns in SQLite's words.
    guard comparison.table != nil || comparison.isRenumbered || areOfOthers[1] else {
      return all.filter { $0.change != .changed } + texts
    }
    // The rows of a virtual table are not counted, unless there are none.
    return all.filter { $0.change == .onlyInA && $0.count ?? ($0.kind == .table ? 1 : 0) > 0 } + texts
  }

  /// Returns errors in the destination's own system tables about copied objects.
  ///
  /// No object differs, but the next object that an app creates would take another one's key, or no app can open the
  /// store.
  private func misbooked(_ comparison: Comparison) throws(DecantError) -> [Difference] {
    let known = try comparison.source.facts(on: comparison.connection, schema: CopySession.source).problems
    let found = try comparison.destination.facts(on: comparison.connection, schema: CopySession.destination).problems
    return found.compactMap { problem in
      guard let subject = problem.subject,
        !known.contains(where: { $0.kind == problem.kind && $0.subject == subject })
      else { return nil }
      let concerns =
        switch problem.kind {
        case .lowCounter: comparison.ids.map(of: subject)?.existing.count ?? 0 > 0
        case .metadataRows: problem.count == 0
        default: false
        }
      guard concerns else { return nil }
      return Difference(entity: subject, keys: [], kind: .misbooked(problem.text))
    }
  }

  /// The result of one way of matching.
  private struct Finding {
    var isEqual: Bool
    var matchedBy: [String: MatchedBy]
    var differences: [Difference]
    var isCutOff = false

    /// Adds the first `limit` differences of `some`.
    mutating func add(_ some: [Difference], limit: Int) {
      isEqual = false
      isCutOff = isCutOff || some.count > limit
      differences += some.prefix(max(limit, 0))
    }
  }

  /// Returns the result of matching by equal keys, if these are known to mean the same objects.
  private func equalKeys(
    _ comparison: Comparison,
    _ cancellation: Cancellation,
    _ onEvent: (WorkEvent) -> Void
  ) throws(DecantError) -> Finding {
    guard let matched = try comparison.pairEqualKeys() else {
      return Finding(isEqual: false, matchedBy: [:], differences: [])
    }
    return try finding(comparison, matched, cancellation, onEvent)
  }

  private func finding(
    _ comparison: Comparison,
    _ matchedBy: [String: MatchedBy],
    _ cancellation: Cancellation,
    _ onEvent: (WorkEvent) -> Void
  ) throws(DecantError) -> Finding {
    onEvent(.began(.check))
    var plan = comparison.plan
    var lost: [Difference] = []
    if comparison.isRenumbered {
      // An object of an entity that does not belong in its table differs from every other, and is named.
      _ = try comparison.offerThere(allowsMisplacedObjects: true)
      plan = plan.forgettingUnresolvedKeys(
        comparison.source.layout,
        comparison.destination.layout,
        kept: comparison.keptRoots
      )
      // A merged store keeps its own tables.
      plan.steps.removeAll { if case .rows = $0.kind { true } else { false } }
    } else {
      lost = try comparison.lostTables(
        comparison.source.layout,
        CopySession.source,
        comparison.destination.layout
      ).map { Difference(entity: "table \($0)", keys: [], kind: .missing) }
    }
    let (proof, expected, actual) = try comparison.proven(plan, cancellation, onEvent)
    var finding = Finding(isEqual: lost.isEmpty, matchedBy: matchedBy, differences: lost)
    try explaining("cannot find the differences") { () throws(SQLiteError) in
      for relation in comparison.source.layout.relations {
        try addMissing(of: relation, comparison, to: &finding)
      }
      for step in proof.differingSteps(expected, actual) {
        let finder = comparison.finder(proof)
        if step.isAnonymous {
          try addMissingRows(of: step, finder, to: &finding)
        } else {
          // One more than the limit shows that there are more.
          var some = try finder.differences(in: step, limit: DifferenceLimit.beyond(differenceLimit))
          // SQLite treats 1 and 1.0 as equal when it compares rows; the sums do not.
          if some.isEmpty { some = [Difference(entity: step.name, keys: [], kind: .added)] }
          finding.add(some, limit: differenceLimit)
        }
      }
    }
    return finding
  }

  /// Adds the objects without a match by identity or content; objects missing in an ID table were not copied.
  private func addMissing(
    of relation: Relation,
    _ comparison: Comparison,
    to finding: inout Finding
  ) throws(SQLiteError) {
    guard comparison.table == nil, let map = comparison.ids.map(of: relation.root), !map.isWhole
    else { return }
    let missing = try Unpaired(
      relation,
      .source,
      on: comparison.connection,
      limit: DifferenceLimit.beyond(differenceLimit)
    )
    let differences = missing.first.map {
      Difference(entity: $0.entity, keys: [$0.key], kind: .missing)
    }
    finding.add(differences, limit: differenceLimit)
  }

  /// Adds the rows without key that only the source has; the destination may hold others.
  private func addMissingRows(
    of step: CopyStep,
    _ finder: DifferenceFinder,
    to finding: inout Finding
  ) throws(SQLiteError) {
    var missing: [Difference] = []
    try finder.forEachRowDifference(in: step) { difference in
      guard difference.kind != .onlyInB, missing.count <= differenceLimit,
        // For rows that have no names, a single difference is enough.
        !difference.keys.isEmpty || !difference.name.isEmpty || missing.isEmpty
      else { return }
      var found = Difference(entity: step.name, keys: difference.keys, kind: .missing)
      if !difference.name.isEmpty {
        found.name = RowNames.name(of: difference.name)
        if difference.kind == .changed {
          found.kind = .changed(difference.changes.map(\.proof.property))
        }
      }
      missing.append(found)
    }
    if !missing.isEmpty { finding.add(missing, limit: differenceLimit) }
  }

  /// Returns whether the destination has more objects than the source of a root entity; of a plain database, only that of
  /// the `differing` tables matters.
  private func holdsMore(_ comparison: Comparison, among differing: [String]) throws(DecantError) -> Bool {
    try explaining("cannot count the objects") { () throws(SQLiteError) in
      for relation in comparison.destination.layout.relations where relation.keyColumn != nil {
        guard relation.terms == .objects || differing.contains(relation.root) else { continue }
        let table = relation.sqlTable(in: CopySession.destination)
        let count = try comparison.connection.integer("SELECT count(*) FROM \(table)") ?? 0
        if count > comparison.ids.map(of: relation.root)?.existing.count ?? 0 { return true }
      }
      return false
    }
  }

  private func report(_ comparison: Comparison, _ finding: Finding, _ schema: [SchemaDifference]) -> VerifyReport {
    let named = schema.first(differenceLimit)
    var report = VerifyReport(
      source: comparison.source.identity,
      destination: comparison.destination.identity,
      entities: comparison.source.model.entities.compactMap { entity in
        comparison.counts[entity.name].map { counts in
          VerifyReport.Entity(
            name: entity.name,
            source: counts.source,
            expected: counts.included,
            matchedBy: finding.matchedBy[entity.name] ?? .key
          )
        }
      },
      rejectedCount: comparison.table?.rejectedCount ?? 0,
      isEqual: finding.isEqual && schema.isEmpty,
      differences: finding.differences,
      isCutOff: finding.isCutOff || named.count < schema.count,
      notes: comparison.notes
        + [TextIndexComparison(comparison: comparison).note].compactMap(\.self)
    )
    (report.schema, report.schemaCount) = (named, Int64(schema.count))
    return report
  }
}
