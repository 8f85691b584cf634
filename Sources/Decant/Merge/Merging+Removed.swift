internal import SQLite

/// What a merge leaves out as the destination has removed it.
extension Merging {
  /// Adds to `gone` what the destination has removed since `base` and the source left as it was.
  ///
  /// An object stays with all that belongs to it: where one of them was changed in the source, or is new, all of
  /// them come back.
  func leaveOutRemoved(
    since base: MergeBase,
    _ matching: MergeMatching,
    _ pairs: [String: ObjectPairs],
    _ ids: IDTable,
    _ gone: inout [String: KeySet]
  ) throws(DecantError) {
    gone = try explaining("cannot find out what was removed") {
      () throws(SQLiteError) -> [String: KeySet] in
      var candidates: [String: (missing: KeySet, removed: KeySet)] = [:]
      for root in matching.groups.joined() {
        guard let map = ids.map(of: root), let own = pairs[root] else { continue }
        let missing = try set(like: map.existing)
        let removed = try set(like: map.existing)
        let survivors = try Survivors(
          own,
          among: map.existing,
          scope: map.included,
          on: connection
        )
        try map.included.forEach { key throws(SQLiteError) in
          guard try !survivors.matched.contains(key), try !survivors.twins.contains(key),
            try !(survivors.isDouble(key))
          else { return }
          try missing.insert(key)
          if try base.isRemovedHere(key, of: root) { try removed.insert(key) }
        }
        candidates[root] = (missing, removed)
      }
      let kept = try keptTogether(candidates, matching, ids)
      var result = gone
      for (root, sets) in candidates {
        guard sets.removed.count > 0, let map = ids.map(of: root) else { continue }
        let away = try set(like: map.existing)
        if let known = gone[root] {
          try known.forEach { key throws(SQLiteError) in try away.insert(key) }
        }
        let stays = kept[root]
        try sets.removed.forEach { key throws(SQLiteError) in
          if let stays, try stays.contains(key) { return }
          try away.insert(key)
        }
        try away.seal()
        result[root] = away
      }
      return result
    }
  }

  /// The missing objects that are joined by ownership to one that was not removed, over whatever distance.
  private func keptTogether(
    _ candidates: [String: (missing: KeySet, removed: KeySet)],
    _ matching: MergeMatching,
    _ ids: IDTable
  ) throws(SQLiteError) -> [String: KeySet] {
    var kept: [String: KeySet] = [:]
    for (root, sets) in candidates {
      guard let map = ids.map(of: root) else { continue }
      let keys = try set(like: map.existing)
      try sets.missing.forEach { key throws(SQLiteError) in
        if try !sets.removed.contains(key) { try keys.insert(key) }
      }
      kept[root] = keys
    }
    var isSettled = false
    while !isSettled {
      isSettled = true
      for root in candidates.keys.sorted() {
        for owner in matching.hashes.owners(of: root) {
          try connection.forEachRow(owner.select) { row throws(SQLiteError) in
            let (own, other) = (row.integer(at: 0), row.integer(at: 1))
            guard row.type(at: 1) == .integer, let here = kept[root], let there = kept[owner.target],
              let (missing, _) = candidates[root], let (ownersMissing, _) = candidates[owner.target],
              try missing.contains(own), try ownersMissing.contains(other)
            else { return }
            let (isKept, isOwnerKept) = (try here.contains(own), try there.contains(other))
            guard isKept != isOwnerKept else { return }
            isSettled = false
            if isKept { try there.insert(other) } else { try here.insert(own) }
          }
        }
      }
    }
    return kept
  }

  private func set(like keys: KeySet) throws(SQLiteError) -> KeySet {
    try KeySet(range: try keys.bounds() ?? 0...0, expecting: keys.count, on: connection)
  }
}
