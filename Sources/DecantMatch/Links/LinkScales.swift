internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import Glibc
internal import DecantSQLite

/// Weighs the columns of a database that may be undeclared links against each other.
struct LinkScales {
  /// A column that was read.
  struct Reading {
    let column: Property
    let hint: LinkHint
    let scan: LinkScan
    /// The column beside it that names the table of each key; `nil` where there is none.
    var pair: LinkPairs.Pair?
    /// What it holds under the names in another column, where that says what each value is.
    var settings: [LinkSettings.Kind] = []
    /// Whether it is the key of its own table.
    let isKey: Bool
    /// Whether its table is a virtual one.
    let isVirtual: Bool
    /// Whether its texts hold several keys each.
    var isList = false
    /// Whether it is what stands under one name in another column.
    var isSetting = false
  }

  /// From how many different values on the part of a table's keys that they are is evidence.
  private static let fewest: Int64 = 10
  /// From how many keys on it is evidence that each stands behind a text just once.
  private static let fewestPairs: Int64 = 5
  /// How likely it may be that as many values of no meaning are keys.
  private static let chance = 0.001
  /// How much of a range keys are at the most where a few values that are none do not count.
  private static let rareness = 0.01

  /// How many links lead to each table, declared ones and those that names show.
  private let linkCounts: [String: Int]

  /// For each table, those whose rows hold declared links to it: they have keys of their own.
  private let holders: [String: Set<String>]
  /// For each table, those to which its rows hold declared links: only a name says that its key leads there, too.
  private let ends: [String: Set<String>]

  /// For each table, those to which the names of its columns point.
  private let reached: [String: Set<String>]

  /// Counts the links to each table.
  init(_ layout: Layout, _ readings: [Reading]) {
    var (counts, reached): ([String: Int], [String: Set<String>]) = ([:], [:])
    for target in layout.relations.flatMap({ $0.columns.compactMap(\.targetRoot) }) {
      counts[target, default: 0] += 1
    }
    for links in layout.linkRelations {
      for end in [links.ownerRoot, links.targetRoot] { counts[end, default: 0] += 1 }
    }
    for reading in readings where reading.pair == nil {
      guard let target = LinkScales.named(reading)?.map.root else { continue }
      counts[target, default: 0] += 1
      reached[reading.column.entity, default: []].insert(target)
    }
    (linkCounts, self.reached) = (counts, reached)
    var (holders, ends): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
    for relation in layout.relations {
      for target in relation.columns.compactMap(\.targetRoot) {
        holders[target, default: []].insert(relation.root)
        ends[relation.root, default: []].insert(target)
      }
    }
    (self.holders, self.ends) = (holders, ends)
  }

  /// Weighs one column.
  ///
  /// - Parameter reading: What was read of it.
  /// - Returns: The evidence; none where there is nothing, and two where it is more in some rows than in others.
  /// - Throws: `SQLiteError` where keys cannot be counted.
  func evidence(_ reading: Reading) throws(SQLiteError) -> [LinkEvidence] {
    guard reading.settings.isEmpty else { return try settingsEvidence(reading) }
    guard var evidence = try plainEvidence(reading) else { return [] }
    guard reading.isList else { return [evidence] }
    evidence.isList = true
    return [evidence.asNote]
  }

  /// Weighs one column whose values are keys of one table if any.
  private func plainEvidence(_ reading: Reading) throws(SQLiteError) -> LinkEvidence? {
    let hint = reading.hint
    var scan = reading.scan
    if reading.isKey {
      let others = holders[reading.column.entity] ?? []
      scan.leaveOut(others)
      scan.leaveOut(ends[reading.column.entity] ?? [], isOfNamed: false)
      if hint.named.allSatisfy({ $0.reason == .holder }) {
        // Where another column leads to it, a row is no more of a row there.
        scan.leaveOut(ends[reading.column.entity] ?? [])
        scan.leaveOut(reached[reading.column.entity] ?? [])
      }
    }
    if let pair = reading.pair, let first = pair.types.first {
      return LinkEvidence(
        column: reading.column,
        isKey: false,
        weight: pair.weight,
        valueCount: pair.types.map(\.valueCount).reduce(0, +),
        target: LinkEvidence.Target(
          root: first.root ?? "",
          reason: nil,
          hitCount: pair.types.map(\.hitCount).reduce(0, +),
          distinctCount: 0,
          keyCount: 0
        ),
        others: [],
        typeColumn: pair.typeColumn,
        types: pair.types
      )
    }
    if let named = LinkScales.named(reading) {
      let tied = scan.candidates.filter {
        // In a tree one row at least has none above it.
        let mayBeTree = $0.map.root != reading.column.entity || scan.valueCount < $0.keyCount
        return hint.tied.contains($0.map.root) && hint.tied.contains(named.map.root)
          && $0.hitCount >= named.hitCount && mayBeTree
      }
      if tied.count > 1 {
        return evidence(hint.isCount ? .weak : .strong, named, reading, others: tied)
      }
      let isOwn = named.map.root == reading.column.entity
      let isTree = !isOwn || !hint.isParent || scan.valueCount < named.keyCount
      let isStrong = !hint.isCount && isTree && named.reason != .word
      let others = isTree ? [] : LinkScales.whole(scan)
      return named.isMoved
        ? evidence(isStrong ? .strong : .weak, named, reading, others: others) : nil
    }
    let whole = LinkScales.whole(scan)
    if reading.isKey, !reading.isVirtual, let upper = whole.first(where: { $0.reason == .holder }) {
      return try extendedEvidence(upper, reading)
    }
    // Of tables in which keys are rare only these count; else most links lead to what many lead to.
    var rare: [LinkScan.Candidate] = []
    for found in LinkScales.most(scan)
    where try isRare(found, among: scan.valueCount, ofKeys: reading.isKey) {
      rare.append(found)
    }
    // One value alone, as a time, may agree with a key of that time in any column.
    if !hint.isLinkLike { rare.removeAll { $0.distinctCount == 1 } }
    let full = rare.filter { $0.hitCount == scan.valueCount }
    if let best = likeliest(of: full.isEmpty ? rare : full, reading) {
      let isStrong = hint.isLinkLike && best.distinctCount > 1
      return evidence(isStrong ? .strong : .weak, best, reading, others: whole)
    }
    guard let best = likeliest(of: whole, reading) else { return nil }
    // Keys that were counted from 1 are keys of every larger table, too.
    let isCounted = best.distinctCount == best.highest
    if reading.isKey, !reading.isVirtual, isCounted { return nil }
    if reading.isVirtual {
      // An index of texts has as many rows as the table that it is an index of.
      let equal = whole.filter { $0.distinctCount == $0.keyCount && $0.keyCount > 1 }
      if let best = likeliest(of: equal, reading) {
        return evidence(.strong, best, reading, others: whole)
      }
    }
    // Under one name that counts nothing, values that are all the keys of a table hardly measure something.
    if reading.isSetting, !hint.isCount, reading.scan.valueCount >= LinkScales.fewest {
      let full = whole.filter { $0.keyCount > 2 && $0.distinctCount == $0.keyCount }
      if let best = likeliest(of: full, reading) {
        return evidence(.weak, best, reading, others: whole)
      }
    }
    let isMost = !reading.isKey && whole.contains(where: LinkScales.isMost)
    if hint.isForeignKey || isMost {
      return evidence(hint.isLinkLike ? .strong : .weak, best, reading, others: whole)
    }
    let isLinkLike = hint.isLinkLike || reading.isKey
    let holders = whole.filter {
      $0.reason == .holder && (isLinkLike || hint.isInJoin || $0.distinctCount == $0.keyCount)
    }
    // A table that another column leads to by its name is hardly meant once more.
    let reached = reached[reading.column.entity] ?? []
    if let first = holders.first(where: { !reached.contains($0.map.root) }) ?? holders.first {
      return evidence(.weak, first, reading)
    }
    return hint.isLinkLike ? evidence(.weak, best, reading, others: whole) : nil
  }

  /// The evidence that a key called like any other is that of `upper`, with whose name that of its own table begins.
  ///
  /// A table that numbers its rows by itself has gaps only where rows were deleted.
  private func extendedEvidence(_ upper: LinkScan.Candidate, _ reading: Reading) throws(SQLiteError) -> LinkEvidence? {
    let (count, range) = (upper.distinctCount, upper.highest - upper.lowest + 1)
    let isWhole = count == upper.keyCount && count >= LinkScales.fewest
    guard count < range || isWhole else { return nil }
    let hasMostlyGaps = count >= LinkScales.fewestPairs && count * 2 <= range
    let isRare = try isRare(upper, among: reading.scan.valueCount, ofKeys: true)
    return evidence(hasMostlyGaps || isRare ? .strong : .weak, upper, reading)
  }

  /// The evidence that the values are keys under some names in another column, or behind some texts in their own.
  ///
  /// Under names that no known program uses so it is no more than a note, as only the values tell of which table.
  private func settingsEvidence(_ reading: Reading) throws(SQLiteError) -> [LinkEvidence] {
    var (strong, weak): ([LinkType], [LinkType]) = ([], [])
    for kind in reading.settings {
      guard let found = try evidence(of: kind, reading) else { continue }
      var type = kind.type
      type.root = found.target.root
      (type.valueCount, type.hitCount) = (kind.scan.valueCount, found.target.hitCount)
      (type.keys, type.others) = (found.target, found.others.map(\.root))
      let isStrong =
        type.condition.keyPrefix.map { isSure(found, behind: $0) }
        ?? (found.target.reason == .setting)
      if isStrong { strong.append(type) } else { weak.append(type) }
    }
    return [(LinkEvidence.Weight.strong, strong), (.weak, weak)].compactMap { weight, types in
      evidence(weight, types, reading)
    }
  }

  /// The evidence for links of several types in one column.
  private func evidence(_ weight: LinkEvidence.Weight, _ types: [LinkType], _ reading: Reading) -> LinkEvidence? {
    guard let first = types.first?.keys else { return nil }
    let hasPrefixes = types.contains { $0.condition.keyPrefix != nil }
    return LinkEvidence(
      column: reading.column,
      isKey: false,
      weight: weight,
      valueCount: types.map(\.valueCount).reduce(0, +),
      target: first,
      others: [],
      typeColumn: hasPrefixes ? reading.column.name : reading.hint.settingColumn,
      types: types
    )
  }

  /// Whether numbers behind `prefix` are keys rather than numbers of their own.
  ///
  /// A name says so, or each key is there just once. An address on the web is another program's.
  private func isSure(_ found: LinkEvidence, behind prefix: String) -> Bool {
    let target = found.target
    let isOneToOne =
      target.hitCount >= LinkScales.fewestPairs && target.hitCount == target.distinctCount
      && target.hitCount == target.keyCount && found.valueCount == target.hitCount
    return !prefix.contains("://") && (target.reason != nil || isOneToOne)
  }

  /// What speaks for it that the values under one name, or behind one text, are keys of a table.
  private func evidence(of kind: LinkSettings.Kind, _ reading: Reading) throws(SQLiteError) -> LinkEvidence? {
    var hint = LinkHint()
    let prefix = kind.type.condition.keyPrefix
    let name = prefix.map(LinkTexts.word) ?? LinkName(kind.type.name)
    hint.isLinkLike = prefix != nil || name.isLinkLike
    hint.isCount = name.isCount && !hint.isLinkLike
    if name.last.utf8.count > 1 {
      let tables = kind.scan.candidates.map(\.map.root)
      hint.shortened = Set(
        tables.filter {
          let table = TableName($0).whole
          return prefix == nil ? table.hasPrefix(name.last) : name.last.isAbbreviation(of: table)
        }
      )
    }
    var single = Reading(column: reading.column, hint: hint, scan: kind.scan, isKey: false, isVirtual: false)
    single.isSetting = prefix == nil
    return try plainEvidence(single)
  }

  /// The tables whose keys all values are.
  private static func whole(_ scan: LinkScan) -> [LinkScan.Candidate] {
    scan.candidates.filter { $0.hitCount > 0 && $0.hitCount == scan.valueCount }
  }

  /// The tables whose keys most of the values are.
  private static func most(_ scan: LinkScan) -> [LinkScan.Candidate] {
    scan.candidates.filter { $0.hitCount > 0 && $0.hitCount * 2 >= scan.valueCount }
  }

  /// The table to which the column's name points, where most of the values are its keys.
  private static func named(_ reading: Reading) -> LinkScan.Candidate? {
    let scan = reading.scan
    let named = (whole(scan) + most(scan).filter { $0.reason != .word })
      .filter { $0.reason != nil && $0.reason != .holder }
    guard let first = named.first, first.reason == .key else { return named.first }
    // Of several tables whose keys have the name, the largest is the one that others continue.
    let keys = named.filter { $0.reason == .key }
    let count = keys.map(\.keyCount).max()
    return keys.first { $0.keyCount == count }
  }

  /// The likeliest of the tables.
  private func likeliest(of found: [LinkScan.Candidate], _ reading: Reading) -> LinkScan.Candidate? {
    ranked(found, reading).first
  }

  /// The tables, likeliest first: one whose name the column's shortens; one whose rows lead back, where each row has
  /// another value, as the latest revision of a page; then those to which most links lead, the smallest first.
  private func ranked(_ found: [LinkScan.Candidate], _ reading: Reading) -> [LinkScan.Candidate] {
    let ranks = found.map { candidate in
      (group: group(candidate, reading), links: -(linkCounts[candidate.map.root] ?? 0))
    }
    return found.indices.sorted { one, other in
      let (a, b) = (ranks[one], ranks[other])
      return (a.group, a.links, found[one].keyCount, one)
        < (b.group, b.links, found[other].keyCount, other)
    }.map { found[$0] }
  }

  /// What speaks for a table beside the values: 0 for its name, 1 for links that lead back, 2 for nothing.
  private func group(_ candidate: LinkScan.Candidate, _ reading: Reading) -> Int {
    let (own, root) = (reading.column.entity, candidate.map.root)
    if reading.hint.shortened.contains(root) { return 0 }
    // As `downloads_url_chains.id`, which has the keys of `downloads`.
    if candidate.reason == .holder, candidate.distinctCount * 2 >= candidate.keyCount { return 1 }
    guard own != root, reading.hint.isLinkLike, !reading.isKey, reading.scan.valueCount > 1,
      candidate.distinctCount == reading.scan.valueCount,
      reached[root]?.contains(own) == true || ends[root]?.contains(own) == true
    else { return 2 }
    return 1
  }

  /// Whether keys are so rare in the table that values of no meaning would hardly be all keys, or most of them.
  ///
  /// Keys are counted on from the same number in many tables: of these only gaps between keys tell anything.
  private func isRare(
    _ found: LinkScan.Candidate,
    among valueCount: Int64,
    ofKeys isKey: Bool
  ) throws(SQLiteError) -> Bool {
    let lowest = isKey ? try found.map.existing.bounds().map { max($0.lowerBound, 1) } ?? 1 : 1
    let count = try found.map.existing.count(in: lowest...found.highest)
    let density = Double(count) / Double(found.highest - lowest + 1)
    // Where some are no keys, the others may be by chance.
    guard found.hitCount == valueCount || density < LinkScales.rareness else { return false }
    return pow(density, Double(found.distinctCount)) < LinkScales.chance
  }

  /// Whether the values are so many of the table's keys that they hardly count something.
  private static func isMost(_ found: LinkScan.Candidate) -> Bool {
    found.distinctCount * 2 >= found.keyCount && found.distinctCount >= fewest
  }

  /// The evidence that the values are keys of `found`; `nil` where no such key changes.
  ///
  /// - Parameters:
  ///   - weight: How much it is.
  ///   - found: The likeliest table.
  ///   - reading: What was read of the column.
  ///   - others: The tables whose keys the values are as well; where only keys of one of these change, that one is meant.
  /// - Returns: The evidence.
  private func evidence(
    _ weight: LinkEvidence.Weight,
    _ found: LinkScan.Candidate,
    _ reading: Reading,
    others: [LinkScan.Candidate] = []
  ) -> LinkEvidence? {
    guard let target = found.isMoved ? found : likeliest(of: others.filter(\.isMoved), reading)
    else {
      return nil
    }
    func described(_ found: LinkScan.Candidate) -> LinkEvidence.Target {
      LinkEvidence.Target(
        root: found.map.root,
        reason: found.reason,
        hitCount: found.hitCount,
        distinctCount: found.distinctCount,
        keyCount: found.keyCount
      )
    }
    let rest = others.filter { $0.map.root != target.map.root }
    var evidence = LinkEvidence(
      column: reading.column,
      isKey: reading.isKey,
      weight: target.map.root == found.map.root ? weight : .weak,
      valueCount: reading.scan.valueCount,
      target: described(target),
      others: ranked(rest, reading).map(described),
      typeColumn: nil,
      types: []
    )
    // An index of texts is one of the table that it is called after or has as many rows as.
    let group = self.group(target, reading)
    evidence.isSole =
      reading.isVirtual || group < 2 && !rest.contains { self.group($0, reading) == group }
    return evidence
  }
}

extension String {
  /// Whether it has some of the letters of `word` in their order, the first among them.
  fileprivate func isAbbreviation(of word: String) -> Bool {
    guard first == word.first else { return false }
    var rest = word[...]
    for letter in self {
      guard let place = rest.firstIndex(of: letter) else { return false }
      rest = rest[rest.index(after: place)...]
    }
    return true
  }
}
