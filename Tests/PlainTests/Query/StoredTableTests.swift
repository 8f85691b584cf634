import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Views and virtual tables of a store, read by their own names; the `sqlite3` program reads the same.
@Suite struct StoredTableTests {
  private let folder: TemporaryFolder
  private var shop: String { folder.path("shop.db") }

  init() throws {
    folder = try TemporaryFolder()
    _ = try Program.sqlite3(
      folder.path("shop.db"),
      """
      CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, author INTEGER REFERENCES author,
        price NUMERIC, cover BLOB);
      CREATE TABLE gone (x);
      CREATE VIEW books AS SELECT b.title, a.name AS author, b.price, b.cover
        FROM book AS b JOIN author AS a ON a.id = b.author;
      CREATE VIEW "dear books" AS SELECT title, upper(author) AS "the author" FROM books WHERE price > 5;
      CREATE VIEW broken AS SELECT * FROM gone;
      CREATE VIRTUAL TABLE ft USING fts5(title, body);
      CREATE VIRTUAL TABLE outer5 USING fts5(title, content='book', content_rowid='id');
      CREATE VIRTUAL TABLE bare5 USING fts5(title, content='');
      CREATE VIRTUAL TABLE words USING fts5vocab(ft, row);
      CREATE VIRTUAL TABLE old USING fts4(title, body, tokenize=porter);
      CREATE VIRTUAL TABLE "the places" USING rtree(id, x0, x1);
      CREATE VIEW found AS SELECT title FROM ft WHERE ft MATCH 'soup';
      INSERT INTO author VALUES (1, 'Ann'), (2, 'Bob');
      INSERT INTO book VALUES (1, 'One soup', 1, 4.5, x'89504e470d0a1a0a'), (2, 'Two', 2, 12, NULL);
      INSERT INTO ft VALUES ('soup', 'hot soup with bread'), ('cake', 'sweet cake, no soup'), ('tea', '');
      INSERT INTO outer5 (outer5) VALUES ('rebuild');
      INSERT INTO bare5 (rowid, title) VALUES (7, 'bare soup');
      INSERT INTO old SELECT * FROM ft;
      INSERT INTO "the places" VALUES (1, 0, 1), (2, 5, 6);
      DROP TABLE gone;
      """
    )
  }

  private func rows(_ sql: String, in store: String? = nil) throws -> [[QueryValue]] {
    let query = try QueryRows(StoreQuery(sql, in: store ?? shop))
    var rows: [[QueryValue]] = []
    while let row = try query.next() { rows.append(row) }
    return rows
  }

  /// Values as `sqlite3 -list` prints them.
  private func text(_ rows: [[QueryValue]]) -> String {
    rows.map { row in
      row.map { value in
        switch value {
        case .null: ""
        case .integer(let integer): "\(integer)"
        case .double(let double): "\(double)"
        case .text(let text): text
        case .boolean, .float, .date, .uuid, .bytes: "?"
        }
      }.joined(separator: "|")
    }.joined(separator: "\n")
  }

  @Test(arguments: [
    "SELECT title, author, price FROM books ORDER BY title",
    "SELECT * FROM \"dear books\"",
    "SELECT b.title, d.\"the author\" FROM Books AS b LEFT JOIN \"dear books\" AS d USING (title)",
    "WITH b AS (SELECT * FROM books) SELECT count(*), max(price) FROM b",
    "SELECT * FROM found ORDER BY title",
    "SELECT * FROM ft ORDER BY rowid",
    "SELECT rowid, title FROM ft WHERE ft MATCH 'soup NOT cake'",
    "SELECT title, rank < 0 FROM ft WHERE ft MATCH 'soup' ORDER BY rank",
    "SELECT title, bm25(ft, 10.0) < 0 FROM ft('soup') ORDER BY bm25(ft, 10.0)",
    "SELECT highlight(ft, 1, '[', ']'), snippet(ft, 1, '<', '>', '…', 2) FROM ft WHERE body MATCH 'soup'",
    "SELECT b.price FROM outer5 AS o JOIN book AS b ON b.id = o.rowid WHERE outer5 MATCH 'soup'",
    "SELECT rowid, title FROM bare5 WHERE bare5 MATCH 'bare'",
    "SELECT term, doc FROM words ORDER BY term",
    "SELECT docid, title, snippet(old), offsets(old) FROM old WHERE old MATCH 'sweets'",
    "SELECT id, x0 FROM \"the places\" WHERE x0 > 2",
    "SELECT title FROM ft UNION SELECT title FROM books ORDER BY 1",
  ])
  func `rows are those that SQLite gives`(_ sql: String) throws {
    let expected = try Program.sqlite3(shop, sql)
    #expect(!expected.isEmpty)
    #expect(try text(rows(sql)) == expected)
  }

  @Test func `bytes in a view are told by their kind, and written`() throws {
    var saved = StoreQuery("SELECT cover FROM books ORDER BY title", in: shop)
    saved.bytes = .saved(folder: folder.path("out"))
    let query = try QueryRows(saved)
    let file = folder.path("out/cover-1.png")
    #expect(try query.next() == [.bytes(ByteSummary(byteCount: 8, image: .png, file: file))])
    #expect(try query.next() == [.null])
    #expect(FileManager.default.contents(atPath: file)?.count == 8)
  }

  @Test(arguments: [
    ("SELECT * FROM broken", "no such table: broken", "cannot be read: no such table: gone"),
    ("SELECT * FROM boks", "no such table: boks", "did you mean books?"),
    ("SELECT * FROM ft_data", "no such table: ft_data", ""),
    ("SELECT * FROM ft, ft_data", "access to temp.ft_data", "can only read"),
    ("SELECT * FROM old, old_segments", "access to temp.old_segments", "can only read"),
    ("SELECT _id FROM ft", "no such column: _id", "in a virtual table is rowid"),
    ("SELECT optimize(old) FROM old", "not authorized to use function: optimize", ""),
    ("SELECT * FROM ft WHERE ft MATCH '\"'", "unterminated string", ""),
    ("INSERT INTO ft (ft) VALUES ('rebuild')", "it is not a SELECT", "can only read"),
    ("SELECT * FROM sqlite_schema, books", "access to sqlite_master", "books"),
  ])
  func `what cannot be read is said`(_ sql: String, _ message: String, _ remedy: String) throws {
    let error = #expect(throws: DecantError.self) { _ = try rows(sql) }
    #expect(error?.family == .usage)
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    #expect(remedy.isEmpty || error?.remedy?.contains(remedy) == true, "\(String(describing: error))")
  }

  @Test func `a database in UTF-16 is searched as well`() throws {
    let wide = folder.path("wide.db")
    _ = try Program.sqlite3(
      wide,
      """
      PRAGMA encoding = 'UTF-16le';
      CREATE TABLE t (a TEXT);
      CREATE VIEW v AS SELECT a || '!' AS b FROM t;
      CREATE VIRTUAL TABLE f USING fts5(a);
      INSERT INTO t VALUES ('Käse'); INSERT INTO f SELECT a FROM t;
      """
    )
    #expect(try rows("SELECT b FROM v", in: wide) == [[.text("Käse!")]])
    #expect(try rows("SELECT a FROM f WHERE f MATCH 'kase'", in: wide) == [[.text("Käse")]])
  }

  @Test func `a view over a Core Data store shows what its attributes are`() throws {
    let kitchens = try Kitchens()
    _ = try Program.sqlite3(
      kitchens.kitchen,
      """
      CREATE VIEW shown AS SELECT ZTITLE AS title, ZCREATEDAT AS made, ZISFAVORITE AS liked, ZUUID AS u
        FROM ZRECIPE;
      CREATE VIEW mixed AS SELECT ZCREATEDAT AS x FROM ZRECIPE UNION ALL SELECT 5;
      CREATE VIRTUAL TABLE search USING fts5(title);
      INSERT INTO search (rowid, title) SELECT Z_PK, ZTITLE FROM ZRECIPE;
      """
    )
    let entity = try rows("SELECT title, createdAt, isFavorite, uuid FROM Recipe ORDER BY 1", in: kitchens.kitchen)
    #expect(entity.count == 12)
    #expect(try rows("SELECT * FROM shown ORDER BY 1", in: kitchens.kitchen) == entity)
    // One part of a compound does not say what the other holds.
    #expect(try rows("SELECT x FROM mixed WHERE x = 5", in: kitchens.kitchen) == [[.integer(5)]])
    let found = try rows(
      "SELECT r.title FROM search AS s JOIN Recipe AS r ON r._id = s.rowid WHERE search MATCH 'bread' ORDER BY 1",
      in: kitchens.kitchen
    )
    #expect(found == [[.text("Overnight Bread")], [.text("Overnight Bread with Walnuts")]])
  }

  @Test func `a view that means harm does none`() throws {
    let place = folder.path("harm.db")
    _ = try Program.sqlite3(
      place,
      """
      PRAGMA trusted_schema = ON;
      CREATE TABLE t (a);
      CREATE VIEW loads AS SELECT load_extension('x') FROM t;
      CREATE VIEW writes AS SELECT fts3_tokenizer('simple', x'00') FROM t;
      INSERT INTO t VALUES (1);
      """
    )
    for view in ["loads", "writes"] {
      let error = #expect(throws: DecantError.self) {
        _ = try rows("SELECT * FROM \(view)", in: place)
      }
      #expect(error?.family == .usage, "\(view)")
    }
  }
}
