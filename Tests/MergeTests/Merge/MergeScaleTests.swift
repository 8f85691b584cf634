import Decant
import StoreTestSupport
import TestSupport
import Testing

/// Merges of many rows whose time once grew with the square of their number; `scaling.py` measures it.
@Suite struct MergeScaleTests {
  /// Rows numbered from 0 to 9,999.
  private static let numbers = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)"

  private static let tags = """
    CREATE TABLE note (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE note_tag (note KIND REFERENCES note (id), tag KIND REFERENCES tag (id), PRIMARY KEY (note, tag));
    """

  /// 10,000 links of 2,500 notes to 250 tags, of which 100 are in one store only; the keys are `offset` apart.
  private static func links(_ offset: Int, without lacking: Range<Int>) -> String {
    """
    \(numbers) INSERT INTO note SELECT i + \(offset), 'n' || i FROM n WHERE i < 2500;
    \(numbers) INSERT INTO tag SELECT i + \(offset), 't' || i FROM n WHERE i < 250;
    \(numbers) INSERT INTO note_tag SELECT i % 2500 + \(offset), (i * 7 + i / 2500) % 250 + \(offset) FROM n
      WHERE i NOT BETWEEN \(lacking.lowerBound) AND \(lacking.upperBound - 1)
    """
  }

  @Test(arguments: ["INTEGER", "TEXT", ""])
  func `many links are replaced by those of the source`(_ kind: String) throws {
    let stores = try Merges(
      Self.tags.replacing("KIND", with: kind),
      mine: Self.links(51, without: 0..<100),
      theirs: Self.links(1, without: 5_000..<5_100)
    )
    try stores.merge(.replace)
    let named = "SELECT n.name, t.name FROM note_tag JOIN note AS n ON n.id = note JOIN tag AS t ON t.id = tag"
    let lacking = try stores.rows(
      """
      ATTACH '\(stores.theirs)' AS b; SELECT count(*) FROM (\(named) EXCEPT SELECT n.name, t.name FROM b.note_tag AS l
        JOIN b.note AS n ON n.id = l.note JOIN b.tag AS t ON t.id = l.tag)
      """
    )
    #expect(lacking == ["0"])
    #expect(try stores.rows("SELECT count(*) FROM note_tag") == ["9900"])
    #expect(try stores.complaints() == "")
  }

  @Test func `rows that refer to one another in a long chain are merged`() throws {
    func chain(_ offset: Int, count: Int) -> String {
      """
      \(Self.numbers) INSERT INTO step SELECT i + \(offset), 's' || i, nullif(i - 1, -1) + \(offset) FROM n
        WHERE i < \(count)
      """
    }
    let stores = try Merges(
      "CREATE TABLE step (id INTEGER PRIMARY KEY, name TEXT, previous INTEGER REFERENCES step (id))",
      mine: chain(101, count: 1_500),
      theirs: chain(1, count: 1_600)
    )
    try stores.merge()
    #expect(
      try stores.rows(
        "SELECT count(*), count(p.id) FROM step AS s LEFT JOIN step AS p ON p.id = s.previous AND s.name = 's' || (substr(p.name, 2) + 1)"
      ) == ["1600,1599"]
    )
    #expect(try stores.complaints() == "")
  }
}
