package import DecantSQLite

/// A sorted set of the keys of a root entity's objects, with ranks.
///
/// It uses one bit per key of the range, and a running count per 64, as long as that is only a few bytes per key;
/// sparse keys are stored in a temporary table on disk instead, so that neither a million objects nor one key of 2⁶²
/// exhausts memory.
package final class KeySet {
  /// The key of the first bit; a multiple of 64.
  private let base: Int64
  private let words: UnsafeMutableBufferPointer<UInt64>
  /// For each word, the number of keys before it; valid once sealed.
  private let ranks: UnsafeMutableBufferPointer<UInt32>
  private let stored: StoredKeys?
  package private(set) var count: Int64 = 0
  /// Whether several threads can read the sealed set at once.
  var isInMemory: Bool { stored == nil }

  /// The size up to which a set is kept in memory, however few keys it has.
  private static let freeByteCount: Int64 = 1 << 20
  /// The maximum memory per key of a larger set.
  private static let bytesPerKey: Int64 = 16

  /// Creates an empty set for keys within `range`, on disk if `count` keys would leave too many bits unused.
  package init(range: ClosedRange<Int64>, expecting count: Int64, on connection: Connection) throws(SQLiteError) {
    base = range.lowerBound & ~63
    let span = range.upperBound.subtractingReportingOverflow(base)
    let wordCount = span.overflow ? Int64.max : span.partialValue / 64 + 1
    let byteCount = wordCount.multipliedReportingOverflow(by: 12)
    let allowed = max(KeySet.freeByteCount, count * KeySet.bytesPerKey)
    if byteCount.overflow || byteCount.partialValue > allowed {
      stored = try StoredKeys(on: connection)
      words = .allocate(capacity: 0)
      ranks = .allocate(capacity: 0)
    } else {
      stored = nil
      words = .allocate(capacity: Int(wordCount))
      words.initialize(repeating: 0)
      ranks = .allocate(capacity: Int(wordCount))
      ranks.initialize(repeating: 0)
    }
  }

  /// Creates an empty set for the keys in a column of a table; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - column: The column, as SQL.
  ///   - table: The table, as SQL.
  ///   - connection: The connection with the table.
  /// - Throws: `SQLiteError` if the table cannot be read.
  package convenience init?(for column: String, in table: String, on connection: Connection) throws(SQLiteError) {
    guard let low = try connection.integer("SELECT min(\(column)) FROM \(table)"),
      let high = try connection.integer("SELECT max(\(column)) FROM \(table)"),
      let count = try connection.integer("SELECT count(\(column)) FROM \(table)")
    else { return nil }
    try self.init(range: low...high, expecting: count, on: connection)
  }

  /// Creates an empty set for keys in the range of `other`, sealed or not.
  package init(like other: KeySet, on connection: Connection) throws(SQLiteError) {
    base = other.base
    stored = other.isStored ? try StoredKeys(on: connection) : nil
    words = .allocate(capacity: other.words.count)
    words.initialize(repeating: 0)
    ranks = .allocate(capacity: other.words.count)
    ranks.initialize(repeating: 0)
  }

  deinit {
    words.deallocate()
    ranks.deallocate()
  }

  /// Whether the keys are on disk.
  var isStored: Bool { stored != nil }

  /// Adds `key`, which must be within the set's range.
  package func insert(_ key: Int64) throws(SQLiteError) {
    if let stored {
      if try stored.insert(key) { count += 1 }
      return
    }
    let offset = key &- base
    let word = Int(offset >> 6)
    guard offset >= 0, word < words.count else { return }
    let bit = UInt64(1) << UInt64(offset & 63)
    if words[word] & bit == 0 { count += 1 }
    words[word] |= bit
  }

  /// Adds all keys of `range`, the range of the set, which is in memory.
  func insert(all range: ClosedRange<Int64>) {
    let (first, last) = (range.lowerBound &- base, range.upperBound &- base)
    for word in Int(first >> 6)...Int(last >> 6) {
      var bits = UInt64.max
      if word == Int(first >> 6) { bits &= UInt64.max << UInt64(first & 63) }
      if word == Int(last >> 6) { bits &= UInt64.max >> UInt64(63 - last & 63) }
      count += Int64((bits & ~words[word]).nonzeroBitCount)
      words[word] |= bits
    }
  }

  /// Counts the keys before each word; called after the last insertion.
  package func seal() throws(SQLiteError) {
    if let stored { return try stored.seal() }
    var sum: UInt32 = 0
    for word in words.indices {
      ranks[word] = sum
      sum &+= UInt32(truncatingIfNeeded: words[word].nonzeroBitCount)
    }
  }

  /// Returns whether `key` is in the set.
  @inline(__always)
  package func contains(_ key: Int64) throws(SQLiteError) -> Bool {
    let offset = key &- base
    if offset >= 0, offset >> 6 < words.count {
      return words[Int(offset >> 6)] & (UInt64(1) << UInt64(offset & 63)) != 0
    }
    guard let stored else { return false }
    return try stored.contains(key)
  }

  /// Returns the number of keys in the set below `key`.
  package func rank(of key: Int64) throws(SQLiteError) -> Int64 {
    if let stored { return try stored.rank(of: key) ?? count }
    guard key >= base else { return 0 }
    // Unsigned: the distance from a very low key to a very high one exceeds 2⁶³.
    let offset = UInt64(bitPattern: key &- base)
    guard offset >> 6 < UInt64(words.count) else { return count }
    let word = Int(offset >> 6)
    let below = words[word] & ((UInt64(1) << (offset & 63)) &- 1)
    return Int64(ranks[word]) + Int64(below.nonzeroBitCount)
  }

  /// Returns the key with `rank` keys below it, or `nil` beyond the last.
  package func key(at rank: Int64) throws(SQLiteError) -> Int64? {
    guard rank >= 0, rank < count else { return nil }
    if let stored { return try stored.key(at: rank) }
    var (low, high) = (0, words.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if Int64(ranks[middle]) <= rank { low = middle } else { high = middle - 1 }
    }
    var word = words[low]
    for _ in 0..<(rank - Int64(ranks[low])) { word &= word &- 1 }
    return base + Int64(low) * 64 + Int64(word.trailingZeroBitCount)
  }

  /// Returns the last of the next `limit` keys above `key`, and their number.
  package func batchEnd(after key: Int64?, limit: Int64) throws(SQLiteError) -> (last: Int64, count: Int64)? {
    if let stored { return try stored.batchEnd(after: key, limit: limit) }
    var done: Int64 = 0
    if let key { done = try rank(of: key) + (contains(key) ? 1 : 0) }
    let size = min(limit, count - done)
    guard size > 0, let last = try self.key(at: done + size - 1) else { return nil }
    return (last, size)
  }

  /// Returns the number of keys in `range`.
  package func count(in range: ClosedRange<Int64>) throws(SQLiteError) -> Int64 {
    if let stored { return try stored.count(in: range) }
    let last: Int64 = try contains(range.upperBound) ? 1 : 0
    return try rank(of: range.upperBound) + last - rank(of: range.lowerBound)
  }

  /// Calls `body` with every key in ascending order.
  package func forEach(_ body: (Int64) throws(SQLiteError) -> Void) throws(SQLiteError) {
    if let stored { return try stored.forEach(body) }
    for index in words.indices {
      var word = words[index]
      while word != 0 {
        try body(base &+ Int64(index) &* 64 &+ Int64(word.trailingZeroBitCount))
        word &= word &- 1
      }
    }
  }

  /// Returns the lowest and the highest key of a sealed set, or `nil` if it is empty.
  package func bounds() throws(SQLiteError) -> ClosedRange<Int64>? {
    guard let low = try key(at: 0), let high = try key(at: count - 1) else { return nil }
    return low...high
  }
}

extension [String: KeySet] {
  /// Adds a key of a root entity; the first one creates a set for the range of `keys`.
  package mutating func insert(_ key: Int64, of root: String, like keys: KeySet, on connection: Connection)
    throws(SQLiteError)
  {
    if self[root] == nil { self[root] = try KeySet(like: keys, on: connection) }
    try self[root]?.insert(key)
  }
}
