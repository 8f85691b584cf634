import Foundation
import TestSupport
import Testing

/// `diff --sql` prints what the `sqlite3` program makes one database equal to another with.
@Suite struct PatchTests {
  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  private func sql(_ name: String, _ statements: String) throws {
    _ = try Program.sqlite3(folder.folder.path(name), statements)
  }

  /// Random databases with every kind of table, value and edit; a reader in Python says what is right.
  @Test func `patches of random databases`() throws {
    let script = Fixtures.projectFolder.appendingPathComponent("Tests/Patch/patches.py").path
    let run = try Program.run(
      ["python3", script, DecantProgram.path, folder.url.path, "0", "28"]
    )
    #expect(run.status == 0, "\(run.output.suffix(4000))\(run.errors.suffix(2000))")
    #expect(run.output.hasSuffix("28 of 28 patches right\n"))
  }

  @Test func `only what differs is written, as a person can read it`() throws {
    let schema =
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, n REAL); INSERT INTO t VALUES (1, 'a', 1.5), (2, 'b', NULL), (3, 'c', 0)"
    try sql("a.db", schema)
    try sql(
      "b.db",
      schema
        + "; UPDATE t SET name = 'it''s' WHERE id = 1; DELETE FROM t WHERE id = 2; INSERT INTO t VALUES (7, 'two' || char(10) || 'lines', 0.1)"
    )
    let run = try folder.run(["diff", "a.db", "b.db", "--sql"])
    #expect(run.status == 4 && run.errors.isEmpty)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "-- Makes “a.db” equal to “b.db”: sqlite3 a.db < this")
    #expect(
      lines.suffix(5) == [
        "BEGIN IMMEDIATE;",
        #"DELETE FROM t WHERE id=2;"#,
        #"UPDATE OR ABORT t SET name='it''s' WHERE id=1;"#,
        #"INSERT OR ABORT INTO t(id,name,n) VALUES(7,replace('two\nlines','\n',char(10)),0.1);"#,
        "COMMIT;",
      ]
    )
    let equal = try folder.run(["diff", "a.db", "a.db", "--sql"])
    #expect(equal.status == 0 && equal.output.isEmpty)
  }

  /// What SQLite counts for itself is no table of a database; a counter that lies below a key stays there.
  @Test func `statistics are nobody's content, and counters are`() throws {
    let start = """
      CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, v TEXT); CREATE INDEX i ON t (v);
      INSERT INTO t VALUES (1, 'a'), (2, 'b'); ANALYZE; UPDATE sqlite_sequence SET seq = 4
      """
    for (edit, status): (String, Int32) in [
      ("UPDATE sqlite_stat1 SET stat = '99 1'", 0), ("UPDATE sqlite_sequence SET seq = 5", 4),
      ("INSERT INTO t VALUES (9, 'c'); UPDATE sqlite_sequence SET seq = 4", 4),
    ] {
      for name in ["a.db", "b.db"] {
        try? FileManager.default.removeItem(atPath: folder.folder.path(name))
        try sql(name, start)
      }
      try sql("b.db", edit)
      let run = try folder.run(["diff", "a.db", "b.db", "--sql"])
      #expect(run.status == status && run.output.isEmpty == (status == 0), "\(edit): \(run.output)")
      try Data(run.output.utf8).write(to: folder.url.appendingPathComponent("patch.sql"))
      let patch = try Program.run(["sh", "-c", "sqlite3 a.db < patch.sql"], in: folder.url)
      #expect(patch.status == 0, "\(edit): \(patch.errors)")
      let content = "SELECT * FROM t; SELECT * FROM sqlite_sequence"
      let both = try ["a.db", "b.db"].map { try Program.sqlite3(folder.folder.path($0), content) }
      #expect(both[0] == both[1], "\(edit)")
    }
  }

  @Test(arguments: [
    ("CREATE TABLE t (id INTEGER PRIMARY KEY, more TEXT)", "the schemas differ"),
    ("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (id INTEGER PRIMARY KEY)", "UTF-16"),
  ]) func `what cannot be patched is refused`(statements: String, words: String) throws {
    try sql("a.db", "CREATE TABLE t (id INTEGER PRIMARY KEY)")
    try sql("b.db", statements)
    try folder.expect(["diff", "a.db", "b.db", "--sql"], 64, words)
  }

  @Test func `Core Data stores, nameless rows and other options are refused`() throws {
    try folder.expect(["diff", "Kitchen.sqlite", "Guests.sqlite", "--sql"], 64, "not a plain SQLite database")
    for name in ["a.db", "b.db"] { try sql(name, "CREATE TABLE t (rowid, oid, _rowid_)") }
    try folder.expect(["diff", "a.db", "b.db", "--sql"], 64, "no primary key")
    for option in [["--json"], ["--entity", "t"], ["--identity", "t: oid"], ["--limit", "3"]] {
      try folder.expect(["diff", "a.db", "b.db", "--sql"] + option, 64, "--sql")
    }
  }
}
