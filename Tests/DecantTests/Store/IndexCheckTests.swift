import Foundation
import DecantSQLite
import TestSupport
import Testing

@testable import DecantStore

/// SQLite's own check, run by the `sqlite3` program, says what is right.
@Suite struct IndexCheckTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("indexed.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func make(_ sql: String) throws { _ = try Program.sqlite3(path, sql) }

  private func isSound() throws -> Bool {
    try IndexCheck(connection: try Connection(path, mode: .readOnly), schema: "main").isSound()
  }

  private func finding() throws -> String? {
    try StructureCheck(of: "main", on: try Connection(path, mode: .readOnly))
      .findings(.thorough, limit: 1).first
  }

  private var verdict: String {
    get throws { try Program.sqlite3(path, "PRAGMA integrity_check") }
  }

  private static let rows = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a, b TEXT COLLATE NOCASE, c REAL, d BLOB);
    INSERT INTO t VALUES (1, 1, 'b', 1, x'00'), (2, 1.5, 'B', 2.5, x''), (3, '1', 'a', NULL, NULL),
      (4, NULL, 'a ', -1, 'x'), (5, 9007199254740993, NULL, 1e300, 1), (6, 9007199254740992.0, 'ä', 0,
      x'ff'), (7, x'01', 'C', -0.0, 'X'), (8, -9223372036854775808, 'c', 3, 'x '), (9, -1e19, '', 4, ''),
      (10, 9223372036854775807, 'aa', 5, 'xx');
    """

  @Test func `indexes of all kinds of values and orders are sound`() throws {
    try make(
      Self.rows + """
        CREATE INDEX i1 ON t (a); CREATE INDEX i2 ON t (a DESC, b); CREATE INDEX i3 ON t (c, d, b);
        CREATE INDEX i4 ON t (b); CREATE INDEX i5 ON t (b COLLATE RTRIM DESC);
        CREATE INDEX i6 ON t (b COLLATE BINARY, d); CREATE INDEX i7 ON t (d COLLATE NOCASE);
        CREATE UNIQUE INDEX i8 ON t (a); CREATE TABLE u (oid TEXT, x UNIQUE);
        INSERT INTO u VALUES ('k', 1), ('k', NULL), ('j', NULL); CREATE INDEX i9 ON u (oid)
        """
    )
    #expect(try verdict == "ok")
    #expect(try isSound())
  }

  @Test(arguments: [
    "CREATE INDEX i ON t (a) WHERE a > 1", "CREATE INDEX i ON t (length(a))",
    "CREATE TABLE w (k TEXT PRIMARY KEY, v) WITHOUT ROWID; CREATE INDEX i ON w (v)",
    "CREATE TABLE g (x, y AS (x + 1)); CREATE INDEX i ON g (y)",
    "CREATE INDEX i ON t (c, id)", "CREATE INDEX i ON t (id DESC)",
    "CREATE TABLE n (rowid, _rowid_, oid); CREATE INDEX i ON n (oid)",
  ])
  func `what is indexed otherwise is left to SQLite`(index: String) throws {
    try make(Self.rows + index)
    #expect(try !isSound())
    #expect(try finding() == nil)
  }

  @Test(arguments: [
    "INSERT INTO t VALUES (11, 3, 'n', 3, 3)", "DELETE FROM t WHERE id = 4",
    "UPDATE t SET a = 2 WHERE id = 1", "UPDATE t SET id = 70 WHERE id = 7",
  ])
  func `an index that missed a change is found`(change: String) throws {
    try make(Self.rows + "CREATE INDEX i ON t (a)")
    #expect(try isSound())
    try make(
      """
      PRAGMA writable_schema = ON; CREATE TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'i';
      DELETE FROM sqlite_schema WHERE name = 'i'
      """
    )
    try make(change)
    try make("PRAGMA writable_schema = ON; INSERT INTO sqlite_schema SELECT * FROM kept; DROP TABLE kept")
    #expect(try verdict != "ok")
    #expect(try !isSound())
    #expect(try finding()?.contains("index i") == true)
  }

  @Test(arguments: [
    ("CREATE INDEX i ON t (b)", "CREATE UNIQUE INDEX i ON t (b)"),
    ("CREATE INDEX i ON t (a)", "CREATE INDEX i ON t (a DESC)"),
    ("CREATE INDEX i ON t (b)", "CREATE INDEX i ON t (b COLLATE BINARY)"),
    ("CREATE INDEX i ON t (d)", "CREATE INDEX i ON t (d COLLATE NOCASE)"),
  ])
  func `an index that is not what its statement says is found`(made: String, said: String) throws {
    try make(Self.rows + made)
    try make("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = '\(said)' WHERE name = 'i'")
    #expect(try verdict != "ok")
    #expect(try !isSound())
    #expect(try finding() != nil)
  }

  @Test func `entries that changed places are found`() throws {
    try make(
      """
      CREATE TABLE t (x); CREATE INDEX i ON t (x);
      INSERT INTO t WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) SELECT i FROM n
      """
    )
    let root = try Program.sqlite3(path, "SELECT rootpage FROM sqlite_schema WHERE name = 'i'")
    let start = ((Int(root) ?? 0) - 1) * 4096 + 8 + 2 * 40
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for byte in start..<start + 2 { bytes.swapAt(byte, byte + 2) }
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(try Program.sqlite3(path, "PRAGMA quick_check") == "ok")
    #expect(try verdict != "ok")
    #expect(try !isSound())
    #expect(try finding() != nil)
  }

  @Test func `a key that an entry holds a second time is looked at`() throws {
    try make(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT); CREATE INDEX i ON t (x, id);
      INSERT INTO t VALUES (77, 'soup'), (78, 'stew')
      """
    )
    // The entry's own copy of the key, before the row's number.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let entry = try #require(bytes.firstRange(of: Data("soup".utf8) + [77, 77]))
    bytes[entry.upperBound - 2] = 76
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(try Program.sqlite3(path, "PRAGMA quick_check") == "ok")
    #expect(try verdict != "ok")
    #expect(try finding() != nil)
  }

  @Test func `a text of UTF-16 is left to SQLite`() throws {
    try make("PRAGMA encoding = 'UTF-16'; CREATE TABLE t (x UNIQUE); INSERT INTO t VALUES ('ä')")
    #expect(try !isSound())
    #expect(try finding() == nil)
  }
}
