import TestSupport
import Testing

/// A base that lacks a table or a column is no base for that.
@Suite struct BaseGapTests {
  private let place: CommandFolder

  private static let recipe = """
    CREATE TABLE recipe (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, title TEXT, year INTEGER);
    INSERT INTO recipe VALUES (1, 'a', 'Soup', 1901), (2, 'b', 'Bread', 1902), (3, 'c', 'Cake', 1903);
    """
  private static let tag = """
    CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, color TEXT);
    INSERT INTO tag VALUES (1, 't1', 'red'), (2, 't2', NULL), (3, 't3', 'green');
    """
  private static let merge = [
    "merge", "theirs.db", "mine.db", "--merge", "three-way", "--base", "base.db",
  ]

  init() throws { place = try CommandFolder() }

  /// Mine and theirs hold both tables, and each was edited; `base` is the SQL of the base.
  private func make(base: String) throws {
    let databases = [
      "base.db": base,
      "mine.db": Self.recipe + Self.tag + """
        UPDATE recipe SET title = 'Soup m' WHERE id = 1; UPDATE recipe SET year = NULL WHERE id = 2;
        UPDATE tag SET color = 'blue' WHERE id = 2; DELETE FROM tag WHERE id = 1;
        """,
      "theirs.db": Self.recipe + Self.tag + """
        UPDATE recipe SET year = 2001 WHERE id = 3; UPDATE recipe SET title = 'Bread t' WHERE id = 2;
        """,
    ]
    for (name, sql) in databases { _ = try Program.sqlite3(place.folder.path(name), sql) }
  }

  private func rows(_ query: String) throws -> [String] {
    try Program.sqlite3(place.folder.path("mine.db"), query).split(separator: "\n").map(String.init)
  }

  @Test func `the rows of a table that it lacks are what both have added`() throws {
    try make(base: Self.recipe)
    for _ in 0..<2 {
      let run = try place.run(Self.merge)
      #expect(run.status == 0, "\(run.errors)")
      #expect((run.output + run.errors).contains("“base.db” is not a base for tag"))
      #expect(
        try rows("SELECT code, title, year FROM recipe ORDER BY 1")
          == ["a|Soup m|1901", "b|Bread t|", "c|Cake|2001"]
      )
      #expect(try rows("SELECT name, color FROM tag ORDER BY 1") == ["t1|red", "t2|blue", "t3|green"])
    }
  }

  @Test func `of a column that it lacks values are taken where there are none`() throws {
    try make(
      base: """
        CREATE TABLE recipe (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, title TEXT);
        INSERT INTO recipe VALUES (1, 'a', 'Soup'), (2, 'b', 'Bread'), (3, 'c', 'Cake');
        """ + Self.tag
    )
    let run = try place.run(Self.merge + ["--conflicts", "c.jsonl"])
    #expect(run.status == 3, "\(run.errors)")
    #expect((run.output + run.errors).contains("“base.db” is not a base for recipe.year"))
    #expect(
      try rows("SELECT code, title, year FROM recipe ORDER BY 1")
        == ["a|Soup m|1901", "b|Bread t|1902", "c|Cake|1903"]
    )
    #expect(try rows("SELECT name, color FROM tag ORDER BY 1") == ["t2|blue", "t3|green"])
    let script = """
      import json
      for line in map(json.loads, open('c.jsonl')):
          print(line['kind'], line['title'], line['attribute'], line['base'], line['mine'], line['theirs'])
      """
    let listed = try Program.run(["python3", "-c", script], in: place.url).output
    #expect(listed == "value Cake year None 1903 2001\n")
  }

  @Test func `a base that has nothing of the stores is refused`() throws {
    try make(base: "CREATE TABLE other (id INTEGER PRIMARY KEY, name TEXT)")
    let run = try place.run(Self.merge)
    #expect(run.status == 64 && run.errors.contains("has no object of"), "\(run.errors)")
  }
}
