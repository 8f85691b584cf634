internal import SQLite

/// What becomes of objects that both stores have.
extension Matcher {
  /// Decides what becomes of the objects of `name` that both stores have.
  func choose(
    _ name: String,
    without others: Set<String> = [],
    doubles: Bool = false,
    waitsForTargets: Bool = false
  ) throws(DecantError) {
    guard let pairs = pairs[name], let keys = included[name] else { return }
    var choice = MergeChoice(connection: connection, rules: rules, hashes: hashes, base: base)
    choice.findsProperties = findsProperties
    (choice.conflicts, choice.log) = (conflicts, log)
    choice.waitsForTargets = waitsForTargets
    choice.keepsBoth = keepsBoth(name, [.keepBoth])
    choice.owner = parts.owners[name]
    choice.ownerOutcome = choice.owner.flatMap { self.pairs[$0.target]?.outcome }
    choice.settledOwners = choice.owner.flatMap { self.pairs[$0.target]?.settled }
    choice.isMark = rules.likeness?.marks.contains(name) == true
    try explaining("cannot compare \(name)") { () throws(SQLiteError) in
      pairs.outcome = try choice.outcome(pairs, among: keys, without: others, doubles: doubles)
    }
  }

  /// Whether the policy of objects of the root entity `name` is one of `policies`.
  func keepsBoth(_ name: String, _ policies: Set<MergePolicy>) -> Bool {
    let entities = hashes.root(name)?.relations.destination.entities ?? []
    return entities.contains {
      policies.contains(rules.rule(of: $0.name, in: hashes.model).policy)
    }
  }

  /// Finds out which objects that stay beside their like came there in an earlier merge: those that hold the same, now
  /// that it is known what they lead to.
  func findKeptDoubles(among group: [String]) throws(DecantError) {
    let own = group.compactMap { pairs[$0] }
    let count = try explaining("cannot keep both") { () throws(SQLiteError) in
      var count: Int64 = 0
      for pairs in own { count += try pairs.doubleCount() }
      return count
    }
    guard count > 0 else { return }
    try matchTheRestByContent(group)
    try explaining("cannot keep both") { () throws(SQLiteError) in
      for pairs in own { try pairs.forgetNumbers() }
    }
  }

  /// Finds the objects that stay beside their like, and what belongs to them, before anything is matched by
  /// what it leads to.
  ///
  /// - Parameters:
  ///   - group: The root entities.
  ///   - others: Root entities that are not matched yet: what leads to them does not count.
  ///   - waitsForTargets: Whether a link to an object that has no partner yet is no difference.
  /// - Throws: `DecantError` where a store cannot be read, or nothing of an identity can be made another.
  func findDoubles(
    among group: [String],
    without others: Set<String>,
    waitsForTargets: Bool = false
  ) throws(DecantError) {
    let policies = [rules.rule] + rules.rules.values
    let hasDoubles =
      rules.duplicates == .keepBoth || rules.decisionsFile != nil && base == nil
      || policies.contains { $0.policy == .keepBoth || $0.policy == .threeWay }
    guard hasDoubles else { return }
    for name in group where keepsBoth(name, [.keepBoth, .threeWay]) || rules.decisionsFile != nil {
      try explaining("cannot keep both of \(name)") { () throws(SQLiteError) in
        if let root = hashes.root(name), !isIntoNothing {
          try sumUpOwned(by: root, valuesOnly: true)
        }
        try findKeptBeside(name)
      }
    }
    var count: Int64 = -1
    // At first by what is no link among themselves: what these lead to may be a double of an earlier merge.
    var passed = others.union(group)
    while true {
      var found: Int64 = 0
      for name in group {
        guard let pairs = pairs[name] else { continue }
        try choose(name, without: passed, doubles: true, waitsForTargets: waitsForTargets)
        try MergeDoubles(
          connection: connection,
          hashes: hashes,
          pairs: pairs,
          others: passed,
          isConflict: base != nil
        ).settle()
        found += try explaining("cannot keep both of \(name)") { () throws(SQLiteError) in
          try pairs.doubleCount()
        }
      }
      // What belongs to an object of the same group may have been looked at before it.
      guard found > count || passed != others else { return }
      count = found
      passed = others
    }
  }
}
