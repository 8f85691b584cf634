import DecantSQLite
import Testing

@testable import DecantMatch

@Suite struct IDMapTests {
  private static func map(_ keys: [Int64], counter: Int64) throws -> IDMap {
    let connection = try Connection(":memory:", mode: .create)
    let range = (keys.min() ?? 0)...(keys.max() ?? 0)
    let set = try KeySet(range: range, expecting: Int64(keys.count), on: connection)
    for key in keys { try set.insert(key) }
    try set.seal()
    let form = IDMap.form(bounds: try set.bounds(), count: set.count, counter: counter)
    return IDMap(root: "Recipe", form: form, existing: set, included: set)
  }

  private static let forms: [(keys: [Int64], counter: Int64, form: String)] = [
    ([1, 2, 3], 0, "keep"),
    ([1, 2, 3], 10, "shift by 10"),
    // Keys above everything that was ever handed out do not collide.
    ([11, 12], 10, "keep"),
    ([10, 12], 10, "shift by 10"),
    // No key below 1 stays below 1.
    ([0, 5], 10, "shift by 11"), ([-4, 5], 10, "shift by 15"),
    ([], 10, "keep"),
    ([1, .max], 10, "numbered from 11"), ([.min, 3], 10, "numbered from 11"),
    // Gaps are kept unless they are wide.
    ([1, 1_000_000], 10, "shift by 10"), ([1, 1_000_002], 10, "numbered from 11"),
    ([.max - 10, .max - 5], .max - 7, "numbered from \(Int64.max - 6)"),
    ([1, 5], .max - 5, "shift by \(Int64.max - 5)"), ([1, 6], .max - 5, "numbered from \(Int64.max - 4)"),
  ]

  @Test(arguments: forms)
  func `the cheapest form that fits is taken`(keys: [Int64], counter: Int64, form: String) throws {
    #expect(try Self.map(keys, counter: counter).form.description == form)
  }

  private static let borders: [(keys: [Int64], counter: Int64)] = [
    ([1, 2, 3], 0), ([5, 90, 91], 7), ([0, 1, 64], 3), ([-9, -1, 4], 100),
    ([1, .max], 10), ([.min, 3, .max], 1), ([.min, .min + 1], 5), ([1], .max - 1),
    ([2, 4, 8], .max - 3),
  ]

  @Test(arguments: borders)
  func `new keys are distinct, above the counter, in order, and lead back`(keys: [Int64], counter: Int64) throws {
    let map = try Self.map(keys, counter: counter)
    var targets: [Int64] = []
    for key in keys.sorted() {
      let target = try #require(try map.destination(of: key))
      #expect(target > counter || map.form.description == "keep")
      #expect(try map.source(of: target) == key)
      targets.append(target)
    }
    #expect(targets == targets.sorted() && Set(targets).count == keys.count)
    #expect(try map.highestDestination() == targets.last)
  }

  private static let merged: [(keys: [Int64], counter: Int64, taken: [Int64]?, targets: [Int64])] =
    [
      ([1, 2, 3], 0, nil, [1, 2, 3]), ([3], 1000, nil, [1001]), ([1001], 1000, nil, [1001]),
      // Keys that were never handed out are kept, and the others follow behind all of them.
      ([7, 900, 1001, 1005], 1000, nil, [1006, 1007, 1001, 1005]),
      ([-4, 0, 12], 10, nil, [13, 14, 12]),
      // Free keys are kept as well.
      ([7, 900, 1001, 1005], 1000, [900, 1000], [7, 1006, 1001, 1005]),
      ([-4, 0, 2, 12], 10, [2, 3, 4], [-4, 0, 13, 12]), ([5, 6], 10, [1, 10], [5, 6]),
      ([.min, 1, .max - 2], 10, [1, 10], [.min, .max - 1, .max - 2]),
      ([3, .max], .max, [.max - 1], [3, .max]),
    ]

  @Test(arguments: merged)
  func `merged objects keep keys that were never handed out`(
    keys: [Int64],
    counter: Int64,
    taken: [Int64]?,
    targets: [Int64]
  ) throws {
    let connection = try Connection(":memory:", mode: .create)
    let set = try Self.map(keys, counter: counter).existing
    let there = try KeySet(like: set, on: connection)
    for key in taken ?? [] { try there.insert(key) }
    let numbering = try #require(
      try Numbering(merging: set, counter: counter, taken: taken.map { _ in there }, on: connection)
    )
    let map = IDMap(root: "Recipe", form: .keep, existing: set, included: set)
      .numbered(by: numbering)
    for (key, target) in zip(keys, targets) {
      #expect(try map.destination(of: key) == target && map.source(of: target) == key)
    }
    for key in (taken ?? []) + [counter, targets.max().map { $0 &+ 1 } ?? 0]
    where !targets.contains(key) {
      #expect(try map.source(of: key) == nil)
    }
    #expect(try map.highestDestination() == targets.max())
    #expect(try map.lowestKept() == zip(keys, targets).first { $0 == $1 }?.0)
  }

  @Test(arguments: [0, 7, Int64.max - 5] as [Int64])
  func `what is not there has no key, in either direction`(counter: Int64) throws {
    let map = try Self.map([2, 4], counter: counter)
    for key in [Int64.min, -1, 0, 1, 3, 5, .max] {
      #expect(try map.destination(of: key) == nil)
    }
    let targets = [try map.destination(of: 2), try map.destination(of: 4)]
    for key in [Int64.min, -1, 0, 1, 3, 5, counter, .max] where !targets.contains(key) {
      #expect(try map.source(of: key) == nil)
    }
  }

  @Test func `an object that is excepted has no key any more`() throws {
    let map = try Self.map([1, 2, 3], counter: 10)
    #expect(map.isWhole)
    let connection = try Connection(":memory:", mode: .create)
    let gone = try KeySet(range: 2...2, expecting: 1, on: connection)
    try gone.insert(2)
    try gone.seal()
    map.except(gone)
    #expect(!map.isWhole)
    #expect(try map.destination(of: 2) == nil && map.source(of: 12) == nil)
    #expect(try map.destination(of: 3) == 13)
  }

  @Test func `the ID table tells runs of keys, and what was rejected`() throws {
    let map = try Self.map([1, 2, 5, 6, 9], counter: 10)
    let connection = try Connection(":memory:", mode: .create)
    let gone = try KeySet(range: 6...6, expecting: 1, on: connection)
    try gone.insert(6)
    try gone.seal()
    map.except(gone)
    var runs: [String] = []
    try map.forEachRun { first, target, count, outcome throws(SQLiteError) in
      runs.append("\(first)→\(target.map { "\($0)" } ?? "none") ×\(count) \(outcome)")
    }
    // What was written down says the same as the map it was written from.
    var listed: [KeyRuns.Run] = []
    try map.forEachRun { first, target, count, _ throws(SQLiteError) in
      if let target { listed.append(KeyRuns.Run(first: first, target: target, count: count)) }
    }
    let table = KeyRuns(listed)
    for key in [1, 2, 5, 9] as [Int64] {
      let target = try #require(try map.destination(of: key))
      #expect(table.destination(of: key) == target && table.sources(of: target) == [key])
    }
    #expect(table.destination(of: 6) == nil && table.sources(of: 16).isEmpty)
    #expect(table.destination(of: 0) == nil && table.destination(of: 10) == nil)
    // 3 and 4 are no objects: a gap belongs to the run around it.
    #expect(runs == ["1→11 ×5 copied", "6→none ×1 rejected", "9→19 ×1 copied"])
  }

  @Test func `runs that lie in each other are told apart`() {
    // Against the plain reading of the list, for lists that any merge may leave.
    var seed: UInt64 = 7
    func random(_ bound: UInt64) -> Int64 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64((seed >> 33) % bound)
    }
    for _ in 0..<200 {
      var (runs, next): ([KeyRuns.Run], Int64) = ([], 1)
      for _ in 0..<random(12) {
        let count = 1 + random(6)
        runs.append(KeyRuns.Run(first: next, target: random(20), count: count, isSkipped: random(2) == 1))
        next += count + random(3)
      }
      let table = KeyRuns(runs)
      for key in 0...30 as ClosedRange<Int64> {
        func sources(_ isSkipped: Bool) -> [Int64] {
          runs.filter { $0.isSkipped == isSkipped }
            .filter { key >= $0.target && key < $0.target + $0.count }
            .map { $0.first + key - $0.target }.sorted()
        }
        #expect(table.sources(of: key) == sources(false) + sources(true))
      }
      #expect(table.highestDestination == runs.map { $0.target + $0.count - 1 }.max())
    }
    #expect(KeyRuns([]).sources(of: 1).isEmpty && KeyRuns([]).highestDestination == nil)
  }
}
