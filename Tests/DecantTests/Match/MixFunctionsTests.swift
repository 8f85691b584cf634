import DecantSQLite
import Testing

@testable import DecantStore

@Suite struct MixFunctionsTests {
  private let connection: Connection

  init() throws {
    connection = try Connection(":memory:", mode: .create)
    try connection.register(MixFunction(), as: "mix", [.directOnly, .deterministic])
    try connection.register(MixFunction(wantsAll: true), as: "mix_all", .directOnly)
    try connection.register(MixSum(), as: "mix_sum", .directOnly)
  }

  @Test(arguments: [
    ("mix(1, 2)", "mix(2, 1)"), ("mix('1')", "mix(1)"), ("mix(x'31')", "mix('1')"),
    ("mix(NULL)", "mix()"), ("mix('a', 'b')", "mix('ab', '')"), ("mix(0.5)", "mix(0.25)"),
  ])
  func `other values, types or orders mix otherwise`(one: String, other: String) throws {
    #expect(try connection.integer("SELECT \(one) = \(other)") == 0)
  }

  @Test func `numbers of equal worth mix alike, and NULL takes part or ends it`() throws {
    #expect(try connection.integer("SELECT mix(1, 'a') = mix(1.0, 'a')") == 1)
    #expect(try connection.integer("SELECT mix(1, NULL) IS NULL") == 0)
    #expect(try connection.integer("SELECT mix_all(1, NULL) IS NULL") == 1)
    #expect(try connection.integer("SELECT mix_all(1, 2) = mix(1, 2)") == 1)
  }

  @Test func `as many values as there are mix in one expression`() throws {
    let values = (0..<20_000).map { "\($0 % 7)" }
    let wide = MixFunction.sql(Array(values.prefix(1_990)))
    #expect(try connection.integer("SELECT \(wide) IS NOT NULL") == 1)
    let other = MixFunction.sql(Array(values.dropFirst().prefix(1_990)))
    #expect(try connection.integer("SELECT \(wide) = \(other)") == 0)
  }

  @Test func `links sum up in any order, those without token not at all`() throws {
    let rows = "(VALUES ('r', 5), ('r', 6), ('r', NULL))"
    let sum = "SELECT mix_sum(column1, column2) FROM"
    let back = "(SELECT * FROM \(rows) ORDER BY column2 DESC)"
    #expect(try connection.integer("\(sum) \(rows)") == connection.integer("\(sum) \(back)"))
    #expect(
      try connection.integer("\(sum) \(rows)")
        == connection.integer("\(sum) (VALUES ('r', 5), ('r', 6))")
    )
    // As often as it is there.
    #expect(
      try connection.integer("\(sum) (VALUES ('r', 5))")
        != connection.integer("\(sum) (VALUES ('r', 5), ('r', 5))")
    )
    #expect(try connection.integer("\(sum) (VALUES ('r', NULL))") == nil)
    // One group after the other.
    let groups = try connection.integer(
      """
      SELECT count(DISTINCT s) FROM (SELECT mix_sum('r', column2) AS s FROM
      (VALUES (1, 5), (2, 5), (3, 6), (1, 7), (2, 7)) GROUP BY column1)
      """
    )
    #expect(groups == 2)
  }
}
