internal import DecantStore
internal import DecantSQLite

/// A single read of a column: counts its values that are keys, by table.
///
/// Memory use is bounded: a bit for each key of the remaining candidates, and no table is read twice.
struct LinkScan {
  /// A table that may have the values as keys.
  struct Candidate {
    let map: IDMap
    /// Why the column's name suggests it; `nil` if it does not.
    let reason: LinkHint.Reason?
    /// Whether some values may have no target.
    let mayMiss: Bool
    /// The number of values that are keys.
    var hitCount: Int64 = 0
    /// The highest of them.
    fileprivate(set) var highest: Int64 = 0
    /// The lowest of them.
    fileprivate(set) var lowest = Int64.max
    /// Whether one of them is the key of an object that gets another key.
    var isMoved: Bool
    /// The number of different keys.
    fileprivate(set) var distinctCount: Int64 = 0
    fileprivate var marks: KeyMarks

    /// The number of keys in the table.
    var keyCount: Int64 { map.existing.count }

    init(_ map: IDMap, _ reason: LinkHint.Reason?, mayMiss: Bool, isMoved: Bool) {
      self.map = map
      self.reason = reason
      self.mayMiss = mayMiss
      self.isMoved = isMoved
      marks = KeyMarks(map.existing.count)
    }
  }

  /// The remaining tables, which have all values so far as keys, or most of them if some may have no target.
  private(set) var candidates: [Candidate]
  /// The number of values that are positive integers.
  private(set) var valueCount: Int64 = 0

  /// The maximum number of tables without suggestion by name that are checked for all values of a long column.
  private static let unnamedCount = 8
  /// The number of values from which a column is long.
  private static let longCount: Int64 = 1_000
  /// The number of values after which fewer than ten different ones mean a state.
  private static let stateCount: Int64 = 10_000

  /// Whether the name is that of a link.
  private let isLinkLike: Bool

  /// Begins without values.
  ///
  /// - Parameters:
  ///   - candidates: The tables.
  ///   - isLinkLike: Whether a few different values may be keys as well, as the name is that of a link.
  init(_ candidates: [Candidate], isLinkLike: Bool) {
    self.candidates = candidates
    self.isLinkLike = isLinkLike
  }

  /// Removes tables to which the column does not lead.
  ///
  /// - Parameters:
  ///   - tables: Their names.
  ///   - isOfNamed: Whether to remove those, too, that the column's name suggests.
  mutating func leaveOut(_ tables: Set<String>, isOfNamed: Bool = true) {
    candidates.removeAll { tables.contains($0.map.root) && (isOfNamed || $0.reason == nil) }
  }

  /// Reads the values of `select` while any candidate remains.
  mutating func read(_ select: String, on connection: Connection) throws(SQLiteError) {
    let rows = try connection.prepare(select)
    while try rows.step() {
      try add(rows.integer(at: 0))
      guard !candidates.isEmpty else { return }
    }
    finish()
  }

  /// Adds one value.
  mutating func add(_ value: Int64) throws(SQLiteError) {
    valueCount += 1
    try take(value)
    if valueCount == LinkScan.longCount { keepFewest() }
    if valueCount == LinkScan.stateCount { leaveOutStates() }
  }

  /// Counts the keys after the last value.
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

  /// Keeps only the smallest tables among those that no name suggests.
  private mutating func keepFewest() {
    let unnamed = candidates.filter { $0.reason == nil }
      .sorted { $0.keyCount < $1.keyCount }
      .prefix(LinkScan.unnamedCount).map(\.map.root)
    candidates.removeAll { $0.reason == nil && !unnamed.contains($0.map.root) }
  }

  /// Removes tables that no name suggests if the column seems to contain states, as 1 for yes.
  private mutating func leaveOutStates() {
    guard !isLinkLike else { return }
    candidates.removeAll { $0.reason == nil && $0.marks.count < 10 }
  }
}

/// The keys of a set that occurred: a bit for each.
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
