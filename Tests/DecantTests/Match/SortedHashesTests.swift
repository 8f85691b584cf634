import DecantSQLite
import TestSupport
import Testing

@testable import DecantMatch

/// Objects come in the order in which SQLite sorts them, however many pieces they were sorted in.
@Suite struct SortedHashesTests {
  @Test(arguments: [0, 1, 3, 1_000, 262_143, 262_145, 600_000], [false, true])
  func `the order is that of SQLite`(count: Int, isReversed: Bool) throws {
    let connection = try Connection(":memory:", mode: .create)
    // Few different hashes and many, the extremes, and rows without one.
    try connection.run("CREATE TABLE t (k INTEGER PRIMARY KEY, h INTEGER)")
    try connection.run(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      INSERT INTO t SELECT i * 7919 % 1000003 - 500000, CASE i % 11 WHEN 0 THEN NULL WHEN 1 THEN i % 5
        WHEN 2 THEN 9223372036854775807 WHEN 3 THEN -9223372036854775807 - 1 ELSE i * 2654435761 % 4294967296 - 2147483648 END
      FROM n WHERE ?1 > 0
      """,
      .integer(Int64(count))
    )
    let expected = try connection.prepare(
      "SELECT h, k FROM t WHERE h IS NOT NULL ORDER BY h, k \(isReversed ? "DESC" : "")"
    )
    let sorted = try SortedHashes("SELECT h, k FROM t", isReversed: isReversed, on: connection)
    var differences = 0
    while try sorted.step() {
      if try !expected.step() || expected.integer(at: 0) != sorted.hash || expected.integer(at: 1) != sorted.key {
        differences += 1
      }
    }
    #expect(differences == 0)
    #expect(try !expected.step())
    #expect(try !sorted.step())
  }
}
