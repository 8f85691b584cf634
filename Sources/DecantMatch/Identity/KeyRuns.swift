/// Runs of consecutive keys and the keys they became, as a kept ID table lists them.
package struct KeyRuns: Sendable {
  /// `count` keys from `first` on became as many from `target` on; keys without object included.
  struct Run: Sendable {
    var first: Int64
    var target: Int64
    var count: Int64
    /// Whether the objects were skipped: another one of the source may have become the same.
    var isSkipped = false
  }

  private let bySource: [Run]
  /// A search tree in order: the middle of a range is the root of what is before and behind it.
  ///
  /// Runs may lie in each other, as keys without object belong to them, and as several objects may have become one.
  private let byDestination: [Run]
  /// For each of `byDestination`, the highest key that it or one below it in the tree led to.
  private let reach: [Int64]

  init(_ runs: [Run]) {
    bySource = runs.sorted { $0.first < $1.first }
    let sorted = runs.sorted { ($0.target, $0.first) < ($1.target, $1.first) }
    var reach = sorted.map(\.last)
    func settle(_ range: Range<Int>) -> Int64 {
      guard !range.isEmpty else { return Int64.min }
      let middle = range.middle
      let below = max(settle(range.lowerBound..<middle), settle(middle + 1..<range.upperBound))
      reach[middle] = max(reach[middle], below)
      return reach[middle]
    }
    highestDestination = sorted.isEmpty ? nil : settle(sorted.indices)
    byDestination = sorted
    self.reach = reach
  }

  var count: Int { bySource.count }

  /// The highest key that anything became.
  let highestDestination: Int64?

  func destination(of key: Int64) -> Int64? {
    var (low, high) = (0, bySource.count)
    while low < high {
      let middle = (low..<high).middle
      if bySource[middle].first <= key { low = middle + 1 } else { high = middle }
    }
    guard low > 0, key &- bySource[low - 1].first < bySource[low - 1].count else { return nil }
    let run = bySource[low - 1]
    return run.target &+ (key &- run.first)
  }

  /// Returns the keys that became `key`, as far as there are such objects: first those that were written, the lowest
  /// key first.
  func sources(of key: Int64) -> [Int64] {
    var found: [(key: Int64, isSkipped: Bool)] = []
    func look(in range: Range<Int>) {
      guard !range.isEmpty, reach[range.middle] >= key else { return }
      let run = byDestination[range.middle]
      look(in: range.lowerBound..<range.middle)
      guard run.target <= key else { return }
      if run.last >= key { found.append((run.first &+ (key &- run.target), run.isSkipped)) }
      look(in: range.middle + 1..<range.upperBound)
    }
    look(in: byDestination.indices)
    if found.count > 1 {
      found.sort { ($0.isSkipped ? 1 : 0, $0.key) < ($1.isSkipped ? 1 : 0, $1.key) }
    }
    return found.map(\.key)
  }
}

extension KeyRuns.Run {
  /// The last key that it led to.
  fileprivate var last: Int64 { target &+ count &- 1 }
}

extension Range<Int> {
  fileprivate var middle: Int { lowerBound + (upperBound - lowerBound) / 2 }
}
