/// The runs of consecutive keys and their new keys in a kept ID table.
package struct KeyRuns: Sendable {
  /// `count` keys from `first`, mapped to as many from `target`, including keys without object.
  struct Run: Sendable {
    var first: Int64
    var target: Int64
    var count: Int64
    /// Whether the objects were skipped: another object of the source may have become the same one.
    var isSkipped = false
  }

  private let bySource: [Run]
  /// An implicit search tree: the middle of a range is the root of the parts before and after it.
  ///
  /// Runs may overlap, as they contain keys without object, and several objects may have become one.
  private let byDestination: [Run]
  /// For each of `byDestination`, the highest target key in its subtree.
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

  /// The highest target key.
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

  /// Returns the keys that may have become `key`: written ones first, in ascending order.
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
  /// The last target key.
  fileprivate var last: Int64 { target &+ count &- 1 }
}

extension Range<Int> {
  fileprivate var middle: Int { lowerBound + (upperBound - lowerBound) / 2 }
}
