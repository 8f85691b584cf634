import Foundation
import TestSupport
import Testing

/// Rows of a copied plain database whose keys were changed: other columns may contain these keys without declaring it.
@Suite struct ChangedKeyTests {
  private static let schema = """
    CREATE TABLE place (id INTEGER PRIMARY KEY, url TEXT);
    CREATE TABLE visit (id INTEGER PRIMARY KEY, place INTEGER, at INTEGER);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
    INSERT INTO place SELECT i, 'http://' || i FROM n;
    INSERT INTO visit SELECT id, id, id * 1000 + 7 FROM place;
    """

  private static let damages = [
    "UPDATE place SET id = 9000 WHERE id = 77",
    "UPDATE place SET id = -id WHERE id IN (5, 6); UPDATE place SET id = 11 + id WHERE id < 0",
    "UPDATE place SET id = 9000 WHERE id = 77; INSERT INTO visit VALUES (999, 1, 1)",
  ]

  @Test(arguments: damages) func `a row with another key is a difference`(damage: String) throws {
    let place = try CommandFolder()
    let (a, b) = (place.folder.path("a.db"), place.folder.path("b.db"))
    _ = try Program.sqlite3(a, Self.schema)
    #expect(try place.run(["copy", "a.db", "b.db"]).status == 0)
    #expect(try place.run(["verify", "a.db", "b.db"]).status == 0)
    _ = try Program.sqlite3(b, damage)
    let run = try place.run(["verify", "a.db", "b.db"])
    #expect(run.status == 4 && run.output.contains("place"), "\(run.output)\(run.errors)")
  }

  @Test func `keys of a declared identity do not matter, and neither do those of a merged database`() throws {
    let place = try CommandFolder()
    let (a, b) = (place.folder.path("a.db"), place.folder.path("b.db"))
    for path in [a, b] { _ = try Program.sqlite3(path, Self.schema) }
    _ = try Program.sqlite3(b, Self.damages[0])
    let declared = try place.run(["verify", "a.db", "b.db", "--identity", "place: url"])
    #expect(declared.status == 0, "\(declared.output)\(declared.errors)")
    _ = try Program.sqlite3(a, "INSERT INTO place VALUES (201, 'http://a')")
    _ = try Program.sqlite3(b, "INSERT INTO place VALUES (201, 'http://b')")
    #expect(try place.run(["merge", "a.db", "b.db"]).status == 0)
    let merged = try place.run(["verify", "a.db", "b.db"])
    #expect(merged.status == 0, "\(merged.output)\(merged.errors)")
  }

  @Test func `the lowest integer is compared like any other`() throws {
    let place = try CommandFolder()
    let (a, b) = (place.folder.path("a.db"), place.folder.path("b.db"))
    for (path, value) in [(a, "c"), (b, "changed")] {
      _ = try Program.sqlite3(
        path,
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, n NUMERIC);
        INSERT INTO t VALUES (1, 'a', 9223372036854775807), (2, 'b', 1.5), (3, '\(value)', -9223372036854775808)
        """)
    }
    let run = try place.run(["verify", "a.db", "b.db"])
    #expect(run.status == 4 && run.output.contains("key 3"), "\(run.output)\(run.errors)")
  }
}
