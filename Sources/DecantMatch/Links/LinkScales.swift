internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSystem
internal import DecantSQLite

/// An evaluation of the columns of a database that may be undeclared links, compared with each other.
struct LinkScales {
  /// A column that was read.
  struct Reading {
    let column: Property
    let hint: LinkHint
    let scan: LinkScan
    /// The column that names the table of each key; `nil` if there is none.
    var pair: LinkPairs.Pair?
    /// The values by the names in another column, if that names each value.
    var settings: [LinkSettings.Kind] = []
    /// Whether it is the key of its own table.
    let isKey: Bool
    /// Whether its table is virtual.
    let isVirtual: Bool
    /// Whether each text contains several keys.
    var isList = false
    /// Whether it consists of the values under one name in another column.
    var isSetting = false
    /// Whether a row has its own key in it, as the root of a tree may.
    var hasOwnKey = false
    /// Its name; `nil` for a part of its values.
    var name: LinkName?
  }

  /// The number of different values from which their share of a table's keys is evidence.
  private static let fewest: Int64 = 10
  /// The number of keys from which it is evidence that each occurs after a text exactly once.
  private static let fewestPairs: Int64 = 5
  /// The maximum probability that as many random values are keys.
  private static let chance = 0.001
  /// The maximum density of keys in a range if a few other values are to be ignored.
  private static let rareness = 0.01

  /// The number of links to each table, declared ones and those suggested by names.
  private let linkCounts: [String: Int]

  /// For each table, those with declared links to it: they have keys of their own.
  private let holders: [String: Set<String>]
  /// For each table, the targets of its declared links: its key leads there too only if a name says so.
  private let ends: [String: Set<String>]

  /// The tables whose names consist of those of others, as `issue_label`: each row joins two objects.
  private let joins: Set<String>

  /// For each table, the tables that the names of its columns suggest.
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
    let names = layout.relations.map { TableName($0.root) }
    joins = Set(
      names.filter { name in names.count { name.place(of: $0) != nil } > 1 }.map(\.text))
  }

  /// Evaluates one column.
  ///
  /// - Parameter reading: The values of the column.
  /// - Returns: The evidence; empty without any, two elements if it is stronger in some rows than in others.
  /// - Throws: `SQLiteError` if keys cannot be counted.
  func evidence(_ reading: Reading) throws(SQLiteError) -> [LinkEvidence] {
    guard reading.settings.isEmpty else { return try settingsEvidence(reading) }
    guard var evidence = try plainEvidence(reading) else { return [] }
    // Texts of digits, of which the name suggests no table, may be keys of another program.
    let isText =
      reading.pair == nil && reading.hint.holdsTexts && !reading.hint.countsValues && evidence.target.reason == nil
    guard reading.isList else { return [isText ? evidence.asNote : evidence] }
    evidence.isList = true
    return [evidence.asNote]
  }

  /// Evaluates one column whose values can be keys of only one table.
  private func plainEvidence(_ reading: Reading) throws(SQLiteError) -> LinkEvidence? {
    let hint = reading.hint
    var scan = reading.scan
    if reading.isKey {
      let others = holders[reading.column.entity] ?? []
      scan.leaveOut(others)
      scan.leaveOut(ends[reading.column.entity] ?? [], isOfNamed: false)
      if hint.named.allSatisfy({ $0.reason == .holder }) {
        // If another column leads to that table, the key does not.
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
        // In a tree at least one row has no parent.
        let mayBeTree = $0.map.root != reading.column.entity || scan.valueCount < $0.keyCount
        return hint.tied.contains($0.map.root) && hint.tied.contains(named.map.root)
          && $0.hitCount >= named.hitCount && mayBeTree
      }
      if tied.count > 1 {
        return evidence(hint.isCount ? .weak : .strong, named, reading, others: tied)
      }
      let isOwn = named.map.root == reading.column.entity
      if isOwn, let joined = joined(with: named, scan, reading) {
        return joined.isMoved
          ? evidence(hint.isCount ? .weak : .strong, joined, reading, others: LinkScales.whole(scan)) : nil
      }
      // Numbers from 1 on are keys of any table: `best_tab` in a table of tabs.
      if isOwn, named.reason == .word, named.distinctCount == named.highest { return nil }
      // A root may also be its own parent, unless the values are keys of another table as well.
      let isAlone = LinkScales.whole(scan).allSatisfy { $0.map.root == named.map.root }
      let isTree = !isOwn || !hint.isParent || scan.valueCount < named.keyCount || reading.hasOwnKey && isAlone
      // If only the last word is a table's name, the values must confirm it: many different ones must be keys there. For a
      // link to the same table, either most keys must occur or few numbers may be keys. If only the first word of the
      // table's name agrees, one value is not enough.
      var isSure = named.reason != .word && (named.reason != .part || named.distinctCount > 1)
      if !isSure, named.distinctCount >= LinkScales.fewest {
        let isRare = try isRare(named, among: scan.valueCount, ofKeys: false)
        isSure = !isOwn || LinkScales.isMost(named) || isRare
      }
      let isStrong = !hint.isCount && isTree && isSure
      let others = isTree ? [] : LinkScales.whole(scan)
      return named.isMoved
        ? evidence(isStrong ? .strong : .weak, named, reading, others: others) : nil
    }
    let whole = LinkScales.whole(scan)
    if reading.isKey, !reading.isVirtual, let upper = whole.first(where: { $0.reason == .holder }) {
      return try extendedEvidence(upper, reading)
    }
    if let upper = part(of: whole, reading) ?? end(among: whole, reading) { return evidence(.strong, upper, reading) }
    let isOrder = reading.name?.isOrder == true
    // Of tables with rare keys only these count; otherwise the table with the most links is most likely.
    var rare: [LinkScan.Candidate] = []
    for found in LinkScales.most(scan)
    where try isRare(found, among: scan.valueCount, ofKeys: reading.isKey) {
      rare.append(found)
    }
    // A single value, such as a time, may equal a key in any column by chance.
    if !hint.isLinkLike { rare.removeAll { $0.distinctCount == 1 } }
    let full = rare.filter { $0.hitCount == scan.valueCount }
    if let best = likeliest(of: full.isEmpty ? rare : full, reading) {
      let isNamed = hint.isLinkLike && !isOrder || best.distinctCount > 2 && isTold(best, reading)
      return evidence(isNamed && best.distinctCount > 1 ? .strong : .weak, best, reading, others: whole)
    }
    // A table that another column leads to, by its name or as declared, is unlikely to be a target again.
    let entity = reading.column.entity
    let reached = (reached[entity] ?? []).union(ends[entity] ?? [])
    // Every key of a table that the name tells of.
    let named = whole.filter { found in
      found.keyCount >= LinkScales.fewest && found.distinctCount == found.keyCount && isTold(found, reading)
        && !reached.contains(found.map.root)
    }
    let most = named.map { sharedCount($0, reading) }.max()
    if let best = likeliest(of: named.filter { sharedCount($0, reading) == most }, reading) {
      return evidence(.strong, best, reading, others: whole)
    }
    guard let best = likeliest(of: whole, reading) else { return nil }
    // Keys counted from 1 are also keys of every larger table.
    let isCounted = best.distinctCount == best.highest
    if reading.isKey, !reading.isVirtual, isCounted { return nil }
    if reading.isVirtual {
      // A full-text index has as many rows as its table.
      let equal = whole.filter { $0.distinctCount == $0.keyCount && $0.keyCount > 1 }
      if let best = likeliest(of: equal, reading) {
        return evidence(.strong, best, reading, others: whole)
      }
    }
    // Values under one name that is not a count, and that are all keys of a table, are unlikely to be measurements.
    if reading.isSetting, !hint.isCount, reading.scan.valueCount >= LinkScales.fewest {
      let full = whole.filter { $0.keyCount > 2 && $0.distinctCount == $0.keyCount }
      if let best = likeliest(of: full, reading) {
        return evidence(.weak, best, reading, others: whole)
      }
    }
    let isMost = !reading.isKey && whole.contains(where: LinkScales.isMost)
    if hint.isForeignKey || isMost {
      return evidence(hint.isLinkLike && !isOrder ? .strong : .weak, best, reading, others: whole)
    }
    let isLinkLike = hint.isLinkLike || reading.isKey
    let mayBeKey = reading.name?.isCount != true
    let holders = whole.filter {
      $0.reason == .holder && (isLinkLike || mayBeKey && (hint.isInJoin || $0.distinctCount == $0.keyCount))
    }
    if let first = holders.first(where: { !reached.contains($0.map.root) }) {
      // A row that joins two tables has a link to either.
      let isEnd = hint.isInJoin && first.distinctCount > 1 && reading.name != nil && mayBeKey
      return evidence(isEnd ? .strong : .weak, first, reading)
    }
    if let first = holders.first { return evidence(.weak, first, reading) }
    if hint.isLinkLike { return evidence(.weak, best, reading, others: whole) }
    guard mayBeKey, !reading.isKey, let name = reading.name, !name.isProperty else { return nil }
    let alike = whole.filter { $0.distinctCount > 1 && LinkScales.areAlike(name, TableName($0.map.root)) }
    return likeliest(of: alike, reading).flatMap { evidence(.weak, $0, reading) }
  }

  /// Returns the table whose keys are in a column called `id` that cannot be the key of its own table, whose name
  /// continues that table's: `downloads_url_chains.id` with `downloads`.
  private func part(of whole: [LinkScan.Candidate], _ reading: Reading) -> LinkScan.Candidate? {
    guard !reading.isKey, reading.name?.isPlainID == true else { return nil }
    let own = TableName(reading.column.entity)
    return whole.filter { found in
      found.reason == .holder && own.place(of: TableName(found.map.root)) == 0
        && (reading.hint.isKeyPart || reading.scan.valueCount > found.distinctCount)
    }.max { TableName($0.map.root).words.count < TableName($1.map.root).words.count }
  }

  /// Returns the table to which one end of a relation leads, whose name is part of that of the relation's table:
  /// `image_relations.subject` with `images`.
  private func end(among whole: [LinkScan.Candidate], _ reading: Reading) -> LinkScan.Candidate? {
    guard !reading.isKey, let name = reading.name, name.isEnd else { return nil }
    // A source or a target may also be a state.
    let count = name.hasSuffix ? 2 : LinkScales.fewestPairs
    return whole.first { $0.reason == .holder && $0.distinctCount >= count }
  }

  /// Returns whether a name that is not that of a link tells of the table: the table's name is part of the name of the
  /// column's table, or shares a word with that of the column.
  private func isTold(_ found: LinkScan.Candidate, _ reading: Reading) -> Bool {
    guard !reading.isKey, let name = reading.name, !name.isCount, !name.isProperty, !name.isOrder else { return false }
    return found.reason == .holder || sharedCount(found, reading) > 0
  }

  /// Returns whether the last words of both names have the first four letters in common, as `mimepart` and `mimetypes`.
  private static func areAlike(_ name: LinkName, _ table: TableName) -> Bool {
    zip(name.last, table.singulars.last ?? "").prefix { $0 == $1 }.count >= 4
  }

  /// Returns the number of words that the name of the column has in common with the table's.
  private func sharedCount(_ found: LinkScan.Candidate, _ reading: Reading) -> Int {
    reading.name?.count(ofWordsIn: TableName(found.map.root)) ?? 0
  }

  /// Returns the table of which a row joins two objects, if the column is named like its own table; `nil` if it is not
  /// such a row.
  ///
  /// The name may say what the row is instead: `follow.follow_id` leads to the users to whom `follow.user_id` leads. In
  /// a tree a row without parent would have no value.
  private func joined(
    with own: LinkScan.Candidate,
    _ scan: LinkScan,
    _ reading: Reading
  ) -> LinkScan.Candidate? {
    let entity = reading.column.entity
    guard own.reason == .table, !reading.hint.isParent, scan.valueCount >= own.keyCount else { return nil }
    let others = (reached[entity] ?? []).union(ends[entity] ?? []).subtracting([entity])
    return likeliest(of: LinkScales.whole(scan).filter { others.contains($0.map.root) }, reading)
  }

  /// Returns the evidence that a key with a general name is the key of `upper`, whose name is a prefix of its own
  /// table's.
  ///
  /// A table that numbers its rows itself has gaps only where rows were deleted.
  private func extendedEvidence(_ upper: LinkScan.Candidate, _ reading: Reading) throws(SQLiteError) -> LinkEvidence? {
    let (count, range) = (upper.distinctCount, upper.highest - upper.lowest + 1)
    let isWhole = count == upper.keyCount && count >= LinkScales.fewest
    guard count < range || isWhole else { return nil }
    let hasMostlyGaps = count >= LinkScales.fewestPairs && count * 2 <= range
    let isRare = try isRare(upper, among: reading.scan.valueCount, ofKeys: true)
    return evidence(hasMostlyGaps || isRare || isWhole ? .strong : .weak, upper, reading)
  }

  /// Returns the evidence that values are keys under some names in another column, or after some prefixes in their own.
  ///
  /// Under names that no known program uses it is only a note, as only the values suggest the table.
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

  /// Returns the evidence for links of several types in one column.
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

  /// Returns whether numbers after `prefix` are keys instead of other numbers.
  ///
  /// A name suggests it, or each key occurs exactly once. A web address belongs to another program.
  private func isSure(_ found: LinkEvidence, behind prefix: String) -> Bool {
    let target = found.target
    let isOneToOne =
      target.hitCount >= LinkScales.fewestPairs && target.hitCount == target.distinctCount
      && target.hitCount == target.keyCount && found.valueCount == target.hitCount
    return !prefix.contains("://") && (target.reason != nil || isOneToOne)
  }

  /// Returns the evidence that the values under one name, or after one prefix, are keys of a table.
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

  /// Returns the tables that have all values as keys.
  private static func whole(_ scan: LinkScan) -> [LinkScan.Candidate] {
    scan.candidates.filter { $0.hitCount > 0 && $0.hitCount == scan.valueCount }
  }

  /// Returns the tables that have most of the values as keys.
  private static func most(_ scan: LinkScan) -> [LinkScan.Candidate] {
    scan.candidates.filter { $0.hitCount > 0 && $0.hitCount * 2 >= scan.valueCount }
  }

  /// Returns the table that the column's name suggests, if most of the values are its keys.
  private static func named(_ reading: Reading) -> LinkScan.Candidate? {
    let scan = reading.scan
    let named = (whole(scan) + most(scan).filter { $0.reason != .word && $0.reason != .part })
      .filter { $0.reason != nil && $0.reason != .holder }
    guard let first = named.first, first.reason == .key else { return named.first }
    // If the keys of several tables have the name, the others are likely to extend the largest table.
    let keys = named.filter { $0.reason == .key }
    let count = keys.map(\.keyCount).max()
    return keys.first { $0.keyCount == count }
  }

  /// Returns the most likely of the tables.
  private func likeliest(of found: [LinkScan.Candidate], _ reading: Reading) -> LinkScan.Candidate? {
    ranked(found, reading).first
  }

  /// Returns the tables, most likely first.
  ///
  /// First is one that the column's name abbreviates; then one whose rows link back, if each row has a different value,
  /// as the latest revision of a page; then those with the most links, the smallest first.
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

  /// Returns the evidence for a table beside the values: 0 for its name, 1 for links back, 2 for none.
  private func group(_ candidate: LinkScan.Candidate, _ reading: Reading) -> Int {
    let (own, root) = (reading.column.entity, candidate.map.root)
    if reading.hint.shortened.contains(root) { return 0 }
    // As `downloads_url_chains.id`, which has the keys of `downloads`.
    if candidate.reason == .holder, candidate.distinctCount * 2 >= candidate.keyCount { return 1 }
    guard own != root, !joins.contains(root), reading.hint.isLinkLike, reading.name?.isOrder != true, !reading.isKey,
      reading.scan.valueCount > 1,
      candidate.distinctCount == reading.scan.valueCount,
      reached[root]?.contains(own) == true || ends[root]?.contains(own) == true
    else { return 2 }
    return 1
  }

  /// Returns whether keys in the table are so rare that random values would hardly all, or mostly, be keys.
  ///
  /// Many tables count keys from the same number: for these only gaps between keys are evidence.
  private func isRare(
    _ found: LinkScan.Candidate,
    among valueCount: Int64,
    ofKeys isKey: Bool
  ) throws(SQLiteError) -> Bool {
    let lowest = isKey ? try found.map.existing.bounds().map { max($0.lowerBound, 1) } ?? 1 : 1
    let count = try found.map.existing.count(in: lowest...found.highest)
    let density = Double(count) / Double(found.highest - lowest + 1)
    // If some values are not keys, the others may be keys by chance.
    guard found.hitCount == valueCount || density < LinkScales.rareness else { return false }
    return pow(density, Double(found.distinctCount)) < LinkScales.chance
  }

  /// Returns whether the values cover so many of the table's keys that they are unlikely to be counts.
  private static func isMost(_ found: LinkScan.Candidate) -> Bool {
    found.distinctCount * 2 >= found.keyCount && found.distinctCount >= fewest
  }

  /// Returns the evidence that the values are keys of `found`; `nil` if no such key changes.
  ///
  /// - Parameters:
  ///   - weight: The weight of the evidence.
  ///   - found: The most likely table.
  ///   - reading: The values of the column.
  ///   - others: The other tables with the values as keys; if only keys of one of these change, it is used instead.
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
    // A full-text index belongs to the table with its name, or with as many rows.
    let group = self.group(target, reading)
    evidence.isSole =
      reading.isVirtual || group < 2 && !rest.contains { self.group($0, reading) == group }
    return evidence
  }
}

extension String {
  /// Returns whether it consists of some letters of `word` in order, including the first.
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
