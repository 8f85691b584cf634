internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Objects that are known by what they hold after the merge.
extension Matcher {
  /// Pairs objects of `group` without partner that hold the same once their links lead where they do after the merge.
  ///
  /// An object that stays beside its like is two afterwards, and either of them is led to. What is not merged is led to by
  /// nothing. What is in conflict, as the destination has removed it, was not there in an earlier run that left it
  /// undecided: what that run added does not lead to it. What came back, or was added, owns no part that the destination
  /// has elsewhere.
  ///
  /// - Parameters:
  ///   - group: The root entities, whose objects that stay beside their like are known.
  ///   - found: All pairs.
  /// - Returns: Whether there were any.
  /// - Throws: `DecantError` where a store cannot be read.
  func matchTheRestByOutcome(_ group: [String], _ found: PairsByRoot) throws(DecantError) -> Bool {
    let roots = group.compactMap { hashes.root($0) }.filter { root in
      root.isKnownByContent && hashes.continued(by: root) == nil
        && pairs[root.name]?.keepsPartners == true
    }
    guard !isIntoNothing, !roots.isEmpty, try !areComplete(roots) else { return false }
    return try explaining("cannot match \(group.joined(separator: ", "))") {
      () throws(SQLiteError) in
      let count = try pairCount(of: roots)
      if try lead(roots, toOthersThanBefore: group) { try pairByOutcome(roots) }
      if !found.contested.isEmpty {
        (found.leavesOutContested, hashes.leavesOutContested) = (true, true)
        defer { (found.leavesOutContested, hashes.leavesOutContested) = (false, false) }
        try pairByOutcome(roots)
      }
      let owners = decider?.hasBase != true ? [] : roots.filter { !hashes.owned(by: $0).isEmpty }
      if !owners.isEmpty { try pairByOutcome(owners, isAlone: true) }
      return try pairCount(of: roots) > count
    }
  }

  private func pairCount(of roots: [MatchRoot]) throws(SQLiteError) -> Int64 {
    var count: Int64 = 0
    for root in roots { count += try pairs[root.name]?.count() ?? 0 }
    return count
  }

  /// Whether links of `roots` may lead elsewhere after the merge than before: to one of two that stay beside each other,
  /// or nowhere within their own group.
  private func lead(_ roots: [MatchRoot], toOthersThanBefore group: [String]) throws(SQLiteError) -> Bool {
    for target in Set(roots.flatMap { hashes.links(of: $0).map(\.target) }) {
      if try pairs[target]?.doubleCount() ?? 0 > 0 { return true }
      guard group.contains(target), let root = hashes.root(target) else { continue }
      let count = try connection.integer("SELECT count(*) FROM \(root.table(.source))") ?? 0
      if count > included[target]?.count ?? 0 { return true }
    }
    return false
  }

  private func pairByOutcome(_ roots: [MatchRoot], isAlone: Bool = false) throws(SQLiteError) {
    let cycle = try MatchCycle(roots, hashes, late: [], isLoose: true, isAlone: isAlone, on: connection) { root, side in
      var conditions = [isOpen(root, side)]
      switch side {
      case .source:
        conditions.append(hashes.isMerged(root.name, root.key(side)))
        if isAlone { conditions.append(mayLackParts(root)) }
      case .destination:
        conditions += pairs[root.name]?.openConditions(root.key(side), side) ?? []
      }
      return conditions.joined(separator: " AND ")
    }
    defer { withExtendedLifetime(cycle) {} }
    try cycle.refine()
    for root in roots where cycle.isSettled { try pairByContent(root, cycle.selects(of: root)) }
  }

  /// Whether an object of the source may not own afterwards what it owns there: it comes back, or one of its parts is in the
  /// base.
  private func mayLackParts(_ root: MatchRoot) -> String {
    let key = root.key(.source)
    let owners = hashes.owned(by: root).compactMap { child, link -> String? in
      guard let known = pairs[child.name] else { return nil }
      let owner = child.relations.source.value(of: link.columns.source)
      return """
        \(key) IN (SELECT \(owner) FROM \(child.table(.source)) WHERE \(child.key(.source)) IN
          (SELECT source FROM \(known.table) UNION ALL SELECT source FROM \(known.keptCopies)))
        """
    }
    return "(\((["\(hashes.isContested(root, key))"] + owners).joined(separator: " OR ")))"
  }
}
