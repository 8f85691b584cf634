internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// A test of whether a copy kept the keys of a root entity, based on a sample.
///
/// If entities have an identity, it must be equal for at least half of the keys that both stores have. Otherwise values
/// must agree: at least half of those that do not agree by chance, as measured on objects with different keys; two
/// recipes may have the same author.
struct KeyEvidence {
  let connection: Connection

  /// The result for a sample.
  enum Verdict {
    case kept, renumbered
    /// The sample is too small.
    case unknown
    /// There are few objects, and the other store has none of their keys.
    case unrelated
    /// Few objects differ under keys that are all equal: some were changed, or all were renumbered.
    case doubtful
  }

  /// The size of the sample.
  private static let sampleSize: Int64 = 100
  /// The maximum number of values of each object: a statement has at most 2000 columns.
  private static let valueLimit = 500
  /// The number of pairs below which a disagreement means nothing.
  private static let enough = 3
  /// The number of pairs below which a disagreement means little if the keys are equal.
  private static let many = 10
  /// The number of pairs below which it means little even if hardly any identity is equal.
  private static let some = 5
  /// The share of equal identities up to which few objects count as renumbered instead of changed.
  private static let unrelatedShare = 0.25
  /// The share of values not equal by chance from which keys were certainly kept.
  private static let clearShare = 0.75

  /// A sampled object: its identity, if it has one, and its values.
  private struct Sample {
    let entity: Int64
    let identity: Int64?
    let values: [Int64?]

    /// Returns the object without its identity, and with these values alone.
    func with(_ places: [Int]) -> Sample { Sample(entity: entity, identity: nil, values: places.map { values[$0] }) }

    /// Returns the number of values that exist in one of the two, and of equal ones.
    func likeness(to other: Sample) -> (agreeing: Int, all: Int) {
      var likeness = (agreeing: 0, all: 0)
      for (value, there) in zip(values, other.values) where value != nil || there != nil {
        likeness.all += 1
        if value == there { likeness.agreeing += 1 }
      }
      return likeness
    }
  }

  /// Examines a sample of `keys`, the keys of `root` in the source.
  ///
  /// - Parameters:
  ///   - root: The root entity.
  ///   - keys: The keys of its objects in the source.
  /// - Returns: The result, and whether it outweighs that of other root entities.
  /// - Throws: `SQLiteError` if a store cannot be read.
  func evidence(on root: MatchRoot, _ keys: KeySet) throws(SQLiteError) -> (verdict: Verdict, isSure: Bool) {
    let statements = (try statement(root, .source), try statement(root, .destination))
    var pairs: [(here: Sample, there: Sample)] = []
    func look(at key: Int64) throws(SQLiteError) {
      guard let here = try sample(statements.0, key), let there = try sample(statements.1, key)
      else { return }
      pairs.append((here, there))
    }
    let size = min(KeyEvidence.sampleSize, keys.count)
    // At irregular distances: every second object may be missing.
    var generator = UnevenSteps()
    for index in 0..<size {
      let (first, next) = (index * keys.count / size, (index + 1) * keys.count / size)
      guard let key = try keys.key(at: first + generator.next(below: next - first)) else {
        continue
      }
      try look(at: key)
    }
    if pairs.count < KeyEvidence.enough {
      pairs = []
      for key in try commonKeys(of: root) { try look(at: key) }
    }
    guard !pairs.isEmpty else {
      return (size == 0 ? .unknown : size < KeyEvidence.enough ? .unrelated : .renumbered, false)
    }
    // A single match by chance among many missing objects proves nothing.
    guard pairs.count >= min(KeyEvidence.enough, Int(size)) else {
      return (pairs.count * 2 < size ? .unrelated : .unknown, false)
    }
    var (verdict, share) = KeyEvidence.verdict(pairs)
    // A number that must be unique, such as the position in a list, may be another one under a kept key.
    if verdict == .renumbered, pairs.count >= KeyEvidence.some, let rest = placesBesideNumbers(of: root) {
      let others = KeyEvidence.verdict(pairs.map { ($0.here.with(rest), $0.there.with(rest)) })
      if others.0 == .kept, others.share >= KeyEvidence.clearShare { (verdict, share) = others }
    }
    // Only clear evidence outweighs that of other entities.
    let isSure =
      pairs.count >= KeyEvidence.many && (verdict != .kept || share >= KeyEvidence.clearShare)
    guard verdict == .renumbered, pairs.count < KeyEvidence.many, pairs.count == keys.count,
      share > KeyEvidence.unrelatedShare || pairs.count < KeyEvidence.some,
      try ownCount(of: root, keys.count) == keys.count
    else { return (verdict, isSure) }
    return (.doubtful, false)
  }

  /// Returns the places of the sampled values that are not part of the identity; `nil` if that contains no number.
  private func placesBesideNumbers(of root: MatchRoot) -> [Int]? {
    let columns = root.identities.values.flatMap(\.attributes).compactMap {
      root.relations.destination.column(.attribute($0))
    }
    guard columns.contains(where: { $0.type?.isNumber == true }) else { return nil }
    let rest = Set(root.informativeValues(.source, without: Set(columns.map(\.name.sqlName))))
    let places = root.informativeValues(.source).prefix(KeyEvidence.valueLimit).enumerated()
      .filter { rest.contains($0.element) }.map(\.offset)
    return places.isEmpty ? nil : places
  }

  /// Returns the number of objects of the destination without those that an earlier merge of the source added under other
  /// keys: they are no evidence, as the earlier merge did not have them.
  ///
  /// If there are more than twice `count`, the number of the source's objects, it has others of its own.
  private func ownCount(of root: MatchRoot, _ count: Int64) throws(SQLiteError) -> Int64? {
    let table = root.table(.destination)
    let all = try connection.integer("SELECT count(*) FROM \(table)") ?? 0
    guard all > count, all <= 2 * count else { return all }
    let values = Sided { side in MixFunction.sql(root.informativeValues(side)) }
    return try connection.integer(
      """
      SELECT count(*) FROM \(table)
      WHERE \(root.key(.destination)) IN (SELECT \(root.key(.source)) FROM \(root.table(.source)))
        OR \(values.destination) NOT IN (SELECT \(values.source) FROM \(root.table(.source)))
      """
    )
  }

  /// Returns the result for the pairs, and the share of equal identities, or of equal values corrected for chance.
  private static func verdict(_ pairs: [(here: Sample, there: Sample)]) -> (Verdict, share: Double) {
    let known = pairs.filter { $0.here.identity != nil || $0.there.identity != nil }
    if !known.isEmpty {
      let same = known.count {
        $0.here.entity == $0.there.entity && $0.here.identity == $0.there.identity
      }
      let share = Double(same) / Double(known.count)
      return same * 2 >= known.count ? (.kept, 1) : (.renumbered, share)
    }
    var same = Share()
    for pair in pairs { same.add(pair.here.likeness(to: pair.there)) }
    let others = KeyEvidence.others(pairs)
    // If objects of different keys are equal as well, equality means nothing.
    guard same.all > 0, others.all == 0 || others.value < 1 else { return (.unknown, 1) }
    // A few kinds of rows mean nothing either: a program writes them in the same order into every store.
    guard Set(pairs.map(\.here.values)).count * 2 >= pairs.count else { return (.unknown, 1) }
    if same.agreeing == same.all { return (.kept, 1) }
    let share = others.value < 1 ? (same.value - others.value) / (1 - others.value) : 0
    if share >= 0.5 { return (.kept, share) }
    return (pairs.count < enough ? .unknown : .renumbered, 1)
  }

  /// Returns the agreement of objects with different keys, each with all others: neighbours alone may differ by a
  /// pattern, for example if a program writes kinds of rows in turn.
  private static func others(_ pairs: [(here: Sample, there: Sample)]) -> Share {
    var others = Share()
    guard pairs.count > 1 else { return others }
    for place in pairs[0].here.values.indices {
      var (here, there): ([Int64?: Int], [Int64?: Int]) = ([:], [:])
      for pair in pairs {
        here[pair.here.values[place], default: 0] += 1
        there[pair.there.values[place], default: 0] += 1
      }
      // Pairs of equal keys are subtracted from all combinations.
      let equal = pairs.filter { $0.here.values[place] == $0.there.values[place] }
      let bothEmpty = equal.count { $0.here.values[place] == nil }
      let empty = (here[nil] ?? 0) * (there[nil] ?? 0)
      others.all += pairs.count * (pairs.count - 1) - (empty - bothEmpty)
      let agreeing = here.reduce(0) { $0 + ($1.key == nil ? 0 : $1.value * (there[$1.key] ?? 0)) }
      others.agreeing += agreeing - (equal.count - bothEmpty)
    }
    return others
  }

  /// The share of values that agree.
  private struct Share {
    var agreeing = 0
    var all = 0
    var value: Double { all == 0 ? 0 : Double(agreeing) / Double(all) }

    mutating func add(_ likeness: (agreeing: Int, all: Int)) {
      agreeing += likeness.agreeing
      all += likeness.all
    }
  }

  /// Returns the first keys that both stores have, for stores with few common keys.
  private func commonKeys(of root: MatchRoot) throws(SQLiteError) -> [Int64] {
    var keys: [Int64] = []
    try connection.forEachRow(
      """
      SELECT \(root.key(.source)) FROM \(root.table(.source)) WHERE \(root.key(.source)) IN
        (SELECT \(root.key(.destination)) FROM \(root.table(.destination)))
      LIMIT \(KeyEvidence.sampleSize)
      """
    ) { row in keys.append(row.integer(at: 0)) }
    return keys
  }

  private func statement(_ root: MatchRoot, _ side: MatchSide) throws(SQLiteError) -> Statement {
    // An identity with links cannot be compared before their targets are matched.
    let identity = root.identityHash(side) { $0.links.isEmpty }
    let values = root.informativeValues(side).prefix(KeyEvidence.valueLimit).map { "mix_all(\($0))" }
    return try connection.prepare(
      SelectStatement(
        columns: [root.entity(side), identity ?? "NULL"] + values,
        source: root.table(side),
        conditions: ["\(root.key(side)) = ?1"]
      ).sql
    )
  }

  private func sample(_ statement: Statement, _ key: Int64) throws(SQLiteError) -> Sample? {
    defer { statement.reset() }
    try statement.bind(.integer(key), at: 1)
    guard try statement.step() else { return nil }
    return Sample(
      entity: statement.integer(at: 0),
      identity: statement.integerOrNil(at: 1),
      values: (2..<statement.columnCount).map { statement.integerOrNil(at: $0) }
    )
  }
}

/// A generator of pseudorandom numbers that are the same in every run.
private struct UnevenSteps {
  private var state: UInt64 = 1

  mutating func next(below limit: Int64) -> Int64 {
    // The multiplier of Knuth's MMIX; its upper bits are more random.
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int64(state >> 33) % max(limit, 1)
  }
}
