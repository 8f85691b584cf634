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

  /// The condition in SQLite, and on the server.
  @Test(arguments: [
    ("gone IS NULL", "gone IS NULL"), ("gone IS NULL AND live IS NOT NULL", "gone IS NULL AND live IS NOT NULL"),
    ("live", "live"), ("gone IS NULL AND live", "gone IS NULL AND live"),
  ]) func `rows that meet the condition are found by it`(condition: String, there: String) throws {
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
      \(index)\(there); \(no)
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
}
