import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Rejected objects of a mapped copy into a plain database: the file speaks of the destination's tables.
@Suite struct MappedPlainRejectTests {
  private static let old = """
    CREATE TABLE grp (id INTEGER PRIMARY KEY, label TEXT);
    CREATE TABLE dish (id INTEGER PRIMARY KEY, name TEXT, cost REAL, grp INTEGER REFERENCES grp (id),
      base INTEGER REFERENCES dish (id), photo BLOB);
    CREATE TABLE tag (id INTEGER PRIMARY KEY, word TEXT);
    CREATE TABLE dish_tag (dish INTEGER REFERENCES dish (id), tag INTEGER REFERENCES tag (id), PRIMARY KEY (dish, tag));
    INSERT INTO grp VALUES (4, 'soups'), (5, 'cakes');
    INSERT INTO dish VALUES (1, 'Leek', 2.5, 4, NULL, x'0102'), (2, 'Plum', -1, 5, 1, NULL), (3, 'Pie', 4, 5, 1, NULL),
      (4, 'Bun', -3, NULL, 4, zeroblob(70000)), (5, 'Rye', 9007199254740993, 4, 3, x'');
    INSERT INTO tag VALUES (1, 'hot'), (2, 'sweet');
    INSERT INTO dish_tag VALUES (1, 1), (2, 2), (3, 2), (4, 1), (4, 2);
    """
  private static let tables = """
    CREATE TABLE kind (kind_id INTEGER PRIMARY KEY, title TEXT UNIQUE);
    CREATE TABLE recipe (recipe_id INTEGER PRIMARY KEY, title TEXT UNIQUE, price NUMERIC, kind INTEGER REFERENCES kind (kind_id),
      variant INTEGER REFERENCES recipe (recipe_id), image BLOB);
    CREATE TABLE mark (mark_id INTEGER PRIMARY KEY, text TEXT UNIQUE);
    CREATE TABLE recipe_mark (recipe INTEGER REFERENCES recipe (recipe_id), mark INTEGER REFERENCES mark (mark_id),
      PRIMARY KEY (recipe, mark));
    INSERT INTO kind VALUES (1, 'own');
    INSERT INTO recipe VALUES (1, 'Own', 1, 1, NULL, NULL);
    """
  private let mapping = """
    entities:
      kind: { from: grp, set: { title: label } }
      recipe:
        from: dish
        set: { title: "upper(name)", price: "cost * 2", kind: grp, variant: base, image: photo, recipe_mark: dish_tag }
      mark: { from: tag, set: { text: word } }
    relationships: {}
    """

  @Test func `a failure that is no row's ends the copy at once, and no row is blamed`() throws {
    let databases = try MappedDatabases(Self.old, to: Self.tables)
    let broken = mapping.replacing("upper(name)", with: "name LIKE printf('%.*c', 60000, 'a')")
    let before = try content(databases, "new.db")
    let error = #expect(throws: DecantError.self) {
      try databases.copy(broken) {
        $0.appends = true
        $0.onError = .reject
      }
    }
    #expect(error?.message.contains("LIKE or GLOB pattern too complex") == true)
    #expect(error?.message.contains("p1") == false)
    #expect(try content(databases, "new.db") == before)
  }

  private func content(_ databases: MappedDatabases, _ file: String) throws -> [String] {
    try databases.rows(
      """
      SELECT r.title, r.price, typeof(r.price), k.title, v.title, quote(r.image), (SELECT group_concat(text)
        FROM (SELECT m.text FROM recipe_mark AS j JOIN mark AS m ON m.mark_id = j.mark
          WHERE j.recipe = r.recipe_id ORDER BY 1))
      FROM recipe AS r LEFT JOIN kind AS k ON k.kind_id = r.kind LEFT JOIN recipe AS v ON v.recipe_id = r.variant
      ORDER BY 1
      """,
      of: file
    )
      + databases.rows("SELECT title FROM kind ORDER BY 1", of: file)
      + databases.rows("SELECT text FROM mark ORDER BY 1", of: file)
  }

  @Test(arguments: [
    (
      "CREATE TRIGGER t BEFORE INSERT ON recipe WHEN new.price < 0 BEGIN SELECT raise(ABORT, 'less than nothing'); END",
      "DROP TRIGGER t", [RejectCode.check: 2]
    ),
    (
      "INSERT INTO recipe VALUES (2, 'PLUM', 0, NULL, NULL, NULL)",
      "DELETE FROM recipe WHERE recipe_id = 2", [.unique: 1]
    ),
    ("CREATE TRIGGER t BEFORE INSERT ON recipe BEGIN SELECT raise(ABORT, 'shut'); END", "DROP TRIGGER t", [.check: 5]),
  ])
  func `what was rejected comes back into its own tables when nothing is in the way any more`(
    _ obstacle: String,
    _ removal: String,
    _ codes: [RejectCode: Int64]
  ) throws {
    let databases = try MappedDatabases(Self.old, to: Self.tables)
    try databases.place.make("free.db", Self.tables)
    try databases.place.make("new.db", obstacle)
    let file = databases.place.path("rejects.decant")
    let report = try databases.copy(mapping) {
      $0.appends = true
      $0.onError = .reject
      $0.firesTriggers = true
      $0.rejectsFile = file
    }
    #expect(report.rejectedByCode == codes)
    try databases.place.make("new.db", removal)
    let imported = try Import([file], into: databases.place.path("new.db")).run().first
    #expect(imported?["recipe"]?.copied == codes.values.reduce(0, +) && imported?.isVerified == true)
    try databases.copy(mapping, to: "free.db") { $0.appends = true }
    #expect(try content(databases, "new.db") == content(databases, "free.db"))
    #expect(try databases.place.complaints("new.db") == "")
    // The rows of the source as SQL has them.
    #expect(
      try databases.rows("SELECT title, price FROM recipe WHERE title <> 'Own' ORDER BY 1")
        == databases.rows("SELECT upper(name), CAST(cost * 2 AS INTEGER) FROM dish ORDER BY 1", of: "old.db")
    )
  }

  @Test func `what a new database refuses comes back, too`() throws {
    let databases = try MappedDatabases(
      """
      CREATE TABLE car (car_id INTEGER PRIMARY KEY, plate TEXT, owner INTEGER REFERENCES person (person_id));
      CREATE TABLE person (person_id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE UNIQUE INDEX plates ON car (plate);
      INSERT INTO person VALUES (1, 'Ada'), (2, 'Ben');
      INSERT INTO car VALUES (9, 'i', 1), (10, 'j', 1), (11, 'k', 2), (12, 'l', NULL), (13, NULL, 2), (3, 'a', NULL), (14, 'b', 1);
      """
    )
    let mapping = """
      entities: { car: { set: { plate: "CASE WHEN _id IN (10, 11, 12) THEN 'same' WHEN _id IN (3, 14) THEN 'too' ELSE plate END" } } }
      """
    let error = #expect(throws: DecantError.self) { try databases.copy(mapping) }
    #expect(
      error?.message
        == "two objects of car have the same plate, which must be unique"
    )
    // By their keys, not by their values.
    #expect(error?.place == "p3 and p14 are the first pair")
    #expect(error?.advice?.commandLine.contains("--on-error reject") == true)
    let file = databases.place.path("rejects.decant")
    let report = try databases.copy(mapping) {
      $0.onError = .reject
      $0.rejectsFile = file
    }
    #expect(report.rejectedByCode == [.unique: 3] && report.isVerified)
    #expect(
      try databases.rows("SELECT car_id, plate FROM car ORDER BY 1")
        == ["3,'too'", "9,'i'", "10,'same'", "13,NULL"]
    )
    #expect(
      try databases.rows("SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL")
        == ["'CREATE UNIQUE INDEX plates ON car (plate)'"]
    )
    try databases.place.make("new.db", "DROP INDEX plates")
    _ = try Import([file], into: databases.place.path("new.db")).run()
    #expect(
      try databases.rows(
        "SELECT c.plate, p.name FROM car AS c LEFT JOIN person AS p ON p.person_id = c.owner ORDER BY 1, 2"
      ) == [
        "NULL,'Ben'", "'i','Ada'", "'same',NULL", "'same','Ada'", "'same','Ben'", "'too',NULL",
        "'too','Ada'",
      ]
    )
  }

  @Test func `a long chain is rejected to its end, and no other`() throws {
    let table =
      "CREATE TABLE n (id INTEGER PRIMARY KEY, up INTEGER REFERENCES n (id), v TEXT"
    let databases = try MappedDatabases(
      table + """
        );
        WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 900)
        INSERT INTO n SELECT i, nullif((i * 7919 % 901) - 1, 0), 'v' || i FROM c;
        UPDATE n SET up = NULL WHERE up > id;
        UPDATE n SET up = id + 1 WHERE id BETWEEN 300 AND 500;
        UPDATE n SET v = 'bad' WHERE id IN (501, 77);
        """,
      to: table + " CHECK (v <> 'bad'))"
    )
    let report = try databases.copy("relationships: { n.up: { missing: reject } }") {
      $0.onError = .reject
      $0.batchSize = 50
    }
    let expected = try databases.rows(
      """
      WITH RECURSIVE gone (id) AS (SELECT id FROM n WHERE v = 'bad' UNION SELECT n.id FROM n JOIN gone ON n.up = gone.id)
      SELECT id FROM n WHERE id NOT IN (SELECT id FROM gone)
      """,
      of: "old.db"
    )
    #expect(try databases.rows("SELECT id FROM n") == expected)
    #expect(expected.count < 700 && report.rejectedCount == 900 - Int64(expected.count))
    #expect(report.isVerified)
  }
}
