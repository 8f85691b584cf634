import DecantSQLite
import TestSupport
import Testing

@testable import DecantMatch

/// Random sets of keys, held in memory and on disk, against a sorted array.
@Suite struct KeySetTests {
  /// Keys in no order, each once, within a range that is dense enough for bits.
  private static func keys(_ seed: UInt64) -> [Int64] {
    var generator = SeededGenerator(seed: seed)
    let starts: [Int64] = [.min, -100, -64, 0, 1, 63, 1 << 40, .max - 3_000]
    let low = starts.randomElement(using: &generator) ?? 0
    let span = Int64.random(in: 0...2_000, using: &generator)
    let share = Double.random(in: 0...1, using: &generator)
    return (low...(low + span)).filter { _ in Double.random(in: 0..<1, using: &generator) < share }
      .shuffled(using: &generator)
  }

  private static func set(
    _ keys: [Int64],
    range: ClosedRange<Int64>? = nil,
    on connection: Connection
  ) throws -> KeySet {
    let own = (keys.min() ?? 0)...(keys.max() ?? 0)
    let set = try KeySet(range: range ?? own, expecting: Int64(keys.count), on: connection)
    for key in keys { try set.insert(key) }
    try set.seal()
    return set
  }

  @Test(arguments: SeededGenerator.seeds(20))
  func `bits and a table on disk give the answers of a sorted array`(seed: UInt64) throws {
    let connection = try Connection(":memory:", mode: .create)
    let keys = Self.keys(seed)
    let sorted = keys.sorted()
    let dense = try Self.set(keys, on: connection)
    let stored = try Self.set(keys, range: Int64.min...Int64.max, on: connection)
    #expect(!dense.isStored && stored.isStored)
    let low = sorted.first ?? 0
    let high = sorted.last ?? 0
    let probes = Set(sorted + sorted.map { $0 &+ 1 } + sorted.map { $0 &- 1 } + [.min, .max, 0, low, high])
    for set in [dense, stored] {
      #expect(set.count == Int64(sorted.count))
      #expect(try set.bounds() == (sorted.isEmpty ? nil : low...high))
      for key in probes {
        #expect(try set.contains(key) == sorted.contains(key), "\(key)")
        #expect(try set.rank(of: key) == Int64(sorted.count { $0 < key }), "\(key)")
      }
      #expect(try set.key(at: -1) == nil && set.key(at: set.count) == nil)
    }
  }

  @Test(arguments: SeededGenerator.seeds(40))
  func `a whole range at once is each of its keys`(seed: UInt64) throws {
    let connection = try Connection(":memory:", mode: .create)
    let keys = Self.keys(seed)
    let range = (keys.min() ?? 0)...(keys.max() ?? 0)
    let one = try Self.set(Array(range), on: connection)
    let all = try KeySet(range: range, expecting: Int64(range.count), on: connection)
    all.insert(all: range)
    try all.seal()
    #expect(all.count == one.count)
    for key in [range.lowerBound &- 1, range.upperBound &+ 1] + Array(range) {
      #expect(try all.contains(key) == one.contains(key), "\(key)")
      #expect(try all.rank(of: key) == one.rank(of: key), "\(key)")
    }
  }

  @Test(arguments: SeededGenerator.seeds(20))
  func `rank and key are each other's inverse`(seed: UInt64) throws {
    let connection = try Connection(":memory:", mode: .create)
    let keys = Self.keys(seed)
    for range in [nil, Int64.min...Int64.max] {
      let set = try Self.set(keys, range: range, on: connection)
      for (rank, key) in keys.sorted().enumerated() {
        #expect(try set.key(at: Int64(rank)) == key)
        #expect(try set.rank(of: key) == Int64(rank))
      }
    }
  }

  @Test(arguments: SeededGenerator.seeds(10), [1, 2, 7, 1_000])
  func `batches take every key once, in order`(seed: UInt64, limit: Int64) throws {
    let connection = try Connection(":memory:", mode: .create)
    let keys = Self.keys(seed)
    let sorted = keys.sorted()
    // In memory, and on disk.
    for range in [nil, Int64.min...Int64.max] {
      let set = try Self.set(keys, range: range, on: connection)
      var taken: [Int64] = []
      var position: Int64?
      while let batch = try set.batchEnd(after: position, limit: limit) {
        let first = position.map { $0 + 1 } ?? .min
        let keys = sorted.filter { (first...batch.last).contains($0) }
        #expect(batch.count == Int64(keys.count) && batch.count <= limit)
        #expect(batch.count == limit || batch.last == sorted.last)
        taken += keys
        position = batch.last
      }
      #expect(taken == sorted)
    }
  }

  @Test func `a batch may begin after a key that is not there`() throws {
    let connection = try Connection(":memory:", mode: .create)
    let set = try Self.set([2, 5, 9, 300], on: connection)
    #expect(try set.batchEnd(after: 3, limit: 2)?.last == 9)
    #expect(try set.batchEnd(after: -7, limit: 1)?.last == 2)
    #expect(try set.batchEnd(after: 300, limit: 1) == nil)
  }

  @Test func `a key inserted twice is there once`() throws {
    let connection = try Connection(":memory:", mode: .create)
    for range in [nil, Int64.min...Int64.max] {
      #expect(try Self.set([4, 4, 5], range: range, on: connection).count == 2)
    }
  }

  @Test func `few keys far apart cost no memory`() throws {
    let connection = try Connection(":memory:", mode: .create)
    let set = try Self.set([.min, 0, .max], on: connection)
    #expect(set.isStored)
    #expect(try set.bounds() == Int64.min...Int64.max)
    #expect(try set.batchEnd(after: 0, limit: 5)?.last == .max)
  }
}
