internal import DecantStore
internal import DecantSQLite

/// One reading of a column: how many of its values are keys, and of which tables.
///
/// Memory is bounded: a bit for each key of the tables that are still candidates, and no table is read twice.
struct LinkScan {
  /// A table whose keys the values may be.
  struct Candidate {
    let map: IDMap
    /// Why the column's name points to it; `nil` where it does not.
    let reason: LinkHint.Reason?
    /// Whether some values may lead nowhere.
    let mayMiss: Bool
    /// How many values are keys.
    var hitCount: Int64 = 0
    /// The highest of them.
    fileprivate(set) var highest: Int64 = 0
    /// The lowest of them.
    fileprivate(set) var lowest = Int64.max
    /// Whether one of them is the key of an object that gets another one.
    var isMoved: Bool
    /// How many different keys they are.
    fileprivate(set) var distinctCount: Int64 = 0
    fileprivate var marks: KeyMarks

    /// How many keys the table has.
    var keyCount: Int64 { map.existing.count }

    init(_ map: IDMap, _ reason: LinkHint.Reason?, mayMiss: Bool, isMoved: Bool) {
      self.map = map
      self.reason = reason
      self.mayMiss = mayMiss
      self.isMoved = isMoved
      marks = KeyMarks(map.existing.count)
    }
  }

  /// Those to whose keys all values so far belong, or most where some may lead nowhere.
  private(set) var candidates: [Candidate]
  /// How many values are positive integers.
  private(set) var valueCount: Int64 = 0

  /// How many tables to which no name points are followed over all values of a long column.
  private static let unnamedCount = 8
  /// After how many values a column is long.
  private static let longCount: Int64 = 1_000
  /// After how many values a column has few different ones if it has fewer than ten.
  private static let stateCount: Int64 = 10_000

  /// Whether the name is that of a link.
  private let isLinkLike: Bool

  /// Begins with no values.
  ///
  /// - Parameters:
  ///   - candidates: The tables.
  ///   - isLinkLike: Whether few different values may be keys as well, as the name is that of a link.
  init(_ candidates: [Candidate], isLinkLike: Bool) {
    self.candidates = candidates
    self.isLinkLike = isLinkLike
  }

  /// Leaves out tables to which the column does not lead.
  ///
  /// - Parameters:
  ///   - tables: Their names.
  ///   - isOfNamed: Whether those are left out, too, that the column's name points to.
  mutating func leaveOut(_ tables: Set<String>, isOfNamed: Bool = true) {
    candidates.removeAll { tables.contains($0.map.root) && (isOfNamed || $0.reason == nil) }
  }

  /// Reads the values that `select` gives, as long as a table is left to which they may belong.
  mutating func read(_ select: String, on connection: Connection) throws(SQLiteError) {
    let rows = try connection.prepare(select)
    while try rows.step() {
      try add(rows.integer(at: 0))
      guard !candidates.isEmpty else { return }
    }
    finish()
  }

  /// Takes one value.
  mutating func add(_ value: Int64) throws(SQLiteError) {
    valueCount += 1
    try take(value)
    if valueCount == LinkScan.longCount { keepFewest() }
    if valueCount == LinkScan.stateCount { leaveOutStates() }
  }

  /// Counts the keys behind the last value.
  mutating func finish() {
    for index in candidates.indices {
      candidates[index].distinctCount = candidates[index].marks.count
      candidates[index].marks = KeyMarks(0)
    }
  }

  private mutating func take(_ value: Int64) throws(SQLiteError) {
    var isLost = false
    for index in candidates.indices {
      let map = candidates[index].map
      guard try map.existing.contains(value) else {
        isLost = isLost || !candidates[index].mayMiss
        continue
      }
      candidates[index].hitCount += 1
      candidates[index].highest = max(candidates[index].highest, value)
      candidates[index].lowest = min(candidates[index].lowest, value)
      if !candidates[index].isMoved {
        candidates[index].isMoved = try map.destination(of: value) != value
      }
      candidates[index].marks.insert(try map.existing.rank(of: value))
    }
    guard isLost else { return }
    candidates.removeAll { !$0.mayMiss && $0.hitCount < valueCount }
  }

  /// Goes on with the smallest tables among those that no name points to.
  private mutating func keepFewest() {
    let unnamed = candidates.filter { $0.reason == nil }
      .sorted { $0.keyCount < $1.keyCount }
      .prefix(LinkScan.unnamedCount).map(\.map.root)
    candidates.removeAll { $0.reason == nil && !unnamed.contains($0.map.root) }
  }

  /// Ends with tables that no name points to where the column seems to hold states, as 1 for yes.
  private mutating func leaveOutStates() {
    guard !isLinkLike else { return }
    candidates.removeAll { $0.reason == nil && $0.marks.count < 10 }
  }
}

/// Which keys of a set were met: a bit for each.
private struct KeyMarks {
  private var words: [UInt64] = []
  private let size: Int
  private(set) var count: Int64 = 0

  init(_ keyCount: Int64) { size = Int(keyCount) }

  mutating func insert(_ place: Int64) {
    guard place >= 0, place < Int64(size) else { return }
    if words.isEmpty { words = Array(repeating: 0, count: size / 64 + 1) }
    let bit = UInt64(1) << UInt64(place & 63)
    if words[Int(place >> 6)] & bit == 0 { count += 1 }
    words[Int(place >> 6)] |= bit
  }
}
