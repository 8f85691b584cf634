import Foundation
import TestSupport
import Testing

/// Conflicts of a three-way merge: listed, decided in a file, and asked about.
@Suite struct ConflictCommandTests {
  private let place: CommandFolder

  private static let schema = """
    CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE recipe (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, title TEXT, year INTEGER, tag INTEGER REFERENCES tag);
    INSERT INTO tag VALUES (1, 'quick'), (2, 'slow'), (3, 'old');
    INSERT INTO recipe VALUES (1, 'a', 'Soup', 1990, 3), (2, 'b', 'Bread', 1991, 3), (3, 'c', 'Cake', 1992, 3), (4, 'd', 'Pie', 1993, 3);
    """
  private static let merge = [
    "merge", "theirs.db", "mine.db", "--merge", "three-way", "--base", "base.db",
  ]

  init() throws {
    place = try CommandFolder()
    let edits = [
      "base.db": "",
      "mine.db": """
      UPDATE recipe SET title = 'Soup m' WHERE id = 1; UPDATE recipe SET tag = 1 WHERE id = 2;
      DELETE FROM recipe WHERE id = 3; UPDATE recipe SET year = 2001 WHERE id = 4;
      """,
      "theirs.db": """
      UPDATE recipe SET title = 'Soup t', year = 2002 WHERE id = 1; UPDATE recipe SET tag = 2 WHERE id = 2;
      UPDATE recipe SET title = 'Cake t' WHERE id = 3; DELETE FROM recipe WHERE id = 4;
      """,
    ]
    for (name, edit) in edits {
      _ = try Program.sqlite3(place.folder.path(name), Self.schema + edit)
    }
  }

  private var recipes: String {
    get throws {
      try Program.sqlite3(
        place.folder.path("mine.db"),
        "SELECT code, title, year, name FROM recipe JOIN tag ON tag.id = tag ORDER BY 1"
      )
    }
  }

  /// Runs `decant` with answers on standard input, written as `printf` takes them.
  private func answering(_ answers: String, _ arguments: [String]) throws -> Program {
    let pipe = "printf '\(answers)' | \"$0\" \"$@\""
    return try Program.run(["sh", "-c", pipe, DecantProgram.path] + arguments, in: place.url)
  }

  private static let before = "a|Soup m|1990|old\nb|Bread|1991|quick\nd|Pie|2001|old"

  /// Lists the conflicts, and lets Python decide them by `take`, a dictionary by the object's title.
  private func decide(_ take: String) throws {
    let run = try place.run(Self.merge + ["--dry-run", "--conflicts", "listed.jsonl"])
    #expect(run.status == 3, "\(run.errors)")
    let script = """
      import json
      take = \(take)
      with open('listed.jsonl') as listed, open('decided.jsonl', 'w') as decided:
          for line in map(json.loads, listed):
              line['take'] = take[line['title']]
              decided.write(json.dumps(line) + '\\n')
      """
    #expect(try Program.run(["python3", "-c", script], in: place.url).status == 0)
  }

  @Test func `what both have changed is listed, for the owner alone, and the objects stay`() throws {
    let run = try place.run(Self.merge + ["--conflicts", "c.jsonl"])
    #expect(run.status == 3, "\(run.errors)")
    #expect(try recipes == Self.before)
    let script = """
      import json, os
      lines = [json.loads(line) for line in open('c.jsonl')]
      print(oct(os.stat('c.jsonl').st_mode & 0o777))
      for l in sorted(lines, key=lambda l: str(l['title'])):
          print(l['kind'], l['title'], l.get('attribute'), l.get('base'), l.get('mine'), l.get('theirs'), l.get('deletedBy'), l['take'])
      """
    let listed = try Program.run(["python3", "-c", script], in: place.url).output
    #expect(
      listed == """
        0o600
        value Bread tag {'key': 3, 'title': 'old'} {'key': 1, 'title': 'quick'} {'key': 2, 'title': 'slow'} None None
        deleted Cake t None None None None mine None
        deleted Pie None None None None theirs None
        value Soup m title Soup Soup m Soup t None None

        """
    )
    let again = try place.run(Self.merge + ["--conflicts", "c.jsonl"])
    #expect(again.status == 64 && again.errors.contains("already exists"))
  }

  @Test(arguments: [
    (
      "{'Bread': 'theirs', 'Cake t': 'theirs', 'Pie': 'theirs', 'Soup m': 'theirs'}",
      "a|Soup t|2002|old\nb|Bread|1991|slow\nc|Cake t|1992|old"
    ),
    (
      "{'Bread': 'mine', 'Cake t': 'mine', 'Pie': 'mine', 'Soup m': 'mine'}",
      "a|Soup m|2002|old\nb|Bread|1991|quick\nd|Pie|2001|old"
    ),
    (
      "{'Bread': 'mine', 'Cake t': 'theirs', 'Pie': 'mine', 'Soup m': {'value': 'Süppchen'}}",
      "a|Süppchen|2002|old\nb|Bread|1991|quick\nc|Cake t|1992|old\nd|Pie|2001|old"
    ),
  ])
  func `decisions are carried out`(take: String, expected: String) throws {
    try decide(take)
    let run = try place.run(Self.merge + ["--decisions", "decided.jsonl"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try recipes == expected)
    #expect(try Program.sqlite3(place.folder.path("mine.db"), "PRAGMA foreign_key_check") == "")
  }

  @Test(arguments: [
    ("", "{'Bread': None, 'Cake t': 'mine', 'Pie': 'mine', 'Soup m': 'mine'}", "“take” is null"),
    ("", "{'Bread': 'mine', 'Cake t': 'mine', 'Pie': 'mine', 'Soup m': {'value': 5}}", "is not text"),
    ("", "{'Bread': 'ours', 'Cake t': 'mine', 'Pie': 'mine', 'Soup m': 'mine'}", "“take” is not"),
    (
      "UPDATE recipe SET title = 'Soup n' WHERE id = 1",
      "{'Bread': 'mine', 'Cake t': 'mine', 'Pie': 'mine', 'Soup m': 'theirs'}",
      "“mine” of recipe 1, title has changed"
    ),
    (
      "UPDATE recipe SET year = 7 WHERE title = 'Pie'",
      "{'Bread': 'mine', 'Cake t': 'mine', 'Pie': 'theirs', 'Soup m': 'mine'}", "a value of recipe"
    ),
  ])
  func `what cannot be carried out changes nothing`(change: String, take: String, words: String) throws {
    try decide(take)
    let mine = place.folder.path("mine.db")
    _ = try Program.sqlite3(mine, change)
    let before = try Data(contentsOf: URL(fileURLWithPath: mine))
    let run = try place.run(Self.merge + ["--decisions", "decided.jsonl"])
    #expect(run.status == 64)
    #expect(run.errors.contains(words) && run.errors.contains("line "), "\(run.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: mine)) == before)
  }

  @Test func `conflicts are decided in portions, each from the file that the last run wrote`() throws {
    try decide("{'Bread': 'theirs', 'Cake t': None, 'Pie': 'mine', 'Soup m': {'value': 'Broth'}}")
    let first = try place.run(Self.merge + ["--decisions", "decided.jsonl", "--conflicts", "rest.jsonl"])
    #expect(first.status == 3, "\(first.errors)")
    let script = """
      import json
      lines = [json.loads(line) for line in open('rest.jsonl')]
      print(sorted((str(l['title']), l['take']) for l in lines if l['take']))
      with open('rest2.jsonl', 'w') as out:
          for l in lines:
              l['take'] = l['take'] or 'theirs'
              out.write(json.dumps(l) + '\\n')
      """
    let listed = try Program.run(["python3", "-c", script], in: place.url)
    #expect(listed.output == "[('Pie', 'mine'), ('Soup m', 'mine')]\n", "\(listed.errors)")
    let second = try place.run(Self.merge + ["--decisions", "rest2.jsonl"])
    #expect(second.status == 0, "\(second.errors)")
    #expect(try recipes == "a|Broth|2002|old\nb|Bread|1991|slow\nc|Cake t|1992|old\nd|Pie|2001|old")
  }

  @Test func `what belongs to a deleted object is no conflict of its own, however much there is`() throws {
    let schema = """
      CREATE TABLE book (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, title TEXT);
      CREATE TABLE page (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE,
        book INTEGER NOT NULL REFERENCES book (id) ON DELETE CASCADE);
      INSERT INTO book VALUES (1, 'a', 'Soups'), (2, 'b', 'Breads');
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
      INSERT INTO page SELECT i, 'p' || i, 1 + (i > 3) FROM n;
      """
    for (name, edit) in [
      ("base", ""), ("mine", "UPDATE book SET title = 'Broths' WHERE id = 1"),
      ("theirs", "PRAGMA foreign_keys = ON; DELETE FROM book WHERE id = 1"),
    ] { _ = try Program.sqlite3(place.folder.path("\(name)-books.db"), schema + edit) }
    let run = try place.run([
      "merge", "theirs-books.db", "mine-books.db", "--merge", "three-way", "--base",
      "base-books.db",
      "--conflicts", "c.jsonl",
    ])
    #expect(run.status == 3, "\(run.errors)")
    let script = """
      import json
      for line in open('c.jsonl'):
          l = json.loads(line)
          print(l['kind'], l['entity'], l['key'], l['deletedBy'], l['values'])
      """
    let listed = try Program.run(["python3", "-c", script], in: place.url).output
    #expect(
      listed
        == "deleted book {'mine': 1, 'theirs': None} theirs {'code': 'a', 'title': 'Broths'}\n"
    )
  }

  @Test func `a pair that was decided and has changed since is refused`() throws {
    let schema = """
      CREATE TABLE note (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c TEXT);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
      INSERT INTO note SELECT i, 'word' || (i * 7919), 'other' || (i * 31), 'c' || i FROM n;
      """
    for (name, edit) in [("mine", ""), ("theirs", "UPDATE note SET c = 'theirs' WHERE id = 3")] {
      _ = try Program.sqlite3(place.folder.path("\(name)-notes.db"), schema + edit)
    }
    let merge = ["merge", "theirs-notes.db", "mine-notes.db", "--merge", "update"]
    #expect(try place.run(merge + ["--conflicts", "c.jsonl"]).status == 3)
    let decide = #"sed 's/"same":null,"take":null/"same":true,"take":"theirs"/' c.jsonl > d.jsonl"#
    #expect(try Program.run(["sh", "-c", decide], in: place.url).status == 0)
    let mine = place.folder.path("mine-notes.db")
    _ = try Program.sqlite3(mine, "UPDATE note SET c = 'new' WHERE id = 3")
    let refused = try place.run(merge + ["--decisions", "d.jsonl"])
    #expect(refused.status == 64 && refused.errors.contains("line 1: a value of note 3"))
    _ = try Program.sqlite3(mine, "UPDATE note SET c = 'c3' WHERE id = 3")
    #expect(try place.run(merge + ["--decisions", "d.jsonl"]).status == 0)
    #expect(try Program.sqlite3(mine, "SELECT c FROM note WHERE id = 3") == "theirs")
  }

  @Test func `an import lists and asks as a merge does`() throws {
    for name in ["base", "theirs"] {
      _ = try place.run(["export", "\(name).db", "\(name).decant", "-q"])
    }
    let arguments = [
      "import", "theirs.decant", "mine.db", "--merge", "three-way", "--base", "base.decant",
    ]
    let dry = try place.run(arguments + ["--dry-run", "--conflicts", "c.jsonl"])
    #expect(dry.status == 3, "\(dry.errors)")
    let lines = try Program.run(["wc", "-l", "c.jsonl"], in: place.url).output
    #expect(lines.hasPrefix("4 "))
    let asked = try answering("t\\nt\\nt\\nt\\n", arguments + ["--resolve"])
    #expect(asked.status == 0, "\(asked.errors)")
    #expect(try recipes == "a|Soup t|2002|old\nb|Bread|1991|slow\nc|Cake t|1992|old")
  }

  @Test func `who ends the questions changes nothing`() throws {
    let run = try answering("t\\nq\\n", Self.merge + ["--resolve"])
    #expect(run.status == 130)
    #expect(try recipes == Self.before)
  }
}
