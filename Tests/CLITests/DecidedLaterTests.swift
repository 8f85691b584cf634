import TestSupport
import Testing

/// Decisions that are carried out on what the run left that listed the conflicts.
@Suite struct DecidedLaterTests {
  private let place: CommandFolder

  private static let schema = """
    CREATE TABLE category (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, color TEXT);
    CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT, year INTEGER,
      category INTEGER REFERENCES category ON DELETE SET NULL);
    CREATE TABLE line (id INTEGER PRIMARY KEY, text TEXT, amount REAL,
      recipe INTEGER NOT NULL REFERENCES recipe ON DELETE CASCADE);
    INSERT INTO category VALUES (1, 'soup', 'red'), (2, 'cake', 'blue');
    INSERT INTO recipe VALUES (1, 'a', 1901, 1), (2, 'b', 1902, 2), (3, 'c', 1903, 2), (4, 'd', 1904, 2);
    INSERT INTO line VALUES (1, 'l1', 1.5, 1), (2, 'l2', 2.5, 2), (3, 'l3', 3.5, 3), (4, 'l4', 4.5, 4);
    """
  private static let merge = [
    "merge", "theirs.db", "mine.db", "--merge", "three-way", "--base", "base.db",
  ]

  init() throws { place = try CommandFolder() }

  /// Lists the conflicts between two edited copies, and decides all of them for theirs; `isListedOnly` leaves mine as it is
  /// until then.
  private func decide(mine: String, theirs: String, isListedOnly: Bool) throws -> [String] {
    for (name, edit) in [("base.db", ""), ("mine.db", mine), ("theirs.db", theirs)] {
      let foreignKeys = "PRAGMA foreign_keys = ON;"
      _ = try Program.sqlite3(place.folder.path(name), foreignKeys + Self.schema + edit)
    }
    let listing = Self.merge + ["--conflicts", "c.jsonl"] + (isListedOnly ? ["--dry-run"] : [])
    #expect(try place.run(listing).status == 3)
    let script = """
      import json
      lines = [json.loads(line) | {'take': 'theirs'} for line in open('c.jsonl')]
      open('d.jsonl', 'w').write(''.join(json.dumps(line) + '\\n' for line in lines))
      print(*sorted(f"{l['kind']} {l['entity']} {l['title']} {l.get('attribute', '')}" for l in lines), sep=', ')
      """
    let listed = try Program.run(["python3", "-c", script], in: place.url)
    let run = try place.run(Self.merge + ["--decisions", "d.jsonl"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try Program.sqlite3(place.folder.path("mine.db"), "PRAGMA foreign_key_check") == "")
    return listed.output.split(separator: "\n").map(String.init)
  }

  private func rows(_ query: String) throws -> [String] {
    try Program.sqlite3(place.folder.path("mine.db"), query).split(separator: "\n").map(String.init)
  }

  /// What theirs added under a category in conflict was written without it, and gets it later.
  @Test(arguments: [true, false])
  func `a row whose link waited for a decision comes once`(isListedOnly: Bool) throws {
    let listed = try decide(
      mine: "DELETE FROM category WHERE id = 1",
      theirs: """
        UPDATE category SET color = 'green' WHERE id = 1;
        INSERT INTO recipe VALUES (5, 'e', 1905, 1); INSERT INTO line VALUES (5, 'l5', 5.5, 5)
        """,
      isListedOnly: isListedOnly
    )
    #expect(listed == ["deleted category soup "])
    #expect(
      try rows(
        """
        SELECT title, color, text FROM recipe LEFT JOIN category ON category.id = category
        JOIN line ON recipe = recipe.id WHERE title IN ('a', 'e') ORDER BY 1
        """
      ) == ["a||l1", "e|green|l5"]
    )
  }

  /// Mine made a post of what theirs made another photo of.
  @Test(arguments: [
    (["theirs", "theirs", "theirs"], 0, "Photo|2"), (["mine", "mine", "mine"], 0, "Post|1"),
    (["theirs", "mine", "theirs"], 64, "Post|1"), (["value", "mine", "mine"], 64, "Post|1"),
  ]) func `a link and its type are decided together`(takes: [String], status: Int32, row: String) throws {
    for (name, edit) in [
      ("base.db", ""), ("mine.db", "UPDATE comment SET type = 'Post', number = 1"),
      ("theirs.db", "UPDATE comment SET number = 2"),
    ] {
      _ = try Program.sqlite3(
        place.folder.path(name),
        """
        CREATE TABLE photo (id INTEGER PRIMARY KEY, title TEXT); CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT);
        CREATE TABLE comment (id INTEGER PRIMARY KEY, text TEXT, type TEXT, number INTEGER);
        INSERT INTO photo VALUES (1, 'sea'), (2, 'hill'); INSERT INTO post VALUES (1, 'hello'), (2, 'bye');
        INSERT INTO comment VALUES (1, 'nice', 'Photo', 1); \(edit)
        """
      )
    }
    let links = ["photo", "post"].flatMap { table in
      ["--link", "comment.number -> \(table) WHERE type = \"\(table.prefix(1).uppercased())\(table.dropFirst())\""]
    }
    #expect(try place.run(Self.merge + links + ["--conflicts", "c.jsonl"]).status == 3)
    let script = """
      import json
      lines = [json.loads(line) for line in open('c.jsonl')]
      for line, take in zip(lines, \(takes)): line['take'] = {'value': 'Film'} if take == 'value' else take
      open('d.jsonl', 'w').write(''.join(json.dumps(line) + '\\n' for line in lines))
      print(*sorted(f"{l['attribute']} {json.dumps(l['base'])}" for l in lines), sep='; ')
      """
    let listed = try Program.run(["python3", "-c", script], in: place.url).output
    #expect(
      listed == #"photo (number) {"key": 1, "title": "sea"}; post (number) null; type "Photo""# + "\n")
    let run = try place.run(Self.merge + links + ["--decisions", "d.jsonl"])
    #expect(run.status == status, "\(run.errors)")
    #expect(status == 0 || run.errors.contains("have one meaning together"), "\(run.errors)")
    #expect(try rows("SELECT type, number FROM comment") == [row])
  }

  /// Mine deleted the recipe to which theirs moved a line; mine moved that one elsewhere.
  @Test(arguments: [true, false])
  func `a part that both moved is in conflict, though its owner is as well`(isListedOnly: Bool) throws {
    let listed = try decide(
      mine: "UPDATE line SET recipe = 1 WHERE id = 3; DELETE FROM recipe WHERE id = 2",
      theirs: "UPDATE line SET recipe = 2 WHERE id = 3",
      isListedOnly: isListedOnly
    )
    #expect(listed == ["deleted recipe b , value line None recipe"])
    #expect(
      try rows("SELECT title, text FROM line JOIN recipe ON recipe.id = recipe ORDER BY 1, 2")
        == ["a|l1", "b|l2", "b|l3", "d|l4"]
    )
  }
}
