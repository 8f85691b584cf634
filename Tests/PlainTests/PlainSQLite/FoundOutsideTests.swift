import Decant
import Foundation
import TestSupport
import Testing

/// What databases of other people's programs hold and ours did not.
@Suite struct FoundOutsideTests {
  private let folder: TemporaryFolder
  private var source: String { folder.path("source.sqlite") }
  private var out: String { folder.path("out.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func make(_ sql: String, at place: String? = nil) throws {
    _ = try Program.sqlite3(place ?? source, sql)
  }

  @discardableResult
  private func copy(_ configure: (inout CopyOptions) -> Void = { _ in }) throws -> CopyReport {
    var options = CopyOptions()
    configure(&options)
    let report = try Copy(from: "sqlite:\(source)", to: "sqlite:\(out)", options: options).run()
    #expect(report.isVerified)
    return report
  }

  /// Copies by pages and by rows; expects `sql` to say the same of each copy as of the source.
  private func expectEqual(_ sql: String, where entity: String) throws {
    let expected = try Program.sqlite3(source, sql, isQuoted: true)
    try copy()
    #expect(try Program.sqlite3(out, sql, isQuoted: true) == expected, "as pages")
    try FileManager.default.removeItem(atPath: out)
    try copy { $0.filters = [.init(entity: entity, expression: "1")] }
    #expect(try Program.sqlite3(out, sql, isQuoted: true) == expected, "row by row")
  }

  // Django: CHECK ((JSON_VALID("data") OR "data" IS NULL)).
  @Test func `JSON in checks, indexes and generated columns`() throws {
    try make(
      """
      CREATE TABLE log (id INTEGER PRIMARY KEY, data TEXT CHECK (json_valid(data) OR data IS NULL),
        kind TEXT AS (data ->> '$.kind'));
      CREATE INDEX log_name ON log (json_extract(data, '$.name'));
      INSERT INTO log VALUES (1, '{"name": "é", "kind": 2}'), (2, NULL);
      """
    )
    try expectEqual("SELECT * FROM log", where: "log")
    try copy { $0.appends = true }
    #expect(try Program.sqlite3(out, "SELECT count(*) FROM log; PRAGMA integrity_check") == "4\nok")
  }

  @Test func `a check of JSON where rows have keys of their own`() throws {
    try make(
      """
      CREATE TABLE log (id INTEGER PRIMARY KEY, data TEXT CHECK (json_valid(data)));
      INSERT INTO log VALUES (7, '[1]');
      """
    )
    try expectEqual("SELECT * FROM log", where: "log")
  }

  @Test func `a condition on a table without numbers that leads to itself by values`() throws {
    try make(
      """
      CREATE TABLE word (word TEXT PRIMARY KEY, next TEXT REFERENCES word) WITHOUT ROWID;
      INSERT INTO word VALUES ('a', 'b'), ('b', 'a'), ('c', 'gone');
      """
    )
    try expectEqual("SELECT * FROM word", where: "word")
    try FileManager.default.removeItem(atPath: out)
    try copy { $0.filters = [.init(entity: "word", expression: "word <> 'a'")] }
    #expect(try Program.sqlite3(out, "SELECT * FROM word") == "b|\nc|gone")
  }

  // Fossil: CHECK (typeof(name) = 'text' AND length(name) >= 1) in a table without a column for its rowid.
  @Test func `hidden row numbers in tables with a check`() throws {
    try make(
      """
      CREATE TABLE item (name TEXT CHECK (length(name) > 0));
      INSERT INTO item (rowid, name) VALUES (30, 'c'), (7, 'b'), (9000000000, 'a');
      CREATE VIRTUAL TABLE words USING fts5(name, content = item);
      INSERT INTO words (words) VALUES ('rebuild');
      """
    )
    try expectEqual("SELECT rowid, name FROM item; SELECT rowid FROM words ('b')", where: "item")
  }

  // Anki: COLLATE unicase, which is no rule of SQLite's.
  @Test(arguments: ["", " DESC"])
  func `an order that only another program knows stays as it is, or nothing is copied`(direction: String) throws {
    try make(
      """
      CREATE TABLE tag (name TEXT COLLATE NOCASE PRIMARY KEY, n) WITHOUT ROWID;
      CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT);
      CREATE INDEX note_title ON note (title COLLATE NOCASE\(direction));
      INSERT INTO tag VALUES ('b', 1), ('A', 2), ('c', 3), ('D', 4);
      INSERT INTO note (title) VALUES ('b'), ('A'), ('c'), ('D'), ('É'), ('e');
      """
    )
    // Both ways, by a program that knows the order.
    func rename(_ place: String, _ from: String, _ to: String) throws {
      _ = try Program.sqlite3(
        place,
        """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, '\(from)', '\(to)');
        """
      )
    }
    try rename(source, "NOCASE", "unicase")
    guard direction.isEmpty else {
      // What would come out cannot be told to be right.
      let error = #expect(throws: DecantError.self) { try copy() }
      #expect(error?.remedy?.contains("copy the file itself") == true)
      return
    }
    try copy()
    for place in [source, out] { try rename(place, "unicase", "NOCASE") }
    #expect(try Program.sqlite3(out, "PRAGMA integrity_check") == "ok")
    let rows =
      "SELECT * FROM tag; SELECT * FROM note INDEXED BY note_title ORDER BY title COLLATE NOCASE"
    #expect(try Program.sqlite3(out, rows) == Program.sqlite3(source, rows))
    try rename(source, "NOCASE", "unicase")
    try FileManager.default.removeItem(atPath: out)
    let error = #expect(throws: DecantError.self) {
      try copy { $0.filters = [.init(entity: "note", expression: "1")] }
    }
    #expect(error?.family == .modelMismatch)
    #expect(error?.message.contains("“unicase”, a collation that only its app defines, in tag.name") == true)
  }

  @Test func `rows that are older than a rule are no damage`() throws {
    try make(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, stars INTEGER CHECK (stars < 6));
      PRAGMA ignore_check_constraints = ON;
      INSERT INTO note VALUES (1, 7), (2, 3);
      """
    )
    try copy()
    #expect(try Program.sqlite3(out, "SELECT * FROM note") == "1|7\n2|3")
    _ = try Program.sqlite3(source, "DELETE FROM note WHERE id = 1")
    try copy { $0.appends = true }
    #expect(try Program.sqlite3(out, "SELECT * FROM note") == "1|7\n2|3\n4|3")
  }

  // Fossil: fts5(content="ftscontent", …), a view.
  @Test func `an index for searching whose content is a view`() throws {
    try make(
      """
      CREATE TABLE page (id INTEGER PRIMARY KEY, title TEXT, body TEXT);
      INSERT INTO page VALUES (3, 'Soup', 'leek'), (8, 'Cake', 'flour');
      CREATE VIEW page_text AS SELECT id AS rowid, title || ' ' || body AS words FROM page;
      CREATE VIRTUAL TABLE search USING fts5(words, content = page_text);
      INSERT INTO search (search) VALUES ('rebuild');
      """
    )
    try expectEqual("SELECT rowid, words FROM search ('flour')", where: "page")
  }

  @Test func `an index for searching that only its own program can fill is named`() throws {
    try make(
      """
      CREATE TABLE page (id INTEGER PRIMARY KEY, title TEXT);
      INSERT INTO page VALUES (3, 'Soup');
      CREATE VIEW page_text AS SELECT id AS rowid, body_of(title) AS words FROM page;
      CREATE VIRTUAL TABLE search USING fts5(words, content = page_text);
      """
    )
    try copy()
    try FileManager.default.removeItem(atPath: out)
    let error = #expect(throws: DecantError.self) {
      try copy { $0.filters = [.init(entity: "page", expression: "1")] }
    }
    #expect(error?.advice?.commandLine.contains("--leave-out search") == true)
    try copy {
      $0.filters = [.init(entity: "page", expression: "1")]
      $0.leftOutTables = ["search"]
    }
    #expect(try Program.sqlite3(out, "SELECT title FROM page") == "Soup")
  }

  @Test func `a key that leads to values that stay keeps its own value`() throws {
    let schema = """
      CREATE TABLE user (id INTEGER PRIMARY KEY, number INTEGER UNIQUE);
      CREATE TABLE profile (number INTEGER PRIMARY KEY REFERENCES user (number));
      CREATE TABLE photo (id INTEGER PRIMARY KEY, profile INTEGER REFERENCES profile);
      """
    try make(schema + "INSERT INTO user VALUES (1, 1001); INSERT INTO profile VALUES (1001);")
    try make("INSERT INTO photo VALUES (1, 1001)")
    try make(schema + "INSERT INTO user VALUES (1, 5001); INSERT INTO profile VALUES (5001);", at: out)
    try copy { $0.appends = true }
    #expect(
      try Program.sqlite3(
        out,
        "SELECT * FROM user; SELECT * FROM profile; SELECT * FROM photo; PRAGMA foreign_key_check"
      ) == "1|5001\n2|1001\n1001\n5001\n1|1001"
    )
    // Twice is once too often, and nobody's number is changed to make room.
    let error = #expect(throws: DecantError.self) { try copy { $0.appends = true } }
    #expect(error?.family == .failed)
  }

  @Test func `a counter is what it was even where links lead beyond it`() throws {
    try make(
      """
      CREATE TABLE tag (id INTEGER PRIMARY KEY AUTOINCREMENT);
      CREATE TABLE note (id INTEGER PRIMARY KEY, tag INTEGER REFERENCES tag);
      INSERT INTO tag VALUES (5), (9);
      DELETE FROM tag WHERE id = 9;
      INSERT INTO note VALUES (1, 700);
      """
    )
    try expectEqual("SELECT * FROM sqlite_sequence", where: "note")
  }

  @Test func `an answer to a question can be typed as it stands there`() throws {
    try make(
      """
      CREATE TABLE "old recipe" (id INTEGER PRIMARY KEY);
      CREATE TABLE "it's" (id INTEGER PRIMARY KEY, "old recipe id" INTEGER);
      INSERT INTO "old recipe" VALUES (1), (2);
      INSERT INTO "it's" VALUES (1, 2);
      """
    )
    try copy()
    let error = #expect(throws: DecantError.self) { try copy { $0.appends = true } }
    let remedy = try #require(error?.advice?.commandLine)
    #expect(remedy.contains(#"--link 'it'\''s.old recipe id -> old recipe'"#))
    #expect(remedy.contains(#"--no-link 'it'\''s.old recipe id'"#))
  }

  // SQLite's own istrue.test.
  @Test func `columns that are called like values`() throws {
    try make(
      """
      CREATE TABLE fact (id INTEGER PRIMARY KEY, "true" INTEGER, "FALSE" TEXT, "null");
      INSERT INTO fact VALUES (1, 7, 'x', 3), (2, NULL, '', NULL);
      """
    )
    try expectEqual("SELECT * FROM fact", where: "fact")
  }

  // SQLite's own view2.test.
  @Test func `a view that calls its database main is no damage`() throws {
    try make("CREATE TABLE t (a); CREATE VIEW v AS SELECT * FROM main.t")
    let error = #expect(throws: DecantError.self) { try copy() }
    #expect(error?.family == .failed)
    #expect(error?.message.contains("view v") == true)
  }
}
