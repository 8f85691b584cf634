import DecantSQLite
import TestSupport
import Testing

@Suite struct EncodingBridgeTests {
  private static let encodings = ["UTF-8", "UTF-16le", "UTF-16be"]

  /// A connection in `encoding`, with a database attached as `source` that `statements` fill.
  private func reader(_ encoding: String, _ statements: [String]) throws -> Connection {
    let reader = try Connection(":memory:", mode: .create)
    try reader.run("PRAGMA encoding = '\(encoding)'")
    try reader.run("ATTACH ':memory:' AS source")
    for statement in statements { try reader.run(statement) }
    return reader
  }

  /// A connection in `encoding` that is bridged from `reader`.
  private func fed(_ encoding: String, from reader: Connection) throws -> Connection {
    let connection = try Connection(":memory:", mode: .create)
    try connection.run("PRAGMA encoding = '\(encoding)'")
    try connection.attach("source", of: reader)
    return connection
  }

  private func rows(_ connection: Connection, _ sql: String) throws -> [String] {
    var rows: [String] = []
    try connection.forEachRow(sql) { row in
      rows.append((0..<row.columnCount).map { row.text(at: $0) ?? "NULL" }.joined(separator: "|"))
    }
    return rows
  }

  /// The bytes of `text` as hexadecimal digits, by Swift's own idea of encodings.
  private func bytes(of text: String, in encoding: String) -> String {
    switch encoding {
    case "UTF-8": text.utf8.map(\.hexadecimal).joined()
    case "UTF-16le": text.utf16.map { $0.byteSwapped.hexadecimal }.joined()
    default: text.utf16.map(\.hexadecimal).joined()
    }
  }

  @Test(arguments: encodings, encodings)
  func `every valid text arrives as it is`(from: String, to: String) throws {
    var generator = SeededGenerator(seed: 16)
    var texts = [
      "", "a", "abcd", "abcde", "a\0b", "\u{7f}\u{80}\u{7ff}\u{800}", "😀", "é", "\u{ffff}",
      "\u{fffe}x", "\u{feff}x", "\u{feff}", "\u{fffd}", "\u{d7ff}\u{e000}", "\u{10000}\u{10ffff}",
      String(repeating: "naïve ", count: 2000),
    ]
    for _ in 0..<200 {
      let scalars = (0..<Int.random(in: 1...12, using: &generator)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0...0x2ffff, using: &generator))
      }
      texts.append(String(String.UnicodeScalarView(scalars)))
    }
    let literals = texts.map { "CAST(x'\(bytes(of: $0, in: from))' AS TEXT)" }
    let reader = try reader(
      from,
      ["CREATE TABLE source.t (x)"] + literals.map { "INSERT INTO source.t VALUES (\($0))" }
    )
    let connection = try fed(to, from: reader)
    let sql = "SELECT lower(hex(CAST(x AS BLOB))) FROM source.t"
    #expect(try rows(connection, sql) == texts.map { bytes(of: $0, in: to) })
    // Each is found by itself, too.
    try connection.run("CREATE TABLE own AS SELECT x FROM source.t")
    let lost =
      "SELECT count(*) FROM own WHERE NOT EXISTS (SELECT 1 FROM source.t AS s WHERE s.x = own.x)"
    #expect(try connection.integer(lost) == 0)
  }

  @Test func `other values arrive as they are`() throws {
    let values = ["1", "-9223372036854775808", "0.1", "9e999", "NULL", "x''", "x'00ff'"]
    let reader = try reader(
      "UTF-16le",
      [
        "CREATE TABLE source.t (x)",
        "INSERT INTO source.t VALUES \(values.map { "(\($0))" }.joined(separator: ", "))",
      ]
    )
    let sql = "SELECT quote(x) || typeof(x) FROM source.t"
    #expect(try rows(fed("UTF-8", from: reader), sql) == rows(reader, sql))
  }

  @Test(arguments: [
    ("UTF-16le", "UTF-8", "x'00d84100'"), ("UTF-16le", "UTF-8", "x'410000d8'"),
    ("UTF-16be", "UTF-8", "x'dc00d800'"), ("UTF-16le", "UTF-8", "x'00dc'"),
    ("UTF-8", "UTF-16le", "x'41ff'"), ("UTF-8", "UTF-16be", "x'c080'"),
    ("UTF-8", "UTF-16le", "x'eda080'"), ("UTF-8", "UTF-16le", "x'e282'"),
    ("UTF-8", "UTF-16le", "x'f4908080'"),
  ])
  func `a text that cannot be kept as it is ends the statement`(from: String, to: String, literal: String) throws {
    let reader = try reader(
      from,
      [
        "CREATE TABLE source.t (id INTEGER PRIMARY KEY, x TEXT)",
        "INSERT INTO source.t VALUES (1, 'good'), (7, CAST(\(literal) AS TEXT)), (8, 'good')",
      ]
    )
    let connection = try fed(to, from: reader)
    let error = #expect(throws: SQLiteError.self) {
      try connection.integer("SELECT count(x) FROM source.t")
    }
    let (old, new) = (from.prefix(5) == "UTF-8" ? "UTF-8" : "UTF-16", to == "UTF-8" ? to : "UTF-16")
    #expect(
      error?.message
        == "t.x in row 7 holds text that is not valid \(old), which \(new) cannot preserve"
    )
    // Whoever does not ask for it reads the rest.
    #expect(try rows(connection, "SELECT id FROM source.t") == ["1", "7", "8"])
    #expect(try rows(connection, "SELECT x FROM source.t WHERE id <> 7") == ["good", "good"])
  }

  @Test(arguments: [
    "i = 5", "i = '5'", "i = '05'", "i > 4", "i >= '5'", "i BETWEEN 2 AND 5", "i IN (1, '5', 5.0)",
    "s = '5'", "s = 5", "s = '05'", "s > '4'", "s < 6", "s >= 'A' AND s < 'b'", "s > x'00'",
    "n = 5", "n = '5'", "n = x'35'", "n > 4", "n > '4'", "n < x'ff'", "r = 0.5", "r > 0",
    "c = 'abc'", "c >= 'ABC'", "c = 'ABC' COLLATE BINARY", "s = 'a' COLLATE NOCASE",
    "i = NULL", "i IS NULL", "rowid = 3", "rowid = '3'", "rowid > 2.5", "(i, s) > (4, 'A')",
    "(s, i) <= ('a', 5)", "i = (SELECT s FROM source.t WHERE rowid = 2)",
    "s IN (SELECT i FROM source.t)", "n IN (SELECT i FROM source.t)",
    "n IN (SELECT s FROM source.t)", "i IN (SELECT n FROM source.t)",
    "s IN (SELECT n FROM source.t)",
    "EXISTS (SELECT 1 FROM source.t AS o WHERE o.s = t.i)",
    "EXISTS (SELECT 1 FROM source.t AS o WHERE o.i = t.s)",
    "EXISTS (SELECT 1 FROM source.t AS o WHERE o.n = t.i)",
    "EXISTS (SELECT 1 FROM source.t AS o WHERE o.s < t.i)",
    "EXISTS (SELECT 1 FROM source.t AS o WHERE o.i > t.s)",
    "EXISTS (SELECT 1 FROM source.w AS w WHERE w.k = t.s)", "i = 5 OR s = 'a' OR n > 4",
  ])
  func `conditions mean the same`(_ condition: String) throws {
    let reader = try reader(
      "UTF-16le",
      [
        "CREATE TABLE source.t (i INTEGER, s TEXT, n, r REAL, c TEXT COLLATE NOCASE)",
        "CREATE INDEX source.ti ON t (i)", "CREATE INDEX source.ts ON t (s)",
        "CREATE INDEX source.tn ON t (n)", "CREATE INDEX source.tc ON t (c)",
        """
        INSERT INTO source.t VALUES (5, '5', 5, 0.5, 'ABC'), (NULL, '05', '5', 1, 'abc'),
          ('x', 'A', x'35', -1, NULL), (6, 'a', 4.5, 'r', 'b'), (2, x'35', NULL, NULL, 'abd'),
          (5.5, 'x', 'x', 0, x'61'), ('05', 7, '05', 1e300, 'Abc')
        """, "CREATE TABLE source.w (k TEXT COLLATE NOCASE PRIMARY KEY) WITHOUT ROWID",
        "INSERT INTO source.w VALUES ('A'), ('5'), ('X')",
      ]
    )
    let sql = "SELECT rowid FROM source.t WHERE \(condition) ORDER BY rowid"
    // The same database where texts are compared as UTF-8 is the measure.
    let plain = try self.reader("UTF-8", [])
    for sql in try rows(reader, "SELECT sql FROM source.sqlite_schema") where !sql.isEmpty {
      try plain.run(sql.replacing("TABLE ", with: "TABLE source.").replacing("INDEX ", with: "INDEX source."))
    }
    try plain.run(
      """
      INSERT INTO source.t VALUES (5, '5', 5, 0.5, 'ABC'), (NULL, '05', '5', 1, 'abc'),
        ('x', 'A', x'35', -1, NULL), (6, 'a', 4.5, 'r', 'b'), (2, x'35', NULL, NULL, 'abd'),
        (5.5, 'x', 'x', 0, x'61'), ('05', 7, '05', 1e300, 'Abc')
      """
    )
    try plain.run("INSERT INTO source.w VALUES ('A'), ('5'), ('X')")
    #expect(try rows(fed("UTF-8", from: reader), sql) == rows(plain, sql))
  }

  /// Counts the steps of SQLite's machine.
  private final class StepCount: ProgressCheck {
    var count = 0
    override func isStopped() -> Bool {
      count += 1
      return false
    }
  }

  @Test(arguments: [
    "id = 9000", "id BETWEEN 9000 AND 9005", "rowid > 9995", "code = '9000'", "(a, b) = (90, 9000)",
  ])
  func `what is looked up by a key is found by the index`(_ condition: String) throws {
    let reader = try reader(
      "UTF-16be",
      [
        "CREATE TABLE source.t (id INTEGER PRIMARY KEY, code TEXT UNIQUE, a INT, b INT, UNIQUE (a, b))",
        """
        INSERT INTO source.t WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
        SELECT i, i, i / 100, i FROM n
        """,
      ]
    )
    let connection = try fed("UTF-8", from: reader)
    let steps = StepCount()
    reader.setProgressCheck(steps, every: 1)
    #expect(try connection.integer("SELECT count(*) FROM source.t WHERE \(condition)") ?? 0 > 0)
    #expect(steps.count < 2000)
  }

  @Test func `names, hidden numbers, computed columns and searches are read`() throws {
    let reader = try reader(
      "UTF-16le",
      [
        "CREATE TABLE source.\"a \"\" table\" (\"select\" TEXT, rowid TEXT, y AS (\"select\" || 'é'))",
        "INSERT INTO source.\"a \"\" table\" (_rowid_, \"select\", rowid) VALUES (41, 'c', 'r')",
        "CREATE VIRTUAL TABLE source.words USING fts5 (word)",
        "INSERT INTO source.words (rowid, word) VALUES (7, 'naïve')",
        "CREATE VIEW source.v AS SELECT 1",
      ]
    )
    let connection = try fed("UTF-8", from: reader)
    let sql = "SELECT _rowid_, rowid, \"select\", y FROM source.\"a \"\" table\" WHERE oid = 41"
    #expect(try rows(connection, sql) == ["41|r|c|cé"])
    #expect(try rows(connection, "SELECT rowid, * FROM source.words") == ["7|naïve"])
  }

  @Test func `a name that means something to the other side is a name like any other`() throws {
    let reader = try reader(
      "UTF-16le",
      [
        "CREATE TABLE source.search_data (x)", "INSERT INTO source.search_data VALUES ('é')",
      ]
    )
    let connection = try Connection(":memory:", mode: .create)
    try connection.run("CREATE VIRTUAL TABLE search USING fts5 (body)")
    try connection.attach("source", of: reader)
    #expect(try rows(connection, "SELECT x FROM source.search_data") == ["é"])
  }

  @Test func `one state is read while a transaction is open on the other side`() throws {
    let folder = try TemporaryFolder()
    let writer = try Connection(folder.path("a.db"), mode: .create)
    try writer.run("PRAGMA encoding = 'UTF-16le'")
    #expect(try writer.text("PRAGMA journal_mode = wal") == "wal")
    try writer.run("CREATE TABLE t (x)")
    try writer.run("INSERT INTO t VALUES ('one')")
    let reader = try Connection(":memory:", mode: .create)
    try reader.run("PRAGMA encoding = 'UTF-16le'")
    try reader.attach(folder.path("a.db"), as: "source")
    let connection = try fed("UTF-8", from: reader)
    #expect(connection.reader(of: "source") === reader)
    #expect(connection.reader(of: "main") === connection)
    try reader.run("BEGIN")
    #expect(try connection.integer("SELECT count(*) FROM source.t") == 1)
    try writer.run("INSERT INTO t VALUES ('two')")
    try connection.transaction { () throws(SQLiteError) in
      try connection.run("CREATE TABLE own AS SELECT * FROM source.t")
    }
    #expect(try connection.integer("SELECT count(*) FROM source.t") == 1)
    try reader.run("COMMIT")
    #expect(try connection.integer("SELECT count(*) FROM source.t") == 2)
  }

  @Test(arguments: encodings) func `a text that was read exactly is bound exactly`(encoding: String) throws {
    let connection = try reader(encoding, ["CREATE TABLE source.t (x)"])
    let literals =
      encoding == "UTF-8"
      ? ["x''", "x'efbfbf'", "x'ff41'", "x'eda080'"]
      : ["x''", "x'ffff'", "x'feff4100'", "x'fffe0041'", "x'00d84100'", "x'd8000041'"]
    for literal in literals {
      try connection.run("INSERT INTO source.t VALUES (CAST(\(literal) AS TEXT))")
    }
    let all = try connection.prepare("SELECT x FROM source.t")
    while try all.step() {
      let found = try connection.integer(
        "SELECT count(*) FROM source.t WHERE x = ?1 AND typeof(?1) = 'text'",
        try all.exactValue(at: 0)
      )
      #expect(found == 1)
    }
  }
}

extension UInt8 {
  fileprivate var hexadecimal: String { (self < 16 ? "0" : "") + String(self, radix: 16) }
}

extension UInt16 {
  fileprivate var hexadecimal: String {
    UInt8(self >> 8).hexadecimal + UInt8(self & 0xff).hexadecimal
  }
}
