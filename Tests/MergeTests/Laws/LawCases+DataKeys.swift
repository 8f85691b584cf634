/// Rows whose integer key is data, such as a time or a postal code, and no number that a counter gave.
extension LawCases {
  private static let doses = "CREATE TABLE medication (taken_at INTEGER PRIMARY KEY, drug TEXT, mg INTEGER)"

  /// Doses that are equal but for their time.
  private static func taken(_ count: Int, every seconds: Int) -> String {
    """
    WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
    INSERT INTO medication SELECT 1700000000 + i * \(seconds), substr('abc', i % 3 + 1, 1), i % 2 * 100 FROM n;
    """
  }

  private static func pruned(_ peer: String, _ keys: ClosedRange<Int>) -> String {
    """
    WITH n (i) AS (SELECT \(keys.lowerBound) UNION ALL SELECT i + 1 FROM n WHERE i < \(keys.upperBound))
    INSERT INTO message SELECT i, '\(peer)', '\(peer) writes ' || i * i FROM n
    """
  }

  private static func withRowFarAway(_ name: String) -> String {
    """
    WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
    INSERT INTO note SELECT iif(i = 50, 10000000, i), '\(name) ' || i FROM n;
    INSERT INTO photo SELECT id, id, body FROM note
    """
  }

  private static let shops = """
    CREATE TABLE zip (code INTEGER PRIMARY KEY, city TEXT);
    CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT, zip INTEGER REFERENCES zip (code))
    """

  static let dataKeys: [LawCase] = [
    LawCase(
      name: "times as keys: both have added a row whose link leads nowhere, and theirs has changed another one",
      schema: """
        CREATE TABLE notes (id INTEGER PRIMARY KEY, flds TEXT);
        CREATE TABLE cards (id INTEGER PRIMARY KEY, nid INTEGER REFERENCES notes, due INTEGER);
        INSERT INTO notes VALUES (1700000000000, 'canis dog'); INSERT INTO cards VALUES (1700000000001, 1700000000000, 1);
        """,
      source: """
        INSERT INTO cards VALUES (1700090000001, 1700090000000, 3); UPDATE cards SET due = 77 WHERE id = 1700000000001
        """,
      destination: "INSERT INTO cards VALUES (1700090000001, 1700090000000, 3)",
      base: "",
      options: ["--merge", "three-way", "--base", "base.db"],
      facts: [.init("SELECT due FROM cards ORDER BY id", "77", "3")],
      exempt: [.renumbering, .kill, .pairs, .batches]
    ),
    LawCase(
      name: "times as keys of otherwise equal rows, on two devices",
      schema: doses,
      source: taken(150, every: 43_207),
      destination: taken(200, every: 43_201),
      facts: [
        .init("SELECT count(*), sum(taken_at % 43207 = 1700000000 % 43207) >= 150 FROM medication", "350,1")
      ],
      counts: ["medication": ["new": 150, "changed": 0]],
      exempt: [.renumbering, .kill]
    ),
    LawCase(
      name: "times as keys in two copies that went on",
      schema: doses,
      source: taken(200, every: 43_201) + "INSERT INTO medication VALUES (1709050002, 'a', 100), (1709250002, 'm', 10)",
      destination: taken(200, every: 43_201) + "INSERT INTO medication VALUES (1709000001, 'a', 100)",
      facts: [
        .init(
          "SELECT taken_at, drug FROM medication WHERE taken_at > 1709000000 ORDER BY 1",
          "1709000001,'a'", "1709050002,'a'", "1709250002,'m'")
      ],
      counts: ["medication": ["new": 2, "changed": 0]],
      exempt: [.renumbering, .kill]
    ),
    LawCase(
      name: "times as keys with a base",
      schema: doses,
      source: taken(200, every: 43_201) + "INSERT INTO medication VALUES (1709050002, 'a', 100), (1709250002, 'm', 10)",
      destination: taken(200, every: 43_201) + "INSERT INTO medication VALUES (1709000001, 'a', 100)",
      base: taken(200, every: 43_201),
      options: ["--merge", "three-way", "--base", "base.db"],
      facts: [
        .init(
          "SELECT taken_at, drug FROM medication WHERE taken_at > 1709000000 ORDER BY 1",
          "1709000001,'a'", "1709050002,'a'", "1709250002,'m'")
      ],
      exempt: [.renumbering, .kill, .pairs, .batches]
    ),
    LawCase(
      name: "postal codes as keys to which rows refer",
      schema: shops,
      source:
        "INSERT INTO zip VALUES (80333, 'München'), (20095, 'Hamburg'); INSERT INTO shop VALUES (1, 'Königsplatz', 80333), (2, 'Altstadt', 20095)",
      destination:
        "INSERT INTO zip VALUES (80331, 'München'), (10115, 'Berlin'); INSERT INTO shop VALUES (1, 'Marienplatz', 80331), (2, 'Mitte', 10115)",
      facts: [
        .init(
          "SELECT name, zip, city FROM shop JOIN zip ON code = zip ORDER BY 1",
          "'Altstadt',20095,'Hamburg'", "'Königsplatz',80333,'München'", "'Marienplatz',80331,'München'",
          "'Mitte',10115,'Berlin'")
      ],
      counts: ["zip": ["new": 2, "changed": 0]],
      exempt: [.renumbering, .kill, .editedCopy]
    ),
    LawCase(
      name: "postal codes of the same cities",
      schema: shops,
      source: """
        INSERT INTO zip VALUES (10117, 'Berlin'), (10119, 'Berlin'), (80333, 'München'), (80335, 'München'), (80337, 'München');
        INSERT INTO shop VALUES (1, 'Königsplatz', 80333), (2, 'Charité', 10117)
        """,
      destination:
        "INSERT INTO zip VALUES (80331, 'München'), (10115, 'Berlin'); INSERT INTO shop VALUES (1, 'Marienplatz', 80331), (2, 'Mitte', 10115)",
      facts: [
        .init(
          "SELECT name, zip FROM shop ORDER BY 1", "'Charité',10117", "'Königsplatz',80333", "'Marienplatz',80331",
          "'Mitte',10115"), .init("SELECT count(*) FROM zip", "7"),
      ],
      counts: ["zip": ["new": 5, "changed": 0]],
      exempt: [.renumbering, .kill, .editedCopy]
    ),
    LawCase(
      name: "the same postal code with another name of the city",
      schema: shops,
      source: "INSERT INTO zip VALUES (80331, 'Munich'); INSERT INTO shop VALUES (1, 'Königsplatz', 80331)",
      destination:
        "INSERT INTO zip VALUES (80331, 'München'), (10115, 'Berlin'); INSERT INTO shop VALUES (1, 'Marienplatz', 80331)",
      facts: [
        .init(
          "SELECT name, zip, city FROM shop JOIN zip ON code = zip ORDER BY 1",
          "'Königsplatz',80331,'München'", "'Marienplatz',80331,'München'")
      ],
      counts: ["zip": ["new": 0, "changed": 1]],
      exempt: [.renumbering, .kill, .editedCopy]
    ),
    LawCase(
      name: "a counter whose old rows were deleted is no data",
      schema: "CREATE TABLE message (id INTEGER PRIMARY KEY, text TEXT)",
      source: "INSERT INTO message VALUES (901, 'x'), (902, 'y')",
      destination: "INSERT INTO message VALUES (951, 'x'), (952, 'z')",
      facts: [.init("SELECT text FROM message ORDER BY 1", "'x'", "'y'", "'z'")],
      counts: ["message": ["new": 1, "same": 1]],
      exempt: [.kill, .editedCopy]
    ),
    LawCase(
      name: "a counter is no data, however high it is: all old rows were deleted",
      schema: "CREATE TABLE message (id INTEGER PRIMARY KEY, peer TEXT, body TEXT)",
      source: pruned("anna", 51_001...51_040),
      destination: pruned("bob", 51_011...51_055),
      options: ["--merge", "update"],
      facts: [.init("SELECT peer, count(*) FROM message GROUP BY 1", "'anna',40", "'bob',45")],
      counts: ["message": ["new": 40, "changed": 0]],
      exempt: [.kill, .editedCopy]
    ),
    LawCase(
      name: "a counter is no data because of one row far away",
      schema: """
        CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT);
        CREATE TABLE photo (id INTEGER PRIMARY KEY, note INTEGER REFERENCES note (id), file TEXT)
        """,
      source: withRowFarAway("theirs"),
      destination: withRowFarAway("mine"),
      facts: [
        .init("SELECT count(*) FROM note", "100"),
        .init("SELECT count(*), sum(body = file) FROM photo JOIN note ON note.id = photo.note", "100,100"),
      ],
      counts: ["note": ["new": 50, "changed": 0], "photo": ["new": 50, "changed": 0]],
      exempt: [.kill, .editedCopy]
    ),
    LawCase(
      name: "AUTOINCREMENT is a counter, however far apart its numbers are",
      schema: "CREATE TABLE message (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT)",
      source: "INSERT INTO message VALUES (90000001, 'x'), (90100002, 'y')",
      destination: "INSERT INTO message VALUES (95000001, 'x'), (95200002, 'z')",
      facts: [.init("SELECT text FROM message ORDER BY 1", "'x'", "'y'", "'z'")],
      counts: ["message": ["new": 1, "same": 1]],
      exempt: [.kill, .editedCopy]
    ),
  ]
}
