internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The outcome for the objects of one root entity that both stores have.
///
/// Equal objects are not changed; the outcome for the others follows from their entity's rule.
struct MergeChoice {
  let connection: Connection
  let rules: MergeRules
  let hashes: MatchHashes
  /// The base, which shows which store has changed an object; `threeWay` needs it.
  var base: MergeBase?
  /// The listing and deciding of conflicts, and their log for the report.
  var conflicts: Conflicts?
  var log: ConflictLog?
  /// The source's owners without changes; parts of such an owner have no changes either.
  var owner: MatchHashes.Link?
  var ownerOutcome: PairOutcome?
  /// The source's owners without changes, whose parts have none either.
  var settledOwners: KeySet?
  /// Whether the objects are alternative names of their owner in other stores; a copy kept beside its original does not
  /// have them.
  var isMark = false
  /// Whether objects are kept beside their originals, so that a difference of their parts counts as well.
  var keepsBoth = false
  /// Whether a source link to an object without a partner so far is not counted as a difference.
  var waitsForTargets = false
  /// Whether only the differing properties of each object are determined.
  var findsProperties = false

  /// Compares the pairs that were found by identity.
  ///
  /// - Parameters:
  ///   - pairs: The pairs of one root entity.
  ///   - keys: The objects of the source.
  ///   - others: Root entities that are not matched yet; links to them are ignored.
  ///   - keptCopies: Whether objects that are kept beside their originals are recorded now; otherwise they are not
  ///     changed.
  /// - Returns: The outcome for those that differ.
  /// - Throws: `SQLiteError` if a store cannot be read.
  func outcome(
    _ pairs: ObjectPairs,
    among keys: KeySet,
    without others: Set<String>,
    keptCopies: Bool
  ) throws(SQLiteError) -> PairOutcome {
    let root = pairs.root
    func set() throws(SQLiteError) -> KeySet {
      try KeySet(like: keys, on: connection)
    }
    let joint = root.relations.destination.jointProperties
    let comparison =
      findsProperties || base != nil || conflicts != nil || !joint.isEmpty
      ? PropertyComparison(root, hashes, comparedLinks(of: root, without: others), away: base?.away ?? [:]) : nil
    var outcome = PairOutcome(
      changed: try set(),
      updated: try set(),
      filled: try set(),
      properties: try PropertyKeys(among: keys, of: comparison?.columnRoles ?? [], on: connection)
    )
    let entities = root.relations.destination.entities
    let found = Dictionary(
      entities.map { ($0.code, rules.rule(of: $0.name, in: hashes.model)) },
      uniquingKeysWith: { first, _ in first }
    )
    let only = entities.count == 1 ? found.values.first : nil
    let values = conflicts.map { _ in ConflictValues(hashes, on: connection) }
    try connection.forEachRow(differing(pairs, without: others, comparison)) {
      row throws(SQLiteError) in
      let key = row.integer(at: 0)
      guard let rule = only ?? found[row.integer(at: 1)], try keys.contains(key) else { return }
      let isOfKeptCopy = row.integer(at: 4) == 1
      let differences = comparison?.differences(row, from: MergeChoice.columnCount) ?? []
      guard !findsProperties else {
        try outcome.changed.insert(key)
        for difference in differences {
          try outcome.properties.insert(key, difference.columnRole)
        }
        return
      }
      let isOfSettled = try settledOwners?.contains(row.integer(at: 6)) == true
      guard !isOfSettled, !isMark || !isOfKeptCopy else { return }
      // A dangling link by values is no difference, nor is the type of a link that leads nowhere.
      if comparison?.mayLead == true, differences.isEmpty, !isOfKeptCopy { return }
      try outcome.changed.insert(key)
      // A part of an object kept beside its original belongs to that copy.
      if isOfKeptCopy, keptCopies { return try pairs.add(keptCopy: key, isPart: true) }
      if base == nil, let conflicts, let values,
        let way = MergeChoice.doubtfulWay(row.integer(at: 7))
      {
        let pair = MatchedPair(root: root.name, source: key, destination: row.integer(at: 5))
        if keptCopies {
          if try conflicts.areTwo(pair, values) { try pairs.add(keptCopy: key) }
          return
        }
        let columnRoles = differences.map(\.columnRole)
        switch try conflicts.decision(of: pair, by: way, columnRoles, values) {
        case .theirs: try outcome.updated.insert(key)
        case .mine, .both, .value: break
        case nil: try log?.add(pair, columnRoles)
        }
        return
      }
      switch rule.policy {
      case .skip: break
      case .error:
        outcome.conflictCount += 1
        if outcome.conflicts.count < 3 { outcome.conflicts.append(key) }
      case .update, .replace: try outcome.updated.insert(key)
      case .newest:
        let isNewer =
          rule.followsOwner
          ? try ownerOutcome?.updated.contains(row.integer(at: 6)) == true : row.integer(at: 2) == 1
        if isNewer { try outcome.updated.insert(key) }
        if !rule.followsOwner, row.type(at: 2) == .null { outcome.undatedCount += 1 }
      case .fill:
        // An owner that has parts keeps them unchanged.
        guard row.integer(at: 3) == 1, !rule.followsOwner else { break }
        try outcome.updated.insert(key)
        try outcome.filled.insert(key)
      case .keepBoth: if keptCopies { try pairs.add(keptCopy: key) }
      case .threeWay:
        guard let base else { return }
        let pair = MatchedPair(root: root.name, source: key, destination: row.integer(at: 5))
        var merged = try base.merged(pair, differences, joint: joint)
        if !keptCopies, let conflicts, let values, !merged.conflicts.isEmpty {
          let settled = try conflicts.settle(
            pair,
            merged.conflicts,
            blocked: differences.filter(\.isOpen).map(\.columnRole),
            values,
            root
          )
          merged = MergeBase.Merged(taken: merged.taken + settled.taken, conflicts: settled.open)
        }
        if keptCopies != base.listsConflicts { try log?.add(pair, merged.conflicts) }
        guard merged.conflicts.isEmpty else {
          if keptCopies, !base.listsConflicts { try pairs.add(keptCopy: key) }
          return
        }
        guard !merged.taken.isEmpty else { return }
        try outcome.updated.insert(key)
        for columnRole in merged.taken { try outcome.properties.insert(key, columnRole) }
      }
    }
    for keys in [outcome.changed, outcome.updated, outcome.filled] { try keys.seal() }
    return outcome
  }

  /// Returns the links in which objects of `root` may differ.
  private func comparedLinks(of root: MatchRoot, without others: Set<String>) -> [MatchHashes.Link] {
    hashes.links(of: root).filter { link in
      !others.contains(link.target)
        && !root.step.keepsAlways(link.columns.destination.name, root.relations.destination)
    }
  }

  /// Returns the name of a way of pairing that may be wrong; `nil` for the other ways.
  private static func doubtfulWay(_ found: Int64) -> String? {
    switch ObjectPairs.Found(rawValue: found) {
    case .key: "key"
    case .tie, .almost, .moved: "content"
    case .content, .identity, .owner, .furtherIdentity, .partialKey, .likeness, nil: nil
    }
  }

  /// The number of columns in `differing` before those of the properties.
  private static let columnCount = 8

  /// Returns the SELECT of differing objects.
  ///
  /// Its columns are the key in the source, the entity's code, whether the source is newer, whether it has a value
  /// where the destination has none, whether its owner is kept as a copy, the key in the destination, the owner's key
  /// in the source, how the pair was found, and the columns of `comparison`.
  private func differing(
    _ pairs: ObjectPairs,
    without others: Set<String>,
    _ comparison: PropertyComparison?
  ) -> String {
    let root = pairs.root
    let gaps = gaps(of: root)
    let links = comparedLinks(of: root, without: others)
    /// Returns whether a link leads to an object that is in conflict and not merged yet.
    func isOpen(_ link: MatchHashes.Link) -> String {
      "(\(hashes.leadsNowhere(link, of: root)) AND \(hashes.isContested(link, of: root)))"
    }
    let rows = Sided { side in
      let tokens = links.enumerated().map { index, link in
        let key = root.relations[side].value(of: link.columns[side])
        let token =
          "ifnull(\(hashes.targetToken(link, key, side, isLoose: true)), 'only \(side.rawValue)')"
        guard side == .source, base != nil else { return "\(token) AS n\(index)" }
        return
          "CASE WHEN \(isOpen(link)) THEN 'only \(side.rawValue)' ELSE \(token) END AS n\(index)"
      }
      let lost = links.enumerated().flatMap { index, link in
        let isLost = hashes.leadsNowhere(link, of: root)
        guard base != nil else { return ["\(isLost) AS z\(index)"] }
        return [
          "\(isLost) AND NOT \(hashes.isContested(link, of: root)) AS z\(index)",
          "\(isOpen(link)) AS y\(index)",
        ]
      }
      let keptCopies = hashes.keptCopyOwners(root).enumerated().map { "\($1) AS x\($0)" }
      let owners = hashes.ownerTokens(root, side).enumerated().map { "\($1) AS o\($0)" }
      let columns =
        [
          "\(root.key(side)) AS k", "\(root.entity(side)) AS e", "\(time(of: root, side)) AS t",
          "\(MixFunction.sql(hashes.comparedValues(of: root, side))) AS h",
          "\(owner.map { root.relations[side].value(of: $0.columns[side]) } ?? "NULL") AS w",
        ] + tokens + owners + (side == .source ? lost + keptCopies : [])
      let owned =
        keepsBoth
        ? hashes.ownedSums(of: root, side, valuesOnly: true).enumerated().map { "\($1) AS s\($0)" }
        : []
      return
        "(SELECT \((columns + owned + gaps.columns[side] + (comparison?.values[side] ?? [])).joined(separator: ", ")) "
        + "FROM \(root.table(side)))"
    }
    // A part of a copy made by an earlier merge needs no copy of its own.
    let isDoubled = hashes.ownerTokens(root, .source).indices
      .map { "(l.x\($0) AND (l.o\($0) IS NULL OR l.o\($0) IS NOT d.o\($0)))" }
    let doubled = isDoubled.isEmpty ? "0" : isDoubled.joined(separator: " OR ")
    // A dangling link overwrites neither an existing link nor a property that is joint with it.
    let linkDiffers = links.indices.map { index in
      let unit = root.relations.destination.jointProperties(with: links[index].columns.destination.columnRole)
      let isKnown = links.indices.filter { unit.contains(links[$0].columns.destination.columnRole) }
        .map { "NOT l.z\($0)" }.joined(separator: " AND ")
      let kept = root.step.kept[links[index].columns.destination.name]
      let isKept = kept.map { " AND l.e NOT IN (\($0.list))" } ?? ""
      let waits =
        waitsForTargets ? " AND l.n\(index) IS NOT 'only \(MatchSide.source.rawValue)'" : ""
      return "(l.n\(index) IS NOT d.n\(index) AND \(isKnown)\(isKept)\(waits))"
    }
    let differs =
      ["l.h IS NOT d.h", doubled]
      + (keepsBoth
        ? hashes.ownedSums(of: root, .source, valuesOnly: true).indices
          .map { "l.s\($0) IS NOT d.s\($0)" } : [])
      + linkDiffers
    let properties = (comparison?.columns(linkDiffers, areOpen: base != nil) ?? []).map {
      ", \($0)"
    }.joined()
    return """
      SELECT l.k, l.e, \(MergeRules.isLater("l.t", "d.t")),
        \(gaps.isFilled), (\(doubled)), p.destination, l.w, p.known\(properties)
      FROM \(pairs.table) AS p CROSS JOIN \(rows.source) AS l ON l.k = p.source
      CROSS JOIN \(rows.destination) AS d ON d.k = p.destination
      WHERE \(base == nil ? "p.known > 0 AND " : "")(\(differs.joined(separator: " OR "))) ORDER BY p.source
      """
  }

  /// Returns columns on each side, and the condition on the rows `l` and `d` that the source has a value where the
  /// destination has none.
  ///
  /// A joint property is filled only if the joint values that the destination already has are equal.
  private func gaps(of root: MatchRoot) -> (columns: Sided<[String]>, isFilled: String) {
    let rules = [rules.rule] + rules.rules.values
    guard rules.contains(where: { $0.policy == .fill }) else { return (Sided([], []), "0") }
    let links = hashes.links(of: root)
    let columnRoles =
      hashes.comparedProperties(of: root, .source).map(\.columnRole) + links.map(\.columns.destination.columnRole)
    let unitOf = columnRoles.map { root.relations.destination.jointProperties(with: $0) }
    // Neither a dangling link nor a property that is joint with it fills a gap.
    let isKnown = unitOf.map { unit in
      links.filter { unit.contains($0.columns.destination.columnRole) }
        .map { "NOT \(hashes.leadsNowhere($0, of: root))" }
    }
    let columns = Sided { side in
      let isSource = side == .source
      let values = hashes.comparedProperties(of: root, side).map { (gap: $0.value, isGap: [String](), value: $0.value) }
      let links = links.map { link in
        // A value that the destination keeps is no gap.
        var isGap: [String] = []
        if let codes = root.step.kept[link.columns.destination.name] {
          isGap.append("\(root.entity(side)) NOT IN (\(codes.list))")
        }
        let key = root.relations[side].value(of: link.columns[side])
        return (
          gap: hashes.resolved(link, of: root, side), isGap: isGap,
          value: "ifnull(\(hashes.targetToken(link, key, side, isLoose: true)), 'only \(side.rawValue)')"
        )
      }
      return (values + links).enumerated().flatMap { index, column in
        let isGap =
          ["(\(column.gap)) IS \(isSource ? "NOT " : "")NULL"] + column.isGap + (isSource ? isKnown[index] : [])
        return ["(\(isGap.joined(separator: " AND "))) AS p\(index)"]
          + (unitOf[index].count == 1 ? [] : ["\(column.value) AS g\(index)"])
      }
    }
    let isFilled = columnRoles.indices.map { index in
      let agrees = columnRoles.indices.filter { $0 != index && unitOf[index].contains(columnRoles[$0]) }
        .map { " AND (d.p\($0) OR mix(l.g\($0)) IS mix(d.g\($0)))" }
      return "l.p\(index) AND d.p\(index)\(agrees.joined())"
    }
    return (columns, isFilled.isEmpty ? "0" : isFilled.joined(separator: " OR "))
  }

  /// Returns the attribute with the time of the last change, if it is needed.
  private func time(of root: MatchRoot, _ side: MatchSide) -> String {
    let times = root.relations.destination.entities.compactMap { entity -> (Int64, String)? in
      let rule = rules.rule(of: entity.name, in: hashes.model)
      guard rule.policy == .newest,
        let attribute = rules.time(of: entity.name, in: hashes.model),
        let column = root.relations.destination.column(.attribute(attribute)),
        let proof = root.step.assignment(of: column)?.proof
      else { return nil }
      return (entity.code, side == .source ? proof.expected : proof.actual)
    }
    guard let first = times.first else { return "NULL" }
    if root.relations.destination.entities.count == 1 { return first.1 }
    let cases = times.map { "WHEN \($0.0) THEN \($0.1)" }
    return "CASE \(root.entity(side)) \(cases.joined(separator: " ")) END"
  }
}
