import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Empty objects beside objects that are there, and for links of rows that no integer names.
@Suite struct StubMergeTests {
  private let schema = """
    CREATE TABLE grp (id INTEGER PRIMARY KEY, label TEXT UNIQUE, note TEXT);
    CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT, stars INTEGER, grp INTEGER REFERENCES grp (id));
    """

  @Test func `what is there keeps its link until there is something to lead to`() throws {
    let databases = try MappedDatabases(
      schema + """
        INSERT INTO grp VALUES (1, 'soups', 'n1'), (2, 'gone', 'secret'), (3, 'away', 'secret');
        INSERT INTO recipe VALUES (1, 'Leek', 1, 2), (2, 'Tart', 2, 3), (3, 'Pie', 3, 2), (4, 'Stew', 4, 1);
        """,
      to: schema + """
        INSERT INTO grp VALUES (5, 'mine', 'm');
        INSERT INTO recipe VALUES (1, 'Tart', 9, 5), (2, 'Leek', 1, 5);
        """
    )
    let text = """
      entities:
        grp: { where: "label = 'soups'", identity: [label], merge: skip }
        recipe: { identity: [title], merge: update }
      relationships: { recipe.grp: { missing: stub } }
      """
    let recipes = """
      SELECT r.title, stars, g.label, g.note FROM recipe r LEFT JOIN grp g ON g.id = r.grp ORDER BY 1
      """
    let report = try databases.copy(text)
    // One group is made for the pie, which is new; nothing new leads to the other one.
    #expect(
      try databases.rows(recipes) == [
        "'Leek',1,'mine','m'", "'Pie',3,'gone',NULL", "'Stew',4,'soups','n1'",
        "'Tart',2,'mine','m'",
      ]
    )
    #expect(report["grp"]?.stubs == 1 && report["recipe"]?.updated == 1 && report.isVerified)
    // By now it is there.
    let second = try databases.copy(text)
    #expect(
      try databases.rows(recipes) == [
        "'Leek',1,'gone',NULL", "'Pie',3,'gone',NULL", "'Stew',4,'soups','n1'",
        "'Tart',2,'mine','m'",
      ]
    )
    #expect(second["grp"]?.stubs == 0 && second["recipe"]?.updated == 1 && second.isVerified)
    let before = try databases.place.dump("new.db")
    let third = try databases.copy(text)
    #expect(third.entities.allSatisfy { $0.copied + $0.updated + $0.stubs == 0 })
    #expect(try databases.place.dump("new.db") == before)
    #expect(try databases.place.complaints("new.db") == "")
  }
}
