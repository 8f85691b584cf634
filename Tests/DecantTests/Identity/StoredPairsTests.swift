import DecantSQLite
import Testing

@testable import DecantMatch

@Suite struct StoredPairsTests {
  private let connection: Connection
  private let pairs: StoredPairs

  init() throws {
    connection = try Connection(":memory:", mode: .create)
    pairs = try StoredPairs(on: connection)
    #expect(try pairs.add("SELECT 1, 70 UNION ALL SELECT 2, -5 UNION ALL SELECT 9, 8") == 3)
  }

  @Test func `a pair leads either way, and what is in none nowhere`() throws {
    #expect(try pairs.destination(of: 2) == -5)
    #expect(try pairs.source(of: -5) == 2)
    #expect(try pairs.destination(of: 70) == nil)
    #expect(try pairs.source(of: 1) == nil)
    #expect(try pairs.highestDestination() == 70)
  }

  @Test(arguments: ["SELECT 1, 71", "SELECT 3, 70"])
  func `no object is in two pairs`(select: String) throws {
    #expect(throws: SQLiteError.self) { try pairs.add(select) }
  }

  @Test func `as the form of a map they lead to what is there`() throws {
    let existing = try KeySet(range: 1...9, expecting: 4, on: connection)
    for key in [1, 2, 3, 9] as [Int64] { try existing.insert(key) }
    try existing.seal()
    let included = try pairs.sources(among: existing)
    #expect(included.count == 3)
    let map = IDMap(root: "Recipe", form: .stored(pairs), existing: existing, included: included)
    #expect(!map.isWhole)
    #expect(try map.destination(of: 9) == 8 && map.source(of: 8) == 9)
    #expect(try map.destination(of: 3) == nil)
  }

  @Test func `two on one connection are two tables`() throws {
    let other = try StoredPairs(on: connection)
    #expect(other.table.name != pairs.table.name && other !== pairs)
    #expect(try other.destination(of: 1) == nil)
  }
}
