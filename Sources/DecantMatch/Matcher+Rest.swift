internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The matching of objects that link to those paired last: by links from others, and by their owners.
extension Matcher {
  /// Pairs objects by links from others and by their owners.
  ///
  /// - Returns: Whether there were any.
  /// - Throws: `DecantError` if a store cannot be read.
  func pairByHoldersAndOwners() throws(DecantError) -> Bool {
    let isFound = try pairByHolders()
    return try pairParts(of: hashes.roots.map(\.name)) || isFound
  }

  /// Pairs the remaining objects of all root entities by identity and content, now that more targets are paired.
  ///
  /// Without this, an object that a merge added and linked to such a target would be added by the next merge again.
  ///
  /// - Parameter found: All pairs.
  /// - Throws: `DecantError` if a store cannot be read.
  func matchTheRest(_ found: PairsByRoot) throws(DecantError) {
    let names = hashes.roots.map(\.name)
    try matchTheRestByIdentity(names)
    hashes.forgetOwned()
    for group in groups {
      if group.count == 1, let root = hashes.root(group[0]), let other = hashes.continued(by: root) {
        try follow(other, root)
        continue
      }
      try explaining("cannot match \(group.joined(separator: ", "))") { () throws(SQLiteError) in
        for root in group.compactMap(hashes.root) { try sumUpOwned(by: root) }
      }
      try matchTheRestByContent(group, knowingMore: true)
      while try matchTheRestByOutcome(group, found) {
        try decider?.findEarlierKeptCopies(among: group, of: self)
      }
    }
    try pairAlike(Set(names))
  }
}
