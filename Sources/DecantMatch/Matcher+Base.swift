internal import DecantBase
internal import DecantPlan
internal import DecantSQLite

/// The matching of objects by the base of both stores.
extension Matcher {
  /// Pairs objects that are paired with the same object of the base.
  func pair(through decider: any MatchDecider) throws(DecantError) {
    for root in hashes.roots where hashes.continued(by: root) == nil {
      guard let pairs = pairs[root.name] else { continue }
      try explaining("cannot match \(root.name)") { () throws(SQLiteError) in
        try decider.forEachBasePair(of: root.name) { pair, found throws(SQLiteError) in
          guard try isIncluded(pair.source, root.name) else { return }
          var found = found
          // The comparison with the base determines what is new, so the pair is not settled.
          if case .likeness(let rank, _) = found { found = .likeness(rank: rank, isSettled: false) }
          try pairs.add(pair.source, pair.destination, found)
        }
        try pairs.settle()
      }
    }
  }

  /// Pairs objects of a group that the base does not have, by identity and content; never by key alone.
  func matchBesideBase(_ group: [String]) throws(DecantError) {
    let own = hashes.identityNeeds.mapValues { $0.intersection(group) }
    let names = MatchOrder(group, needs: own).groups.joined()
    for name in names {
      guard let root = hashes.root(name), let other = hashes.continued(by: root) else { continue }
      try follow(other, root)
    }
    // The root entities of the group that have been paired by their identity so far.
    var known: Set<String> = []
    for name in names {
      known.insert(name)
      guard let root = hashes.root(name), let pairs = pairs[name],
        hashes.continued(by: root) == nil
      else { continue }
      if let likeness = likeness(of: name) { try pair(root, by: likeness) }
      try pairAlike(hashes.identityNeeds[name] ?? [])
      try matchTheRest(of: root, by: [root.identities] + root.furtherIdentities, pairs, knowing: known)
    }
    // Objects that link to those matched by content are compared later.
    try decider?.findKeptCopies(among: Array(names), without: Set(group), of: self)
    for name in names {
      guard let root = hashes.root(name), hashes.continued(by: root) == nil else { continue }
      try explaining("cannot match \(name)") { () throws(SQLiteError) in
        try sumUpOwned(by: root)
        if !leadsToMembers(group) { try pairByContent(root, openSelects(of: root)) }
      }
    }
    try matchTheRestByContent(group)
    // Objects may lead to others by whose identity these lead back to them.
    let late = lateRoots(of: group)
    if !late.isEmpty { try matchTheRestByContent(group, late: late) }
    // Objects paired by content may be part of the identities of others.
    if group.count > 1 { try matchTheRestByIdentity(group, knowing: known) }
  }

  /// Returns the result of `contentSelects`, for unpaired objects.
  private func openSelects(of root: MatchRoot) -> Sided<String> {
    let selects = contentSelects(of: root)
    return Sided { side in
      "SELECT h, k FROM (\(selects[side])) WHERE k NOT IN "
        + "(SELECT \(side.column) FROM \(pairs[root.name]?.table.description ?? ""))"
    }
  }

  /// Returns whether an object of a group links to one of the group.
  func leadsToMembers(_ group: [String]) -> Bool {
    let members = Set(group)
    return group.contains { name in
      guard let root = hashes.root(name) else { return false }
      return hashes.links(of: root).contains { members.contains($0.target) }
    }
  }
}
