internal import SQLite

/// What a copy will do, with everything that had to be read to know it.
struct Planning {
  let plan: CopyPlan
  let ids: IDTable
  /// For each concrete entity, how many objects there are and are copied.
  let counts: [String: Resolve.EntityCounts]
  /// For each root entity, the highest key the destination had handed out before.
  let counters: [String: Int64]
  /// The state of the source that was read.
  let fingerprint: Fingerprint
  /// Rows to be written by each step.
  let rowCounts: [String: Int64]
  let sourceByteCount: Int64
  /// The source's place, as the user named it.
  let sourcePlace: String
  /// Whether indexes are sorted by collations that only their app knows.
  let hasUnknownOrder: Bool
  /// Whether the destination is made, and holds nothing else.
  let isNew: Bool

  /// How many objects are copied at the most.
  var addedCount: Int64 { counts.values.map(\.included).reduce(0, +) }

  /// For each root entity that gets objects, the highest key that will be handed out.
  func highestKeys() throws(DecantError) -> [String: Int64] {
    var keys: [String: Int64] = [:]
    for case .objects(let root) in plan.steps.map(\.kind) {
      guard let map = ids.map(of: root) else { continue }
      keys[root] = try explaining("cannot find the highest key of \(root)") {
        () throws(SQLiteError) in try map.highestDestination()
      }
    }
    return keys
  }

  /// For each root entity that gets objects, the range in which their keys lie and no others.
  func newKeys() throws(DecantError) -> [String: ClosedRange<Int64>] {
    var ranges: [String: ClosedRange<Int64>] = [:]
    for (root, highest) in try highestKeys() {
      // A store that is made holds nothing else.
      let lowest = counters[root].map { $0 == Int64.max ? $0 : $0 + 1 } ?? Int64.min
      if lowest <= highest { ranges[root] = lowest...highest }
    }
    return ranges
  }

  /// How much work it is, for somebody who waits.
  func expectedWork(verifies: Bool) -> ExpectedWork {
    let rows = rowCounts.values.reduce(0, +)
    return ExpectedWork(
      rowCount: rows,
      sourceByteCount: sourceByteCount,
      proofRowCount: verifies ? 2 * rows : 0
    )
  }
}
