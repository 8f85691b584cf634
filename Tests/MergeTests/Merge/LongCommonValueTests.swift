import Decant
import StoreTestSupport
import TestSupport
import Testing

/// A value that most rows have is no evidence that two of them are the same, whatever its length.
@Suite struct LongCommonValueTests {
  /// The report on rows of which most have a text of `length` characters, in either case, and some have their own.
  private func report(_ length: Int, _ collation: String) throws -> [DiffReport.Entity] {
    func rows(_ store: Int) -> String {
      let rows = (1...40).map { row in
        let letter = (row * store) % 3 == 0 ? "L" : "l"
        let own = "'own \(row * (row % 10 == 0 ? 1 : store))'"
        let text = row % 5 == 0 ? own : "replace(hex(zeroblob(\(length / 2))), '0', '\(letter)')"
        return "(\(row), \(text), \(row % 4), \(row <= 8 ? row : row * 7 * store % 31))"
      }
      return "INSERT INTO t VALUES \(rows.joined(separator: ", "))"
    }
    let stores = try Merges(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, c TEXT \(collation), n INTEGER, m INTEGER)", mine: rows(2),
      theirs: rows(1))
    return try Diff(stores.theirs, stores.mine).run().entities
  }

  @Test(arguments: ["", "COLLATE NOCASE"]) func `its length does not matter`(_ collation: String) throws {
    let short = try report(10, collation)
    #expect(short[0].changed > 0 && short[0].onlyInA > 0, "\(short)")
    for length in [1_000, 1_002, 300_000] { #expect(try report(length, collation) == short, "\(length)") }
  }
}
