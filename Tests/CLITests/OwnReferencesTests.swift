import Foundation
import TestSupport
import Testing

/// Three-way merges in which theirs removes a row to which tables or columns that only mine has refer, or which the merge
/// does not select.
@Suite struct OwnReferencesTests {
  /// What only mine has, and the query for its references.
  struct Reference: CustomTestStringConvertible {
    let sql: String
    let query: String
    let found: String
    var testDescription: String { sql }
  }

  private static let base = """
    CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT NOT NULL UNIQUE, title TEXT);
    INSERT INTO book VALUES (1, 'b1', 'T1'), (2, 'b2', 'T2'), (3, 'b3', 'T3');
    """
  private static let references = [
    Reference(
      sql: """
        CREATE TABLE review (id INTEGER PRIMARY KEY, book INTEGER REFERENCES book (id));
        INSERT INTO review VALUES (1, 2), (2, 1)
        """,
      query: "SELECT r.id, b.isbn FROM review AS r JOIN book AS b ON b.id = r.book", found: "1|b2\n2|b1"),
    Reference(
      sql: """
        CREATE TABLE review (code TEXT PRIMARY KEY, book INTEGER REFERENCES book (id) ON DELETE CASCADE);
        INSERT INTO review VALUES ('x', 2)
        """,
      query: "SELECT r.code, b.isbn FROM review AS r JOIN book AS b ON b.id = r.book", found: "x|b2"),
    Reference(
      sql: "CREATE TABLE review (book INTEGER REFERENCES book (id), text TEXT); INSERT INTO review VALUES (2, 'x')",
      query: "SELECT r.text, b.isbn FROM review AS r JOIN book AS b ON b.id = r.book", found: "x|b2"),
    Reference(
      sql: """
        CREATE TABLE extra (id INTEGER PRIMARY KEY REFERENCES book (id), text TEXT); INSERT INTO extra VALUES (2, 'x')
        """,
      query: "SELECT e.text, b.isbn FROM extra AS e JOIN book AS b USING (id)", found: "x|b2"),
    Reference(
      sql: """
        CREATE TABLE review (id INTEGER PRIMARY KEY, isbn TEXT REFERENCES book (isbn)); INSERT INTO review VALUES (1, 'b2')
        """,
      query: "SELECT r.id, b.isbn FROM review AS r JOIN book AS b USING (isbn)", found: "1|b2"),
    Reference(
      sql: """
        CREATE TABLE shelf (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO shelf VALUES (1, 's');
        CREATE TABLE book_shelf (book INTEGER REFERENCES book (id), shelf INTEGER REFERENCES shelf (id),
          PRIMARY KEY (book, shelf)); INSERT INTO book_shelf VALUES (2, 1), (1, 1)
        """,
      query:
        "SELECT s.name, b.isbn FROM book_shelf JOIN book AS b ON b.id = book JOIN shelf AS s ON s.id = shelf ORDER BY 2",
      found: "s|b1\ns|b2"),
    Reference(
      sql: "ALTER TABLE book ADD COLUMN sequel INTEGER REFERENCES book (id); UPDATE book SET sequel = 2 WHERE id = 1",
      query: "SELECT a.isbn, b.isbn FROM book AS a JOIN book AS b ON b.id = a.sequel", found: "b1|b2"),
  ]

  private func folder(_ base: String, mine: String = "", theirs: String) throws -> CommandFolder {
    let place = try CommandFolder()
    for (name, edit) in ["base": "", "mine": mine, "theirs": theirs] {
      _ = try Program.sqlite3(place.folder.path("\(name).db"), base + edit)
    }
    return place
  }

  private static let merge = ["merge", "theirs.db", "mine.db", "--merge", "three-way", "--base", "base.db"]

  @Test(arguments: references)
  func `a row to which only mine refers stays, as a conflict`(reference: Reference) throws {
    let place = try folder(Self.base, mine: reference.sql, theirs: "DELETE FROM book WHERE id > 1")
    let run = try place.run(Self.merge)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("1 object with conflicts"), "\(run.output)")
    let mine = place.folder.path("mine.db")
    #expect(try Program.sqlite3(mine, "SELECT isbn FROM book ORDER BY id") == "b1\nb2")
    #expect(try Program.sqlite3(mine, reference.query) == reference.found)
    #expect(try Program.sqlite3(mine, "PRAGMA foreign_key_check") == "")
  }

  private static let notes = """
    CREATE TABLE note (id INTEGER PRIMARY KEY, code TEXT UNIQUE NOT NULL, team TEXT, body TEXT);
    CREATE TABLE line (id INTEGER PRIMARY KEY, note INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE, text TEXT);
    CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL);
    CREATE TABLE note_tag (note INTEGER REFERENCES note (id), tag INTEGER REFERENCES tag (id), PRIMARY KEY (note, tag));
    INSERT INTO note VALUES (1, 'r1', 'red', 'a'), (2, 'r2', 'red', 'b'), (3, 'b1', 'blue', 'c'), (4, 'b2', 'blue', 'd');
    INSERT INTO line VALUES (1, 1, 'x'), (2, 2, 'y'), (3, 3, 'z'), (4, 4, 'q');
    INSERT INTO tag VALUES (1, 's'), (2, 't'); INSERT INTO note_tag VALUES (1, 1), (2, 2), (3, 1), (4, 2);
    """
  private static let edits = """
    DELETE FROM note_tag WHERE note IN (1, 2, 3, 4); DELETE FROM line WHERE note IN (2, 3);
    DELETE FROM note WHERE id IN (2, 3); UPDATE note SET body = 'new' WHERE id = 1
    """

  @Test(arguments: [
    ([], "r1,b2", "x,q", ""),
    (["--where", "note: team = 'red'"], "r1,b1,b2", "x,z,q", "3|1\n4|2"),
    (["--where", "note: team = 'blue'"], "r1,r2,b2", "x,y,q", "1|1\n2|2"),
    (["--root", "note: code = 'r1'"], "r1,r2,b1,b2", "x,y,z,q", "1|1\n2|2\n3|1\n4|2"),
  ])
  func `what a merge does not select is not removed`(
    options: [String], notes: String, lines: String, tags: String
  ) throws {
    let place = try folder(Self.notes, theirs: Self.edits)
    let run = try place.run(Self.merge + options)
    #expect(run.status == 0, "\(run.errors)")
    let mine = place.folder.path("mine.db")
    #expect(try Program.sqlite3(mine, "SELECT group_concat(code) FROM (SELECT code FROM note ORDER BY id)") == notes)
    #expect(try Program.sqlite3(mine, "SELECT group_concat(text) FROM (SELECT text FROM line ORDER BY id)") == lines)
    #expect(try Program.sqlite3(mine, "SELECT * FROM note_tag ORDER BY 1") == tags)
  }
}
