internal import DecantBase
internal import DecantMatch
internal import DecantPlan
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
    for name in group
    where matcher.keepsBoth(name, [.keepBoth, .threeWay]) || rules.decisionsFile != nil {
      try explaining("cannot keep both of \(name)") { () throws(SQLiteError) in
        if let root = matcher.hashes.root(name), !matcher.isIntoNothing {
          try matcher.sumUpOwned(by: root, valuesOnly: true)
        }
        try matcher.findKeptBeside(name)
      }
    }
    var count: Int64 = -1
    // First by everything except links among the group, since link targets may be copies of an earlier merge.
    var passed = others.union(group)
    while true {
      var found: Int64 = 0
      for name in group {
        guard let pairs = matcher.pairs[name] else { continue }
        try choose(name, of: matcher, without: passed, keptCopies: true, waitsForTargets: waitsForTargets)
        try KeptCopies(
          connection: matcher.connection,
          hashes: matcher.hashes,
          pairs: pairs,
          others: passed,
          isConflict: base != nil
        ).settle()
        found += try explaining("cannot keep both of \(name)") { () throws(SQLiteError) in
          try pairs.doubleCount()
        }
      }
      // A part of an object of the same group may have been processed before that object.
      guard found > count || passed != others else { return }
      count = found
      passed = others
    }
  }
}
