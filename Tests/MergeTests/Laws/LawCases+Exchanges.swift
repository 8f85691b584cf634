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
  ]

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
