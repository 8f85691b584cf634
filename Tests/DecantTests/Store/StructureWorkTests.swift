import DecantBase
import DecantSQLite
import DecantStore
import TestSupport
import Testing

@testable import DecantCopy

/// A check of a structure that two threads share finds what one finds.
@Suite struct StructureWorkTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("indexed.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func reader() throws -> (connection: Connection, schema: String) {
    (try Connection(path, mode: .readOnly), "main")
  }

  /// What the two threads find.
  private func findings() throws -> [String] {
    let work = try StructureWork(reader(), .thorough, limit: 1, Cancellation())
    return try work.findings(helpedBy: reader()) { _ in }
  }

  @Test(arguments: ["", "a", "b", "c", "d"])
  func `an index that missed a row is found, whichever thread reads it`(damaged: String) throws {
    for table in ["a", "b", "c", "d"] {
      _ = try Program.sqlite3(
        path,
        """
        CREATE TABLE \(table) (id INTEGER PRIMARY KEY, x); CREATE INDEX \(table)_x ON \(table) (x);
        INSERT INTO \(table) WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT i, -i FROM n
        """
      )
    }
    if !damaged.isEmpty {
      _ = try Program.sqlite3(
        path,
        """
        PRAGMA writable_schema = ON; CREATE TABLE kept AS SELECT * FROM sqlite_schema WHERE name = '\(damaged)_x';
        DELETE FROM sqlite_schema WHERE name = '\(damaged)_x'
        """
      )
      _ = try Program.sqlite3(path, "DELETE FROM \(damaged) WHERE id = 7")
      _ = try Program.sqlite3(
        path, "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema SELECT * FROM kept; DROP TABLE kept")
    }
    #expect(try (Program.sqlite3(path, "PRAGMA integrity_check") == "ok") == damaged.isEmpty)
    for _ in 1...20 {
      let found = try findings()
      #expect(found.isEmpty == damaged.isEmpty)
      #expect(found.allSatisfy { $0.contains("\(damaged)_x") })
    }
  }

  @Test func `each table is left to one thread`() throws {
    _ = try Program.sqlite3(path, "CREATE TABLE a (x UNIQUE); CREATE TABLE b (x PRIMARY KEY, y UNIQUE) WITHOUT ROWID")
    // What SQLite has to check itself counts as unsound, for the thread that takes it.
    let shared = SharedTables()
    let check = try StructureCheck(of: "main", on: reader().connection)
    #expect(try !check.areIndexesSound(sharing: shared))
    #expect(try check.areIndexesSound(sharing: shared))
    #expect(try findings().isEmpty)
  }
}
