/// Merges in which rows exchange values that must be unique, each with a table of another shape.
extension LawCases {
  static let exchanges: [LawCase] = [
    exchange("one column", "id INTEGER PRIMARY KEY, uuid TEXT UNIQUE, name TEXT UNIQUE, v"),
    exchange(
      "a column that must not be empty", "id INTEGER PRIMARY KEY, uuid TEXT UNIQUE, name TEXT NOT NULL UNIQUE, v"),
    exchange(
      "a column with a condition",
      "id INTEGER PRIMARY KEY, uuid TEXT UNIQUE, name TEXT NOT NULL UNIQUE CHECK (length(name) = 1), v"
    ),
    exchange(
      "a strict table", "id INTEGER PRIMARY KEY, uuid TEXT UNIQUE, name TEXT NOT NULL UNIQUE, v INT", after: "STRICT"),
    exchange("a key of texts", "uuid TEXT PRIMARY KEY, name TEXT UNIQUE, v", isNumbered: false),
    exchange(
      "rows without numbers", "uuid TEXT PRIMARY KEY, name TEXT UNIQUE, v", after: "WITHOUT ROWID", isNumbered: false),
    exchange(
      "a part of a pair", "id INTEGER PRIMARY KEY, uuid TEXT UNIQUE, name TEXT, v INT DEFAULT 0, UNIQUE (name, v)"),
    exchange(
      "two columns", "id INTEGER PRIMARY KEY, uuid TEXT UNIQUE, name TEXT UNIQUE, v INT UNIQUE", alsoNumbers: true),
    list(
      "an entry is added in the middle of a list",
      theirs: down + "INSERT INTO entry (list, pos, text) VALUES (1, 2, 'new')"),
    list("an entry in the middle of a list is deleted", theirs: "DELETE FROM entry WHERE pos = 2;" + up),
    list(
      "an entry takes the place of one that is deleted",
      theirs: "DELETE FROM entry WHERE pos = 2; INSERT INTO entry VALUES (9, 1, 2, 'new')"),
    list(
      "an entry of mine takes the place at the end",
      theirs: down + "INSERT INTO entry (list, pos, text) VALUES (1, 2, 'new')",
      mine: "INSERT INTO entry VALUES (20, 2, 1, 'mine')"),
    list(
      "an entry is added in the middle of a list, and the positions must not be negative",
      columns:
        "id INTEGER PRIMARY KEY, list INT NOT NULL, pos INT NOT NULL CHECK (pos >= 0), text TEXT, UNIQUE (list, pos)",
      theirs: "UPDATE entry SET pos = pos + 100 WHERE pos >= 2; UPDATE entry SET pos = pos - 99 WHERE pos > 100;"
        + "INSERT INTO entry (list, pos, text) VALUES (1, 2, 'new')"),
    list(
      "an entry is added in the middle of a list whose keys are texts",
      columns: "id TEXT PRIMARY KEY, list INT, pos INT, text TEXT, UNIQUE (list, pos)", key: "'k' || i",
      theirs: down + "INSERT INTO entry VALUES ('k9', 1, 2, 'new')"),
    LawCase(
      name: "rows give up unique values: an entry is added in the middle of a list, without a base",
      schema: "CREATE TABLE entry (\(entry))",
      source: entries() + down + "INSERT INTO entry (list, pos, text) VALUES (1, 2, 'new')",
      destination: entries(),
      options: ["--merge", "update"],
      facts: [.init("SELECT text FROM entry ORDER BY pos", "'e1'", "'new'", "'e2'", "'e3'", "'e4'", "'e5'", "'e6'")],
      counts: ["entry": ["new": 1, "changed": 5, "updated": 5]],
      // Keys tell the entries.
      exempt: [.renumbering, .batches, .kill]
    ),
    LawCase(
      name: "rows give up unique values: positions that are no identity, of entries that have other keys",
      schema: "CREATE TABLE entry (\(entry))",
      source: entries() + down + "INSERT INTO entry (list, pos, text) VALUES (1, 2, 'new')",
      destination: entries("i + 1000"),
      status: 64,
      says: ["list, pos", "--identity 'entry: text'", "--identity 'entry: list, pos'"],
      facts: [.init("SELECT text FROM entry ORDER BY pos", "'e1'", "'e2'", "'e3'", "'e4'", "'e5'", "'e6'")]
    ),
    LawCase(
      name: "rows give up unique values: the same, as their texts are said to be their identity",
      schema: "CREATE TABLE entry (\(entry))",
      source: entries() + down + "INSERT INTO entry (list, pos, text) VALUES (1, 2, 'new')",
      destination: entries("i + 1000"),
      options: ["--identity", "entry: text", "--merge", "update"],
      facts: [.init("SELECT text FROM entry ORDER BY pos", "'e1'", "'new'", "'e2'", "'e3'", "'e4'", "'e5'", "'e6'")],
      counts: ["entry": ["new": 1, "changed": 5, "updated": 5]],
      // Batches release no values, and an edited text is another entry at the same position.
      exempt: [.batches, .editedCopy, .kill]
    ),
    LawCase(
      name: "rows give up unique values: those that stay are in the way of an entry in the middle of a list",
      schema: "CREATE TABLE entry (\(entry))",
      source: entries() + down + "INSERT INTO entry (list, pos, text) VALUES (1, 2, 'new')",
      destination: entries(),
      status: 1,
      says: ["another object has the same list and pos", "--merge 'entry: update'"],
      facts: [.init("SELECT text FROM entry ORDER BY pos", "'e1'", "'e2'", "'e3'", "'e4'", "'e5'", "'e6'")],
      exempt: [.renumbering, .prediction]
    ),
  ]

  private static let entry = "id INTEGER PRIMARY KEY, list INT, pos INT, text TEXT, UNIQUE (list, pos)"
  /// The entries behind the first move down by one, or those behind the second up.
  private static let down = "UPDATE entry SET pos = -pos WHERE pos >= 2; UPDATE entry SET pos = 1 - pos WHERE pos < 0;"
  private static let up = "UPDATE entry SET pos = -pos WHERE pos > 2; UPDATE entry SET pos = -pos - 1 WHERE pos < 0;"

  private static func entries(_ key: String = "i") -> String {
    """
    WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6)
    INSERT INTO entry SELECT \(key), 1, i, 'e' || i FROM n;
    """
  }

  /// A list that theirs edits, and mine does not.
  private static func list(
    _ name: String,
    columns: String = entry,
    key: String = "i",
    theirs: String,
    mine: String = ""
  ) -> LawCase {
    var texts = (1...6).map { "e\($0)" }
    if theirs.contains("DELETE") { texts.remove(at: 1) }
    if theirs.contains("'new'") { texts.insert("new", at: 1) }
    return LawCase(
      name: "rows give up unique values: \(name)",
      schema: "CREATE TABLE entry (\(columns))",
      source: entries(key) + theirs,
      destination: entries(key) + mine,
      base: entries(key),
      options: ["--base", "base.db"],
      facts: [
        .init(
          "SELECT pos, text FROM entry WHERE list = 1 ORDER BY pos",
          rows: texts.enumerated().map { "\($0 + 1),'\($1)'" })
      ],
      exempt: [.renumbering, .batches, .pairs, .damage, .editedCopy, .kill]
    )
  }

  /// Three rows of which the source has exchanged the names of two, or of all three in turn.
  private static func exchange(
    _ shape: String,
    _ columns: String,
    after: String = "",
    isNumbered: Bool = true,
    alsoNumbers: Bool = false
  ) -> LawCase {
    func uuid(_ number: Int) -> String { "'6f9619ff-8b86-4d01-b42d-00cf4fc964f\(number)'" }
    func rows(_ names: [String], _ numbers: [Int]) -> String {
      zip(names, numbers).enumerated().map { place, row in
        "INSERT INTO t VALUES (\(isNumbered ? "\(place + 1), " : "")\(uuid(place + 1)), '\(row.0)', \(row.1))"
      }.joined(separator: ";\n")
    }
    let numbers = isNumbered && alsoNumbers ? [2, 3, 1] : [1, 2, 3]
    return LawCase(
      name: "rows exchange unique values: \(shape)",
      schema: "CREATE TABLE t (\(columns)) \(after)",
      source: rows(["b", "c", "a"], numbers),
      destination: rows(["a", "b", "c"], [1, 2, 3]),
      options: isNumbered ? ["--identity", "t: uuid", "--merge", "update"] : ["--merge", "update"],
      facts: [
        .init(
          "SELECT substr(uuid, -1), name, v FROM t ORDER BY 1",
          "'1','b',\(numbers[0])",
          "'2','c',\(numbers[1])",
          "'3','a',\(numbers[2])"
        )
      ],
      counts: ["t": ["new": 0, "changed": 3, "updated": 3]]
    )
  }
}
