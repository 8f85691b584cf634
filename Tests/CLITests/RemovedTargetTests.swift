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

  private func folder(_ key: Key) throws -> CommandFolder {
    let place = try CommandFolder()
    let base = """
      CREATE TABLE land (\(key.rawValue));
      CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT UNIQUE, land \(key.column) REFERENCES land (id));
      INSERT INTO land VALUES (\(key.land(1)), 'a'), (\(key.land(2)), 'b'), (\(key.land(3)), 'c');
      INSERT INTO town VALUES (1, 'old', \(key.land(1))), (2, 'other', \(key.land(2)));
      """
    let edits = [
      "base": "", "mine": "DELETE FROM land WHERE code = 'c'",
      "theirs": """
      UPDATE town SET land = \(key.link(3)) WHERE name = 'old';
      INSERT INTO town VALUES (7, 'new', \(key.link(3)));
      """,
    ]
    for (name, edit) in edits {
      _ = try Program.sqlite3(place.folder.path("\(name).db"), base + edit)
    }
    return place
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
    let place = try CommandFolder()
    let base = """
      CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT UNIQUE);
      CREATE TABLE line (id INTEGER PRIMARY KEY, recipe INTEGER NOT NULL REFERENCES recipe ON DELETE CASCADE, text TEXT UNIQUE);
      INSERT INTO recipe VALUES (1, 'Soup'), (2, 'Bread'), (3, 'Cake');
      INSERT INTO line VALUES (1, 1, 'carrot'), (2, 2, 'flour'), (3, 3, 'sugar');
      """
    let edits = [
      "base": "", "mine": "UPDATE line SET recipe = 2 WHERE id = 1",
      "theirs": "DELETE FROM line WHERE recipe = 2; DELETE FROM recipe WHERE id = 2",
    ]
    for (name, edit) in edits {
      _ = try Program.sqlite3(place.folder.path("\(name).db"), base + edit)
    }
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
}
