package import DecantBase
package import DecantMatch
package import DecantPlan
internal import DecantProof
package import DecantStore
package import DecantSQLite

/// The common ancestor of two stores, which shows which of them has changed an object.
///
/// The base is a store like any other, for example the archive that was sent. It is compared with both stores as in a
/// merge, each on a separate connection, before anything is written.
package final class MergeBase {
  /// The result for an object that differs, by property.
  struct Merged {
    /// The properties that only the source has changed.
    var taken: [ColumnRole] = []
    /// The properties that both have changed to different values.
    var conflicts: [ColumnRole] = []
  }

  /// The comparison of the source with the base, and of the base with the destination.
  private let source, destination: BaseComparison
  private let fingerprints: Sided<Fingerprint>
  /// The rules of the merge, with identities that were found if none were requested.
  package let rules: MergeRules
  /// Notes for the reader on these.
  package let notes: [ReportNote]
  /// The objects that the destination has removed since: keys of the source.
  private let removed: RemovedObjects.Outcome
  /// The objects that the source has removed since: keys of the destination.
  let dropped: RemovedObjects.Outcome
  /// The changes of links and other results needed by the merge.
  package let baseChanges: BaseChanges
  /// The ordered lists whose order the source has changed since.
  private let lists: ListHistory
  /// The listing and deciding of conflicts, if the merge has them.
  let conflicts: Conflicts?
  /// Whether the destination's version of a conflicting object is kept; otherwise the source's is added as a copy.
  var listsConflicts: Bool { rules.listsConflicts }

  private init(
    _ source: BaseComparison,
    _ destination: BaseComparison,
    _ fingerprints: Sided<Fingerprint>,
    _ rules: MergeRules,
    _ conflicts: Conflicts?,
    chosen: Set<String>,
    _ selection: BaseSelection,
    notes: [ReportNote]
  ) throws(DecantError) {
    self.source = source
    self.conflicts = conflicts
    self.destination = destination
    self.fingerprints = fingerprints
    self.rules = rules
    self.notes = notes
    lists = try explaining("cannot compare ordered lists") { () throws(SQLiteError) in
      try ListHistory(source)
    }
    (removed, dropped, baseChanges) = try explaining("cannot find the removed objects") {
      () throws(SQLiteError) in
      let history = LinkHistory(source: source, destination: destination, selection: selection)
      // An object with a new link counts as changed on the side that has the link.
      func removed(from side: MatchSide) throws(SQLiteError) -> (RemovedLinks, [String: KeySet]) {
        var linked: [String: KeySet] = [:]
        let links = try history.removed(from: side) { link, owner, target throws(SQLiteError) in
          if side == .source, !chosen.isDisjoint(with: [link.holder, link.target]) { return }
          for (root, key) in [(link.holder, owner), (link.target, target)] {
            if linked[root] == nil {
              linked[root] =
                try side == .source
                ? source.existing(root).map { keys throws(SQLiteError) in
                  try KeySet(like: keys, on: source.connection)
                } : destination.keysThere(root)
            }
            try linked[root]?.insert(key)
          }
        }
        return (links, linked)
      }
      let (removedLinks, linkedHere) = try removed(from: .source)
      let (droppedLinks, linkedThere) = try removed(from: .destination)
      let baseChanges = BaseChanges(removedLinks, droppedLinks)
      func found(_ side: MatchSide, changed: [String: KeySet]) throws(SQLiteError) -> RemovedObjects.Outcome {
        let own = side == .source ? source : destination
        let values = ConflictValues(own.hashes, on: own.connection)
        let objects = RemovedObjects(
          side: side, source: source, destination: destination, rules: rules, chosen: chosen, selection: selection)
        return try objects.find(changed: changed) { key, root throws(SQLiteError) in
          try conflicts?.takesTheirs(deleted: key, of: root, side, values)
        } _: { key, root throws(SQLiteError) in
          try conflicts?.listAgain(key, of: root, values)
        }
      }
      if let conflicts { try source.keepValues(changedAlsoIn: destination, in: conflicts) }
      return (try found(.source, changed: linkedHere), try found(.destination, changed: linkedThere), baseChanges)
    }
    try source.release()
    try destination.release()
  }

  /// Opens the base given in the rules of a merge, and compares it with both stores.
  ///
  /// - Returns: `nil` if no base is needed.
  /// - Throws: `DecantError` if the base cannot be opened, or does not fit the stores.
  package static func open(
    _ source: StoreLocation,
    _ destination: StoreLocation,
    _ options: CopyOptions,
    _ conflicts: Conflicts?,
    _ opener: any StoreOpener,
    _ cancellation: Cancellation,
    _ progress: SearchProgress
  ) throws(DecantError) -> MergeBase? {
    guard var rules = options.merge, rules.needsBase, let base = rules.base else { return nil }
    guard options.commit == .run else {
      throw DecantError(
        .conflictingOptions,
        "a three-way merge runs in one transaction",
        place: "\(option: .merge, "three-way")",
        remedy: "remove \(option: .commit, "batch")"
      )
    }
    func comparison(_ first: StoreLocation, _ second: StoreLocation) throws(DecantError) -> Comparison {
      var request = Comparison.Request(
        source: first,
        destination: second,
        model: options.model,
        idTableFile: nil,
        links: options.links,
        noLinks: options.noLinks,
        noLinkPlaces: options.noLinkPlaces,
        rules: rules,
        leftOutTables: options.leftOutTables,
        comparesShared: true,
        opener: opener
      )
      request.numbersRows = true
      return try Comparison(request, cancellation)
    }
    let there = try comparison(source, base)
    let here = try comparison(base, destination)
    let fingerprints = try explaining("cannot read the stores") { () throws(SQLiteError) in
      Sided(
        try there.source.fingerprint(of: CopySession.source, on: there.connection),
        try here.source.fingerprint(of: CopySession.destination, on: here.connection)
      )
    }
    progress.show(0.1)
    let identities = try explaining("cannot look for identities") {
      () throws(SQLiteError) in
      try foundIdentities(rules, [there, here])
    }
    rules.identities.merge(identities.names) { said, _ in said }
    let source = try BaseComparison(there, ancestor: .destination, rules, progress.part(0.25...0.6))
    let count = there.counts.values.reduce(0) { $0 + $1.source }
    let gaps = BaseGaps(there)
    let baseCount = here.counts.values.reduce(0) { $0 + $1.source }
    guard count > 0 || baseCount == 0 else {
      throw DecantError(
        .wrongFile,
        "“\(there.source.identity.place)” has no objects, and the base has \(baseCount.counted("object")): the merge would delete what the "
          + "destination has of them",
        remedy: "check that it is the right file; a store that was emptied on purpose is not merged"
      )
    }
    guard source.pairCount > 0 || count == 0 && !gaps.isWhole else {
      throw DecantError(
        .wrongFile,
        "“\(base.place)” has no object of “\(there.source.identity.place)”",
        place: "\(option: .base)",
        remedy: "pass the archive that was sent, or another common base"
      )
    }
    let selection = try BaseSelection(options, here)
    // If another store was made from the given base, such as a migrated one, its notes say so.
    let isAsNamed = Files.isSamePlace(here.source.path ?? base.place, base.place)
    let made = isAsNamed ? [] : here.source.readingNotes.map { $0.of(base.place) }
    return try MergeBase(
      source,
      BaseComparison(here, ancestor: .source, rules, progress.part(0.6...0.95)),
      fingerprints,
      rules,
      conflicts,
      chosen: Set(
        (options.filters + options.roots).map {
          there.source.model.root(of: $0.entity)?.name ?? $0.entity
        }
      ),
      selection,
      notes: made + gaps.notes + identities.notes + selection.notes
    )
  }

  /// Returns the attributes that identify objects in all stores, and notes on them.
  private static func foundIdentities(_ rules: MergeRules, _ comparisons: [Comparison])
    throws(SQLiteError) -> (names: [String: [String]], notes: [ReportNote])
  {
    guard let model = comparisons.first?.source.model else { return ([:], []) }
    var names: [String: [String]]?
    var withoutNumbers: [String: [String]] = [:]
    var lacking: Set<String> = []
    for comparison in comparisons {
      try comparison.proof(comparison.plan).prepare(comparison.connection)
      let layouts = Sided(comparison.source.layout, comparison.destination.layout)
      let roots = MatchRoot.all(of: comparison.plan, model, layouts, declared: rules.identities)
      let lineage = try Lineage(
        connection: comparison.connection,
        rule: rules.lineage,
        isAncestor: true
      ).roots(roots) { comparison.ids.map(of: $0)?.existing }
      let found = try FoundIdentities(
        rules,
        roots,
        model,
        lineage: lineage,
        acceptsNames: true,
        on: comparison.connection
      )
      withoutNumbers.merge(found.withoutNumbers) { one, other in one.isEmpty ? one : other }
      names = names?.filter { found.names[$0.key] == $0.value } ?? found.names
      // Changed objects of other entities are matched by key, or through the rows that they continue.
      let continuing = roots.filter { !$0.continuedRoots.isEmpty }.map(\.name)
      lacking.formUnion(
        found.lacking.filter { name in
          let root = model.root(of: name)?.name ?? name
          return !lineage.contains(root) && !continuing.contains(root)
        }
      )
    }
    var notes: [ReportNote] = []
    if let names, !names.isEmpty {
      let list = names.sorted { $0.key < $1.key }.map { "\($0.key).\($0.value[0])" }
      notes.append(
        ReportNote(
          .identityFound,
          "\(model.terms.objects) are identified by \(list.joined(separator: ", ")) (all values differ)"))
    }
    // If the source has its own ways of matching, its parts are identified by their owners, so no note is needed.
    if !lacking.isEmpty, !comparisons.contains(where: { $0.source.likeness != nil }) {
      notes.append(
        ReportNote(
          .identityMissing,
          "the \(model.terms.objects) of \(lacking.sorted().joined(separator: ", ")) have no identity: one that was "
            + "changed is added as a new one",
          remedy: "set an identity with \(say: .identity)"
        )
      )
    }
    return ((names ?? [:]).merging(withoutNumbers) { own, _ in own }, notes)
  }

  /// Checks that both stores are still in the state that was compared with the base.
  ///
  /// - Parameters:
  ///   - schema: The schema name of the destination.
  ///   - source: The present state of the source.
  ///   - connection: The connection that reads the stores now.
  ///   - destination: The destination of the merge.
  /// - Throws: `DecantError` if one of them was changed since.
  package func checkIsCurrent(
    _ schema: String,
    source: Fingerprint,
    on connection: Connection,
    destination: any DestinationStore
  ) throws(DecantError) {
    let now = try explaining("cannot read “\(destination.identity.place)”") {
      () throws(SQLiteError) in
      try destination.place.store.fingerprint(of: schema, on: connection)
    }
    let other =
      now != fingerprints.destination
      ? destination.identity.place : self.source.comparison.source.identity.place
    guard now != fingerprints.destination || source != fingerprints.source else { return }
    throw DecantError(
      .fileChanged,
      "“\(other)” was changed while it was compared with the base",
      remedy: "\(.againOtherwise) when no other program writes to it"
    )
  }

  /// Returns the result for a pair with these `differences`.
  ///
  /// Changes made only by the source are taken. For an object or property that the base does not have, each side counts
  /// as having added its values. A change of one of `joint` properties is one of them all.
  func merged(
    _ pair: MatchedPair,
    _ differences: [PropertyDifference],
    joint: [Set<ColumnRole>]
  ) throws(SQLiteError) -> Merged {
    let (here, there) = (source.changes[pair.root], destination.changes[pair.root])
    let before = try source.partner(of: pair.source, pair.root)
    let isInBase =
      if let before {
        try destination.partner(of: before, pair.root) == pair.destination
      } else {
        false
      }
    var merged = Merged()
    // If only known objects are merged, what the base lacks stays unchanged.
    guard isInBase || !rules.leavesUnknown else { return merged }
    let others = differences.map(\.columnRole).filter { columnRole in !joint.contains { $0.contains(columnRole) } }
    for unit in joint + others.map({ [$0] }) {
      let found = differences.filter { unit.contains($0.columnRole) }
      guard !found.isEmpty else { continue }
      var (isChangedInSource, isChangedInDestination) =
        (found.contains { !$0.isEmptyInSource }, found.contains { !$0.isEmptyInDestination })
      let isKnown = [source, destination].allSatisfy { comparison in
        found.allSatisfy { comparison.compares($0.columnRole, of: pair.root) }
      }
      if isInBase, isKnown, let before {
        isChangedInSource = try here?.contains(pair.source, anyOf: unit) ?? false
        isChangedInDestination = try there?.contains(before, anyOf: unit) ?? false
      }
      guard isChangedInSource else { continue }
      if isChangedInDestination {
        merged.conflicts += found.map(\.columnRole)
      } else if !found.contains(where: \.isOpen) {
        merged.taken += found.map(\.columnRole)
      }
    }
    return merged
  }

  /// The source objects that are not merged because the destination has removed them, by root entity.
  ///
  /// Objects that the source has changed since are restored, unless conflicts are listed and there is no such decision.
  package var away: [String: KeySet] { removed.away }

  /// The objects that the destination has removed and the source has changed, including their parts: keys of the
  /// source.
  var contested: [String: KeySet] { removed.contested }

  /// Records the results of pairs: the properties that are taken, and the objects that are removed.
  ///
  /// - Parameters:
  ///   - pairs: The pairs, with their outcomes.
  ///   - ids: The ID table, which already contains them.
  ///   - objects: The removal of objects from the destination.
  ///   - hashes: The hashes of the objects, which give their owners.
  /// - Throws: ``DecantError`` if a database reports an error.
  func settle(
    _ pairs: [String: ObjectPairs],
    _ ids: IDTable,
    _ objects: DroppedObjects,
    _ hashes: MatchHashes
  ) throws(DecantError) {
    let connection = objects.connection
    if let conflicts {
      baseChanges.decided = { key, root, label throws(SQLiteError) in
        try conflicts.decided(key, root, label)
      }
    }
    baseChanges.taken = pairs.compactMapValues { $0.outcome?.properties }
    let isListed = listsConflicts
    try explaining("cannot list conflicts") { () throws(SQLiteError) in
      guard let log = ids.conflicts else { return }
      let values = ConflictValues(hashes, on: connection)
      let (away, ledTo) = try objects.settle(dropped.away, hashes, pairs) {
        key,
        root throws(SQLiteError) in
        try conflicts?.takesTheirs(deleted: key, of: root, .destination, values)
      } _: { object, part throws(SQLiteError) in
        try conflicts?.refuse(removing: object, for: part, values)
      }
      baseChanges.dropped = away
      for found in [dropped.conflicts, ledTo] {
        for (root, keys) in found {
          try keys.forEach { key throws(SQLiteError) in
            try log.add(deletedBySource: key, of: root)
          }
        }
      }
      for (root, keys) in removed.conflicts {
        try keys.forEach { key throws(SQLiteError) in
          try log.add(deletedByDestination: key, of: root)
        }
      }
      // A copy made by an earlier merge is not a conflict of this one.
      for (root, own) in pairs where !isListed {
        try log.removeSettled(of: root, among: own.keptCopies)
      }
      let orders = ListOrders(connection: connection, ids: ids, layouts: hashes.layouts, schemas: hashes.schemas)
      baseChanges.orders = try orders.settle(lists, hashes, rules, conflicts, log)
    }
  }

  /// Calls `body` with every source object that base and destination have: its key in the destination, and how it was
  /// found.
  func forEachPair(
    of root: String,
    do body: (MatchedPair, ObjectPairs.Found) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    try source.forEachPair(of: root) { key, before throws(SQLiteError) in
      guard let image = try destination.partner(of: before, root) else { return }
      let there = try destination.found(before, root)
      let found = there == .content ? try source.found(key, root) : there
      try body(MatchedPair(root: root, source: key, destination: image), found)
    }
  }

  /// Returns whether the base has the source object `key`.
  package func has(_ key: Int64, of root: String) throws(SQLiteError) -> Bool {
    try source.has(key, of: root)
  }
}
