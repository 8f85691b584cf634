import Decant
import DecantSQLite
import Testing

@testable import DecantPlan

/// Which of two times is later, as `newest` sees it.
@Suite struct NewestTests {
  /// Two times as SQL, and whether the first is later: 1, 0, or `nil` if nobody knows.
  static let times: [(String, String, Int64?)] = [
    ("'2024-01-02 10:00:00'", "'2024-01-02T09:00:00'", 1), ("'2024-01-02T10:00:00'", "'2024-01-02 10:00:01'", 0),
    ("'2024-01-02T10:00:00Z'", "'2024-01-02T11:30:00+02:00'", 1), ("'2024-01-02'", "'2024-01-01 23:59:59'", 1),
    ("'2024-01-02 10:00:00.5'", "'2024-01-02 10:00:00.45'", 1),
    ("'2024-01-02T10:00:00.123456Z'", "'2024-01-02T10:00:00.123455Z'", 1),
    ("'2024-01-02T10:00:00.123455Z'", "'2024-01-02T10:00:00.123456Z'", 0),
    ("'2024-01-02T10:00:00.123456Z'", "'2024-01-02T10:00:00.123456Z'", 0),
    ("'2024-01-02T12:00:00.1234567+02:00'", "'2024-01-02T10:00:00.1234566Z'", 1),
    ("'2024-01-02T10:00:01.0000'", "'2024-01-02T10:00:00.9999'", 1),
    ("'2024-01-02T10:00:00.9999'", "'2024-01-02T10:00:01.0000'", 0),
    ("1700000000.5", "1700000000", 1), ("1700000000", "1700000000", 0), ("1 << 60", "(1 << 60) - 1", 1),
    ("'20240102T100000Z'", "'20240101T100000Z'", 1), ("'2024-01-02 10:00:00 UTC'", "'2024-01-01 10:00:00 UTC'", 1),
    // The day or the month comes first, the digits are in other places, or the types differ.
    ("'02.01.2024'", "'01.02.2024'", nil), ("'2024-9-15'", "'2024-10-5'", nil), ("'2024-1-2'", "'2024-01-10'", nil),
    ("'2024-01-02T10:30:00+0100'", "'2024-01-02T10:00:00+0000'", nil),
    ("'1700000001'", "'1700000000'", 1), ("'1700000000999'", "'1700000001000'", 0),
    ("'2024-01-02 12:30 PM'", "'2024-01-02 01:00 PM'", nil), ("'2024:01:02 10:00:00'", "'2024:01:01 11:00:00'", 1),
    ("'Tue, 02 Jan 2024'", "'Mon, 01 Jan 2024'", nil), ("x'32'", "'1'", nil), ("1700000000", "'2024-01-02'", nil),
    ("NULL", "'2024-01-01'", nil), ("'2024-01-01'", "NULL", nil), ("''", "'2024-01-01'", nil),
  ]

  @Test(arguments: times.indices) func `the later of two times`(index: Int) throws {
    let (time, other, expected) = Self.times[index]
    let connection = try Connection(":memory:", mode: .create)
    let later = MergeRules.isLater("a", "b")
    try connection.forEachRow("SELECT \(later) FROM (SELECT \(time) AS a, \(other) AS b)") { row in
      #expect(row.integerOrNil(at: 0) == expected)
    }
  }
}
