import DecantSQLite
import Testing

@testable import DecantStore

@Suite struct ReachTests {
  private let connection: Connection
  private let reach: Reach

  init() throws {
    connection = try Connection(":memory:", mode: .create)
    reach = try Reach("test", on: connection)
  }

  /// Adds a link that the object `holder` of A holds to the object `end` of A.
  private func link(_ holder: Int64, to end: Int64, number: Int64 = 0) throws {
    try reach.link.run(.text("A"), .integer(end), .text("A"), .integer(holder), .integer(number), .null)
  }

  private func rows(_ sql: String) throws -> [Int64] {
    var rows: [Int64] = []
    try connection.forEachRow(sql) { rows.append($0.integer(at: 0)) }
    return rows
  }

  private func reached(of root: String = "A") throws -> [Int64] {
    try rows("SELECT * FROM \(reach.keys(of: root)) ORDER BY 1")
  }

  @Test func `a long chain is followed to its end, and a circle once`() throws {
    for key in 1..<20_000 as Range<Int64> { try link(key + 1, to: key) }
    try link(1, to: 20_000)
    try link(30_001, to: 30_000)
    try reach.start.run(.text("A"), .integer(10_000))
    try reach.spread()
    #expect(try reached() == Array(1...20_000))
  }

  @Test func `a key of another root is another object`() throws {
    try link(2, to: 1)
    try reach.start.run(.text("B"), .integer(1))
    try reach.spread()
    #expect(try reached() == [])
    #expect(try reached(of: "B") == [1])
  }

  @Test func `links tell how objects were reached at which no search began`() throws {
    try link(2, to: 1, number: 7)
    try link(3, to: 2, number: 8)
    try link(1, to: 3, number: 9)
    try reach.start.run(.text("A"), .integer(1))
    try reach.spread()
    #expect(try rows("SELECT l.link \(reach.followed) ORDER BY 1") == [7, 8])
  }

  @Test func `what no integer names is reached, and nothing is reached from it`() throws {
    try reach.add("SELECT 'A', 1, 'A', NULL, 5, 'x'")
    try reach.begin(at: "SELECT 'A', 1 UNION ALL SELECT 'A', NULL")
    try reach.spread()
    #expect(try reached() == [1])
    #expect(try rows("SELECT l.link \(reach.followed)") == [5])
  }

  @Test func `another search over the same links begins with nothing`() throws {
    try link(2, to: 1)
    try link(4, to: 3)
    try reach.begin(at: "SELECT 'A', 1")
    try reach.spread()
    try reach.restart()
    try reach.begin(at: "SELECT 'A', 3")
    try reach.spread()
    #expect(try reached() == [3, 4])
    let other = try Reach("test", on: connection)
    try other.spread()
    #expect(try reached() == [])
  }
}
