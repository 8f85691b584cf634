package import DecantBase
package import DecantMatch
package import DecantPlan
internal import DecantProof
package import DecantStore
package import DecantSQLite

/// The common ancestor of two stores: tells of an object that differs which of them has changed it since.
///
/// The base is a store like any other, the archive that was sent for one. It is compared with both as a merge
/// would compare them, each on a connection of its own, before anything is written.
package final class MergeBase {
  /// What becomes of an object that differs, property by property.
  struct Merged {
    /// What only the source has changed.
    var taken: [ColumnRole] = []
    /// What both have changed, to different values.
    var conflicts: [ColumnRole] = []
  }

  /// The source, held against the base; and the base, held against the destination.
  private let source, destination: BaseComparison
  private let fingerprints: Sided<Fingerprint>
  /// The rules of the merge, with what tells objects apart where nobody said it.
  package let rules: MergeRules
  /// What the reader should know of that.
  package let notes: [ReportNote]
  /// What the destination has removed since: keys of the source.
  private let removed: RemovedObjects.Outcome
  /// What the source has removed since: keys of the destination.
  let dropped: RemovedObjects.Outcome
  /// What is to be known of links.
  package let baseChanges: BaseChanges
  /// The ordered lists that the source has put into another order since.
  private let lists: ListHistory
  /// Where conflicts are listed and decided, if they are.
  let conflicts: Conflicts?
  /// Whether objects with a conflict stay as the destination has them; else the source's are added beside them.
  var listsConflicts: Bool { rules.listsConflicts }

  private init(
    _ source: BaseComparison,
    _ destination: BaseComparison,
    _ fingerprints: Sided<Fingerprint>,
    _ rules: MergeRules,
    _ conflicts: Conflicts?,
    chosen: Set<String>,
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
      let history = LinkHistory(source: source, destination: destination)
      // What got a new link counts as changed by the side that has it.
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
        return try RemovedObjects(side: side, source: source, destination: destination, rules: rules, chosen: chosen)
          .find(changed: changed) { key, root throws(SQLiteError) in
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

  /// Opens what the rules of a merge name as its base, and compares it with both stores.
  ///
  /// - Returns: `nil` where nothing is asked of it.
  /// - Throws: `DecantError` where it cannot be opened, or does not belong to such stores.
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
    let source = try BaseComparison(there, rules, progress.part(0.25...0.6))
    let count = there.counts.values.reduce(0) { $0 + $1.source }
    let gaps = BaseGaps(there)
    guard source.pairCount > 0 || count == 0 && !gaps.isWhole else {
      throw DecantError(
        .wrongFile,
        "“\(base.place)” has no object of “\(there.source.identity.place)”",
        place: "\(option: .base)",
        remedy: "pass the archive that was sent, or another common base"
      )
    }
    // A base that was made of what was named, as one of an older version is, says so.
    let isAsNamed = Files.isSamePlace(here.source.path ?? base.place, base.place)
    let made = isAsNamed ? [] : here.source.readingNotes.map { $0.of(base.place) }
    return try MergeBase(
      source,
      BaseComparison(here, rules, progress.part(0.6...0.95)),
      fingerprints,
      rules,
      conflicts,
      chosen: Set(
        (options.filters + options.roots).map {
          there.source.model.root(of: $0.entity)?.name ?? $0.entity
        }
      ),
      notes: made + gaps.notes + identities.notes
    )
  }

  /// The attributes that tell objects apart in all stores, and what to note of them.
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
      // By their keys objects are found that were changed.
      lacking.formUnion(found.lacking.filter { name in !lineage.contains(model.root(of: name)?.name ?? name) })
    }
    var notes: [ReportNote] = []
    if let names, !names.isEmpty {
      let list = names.sorted { $0.key < $1.key }.map { "\($0.key).\($0.value[0])" }
      notes.append(
        ReportNote(
          .identityFound,
          "\(model.terms.objects) are identified by \(list.joined(separator: ", ")) (all values differ)"))
    }
    // Parts of what the source knows its ways to find are known by their owner.
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

  /// Makes sure that both stores are what the base was compared with.
  ///
  /// - Parameters:
  ///   - schema: The name under which the destination is attached.
  ///   - source: The state of the source that is read now.
  ///   - connection: The one that reads them now.
  ///   - destination: The store that is merged into.
  /// - Throws: `DecantError` where somebody has written to one since.
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
      remedy: "run the command again when no other program writes to it"
    )
  }

  /// Decides what becomes of a pair that differs in `differences`.
  ///
  /// What only the source has changed is taken. Of an object or a property that the base does not have, each side has
  /// added what it has a value for.
  func merged(_ pair: MatchedPair, _ differences: [PropertyDifference]) throws(SQLiteError) -> Merged {
    let (here, there) = (source.changes[pair.root], destination.changes[pair.root])
    let before = try source.partner(of: pair.source, pair.root)
    let isInBase =
      if let before {
        try destination.partner(of: before, pair.root) == pair.destination
      } else {
        false
      }
    var merged = Merged()
    for difference in differences {
      var (isChangedInSource, isChangedInDestination) =
        (!difference.isEmptyInSource, !difference.isEmptyInDestination)
      let isKnown = [source, destination].allSatisfy {
        $0.compares(difference.columnRole, of: pair.root)
      }
      if isInBase, isKnown, let before {
        isChangedInSource = try here?.contains(pair.source, difference.columnRole) ?? false
        isChangedInDestination = try there?.contains(before, difference.columnRole) ?? false
      }
      guard isChangedInSource else { continue }
      if isChangedInDestination {
        merged.conflicts.append(difference.columnRole)
      } else if !difference.isOpen {
        merged.taken.append(difference.columnRole)
      }
    }
    return merged
  }

  /// What of the source is not merged, as the destination has removed it, by root entity.
  ///
  /// What the source has changed since comes back, unless conflicts are listed and nobody has decided so.
  package var away: [String: KeySet] { removed.away }

  /// What the destination has removed and the source has changed, with all that belongs to it: keys of the source.
  var contested: [String: KeySet] { removed.contested }

  /// Enters what was found out about pairs: which properties are taken, and which objects go.
  ///
  /// - Parameters:
  ///   - pairs: The pairs, with what becomes of them.
  ///   - ids: The ID table, in which they are entered already.
  ///   - objects: What removes objects from the destination.
  ///   - hashes: What tells which objects own which.
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
      // A copy of an earlier merge is none of this one.
      for (root, own) in pairs where !isListed {
        try log.removeSettled(of: root, among: own.keptCopies)
      }
      let orders = ListOrders(connection: connection, ids: ids, layouts: hashes.layouts, schemas: hashes.schemas)
      baseChanges.orders = try orders.settle(lists, hashes, rules, conflicts, log)
    }
  }

  /// Calls `body` with every object of the source that the base and the destination have: its key in the destination, and
  /// by what it was found.
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

  /// Whether the base has the object `key` of the source.
  package func has(_ key: Int64, of root: String) throws(SQLiteError) -> Bool {
    try source.has(key, of: root)
  }
}
