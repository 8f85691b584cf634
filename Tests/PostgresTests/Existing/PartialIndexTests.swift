import Foundation
import TestSupport
import Testing

/// Merges by a unique index with a condition, which server and source have: as between files.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct PartialIndexTests {
  private let place: PostgresFolder

  init() throws { place = try PostgresFolder() }

  private static let rows = """
    INSERT INTO u (email, name, gone, live) VALUES ('a@x', 'gone', '2024-01-01', %no), ('a@x', 'Anna', NULL, %yes),
      ('b@x', 'Bob', NULL, %yes), ('q@x', 'Quentin', NULL, %yes);
    """
  private static let source = """
    CREATE TABLE u (id INTEGER PRIMARY KEY, email TEXT NOT NULL, name TEXT, gone TEXT, live BOOLEAN);
    CREATE TABLE p (id INTEGER PRIMARY KEY, t TEXT UNIQUE, u_id INTEGER REFERENCES u (id));
    """

  @Test(arguments: [
    "gone IS NULL", "gone IS NULL AND live IS NOT NULL", "live", "gone IS NULL AND live", "live AND gone IS NULL",
  ]) func `rows that meet the condition are found by it`(condition: String) throws {
    let index = "CREATE UNIQUE INDEX live_email ON u (email) WHERE "
    let (yes, no) = (
      Self.rows.replacing("%yes", with: "1").replacing("%no", with: "0"),
      Self.rows.replacing("%yes", with: "true").replacing("%no", with: "false")
    )
    let theirs = """
      INSERT INTO u VALUES (11, 'b@x', 'Robert', NULL, 1), (12, 'c@x', 'Carl', NULL, 1), (13, 'a@x', 'Annette', NULL, 1);
      INSERT INTO p VALUES (1, 'p1', 13), (2, 'p2', 11), (3, 'p3', 12)
      """
    _ = try Program.sqlite3(place.folder.path("mine.db"), Self.source + index + condition + ";" + yes)
    _ = try Program.sqlite3(place.folder.path("s.db"), Self.source + index + condition + ";" + theirs)
    try place.psql(
      """
      CREATE TABLE u (id bigserial PRIMARY KEY, email text NOT NULL, name text, gone text, live boolean);
      CREATE TABLE p (id bigserial PRIMARY KEY, t text UNIQUE, u_id bigint REFERENCES u (id));
      \(index)\(condition); \(no)
      """)
    for _ in 0..<2 {
      try place.expect("merge", "s.db", "mine.db")
      try place.expect("merge", "s.db", place.location)
      let found = "SELECT t, email, name FROM p JOIN u ON u.id = u_id ORDER BY 1"
      let mine = try Program.sqlite3(place.folder.path("mine.db"), found)
      #expect(mine.contains("p1|a@x|Anna"))
      #expect(try place.psql(found) == mine)
      #expect(try place.psql("SELECT count(*) FROM u") == "5")
    }
  }

  /// A table of links of which the server has more columns, with rules about these.
  @Test func `a table of links may have columns of its own`() throws {
    try place.psql(
      """
      CREATE TABLE book (id bigserial PRIMARY KEY, isbn text UNIQUE NOT NULL);
      CREATE TABLE tag (id bigserial PRIMARY KEY, name text UNIQUE NOT NULL);
      CREATE TABLE book_tag (book bigint REFERENCES book (id), tag bigint REFERENCES tag (id), place int, gone text,
        at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (book, tag), UNIQUE (book, place));
      CREATE UNIQUE INDEX ON book_tag (book, place) WHERE gone IS NULL;
      INSERT INTO book (isbn) VALUES ('b1'); INSERT INTO tag (name) VALUES ('t1'), ('t2');
      INSERT INTO book_tag VALUES (1, 1, 1), (1, 2, 2)
      """)
    _ = try Program.sqlite3(
      place.folder.path("s.db"),
      """
      CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT UNIQUE NOT NULL);
      CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL);
      CREATE TABLE book_tag (book INTEGER REFERENCES book (id), tag INTEGER REFERENCES tag (id), PRIMARY KEY (book, tag));
      INSERT INTO book VALUES (1, 'b2'), (2, 'b1'); INSERT INTO tag VALUES (1, 't2'), (2, 't3');
      INSERT INTO book_tag VALUES (1, 1), (1, 2), (2, 1)
      """)
    try place.expect("merge", "s.db", place.location)
    try place.expect("merge", "s.db", place.location)
    let found = try place.psql(
      "SELECT isbn, name, place FROM book_tag JOIN book ON book.id = book JOIN tag ON tag.id = tag ORDER BY 1, 2")
    #expect(found == "b1|t1|1\nb1|t2|2\nb2|t2|\nb2|t3|")
  }
}
