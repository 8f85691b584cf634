import TestSupport
import Testing

/// Rows without integer keys come back, in whatever order the server stores them: short ones fill the room that long ones left.
@Suite struct UnkeyedRowsTests {
  @Test(arguments: ["x INT, b BLOB", "x TEXT PRIMARY KEY, b BLOB", "x TEXT, b BLOB, UNIQUE (x, b)"])
  func `rows of different sizes come back`(columns: String) throws {
    let place = try PostgresFolder()
    let folder = place.folder
    _ = try Program.sqlite3(
      folder.path("a.db"),
      """
      CREATE TABLE t (\(columns));
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      INSERT INTO t SELECT i, zeroblob(100 + (i * 7919) % 1800) FROM n
      """
    )
    try place.expect("copy", "a.db", place.location)
    try place.expect("verify", "a.db", place.location)
    try place.expect("copy", place.location, "b.db")
    let rows = "SELECT quote(x), length(b) FROM t ORDER BY 1, 2"
    #expect(try Program.sqlite3(folder.path("b.db"), rows) == Program.sqlite3(folder.path("a.db"), rows))
  }

  /// UTF-16 sorts surrogates before what UTF-8 sorts before them.
  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func `texts in another encoding come back`(encoding: String) throws {
    let place = try PostgresFolder()
    let folder = place.folder
    _ = try Program.sqlite3(
      folder.path("a.db"),
      """
      PRAGMA encoding = '\(encoding)';
      CREATE TABLE t (x TEXT, y TEXT);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      INSERT INTO t SELECT CASE i % 4 WHEN 0 THEN char(0x1F600 + i) WHEN 1 THEN char(0xFF01 + i % 90)
        WHEN 2 THEN 'é' || i END, printf('%.*c', (i * 7919) % 1800, 'y') FROM n;
      INSERT INTO t VALUES ('', NULL), (NULL, '')
      """
    )
    try place.expect("copy", "a.db", place.location)
    try place.expect("verify", "a.db", place.location)
    try place.expect("copy", place.location, "b.db")
    let rows = "SELECT quote(x), y IS NULL, length(y) FROM t ORDER BY 1, 2, 3"
    #expect(try Program.sqlite3(folder.path("b.db"), rows) == Program.sqlite3(folder.path("a.db"), rows))
  }

  /// The server has no such tables.
  @Test(arguments: ["fts5 (body)", "rtree (id, low, high)"])
  func `a database without its virtual tables comes back`(module: String) throws {
    let place = try PostgresFolder()
    _ = try Program.sqlite3(
      place.folder.path("a.db"),
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO p VALUES (3, 'a'), (5, 'b');
      CREATE VIRTUAL TABLE found USING \(module);
      INSERT INTO found VALUES (\(module.hasPrefix("fts") ? "'text'" : "1, 2, 3"))
      """
    )
    try place.expect(["copy", "a.db", place.location], 1, "--leave-out found")
    try place.expect("copy", "a.db", place.location, "--leave-out", "found")
    try place.expect("copy", place.location, "b.db")
    #expect(try Program.sqlite3(place.folder.path("b.db"), "SELECT * FROM p") == "3|a\n5|b")
  }
}
