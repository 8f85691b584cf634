import TestSupport
import Testing

/// Plain databases have tables, rows, columns and keys; only Core Data stores have entities and objects.
@Suite struct PlainWordsTests {
  private let place: CommandFolder

  init() throws {
    place = try CommandFolder()
    let schema = """
      CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, team INTEGER REFERENCES team(id));
      CREATE TABLE word (word TEXT PRIMARY KEY, count INT) WITHOUT ROWID;
      CREATE TABLE token (id BLOB PRIMARY KEY, count INT) WITHOUT ROWID;
      CREATE VIEW small AS SELECT * FROM team;
      INSERT INTO team VALUES (20, 'Reds'), (21, 'Blues');
      INSERT INTO player VALUES (1, 'Ann', 20), (2, 'Bob', 21);
      INSERT INTO word VALUES ('kept', 1), ('changed', 1), ('gone', 1);
      INSERT INTO token VALUES (x'00112233445566778899AABBCCDDEEFF', 1);
      """
    _ = try Program.sqlite3(place.folder.path("a.db"), schema)
    _ = try Program.sqlite3(
      place.folder.path("b.db"),
      schema + """
        UPDATE team SET name = 'Greens' WHERE id = 20; DELETE FROM player WHERE id = 2;
        UPDATE word SET count = 2 WHERE word = 'changed'; DELETE FROM word WHERE word = 'gone';
        UPDATE token SET count = 2;
        """
    )
  }

  private static let calls: [[String]] = [
    ["inspect", "a.db"], ["inspect", "a.db", "--verbose"],
    ["inspect", "a.db", "--entity", "nosuch"],
    ["diff", "a.db", "b.db"], ["diff", "a.db", "b.db", "--verbose"], ["diff", "a.db", "a.db"],
    ["diff", "a.db", "b.db", "--entity", "nosuch"], ["verify", "a.db", "b.db"],
    ["verify", "a.db", "a.db"], ["query", "a.db", "SELECT * FROM nosuch"],
    ["copy", "a.db", "n.db", "--dry-run"], ["copy", "a.db", "n.db", "--where", "nosuch: 1"],
    ["copy", "a.db", "n.db", "--root", "nosuch: 1"], ["copy", "a.db", "n.db"],
    ["merge", "b.db", "a.db", "--dry-run"], ["merge", "b.db", "a.db", "--why", "team 20"],
    ["merge", "b.db", "a.db", "--why", "team 99"], ["merge", "b.db", "a.db", "--why", "nosuch 1"],
    ["merge", "b.db", "a.db", "--merge", "nosuch: skip"],
    ["merge", "b.db", "a.db", "--identity", "team: nosuch"],
    ["merge", "b.db", "a.db", "--merge", "team: newest"],
    ["merge", "b.db", "a.db", "--merge", "newest"],
  ]

  @Test(arguments: calls) func `a plain database has rows in tables`(_ call: [String]) throws {
    let run = try place.run(call)
    let text = run.output + run.errors
    let words = text.matches(of: /\b(entity|entities|objects?|attributes?|relationships?|p[0-9]+)\b/)
      .filter { !call.contains("--entity") || $0.0 != "entity" }
    #expect(words.isEmpty, "\(text)")
  }

  @Test func `keys are written as their columns hold them`() throws {
    for verb in ["diff", "verify"] {
      let text = try place.run([verb, "a.db", "b.db"]).output
      for row in ["team key 20", "player key 2", "word key “changed”", "word key “gone”"] {
        #expect(text.contains(row), "\(text)")
      }
      #expect(text.contains("token key 00112233-4455-6677-8899-AABBCCDDEEFF"), "\(text)")
    }
    let why = try place.run(["merge", "b.db", "a.db", "--why", "player 1"])
    #expect(why.output.hasPrefix("player key 1 of “b.db”"), "\(why.output + why.errors)")
  }

  /// Where a condition leaves out what a link must lead to, the advice is a command that works.
  @Test(arguments: [("copy", "n.db"), ("export", "n.html"), ("export", "n.decant")])
  func `a required link names the roots that work`(_ verb: String, _ target: String) throws {
    _ = try Program.sqlite3(
      place.folder.path("r.db"),
      """
      CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE player (id INTEGER PRIMARY KEY, team INTEGER NOT NULL REFERENCES team(id) ON DELETE CASCADE);
      INSERT INTO team VALUES (1, 'Reds'), (2, 'Blues');
      INSERT INTO player VALUES (11, 1), (12, 2), (13, 2);
      """
    )
    let run = try place.run([verb, "r.db", target, "--where", "team: name = 'Reds'"])
    #expect(run.status == 1)
    #expect(run.errors.contains("player key 12"), "\(run.errors)")
    let advice = try #require(run.errors.firstMatch(of: /--root '(.*)' instead of --where/))
    let condition = String(advice.1).replacing(#"'\''"#, with: "'")
    let second = try place.run([verb, "r.db", target, "--root", condition])
    #expect(second.status == 0, "\(second.errors)")
    if verb == "export" {
      #expect(try place.run(["import", target, "n.db"]).status == 0)
    }
    let rows = try Program.sqlite3(place.folder.path("n.db"), "SELECT id, team FROM player")
    #expect(rows == "11|1")
  }

  @Test func `a Core Data store has objects of entities`() throws {
    _ = try Program.sqlite3(place.folder.path("Guests.sqlite"), "UPDATE ZTAG SET ZNAME = 'new' WHERE Z_PK = 1")
    let text = try place.run(["inspect", "Guests.sqlite", "--verbose"]).output
    for word in ["entity", "objects", "attribute", "relationship"] { #expect(text.contains(word)) }
    #expect(!text.contains(/\b(rows|columns|tables)\b/))
    #expect(try place.run(["diff", "Guests.sqlite", "Kitchen.sqlite"]).output.contains(/Tag p[0-9]/))
  }
}
