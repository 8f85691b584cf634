import Decant
import StoreTestSupport
import TestSupport
import Testing

/// What two databases declare otherwise is a difference, and all else is compared.
@Suite struct SchemaDiffTests {
  private let folder: TemporaryFolder
  private var a: String { folder.path("a.db") }
  private var b: String { folder.path("b.db") }

  private static let schema = """
    CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT, body TEXT, tag INTEGER REFERENCES tag (id));
    CREATE TABLE log (line TEXT);
    CREATE TABLE post_tag (post INTEGER REFERENCES post (id), tag INTEGER REFERENCES tag (id),
      PRIMARY KEY (post, tag));
    CREATE INDEX post_title ON post (title);
    CREATE VIEW titles AS SELECT id, title FROM post;
    CREATE TRIGGER noted AFTER INSERT ON post BEGIN INSERT INTO log VALUES (new.title); END;
    INSERT INTO tag VALUES (1, 'red'), (2, 'blue'), (3, 'green');
    INSERT INTO post VALUES (1, 'one', 'x', 1), (2, 'two', NULL, 2), (3, 'three', 'z', NULL);
    INSERT INTO post_tag VALUES (1, 1), (1, 2), (3, 3);

    """

  init() throws {
    folder = try TemporaryFolder()
    _ = try Program.sqlite3(a, Self.schema)
    _ = try Program.sqlite3(b, Self.schema)
  }

  private func lines(_ report: DiffReport) -> [String] { report.schema.map { $0.text("A", "B") } }

  @Test(arguments: [
    ("DROP INDEX post_title", ["index post_title only in A"]),
    ("CREATE INDEX more ON post (body)", ["index more only in B"]),
    (
      "DROP INDEX post_title; CREATE UNIQUE INDEX post_title ON post (title)",
      ["index post_title is declared otherwise"]
    ),
    ("DROP TRIGGER noted", ["trigger noted only in A"]),
    (
      "DROP TRIGGER noted; CREATE TRIGGER noted AFTER INSERT ON post BEGIN INSERT INTO log VALUES ('TITLE'); END",
      ["trigger noted is declared otherwise"]
    ),
    ("DROP VIEW titles", ["view titles only in A"]),
    (
      "DROP VIEW titles; CREATE VIEW titles AS SELECT id, body AS title FROM post",
      ["view titles is declared otherwise"]
    ),
    ("CREATE TABLE none (x)", ["table none only in B, with 0 rows"]),
    ("ALTER TABLE post ADD COLUMN rating", ["column post.rating only in B, with 0 values"]),
    ("ALTER TABLE post DROP COLUMN body", ["column post.body only in A, with 2 values"]),
    ("ALTER TABLE post ADD COLUMN by INTEGER REFERENCES tag (id)", ["column post.by only in B, with 0 values"]),
  ])
  func `what is lost, added or changed is named, and the rest is equal`(change: String, differences: [String]) throws {
    _ = try Program.sqlite3(b, change)
    let report = try Diff(a, b).run()
    #expect(!report.isEqual && lines(report) == differences && report.schemaCount == 1)
    #expect(report.entities.allSatisfy { $0.changed + $0.onlyInA + $0.onlyInB == 0 })
    #expect(report.entities.map(\.same).reduce(0, +) == 9 && report.rows.map(\.same) == [3])
    let back = try Diff(b, a).run()
    #expect(back.schema.map { $0.text("B", "A") } == differences)
    let proof = try Verify(a, against: b).run()
    #expect(!proof.isEqual && proof.differences.isEmpty && proof.schema == report.schema)
  }

  @Test func `the same in other words is equal`() throws {
    _ = try Program.sqlite3(
      b,
      """
      DROP INDEX post_title; create index "post_title" on [Post] (TITLE) ;
      DROP VIEW titles; CREATE VIEW titles AS -- all of them
        SELECT id,"title" FROM Post
      """
    )
    #expect(try Diff(a, b).run().isEqual && Verify(a, against: b).run().isEqual)
  }

  @Test func `values that both have are compared beside columns and tables of one`() throws {
    _ = try Program.sqlite3(
      b,
      """
      ALTER TABLE post DROP COLUMN body; ALTER TABLE tag ADD COLUMN color; CREATE TABLE more (id INTEGER PRIMARY KEY);
      UPDATE post SET title = 'eins' WHERE id = 1; UPDATE tag SET color = 'c'; DELETE FROM post_tag WHERE post = 3;
      INSERT INTO tag VALUES (9, 'new', NULL)
      """
    )
    let report = try Diff(a, b).run()
    let names = report.differences.map(\.description)
    #expect(
      names == [
        "tag key 9 only in B", "post key 1 differs in title",
        "tag.post_tag key 3 → key 3 only in A",
      ]
        || names == [
          "tag key 9 only in B", "post key 1 differs in title",
          "post.post_tag key 3 → key 3 only in A",
        ]
    )
    #expect(
      lines(report) == [
        "table more only in B, with 0 rows", "column post.body only in A, with 2 values",
        "column tag.color only in B, with 3 values",
      ]
    )
  }

  @Test func `a key of another name is the key all the same`() throws {
    for (path, key) in [(a, "id"), (b, "number")] {
      let word = "CREATE TABLE word (\(key) INTEGER PRIMARY KEY, text TEXT UNIQUE)"
      _ = try Program.sqlite3(path, "\(word); INSERT INTO word VALUES (1, 'one'), (2, 'two')")
    }
    let report = try Diff(a, b).run()
    #expect(report.differences.isEmpty && report.entities.first { $0.name == "word" }?.same == 2)
    #expect(
      lines(report) == [
        "column word.id only in A, with 2 values", "column word.number only in B, with 2 values",
      ]
    )
  }

  @Test func `a link in one database only is compared as a value`() throws {
    _ = try Program.sqlite3(
      b,
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, title TEXT, body TEXT, tag INTEGER);
      INSERT INTO p SELECT * FROM post; DROP VIEW titles; DROP TABLE post; ALTER TABLE p RENAME TO post;
      UPDATE post SET tag = 3 WHERE id = 2
      """
    )
    let report = try Diff(a, b).run()
    #expect(report.differences.map(\.description).contains("post key 2 differs in tag"))
    #expect(lines(report).contains("column post.tag is declared otherwise"))
  }

  @Test func `a table of links that got a column is compared by what both have`() throws {
    _ = try Program.sqlite3(b, "ALTER TABLE post_tag ADD COLUMN place; UPDATE post_tag SET tag = 2 WHERE post = 3")
    let report = try Diff(a, b).run()
    #expect(lines(report) == ["column post_tag.place only in B, with 0 values"])
    let rows = try #require(report.rows.first { $0.name == "table post_tag" })
    #expect((rows.same, rows.onlyInA, rows.onlyInB) == (2, 1, 1))
  }

  @Test func `names are limited by kind, and all are counted`() throws {
    _ = try Program.sqlite3(b, "CREATE TABLE n1 (x); CREATE TABLE n2 (x); CREATE TABLE n3 (x); DROP INDEX post_title")
    var diff = Diff(a, b)
    diff.differenceLimit = 2
    let report = try diff.run()
    #expect(report.schema.map(\.name) == ["n1", "n2", "post_title"])
    #expect(report.schemaCount == 4 && report.isCutOff)
  }

  @Test func `what an entity's table declares counts where that entity is asked for`() throws {
    _ = try Program.sqlite3(b, "DROP INDEX post_title; ALTER TABLE tag ADD COLUMN color")
    var diff = Diff(a, b)
    diff.entities = ["post"]
    #expect(try lines(diff.run()) == ["index post_title only in A"])
    diff.entities = ["log"]
    #expect(try diff.run().isEqual)
  }

  @Test func `a lost index of a Core Data store is a difference`() throws {
    let kitchens = try Kitchens()
    try kitchens.copy(kitchens.kitchen, to: kitchens.out)
    let index = try Program.sqlite3(
      kitchens.out,
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'ZRECIPE' AND sql IS NOT NULL LIMIT 1"
    )
    #expect(!index.isEmpty)
    _ = try Program.sqlite3(kitchens.out, "DROP INDEX \(index)")
    let report = try Diff(kitchens.kitchen, kitchens.out).run()
    #expect(lines(report) == ["index \(index) only in A"])
  }
}
