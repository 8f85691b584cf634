internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The matching of parts without identity whose owner both stores have.
extension Matcher {
  /// Names of attributes for the position of a part, in lower case and without “_”.
  private static let places: Set<String> = [
    "position", "place", "sort", "sortorder", "sortindex", "sortkey", "order", "orderindex",
    "ordering", "displayorder", "index", "ordinal", "rank", "line", "lineno", "linenumber",
    "number",
  ]
  /// The last words of other such names, as in `recipe_position`.
  private static let lastWords: Set<String> = ["position", "order", "ordinal", "index", "sequence"]

  /// Returns whether an attribute of this name contains a position.
  fileprivate static func isPlace(_ name: String) -> Bool {
    places.contains(name.lowercased().filter { $0 != "_" })
      || name.lowercased().split(separator: "_").last.map { lastWords.contains(String($0)) }
        ?? false
  }

  /// Pairs the remaining parts of the same owner.
  ///
  /// First those at the same position, then those that agree in at least half of their values, the most similar first,
  /// and then the only remaining part on each side if they agree in something. Parts of a kept copy are not parts of
  /// its original. Parts with the same content as others wait until these are distinguished.
  ///
  /// - Parameter names: The root entities of the parts.
  /// - Returns: Whether there were any.
  /// - Throws: `DecantError` if a store cannot be read.
  @discardableResult
  func pairParts(of names: [String]) throws(DecantError) -> Bool {
    let policies = [rules.rule] + rules.rules.values
    guard !isIntoNothing,
      !policies.contains(where: { $0.policy == .keepBoth || $0.policy == .threeWay })
    else { return false }
    let roots = hashes.roots.filter { names.contains($0.name) }
    var isFound = false
    // Parts of parts come after their owners.
    for _ in roots {
      var found = false
      for root in roots where hashes.continued(by: root) == nil {
        for link in hashes.links(of: root) where link.isOwner && link.target != root.name {
          guard let pairs = pairs[root.name], let keys = included[root.name],
            try !isComplete(pairs, keys)
          else { continue }
          let parts = PartRows(root, link, hashes, pairs, decided: decided(without: root.name))
          found =
            try explaining("cannot match \(root.name)") { () throws(SQLiteError) in
              var found = false
              if let inPlace = parts.inPlace { found = try pair(inPlace, pairs, root.name) }
              if let alike = parts.alike { found = try pairBest(alike, pairs, root.name) || found }
              if let alone = parts.alone { found = try pair(alone, pairs, root.name) || found }
              return found
            } || found
        }
      }
      guard found else { break }
      isFound = true
    }
    return isFound
  }

  func isComplete(_ pairs: ObjectPairs, _ keys: KeySet) throws(DecantError) -> Bool {
    try explaining("cannot match \(pairs.root.name)") { () throws(SQLiteError) in
      try pairs.isComplete(among: keys)
    }
  }

  private func pair(_ select: String, _ pairs: ObjectPairs, _ name: String) throws(SQLiteError) -> Bool {
    var isFound = false
    try connection.forEachRow(select) { row throws(SQLiteError) in
      guard try isIncluded(row.integer(at: 0), name) else { return }
      try pairs.add(row.integer(at: 0), row.integer(at: 1), .owner)
      isFound = true
    }
    if isFound { try pairs.settle() }
    return isFound
  }
}

extension Matcher {
  /// Pairs parts from candidates of owner, key and key in the destination, the best of each owner first.
  private func pairBest(_ select: String, _ pairs: ObjectPairs, _ name: String) throws(SQLiteError) -> Bool {
    var isFound = false
    var owner: Int64?
    var taken = Sided<Set<Int64>>([], [])
    try connection.forEachRow(select) { row throws(SQLiteError) in
      if owner != row.integer(at: 0) { (owner, taken) = (row.integer(at: 0), Sided([], [])) }
      let (key, partner) = (row.integer(at: 1), row.integer(at: 2))
      guard !taken.source.contains(key), !taken.destination.contains(partner),
        try isIncluded(key, name)
      else { return }
      taken.source.insert(key)
      taken.destination.insert(partner)
      try pairs.add(key, partner, .owner)
      isFound = true
    }
    if isFound { try pairs.settle() }
    return isFound
  }
}

/// The unpaired parts without identity of objects that both stores have.
private struct PartRows {
  private let rows: Sided<String>
  private let valueCount: Int
  private let hasPlace: Bool

  /// The number of links whose targets are known to be in only one of the stores, if they are.
  private let exclusiveCount: Int

  /// Creates the rows of the parts `root` whose owners `link` leads to; `decided` contains the root entities whose pairs
  /// are known.
  init(
    _ root: MatchRoot,
    _ link: MatchHashes.Link,
    _ hashes: MatchHashes,
    _ pairs: ObjectPairs,
    decided: Set<String>
  ) {
    let others = hashes.links(of: root).filter { $0.property != link.property && decided.contains($0.target) }
    exclusiveCount = others.count
    let place =
      root.relations.destination.columns.first { column in
        switch column.columnRole {
        case .position(link.property), .ownerPosition(link.property): true
        default: false
        }
      }
      ?? root.relations.destination.columns.first { column in
        guard case .attribute(let property) = column.columnRole else { return false }
        return Matcher.isPlace(property.name)
      }
    let proof = root.step.assignments.first { $0.column == place?.name }?.proof
    hasPlace = proof != nil
    var count = 0
    rows = Sided { side in
      let owner = hashes.token(link.target, root.relations[side].value(of: link.columns[side]), side)
      let placeValue = proof.map { side == .source ? $0.expected : $0.actual } ?? "NULL"
      let values = root.informativeValues(side).filter { $0 != placeValue }
      count = values.count
      var conditions = ["\(root.key(side)) NOT IN (SELECT \(side.column) FROM \(pairs.table))"]
      if let waiting = pairs.waiting {
        conditions.append("\(root.key(side)) NOT IN (SELECT key FROM \(waiting[side]))")
      }
      if let identity = hashes.anyIdentity(of: root, side) {
        conditions.append("(\(identity)) IS NULL")
      }
      let only = others.map { other in
        "\(hashes.targetToken(other, root.relations[side].value(of: other.columns[side]), side)) IS NULL"
      }
      return SelectStatement(
        columns: [
          "\(root.key(side)) AS k", "\(root.entity(side)) AS e", "\(owner) AS o",
          "\(placeValue) AS p",
        ] + values.enumerated().map { "\($1) AS v\($0)" } + only.enumerated().map { "\($1) AS x\($0)" },
        source: root.table(side),
        conditions: conditions
      ).sql
    }
    valueCount = count
  }

  /// A SELECT of pairs at the same position of the same owner; `nil` if parts have no positions.
  var inPlace: String? { hasPlace ? only("o, e, p", "d.p IS s.p AND s.p IS NOT NULL") : nil }

  /// A SELECT of pairs of an owner's only remaining parts that agree in a value, or in a word of a text.
  var alone: String? {
    guard valueCount > 0 else { return nil }
    let agrees = (0..<valueCount).map {
      "(s.v\($0) IS d.v\($0) AND s.v\($0) IS NOT NULL AND s.v\($0) NOT IN (0, '') OR share_word(s.v\($0), d.v\($0)))"
    }
    return only("o, e", "(\(agrees.joined(separator: " OR ")))")
  }

  /// The maximum number of parts of an owner that are compared with each other; those of larger owners are not
  /// compared.
  private static let limit = 200

  /// A SELECT of candidates that agree in at least half of their values: owner, key and key in the destination, best
  /// first.
  var alike: String? {
    guard valueCount > 0 else { return nil }
    let few = Sided { side in
      """
      (SELECT * FROM (SELECT *, count(*) OVER (PARTITION BY o, e) AS n FROM (\(rows[side]))
      WHERE o IS NOT NULL) WHERE n <= \(Self.limit))
      """
    }
    return """
      SELECT o, k, p FROM (SELECT s.o AS o, s.k AS k, d.k AS p, \(agreeing) AS agreeing, \(all) AS whole
        FROM \(few.source) AS s JOIN \(few.destination) AS d ON d.o = s.o AND d.e IS s.e AND \(mayBeSame))
      WHERE agreeing > 0 AND agreeing * 2 >= whole ORDER BY o, agreeing DESC, k, p
      """
  }

  /// The number of values in which the parts `s` and `d` agree, and in which one of them has a value.
  private var agreeing: String { count { "s.v\($0) IS d.v\($0) AND \(isInformative("s.v\($0)"))" } }
  private var all: String { count { "\(isInformative("s.v\($0)")) OR \(isInformative("d.v\($0)"))" } }

  private func count(_ term: (Int) -> String) -> String {
    valueCount == 0 ? "0" : (0..<valueCount).map { "(\(term($0)))" }.joined(separator: " + ")
  }

  private func isInformative(_ value: String) -> String { "(\(value) IS NOT NULL AND \(value) NOT IN (0, ''))" }

  /// The condition that no link leads to an object that only the source has, and in the destination to one that only
  /// that has, unless all other values agree: then the target may have been renamed.
  private var mayBeSame: String {
    guard exclusiveCount > 0 else { return "1" }
    let differ = (0..<exclusiveCount).map { "s.x\($0) AND d.x\($0)" }.joined(separator: " OR ")
    return "(NOT (\(differ)) OR \(agreeing) >= 2 AND \(agreeing) = \(all))"
  }

  private func only(_ group: String, _ condition: String) -> String {
    let single = Sided { side in
      """
      (SELECT * FROM (SELECT *, count(*) OVER (PARTITION BY \(group)) AS n FROM (\(rows[side]))
      WHERE o IS NOT NULL) WHERE n = 1)
      """
    }
    return """
      SELECT s.k, d.k FROM \(single.source) AS s JOIN \(single.destination) AS d
      ON d.o = s.o AND d.e IS s.e AND \(mayBeSame) AND \(condition) ORDER BY 1
      """
  }
}
