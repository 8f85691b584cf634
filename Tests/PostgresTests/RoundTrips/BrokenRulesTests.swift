import Foundation
import TestSupport
import Testing

/// Rows of an app that break rules which only the copied database has.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct BrokenRulesTests {
  private let place: PostgresFolder
  private var path: String { place.folder.path("plain.db") }
  private var back: String { place.folder.path("back.db") }

  init() throws { place = try PostgresFolder() }

  /// The columns and indexes of a table, what an app does on the server, and the row that an error names.
  struct Rule: CustomTestStringConvertible {
    let table: String
    var index = ""
    let change: String
    let row: String
    var testDescription: String { "\(table) \(index)" }
  }

  private static let clauses = ["", " ON CONFLICT REPLACE", " ON CONFLICT IGNORE", " ON CONFLICT ROLLBACK"]

  /// Rules with a clause for conflicts.
  private static func rules(_ clause: String) -> [Rule] {
    [
      Rule(
        table: "id INTEGER PRIMARY KEY, n TEXT COLLATE NOCASE UNIQUE\(clause)",
        change: "INSERT INTO t (id, n) VALUES (3, 'A')", row: "id = 3"),
      Rule(
        table: "id INTEGER PRIMARY KEY, n TEXT COLLATE NOCASE, UNIQUE (n)\(clause)",
        change: "INSERT INTO t (id, n) VALUES (3, 'A')", row: "id = 3"),
      Rule(
        table: "id INTEGER PRIMARY KEY\(clause), n TEXT",
        change: "ALTER TABLE t DROP CONSTRAINT t_pkey; INSERT INTO t (id, n) VALUES (1, 'A')", row: "id = 1"),
      Rule(
        table: "id INTEGER PRIMARY KEY, n TEXT DEFAULT 'x' NOT NULL\(clause)",
        change: "ALTER TABLE t ALTER n DROP NOT NULL; INSERT INTO t (id, n) VALUES (3, NULL)", row: "id = 3"),
    ]
  }

  private static let indexRules = [
    Rule(
      table: "id INTEGER PRIMARY KEY, n TEXT", index: "CREATE UNIQUE INDEX u ON t (lower(n))",
      change: "INSERT INTO t (id, n) VALUES (3, 'A')", row: "id = 3"),
    Rule(
      table: "id INTEGER PRIMARY KEY, n TEXT", index: "CREATE UNIQUE INDEX u ON t (n) WHERE id > 0",
      change: "INSERT INTO t (id, n) VALUES (3, 'a')", row: "id = 3"),
  ]

  @Test(arguments: clauses.flatMap(rules) + indexRules)
  func `a row that the database refuses is named, and none is lost`(rule: Rule) throws {
    _ = try Program.sqlite3(
      path,
      """
      CREATE TABLE t (\(rule.table)); INSERT INTO t VALUES (1, 'a'), (2, 'b'); \(rule.index);
      CREATE TABLE other (id INTEGER PRIMARY KEY, n TEXT); INSERT INTO other VALUES (7, 'x')
      """)
    try place.expect("copy", "plain.db", place.location)
    try place.expect("copy", place.location, "same.db")
    #expect(try place.run(["doctor", place.location]).status == 0)
    try place.psql(rule.change)
    for arguments in [
      ["copy", place.location, "back.db"], ["verify", "plain.db", place.location],
      ["diff", place.location, "plain.db"],
      ["export", place.location, "out.decant"], ["query", place.location, "SELECT count(*) FROM t"],
    ] {
      try place.expect(arguments, 1, "refuse 1 row of t (\(rule.row)")
    }
    #expect(!FileManager.default.fileExists(atPath: back))
    // Other tables are there, and doctor tells what to do.
    #expect(try place.expect("query", place.location, "SELECT id, n FROM other").contains("x"))
    let doctor = try place.run(["doctor", place.location])
    #expect(
      doctor.status == 4 && doctor.output.contains("t: 1 row that the table of the store refuses"), "\(doctor.output)")
    #expect(try place.expect("inspect", place.location, "--json").contains("rowsRefused"))
    // Once the row is corrected, every row comes back.
    try place.psql("UPDATE t SET id = 4, n = 'other' WHERE n = 'A' OR n IS NULL OR n = 'a' AND id = 3")
    try place.expect("copy", place.location, "back.db")
    let rows = "SELECT id || n FROM t ORDER BY id"
    #expect(try Program.sqlite3(back, rows) == place.psql(rows))
    #expect(try Program.sqlite3(back, "PRAGMA integrity_check") == "ok")
  }

  @Test func `all refused rows of all tables are counted`() throws {
    _ = try Program.sqlite3(
      path,
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT COLLATE NOCASE UNIQUE); INSERT INTO t VALUES (1, 'a');
      CREATE TABLE w (k TEXT COLLATE NOCASE PRIMARY KEY) WITHOUT ROWID; INSERT INTO w VALUES ('k');
      """)
    try place.expect("copy", "plain.db", place.location)
    try place.psql("INSERT INTO w VALUES ('K')")
    let variants = (1..<64).map { bits in (0..<6).map { bits >> $0 & 1 == 1 ? "A" : "a" }.joined() }
    try place.psql("INSERT INTO t (n) VALUES ('aaaaaa'), \(variants.map { "('\($0)')" }.joined(separator: ", "))")
    let run = try place.run(["copy", place.location, "back.db"])
    #expect(run.status == 1 && run.errors.contains("63 rows of t (") && run.errors.contains("58 more"), "\(run.errors)")
    #expect(run.errors.contains("1 row of w (k = K)"), "\(run.errors)")
    // The rows of the server are still readable as those of any tables.
    #expect(run.errors.contains("DELETE FROM decant.store"), "\(run.errors)")
    try place.psql("DELETE FROM decant.store")
    try place.expect("copy", place.location, "back.db")
    #expect(try Program.sqlite3(back, "SELECT count(*) FROM t") == place.psql("SELECT count(*) FROM t"))
  }

  /// Conditions, a row of an app, and whether the row breaks one.
  @Test(
    arguments: [
      ("a INT CHECK (a > 0)", "a", "-5", true), ("a INT CHECK (a > 0)", "a", "5", false),
      ("a INT CHECK (a > 0)", "a", "NULL", false),
      ("a INT, CONSTRAINT c CHECK (a <> 3 /* ) */ AND (a < 9 OR \"a\" = 20)), CHECK (a >= 0)", "a", "10", true),
      ("a INT, CONSTRAINT c CHECK (a <> 3 /* ) */ AND (a < 9 OR \"a\" = 20)), CHECK (a >= 0)", "a", "20", false),
      ("a TEXT CHECK (a NOT LIKE '%check (%') COLLATE NOCASE", "a", "'CHECK ('", true),
      ("a TEXT CHECK (json_valid(a))", "a", "'{'", true), ("\"check\" INT, b INT CHECK (b)", "b", "0", true),
    ] as [(String, String, String, Bool)])
  func `rows that break a condition are counted, and come back`(
    columns: String, column: String, value: String, isBroken: Bool
  ) throws {
    _ = try Program.sqlite3(
      path, "CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns)); INSERT INTO t (id, \(column)) VALUES (1, 1)")
    try place.expect("copy", "plain.db", place.location)
    try place.psql("INSERT INTO t (\(column)) VALUES (\(value))")
    let output = try place.expect("copy", place.location, "back.db")
    // SQLite's own check is the oracle.
    let check = try Program.sqlite3(back, "PRAGMA integrity_check")
    #expect(check == (isBroken ? "CHECK constraint failed in t" : "ok"))
    #expect(output.contains("t: 1 row breaks a condition (CHECK)") == isBroken, "\(output)")
    #expect(try Program.sqlite3(back, "SELECT count(*) FROM t") == "2")
    let doctor = try place.run(["doctor", place.location])
    #expect(doctor.status == (isBroken ? 4 : 0), "\(doctor.output)")
    #expect(doctor.output.contains("t: 1 row breaks a condition") == isBroken, "\(doctor.output)")
  }

  /// In a plain database, a copy keeps the values of links that lead nowhere; in others, it clears them.
  @Test func `the advice for dangling links is what a copy does`() throws {
    _ = try Program.sqlite3(
      path,
      """
      CREATE TABLE tag (name TEXT PRIMARY KEY COLLATE NOCASE); INSERT INTO tag VALUES ('A');
      CREATE TABLE n (id INTEGER PRIMARY KEY, t TEXT REFERENCES tag (name)); INSERT INTO n VALUES (1, 'a');
      """)
    try place.expect("copy", "plain.db", place.location)
    try place.psql("INSERT INTO n VALUES (2, 'nowhere')")
    let doctor = try place.run(["doctor", place.location])
    #expect(doctor.output.contains("a copy keeps the values"), "\(doctor.output)")
    try place.expect("copy", place.location, "back.db")
    #expect(try Program.sqlite3(back, "SELECT t FROM n WHERE id = 2") == "nowhere")
  }
}
