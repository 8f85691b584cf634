import Foundation
import TestSupport
import Testing

/// Files of decisions as people and their editors leave them, and stores that went on since the conflicts were listed.
@Suite struct DecisionFileTests {
  private let folder: TemporaryFolder

  private static let base = """
    CREATE TABLE recipe (id INTEGER PRIMARY KEY, uuid TEXT UNIQUE, title TEXT);
    CREATE TABLE step (id INTEGER PRIMARY KEY, uuid TEXT UNIQUE, recipe INT NOT NULL REFERENCES recipe (id) ON DELETE CASCADE,
      txt TEXT);
    INSERT INTO recipe VALUES (1, 'r1', 'Dal'), (3, 'r3', 'Tea');
    INSERT INTO step VALUES (3, 'i3', 3, 'boil'), (4, 'i4', 3, 'pour')
    """

  init() throws {
    folder = try TemporaryFolder()
    for (name, change) in [
      ("base", "SELECT 1"),
      ("mine", "UPDATE step SET txt = 'boil gently' WHERE id = 3; UPDATE recipe SET title = 'm' WHERE id = 1"),
      (
        "theirs", "PRAGMA foreign_keys = 1; DELETE FROM recipe WHERE id = 3; UPDATE recipe SET title = 't' WHERE id = 1"
      ),
    ] {
      _ = try Program.sqlite3(folder.path("\(name).db"), "\(Self.base); \(change)")
    }
  }

  private func merge(_ arguments: String...) throws -> Program {
    try Program.run(
      [DecantProgram.path, "merge", "theirs.db", "mine.db", "--base", "base.db"] + arguments, in: folder.url)
  }

  /// Lists the conflicts, and decides each by a Python expression on its line `l`.
  private func decide(_ take: String, _ change: String = "pass") throws {
    #expect(try merge("--conflicts", "c.jsonl").status == 3)
    let script = """
      import json
      with open('c.jsonl') as listed, open('d.jsonl', 'w') as decided:
          for l in map(json.loads, listed):
              l['take'] = \(take)
              decided.write(json.dumps(l) + '\\n')
      text = open('d.jsonl', encoding='utf-8').read()
      \(change)
      open('d.jsonl', 'w', encoding='utf-8').write(text)
      """
    let run = try Program.run(["python3", "-c", script], in: folder.url)
    #expect(run.status == 0, "\(run.errors)")
  }

  private func mine(_ sql: String) throws -> String { try Program.sqlite3(folder.path("mine.db"), sql) }

  @Test(arguments: [
    "UPDATE step SET txt = 'a page of new text' WHERE id = 4", "INSERT INTO step VALUES (9, 'n', 3, 'new')",
    "DELETE FROM step WHERE id = 4",
  ])
  func `a decision to delete is refused if a part has changed since`(_ change: String) throws {
    try decide("'theirs'")
    _ = try mine(change)
    let before = try mine("SELECT * FROM recipe; SELECT * FROM step")
    let run = try merge("--decisions", "d.jsonl")
    #expect(run.status == 64 && run.errors.contains("a part of recipe 3"), "\(run.status) \(run.errors)")
    #expect(try mine("SELECT * FROM recipe; SELECT * FROM step") == before)
  }

  @Test func `a decision to delete is carried out if the parts are as they were`() throws {
    try decide("'theirs'")
    // The title of another object is none of its parts.
    _ = try mine("INSERT INTO recipe VALUES (7, 'r7', 'Pie'); INSERT INTO step VALUES (12, 'i12', 7, 'bake')")
    let run = try merge("--decisions", "d.jsonl")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try mine("SELECT group_concat(id) FROM recipe; SELECT group_concat(id) FROM step") == "1,7\n12")
  }

  @Test func `a byte order mark is no part of the first line`() throws {
    try decide("'mine'", "text = '\\ufeff' + text")
    let run = try merge("--decisions", "d.jsonl")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try mine("SELECT group_concat(title) FROM recipe") == "m,Tea")
  }

  @Test(arguments: [
    ("{'value': 'a\\0b'} if l['kind'] == 'value' else 'mine'", "pass", "the character 0"),
    ("{'value': 'x\\ud800y'} if l['kind'] == 'value' else 'mine'", "pass", "unpaired surrogate"),
    ("{'value': 'x\\udc00y'} if l['kind'] == 'value' else 'mine'", "pass", "unpaired surrogate"),
    (
      "'mine'", "text = text.replace('\"take\": \"mine\"', '\"take\": \"mine\", \"take\": \"theirs\"')",
      "the name “take” appears twice"
    ),
  ])
  func `what would be read otherwise than written is refused`(_ take: String, _ change: String, _ message: String)
    throws
  {
    try decide(take, change)
    let run = try merge("--decisions", "d.jsonl")
    #expect(run.status == 64 && run.errors.contains(message), "\(run.status) \(run.errors)")
    #expect(try mine("SELECT group_concat(title) FROM recipe") == "m,Tea")
  }

  @Test func `a character of two halves is one`() throws {
    try decide("{'value': 'x\\U0001f95ey'} if l['kind'] == 'value' else 'mine'")
    #expect(try merge("--decisions", "d.jsonl").status == 0)
    #expect(try mine("SELECT title FROM recipe WHERE id = 1") == "x🥞y")
  }
}
