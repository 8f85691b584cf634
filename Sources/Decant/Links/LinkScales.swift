internal import Glibc
internal import SQLite

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
  }

  /// From how many different values on the part of a table's keys that they are is evidence.
  private static let fewest: Int64 = 10
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
  /// - Returns: The evidence; `nil` where there is none.
  /// - Throws: `SQLiteError` where keys cannot be counted.
  func evidence(_ reading: Reading) throws(SQLiteError) -> LinkEvidence? {
    guard reading.settings.isEmpty else { return try settingsEvidence(reading) }
    let hint = reading.hint
    var scan = reading.scan
    if reading.isKey {
      let others = holders[reading.column.entity] ?? []
      scan.leaveOut(others)
      scan.leaveOut(ends[reading.column.entity] ?? [], isOfNamed: false)
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
      return named.isMoved ? evidence(hint.isCount ? .weak : .strong, named, reading) : nil
    }
    let whole = LinkScales.whole(scan)
    // Of tables in which keys are rare only these count; else most links lead to what many lead to.
    var rare: [LinkScan.Candidate] = []
    for found in LinkScales.most(scan)
    where try isRare(found, among: scan.valueCount, ofKeys: reading.isKey) {
      rare.append(found)
    }
    // One value alone, as a time, may agree with a key of that time in any column.
    if !hint.isLinkLike { rare.removeAll { $0.distinctCount == 1 } }
    let full = rare.filter { $0.hitCount == scan.valueCount }
    if let best = likeliest(of: full.isEmpty ? rare : full, hint) {
      let isStrong = hint.isLinkLike && best.distinctCount > 1
      return evidence(isStrong ? .strong : .weak, best, reading, others: whole)
    }
    guard let best = likeliest(of: whole, hint) else { return nil }
    // Keys that were counted from 1 are keys of every larger table, too.
    let isCounted = best.distinctCount == best.highest
    if reading.isKey, !reading.isVirtual, isCounted { return nil }
    if reading.isVirtual {
      // An index of texts has as many rows as the table that it is an index of.
      let equal = whole.filter { $0.distinctCount == $0.keyCount && $0.keyCount > 1 }
      if let best = likeliest(of: equal, hint) {
        return evidence(.strong, best, reading, others: whole)
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

  /// The evidence that under some names in another column the values are keys: no more than a note, as only the values
  /// tell of which table.
  private func settingsEvidence(_ reading: Reading) throws(SQLiteError) -> LinkEvidence? {
    var types: [LinkType] = []
    for kind in reading.settings {
      guard let target = try target(of: kind, reading) else { continue }
      var type = kind.type
      type.root = target.root
      (type.valueCount, type.hitCount) = (kind.scan.valueCount, target.hitCount)
      type.keys = target
      types.append(type)
    }
    guard let first = types.first?.keys else { return nil }
    return LinkEvidence(
      column: reading.column,
      isKey: false,
      weight: .weak,
      valueCount: types.map(\.valueCount).reduce(0, +),
      target: first,
      others: [],
      typeColumn: reading.hint.settingColumn,
      types: types
    )
  }

  /// The table whose keys the values under one name are.
  private func target(of kind: LinkSettings.Kind, _ reading: Reading) throws(SQLiteError)
    -> LinkEvidence.Target?
  {
    var hint = LinkHint()
    let name = LinkName(kind.type.name)
    hint.isLinkLike = name.isLinkLike
    if name.last.utf8.count > 1 {
      let tables = kind.scan.candidates.map(\.map.root)
      hint.shortened = Set(tables.filter { TableName($0).whole.hasPrefix(name.last) })
    }
    let single = Reading(
      column: reading.column,
      hint: hint,
      scan: kind.scan,
      isKey: false,
      isVirtual: false
    )
    return try evidence(single)?.target
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
    let named = (whole(scan) + most(scan)).filter { $0.reason != nil && $0.reason != .holder }
    guard let first = named.first, first.reason == .key else { return named.first }
    // Of several tables whose keys have the name, the largest is the one that others continue.
    let keys = named.filter { $0.reason == .key }
    let count = keys.map(\.keyCount).max()
    return keys.first { $0.keyCount == count }
  }

  /// The table to which most links lead, of several the smallest; one whose name the column's shortens before others.
  private func likeliest(of found: [LinkScan.Candidate], _ hint: LinkHint) -> LinkScan.Candidate? {
    let short = found.filter { hint.shortened.contains($0.map.root) }
    return (short.isEmpty ? found : short).min { one, other in
      let (links, otherLinks) = (linkCounts[one.map.root] ?? 0, linkCounts[other.map.root] ?? 0)
      return links == otherLinks ? one.keyCount < other.keyCount : links > otherLinks
    }
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
    guard let target = found.isMoved ? found : likeliest(of: others.filter(\.isMoved), reading.hint)
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
    return LinkEvidence(
      column: reading.column,
      isKey: reading.isKey,
      weight: target.map.root == found.map.root ? weight : .weak,
      valueCount: reading.scan.valueCount,
      target: described(target),
      others: others.filter { $0.map.root != target.map.root }.map(described),
      typeColumn: nil,
      types: []
    )
  }
}
