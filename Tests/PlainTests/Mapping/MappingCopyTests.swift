import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What becomes of objects on their way through a mapping.
@Suite struct MappingCopyTests {
  private let old = """
    CREATE TABLE Cat (id INTEGER PRIMARY KEY, label TEXT);
    CREATE TABLE OldRecipe (id INTEGER PRIMARY KEY, name TEXT, serves INTEGER, mainIngredient TEXT,
      deleted INTEGER DEFAULT 0, lastViewed REAL, cat INTEGER REFERENCES Cat (id));
    CREATE TABLE Snack (id INTEGER PRIMARY KEY, name TEXT, goesWith INTEGER REFERENCES OldRecipe (id));
    INSERT INTO Cat VALUES (1, 'Soups'), (2, 'Cakes');
    INSERT INTO OldRecipe VALUES (1, 'Leek Soup', NULL, 'Leek', 0, 1.5, 1), (2, 'Cake', 6, NULL, 0, NULL, 2),
      (7, 'Gone', 4, 'Air', 1, NULL, 2), (9, 'Tart', 3, 'Plum', 0, NULL, 99);
    INSERT INTO Snack VALUES (1, 'Tea', 1), (2, 'Toast', 9), (3, 'Crisps', 7)
    """
  private let new = """
    CREATE TABLE Category (id INTEGER PRIMARY KEY, title TEXT);
    CREATE TABLE Recipe (id INTEGER PRIMARY KEY, title TEXT NOT NULL, servings INTEGER, slug TEXT,
      kind TEXT DEFAULT 'dish', category INTEGER REFERENCES Category (id), base INTEGER REFERENCES Recipe (id));
    CREATE TABLE Ingredient (id INTEGER PRIMARY KEY, name TEXT, position INTEGER,
      recipe INTEGER REFERENCES Recipe (id))
    """
  private let mapping = """
    entities:
      Category: { from: Cat, set: { title: label } }
      Recipe:
        - from: OldRecipe
          where: "deleted = 0"
          set:
            title: name
            servings: "coalesce(serves, 4)"
            slug: "lower(replace(name, ' ', '-')) || (SELECT count(*) FROM Snack s WHERE s.goesWith = OldRecipe._id)"
            category: cat
          drop: [lastViewed, deleted]
        - from: Snack
          set: { title: name, base: goesWith, kind: "'snack'" }
      Ingredient:
        from: OldRecipe
        where: "mainIngredient IS NOT NULL"
        set: { name: mainIngredient, position: 0, recipe: $self }
    """

  @Test func `names, expressions, filters, two sources and two outcomes`() throws {
    let databases = try MappedDatabases(old, to: new)
    let report = try databases.copy(mapping)
    #expect(
      try databases.rows("SELECT id, title, servings, slug, kind, category, base FROM Recipe")
        == [
          "1,'Leek Soup',4,'leek-soup1','dish',1,NULL", "2,'Cake',6,'cake0','dish',2,NULL",
          // The category 99 was never there.
          "9,'Tart',3,'tart1','dish',NULL,NULL",
          // The snacks' keys collide with those of the recipes, so they come behind.
          "10,'Tea',NULL,NULL,'snack',NULL,1", "11,'Toast',NULL,NULL,'snack',NULL,9",
          "12,'Crisps',NULL,NULL,'snack',NULL,NULL",
        ]
    )
    #expect(
      try databases.rows("SELECT * FROM Ingredient")
        == ["1,'Leek',0,1", "7,'Air',0,NULL", "9,'Plum',0,9"]
    )
    #expect(try databases.rows("SELECT * FROM Category") == ["1,'Soups'", "2,'Cakes'"])
    #expect(report["Recipe"]?.source == 7 && report["Recipe"]?.copied == 6)
    #expect(report["Recipe"]?.filtered == 1 && report["Ingredient"]?.filtered == 1)
    // Left out by the filter: the base of the crisps, the recipe of the air. Nowhere: category 99.
    #expect(report.links == LinkCounts(copied: 6, cut: 2, dangling: 1))
    #expect(report.isVerified)
    #expect(try databases.place.complaints("new.db") == "")
  }

  @Test func `the table of keys knows the source's keys, and what became of them`() throws {
    let databases = try MappedDatabases(old, to: new)
    try databases.copy(mapping) { $0.idTableFile = databases.place.path("ids.db") }
    // Three snacks collide with the recipes; the ingredients and the recipes are of the same objects.
    let expected = try databases.rows(
      """
      SELECT * FROM (
        SELECT 'Cat', id, id, 'Category' FROM Cat
        UNION ALL SELECT 'OldRecipe', id, id, 'Recipe' FROM OldRecipe WHERE NOT deleted
        UNION ALL SELECT 'OldRecipe', id, id, 'Ingredient' FROM OldRecipe WHERE mainIngredient NOT NULL
        UNION ALL SELECT 'Snack', id, id + 9, 'Recipe' FROM Snack) ORDER BY 4, 1, 2
      """,
      of: "old.db"
    )
    let kept = try databases.rows(
      """
      WITH RECURSIVE run(entity, source, destination, became, rest) AS (
        SELECT entity, source, destination, became, count FROM ids WHERE outcome = 'copied'
        UNION ALL SELECT entity, source + 1, destination + 1, became, rest - 1 FROM run WHERE rest > 1)
      SELECT entity, source, destination, became FROM run
      WHERE became <> 'Ingredient' OR source IN (1, 7, 9) ORDER BY 4, 1, 2
      """,
      of: "ids.db"
    )
    #expect(kept == expected)
  }

  @Test func `keys of several sources are kept where they do not collide`() throws {
    let databases = try MappedDatabases(
      """
      CREATE TABLE Odd (id INTEGER PRIMARY KEY, n TEXT, next INTEGER REFERENCES Even (id));
      CREATE TABLE Even (id INTEGER PRIMARY KEY, n TEXT, next INTEGER REFERENCES Odd (id));
      INSERT INTO Odd VALUES (1, 'a', 2), (3, 'c', 4), (5, 'e', NULL);
      INSERT INTO Even VALUES (2, 'b', 3), (4, 'd', 5)
      """,
      to:
        "CREATE TABLE Number (id INTEGER PRIMARY KEY, n TEXT, next INTEGER REFERENCES Number (id))"
    )
    try databases.copy("entities: { Number: { from: [Odd, Even] } }")
    #expect(
      try databases.rows("SELECT * FROM Number")
        == ["1,'a',2", "2,'b',3", "3,'c',4", "4,'d',5", "5,'e',NULL"]
    )
  }

  @Test func `links from many to many follow, whatever they are called`() throws {
    let databases = try MappedDatabases(
      """
      CREATE TABLE A (id INTEGER PRIMARY KEY, n TEXT); CREATE TABLE B (id INTEGER PRIMARY KEY, n TEXT);
      CREATE TABLE Label (id INTEGER PRIMARY KEY, n TEXT);
      CREATE TABLE A_labels (a INTEGER NOT NULL REFERENCES A (id), label INTEGER NOT NULL REFERENCES Label (id),
        PRIMARY KEY (a, label));
      INSERT INTO A VALUES (1, 'a1'), (2, 'a2'); INSERT INTO B VALUES (1, 'b1'), (2, 'b2');
      INSERT INTO Label VALUES (1, 'x'), (2, 'y'); INSERT INTO A_labels VALUES (1, 1), (1, 2), (2, 2)
      """,
      to: """
        CREATE TABLE Thing (id INTEGER PRIMARY KEY, n TEXT); CREATE TABLE Tag (id INTEGER PRIMARY KEY, n TEXT);
        CREATE TABLE Thing_tags (a INTEGER NOT NULL REFERENCES Thing (id),
          label INTEGER NOT NULL REFERENCES Tag (id), PRIMARY KEY (a, label))
        """
    )
    let inspected = try Inspect(databases.place.path("old.db")).run()
    try #require(inspected.entities.contains { $0.name == "A_labels" } == false)
    let names = (try links(databases.place.path("old.db")), try links(databases.place.path("new.db")))
    try databases.copy(
      """
      entities:
        Thing: [ { from: B }, { from: A, set: { \(names.1): \(names.0) } } ]
        Tag: { from: Label }
      """
    )
    #expect(
      try databases.rows(
        "SELECT t.n, g.n FROM Thing_tags JOIN Thing t ON t.id = a JOIN Tag g ON g.id = label ORDER BY 1, 2"
      ) == ["'a1','x'", "'a1','y'", "'a2','y'"]
    )
  }

  /// What decant calls the relationship of a table of links, seen from `A` or `Thing`.
  private func links(_ path: String) throws -> String {
    let inspection = try Inspect(path).run()
    let entity = inspection.entities.first { ["A", "Thing"].contains($0.name) }
    return try #require(entity?.relationships.first?.relationship.name)
  }

  @Test func `nothing is lost without a word`() throws {
    let databases = try MappedDatabases(old, to: new)
    func error(_ text: String) throws -> DecantError {
      try #require(#expect(throws: DecantError.self) { try databases.copy(text) })
    }
    let entity = try error("entities:\n  Recipe: { from: OldRecipe, set: { title: name } }\n")
    #expect(entity.family == .usage && entity.place == "map.yaml:1:1")
    #expect(entity.message == "Cat of “\(databases.place.path("old.db"))” is not mapped; nor is Snack")
    let attribute = try error(
      "contract: { entities: discard }\nentities:\n  Recipe: { from: OldRecipe, set: { title: name } }\n"
    )
    #expect(
      attribute.message.hasPrefix("OldRecipe.serves of")
        && attribute.message.hasSuffix("nor are OldRecipe.mainIngredient, OldRecipe.deleted, OldRecipe.lastViewed")
    )
    #expect(attribute.place == "map.yaml:3:3")
    _ = try Program.sqlite3(
      databases.place.path("old.db"),
      (1...12).map { "ALTER TABLE Cat ADD COLUMN c\($0);" }.joined()
    )
    let many = try error(
      "contract: { entities: discard }\nentities: { Category: { from: Cat, set: { title: label } } }\n"
    )
    #expect(many.message.hasPrefix("Cat.c1 of") && many.message.hasSuffix("Cat.c10, Cat.c11, and 1 more"))
    let lost = try databases.copy(
      """
      contract: { entities: discard, attributes: discard }
      entities: { Recipe: { from: OldRecipe, set: { title: name } } }
      """
    )
    #expect(lost.notes.commandLine.contains("Cat of the source is discarded"))
    #expect(lost.notes.commandLine.contains("OldRecipe.mainIngredient of the source is discarded"))
    #expect(try databases.rows("SELECT count(*) FROM Recipe") == ["4"])
  }

  @Test func `a condition of the command line is over what objects become`() throws {
    let databases = try MappedDatabases(old, to: new)
    let error = #expect(throws: DecantError.self) {
      try databases.copy(mapping) {
        $0.filters = [CopyOptions.Filter(entity: "Snack", expression: "1")]
      }
    }
    #expect(error?.family == .usage && error?.message.contains("the destination has no") == true)
    #expect(error?.message.contains("old.db") == false)
    #expect(error?.remedy == "its tables are Category, Ingredient, Recipe")
  }

  @Test func `a number that the column rounds is told as what it may be`() throws {
    let databases = try MappedDatabases(
      "CREATE TABLE A (id INTEGER PRIMARY KEY, n INTEGER); INSERT INTO A VALUES (1, 9007199254740993)",
      to: "CREATE TABLE A (id INTEGER PRIMARY KEY, n REAL)"
    )
    let error = #expect(throws: DecantError.self) { try databases.copy("") }
    #expect(error?.message.hasSuffix("A key 1 differs in n") == true)
    #expect(error?.remedy?.contains("rounded a number") == true)
    #expect(try databases.rows("SELECT * FROM A") == [])
  }

  @Test func `a large table goes through in batches`() throws {
    let databases = try MappedDatabases(
      """
      CREATE TABLE A (id INTEGER PRIMARY KEY, v INTEGER); CREATE TABLE B (id INTEGER PRIMARY KEY, v INTEGER);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO A SELECT i, i * 7 FROM n;
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO B SELECT i, i * 11 FROM n
      """,
      to: "CREATE TABLE C (id INTEGER PRIMARY KEY, w INTEGER)"
    )
    try databases.copy(
      "entities: { C: [ { from: A, where: 'v % 2 = 0', set: { w: v } }, { from: B, set: { w: 'v + 1' } } ] }"
    ) { $0.batchSize = 100 }
    let expected = try databases.rows(
      "SELECT count(*), sum(w) FROM (SELECT v AS w FROM A WHERE v % 2 = 0 UNION ALL SELECT v + 1 FROM B)",
      of: "old.db"
    )
    #expect(try databases.rows("SELECT count(*), sum(w) FROM C") == expected)
    #expect(try databases.rows("SELECT count(DISTINCT id) FROM C") == ["5500"])
  }
}

/// What columns of a plain database make of values.
@Suite struct MappingColumnTests {
  @Test func `values become what the column's type makes of them`() throws {
    let databases = try MappedDatabases(
      """
      CREATE TABLE A (id INTEGER PRIMARY KEY, i INTEGER, r REAL, t TEXT, b BLOB);
      INSERT INTO A VALUES (1, 7, 0.1, '12', x'00'), (2, -1, 3.0, ' 1e3 ', 'x'), (3, NULL, NULL, NULL, NULL),
        (4, 'seven', 2.5, 'twelve', 5)
      """,
      to:
        "CREATE TABLE B (id INTEGER PRIMARY KEY, it TEXT, rt TEXT, ti INTEGER, tr REAL, bt TEXT, tn DATETIME)"
    )
    try databases.copy("entities: { B: { from: A, set: { it: i, rt: r, ti: t, tr: t, bt: b, tn: t } } }")
    let values = ["it", "rt", "ti", "tr", "bt", "tn"].map { "typeof(\($0)), \($0)" }.joined(separator: ", ")
    let copied = try databases.rows("SELECT \(values) FROM B")
    // The same by SQLite itself.
    _ = try Program.sqlite3(
      databases.place.path("new.db"),
      """
      ATTACH '\(databases.place.path("old.db"))' AS old; DELETE FROM B;
      INSERT INTO B SELECT id, i, r, t, t, b, t FROM old.A
      """
    )
    #expect(try databases.rows("SELECT \(values) FROM B") == copied)
    #expect(copied.count == 4)
  }

  private let texts = """
    CREATE TABLE kind (code TEXT PRIMARY KEY, label TEXT, rank INTEGER);
    CREATE TABLE spot (shelf INTEGER, place TEXT, note TEXT, PRIMARY KEY (shelf, place)) WITHOUT ROWID;
    CREATE TABLE jar (id INTEGER PRIMARY KEY, kind TEXT REFERENCES kind (code), shelf INTEGER, place TEXT,
      FOREIGN KEY (shelf, place) REFERENCES spot (shelf, place));
    INSERT INTO kind VALUES ('s', 'sweet', 1), ('h', 'hot', 2);
    INSERT INTO spot VALUES (1, 'a', 'left'), (1, 'b', NULL);
    INSERT INTO jar VALUES (1, 's', 1, 'a'), (2, 'h', 1, 'b'), (3, NULL, NULL, NULL), (4, 'h', 1, 'a')
    """

  @Test func `links by texts and by several columns are copied as without a mapping`() throws {
    let databases = try MappedDatabases(texts)
    let report = try databases.copy("")
    for table in ["kind", "spot", "jar"] {
      let rows = try databases.rows("SELECT * FROM \(table)", of: "old.db")
      #expect(try databases.rows("SELECT * FROM \(table)") == rows)
    }
    #expect(report.links.copied == 6 && report.isVerified)
  }

  @Test func `a link by a text to what is left out is cut`() throws {
    let databases = try MappedDatabases(texts)
    let report = try databases.copy("entities: { kind: { where: rank > 1 } }")
    #expect(
      try databases.rows("SELECT * FROM jar")
        == ["1,NULL,1,'a'", "2,'h',1,'b'", "3,NULL,NULL,NULL", "4,'h',1,'a'"]
    )
    #expect(report.links == LinkCounts(copied: 5, cut: 1, dangling: 0))
    #expect(try databases.place.complaints("new.db") == "")
    let error = #expect(throws: DecantError.self) {
      try databases.copy(
        """
        defaults: { missing: error }
        entities: { kind: { where: rank > 1 } }
        """,
        to: "other.db"
      )
    }
    #expect(error?.message.contains("jar.kind") == true)
  }
}
