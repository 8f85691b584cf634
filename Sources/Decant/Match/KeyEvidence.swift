internal import SQLite

/// Whether a copy left the keys of a root entity as they were: found out by looking at a sample.
///
/// Where entities have an identity it has to be the same behind at least half of the keys that both
/// stores have. Else values have to agree: by at least half of what is left when what objects under
/// different keys agree in anyway is taken off, as two recipes may be of one author.
struct KeyEvidence {
  let connection: Connection

  /// What a sample says.
  enum Verdict {
    case kept, renumbered
    /// There is too little to tell by.
    case unknown
  }

  /// How many objects are looked at.
  private static let sampleSize: Int64 = 100
  /// How many values of each: a statement has no more than 2000 columns.
  private static let valueLimit = 500
  /// With fewer, a disagreement says nothing.
  private static let enough = 3

  /// One object: what tells it apart, where there is such a thing, and its values.
  private struct Sample {
    let entity: Int64
    let identity: Int64?
    let values: [Int64?]

    /// How many values are there in one of the two, and how many are the same.
    func likeness(to other: Sample) -> (agreeing: Int, all: Int) {
      var likeness = (agreeing: 0, all: 0)
      for (value, there) in zip(values, other.values) where value != nil || there != nil {
        likeness.all += 1
        if value == there { likeness.agreeing += 1 }
      }
      return likeness
    }
  }

  /// Looks at some of `keys`, the keys of `root` in the source.
  func verdict(on root: MatchRoot, _ keys: KeySet) throws(SQLiteError) -> Verdict {
    let statements = (try statement(root, .source), try statement(root, .destination))
    var pairs: [(here: Sample, there: Sample)] = []
    let size = min(KeyEvidence.sampleSize, keys.count)
    for index in 0..<size {
      guard let key = try keys.key(at: index * keys.count / size),
        let here = try sample(statements.0, key), let there = try sample(statements.1, key)
      else { continue }
      pairs.append((here, there))
    }
    guard !pairs.isEmpty else { return size < KeyEvidence.enough ? .unknown : .renumbered }
    // One that agrees by chance among many that are not there proves nothing.
    guard pairs.count >= min(KeyEvidence.enough, Int(size)) else { return .unknown }
    let told = pairs.filter { $0.here.identity != nil || $0.there.identity != nil }
    if !told.isEmpty {
      let same = told.count {
        $0.here.entity == $0.there.entity && $0.here.identity == $0.there.identity
      }
      return same * 2 >= told.count ? .kept : .renumbered
    }
    return KeyEvidence.verdict(pairs)
  }

  private static func verdict(_ pairs: [(here: Sample, there: Sample)]) -> Verdict {
    var (same, others) = (Share(), Share())
    for (index, pair) in pairs.enumerated() {
      same.add(pair.here.likeness(to: pair.there))
      guard pairs.count > 1 else { continue }
      others.add(pair.here.likeness(to: pairs[(index + 1) % pairs.count].there))
    }
    guard same.all > 0 else { return .unknown }
    if same.agreeing == same.all { return .kept }
    if others.value < 1, (same.value - others.value) / (1 - others.value) >= 0.5 { return .kept }
    return pairs.count < enough ? .unknown : .renumbered
  }

  /// How much of something agrees.
  private struct Share {
    var agreeing = 0
    var all = 0
    var value: Double { all == 0 ? 0 : Double(agreeing) / Double(all) }

    mutating func add(_ likeness: (agreeing: Int, all: Int)) {
      agreeing += likeness.agreeing
      all += likeness.all
    }
  }

  private func statement(_ root: MatchRoot, _ side: MatchSide) throws(SQLiteError) -> Statement {
    // An identity that is made of links, too, cannot be told before these are matched.
    let identity = root.identityHash(side) { $0.links.isEmpty }
    let values = root.tellingValues(side).prefix(KeyEvidence.valueLimit).map { "mix_all(\($0))" }
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
