/// Runs of consecutive keys and the keys they became, as a kept ID table lists them.
struct KeyRuns: Sendable, Hashable {
  /// `count` keys from `first` on became as many from `target` on; keys without object included.
  struct Run: Sendable, Hashable {
    var first: Int64
    var target: Int64
    var count: Int64
  }

  private let bySource: [Run]
  private let byDestination: [Run]

  init(_ runs: [Run]) {
    bySource = runs.sorted { $0.first < $1.first }
    byDestination = runs.sorted { $0.target < $1.target }
  }

  var count: Int { bySource.count }

  var highestDestination: Int64? {
    byDestination.last.map { $0.target &+ $0.count &- 1 }
  }

  func destination(of key: Int64) -> Int64? {
    guard let run = KeyRuns.last(of: bySource, key, \.first), key &- run.first < run.count else {
      return nil
    }
    return run.target &+ (key &- run.first)
  }

  func source(of key: Int64) -> Int64? {
    guard let run = KeyRuns.last(of: byDestination, key, \.target), key &- run.target < run.count
    else { return nil }
    return run.first &+ (key &- run.target)
  }

  /// Returns the last run that begins at or before `key`.
  private static func last(of runs: [Run], _ key: Int64, _ start: KeyPath<Run, Int64>) -> Run? {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle][keyPath: start] <= key { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : runs[low - 1]
  }
}
