import Foundation
import TestSupport
import Testing

/// Three-way merges in which one side removes what the other begins to lead to.
@Suite struct RemovedTargetTests {
  /// How a town leads to its land.
  enum Key: String, CaseIterable {
    case integer = "id INTEGER PRIMARY KEY, code TEXT UNIQUE"
    case text = "id TEXT COLLATE NOCASE PRIMARY KEY, code TEXT UNIQUE"

    var column: String { self == .integer ? "INTEGER" : "TEXT" }
    /// The key of a land, and the same as a link to it writes it.
    func land(_ number: Int) -> String { self == .integer ? "\(number)" : "'l\(number)'" }
    func link(_ number: Int) -> String { self == .integer ? "\(number)" : "'L\(number)'" }
  }

  private static let merge = [
    "merge", "theirs.db", "mine.db", "--merge", "three-way", "--base", "base.db", "--identity",
    "town: name", "--identity", "land: code",
  ]
  private static let towns =
    "SELECT t.name, l.code FROM town AS t LEFT JOIN land AS l ON l.id = t.land ORDER BY 1"

  /// A base and two copies that were edited.
  private func folder(_ base: String, mine: String, theirs: String) throws -> CommandFolder {
    let place = try CommandFolder()
    for (name, edit) in ["base": "", "mine": mine, "theirs": theirs] {
      _ = try Program.sqlite3(place.folder.path("\(name).db"), base + edit)
    }
    return place
  }

  private func folder(_ key: Key) throws -> CommandFolder {
    let base = """
      CREATE TABLE land (\(key.rawValue));
      CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT UNIQUE, land \(key.column) REFERENCES land (id));
      INSERT INTO land VALUES (\(key.land(1)), 'a'), (\(key.land(2)), 'b'), (\(key.land(3)), 'c');
      INSERT INTO town VALUES (1, 'old', \(key.land(1))), (2, 'other', \(key.land(2)));
      """
    return try folder(
      base,
      mine: "DELETE FROM land WHERE code = 'c'",
      theirs: """
        UPDATE town SET land = \(key.link(3)) WHERE name = 'old';
        INSERT INTO town VALUES (7, 'new', \(key.link(3)));
        """
    )
  }

  private func towns(_ place: CommandFolder) throws -> String {
    let path = place.folder.path("mine.db")
    #expect(try Program.sqlite3(path, "PRAGMA foreign_key_check") == "")
    return try Program.sqlite3(path, Self.towns)
  }

  private func conflicts(_ place: CommandFolder) throws -> String {
    String(decoding: try #require(place.content("c.jsonl")), as: UTF8.self)
  }

  /// Writes `take` into each line of the file.
  private func decide(_ text: String, _ take: String, _ place: CommandFolder) throws {
    let decided = text.replacing("\"take\":null", with: "\"take\":\"\(take)\"")
    try Data(decided.utf8).write(to: place.url.appendingPathComponent("c.jsonl"))
  }

  @Test(arguments: Key.allCases)
  func `what theirs leads to since comes back, and is told`(key: Key) throws {
    let place = try folder(key)
    let run = try place.run(Self.merge + ["--json"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.replacing(" ", with: "").contains("\"conflictCount\":1"))
    #expect(try towns(place) == "new|c\nold|c\nother|b")
  }

  @Test(arguments: Key.allCases)
  func `until it is decided the link stays as mine has it`(key: Key) throws {
    let place = try folder(key)
    let listed = try place.run(Self.merge + ["--conflicts", "c.jsonl"])
    #expect(listed.status == 3, "\(listed.errors)")
    #expect(try towns(place) == "new|\nold|a\nother|b")
    let text = try conflicts(place)
    #expect(text.contains("\"deletedBy\":\"mine\"") && text.split(separator: "\n").count == 1)
    try decide(text, "theirs", place)
    let decided = try place.run(Self.merge + ["--decisions", "c.jsonl"])
    #expect(decided.status == 0, "\(decided.errors)")
    #expect(try towns(place) == "new|c\nold|c\nother|b")
  }

  @Test(arguments: Key.allCases)
  func `a deletion that is decided on stands`(key: Key) throws {
    let place = try folder(key)
    _ = try place.run(Self.merge + ["--conflicts", "c.jsonl", "--dry-run"])
    let text = try conflicts(place)
    try decide(text, "mine", place)
    let decided = try place.run(Self.merge + ["--decisions", "c.jsonl"])
    #expect(decided.status == 0, "\(decided.errors)")
    #expect(try towns(place) == "new|\nold|a\nother|b")
  }

  @Test func `an owner is not removed from a part that mine moved into it`() throws {
    let base = """
      CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT UNIQUE);
      CREATE TABLE line (id INTEGER PRIMARY KEY, recipe INTEGER NOT NULL REFERENCES recipe ON DELETE CASCADE, text TEXT UNIQUE);
      INSERT INTO recipe VALUES (1, 'Soup'), (2, 'Bread'), (3, 'Cake');
      INSERT INTO line VALUES (1, 1, 'carrot'), (2, 2, 'flour'), (3, 3, 'sugar');
      """
    let place = try folder(
      base,
      mine: "UPDATE line SET recipe = 2 WHERE id = 1",
      theirs: "DELETE FROM line WHERE recipe = 2; DELETE FROM recipe WHERE id = 2"
    )
    let merge = ["merge", "theirs.db", "mine.db", "--merge", "three-way", "--base", "base.db"]
    _ = try place.run(merge + ["--conflicts", "c.jsonl"])
    let text = try conflicts(place)
    try decide(text, "theirs", place)
    let refused = try place.run(merge + ["--decisions", "c.jsonl"])
    #expect(refused.status == 64)
    #expect(refused.errors.contains("recipe 2 cannot be removed"))
    let rows = try Program.sqlite3(
      place.folder.path("mine.db"),
      "SELECT text, title FROM line JOIN recipe ON recipe.id = recipe ORDER BY 1"
    )
    #expect(rows == "carrot|Bread\nflour|Bread\nsugar|Cake")
  }

  /// A base, the edits of both, the rest of the command, and what a query gives afterwards: worked out by hand.
  struct Scene: CustomTestStringConvertible, Sendable {
    let name: String
    let schema: String
    let mine: String
    let theirs: String
    var options: [String] = []
    /// What is decided about each kind of line; nothing stays undecided where there are decisions.
    var decisions: [String: String] = [:]
    let query: String
    let rows: String
    var testDescription: String { name }
  }

  private static let lands = """
    CREATE TABLE land (id TEXT COLLATE NOCASE PRIMARY KEY, code);
    CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT UNIQUE, land TEXT REFERENCES land);
    INSERT INTO land VALUES ('1x', 'a'), ('2x', 'b'), ('3x', 'c');
    INSERT INTO town VALUES (1, 'old', '1X'), (2, 'other', '2x');
    """
  private static let regions = """
    CREATE TABLE region (c TEXT, r INTEGER, PRIMARY KEY (c, r));
    CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT UNIQUE, c TEXT NOT NULL, r INTEGER, r2 INTEGER,
      FOREIGN KEY (c, r) REFERENCES region, FOREIGN KEY (c, r2) REFERENCES region);
    INSERT INTO region VALUES ('a', 1), ('a', 2), ('b', 1);
    INSERT INTO town VALUES (1, 'old', 'a', 1, NULL);
    """
  private static let all = "SELECT id, name, land FROM town ORDER BY 1"

  static let scenes = [
    Scene(
      name: "mine emptied the link, theirs leads to what mine deleted",
      schema: lands,
      mine: "UPDATE town SET land = NULL WHERE id = 2; DELETE FROM land WHERE id = '3x'",
      theirs: "UPDATE town SET land = '3x' WHERE id = 2",
      decisions: ["deleted": "theirs", "value": "theirs"],
      query: all,
      rows: "1|old|1X\n2|other|3x"
    ),
    Scene(
      name: "both lead elsewhere, theirs to what mine deleted",
      schema: lands,
      mine: "DELETE FROM land WHERE id = '3x'; UPDATE town SET land = '2x' WHERE id = 1",
      theirs: "UPDATE town SET land = '3X' WHERE id = 1",
      decisions: ["deleted": "theirs", "value": "theirs"],
      query: all,
      rows: "1|old|3X\n2|other|2x"
    ),
    Scene(
      name: "a link that is decided to lead to what is decided to stay deleted",
      schema: lands,
      mine: "DELETE FROM land WHERE id = '3x'; UPDATE town SET land = '2x' WHERE id = 1",
      theirs: "UPDATE town SET land = '3X' WHERE id = 1",
      decisions: ["deleted": "mine", "value": "theirs"],
      query: all,
      rows: "1|old|2x\n2|other|2x"
    ),
    Scene(
      name: "what leads there is left out by a condition",
      schema: lands,
      mine: "DELETE FROM land WHERE id = '3x'",
      theirs: "INSERT INTO town VALUES (7, 'new', '3x')",
      options: ["--where", "town: name <> 'new'"],
      query: "SELECT count(*) FROM land",
      rows: "2"
    ),
    Scene(
      name: "what leads there keeps its link by its own policy",
      schema: lands,
      mine: "DELETE FROM land WHERE id = '3x'",
      theirs: "UPDATE town SET land = '3x' WHERE id = 1",
      options: ["--merge", "town: skip"],
      query: "SELECT count(*) FROM land",
      rows: "2"
    ),
    Scene(
      name: "a link of two columns, one of which another link needs",
      schema: regions,
      mine: "DELETE FROM region WHERE r = 2",
      theirs: "INSERT INTO town VALUES (7, 'new', 'a', 1, 2)",
      decisions: ["deleted": "mine"],
      query: "SELECT * FROM town ORDER BY 1",
      rows: "1|old|a|1|\n7|new|a|1|"
    ),
  ]

  @Test(arguments: scenes)
  func `what both did`(scene: Scene) throws {
    let place = try folder(scene.schema, mine: scene.mine, theirs: scene.theirs)
    let merge =
      ["merge", "theirs.db", "mine.db", "--merge", "three-way", "--base", "base.db"]
      + scene.options
    if scene.decisions.isEmpty {
      let run = try place.run(merge)
      #expect(run.status == 0, "\(run.errors)")
    } else {
      let listed = try place.run(merge + ["--conflicts", "c.jsonl"])
      #expect(listed.status == 3, "\(listed.errors)")
      let lines = try conflicts(place).split(separator: "\n").map(String.init).map { line in
        let kind = try #require(scene.decisions.keys.first { line.contains("\"kind\":\"\($0)\"") })
        let take = scene.decisions[kind] ?? ""
        return line.replacing("\"take\":null", with: "\"take\":\"\(take)\"")
      }
      #expect(lines.count == scene.decisions.count)
      try Data(lines.joined(separator: "\n").utf8)
        .write(to: place.url.appendingPathComponent("c.jsonl"))
      let decided = try place.run(merge + ["--decisions", "c.jsonl"])
      #expect(decided.status == 0, "\(decided.errors)")
    }
    #expect(try Program.sqlite3(place.folder.path("mine.db"), scene.query) == scene.rows)
  }

  @Test(arguments: ["INTEGER", "TEXT"])
  func `what comes back waits for what it leads to`(type: String) throws {
    let base = """
      CREATE TABLE part (id \(type) PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE land (id \(type) PRIMARY KEY, code TEXT UNIQUE, part \(type) REFERENCES part);
      CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT UNIQUE, land \(type) REFERENCES land);
      INSERT INTO part VALUES (1, 'E'), (2, 'A'); INSERT INTO land VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 2);
      INSERT INTO town VALUES (1, 'old', 1), (2, 'other', 1);
      """
    let place = try folder(
      base,
      mine: "DELETE FROM land WHERE part = 2; DELETE FROM part WHERE id = 2",
      theirs: "UPDATE town SET land = 3 WHERE id = 1"
    )
    let merge = ["merge", "theirs.db", "mine.db", "--merge", "three-way", "--base", "base.db"]
    _ = try place.run(merge + ["--conflicts", "c.jsonl"])
    let lines = try conflicts(place).split(separator: "\n").map(String.init).map { line in
      line.contains("\"entity\":\"land\"")
        ? line.replacing("\"take\":null", with: "\"take\":\"theirs\"") : line
    }
    #expect(lines.count == 2)
    try Data(lines.joined(separator: "\n").utf8)
      .write(to: place.url.appendingPathComponent("c.jsonl"))
    let first = try place.run(merge + ["--decisions", "c.jsonl", "--conflicts", "d.jsonl"])
    #expect(first.status == 3, "\(first.errors)")
    let rest = try #require(place.content("d.jsonl"))
    try decide(String(decoding: rest, as: UTF8.self), "theirs", place)
    let second = try place.run(merge + ["--decisions", "c.jsonl"])
    #expect(second.status == 0, "\(second.errors)")
    let rows = try Program.sqlite3(
      place.folder.path("mine.db"),
      "SELECT t.name, l.code, p.name FROM town AS t JOIN land AS l ON l.id = t.land JOIN part AS p ON p.id = l.part ORDER BY 1"
    )
    #expect(rows == "old|c|A\nother|a|E")
  }
}
