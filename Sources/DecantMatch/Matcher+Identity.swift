internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The matching of objects by identity, or by keys they share with others.
extension Matcher {
  /// Pairs the unpaired objects of `root` like those of `other`, whose keys they have.
  func follow(_ other: MatchRoot, _ root: MatchRoot) throws(DecantError) {
    guard let pairs = pairs[root.name], let leading = self.pairs[other.name] else { return }
    try explaining("cannot match \(root.name)") { () throws(SQLiteError) in
      let both = """
        SELECT p.source, p.destination FROM \(leading.table) AS p
        JOIN \(root.table(.source)) AS s ON s.\(root.key(.source)) = p.source
        """
      let (table, key) = (root.table(.destination), root.key(.destination))
      let isOpen = "p.source NOT IN (SELECT source FROM \(pairs.table))"
      try connection.forEachRow("\(both) JOIN \(table) AS d ON d.\(key) = p.destination WHERE \(isOpen)") {
        row throws(SQLiteError) in
        try pairs.add(row.integer(at: 0), row.integer(at: 1), .identity)
      }
      if !isIntoNothing { try pairByContent(root, extendingNoneOf: other, pairs) }
      try pairs.settle()
      // A row that extends no other kept its key as the others did.
      if lineage.contains(other.name) {
        let own = root.key(.source)
        try connection.forEachRow(
          """
          SELECT s.\(own) FROM \(root.table(.source)) AS s JOIN \(table) AS d ON d.\(key) = s.\(own)
          WHERE s.\(own) NOT IN (SELECT \(other.key(.source)) FROM \(other.table(.source)))
            AND s.\(own) NOT IN (SELECT source FROM \(pairs.table))
            AND s.\(own) NOT IN (SELECT destination FROM \(pairs.table))
          """
        ) { row throws(SQLiteError) in
          try pairs.add(row.integer(at: 0), row.integer(at: 0), .key)
        }
      }
      try pairs.settle()
      // Rows that the destination has only in the other table, or in the one that it extends, are extended under its
      // key.
      let rest = leading.continued.map {
        "\(both.replacing(leading.table.description, with: $0.table.description))"
      }
      let lower =
        ([both, rest].compactMap(\.self).map {
          "\($0) WHERE p.destination NOT IN (SELECT \(key) FROM \(table))"
        }).joined(separator: " UNION ALL ")
      try connection.forEachRow(lower) {
        row throws(SQLiteError) in
        guard try isIncluded(row.integer(at: 0), root.name),
          try pairs.continued?.destination(of: row.integer(at: 0)) == nil
        else { return }
        if pairs.continued == nil { pairs.continued = try StoredPairs(on: connection) }
        try pairs.continued?.add(row.integer(at: 0), row.integer(at: 1))
      }
    }
    try followDuplicates(of: leading, other, root)
  }

  /// Pairs rows of equal content that extend no row of `other` in either store, although their key says so.
  private func pairByContent(
    _ root: MatchRoot,
    extendingNoneOf other: MatchRoot,
    _ pairs: ObjectPairs
  ) throws(SQLiteError) {
    let selects = Sided { side in
      SelectStatement(
        columns: ["\(hashes.content(of: root, side) { _ in false }) AS h", "\(root.key(side)) AS k"],
        source: root.table(side),
        conditions: [
          "\(root.key(side)) NOT IN (SELECT \(other.key(side)) FROM \(other.table(side)))",
          "\(root.key(side)) NOT IN (SELECT \(side.column) FROM \(pairs.table))",
        ]
      ).sql
    }
    let walk = try EqualContent(selects, on: connection)
    while try walk.nextGroup() != nil {
      while let (source, destination) = try walk.nextPair() {
        guard try isIncluded(source, root.name) else { continue }
        try pairs.add(source, destination, .content)
      }
    }
  }

  /// Returns the first key of `select` among objects of `root` that are merged.
  private func firstIncluded(_ select: String, of root: MatchRoot) throws(SQLiteError) -> Int64? {
    var first: Int64?
    try connection.forEachRow(select) { row throws(SQLiteError) in
      guard first == nil, try isIncluded(row.integer(at: 0), root.name) else { return }
      first = row.integer(at: 0)
    }
    return first
  }

  /// Makes objects of `root` duplicates where those of `other`, whose keys they have, are.
  private func followDuplicates(of leading: ObjectPairs, _ other: MatchRoot, _ root: MatchRoot) throws(DecantError) {
    guard let pairs = pairs[root.name] else { return }
    let lone = try explaining("cannot match \(root.name)") { () throws(SQLiteError) -> Int64? in
      let own = "SELECT \(root.key(.source)) FROM \(root.table(.source))"
      let both =
        "SELECT source, representative FROM \(leading.duplicates) WHERE source IN (\(own)) "
        + "AND source NOT IN (SELECT source FROM \(pairs.duplicates))"
      try connection.forEachRow("\(both) AND representative IN (\(own))") { row throws(SQLiteError) in
        try pairs.add(row.integer(at: 0), representative: row.integer(at: 1))
      }
      try pairs.settle()
      return try firstIncluded("\(both) AND representative NOT IN (\(own))", of: root)
    }
    guard let lone else { return }
    throw DecantError(
      .modelsDiffer,
      "\(root.name) p\(lone) would have to be added to a different row of \(other.name), under that row's key",
      place:
        "the rows of \(root.name) extend rows of \(other.name), where p\(lone) is a duplicate of that row",
      remedy:
        "this cannot be merged yet: exclude \(root.name) with \(say: .where, "\(root.name): 0"), or keep "
        + "all duplicates with \(say: .duplicates, "keep-both")"
    )
  }

  func matchByIdentity(_ name: String) throws(DecantError) {
    guard let root = hashes.root(name), let pairs = pairs[name], !root.identities.isEmpty else {
      return
    }
    let isPromised =
      rules.duplicates == nil
      && hashes.model.lineage(of: name).allSatisfy { rules.identities[$0.name] == nil }
      && root.relations.destination.entities.allSatisfy { rules.identities[$0.name] == nil }
    if let likeness = likeness(of: name) { return try pair(root, by: likeness) }
    // The targets of an identity's links must be known.
    try pairAlike(hashes.identityNeeds[name] ?? [])
    let selects = identitySelects(of: root)
    var duplicates = Duplicates()
    try explaining("cannot match \(name)") { () throws(SQLiteError) in
      let isReversed = rules.duplicates == .last
      let walk = try HashWalk(selects, isReversed: isReversed, on: connection)
      try pair(walk, pairs, &duplicates)
      if walk.count == included[name]?.count { identified.insert(name) }
      if isPromised, duplicates.count + walk.spareCount > 0 {
        try pairs.forget()
        try AmbiguousIdentities(root, hashes, selects, on: connection).pair(pairs)
      }
      try pairs.settle()
    }
    if !isPromised { try refuse(duplicates, name) }
    try checkNumbers(of: root, pairs)
    try matchTheRest(of: root, by: root.furtherIdentities, pairs)
  }

  /// Pairs unpaired objects of `names` whose identity has links, now that more of the targets are paired.
  ///
  /// `targets` are root entities that are being matched.
  func matchTheRestByIdentity(_ names: [String], knowing targets: Set<String> = []) throws(DecantError) {
    let linked = names.filter { hashes.identityNeeds[$0]?.isEmpty == false }
    var found: Int64 = 0
    repeat {
      found = 0
      for name in linked {
        guard let root = hashes.root(name), let pairs = pairs[name] else { continue }
        found += try matchTheRest(of: root, by: [root.identities] + root.furtherIdentities, pairs, knowing: targets)
      }
      // These may be the targets of others.
    } while found > 0 && linked.count > 1
  }

  /// Pairs what is left of `names` by unique indexes with a condition.
  func matchTheRestByPartialKeys(_ names: [String]) throws(DecantError) {
    for name in names {
      guard let root = hashes.root(name), !root.lateIdentities.isEmpty, let pairs = pairs[name] else { continue }
      try matchTheRest(of: root, by: root.lateIdentities, pairs, knowing: Set(names), isLate: true)
    }
  }

  /// Pairs unpaired objects by each of `identities` in turn; level by level if these contain links to objects of the
  /// same entity, as in folders whose names differ within a folder.
  ///
  /// `targets` are root entities that are being matched.
  ///
  /// - Returns: The number of pairs.
  @discardableResult
  func matchTheRest(
    of root: MatchRoot,
    by identities: [[Int64: EntityIdentity]],
    _ pairs: ObjectPairs,
    knowing targets: Set<String> = [],
    isLate: Bool = false
  ) throws(DecantError) -> Int64 {
    var count = try matchOnce(root, by: identities, pairs, knowing: targets, isLate: isLate)
    let loops = hashes.links(of: root).filter { $0.target == root.name }
    let isNested = identities.contains { $0.values.contains { $0.links.contains { $0.root == root.name } } }
    guard count > 0, isNested, loops.count == 1 else { return count }
    let levels = try explaining("cannot match \(root.name)") { () throws(SQLiteError) in
      try MatchLevels(root, loops[0], hashes, on: connection)
    }
    defer { withExtendedLifetime(levels) {} }
    for level in 1..<max(levels.count, 1) {
      count += try matchOnce(root, by: identities, pairs, knowing: targets, isLate: isLate) { side in
        levels.keys(at: level, side)
      }
    }
    return count
  }

  /// Pairs unpaired objects, those with the keys that `keys` selects, or all; returns the number of pairs.
  private func matchOnce(
    _ root: MatchRoot,
    by identities: [[Int64: EntityIdentity]],
    _ pairs: ObjectPairs,
    knowing targets: Set<String>,
    isLate: Bool,
    _ keys: ((MatchSide) -> String)? = nil
  ) throws(DecantError) -> Int64 {
    var count: Int64 = 0
    let unmatched = unmatched.subtracting(targets)
    let isKnown = hashes.identity(of: root, .source).map { ["(\($0)) IS NULL"] } ?? []
    for (rank, others) in identities.enumerated() {
      let isFirst = !isLate && rank == 0 && identities.count > root.furtherIdentities.count
      // Objects with different UUIDs are different, whatever other values they share.
      let only = !isFirst && root.isToldByKey(hashes.model) ? isKnown : []
      let known = others.filter { $0.value.links.allSatisfy { !unmatched.contains($0.root) } }
      let selects = Sided { side in
        SelectStatement(
          columns: [
            "\(hashes.identity(of: root, side, known) ?? "NULL") AS h", "\(root.key(side)) AS k",
          ],
          source: root.table(side),
          conditions: ["\(root.key(side)) NOT IN (SELECT \(side.column) FROM \(pairs.table))"]
            + (side == .source ? only : []) + (keys.map { ["\(root.key(side)) IN (\($0(side)))"] } ?? [])
        ).sql
      }
      try explaining("cannot match \(root.name)") { () throws(SQLiteError) in
        let walk = try HashWalk(selects, isReversed: false, on: connection)
        var last: Int64?
        while let (hash, key) = try walk.next() {
          guard hash != last, try isIncluded(key, root.name) else { continue }
          last = hash
          if let partner = try walk.partner(of: hash) {
            try pairs.add(key, partner, isLate ? .partialKey : isFirst ? .identity : .furtherIdentity)
            count += 1
          }
        }
        try pairs.settle()
      }
    }
    return count
  }

  /// The objects of the source with the identity of another one: their number, and the first of them.
  struct Duplicates {
    var count: Int64 = 0
    var first: (like: Int64, key: Int64)?
  }

  /// Pairs the objects of `walk` by identity.
  func pair(_ walk: HashWalk, _ pairs: ObjectPairs, _ duplicates: inout Duplicates) throws(SQLiteError) {
    var last: (hash: Int64, key: Int64)?
    while let (hash, key) = try walk.next() {
      // Links lead to an excluded object, too, if it exists.
      let isIncluded = try isIncluded(key, pairs.root.name)
      if isIncluded, let last, last.hash == hash {
        duplicates.count += 1
        if duplicates.first == nil { duplicates.first = (last.key, key) }
        switch rules.duplicates {
        case .error, .merge, nil: continue
        case .first, .last: try pairs.add(key, representative: last.key)
        case .keepBoth: try pairs.add(keptCopy: key)
        }
        continue
      }
      if isIncluded { last = (hash, key) }
      if let partner = try walk.partner(of: hash) {
        try pairs.add(key, partner, .identity)
      }
    }
  }

  /// Throws if the source has duplicates without a rule.
  func refuse(_ duplicates: Duplicates, _ name: String) throws(DecantError) {
    guard rules.duplicates ?? .error == .error, let first = duplicates.first else { return }
    let terms = hashes.root(name)?.relations.source.terms ?? .objects
    throw DecantError(
      .constraintViolated,
      "\(duplicates.count.counted(terms.object)) of \(name) in the source "
        + "\(duplicates.count == 1 ? "has" : "have") the same identity as another one",
      place: "such as \(name) \(terms.key(first.key)), which has the identity of \(terms.key(first.like))",
      remedy:
        "resolve them with \(say: .duplicates, "first"), last or keep-both; or set a more specific "
        + "identity: \(say: .identity) '\(name): …'"
    )
  }

  func identitySelects(of root: MatchRoot) -> Sided<String> {
    Sided { side in
      "SELECT \(hashes.identity(of: root, side) ?? "NULL") AS h, \(root.key(side)) AS k "
        + "FROM \(root.table(side))"
    }
  }
}
