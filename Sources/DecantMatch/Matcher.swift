package import DecantBase
package import DecantPlan
package import DecantStore
package import DecantSQLite

/// A search for objects of the source that the destination already has.
///
/// Each root entity is matched after the targets of its identities and links. Both stores are read in parallel in hash
/// order, so that only the pairs are kept.
package final class Matcher {
  package let connection: Connection
  package let rules: MergeRules
  /// The objects of the source that are merged, by root entity.
  package let included: [String: KeySet]
  package var hashes: MatchHashes
  package let pairs: [String: ObjectPairs]
  /// The merge's decisions on the pairs; `nil` if stores are only compared.
  let decider: (any MatchDecider)?
  /// Whether the destination has no objects: then only duplicates within the source are found.
  package let isIntoNothing: Bool
  /// The progress of the matching, if it is reported.
  package var progress: SearchProgress?
  /// The root entities whose objects kept their keys, as both stores have a common ancestor.
  package private(set) var lineage: Set<String> = []
  /// The highest key with the same object in both stores, by root entity.
  var highest: [String: Int64] = [:]
  /// The lowest key from which equal keys are no evidence, by root entity.
  var forks: [String: Int64] = [:]
  /// The keys under which both stores have an object that is more like one of another key, by root entity.
  var contestedKeys: [String: Set<Int64>] = [:]
  /// The number of objects whose key belongs to another object in the destination, by root entity.
  package var unequalKeys: [String: Int64] = [:]
  /// The root entities whose pairs are not known yet.
  var unmatched: Set<String>
  /// The root entities of which all objects in the source have an identity.
  var identified: Set<String> = []
  /// The objects that content alone cannot pair.
  let alike: LookAlikes
  /// The objects that are parts of others.
  package let parts: PartLinks

  /// Prepares to match the objects that `plan` would copy.
  package init(
    _ plan: CopyPlan,
    model: Model,
    layouts: Sided<Layout>,
    schemas: Sided<String>,
    rules: MergeRules,
    included: [String: KeySet],
    decider: (any MatchDecider)? = nil,
    keepsPartners: Bool,
    isIntoNothing: Bool = false,
    on connection: Connection
  ) throws(SQLiteError) {
    self.isIntoNothing = isIntoNothing
    var roots = MatchRoot.all(of: plan, model, layouts, schemas: schemas, declared: rules.identities)
    self.connection = connection
    self.rules = rules
    self.decider = decider
    self.included = included
    roots = Matcher.breakCycles(among: roots, model, rules)
    hashes = try MatchHashes(roots: roots, model: model, layouts: layouts, schemas: schemas)
      .withoutContinuedInCycles(on: connection)
    alike = LookAlikes(hashes, on: connection)
    parts = PartLinks(hashes, marks: rules.likeness?.marks ?? [])
    hashes.closedParts = Set(parts.closed)
    if !isIntoNothing {
      if let known = rules.keptKeys {
        lineage = known
      } else {
        lineage = try Lineage(
          connection: connection,
          rule: rules.lineage,
          isAncestor: rules.isAboutAncestor
        ).roots(roots) { included[$0] }
      }
    }
    var pairs: [String: ObjectPairs] = [:]
    let byContent = Set(roots.filter(\.isKnownByContent).map(\.name))
    let targets = Set(
      layouts.source.relations.flatMap { $0.columns.compactMap(\.targetRoot) }
        + layouts.source.linkRelations.flatMap { [$0.ownerRoot, $0.targetRoot] }
        + (layouts.destination.nonIntegerKeys + layouts.destination.partialLinks)
        .flatMap { [$0.root, $0.targetRoot] }
    )
    for root in roots {
      pairs[root.name] = try ObjectPairs(
        root,
        among: included[root.name],
        keepsPartners: keepsPartners || targets.contains(root.name) || !root.identities.isEmpty
          || !root.lateIdentities.isEmpty
          || lineage.contains(root.name) || hashes.continued(by: root) != nil
          || hashes.links(of: root).contains { $0.isOwner || byContent.contains($0.target) },
        on: connection
      )
    }
    self.pairs = pairs
    unmatched = Set(roots.map(\.name))
  }

  /// Matches all objects; returns the pairs by root entity.
  package func run() throws(DecantError) -> [String: ObjectPairs] {
    // An entity that needs itself, as nested folders do, is matched level by level.
    let others = Dictionary(uniqueKeysWithValues: hashes.identityNeeds.map { ($0, $1.subtracting([$0])) })
    if let cycle = MatchOrder.cycle(hashes.roots.map(\.name), needs: others) {
      throw identityCycle(cycle)
    }
    let found = PairsByRoot(pairs.values)
    for root in hashes.roots {
      found.included[Int64(root.number)] = included[root.name]
      found.contested[Int64(root.number)] = decider?.contested[root.name]
    }
    defer { found.removeAll() }
    try explaining("cannot match objects") { () throws(SQLiteError) in try register(found) }
    if let decider, decider.hasBase { try pair(through: decider) }
    // Part of a group's time is for decisions, which have another order.
    progress?.beginSteps(of: hashes.roots.reduce(0) { $0 + 4 * size(of: [$1.name]) })
    for group in groups {
      progress?.begin(group.joined(separator: ", "), 3 * size(of: group))
      if decider?.hasBase == true {
        try matchBesideBase(group)
      } else {
        try match(group)
        progress?.reach(0.5)
        var isFound = false
        for (number, pairMore) in [pairMoved, pairByKey, pairMoved].enumerated() {
          // The third can find more than the first only among others that are paired by now.
          guard number < 2 || isFound, try pairMore(group) else { continue }
          isFound = true
          try matchTheRestByIdentity(group, knowing: Set(group))
          try matchTheRestByContent(group)
        }
      }
      try matchTheRestByPartialKeys(group)
      progress?.reach(0.7)
      // A row that extends another one is kept or removed with it.
      let own = group.filter { hashes.root($0).flatMap(hashes.continued) == nil }
      if own.count > 1 {
        // Their copies of an earlier merge identify the targets of others.
        try decider?.findKeptCopies(among: own, without: [], waitsForTargets: true, of: self)
        try decider?.findEarlierKeptCopies(among: group, of: self)
      }
      try decider?.findKeptCopies(among: own, without: [], of: self)
      try decider?.findEarlierKeptCopies(among: group, of: self)
      progress?.reach(0.85)
      while try matchTheRestByOutcome(group, found) {
        try decider?.findEarlierKeptCopies(among: group, of: self)
      }
      try pairParts(of: group)
      unmatched.subtract(group)
      for name in group {
        try decider?.check(name, of: self)
      }
    }
    try pairAlike(Set(hashes.roots.map(\.name)))
    while try pairByHoldersAndOwners() { try matchTheRest(found) }
    try pairButForSingleLinks()
    try explaining("cannot count objects of equal keys") { () throws(SQLiteError) in try countUnmatchedKeys() }
    try explaining("cannot keep both") { () throws(SQLiteError) in
      for own in pairs.values { try own.forgetNumbers() }
    }
    // The outcome of a part may depend on that of its owner.
    for name in groups.joined().filter({ parts.owners[$0] == nil }) + parts.names {
      progress?.begin(name, size(of: [name]))
      try decider?.choose(name, of: self)
    }
    return pairs
  }

  /// Returns the number of the source's objects of these root entities to match.
  private func size(of names: [String]) -> Int64 {
    names.reduce(0) { $0 + (included[$1]?.count ?? 0) }
  }

  /// The groups of root entities in the order of matching.
  package var groups: [[String]] { MatchOrder(hashes.roots.map(\.name), needs: hashes.needs).groups }

  /// Pairs the objects that content alone cannot pair.
  ///
  /// - Parameter names: The root entities whose pairs are needed now.
  /// - Throws: `DecantError` if a store cannot be read.
  func pairAlike(_ names: Set<String>) throws(DecantError) {
    try explaining("cannot match objects of equal content") { () throws(SQLiteError) in
      try alike.settle(names)
    }
  }

  func register(_ pairs: PairsByRoot) throws(SQLiteError) {
    try connection.register(MixLinkedFunction(), as: "mix_linked", [.directOnly, .deterministic])
    try connection.register(MixSum(), as: "mix_sum", .directOnly)
    try connection.register(MergeDoubleFunction(pairs), as: "merge_kept_copy", .directOnly)
    try connection.register(MergeKeptFunction(pairs), as: "merge_kept", .directOnly)
    try connection.register(MergeKeptFunction(pairs, isContested: true), as: "merge_contested", .directOnly)
    try connection.register(RepresentativeFunction(pairs), as: "merge_representative", .directOnly)
    try connection.register(AnotherFunction(), as: "another", [.directOnly, .deterministic])
    try connection.register(EditedTextFunction(), as: "edited_text", [.directOnly, .deterministic])
    try connection.register(ShareWordFunction(), as: "share_word", [.directOnly, .deterministic])
    for side in MatchSide.allCases {
      try connection.register(MergeTokenFunction(side, pairs), as: "merge_token_\(side.rawValue)", .directOnly)
    }
  }

  /// Matches the entities of one group: a single one, or a cycle.
  func match(_ group: [String]) throws(DecantError) {
    if group.count == 1, let root = hashes.root(group[0]) {
      if let other = hashes.continued(by: root) { return try follow(other, root) }
      let loops = hashes.links(of: root).filter { $0.target == root.name }
      let needsItself = hashes.identityNeeds[root.name]?.contains(root.name) == true
      if loops.count == 1, needsItself || root.isKnownByContent {
        return try matchByLevels(root, loops[0])
      }
      if needsItself { throw identityCycle([root.name, root.name]) }
    }
    let late = lateRoots(of: group)
    let own = hashes.identityNeeds.mapValues { $0.intersection(group) }
    for name in MatchOrder(group, needs: own).groups.joined() where !late.contains(name) {
      try matchByIdentity(name)
    }
    // Objects that link to those matched by content are compared later.
    try decider?.findKeptCopies(among: group.filter { !late.contains($0) }, without: Set(group), of: self)
    try matchByContent(group, late: late)
  }

  /// Matches objects that link to one of their own entity, as nested folders do, from the outermost.
  func matchByLevels(_ root: MatchRoot, _ link: MatchHashes.Link) throws(DecantError) {
    guard let pairs = pairs[root.name], let keys = included[root.name] else { return }
    let name = root.name
    guard !isIntoNothing || !root.identities.isEmpty else { return }
    try pairAlike(hashes.identityNeeds[name] ?? [])
    var duplicates = Duplicates()
    try explaining("cannot match \(name)") { () throws(SQLiteError) in
      if !isIntoNothing { try sumUpOwned(by: root) }
      let levels = try MatchLevels(root, link, hashes, on: connection)
      defer { withExtendedLifetime(levels) {} }
      try pairs.beginStepwise(try levels.bounds(), max(keys.count, 1))
      let (known, content) = (identitySelects(of: root), contentSelects(of: root))
      for level in 0..<levels.count {
        func onLevel(_ selects: Sided<String>) -> Sided<String> {
          Sided { side in
            "SELECT h, k FROM (\(selects[side])) WHERE k IN (\(levels.keys(at: level, side)))"
          }
        }
        if !root.identities.isEmpty {
          let isReversed = rules.duplicates == .last
          let walk = try HashWalk(onLevel(known), isReversed: isReversed, on: connection)
          try pair(walk, pairs, &duplicates)
        }
        if !isIntoNothing { try pairByContent(root, onLevel(content), isStepwise: true) }
      }
      try pairs.settle()
      // Objects in a cycle have no level.
      guard levels.hasCircles, !isIntoNothing else { return }
      let cycle = try MatchCycle([root], hashes, late: [name], on: connection) { root, side in
        "\(root.key(side)) IN (\(levels.circles(side)))"
      }
      defer { withExtendedLifetime(cycle) {} }
      try cycle.refine()
      if cycle.isSettled { try pairByContent(root, cycle.selects(of: root)) }
    }
    try refuse(duplicates, name)
    try matchTheRest(of: root, by: root.furtherIdentities, pairs)
  }

  package func isIncluded(_ key: Int64, _ name: String) throws(SQLiteError) -> Bool {
    try included[name]?.contains(key) ?? false
  }
}
