import Decant
import StoreTestSupport
import TestSupport
import Testing

/// Rows of plain databases whose target is left out or refused: their link is emptied where it may be, and they go with
/// the target where it may not, or where the link is part of their key.
@Suite struct LeftOutTargetTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let tables: String
    let rows: String
    /// What the destination has afterwards.
    let left: [String: [String]]
  }

  /// Row 2 of `p` is refused, or left out.
  private static let start = "CREATE TABLE p (id INTEGER PRIMARY KEY, v INTEGER CHECK (v > 0));"
  private static let rows = "INSERT INTO p VALUES (1, 1), (2, -1), (3, 3);"

  private static let cases = [
    Case(
      testDescription: "text, two levels away",
      tables: """
        CREATE TABLE q (id INTEGER PRIMARY KEY, p INTEGER NOT NULL REFERENCES p (id));
        CREATE TABLE x (k TEXT PRIMARY KEY, q INTEGER NOT NULL REFERENCES q (id), next TEXT REFERENCES x (k));
        CREATE TABLE n (id INTEGER PRIMARY KEY, x TEXT REFERENCES x (k));
        """,
      rows: """
        INSERT INTO q VALUES (1, 1), (2, 2);
        INSERT INTO x VALUES ('a', 2, NULL), ('b', 1, 'a'), ('c', 1, 'b');
        INSERT INTO n VALUES (1, 'a'), (2, 'b'), (3, NULL);
        """,
      left: [
        "SELECT k, next FROM x ORDER BY 1": ["'b',NULL", "'c','b'"],
        "SELECT x FROM n ORDER BY id": ["NULL", "'b'", "NULL"],
      ]
    ),
    Case(
      testDescription: "text, one level away",
      tables: """
        CREATE TABLE x (k TEXT PRIMARY KEY, p INTEGER NOT NULL REFERENCES p (id), next TEXT REFERENCES x (k));
        """,
      rows: "INSERT INTO x VALUES ('a', 2, NULL), ('b', 1, 'a'), ('c', 1, 'b');",
      left: ["SELECT k, next FROM x ORDER BY 1": ["'b',NULL", "'c','b'"]]
    ),
    Case(
      testDescription: "required text, and what refers to its row",
      tables: """
        CREATE TABLE x (k TEXT PRIMARY KEY, p INTEGER NOT NULL REFERENCES p (id));
        CREATE TABLE n (k TEXT PRIMARY KEY, x TEXT NOT NULL REFERENCES x (k));
        CREATE TABLE m (id INTEGER PRIMARY KEY, n TEXT NOT NULL REFERENCES n (k), other TEXT REFERENCES n (k));
        """,
      rows: """
        INSERT INTO x VALUES ('a', 2), ('b', 3);
        INSERT INTO n VALUES ('na', 'a'), ('nb', 'b');
        INSERT INTO m VALUES (1, 'na', 'nb'), (2, 'nb', 'na'), (3, 'nb', NULL);
        """,
      left: [
        "SELECT k, x FROM n": ["'nb','b'"], "SELECT n, other FROM m ORDER BY id": ["'nb',NULL", "'nb',NULL"],
      ]
    ),
    Case(
      testDescription: "several columns and bytes",
      tables: """
        CREATE TABLE x (id BLOB, number INTEGER, p INTEGER NOT NULL REFERENCES p (id), UNIQUE (id, number));
        CREATE TABLE n (name TEXT, x BLOB NOT NULL, number INTEGER, FOREIGN KEY (x, number) REFERENCES x (id, number));
        """,
      rows: """
        INSERT INTO x VALUES (x'00ff', 7, 2), (x'00ff', 8, 1), (x'01', 7, 1);
        INSERT INTO n VALUES ('lost', x'00ff', 7), ('kept', x'00ff', 8), ('none', x'01', NULL);
        """,
      left: [
        "SELECT name, x, number FROM n ORDER BY 1": ["'kept',X'00ff',8", "'lost',X'00ff',NULL", "'none',X'01',NULL"]
      ]
    ),
    Case(
      testDescription: "rows without row numbers",
      tables: """
        CREATE TABLE x (k TEXT PRIMARY KEY, p INTEGER NOT NULL REFERENCES p (id), next TEXT REFERENCES x (k)) WITHOUT ROWID;
        CREATE TABLE w (x TEXT REFERENCES x (k), p INTEGER REFERENCES p (id), PRIMARY KEY (x, p)) WITHOUT ROWID;
        CREATE TABLE n (id INTEGER PRIMARY KEY, x TEXT REFERENCES x (k), p INTEGER,
          FOREIGN KEY (x, p) REFERENCES w (x, p));
        """,
      rows: """
        INSERT INTO x VALUES ('a', 2, NULL), ('b', 1, 'a'), ('c', 1, 'b');
        INSERT INTO w VALUES ('a', 1), ('b', 1), ('b', 2), ('c', 3);
        INSERT INTO n VALUES (1, 'a', 1), (2, 'b', 1), (3, 'b', 2);
        """,
      left: [
        "SELECT k, next FROM x ORDER BY 1": ["'b',NULL", "'c','b'"],
        "SELECT x, v FROM w JOIN p ON p.id = p ORDER BY 1": ["'b',1", "'c',3"],
        "SELECT count(*), count(x), count(x || p) FROM n": ["3,1,1"],
      ]
    ),
    Case(
      testDescription: "a link in a key of several columns",
      tables: """
        CREATE TABLE lend (p INTEGER REFERENCES p (id), who TEXT, PRIMARY KEY (p, who));
        CREATE TABLE note (id INTEGER PRIMARY KEY, p INTEGER, who TEXT, FOREIGN KEY (p, who) REFERENCES lend (p, who));
        """,
      rows: """
        INSERT INTO lend VALUES (1, 'me'), (2, 'me'), (2, 'you'), (3, 'me');
        INSERT INTO note VALUES (1, 1, 'me'), (2, 2, 'me'), (3, 3, 'me');
        """,
      left: [
        "SELECT v, who FROM lend LEFT JOIN p ON p.id = p ORDER BY 1": ["1,'me'", "3,'me'"],
        "SELECT note.who, lend.who FROM note LEFT JOIN lend ON lend.p = note.p AND lend.who = note.who ORDER BY note.id":
          [
            "'me','me'", "NULL,NULL", "'me','me'",
          ],
      ]
    ),
    Case(
      testDescription: "many to many with a text key",
      tables: """
        CREATE TABLE x (k TEXT PRIMARY KEY, p INTEGER NOT NULL REFERENCES p (id));
        CREATE TABLE y (id INTEGER PRIMARY KEY);
        CREATE TABLE w (x TEXT REFERENCES x (k), y INTEGER REFERENCES y (id), PRIMARY KEY (x, y));
        CREATE TABLE n (id INTEGER PRIMARY KEY, x TEXT, y INTEGER, FOREIGN KEY (x, y) REFERENCES w (x, y));
        """,
      rows: """
        INSERT INTO x VALUES ('a', 2), ('b', 1);
        INSERT INTO y VALUES (1), (2);
        INSERT INTO w VALUES ('a', 1), ('a', 2), ('b', 1);
        INSERT INTO n VALUES (1, 'a', 1), (2, 'b', 1);
        """,
      left: ["SELECT x FROM w": ["'b'"], "SELECT x FROM n ORDER BY id": ["NULL", "'b'"]]
    ),
    Case(
      testDescription: "a key that is a link, and one that is a link to it",
      tables: """
        CREATE TABLE more (id INTEGER PRIMARY KEY REFERENCES p (id));
        CREATE TABLE yet (id INTEGER PRIMARY KEY REFERENCES more (id), name TEXT UNIQUE);
        CREATE TABLE n (id INTEGER PRIMARY KEY, yet TEXT REFERENCES yet (name));
        """,
      rows: """
        INSERT INTO more VALUES (1), (2);
        INSERT INTO yet VALUES (1, 'one'), (2, 'two');
        INSERT INTO n VALUES (7, 'one'), (8, 'two');
        """,
      left: [
        "SELECT v FROM more JOIN p USING (id)": ["1"], "SELECT name FROM yet JOIN more USING (id)": ["'one'"],
        "SELECT yet FROM n ORDER BY id": ["'one'", "NULL"],
      ]
    ),
  ]

  private let place: PlainDatabase

  init() throws { place = try PlainDatabase() }

  private func make(_ found: Case, there: String = "") throws {
    try place.make(
      "a.db",
      "PRAGMA ignore_check_constraints = 1; \(Self.start) \(found.tables) \(Self.rows) \(found.rows)"
    )
    try place.make("b.db", "\(Self.start) \(found.tables) \(there)")
  }

  private func check(_ found: Case, _ report: CopyReport, _ file: String = "b.db") throws {
    #expect(report.isVerified)
    #expect(try place.complaints(file) == "")
    for (query, rows) in found.left { #expect(try place.read(file, query) == rows, "\(query)") }
    // Every row is accounted for.
    for entity in report.entities {
      #expect(entity.source == entity.copied + entity.filtered + entity.rejected)
    }
  }

  @Test(arguments: cases, [(1, .run), (1000, .run), (2, .batch)] as [(Int64, CopyOptions.Commit)])
  func `rows that the destination refuses`(_ found: Case, _ how: (batchSize: Int64, commit: CopyOptions.Commit)) throws
  {
    // The number 2 is taken, so that keys change.
    try make(found, there: "INSERT INTO p VALUES (2, 22);")
    let report = try place.append {
      $0.onError = .reject
      ($0.batchSize, $0.commit) = (how.batchSize, how.commit)
    }
    #expect(report.rejectedByCode[.check] == 1)
    try check(found, report)
  }

  @Test(arguments: cases)
  func `rows that a condition leaves out`(_ found: Case) throws {
    try make(found)
    let report = try place.copy(to: "c.db") {
      $0.filters = [CopyOptions.Filter(entity: "p", expression: "v > 0")]
      $0.onError = .reject
    }
    #expect(report["p"]?.filtered == 1)
    try check(found, report, "c.db")
  }

  @Test(arguments: [
    ("p: v > 0", "lend", 2), ("p: v > 0", "more", 1), ("p: v > 0", "yet", 1), ("x: k <> 'a'", "w", 2),
    ("y: _id = 1", "w", 1),
  ])
  func `a row whose key is a link is left out with its target, not refused`(
    _ filter: String,
    _ table: String,
    _ count: Int64
  ) throws {
    let found = try #require(
      Self.cases.first { $0.tables.contains("TABLE \(table) (") && !$0.tables.contains("ROWID") })
    try make(found)
    if !filter.hasPrefix("p") { try place.make("a.db", "UPDATE p SET v = 22 WHERE v < 0") }
    let parts = filter.split(separator: ":", maxSplits: 1).map(String.init)
    let report = try place.copy(to: "c.db") {
      $0.filters = [CopyOptions.Filter(entity: parts[0], expression: parts[1])]
    }
    #expect(report[table]?.filtered == count && report.rejectedCount == 0 && report.isVerified)
    #expect(try place.complaints("c.db") == "")
    #expect(try place.read("c.db", "SELECT count(*) FROM \(table)") == ["\((report[table]?.source ?? 0) - count)"])
  }

  @Test func `the values may be those of another row that is there`() throws {
    try place.make(
      "a.db",
      """
      CREATE TABLE x (k TEXT PRIMARY KEY, n INTEGER);
      CREATE TABLE n (id INTEGER PRIMARY KEY, x TEXT NOT NULL REFERENCES x (k));
      INSERT INTO x VALUES ('a', 1), ('b', 2);
      INSERT INTO n VALUES (1, 'a'), (2, 'b');
      """
    )
    try place.make(
      "b.db",
      """
      CREATE TABLE x (k TEXT PRIMARY KEY, n INTEGER);
      CREATE TABLE n (id INTEGER PRIMARY KEY, x TEXT NOT NULL REFERENCES x (k));
      INSERT INTO x VALUES ('a', 100);
      """
    )
    let report = try place.append { $0.onError = .reject }
    #expect(report.rejectedByCode == [.unique: 1] && report.isVerified)
    #expect(try place.read("b.db", "SELECT x, x.n FROM n JOIN x ON x.k = n.x ORDER BY 1") == ["'a',100", "'b',2"])
  }

  @Test(arguments: ["reader: who", "reader: \"upper(who)\""])
  func `the key is that of the destination where a mapping gives it other names`(_ reader: String) throws {
    let databases = try MappedDatabases(
      """
      CREATE TABLE book (id INTEGER PRIMARY KEY, v INTEGER);
      CREATE TABLE lend (id INTEGER PRIMARY KEY, book INTEGER REFERENCES book (id), who TEXT);
      CREATE TABLE word (id INTEGER PRIMARY KEY, w TEXT UNIQUE);
      CREATE TABLE use (id INTEGER PRIMARY KEY, word TEXT REFERENCES word (w), n INTEGER);
      INSERT INTO book VALUES (1, 1), (2, -1), (3, 1);
      INSERT INTO lend VALUES (1, 1, 'I'), (2, 2, 'I'), (3, 2, 'YOU'), (4, 3, 'I');
      INSERT INTO word VALUES (1, 'one'), (2, 'two');
      INSERT INTO use VALUES (1, 'one', 1), (2, 'two', 1);
      """,
      to: """
        CREATE TABLE tome (id INTEGER PRIMARY KEY, v INTEGER);
        CREATE TABLE loan (tome INTEGER REFERENCES tome (id), reader TEXT, PRIMARY KEY (tome, reader));
        CREATE TABLE tag (name TEXT PRIMARY KEY);
        CREATE TABLE tagged (tag TEXT REFERENCES tag (name), n INTEGER, PRIMARY KEY (tag, n));
        """
    )
    let report = try databases.copy(
      """
      entities:
        tome: { from: book, where: "v > 0" }
        loan: { from: lend, set: { tome: book, \(reader) } }
        tag: { from: word, where: "w <> 'two'", set: { name: w } }
        tagged: { from: use, set: { tag: word } }
      """
    ) { $0.appends = true }
    #expect(report["loan"]?.filtered == 2 && report["tagged"]?.filtered == 1 && report.isVerified)
    #expect(try databases.rows("SELECT tome, reader FROM loan ORDER BY 1") == ["1,'I'", "3,'I'"])
    #expect(try databases.rows("SELECT tag, n FROM tagged") == ["'one',1"])
    #expect(try databases.place.complaints("new.db") == "")
  }

  @Test func `a dry run foretells the rows that go with the target of their key`() throws {
    let databases = try MappedDatabases(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, v INTEGER, up INTEGER REFERENCES p (id));
      CREATE TABLE lend (p INTEGER REFERENCES p (id), who TEXT, PRIMARY KEY (p, who));
      CREATE TABLE more (id INTEGER PRIMARY KEY REFERENCES p (id));
      CREATE TABLE x (k TEXT PRIMARY KEY, p INTEGER REFERENCES p (id));
      CREATE TABLE w (x TEXT REFERENCES x (k), n INTEGER, PRIMARY KEY (x, n));
      INSERT INTO p VALUES (1, 1, NULL), (2, 1, 3), (3, 0, NULL);
      INSERT INTO lend VALUES (1, 'a'), (2, 'b'), (3, 'c');
      INSERT INTO more VALUES (1), (2), (3);
      INSERT INTO x VALUES ('a', 1), ('b', 2), ('c', 3);
      INSERT INTO w VALUES ('a', 1), ('b', 1), ('c', 1);
      """
    )
    let mapping = """
      entities: { p: { where: "v = 1" } }
      relationships: { p.up: { missing: reject }, x.p: { missing: reject } }
      """
    let reports = try [true, false].map { isDryRun in try databases.copy(mapping) { $0.isDryRun = isDryRun } }
    for report in reports {
      #expect(report.rejectedByCode == [.link: 7])
      #expect(report.entities.map(\.rejected) == reports[1].entities.map(\.rejected))
      #expect(report.entities.map(\.filtered) == reports[1].entities.map(\.filtered))
    }
    #expect(
      try databases.rows("SELECT count(*) FROM p UNION ALL SELECT count(*) FROM lend UNION ALL SELECT id FROM more")
        == ["1", "1", "1"]
    )
    #expect(try databases.rows("SELECT x, n FROM w") == ["'a',1"])
    #expect(try databases.place.complaints("new.db") == "")
  }

  @Test(arguments: ["p.up: { missing: reject }, x.p: { missing: reject }", "x.p: { missing: reject }"], [true, false])
  func `by the rules of a mapping`(_ rules: String, _ isSmall: Bool) throws {
    let databases = try MappedDatabases(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, v INTEGER, up INTEGER REFERENCES p (id));
      CREATE TABLE x (k TEXT PRIMARY KEY, p INTEGER REFERENCES p (id), next TEXT REFERENCES x (k));
      INSERT INTO p VALUES (1, 1, NULL), (2, 1, 3), (3, -1, NULL);
      INSERT INTO x VALUES ('a', \(rules.hasPrefix("p") ? 2 : 3), NULL), ('b', NULL, 'a'), ('c', 1, 'a'), ('d', 1, 'c');
      """
    )
    let report = try databases.copy(
      """
      entities: { p: { where: "v = 1" } }
      relationships: { \(rules) }
      """
    ) { $0.batchSize = isSmall ? 1 : 1000 }
    #expect(report.rejectedByCode == [.link: rules.hasPrefix("p") ? 2 : 1] && report.isVerified)
    #expect(try databases.rows("SELECT k, next FROM x ORDER BY 1") == ["'b',NULL", "'c',NULL", "'d','c'"])
    #expect(try databases.place.complaints("new.db") == "")
  }
}
