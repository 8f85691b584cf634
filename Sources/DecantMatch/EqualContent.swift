internal import DecantPlan
internal import DecantSQLite

/// The objects of both stores in the order of their content hashes, in groups of equal hashes.
///
/// Memory use does not grow with their number.
final class EqualContent {
  private let source: Reader
  private let destination: Reader
  private var hash: Int64 = 0
  private var isInGroup = false

  /// Objects of equal hash, with at least one in each store.
  struct Group {
    let hash: Int64
    /// Whether each store has only one.
    let isSingle: Bool
  }

  /// Begins at the lowest hash.
  ///
  /// - Parameters:
  ///   - selects: SELECTs of the hash `h` and the key `k` of each object.
  ///   - connection: The connection with both stores.
  /// - Throws: `SQLiteError` if a store cannot be read.
  init(_ selects: Sided<String>, on connection: Connection) throws(SQLiteError) {
    source = try Reader(selects.source, on: connection)
    destination = try Reader(selects.destination, on: connection)
  }

  /// Moves to the next group, skipping the rest of the last one.
  func nextGroup() throws(SQLiteError) -> Group? {
    while isInGroup, source.isAt(hash) { try source.advance() }
    while isInGroup, destination.isAt(hash) { try destination.advance() }
    isInGroup = false
    while source.isAtRow, destination.isAtRow {
      if source.hash < destination.hash {
        try source.advance()
      } else if destination.hash < source.hash {
        try destination.advance()
      } else {
        (hash, isInGroup) = (source.hash, true)
        return Group(hash: hash, isSingle: source.isLastOfHash && destination.isLastOfHash)
      }
    }
    return nil
  }

  /// Returns the next object of the group in each store, in key order.
  func nextPair() throws(SQLiteError) -> (Int64, Int64)? {
    guard source.isAt(hash), destination.isAt(hash) else { return nil }
    let pair = (source.key, destination.key)
    try source.advance()
    try destination.advance()
    return pair
  }

  /// Calls `body` with every object of the group.
  func forEachKey(_ body: (MatchSide, Int64) throws(SQLiteError) -> Void) throws(SQLiteError) {
    for side in MatchSide.allCases {
      let reader = side == .source ? source : destination
      while reader.isAt(hash) {
        try body(side, reader.key)
        try reader.advance()
      }
    }
  }

  /// A reader of the rows of one store that looks one row ahead.
  private final class Reader {
    private let rows: SortedHashes
    private(set) var hash: Int64 = 0
    private(set) var key: Int64 = 0
    private(set) var isAtRow = false
    private var isBehind = false

    init(_ select: String, on connection: Connection) throws(SQLiteError) {
      rows = try SortedHashes(select, on: connection)
      isBehind = try rows.step()
      try advance()
    }

    func isAt(_ hash: Int64) -> Bool { isAtRow && self.hash == hash }

    /// Whether the next row has another hash.
    var isLastOfHash: Bool { !isBehind || rows.hash != hash }

    func advance() throws(SQLiteError) {
      isAtRow = isBehind
      guard isBehind else { return }
      (hash, key) = (rows.hash, rows.key)
      isBehind = try rows.step()
    }
  }
}
