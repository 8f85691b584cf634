import Foundation
import TestSupport
import Testing

/// Large values in tables whose rules read them: the rules must see the value, not the zeros that keep its place.
@Suite struct LargeValueRuleTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The declaration of the column `d`, what else the destination has, and a query of it with its result.
  private static let cases: [(column: String, more: String, query: String, result: String)] = [
    ("d BLOB NOT NULL", "", "", ""), ("d BLOB CHECK (substr(d, 1, 2) = x'ffd8')", "", "", ""),
    ("d BLOB, CHECK (length([D]) > 1)", "", "", ""), ("d BLOB UNIQUE", "", "", ""),
    (
      "d BLOB", "CREATE INDEX i ON t (id) WHERE substr(d, 1, 1) = x'ff'",
      "SELECT count(*) FROM t INDEXED BY i WHERE substr(d, 1, 1) = x'ff'", "3"
    ),
    (
      "d BLOB", "CREATE INDEX i ON t (substr(d, 1, 2))",
      "SELECT count(*) FROM t INDEXED BY i WHERE substr(d, 1, 2) = x'ffd8'", "3"
    ),
    (
      "d BLOB",
      """
      CREATE TABLE log (x); CREATE TRIGGER a AFTER INSERT ON t BEGIN INSERT INTO log VALUES (hex(substr(new.d, 1, 2))); END;
      CREATE TRIGGER b AFTER UPDATE ON t BEGIN INSERT INTO log VALUES ('changed'); END
      """, "SELECT group_concat(x) FROM log", "FFD8,FFD8"
    ),
  ]

  @Test(arguments: cases.indices, ["", ", n TEXT DEFAULT 'after', e BLOB DEFAULT x'0102'"])
  func `a large value is written by the rules of its table`(index: Int, more: String) throws {
    let one = Self.cases[index]
    // Constraints of the table follow all columns.
    let columns = one.column.replacing("d BLOB, CHECK", with: "d BLOB\(more), CHECK")
    let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns == one.column ? columns + more : columns));"
    let (from, to) = (folder.path("a.db"), folder.path("b.db"))
    _ = try Program.sqlite3(
      from,
      table + "INSERT INTO t (id, d) VALUES (1, CAST(x'ffd8' || zeroblob(9000000) AS BLOB)), (2, x'ffd8')")
    let own = one.column.contains("UNIQUE") ? "zeroblob(9000002)" : "x'ffd8aa'"
    _ = try Program.sqlite3(to, table + "INSERT INTO t (id, d) VALUES (100, \(own));" + one.more)
    let run = try Program.run([DecantProgram.path, "copy", from, to, "--append"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try Program.sqlite3(to, "PRAGMA integrity_check") == "ok")
    let values = more.isEmpty ? "length(d), hex(substr(d, 1, 3))" : "length(d), hex(substr(d, 1, 3)), n, hex(e)"
    #expect(
      try Program.sqlite3(to, "SELECT \(values) FROM t WHERE id <> 100 ORDER BY id")
        == Program.sqlite3(from, "SELECT \(values) FROM t ORDER BY id"))
    if !one.query.isEmpty { #expect(try Program.sqlite3(to, one.query) == one.result) }
  }
}
