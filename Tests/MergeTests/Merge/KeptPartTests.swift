import Decant
import StoreTestSupport
import TestSupport
import Testing

/// What an object owns that stays beside its like.
@Suite struct KeptPartTests {
  private static let schema = """
    CREATE TABLE recipe (id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, title TEXT);
    CREATE TABLE line (id INTEGER PRIMARY KEY, recipe_id INTEGER NOT NULL REFERENCES recipe (id) ON DELETE CASCADE,
      uuid TEXT NOT NULL UNIQUE, name TEXT)
    """

  /// A person sees two recipes: the ingredients of neither are numbered.
  @Test func `only the title of the object itself is numbered`() throws {
    let lines = "INSERT INTO line VALUES (1, 1, 'l1', 'flour'), (2, 1, 'l2', 'eggs')"
    let merges = try Merges(
      Self.schema,
      mine: "INSERT INTO recipe VALUES (1, 'r1', 'Bread'); \(lines)",
      theirs: "INSERT INTO recipe VALUES (1, 'r1', 'White bread'); \(lines)"
    )
    for round in 1...2 {
      try merges.merge(.keepBoth)
      #expect(
        try merges.rows("SELECT title FROM recipe ORDER BY id") == [
          "'Bread'", "'White bread (2)'",
        ],
        "round \(round)"
      )
      #expect(
        try merges.rows("SELECT recipe_id, name FROM line ORDER BY id")
          == ["1,'flour'", "1,'eggs'", "2,'flour'", "2,'eggs'"],
        "round \(round)"
      )
      #expect(try merges.rows("SELECT count(DISTINCT uuid) FROM line") == ["4"])
    }
  }

  /// A line that is kept beside its like for its own sake is one that a person sees.
  @Test func `a part with other values of its own is numbered`() throws {
    let merges = try Merges(
      Self.schema,
      mine:
        "INSERT INTO recipe VALUES (1, 'r1', 'Bread'); INSERT INTO line VALUES (1, 1, 'l1', 'flour')",
      theirs:
        "INSERT INTO recipe VALUES (1, 'r1', 'Bread'); INSERT INTO line VALUES (1, 1, 'l1', 'rye')"
    )
    for _ in 1...2 {
      try merges.merge(.keepBoth)
      #expect(
        try merges.rows("SELECT recipe_id, name FROM line ORDER BY id") == [
          "1,'flour'", "1,'rye (2)'",
        ]
      )
    }
  }

  /// Where only one of two says when it was changed, the one that is there stays.
  @Test(arguments: [
    ("5", "7", "new"), ("7", "5", "old"), ("NULL", "7", "old"), ("5", "NULL", "old"),
    ("'2020-01-02T00:00:00'", "'2020-01-02 10:00:00'", "new"),
  ])
  func `the newest needs both dates`(_ there: String, _ here: String, _ title: String) throws {
    let merges = try Merges(
      "CREATE TABLE note (id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, title TEXT, modified)",
      mine: "INSERT INTO note VALUES (1, 'n', 'old', \(there))",
      theirs: "INSERT INTO note VALUES (1, 'n', 'new', \(here))"
    )
    let report = try merges.merge(.newest)
    #expect(try merges.rows("SELECT title FROM note") == ["'\(title)'"])
    let isUnreported = there == "NULL" || here == "NULL"
    #expect(report.notes.commandLine.contains { $0.contains("no modification time") } == isUnreported)
  }

  @Test(arguments: ["04ad0b6c-53f2-4a1c-9d3e-1f2e3d4c5b6a", "04ad0b6c53f24a1c9d3e1f2e3d4c5b6a"])
  func `a kept copy gets another UUID of the same form`(_ uuid: String) throws {
    let merges = try Merges(
      "CREATE TABLE note (id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, title TEXT)",
      mine: "INSERT INTO note VALUES (1, '\(uuid)', 'a')",
      theirs: "INSERT INTO note VALUES (1, '\(uuid)', 'b')"
    )
    try merges.merge(.keepBoth)
    let forms =
      "SELECT count(DISTINCT uuid), min(length(uuid)), max(length(uuid)), max(uuid GLOB '*[^-0-9a-f]*') FROM note"
    #expect(try merges.rows(forms) == ["2,\(uuid.count),\(uuid.count),0"])
  }
}
