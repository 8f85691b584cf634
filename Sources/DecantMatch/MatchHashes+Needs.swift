internal import DecantPlan
internal import DecantSQLite

/// The root entities that must be matched before the objects of another one.
extension MatchHashes {
  /// The root entities of all links; for objects that continue others, only the root entity of those others.
  var needs: [String: Set<String>] {
    var needs = identityNeeds
    for root in roots {
      needs[root.name, default: []].formUnion(links(of: root).map(\.target))
      if root.isKnownByContent { needs[root.name]?.formUnion(ownedNeeds(of: root, [])) }
      if let other = continued(by: root) { needs[root.name] = [other.name] }
    }
    return needs
  }

  /// Returns the targets of the links of parts of `root`'s objects.
  func ownedNeeds(of root: MatchRoot, _ path: Set<String>) -> Set<String> {
    guard !path.contains(root.name) else { return [] }
    var needs: Set<String> = []
    for (child, link) in owned(by: root) where !path.contains(child.name) {
      needs.formUnion(links(of: child).filter { $0.property != link.property }.map(\.target))
      needs.formUnion(ownedNeeds(of: child, path.union([root.name])))
    }
    // Links back to the object itself say nothing about it.
    return needs.subtracting([root.name])
  }

  /// Returns hashes in which links to objects of a cycle that continue others count as links to those others.
  ///
  /// Both have the same keys and are paired together, so the continuing objects are not part of the cycle. A root
  /// entity with an object that continues none is unchanged, since links to that object would otherwise lead nowhere.
  func withoutContinuedInCycles(on connection: Connection) throws(SQLiteError) -> MatchHashes {
    var redirections: [String: String] = [:]
    for group in MatchOrder(roots.map(\.name), needs: needs).groups where group.count > 1 {
      for name in group {
        var leading = name
        var passed: Set<String> = []
        while passed.insert(leading).inserted, let own = root(leading), let other = continued(by: own),
          try continuesAlways(own, other, on: connection)
        {
          leading = other.name
        }
        if leading != name { redirections[name] = leading }
      }
    }
    var hashes = self
    hashes.redirections = redirections
    return hashes
  }

  /// Returns whether every object of `root` continues one of `other`, in both stores.
  private func continuesAlways(
    _ root: MatchRoot,
    _ other: MatchRoot,
    on connection: Connection
  ) throws(SQLiteError) -> Bool {
    for side in MatchSide.allCases {
      let lone =
        "SELECT 1 FROM \(root.table(side)) WHERE \(root.key(side)) NOT IN "
        + "(SELECT \(other.key(side)) FROM \(other.table(side))) LIMIT 1"
      if try connection.integer(lone) != nil { return false }
    }
    return true
  }
}
