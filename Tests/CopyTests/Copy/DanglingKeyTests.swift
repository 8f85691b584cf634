import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// A key to which a link of the destination leads, and which no object has: none that is added gets it, wherever the
/// link stands.
@Suite struct DanglingKeyTests {
  /// A place of the sample model where a key may stand: what puts one there that is `ahead` of the last that was handed
  /// out, and how many links lead nowhere.
  struct Place: CustomTestStringConvertible {
    let testDescription: String
    let plant: String
    let count: String
  }

  private static let places = [
    Place(
      testDescription: "a column",
      plant: "UPDATE ZSTEP SET ZRECIPE = 16 WHERE Z_PK = 1",
      count: "SELECT count(*) FROM ZSTEP WHERE ZRECIPE NOT IN (SELECT Z_PK FROM ZRECIPE)"
    ),
    Place(
      testDescription: "a column that has the entity beside it",
      plant: "UPDATE ZRECIPE SET ZCOVER = 11, Z2_COVER = 3 WHERE Z_PK = 3",
      count: "SELECT count(*) FROM ZRECIPE WHERE ZCOVER NOT IN (SELECT Z_PK FROM ZIMAGE)"
    ),
    Place(
      testDescription: "the first column of a table of links",
      plant: "INSERT INTO Z_6TAGS VALUES (17, 1)",
      count: "SELECT count(*) FROM Z_6TAGS WHERE Z_6RECIPES NOT IN (SELECT Z_PK FROM ZRECIPE)"
    ),
    Place(
      testDescription: "the second column of a table of links",
      plant: "INSERT INTO Z_6TAGS VALUES (1, 8)",
      count: "SELECT count(*) FROM Z_6TAGS WHERE Z_8TAGS NOT IN (SELECT Z_PK FROM ZTAG)"
    ),
  ]

  @Test(arguments: places, [CopyOptions.Commit.run, .batch])
  func `nobody gets it in a Core Data store`(place: Place, commit: CopyOptions.Commit) throws {
    let kitchens = try Kitchens()
    _ = try Program.sqlite3(kitchens.kitchen, place.plant)
    #expect(try Program.sqlite3(kitchens.kitchen, place.count) == "1")
    let report = try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
      ($0.appends, $0.commit) = (true, commit)
    }
    #expect(report.isVerified && report["Recipe"]?.copied == 5)
    #expect(try Program.sqlite3(kitchens.kitchen, place.count) == "1")
  }

  private static let schema = """
    CREATE TABLE a (id INTEGER PRIMARY KEY, up INTEGER REFERENCES a (id), name TEXT);
    CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a (id), name TEXT);
    CREATE TABLE ab (a INTEGER REFERENCES a (id), b INTEGER REFERENCES b (id), PRIMARY KEY (a, b));
    CREATE TABLE own (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a (id), b INTEGER REFERENCES b (id), note TEXT);
    CREATE TABLE bare (a INTEGER REFERENCES a (id), b INTEGER REFERENCES b (id), PRIMARY KEY (a, b)) WITHOUT ROWID;
    """

  @Test(arguments: [
    ("a", "up", "UPDATE a SET up = 3 WHERE id = 1"), ("b", "a", "UPDATE b SET a = 4 WHERE id = 1"),
    ("ab", "a", "INSERT INTO ab VALUES (3, 1)"), ("ab", "b", "INSERT INTO ab VALUES (1, 4)"),
    ("own", "a", "INSERT INTO own VALUES (9, 4, 1, 'x')"),
    ("own", "b", "INSERT INTO own VALUES (9, 1, 3, 'x')"),
    ("bare", "a", "INSERT INTO bare VALUES (4, 1)"),
    ("bare", "b", "INSERT INTO bare VALUES (1, 3)"),
  ])
  func `nobody gets it in a plain database`(table: String, column: String, plant: String) throws {
    let place = try PlainDatabase()
    let rows = """
      INSERT INTO a VALUES (1, NULL, 'a1'), (2, 1, 'a2'); INSERT INTO b VALUES (1, 1, 'b1'), (2, 2, 'b2');
      INSERT INTO ab VALUES (1, 2); INSERT INTO own VALUES (1, 1, 2, 'o'); INSERT INTO bare VALUES (1, 2);
      """
    try place.make("a.db", Self.schema + rows)
    try place.make("b.db", Self.schema + rows + plant)
    let target = column == "up" ? "a" : column
    let loose = "SELECT count(*) FROM \(table) WHERE \(column) NOT IN (SELECT id FROM \(target))"
    #expect(try place.read("b.db", loose) == ["1"])
    #expect(try place.append().isVerified)
    #expect(
      try place.read("b.db", "SELECT count(*) FROM a UNION ALL SELECT count(*) FROM b") == [
        "4", "4",
      ]
    )
    #expect(try place.read("b.db", loose) == ["1"])
  }
}
