internal import SQLite

/// The objects of both stores in the order of their content's hashes, group by group of equal ones.
///
/// Both are read side by side, so that memory does not grow with them.
final class EqualContent {
  private let rows: Sided<Statement>
  private var next: Sided<(hash: Int64, key: Int64)?>
  private var after: Sided<(hash: Int64, key: Int64)?>
  private var hash: Int64?

  /// Objects of equal hash of which either store has one at least.
  struct Group {
    let hash: Int64
    /// Whether either store has no more than one.
    let isSingle: Bool
  }

  /// Begins with the lowest hash.
  ///
  /// - Parameters:
  ///   - selects: The hash `h` and the key `k` of each object.
  ///   - connection: The one that has both stores.
  /// - Throws: `SQLiteError` where a store cannot be read.
  init(_ selects: Sided<String>, on connection: Connection) throws(SQLiteError) {
    func read(_ select: String) throws(SQLiteError) -> Statement {
      try connection.prepare("SELECT h, k FROM (\(select)) WHERE h IS NOT NULL ORDER BY 1, 2")
    }
    rows = Sided(try read(selects.source), try read(selects.destination))
    (next, after) = (Sided(nil, nil), Sided(nil, nil))
    for side in MatchSide.allCases {
      try advance(side)
      try advance(side)
    }
  }

  private func advance(_ side: MatchSide) throws(SQLiteError) {
    let row = rows[side]
    next[side] = after[side]
    after[side] = try row.step() ? (row.integer(at: 0), row.integer(at: 1)) : nil
  }

  /// Goes on to the next group, past what is left of the last one.
  func nextGroup() throws(SQLiteError) -> Group? {
    while let here = next.source, let there = next.destination {
      if here.hash == hash || here.hash < there.hash {
        try advance(.source)
      } else if there.hash == hash || there.hash < here.hash {
        try advance(.destination)
      } else {
        hash = here.hash
        let isSingle = after.source?.hash != hash && after.destination?.hash != hash
        return Group(hash: here.hash, isSingle: isSingle)
      }
    }
    return nil
  }

  /// Returns the next object of the group in each store, in the order of keys.
  func nextPair() throws(SQLiteError) -> (Int64, Int64)? {
    guard let here = next.source, let there = next.destination, here.hash == hash,
      there.hash == hash
    else { return nil }
    try advance(.source)
    try advance(.destination)
    return (here.key, there.key)
  }

  /// Calls `body` with every object of the group.
  func forEachKey(_ body: (MatchSide, Int64) throws(SQLiteError) -> Void) throws(SQLiteError) {
    for side in MatchSide.allCases {
      while let row = next[side], row.hash == hash {
        try body(side, row.key)
        try advance(side)
      }
    }
  }
}
