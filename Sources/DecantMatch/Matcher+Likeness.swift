internal import DecantBase
package import DecantPlan
package import DecantStore
internal import DecantSQLite

/// The matching of objects by the source's own methods.
extension Matcher {
  /// Returns whether the policy of objects of the root entity `name` is one of `policies`.
  package func keepsBoth(_ name: String, _ policies: Set<MergePolicy>) -> Bool {
    let entities = hashes.root(name)?.relations.destination.entities ?? []
    return entities.contains {
      policies.contains(rules.rule(of: $0.name, in: hashes.model).policy)
    }
  }

  /// Returns the source's own methods for objects of the root entity `name`, if any.
  func likeness(of name: String) -> Likeness? {
    guard let likeness = rules.likeness, likeness.entity == name, likeness.fits(hashes.layouts)
    else { return nil }
    return likeness
  }

  /// Pairs unpaired objects of `root` by `likeness`, one method after the other, each with one object of the
  /// destination.
  ///
  /// A remaining object of the source that agrees with an already paired object is the same object, and adds nothing to
  /// it. With `rules.leavesUnknown`, no object adds anything.
  func pair(_ root: MatchRoot, by likeness: Likeness) throws(DecantError) {
    guard let pairs = pairs[root.name], let keys = included[root.name] else { return }
    let statements = LikenessStatements(likeness, hashes.model, hashes.layouts, root.schemas)
    let keepsBoth = keepsBoth(root.name, [.keepBoth])
    try explaining("cannot match \(root.name)") { () throws(SQLiteError) in
      guard
        let there = try KeySet(
          for: root.key(.destination),
          in: root.table(.destination),
          on: connection
        ), let here = try keys.bounds()
      else { return }
      try likeness.prepare(connection)
      let paired = Sided(try KeySet(range: here, expecting: keys.count, on: connection), there)
      try connection.forEachRow("SELECT source, destination FROM \(pairs.table)") {
        row throws(SQLiteError) in
        try paired.source.insert(row.integer(at: 0))
        try paired.destination.insert(row.integer(at: 1))
      }
      for isFirst in [true, false] {
        for (rank, way) in likeness.ways.enumerated() where paired.source.count < keys.count {
          let walk = try HashWalk(statements.selects(of: way), isReversed: false, on: connection)
          let exception = try statements.exception(of: way).map { sql throws(SQLiteError) in
            try connection.prepare(sql)
          }
          var last: (hash: Int64, partner: Int64)?
          while let (hash, key) = try walk.next() {
            guard try isIncluded(key, root.name), try !paired.source.contains(key) else { continue }
            while let partner = try walk.partner(of: hash) {
              last = (hash, partner)
              let isTaken = try paired.destination.contains(partner)
              if !isFirst || !isTaken { break }
            }
            guard let last, last.hash == hash else { continue }
            let isTaken = try paired.destination.contains(last.partner)
            guard !isFirst || !isTaken else { continue }
            if let exception, try hold(exception, key, last.partner) { continue }
            let adds = (isFirst || keepsBoth) && !rules.leavesUnknown
            try pairs.add(key, last.partner, .likeness(rank: rank, isSettled: !adds))
            try paired.source.insert(key)
            try paired.destination.insert(last.partner)
          }
        }
      }
      try pairs.settle()
      if let select = statements.nothingNew(among: pairs.table) {
        try pairs.settleLikeness(of: select)
      }
      pairs.settled = try pairs.settledKeys(among: keys)
    }
    identified.insert(root.name)
  }

  /// Whether the statement `exception` has a row for two objects.
  private func hold(_ exception: Statement, _ source: Int64, _ destination: Int64) throws(SQLiteError) -> Bool {
    try exception.bind([.integer(source), .integer(destination)])
    defer { exception.reset() }
    return try exception.step()
  }
}

extension MergeRules {
  /// Takes the methods of `source` for its objects, if both stores have the required attributes.
  package mutating func takeLikeness(of source: any SourceStore, _ destination: Layout) {
    guard let own = source.likeness, own.fits(Sided(source.layout, destination)),
      identities[own.entity] == nil
    else { return }
    likeness = own
    var rule = rule(of: own.entity, in: source.model)
    rule.keeps += own.kept
    rules[own.entity] = rule
  }
}
