internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Decides the outcome for objects that both stores have, and which are kept as additional copies.
final class MergeDecider: MatchDecider {
  /// The base, which shows which store has changed an object, if the merge uses one.
  private let base: MergeBase?
  /// The listing and deciding of conflicts, and their log for the report.
  private let conflicts: Conflicts?
  private let log: ConflictLog?
  /// The check for objects of different entities that violate one constraint; `nil` if it is not needed.
  private let clash: InheritedUniquenessConflict?
  /// Whether only the differing properties of pairs are determined.
  private let findsProperties: Bool

  init(
    base: MergeBase? = nil,
    conflicts: Conflicts? = nil,
    log: ConflictLog? = nil,
    clash: InheritedUniquenessConflict? = nil,
    findsProperties: Bool = false
  ) {
    (self.base, self.conflicts, self.log) = (base, conflicts, log)
    (self.clash, self.findsProperties) = (clash, findsProperties)
  }

  var hasBase: Bool { base != nil }
  var contested: [String: KeySet] { base?.contested ?? [:] }

  func forEachBasePair(
    of root: String,
    do body: (MatchedPair, ObjectPairs.Found) throws(SQLiteError) -> Void
  ) throws(SQLiteError) { try base?.forEachPair(of: root, do: body) }

  func check(_ name: String, of matcher: Matcher) throws(DecantError) {
    try clash?.check(name, matcher)
  }

  func choose(_ name: String, of matcher: Matcher) throws(DecantError) {
    try choose(name, of: matcher, without: [], keptCopies: false, waitsForTargets: false)
  }

  private func choose(
    _ name: String,
    of matcher: Matcher,
    without others: Set<String>,
    keptCopies: Bool,
    waitsForTargets: Bool
  ) throws(DecantError) {
    guard let pairs = matcher.pairs[name], let keys = matcher.included[name] else { return }
    var choice = MergeChoice(connection: matcher.connection, rules: matcher.rules, hashes: matcher.hashes, base: base)
    choice.findsProperties = findsProperties
    (choice.conflicts, choice.log) = (conflicts, log)
    choice.waitsForTargets = waitsForTargets
    choice.keepsBoth = matcher.keepsBoth(name, [.keepBoth])
    choice.owner = matcher.parts.owners[name]
    choice.ownerOutcome = choice.owner.flatMap { matcher.pairs[$0.target]?.outcome }
    choice.settledOwners = choice.owner.flatMap { matcher.pairs[$0.target]?.settled }
    choice.isMark = matcher.rules.likeness?.marks.contains(name) == true
    try explaining("cannot compare \(name)") { () throws(SQLiteError) in
      pairs.outcome = try choice.outcome(pairs, among: keys, without: others, keptCopies: keptCopies)
    }
  }

  func findEarlierKeptCopies(among group: [String], of matcher: Matcher) throws(DecantError) {
    let own = group.compactMap { matcher.pairs[$0] }
    let count = try explaining("cannot keep both") { () throws(SQLiteError) in
      var count: Int64 = 0
      for pairs in own { count += try pairs.doubleCount() }
      return count
    }
    guard count > 0 else { return }
    try matcher.matchTheRestByContent(group)
    try explaining("cannot keep both") { () throws(SQLiteError) in
      for pairs in own { try pairs.forgetNumbers() }
    }
  }

  func findKeptCopies(
    among group: [String],
    without others: Set<String>,
    waitsForTargets: Bool,
    of matcher: Matcher
  ) throws(DecantError) {
    let rules = matcher.rules
    let policies = [rules.rule] + rules.rules.values
    let hasKeptCopies =
      rules.duplicates == .keepBoth || rules.decisionsFile != nil && base == nil
      || policies.contains { $0.policy == .keepBoth || $0.policy == .threeWay }
    guard hasKeptCopies else { return }
    func mayHaveKept(_ name: String) -> Bool {
      matcher.keepsBoth(name, [.keepBoth, .threeWay]) || rules.decisionsFile != nil
    }
    for name in group where mayHaveKept(name) {
      try explaining("cannot keep both of \(name)") { () throws(SQLiteError) in
        if let root = matcher.hashes.root(name), !matcher.isIntoNothing {
          try matcher.sumUpOwned(by: root, valuesOnly: true)
        }
        try matcher.findKeptBeside(name)
      }
    }
    for name in group {
      try explaining("cannot keep both of \(name)") { () throws(SQLiteError) in
        try matcher.findTargetsKeptBeside(name, where: mayHaveKept)
      }
    }
    var count: Int64 = -1
    // First by everything except links among the group, since link targets may be copies of an earlier merge.
    var passed = others.union(group)
    while true {
      var found: Int64 = 0
      let counted = Set(group).subtracting(passed)
      for name in group {
        try choose(name, of: matcher, without: passed, keptCopies: true, waitsForTargets: waitsForTargets)
        if counted.isEmpty { found += try settleKeptCopies(name, without: passed, of: matcher) }
      }
      if !counted.isEmpty {
        try postponeKeptCopies(among: group, leadingTo: counted, of: matcher)
        for name in group { found += try settleKeptCopies(name, without: passed, of: matcher) }
      }
      // A part of an object of the same group may have been processed before that object.
      guard found > count || passed != others else { return }
      count = found
      passed = others
    }
  }

  /// Settles the kept copies of `name`; returns the number of all of them.
  private func settleKeptCopies(_ name: String, without others: Set<String>, of matcher: Matcher) throws(DecantError)
    -> Int64
  {
    guard let pairs = matcher.pairs[name] else { return 0 }
    try KeptCopies(
      connection: matcher.connection,
      hashes: matcher.hashes,
      pairs: pairs,
      others: others,
      isConflict: base != nil
    ).settle()
    return try explaining("cannot keep both of \(name)") { () throws(SQLiteError) in try pairs.doubleCount() }
  }

  /// Takes back the kept copies that are not settled yet and lead to others of these, unless all of them do, in a cycle.
  ///
  /// The others may have been added by an earlier merge: then the objects that lead to them may be the same.
  private func postponeKeptCopies(among group: [String], leadingTo targets: Set<String>, of matcher: Matcher)
    throws(DecantError)
  {
    let own = group.compactMap { matcher.pairs[$0] }
    try explaining("cannot keep both") { () throws(SQLiteError) in
      for pairs in own {
        let (root, hashes) = (pairs.root, matcher.hashes)
        for link in hashes.links(of: root) where targets.contains(link.target) {
          guard let others = matcher.pairs[link.target] else { continue }
          let (key, target) = (root.key(.source), root.relations.source.value(of: link.columns.source))
          let isLoop = link.target == root.name ? " AND \(target) <> \(key)" : ""
          try matcher.connection.run(
            """
            UPDATE \(pairs.keptCopies) SET open = 2 WHERE open AND source IN (SELECT \(key) FROM \(root.table(.source))
              WHERE \(target) IN (SELECT source FROM \(others.keptCopies) WHERE open)\(isLoop))
            """
          )
        }
      }
      var isAny = false
      for pairs in own where !isAny {
        isAny = try matcher.connection.integer("SELECT 1 FROM \(pairs.keptCopies) WHERE open = 1 LIMIT 1") != nil
      }
      for pairs in own {
        let table = pairs.keptCopies
        try matcher.connection.run(
          isAny ? "DELETE FROM \(table) WHERE open = 2" : "UPDATE \(table) SET open = 1 WHERE open = 2"
        )
      }
    }
  }
}
