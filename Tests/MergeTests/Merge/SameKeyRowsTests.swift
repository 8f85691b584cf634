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
    Case(
      name: "seasons of different new shows",
      base: """
        CREATE TABLE show (id INTEGER PRIMARY KEY, title TEXT);
        CREATE TABLE season (id INTEGER PRIMARY KEY, show INTEGER REFERENCES show, number INTEGER, name TEXT, plot TEXT);
        CREATE TABLE episode (id INTEGER PRIMARY KEY, season INTEGER REFERENCES season, title TEXT);
        WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12) INSERT INTO show SELECT i, 'Show ' || i FROM n;
        INSERT INTO season SELECT 2 * id - 1, id, 1, 'Season 1', NULL FROM show UNION ALL
          SELECT 2 * id, id, 2, 'Season 2', NULL FROM show;
        INSERT INTO episode SELECT NULL, id, 'Pilot ' || id FROM season
        """,
      mine: """
        INSERT INTO show VALUES (13, 'Dark'); INSERT INTO season VALUES (25, 13, 1, 'Season 1', NULL);
        INSERT INTO episode VALUES (25, 25, 'Secrets')
        """,
      theirs: """
        INSERT INTO show VALUES (13, 'Lost'); INSERT INTO season VALUES (25, 13, 1, 'Season 1', NULL);
        INSERT INTO episode VALUES (25, 25, 'Tabula Rasa')
        """,
      query: """
        SELECT show.title, season.name, episode.title FROM episode JOIN season ON season.id = season
        JOIN show ON show.id = show WHERE episode.id >= 25 ORDER BY 1
        """,
      values: ["'Dark','Season 1','Secrets'", "'Lost','Season 1','Tabula Rasa'"]
    ),
    Case(
      name: "plans of different recipes for the same days",
      base: """
        CREATE TABLE recipe (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL);
        CREATE TABLE plan (id INTEGER PRIMARY KEY AUTOINCREMENT, day DATE NOT NULL, kind TEXT DEFAULT 'recipe',
          recipe INTEGER REFERENCES recipe (id), servings INTEGER DEFAULT 1, note TEXT)
        """,
      mine: """
        INSERT INTO recipe (name) VALUES ('soup'), ('rice'), ('bread');
        INSERT INTO plan (day, recipe) SELECT '2026-03-0' || id, id FROM recipe
        """,
      theirs: """
        INSERT INTO recipe (name) VALUES ('cake'), ('pie'), ('jam');
        INSERT INTO plan (day, recipe) SELECT '2026-03-0' || id, id FROM recipe
        """,
      query:
        "SELECT day, group_concat(name) FROM (SELECT day, name FROM plan JOIN recipe ON recipe.id = recipe ORDER BY 1, 2) GROUP BY 1",
      values: ["'2026-03-01','cake,soup'", "'2026-03-02','pie,rice'", "'2026-03-03','bread,jam'"]
    ),
    Case(
      name: "tracks of different new files, without a key",
      base: """
        CREATE TABLE file (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE track (file INTEGER REFERENCES file, kind INTEGER, codec TEXT, language TEXT, width INTEGER);
        WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30) INSERT INTO file SELECT i, 'film ' || i FROM n;
        INSERT INTO track SELECT id, k, c, CASE WHEN k THEN substr('engger', 1 + 3 * (id % 2), 3) END, CASE k WHEN 0 THEN 1920 END
          FROM file, (SELECT 0 AS k, 'h264' AS c UNION ALL SELECT 1, 'ac3') ORDER BY id, k
        """,
      mine: """
        INSERT INTO file VALUES (31, 'mine');
        INSERT INTO track VALUES (31, 0, 'h264', NULL, 1920), (31, 1, 'ac3', 'ger', NULL)
        """,
      theirs: """
        INSERT INTO file VALUES (31, 'theirs');
        INSERT INTO track VALUES (31, 0, 'h264', NULL, 1920), (31, 1, 'ac3', 'ger', NULL)
        """,
      query: "SELECT name, count(*) FROM file JOIN track ON file.id = file WHERE file.id > 30 GROUP BY 1",
      values: ["'mine',2", "'theirs',2"]
    ),
    Case(
      name: "photos of different rolls that share a maker, to which they belong as well",
      base: """
        CREATE TABLE roll (id INTEGER PRIMARY KEY, folder TEXT NOT NULL UNIQUE);
        CREATE TABLE maker (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
        CREATE TABLE image (id INTEGER PRIMARY KEY AUTOINCREMENT, roll INTEGER REFERENCES roll (id) ON DELETE CASCADE,
          name TEXT, maker INTEGER REFERENCES maker (id) ON DELETE CASCADE, taken INTEGER, width INTEGER DEFAULT 6000,
          height INTEGER DEFAULT 4000, flags INTEGER DEFAULT 1);
        INSERT INTO maker VALUES (1, 'Canon'), (2, 'Nikon')
        """,
      mine: """
        INSERT INTO roll VALUES (1, '/a'); WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8)
        INSERT INTO image (roll, name, maker, taken) SELECT 1, 'a' || i, 1 + i % 2, 1700000000 + i * 3600 FROM n
        """,
      theirs: """
        INSERT INTO roll VALUES (1, '/b'); WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8)
        INSERT INTO image (roll, name, maker, taken) SELECT 1, 'b' || i, 1 + i % 2, 1710000000 + i * 3601 FROM n
        """,
      query:
        "SELECT folder, count(*), sum(name LIKE substr(folder, 2) || '%') FROM roll JOIN image ON roll.id = roll GROUP BY 1",
      values: ["'/a',8,8", "'/b',8,8"]
    ),
    Case(
      name: "tags of one color, whose names are unique where they have no owner",
      base: """
        CREATE TABLE tag (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, color TEXT NOT NULL, inbox BOOL NOT NULL,
          owner INTEGER, parent INTEGER REFERENCES tag (id), CONSTRAINT u UNIQUE (name, owner));
        CREATE UNIQUE INDEX tag_name ON tag (name) WHERE owner IS NULL;
        CREATE TABLE document (id INTEGER PRIMARY KEY AUTOINCREMENT, sum TEXT NOT NULL UNIQUE);
        CREATE TABLE document_tag (id INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL REFERENCES document (id),
          tag INTEGER NOT NULL REFERENCES tag (id), UNIQUE (document, tag));
        INSERT INTO tag (name, color, inbox) VALUES ('Inbox', '#fff', 0), ('Tax', '#fff', 0), ('House', '#000', 0), ('Car', '#111', 0);
        INSERT INTO document (sum) VALUES ('c1'), ('c2'); INSERT INTO document_tag (document, tag) VALUES (1, 1), (2, 2)
        """,
      mine: """
        INSERT INTO tag (name, color, inbox) VALUES ('Holiday', '#000', 0); INSERT INTO document (sum) VALUES ('a3');
        INSERT INTO document_tag (document, tag) VALUES (3, 5)
        """,
      theirs: """
        INSERT INTO tag (name, color, inbox) VALUES ('Divorce', '#000', 0); INSERT INTO document (sum) VALUES ('b3');
        INSERT INTO document_tag (document, tag) VALUES (3, 5)
        """,
      query:
        "SELECT sum, name FROM document_tag JOIN document AS d ON d.id = document JOIN tag ON tag.id = tag WHERE sum LIKE '_3' ORDER BY 1",
      values: ["'a3','Holiday'", "'b3','Divorce'"]
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

  /// Rows of an edited copy whose target was renamed or replaced there: they are the same rows.
  @Test(
    arguments: [
      "UPDATE account SET name = name || '.new'",
      "INSERT INTO account SELECT 100 + id, name || '.new' FROM account; UPDATE note SET account = account + 100; DELETE FROM account WHERE id < 100",
      "UPDATE account SET name = 'last' WHERE id = (SELECT account FROM note ORDER BY id DESC LIMIT 1)",
    ], [MergePolicy.skip, .update])
  func `rows stay one where their target was renamed`(_ change: String, _ policy: MergePolicy) throws {
    let stores = try Merges(
      """
      CREATE TABLE account (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE note (id INTEGER PRIMARY KEY, account INTEGER REFERENCES account, title TEXT, body TEXT, stars INT);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) INSERT INTO account SELECT i, 'user ' || i FROM n;
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
        INSERT INTO note SELECT i, 1 + i % 5, 'title ' || i, 'body ' || i, i % 6 FROM n
      """,
      mine: "SELECT 1",
      theirs: change
    )
    try stores.merge(policy)
    #expect(try stores.rows("SELECT count(*), count(DISTINCT title) FROM note") == ["60,60"])
  }
}
