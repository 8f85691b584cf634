import DecantSQLite
import Testing

import DecantStore

@Suite struct JoinedExpressionTests {
  /// SQLite refuses a chain of more than 1,000 operators.
  @Test(arguments: [1, 99, 100, 101, 1_001, 10_001], ["+", "AND", "OR"])
  func `any number of expressions are joined`(_ count: Int, _ operation: String) throws {
    let connection = try Connection(":memory:", mode: .create)
    func value(_ terms: [String]) throws -> Int64? {
      try connection.integer("SELECT \(terms.sqlJoined(by: operation))")
    }
    let all = try value(Array(repeating: "1", count: count))
    #expect(all == (operation == "+" ? Int64(count) : 1))
    let one = try value(Array(repeating: "0", count: count - 1) + ["1"])
    #expect(one == (operation == "AND" && count > 1 ? 0 : 1))
  }
}
