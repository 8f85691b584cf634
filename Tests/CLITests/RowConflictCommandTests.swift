import Foundation
import TestSupport
import Testing

/// Three-way merges of rows without an integer key: listed and decided like those of all others.
@Suite struct RowConflictCommandTests {
  private let place: CommandFolder

  /// The keys of recipes are other ones in each database: the codes tell them.
  private static let schema = """
    CREATE TABLE recipe (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE);
    CREATE TABLE land (code TEXT COLLATE NOCASE PRIMARY KEY, name TEXT, size REAL, dish INTEGER REFERENCES recipe)
      WITHOUT ROWID;
    CREATE TABLE line (recipe INTEGER NOT NULL REFERENCES recipe, place INTEGER NOT NULL, text TEXT, amount INTEGER,
      PRIMARY KEY (recipe, place)) WITHOUT ROWID;
    """
  private static let merge = [
    "merge", "theirs.db", "mine.db", "--merge", "three-way", "--base", "base.db",
  ]

  init() throws {
    place = try CommandFolder()
    let edits = [
      ("base", [1, 2], ""),
      (
        "mine", [7, 5],
        """
        UPDATE land SET name = 'Germany' WHERE code = 'de'; UPDATE land SET size = 2 WHERE code = 'fr';
        UPDATE land SET dish = 5 WHERE code = 'it'; DELETE FROM land WHERE code IN ('es', 'pt');
        UPDATE land SET size = 9 WHERE code = 'pl'; INSERT INTO land VALUES ('no', 'Norway', 7, NULL);
        UPDATE line SET amount = 10 WHERE recipe = 7 AND place = 1; DELETE FROM line WHERE recipe = 5 AND place = 2;
        """
      ),
      (
        "theirs", [3, 4],
        """
        UPDATE land SET name = 'Allemagne', size = 3 WHERE code = 'de'; UPDATE land SET dish = 4 WHERE code = 'FR';
        UPDATE land SET dish = NULL WHERE code = 'it'; UPDATE land SET name = 'España' WHERE code = 'es';
        DELETE FROM land WHERE code IN ('pl', 'dk'); INSERT INTO land VALUES ('NO', 'Norge', 7, 3), ('se', 'Sweden', 8, 4);
        UPDATE line SET amount = 20, text = 'Rye' WHERE recipe = 3 AND place = 1; DELETE FROM line WHERE recipe = 3 AND place = 2;
        """
      ),
    ]
    for (name, recipes, edit) in edits {
      let (bread, cake) = (recipes[0], recipes[1])
      let rows = """
        INSERT INTO recipe VALUES (\(bread), 'Bread'), (\(cake), 'Cake');
        INSERT INTO land VALUES ('de', 'Deutschland', 1, \(bread)), ('fr', 'France', 1, \(bread)), ('it', 'Italia', 1, \(bread)),
          ('es', 'Spain', 1, NULL), ('pt', 'Portugal', 1, NULL), ('pl', 'Poland', 1, NULL), ('dk', 'Denmark', 1, NULL);
        INSERT INTO line VALUES (\(bread), 1, 'Flour', 1), (\(bread), 2, 'Salt', 2), (\(cake), 1, 'Egg', 3), (\(cake), 2, 'Oil', 4);
        """
      _ = try Program.sqlite3(place.folder.path("\(name).db"), Self.schema + rows + edit)
    }
  }

  private var rows: String {
    get throws {
      try Program.sqlite3(
        place.folder.path("mine.db"),
        """
        SELECT l.code, name, size, r.code FROM land AS l LEFT JOIN recipe AS r ON r.id = dish ORDER BY 1;
        SELECT r.code, place, text, amount FROM line JOIN recipe AS r ON r.id = recipe ORDER BY 1, 2
        """
      )
    }
  }

  private static let before = """
    de|Germany|3.0|Bread
    fr|France|2.0|Cake
    it|Italia|1.0|Cake
    no|Norway|7.0|Bread
    pl|Poland|9.0|
    se|Sweden|8.0|Cake
    Bread|1|Rye|10
    Cake|1|Egg|3
    """

  @Test func `what both have changed is listed by its key`() throws {
    let script = """
      import json
      for l in sorted(map(json.loads, open('c.jsonl')), key=lambda l: (l['entity'], str(l['key']))):
          print(l['kind'], l['entity'], l['key']['mine'], l['key']['theirs'], l.get('attribute'), l.get('base'),
            l.get('mine'), l.get('theirs'), l.get('deletedBy'))
      """
    let dry = try place.run(Self.merge + ["--conflicts", "c.jsonl", "--dry-run"])
    #expect(dry.status == 3, "\(dry.errors)")
    let listed = try Program.run(["python3", "-c", script], in: place.url).output
    #expect(
      listed == """
        deleted land None ['es'] None None None None mine
        value land ['de'] ['de'] name Deutschland Germany Allemagne None
        value land ['it'] ['it'] dish {'key': 1} {'key': 5} None None
        value land ['no'] ['NO'] code None no NO None
        value land ['no'] ['NO'] name None Norway Norge None
        deleted land ['pl'] None None None None None theirs
        value line [7, 1] [3, 1] amount 1 10 20 None

        """
    )
  }

  @Test(arguments: ["mine", "theirs"])
  func `decisions are carried out`(take: String) throws {
    let listed = try place.run(Self.merge + ["--conflicts", "c.jsonl", "--dry-run"])
    #expect(listed.status == 3, "\(listed.errors)")
    let script = "sed -i 's/\"take\":null/\"take\":\"\(take)\"/' c.jsonl"
    #expect(try Program.run(["sh", "-c", script], in: place.url).status == 0)
    let run = try place.run(Self.merge + ["--decisions", "c.jsonl"])
    #expect(run.status == 0, "\(run.errors)")
    let theirs = """
      de|Allemagne|3.0|Bread
      es|España|1.0|
      fr|France|2.0|Cake
      it|Italia|1.0|
      NO|Norge|7.0|Bread
      se|Sweden|8.0|Cake
      Bread|1|Rye|20
      Cake|1|Egg|3
      """
    #expect(try rows == (take == "mine" ? Self.before : theirs))
    #expect(try Program.sqlite3(place.folder.path("mine.db"), "PRAGMA foreign_key_check") == "")
  }

  @Test func `a key without a text cannot be there twice, and the remedy is named`() throws {
    let run = try place.run(Self.merge)
    #expect(run.status == 64)
    #expect(run.errors.contains("line") && run.errors.contains("--conflicts"))
  }
}
