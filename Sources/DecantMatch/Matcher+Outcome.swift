internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The matching of objects by their content after the merge.
extension Matcher {
  /// Pairs unpaired objects of `group` whose content is equal with the links that they have after the merge.
  ///
  /// A kept copy and its original are two objects afterwards, and links may lead to either. No link leads to objects
  /// that are not merged. An object in conflict that the destination removed did not exist in an earlier run that left
  /// it undecided: objects added by that run do not link to it. Restored or added objects own no part that the
  /// destination has elsewhere.
  ///
  /// - Parameters:
  ///   - group: The root entities, whose kept copies are known.
  ///   - found: All pairs.
  /// - Returns: Whether there were any.
  /// - Throws: `DecantError` if a store cannot be read.
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

  /// Returns whether links of `roots` may lead elsewhere after the merge: to a kept copy or its original, or to nothing
  /// within their own group.
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

  /// Returns whether an object of the source may lose parts in the merge: it is restored, or one of its parts is in the
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
