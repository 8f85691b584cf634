import Foundation
import TestSupport
import Testing

/// Large values of bytes, which are moved in pieces.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct LargeValueTests {
  private let place: PostgresFolder
  private var path: String { place.folder.path("plain.db") }

  init() throws { place = try PostgresFolder() }

  /// Tables with values on both sides of 8 MiB, in the only column, before others, in an index, and without row numbers.
  private static func sql(_ megabytes: Int) -> String {
    let size = megabytes << 20
    return """
      CREATE TABLE f (id INTEGER PRIMARY KEY, name TEXT, data BLOB, more BLOB, note TEXT);
      INSERT INTO f VALUES (1, 'a', zeroblob(\(size)), x'01', 'n'), (2, 'b', x'', NULL, NULL), (3, 'c', NULL, zeroblob(\(size + 1)), 'n'),
        (4, 'd', zeroblob(\(8 << 20)), zeroblob(\((8 << 20) + 1)), '');
      CREATE TABLE bare (data BLOB); INSERT INTO bare VALUES (zeroblob(\(size))), (x'02'), (zeroblob(\(size)));
      CREATE TABLE w (k TEXT PRIMARY KEY, data BLOB) WITHOUT ROWID; INSERT INTO w VALUES ('k', zeroblob(\(size)));
      UPDATE f SET data = CAST(substr(data, 1, 5) || x'ff00fe' || substr(data, 9) AS BLOB) WHERE id = 1;
      """
  }

  @Test func `large values come back as they were`() throws {
    _ = try Program.sqlite3(path, Self.sql(9))
    try place.expect("copy", "plain.db", place.location)
    #expect(
      try place.psql(
        "SELECT string_agg(coalesce(octet_length(data), -1) || ':' || coalesce(octet_length(more), -1), ',' ORDER BY id) FROM f"
      )
        == "9437184:1,0:-1,-1:9437185,8388608:8388609")
    #expect(
      try place.psql("SELECT encode(substring(data, 1, 10), 'hex') FROM f WHERE id = 1") == "0000000000ff00fe0000")
    try place.expect("verify", "plain.db", place.location)
    try place.expect("copy", place.location, "back.db")
    #expect(try place.expect("diff", "plain.db", "back.db").contains("equal"))
    let rows = "SELECT id, length(data), hex(substr(data, 1, 10)), length(more) FROM f"
    #expect(try Program.sqlite3(place.folder.path("back.db"), rows) == Program.sqlite3(path, rows))
    // A row of an app, in a partition of its own.
    try place.psql(
      """
      CREATE SCHEMA parts; CREATE TABLE parts.p (id int, data bytea) PARTITION BY HASH (id);
      CREATE TABLE parts.p0 PARTITION OF parts.p FOR VALUES WITH (modulus 2, remainder 0);
      CREATE TABLE parts.p1 PARTITION OF parts.p FOR VALUES WITH (modulus 2, remainder 1);
      INSERT INTO parts.p SELECT i, decode(repeat(lpad(to_hex(i), 2, '0'), 9000000), 'hex') FROM generate_series(1, 4) AS i
      """)
    try place.expect("copy", place.server.location(place.database, schema: "parts"), "parts.db")
    #expect(
      try Program.sqlite3(
        place.folder.path("parts.db"),
        "SELECT id, length(data), hex(substr(data, 1, 1)), hex(substr(data, -1)) FROM p ORDER BY id")
        == (1...4).map { "\($0)|9000000|0\($0)|0\($0)" }.joined(separator: "\n"))
  }

  /// Tables with a large value `d` that an index or a computed column reads, what is done then, and a query.
  @Test(
    arguments: [
      ("d BLOB, sig TEXT AS (hex(substr(d, 1, 4))) STORED, n INT AS (length(\"D\")) STORED", "", "sig, n"),
      (
        "d BLOB, v TEXT AS (hex(substr(d, 1, 4)))", "CREATE INDEX i ON t (v)",
        "(SELECT count(*) FROM t WHERE v = 'FFD8FFE0')"
      ),
      ("d BLOB, v TEXT AS (hex(substr(d, 1, 4))), s TEXT AS (v || 'x') STORED", "", "v, s"),
      ("d BLOB, v TEXT AS (hex(substr(d, 1, 4)))", "", "v"),
      (
        "v TEXT AS (hex(substr(d, 1, 4))), d BLOB, e BLOB, n TEXT", "UPDATE t SET e = d, n = id",
        "v, hex(substr(e, 1, 4)), n"
      ),
      (
        "d BLOB", "CREATE INDEX i ON t (id) WHERE substr(d, 1, 1) = x'ff'",
        "(SELECT count(*) FROM t WHERE substr(d, 1, 1) = x'ff')"
      ),
      (
        "d BLOB", "CREATE INDEX i ON t (substr([d], 1, 3))",
        "(SELECT count(*) FROM t WHERE substr(d, 1, 3) = x'ffd8ff')"
      ),
      ("d BLOB", "CREATE INDEX i ON t (d)", "(SELECT count(*) FROM t WHERE d > x'ff')"),
      ("d BLOB UNIQUE", "", "(SELECT count(*) FROM t WHERE d > x'ff')"),
    ] as [(String, String, String)])
  func `what is computed from a large value is right`(columns: String, then: String, query: String) throws {
    _ = try Program.sqlite3(
      path,
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns));
      INSERT INTO t (id, d) VALUES (1, CAST(x'ffd8ffe0' || zeroblob(9000000) AS BLOB)), (2, x'ffd8ffe0'),
        (3, CAST(x'ffd8ffe1' || zeroblob(9000000) AS BLOB));
      \(then)
      """)
    try place.expect("copy", "plain.db", place.location)
    try place.expect("copy", place.location, "back.db")
    let back = place.folder.path("back.db")
    #expect(try Program.sqlite3(back, "PRAGMA integrity_check") == "ok")
    let rows = "SELECT id, length(d), hex(substr(d, 1, 4)), \(query) FROM t ORDER BY id"
    #expect(try Program.sqlite3(back, rows) == Program.sqlite3(path, rows))
  }

  @Test(.enabled(if: !Sanitizer.isActive)) func `a text that needs more memory than there is, is refused before`()
    throws
  {
    _ = try Program.sqlite3(
      path,
      """
      CREATE TABLE doc (id INTEGER PRIMARY KEY, body TEXT);
      INSERT INTO doc VALUES (1, 'x'), (7, hex(zeroblob(40000000)))
      """)
    func run(_ arguments: String...) throws -> Program {
      try Program.run(
        ["prlimit", "--as=\(300 << 20)", DecantProgram.path] + arguments, in: place.folder.url)
    }
    let refused = try run("copy", "plain.db", place.location)
    #expect(refused.status == 1, "\(refused.output)")
    #expect(
      refused.errors.contains("doc key 7: body is a text of 80.0 MB, for which there is not enough memory"),
      "\(refused.errors)")
    let rejected = try run("copy", "plain.db", place.location, "--on-error", "reject")
    #expect(
      rejected.status == 3 && rejected.output.contains("rejected: 1 size"), "\(rejected.output)\(rejected.errors)")
    let other = place.server.location(place.database, schema: "other")
    try place.expect("copy", "plain.db", other)
    let back = try run("copy", other, "back.db")
    #expect(back.status == 1, "\(back.output)")
    #expect(back.errors.contains("doc.body of the row"), "\(back.errors)")
    #expect(!FileManager.default.fileExists(atPath: place.folder.path("back.db")))
  }

  /// Tables with a large value `d`; a row of a file with values behind that one is written as a whole.
  @Test(
    .enabled(if: !Sanitizer.isActive),
    arguments: [
      ("d BLOB", true), ("d BLOB NOT NULL, e BLOB NOT NULL DEFAULT x'01', n TEXT", true),
      ("d BLOB, n TEXT DEFAULT 'after', CHECK (n <> ',')", false),
    ])
  func `memory does not grow with a value`(columns: String, isFlatInFile: Bool) throws {
    func peaks(_ megabytes: Int) throws -> [Int] {
      let (store, back) = ("\(megabytes).db", "back\(megabytes).db")
      _ = try Program.sqlite3(
        place.folder.path(store),
        "CREATE TABLE f (id INTEGER PRIMARY KEY, \(columns)); INSERT INTO f (id, d) VALUES (1, zeroblob(\(megabytes << 20)))"
      )
      let location = place.server.location(place.database, schema: "s\(megabytes)")
      return try [["copy", store, location], ["copy", location, back]].map { arguments in
        let run = try place.run(arguments + ["--json"])
        #expect(run.status == 0, "\(run.errors)")
        let peak = try #/"peakMemoryBytes" ?: ?([0-9]+)/#.firstMatch(in: run.output).flatMap { Int($0.1) }
        return try #require(peak)
      }
    }
    for (small, large) in zip(try peaks(16), try peaks(128)).prefix(isFlatInFile ? 2 : 1) {
      #expect(large - small < 24 << 20, "\(small) \(large)")
    }
    for name in ["16.db", "128.db"] {
      #expect(try place.expect("diff", name, "back\(name)").contains("equal"))
      #expect(
        try Program.sqlite3(place.folder.path("back\(name)"), "SELECT sql FROM sqlite_schema")
          == Program.sqlite3(place.folder.path(name), "SELECT sql FROM sqlite_schema"))
    }
  }
}
