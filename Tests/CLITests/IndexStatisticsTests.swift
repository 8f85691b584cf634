import Foundation
import TestSupport
import Testing

/// What SQLite's planner knows of indexes stays with them, also where they are dropped and built again.
@Suite struct IndexStatisticsTests {
  private let folder: CommandFolder

  /// Two databases of equal schema, whose statistics name six indexes, one of which keeps values unique.
  init() throws {
    folder = try CommandFolder()
    for (name, first) in [("one.db", 0), ("two.db", 1000)] {
      _ = try Program.sqlite3(
        folder.folder.path(name),
        """
        CREATE TABLE a (id INTEGER PRIMARY KEY, u TEXT UNIQUE, v, w);
        CREATE INDEX av ON a (v); CREATE INDEX awv ON a (w, v); CREATE UNIQUE INDEX avu ON a (v, u);
        CREATE TABLE b (id INTEGER PRIMARY KEY, a REFERENCES a, t TEXT); CREATE INDEX ba ON b (a);
        CREATE INDEX bt ON b (t);
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
        INSERT INTO a SELECT i, 'u' || (i + \(first)), i % 7, i % 3 FROM n;
        INSERT INTO b SELECT id, id, 'text ' || (id % 11) FROM a; ANALYZE
        """
      )
    }
  }

  private func statistics(_ name: String) throws -> String {
    try Program.sqlite3(folder.folder.path(name), "SELECT tbl, idx, stat FROM sqlite_stat1 ORDER BY 1, 2")
  }

  @Test(arguments: ["one.decant", "one.decant.zst"])
  func `an archive brings them back`(archive: String) throws {
    try #require(folder.run(["export", "one.db", archive]).status == 0)
    try #require(folder.run(["import", archive, "new.db"]).status == 0)
    #expect(try statistics("one.db").split(separator: "\n").count == 6)
    #expect(try statistics("new.db") == statistics("one.db"))
  }

  @Test(arguments: ["merge two.db one.db", "copy two.db one.db --append"])
  func `a store that gets many rows keeps them`(command: String) throws {
    let before = try statistics("one.db")
    try #require(folder.run(command.split(separator: " ").map { String($0) }).status == 0)
    #expect(try Program.sqlite3(folder.folder.path("one.db"), "SELECT count(*) FROM b") == "1000")
    #expect(try statistics("one.db") == before)
  }
}
