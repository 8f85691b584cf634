internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantProof
internal import DecantStore
internal import DecantSQLite

/// The objects that one of two stores has removed since the base, as seen from the other store, which still has them.
///
/// An object is removed with all its parts. If one of these was changed, is new, or is the target of a new link, the
/// removal is contested: all of them are kept or restored, and the outermost object is a conflict.
struct RemovedObjects {
  /// The side of `comparison` that has the objects: the source in its comparison with the base, or the destination in
  /// the comparison of the base with it.
  let side: MatchSide
  let source: BaseComparison
  let destination: BaseComparison
  let rules: MergeRules
  /// Root entities limited by a condition on source objects, so that links from them may not be merged.
  let chosen: Set<String>
  /// The objects that the source may remove.
  let selection: BaseSelection

  /// The keys, in the store that has the objects, by root entity.
  struct Outcome {
    /// The objects that are absent from both stores afterwards.
    ///
    /// If conflicts are listed, these include contested objects that the destination has removed, unless decided
    /// otherwise.
    var away: [String: KeySet] = [:]
    /// The outermost objects that one store has removed and the other has changed, and that have no decision.
    var conflicts: [String: KeySet] = [:]
    /// The conflicting objects with all their parts, regardless of decisions.
    var contested: [String: KeySet] = [:]
  }

  private var own: BaseComparison { side == .source ? source : destination }
  private var connection: Connection { own.connection }
  private var hashes: MatchHashes { own.hashes }

  /// Finds the removed objects among those of entities that are merged with a base.
  ///
  /// - Parameters:
  ///   - changed: Objects that count as changed for another reason.
  ///   - takesTheirs: Returns whether the source's version of a conflict is taken, for an object's key and root entity;
  ///     `nil` if there is no decision.
  ///   - waits: Called with an object that was decided to be restored, and links to an undecided object.
  /// - Returns: The removed and the conflicting objects.
  /// - Throws: `SQLiteError` if a database reports an error.
  func find(
    changed: [String: KeySet] = [:],
    _ takesTheirs: (Int64, String) throws(SQLiteError) -> Bool?,
    _ waits: (Int64, String) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> Outcome {
    var touched: [String: KeySet] = [:]
    var missing: [String: KeySet] = [:]
    let left = try unselected()
    for root in hashes.roots where isKnown(root.name) {
      let codes = root.relations[side].entities.filter {
        rules.rule(of: $0.name, in: hashes.model).policy == .threeWay
      }.map(\.code)
      guard !codes.isEmpty, let keys = try existing(root) else { continue }
      let (conflicting, gone) = (try KeySet(like: keys, on: connection), try KeySet(like: keys, on: connection))
      let relation = root.relations[side]
      var select = "SELECT \(root.key(side)) FROM \(root.table(side))"
      if codes.count < relation.entities.count, let code = relation.entityCode() {
        select += " WHERE \(code) IN (\(codes.list))"
      }
      try connection.forEachRow(select) { row throws(SQLiteError) in
        let key = row.integer(at: 0)
        guard try isRemoved(key, root.name), try left[root.name]?.contains(key) != true else { return }
        try gone.insert(key)
        let isLinked = try changed[root.name]?.contains(key) == true
        let isUnchanged = try isUnchanged(key, root.name)
        if isLinked || !isUnchanged { try conflicting.insert(key) }
      }
      guard gone.count > 0 else { continue }
      (missing[root.name], touched[root.name]) = (gone, conflicting)
    }
    guard !missing.isEmpty else { return Outcome() }
    return try settle(missing, touched, changed, takesTheirs, waits)
  }

  /// Returns whether the other store can have such objects.
  private func isKnown(_ root: String) -> Bool {
    let other =
      side == .source
      ? destination.comparison.destination.layout : source.comparison.source.layout
    return other.relation(of: root) != nil
  }

  private func existing(_ root: MatchRoot) throws(SQLiteError) -> KeySet? {
    guard side == .destination else { return source.existing(root.name) }
    guard let keys = try destination.keysThere(root.name) else { return nil }
    try connection.forEachRow("SELECT \(root.key(side)) FROM \(root.table(side))") {
      row throws(SQLiteError) in try keys.insert(row.integer(at: 0))
    }
    try keys.seal()
    return keys
  }

  /// Returns the object's key in the base; `nil` if the base lacks it.
  private func before(_ key: Int64, _ root: String) throws(SQLiteError) -> Int64? {
    switch side {
    case .source: try source.partner(of: key, root)
    case .destination: try destination.origin(of: key, root)
    }
  }

  /// Returns whether the base has the object, and the other store does not.
  private func isRemoved(_ key: Int64, _ root: String) throws(SQLiteError) -> Bool {
    guard let before = try before(key, root) else { return false }
    return switch side {
    case .source: try !destination.has(before, of: root)
    case .destination: try source.origin(of: before, root) == nil
    }
  }

  /// Returns the objects that the source has removed and that the merge does not select, with their parts.
  private func unselected() throws(SQLiteError) -> [String: KeySet] {
    guard side == .destination, !selection.isWhole else { return [:] }
    var left: [String: KeySet] = [:]
    for root in hashes.roots {
      guard let keys = try existing(root) else { continue }
      let own = try KeySet(like: keys, on: connection)
      try connection.forEachRow("SELECT \(root.key(side)) FROM \(root.table(side))") { row throws(SQLiteError) in
        let key = row.integer(at: 0)
        guard let before = try before(key, root.name), try !selection.contains(before, of: root.name) else { return }
        if try isRemoved(key, root.name) { try own.insert(key) }
      }
      left[root.name] = own
    }
    try spread { root, key, owner, ownerKey throws(SQLiteError) in
      guard try left[owner]?.contains(ownerKey) == true, let own = left[root], try !own.contains(key),
        try isRemoved(key, root)
      else { return false }
      try own.insert(key)
      return true
    }
    return left
  }

  private func isUnchanged(_ key: Int64, _ root: String) throws(SQLiteError) -> Bool {
    switch side {
    case .source: return try source.isUnchanged(key, of: root)
    case .destination:
      guard let before = try before(key, root) else { return false }
      return try destination.isUnchanged(before, of: root)
    }
  }

  /// Decides on objects and their parts: `missing` are the objects that the other store has removed, and `touched`
  /// those among them that this one has changed.
  private func settle(
    _ missing: [String: KeySet],
    _ touched: [String: KeySet],
    _ changed: [String: KeySet],
    _ takesTheirs: (Int64, String) throws(SQLiteError) -> Bool?,
    _ waits: (Int64, String) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> Outcome {
    var all: [String: KeySet] = [:]
    var kept: [String: KeySet] = [:]
    for root in hashes.roots {
      guard let keys = try existing(root) else { continue }
      let own = try KeySet(like: keys, on: connection)
      try missing[root.name]?.forEach { key throws(SQLiteError) in try own.insert(key) }
      all[root.name] = own
      if let stays = touched[root.name] {
        kept[root.name] = stays
      } else {
        kept[root.name] = try KeySet(like: keys, on: connection)
      }
    }
    // An object that the other store never had is removed or kept with its owner, and causes the owner to be kept.
    try spread { root, key, owner, ownerKey throws(SQLiteError) in
      guard try all[owner]?.contains(ownerKey) == true, let own = all[root],
        try !own.contains(key), try before(key, root) == nil
      else { return false }
      try own.insert(key)
      try kept[root]?.insert(key)
      return true
    }
    var inner: [String: KeySet] = [:]
    var isFound = false
    repeat {
      isFound = false
      try keepOwners(of: changed, all, kept)
      let leaving = try leaving(all, kept)
      try spread { root, key, owner, ownerKey throws(SQLiteError) in
        guard let own = all[root], let owners = all[owner], try own.contains(key),
          try owners.contains(ownerKey)
        else { return false }
        try inner.insert(key, of: root, like: own, on: connection)
        guard let here = kept[root], let there = kept[owner] else { return false }
        let (isKept, isOwnerKept) = (try here.contains(key), try there.contains(ownerKey))
        guard isKept != isOwnerKept else { return false }
        // A part that also belongs to a removed object is removed with that object.
        if !isKept, try leaving[root]?.contains(key) == true { return false }
        if isKept { try there.insert(ownerKey) } else { try here.insert(key) }
        isFound = !leaving.isEmpty
        return true
      }
    } while try keepTargets(all, kept) || isFound
    for keys in all.values { try keys.seal() }
    var outcome = Outcome()
    var decided: [String: KeySet] = [:]
    var undecided: [String: KeySet] = [:]
    for root in hashes.roots.map(\.name) {
      guard let keys = all[root], keys.count > 0 else { continue }
      let (conflicts, own) = (try KeySet(like: keys, on: connection), try KeySet(like: keys, on: connection))
      try keys.forEach { key throws(SQLiteError) in
        guard try kept[root]?.contains(key) == true, try inner[root]?.contains(key) != true else {
          return
        }
        let isTheirs = try takesTheirs(key, root)
        if isTheirs == nil { try conflicts.insert(key) }
        // Objects removed by the source are removed; objects removed by the destination are left out.
        let goes =
          side == .destination ? isTheirs == true : rules.listsConflicts && isTheirs != true
        if goes { try own.insert(key) }
        if goes, isTheirs == nil {
          try undecided.insert(key, of: root, like: keys, on: connection)
        }
      }
      try conflicts.seal()
      if own.count > 0 { decided[root] = own }
      if conflicts.count > 0 { outcome.conflicts[root] = conflicts }
    }
    if side == .source, !undecided.isEmpty {
      try wait(for: &undecided, all, kept)
      for (root, keys) in undecided {
        guard let others = all[root] else { continue }
        if decided[root] == nil { decided[root] = try KeySet(like: others, on: connection) }
        guard let own = decided[root] else { continue }
        try keys.forEach { key throws(SQLiteError) in
          let isKnown = try own.contains(key)
          let isPart = try inner[root]?.contains(key) == true
          if !isKnown, !isPart { try waits(key, root) }
          try own.insert(key)
        }
      }
    }
    // Parts are removed with their owner.
    if !decided.isEmpty { try addParts(to: &decided, all) }
    for (root, keys) in all where keys.count > 0 {
      let (away, contested) = (try KeySet(like: keys, on: connection), try KeySet(like: keys, on: connection))
      try keys.forEach { key throws(SQLiteError) in
        let isKept = try kept[root]?.contains(key) == true
        let isDecided = try decided[root]?.contains(key) == true
        if isKept { try contested.insert(key) }
        if !isKept || isDecided { try away.insert(key) }
      }
      for set in [away, contested] { try set.seal() }
      if away.count > 0 { outcome.away[root] = away }
      if contested.count > 0 { outcome.contested[root] = contested }
    }
    return outcome
  }

  /// Returns the objects among `all` with several owners, of which one is among `all` and not kept.
  private func leaving(_ all: [String: KeySet], _ kept: [String: KeySet]) throws(SQLiteError) -> [String: KeySet] {
    var found: [String: KeySet] = [:]
    for root in hashes.roots {
      let owners = hashes.owners(of: root.name, side)
      guard owners.count > 1, let own = all[root.name], own.count > 0 else { continue }
      for owner in owners {
        guard let others = all[owner.target], let stay = kept[owner.target] else { continue }
        try connection.forEachRow(owner.select) { row throws(SQLiteError) in
          let (key, ownerKey) = (row.integer(at: 0), row.integer(at: 1))
          guard row.type(at: 1) == .integer, try own.contains(key), try others.contains(ownerKey),
            try !stay.contains(ownerKey)
          else { return }
          try found.insert(key, of: root.name, like: own, on: connection)
        }
      }
    }
    return found
  }

  /// Adds to `keys` the objects among `all` that are parts of one of them.
  private func addParts(to keys: inout [String: KeySet], _ all: [String: KeySet]) throws(SQLiteError) {
    var found = keys
    try spread { root, key, owner, ownerKey throws(SQLiteError) in
      guard try found[owner]?.contains(ownerKey) == true, let own = all[root],
        try own.contains(key), try found[root]?.contains(key) != true
      else { return false }
      try found.insert(key, of: root, like: own, on: connection)
      return true
    }
    keys = found
  }

  /// Adds to `undecided` the objects that cannot be restored yet because they link to one of these, with owners and
  /// parts.
  private func wait(
    for undecided: inout [String: KeySet],
    _ all: [String: KeySet],
    _ kept: [String: KeySet]
  ) throws(SQLiteError) {
    var found = undecided
    var isFound = true
    while isFound {
      isFound = false
      try addParts(to: &found, all)
      for root in hashes.roots {
        guard let keys = all[root.name], let back = kept[root.name] else { continue }
        for link in hashes.targets(of: root, side) + hashes.owners(of: root.name, side) {
          guard let others = found[link.target] else { continue }
          try connection.forEachRow(link.select) { row throws(SQLiteError) in
            guard row.type(at: 1) == .integer, try others.contains(row.integer(at: 1)) else {
              return
            }
            let key = row.integer(at: 0)
            guard try keys.contains(key), try back.contains(key),
              try found[root.name]?.contains(key) != true
            else { return }
            try found.insert(key, of: root.name, like: keys, on: connection)
            isFound = true
          }
        }
      }
      // An owner waits for its parts.
      try spread { root, key, owner, ownerKey throws(SQLiteError) in
        guard try found[root]?.contains(key) == true, let keys = all[owner],
          try keys.contains(ownerKey), try found[owner]?.contains(ownerKey) != true
        else { return false }
        try found.insert(ownerKey, of: owner, like: keys, on: connection)
        isFound = true
        return true
      }
    }
    undecided = found
  }

  /// Keeps the objects among `all` whose parts the other store has elsewhere, if the parts were changed or moved there.
  private func keepOwners(
    of changed: [String: KeySet],
    _ all: [String: KeySet],
    _ kept: [String: KeySet]
  ) throws(SQLiteError) {
    var touched: [String: KeySet] = [:]
    func isTouched(_ key: Int64, _ root: String) throws(SQLiteError) -> Bool {
      if try all[root]?.contains(key) == true { return false }
      if try touched[root]?.contains(key) == true { return true }
      if try changed[root]?.contains(key) == true { return true }
      return try !isUnchanged(key, root)
    }
    try spread { root, key, owner, ownerKey throws(SQLiteError) in
      guard try isTouched(key, root) else { return false }
      if try all[owner]?.contains(ownerKey) == true {
        guard let stays = kept[owner], try !stays.contains(ownerKey) else { return false }
        try stays.insert(ownerKey)
        return true
      }
      guard try !isTouched(ownerKey, owner) else { return false }
      if touched[owner] == nil, let root = hashes.root(owner), let keys = try existing(root) {
        touched[owner] = try KeySet(like: keys, on: connection)
      }
      try touched[owner]?.insert(ownerKey)
      return try touched[owner]?.contains(ownerKey) == true
    }
  }

  /// Keeps every object among `all` that is the target of a new source link: one that was changed, or one from a new or
  /// kept object.
  ///
  /// Objects that the source removed are handled by ``DroppedObjects`` after links are merged.
  ///
  /// - Returns: Whether any object was kept.
  private func keepTargets(_ all: [String: KeySet], _ kept: [String: KeySet]) throws(SQLiteError) -> Bool {
    guard side == .source else { return false }
    var isFound = false
    for root in hashes.roots where !chosen.contains(root.name) {
      // For a common object, only a three-way merge takes links.
      let isMerged = root.relations[side].entities.allSatisfy {
        rules.rule(of: $0.name, in: hashes.model).policy == .threeWay
      }
      for link in hashes.targets(of: root, side) {
        guard let gone = all[link.target], gone.count > 0, let stays = kept[link.target] else {
          continue
        }
        try connection.forEachRow(link.select) { row throws(SQLiteError) in
          let (key, target) = (row.integer(at: 0), row.integer(at: 1))
          guard row.type(at: 1) == .integer, try gone.contains(target),
            try !stays.contains(target)
          else { return }
          let isNew = try before(key, root.name) == nil
          var isChanged = false
          if let changes = source.changes[root.name] {
            for label in link.labels where try changes.contains(key, named: label) {
              isChanged = true
            }
          }
          let isBack = try kept[root.name]?.contains(key) == true
          guard isNew || isChanged && isMerged || isBack else { return }
          try stays.insert(target)
          isFound = true
        }
      }
    }
    return isFound
  }

  /// Calls `body` with every object and its owner, repeatedly until it returns `false` for all of them.
  private func spread(_ body: (String, Int64, String, Int64) throws(SQLiteError) -> Bool) throws(SQLiteError) {
    var isSettled = false
    while !isSettled {
      isSettled = true
      for root in hashes.roots {
        for owner in hashes.owners(of: root.name, side) {
          try connection.forEachRow(owner.select) { row throws(SQLiteError) in
            guard row.type(at: 1) == .integer else { return }
            if try body(root.name, row.integer(at: 0), owner.target, row.integer(at: 1)) {
              isSettled = false
            }
          }
        }
      }
    }
  }
}
