import Decant
import StoreTestSupport
import TestSupport
import Testing

/// Two copies of one database to each of which one row was added, under the same next key: they are two rows.
@Suite struct SameKeyRowsTests {
  /// Tables, and the row that each copy adds.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let base: String
    let mine: String
    let theirs: String
    /// A query of what distinguishes the rows, and its values afterwards.
    let query: String
    let values: [String]
    var testDescription: String { name }
  }

  private static let cases = [
    Case(
      name: "expenses of one day",
      base: """
        CREATE TABLE item (id INTEGER PRIMARY KEY AUTOINCREMENT, day TEXT, what TEXT, cents INT, shop TEXT);
        WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
        INSERT INTO item (day, what, cents, shop)
          SELECT date('2023-01-01', '+' || i || ' days'), 'thing ' || i, i * 37, 'shop ' || (i % 17) FROM n
        """,
      mine: "INSERT INTO item (day, what, cents, shop) VALUES ('2024-05-01', 'Ice cream', 350, 'Gelateria')",
      theirs: "INSERT INTO item (day, what, cents, shop) VALUES ('2024-05-01', 'Rent', 95000, 'Landlord')",
      query: "SELECT what FROM item WHERE day = '2024-05-01' ORDER BY 1",
      values: ["'Ice cream'", "'Rent'"]
    ),
    Case(
      name: "contacts of a city in which no other lives, each with a call",
      base: """
        CREATE TABLE contact (id INTEGER PRIMARY KEY, first TEXT, last TEXT, phone TEXT, city TEXT);
        CREATE TABLE call (id INTEGER PRIMARY KEY, contact INT REFERENCES contact (id), at INT);
        WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
        INSERT INTO contact SELECT i, 'First' || i, 'Last' || i, '+49' || (i * 7919), 'City ' || (i % 30) FROM n;
        INSERT INTO call SELECT id, id, 1700000000 + id FROM contact
        """,
      mine: "INSERT INTO contact VALUES (101, 'Bert', 'Huber', '+1', 'Ulm'); INSERT INTO call VALUES (101, 101, 17)",
      theirs: "INSERT INTO contact VALUES (101, 'Anna', 'Maier', '+2', 'Ulm'); INSERT INTO call VALUES (101, 101, 18)",
      query: "SELECT first, at FROM call JOIN contact ON contact.id = contact WHERE city = 'Ulm' ORDER BY 1",
      values: ["'Anna',18", "'Bert',17"]
    ),
    Case(
      name: "products of one kind, size and color",
      base: """
        CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, size TEXT, color TEXT, vat INT);
        WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
        INSERT INTO item SELECT i, 'Article ' || i, 'K' || (i % 3), 'S' || (i / 3 % 3), 'C' || (i / 9 % 3), 7 + 12 * (i % 2)
          FROM n
        """,
      mine: "INSERT INTO item VALUES (61, 'Rugby', 'K0', 'S1', 'C2', 19)",
      theirs: "INSERT INTO item VALUES (61, 'Polo', 'K0', 'S1', 'C2', 19)",
      query: "SELECT name FROM item WHERE id > 60 ORDER BY 1",
      values: ["'Polo'", "'Rugby'"]
    ),
  ]

  @Test(arguments: cases, [MergePolicy.skip, .update])
  func `both stay, and what leads to them`(_ rows: Case, _ policy: MergePolicy) throws {
    let stores = try Merges(rows.base, mine: rows.mine, theirs: rows.theirs)
    try stores.merge(policy)
    #expect(try stores.rows(rows.query) == rows.values)
    #expect(try stores.merge(policy).copiedCount == 0)
  }

  @Test func `the last row is the same where one copy changed a value of it`() throws {
    let stores = try Merges(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, body TEXT, day TEXT);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
      INSERT INTO note SELECT i, 'title ' || i, 'body ' || i, date('2024-01-01', '+' || i || ' days') FROM n
      """,
      mine: "SELECT 1",
      theirs: "UPDATE note SET title = 'another' WHERE id = 40"
    )
    #expect(try stores.merge(.update)["note"]?.updated == 1)
    #expect(try stores.rows("SELECT title FROM note WHERE id = 40") == ["'another'"])
  }
}
