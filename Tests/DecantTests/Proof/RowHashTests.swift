import DecantSQLite
import TestSupport
import Testing

@testable import DecantStore

/// The laws of the sums that prove a copy.
@Suite struct RowHashTests {
  /// Returns the sums of `rows`, each `(entity, value, …)`.
  private func sums(_ rows: [[Binding]], isNumeric: [Bool]) throws -> [Int64: RowHash.Sum] {
    let connection = try Connection(":memory:", mode: .create)
    let names = (0..<(rows.first?.count ?? 1)).map { "c\($0)" }
    try connection.run("CREATE TABLE t (\(names.joined(separator: ", ")))")
    for row in rows {
      let marks = row.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
      let insertion = try connection.prepare("INSERT INTO t VALUES (\(marks))")
      try insertion.bind(row)
      while try insertion.step() {}
    }
    let hash = RowHash()
    hash.expect(isNumeric: isNumeric)
    try connection.register(hash, as: "row_sum", .directOnly)
    try connection.run("SELECT row_sum(\(names.joined(separator: ", "))) FROM t")
    return hash.take()
  }

  private func sum(_ values: Binding..., isNumeric: Bool = false) throws -> RowHash.Sum? {
    try sums([[.integer(1)] + values], isNumeric: values.map { _ in isNumeric })[1]
  }

  private static func randomRow(_ generator: inout SeededGenerator) -> [Binding] {
    let entity = Int64.random(in: 1...3, using: &generator)
    let text = String(repeating: "x", count: Int.random(in: 0...600, using: &generator))
    return [
      .integer(entity), .integer(Int64.random(in: .min ... .max, using: &generator)),
      .text(text), .blob((0..<8).map { _ in UInt8.random(in: 0...255, using: &generator) }),
      .real(Double.random(in: -1...1, using: &generator)), .null,
    ]
  }

  @Test(arguments: SeededGenerator.seeds(10))
  func `the order of rows does not matter, every row does`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var rows = (0..<200).map { _ in Self.randomRow(&generator) }
    let isNumeric = [Bool](repeating: false, count: 5)
    let sums = try sums(rows, isNumeric: isNumeric)
    #expect(sums.values.reduce(0) { $0 + $1.count } == 200)
    rows.shuffle(using: &generator)
    #expect(try self.sums(rows, isNumeric: isNumeric) == sums)
    // A row that is there twice is not a row that is not there.
    #expect(try self.sums(rows + [rows[0], rows[0]], isNumeric: isNumeric) != sums)
    #expect(try self.sums(Array(rows.dropLast()), isNumeric: isNumeric) != sums)
  }

  @Test(arguments: SeededGenerator.seeds(10))
  func `one changed value changes the sum of its entity and no other`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var rows = (0..<50).map { _ in Self.randomRow(&generator) }
    let isNumeric = [Bool](repeating: false, count: 5)
    let sums = try sums(rows, isNumeric: isNumeric)
    let row = Int.random(in: rows.indices, using: &generator)
    let column = Int.random(in: 1...5, using: &generator)
    rows[row][column] = .text("changed")
    let changed = try self.sums(rows, isNumeric: isNumeric)
    for code in sums.keys {
      #expect((changed[code] == sums[code]) == (.integer(code) != rows[row][0]))
    }
  }

  @Test func `values swapped between two rows do not cancel out`() throws {
    let one = try sums(
      [[.integer(1), .text("a"), .text("b")], [.integer(1), .text("c"), .text("d")]],
      isNumeric: [false, false]
    )
    let other = try sums(
      [[.integer(1), .text("a"), .text("d")], [.integer(1), .text("c"), .text("b")]],
      isNumeric: [false, false]
    )
    #expect(one != other)
  }

  @Test func `1 and 1.0 are one value where numbers are meant, and two elsewhere`() throws {
    #expect(try sum(.integer(1), isNumeric: true) == sum(.real(1), isNumeric: true))
    #expect(try sum(.integer(0), isNumeric: true) == sum(.real(-0.0), isNumeric: true))
    #expect(try sum(.integer(1)) != sum(.real(1)))
    #expect(try sum(.integer(1), isNumeric: true) != sum(.real(1.5), isNumeric: true))
    #expect(try sum(.integer(.max), isNumeric: true) != sum(.real(0x1p63), isNumeric: true))
  }

  @Test func `where one value ends and the next begins counts`() throws {
    #expect(try sum(.text("ab"), .text("c")) != sum(.text("a"), .text("bc")))
    #expect(try sum(.text(""), .text("a")) != sum(.text("a"), .text("")))
    #expect(try sum(.null, .text("a")) != sum(.text("a"), .null))
  }

  @Test func `what a value is counts beside its bytes`() throws {
    let bytes = [UInt8]("abc".utf8)
    #expect(try sum(.text("abc")) != sum(.blob(bytes)))
    #expect(try sum(.null) != sum(.text("")) && sum(.null) != sum(.blob([])))
    #expect(try sum(.null) != sum(.integer(0)) && sum(.text("1")) != sum(.integer(1)))
  }

  @Test(arguments: [0, 1, 239, 240, 241, 10_000])
  func `a long value is as distinct as a short one`(_ count: Int) throws {
    let bytes = [UInt8](repeating: 7, count: count)
    let sum = try self.sum(.blob(bytes))
    #expect(sum?.byteCount == Int64(count))
    #expect(try self.sum(.blob(bytes)) == sum)
    #expect(try self.sum(.blob(bytes + [7])) != sum)
    if count > 0 { #expect(try self.sum(.blob(bytes.dropLast() + [8])) != sum) }
  }

  @Test(arguments: SeededGenerator.seeds(10))
  func `a sum tells how many rows there are, and how long their values`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let rows = (0..<100).map { _ in Self.randomRow(&generator) }
    var expected: [Binding: (count: Int64, byteCount: Int64)] = [:]
    for row in rows {
      let lengths = row.dropFirst().map { value -> Int in
        switch value {
        case .null: 0
        case .integer, .real: 8
        case .text(let text): text.utf8.count
        case .utf8(let bytes), .blob(let bytes): bytes.count
        }
      }
      expected[row[0], default: (0, 0)].count += 1
      expected[row[0], default: (0, 0)].byteCount += Int64(lengths.reduce(0, +))
    }
    let sums = try sums(rows, isNumeric: [Bool](repeating: false, count: 5))
    #expect(sums.count == expected.count)
    for (code, sum) in sums {
      #expect(sum.count == expected[.integer(code)]?.count)
      #expect(sum.byteCount == expected[.integer(code)]?.byteCount)
    }
  }

  /// A hash of 16 bytes stands in a row for values of any length.
  @Test func `what stands in for other values counts as long as they are`() throws {
    let connection = try Connection(":memory:", mode: .create)
    let (hash, whole) = (RowHash(), SingleRowHash())
    hash.expect(isNumeric: [false, false], standIns: [whole])
    whole.isNumeric = [false, false]
    try connection.register(whole, as: "row_hash", .directOnly)
    try connection.register(hash, as: "row_sum", .directOnly)
    for lengths in [[0], [3], [16, 16], [100, 2000, 5]] {
      let rows = lengths.map { "SELECT zeroblob(\($0)) AS b" }.joined(separator: " UNION ALL ")
      try connection.run("SELECT row_sum(1, 'four', row_hash(b, 7)) FROM (\(rows))")
      #expect(hash.take()[1]?.byteCount == Int64(lengths.reduce(0) { $0 + 4 + $1 + 8 }))
    }
  }

  @Test func `a sum carries over 64 bits and prints 32 digits`() {
    var sum = RowHash.Sum()
    sum.add(low: .max, high: 0)
    sum.add(low: 2, high: 5)
    #expect(sum.low == 1 && sum.high == 6)
    #expect(sum.hex == "00000000000000060000000000000001")
  }

  @Test func `the hash of one row tells equal rows from others`() throws {
    let connection = try Connection(":memory:", mode: .create)
    let hash = SingleRowHash()
    hash.isNumeric = [true, false]
    try connection.register(hash, as: "row_hash", .directOnly)
    #expect(try connection.bytes("SELECT row_hash(1, 'a')")?.count == 16)
    #expect(try connection.integer("SELECT row_hash(1, 'a') = row_hash(1.0, 'a')") == 1)
    #expect(try connection.integer("SELECT row_hash(1, 'a') = row_hash(1, 'b')") == 0)
  }
}
