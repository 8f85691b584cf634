import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Keys that stand alone, in plain databases.
@Suite struct RepointKeyTests {
  let folder: TemporaryFolder
  private var notes: String { folder.path("notes.db") }
  private var ids: String { folder.path("ids.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    // Keys 1 to 6 became 3 to 8: most are both old and new.
    _ = try Program.sqlite3(
      ids,
      """
      CREATE TABLE ids (entity TEXT NOT NULL, source, destination, count INTEGER NOT NULL,
        outcome TEXT NOT NULL);
      CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT);
      INSERT INTO about VALUES ('source.kind', 'sqlite'), ('source.uuid', ''),
        ('destination.kind', 'sqlite'), ('destination.uuid', ''), ('plan', 'p'), ('time', 't');
      INSERT INTO ids VALUES ('Recipe', 1, 3, 6, 'copied'), ('Tag', 1, 101, 2, 'copied'),
        ('Word', 'a', 'z', 1, 'copied'), ('Word', 'b', NULL, 1, 'rejected')
      """
    )
  }

  private func make(_ sql: String) throws { _ = try Program.sqlite3(notes, sql) }

  private func values(_ sql: String) throws -> [String] {
    try Program.sqlite3(notes, sql, isQuoted: true).split(separator: "\n").map(String.init)
  }

  private func run(
    _ places: [ReferencePlace],
    _ configure: (inout Repoint) -> Void = { _ in }
  ) throws -> RepointReport {
    var repoint = Repoint(notes, at: places)
    repoint.idTableFile = ids
    configure(&repoint)
    return try repoint.run()
  }

  private static let recipeKey = ReferencePlace(Property("note", "recipe_key"), to: .entity("Recipe"))

  @Test func `keys of a place that has another name since are not taken for old ones`() throws {
    try make(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, recipe_key INTEGER, other INTEGER);
      INSERT INTO note (recipe_key) VALUES (1), (2)
      """
    )
    _ = try run([Self.recipeKey])
    let keys = try values("SELECT recipe_key FROM note")
    #expect(keys == ["3", "4"])
    // What a migration does: the mark goes along, the column is called otherwise.
    try make("ALTER TABLE note RENAME COLUMN recipe_key TO dish_key")
    let place = ReferencePlace(Property("note", "dish_key"), to: .entity("Recipe"))
    let error = #expect(throws: DecantError.self) { _ = try run([place]) }
    #expect(error?.message.contains("keys in note.recipe_key were already repointed for this copy") == true)
    #expect(try values("SELECT dish_key FROM note") == keys)
    try make("DELETE FROM decant_repointed WHERE attribute = 'note.recipe_key'")
    #expect(try run([place]).changedCount == 2)
    #expect(try values("SELECT dish_key FROM note") == ["5", "6"])
  }

  @Test(arguments: [1, 2, 1_000])
  func `keys that are old and new at once follow the table once`(batchSize: Int64) throws {
    // Unique: on the way some keys are those of rows that are still to be changed.
    try make(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, recipe_key INTEGER UNIQUE);
      INSERT INTO note (recipe_key) VALUES (1), (2), (3), (4), (5), (6), (NULL)
      """
    )
    // What only another changing row has is free then.
    #expect(try run([Self.recipeKey]) { $0.isDryRun = true }.changedCount == 6)
    let first = try run([Self.recipeKey]) { $0.batchSize = batchSize }
    #expect(first.places[0].changedCount == 6 && first.isVerified)
    #expect(
      try values("SELECT recipe_key FROM note ORDER BY id") == [
        "3", "4", "5", "6", "7", "8", "NULL",
      ]
    )
    let again = try run([Self.recipeKey]) { $0.batchSize = batchSize }
    #expect(again.changedCount == 0 && again.places[0].settledCount == 6)
    #expect(again.notes.commandLine.contains { $0.contains("were already repointed for this copy") })
    // A reference that came later is an old one where the copy gave nobody its key.
    try make("INSERT INTO note (recipe_key) VALUES (1), (77)")
    _ = try Program.sqlite3(notes, "UPDATE note SET recipe_key = NULL WHERE recipe_key = 3")
    let later = try run([Self.recipeKey])
    #expect(later.changedCount == 1 && later.places[0].keptCounts == [.notInTable: 1])
    #expect(
      try values("SELECT recipe_key FROM note ORDER BY id")
        == ["NULL", "4", "5", "6", "7", "8", "NULL", "3", "77"]
    )
  }

  @Test func `a key that a kept reference has already ends the run`() throws {
    try make(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, recipe_key INTEGER UNIQUE);
      INSERT INTO note (recipe_key) VALUES (1), (6), (8)
      """
    )
    let error = try failure { _ = try run([Self.recipeKey]) { $0.keepsBackup = true } }
    #expect(error.family == .failed)
    #expect(error.message == "cannot change note: two objects would have the same recipe_key")
    let foretold = try failure { _ = try run([Self.recipeKey]) { $0.isDryRun = true } }
    #expect(foretold.family == .failed && foretold.message == error.message)
    #expect(foretold.place == error.place && foretold.remedy == error.remedy)
    #expect(try values("SELECT recipe_key FROM note ORDER BY id") == ["1", "6", "8"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        == ["ids.sqlite", "notes.db"]
    )
  }

  @Test(arguments: [
    // Two changed rows, and one that stays; told as the index compares.
    ("CREATE UNIQUE INDEX u ON note (object)", "('p11'), ('p12')", true),
    ("CREATE UNIQUE INDEX u ON note (object)", "('p6'), ('p8')", true),
    ("CREATE UNIQUE INDEX u ON note (object)", "('p6'), ('P8')", false),
    ("CREATE UNIQUE INDEX u ON note (object COLLATE NOCASE)", "('p6'), ('P8')", true),
    ("CREATE UNIQUE INDEX u ON note (object)", "('p2'), ('p4'), ('p6')", false),
    // Beside another column.
    ("CREATE UNIQUE INDEX u ON note (day, object)", "('p6'), ('p8')", true),
    ("CREATE UNIQUE INDEX u ON note (id, object)", "('p6'), ('p8')", false),
    ("CREATE UNIQUE INDEX u ON note (empty, object)", "('p6'), ('p8')", false),
    // What SQLite alone can tell shows in the run.
    ("CREATE INDEX u ON note (object)", "('p6'), ('p8')", false),
  ])
  func `a dry run foretells what comes twice`(_ index: String, _ objects: String, _ collides: Bool) throws {
    try make(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, object TEXT, day INTEGER DEFAULT 1, empty);
      INSERT INTO note (object) VALUES \(objects); \(index)
      """
    )
    let place = ReferencePlace(Property("note", "object"), to: .entity("Recipe"))
    // Two objects became one.
    _ = try Program.sqlite3(
      ids,
      "INSERT INTO ids VALUES ('Recipe', 11, 20, 1, 'copied'), ('Recipe', 12, 20, 1, 'copied')"
    )
    func message(_ isDryRun: Bool) -> String? {
      do {
        _ = try run([place]) { $0.isDryRun = isDryRun }
        return nil
      } catch {
        return (error as? DecantError)?.message
      }
    }
    let foretold = message(true)
    #expect((foretold != nil) == collides)
    #expect(message(false) == foretold)
  }

  @Test func `the entity may stand beside the key, and keys may be texts`() throws {
    try make(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, kind TEXT, object);
      INSERT INTO note (kind, object) VALUES ('Recipe', 2), ('Tag', '2'), ('Recipe', 'p5'),
        ('Nobody', 1), (NULL, 1), ('Word', 'a'), ('Word', 'b'), ('Word', 'c'), ('Recipe', 2.0),
        ('Recipe', x'70354142'), ('Tag', x'31'), ('Tag', NULL), ('Tag', '02'), ('Tag', -1)
      """
    )
    let place = ReferencePlace(Property("note", "object"), to: .attribute("kind"))
    let report = try run([place])
    #expect(report.places[0].name == "note.object -> .kind")
    #expect(report.places[0].count == 13 && report.places[0].changedCount == 5)
    // An unknown name, and none; 'b'; 'c', bytes, '02' and -1, which are keys of no object; and 2.0.
    #expect(
      report.places[0].keptCounts == [
        .unknownEntity: 2, .rejected: 1, .notInTable: 4, .noReference: 1,
      ]
    )
    #expect(
      try values("SELECT kind, object FROM note ORDER BY id") == [
        "'Recipe',4", "'Tag','102'", "'Recipe','p7'", "'Nobody',1", "NULL,1", "'Word','z'",
        "'Word','b'", "'Word','c'", "'Recipe',2.0", "'Recipe',X'70354142'", "'Tag',X'313031'",
        "'Tag',NULL", "'Tag','02'", "'Tag',-1",
      ]
    )
  }

  @Test func `the entity beside the key changes where a mapping made it another`() throws {
    _ = try Program.sqlite3(
      ids,
      """
      ALTER TABLE ids ADD COLUMN became TEXT; UPDATE ids SET became = 'Dish' WHERE entity = 'Recipe';
      UPDATE ids SET became = entity WHERE entity <> 'Recipe'
      """
    )
    try make(
      """
      CREATE TABLE note (kind TEXT, object INTEGER, PRIMARY KEY (kind, object));
      INSERT INTO note VALUES ('Recipe', 2), ('Recipe', 4), ('Tag', 1)
      """
    )
    let place = ReferencePlace(Property("note", "object"), to: .attribute("kind"))
    #expect(try run([place]).changedCount == 3)
    let rows = ["'Dish',4", "'Dish',6", "'Tag',101"]
    #expect(try values("SELECT kind, object FROM note ORDER BY 1, 2") == rows)
    #expect(try run([place]).changedCount == 0)
    #expect(try values("SELECT kind, object FROM note ORDER BY 1, 2") == rows)
  }

  @Test func `keys become identities of the rows of a plain database`() throws {
    let shop = folder.path("shop.db")
    _ = try Program.sqlite3(
      shop,
      """
      CREATE TABLE Recipe (id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT);
      INSERT INTO Recipe VALUES (1, 'one', 'a'), (2, '2', 'b'), (5, NULL, 'c')
      """
    )
    try make(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, recipe TEXT);
      INSERT INTO note (recipe) VALUES ('1'), ('2'), ('5'), ('9')
      """
    )
    let place = ReferencePlace(Property("note", "recipe"), to: .entity("Recipe"))
    func run() throws -> RepointReport {
      var repoint = Repoint(notes, at: [place])
      repoint.lead(to: shop)
      repoint.identities = ["Recipe": "code"]
      return try repoint.run()
    }
    let report = try run()
    #expect(report.places[0].changedCount == 2)
    #expect(report.places[0].keptCounts == [.noIdentity: 1, .noObject: 1])
    let expected = ["'one'", "'2'", "'5'", "'9'"]
    #expect(try values("SELECT recipe FROM note ORDER BY id") == expected)
    #expect(try run().changedCount == 0)
    #expect(try values("SELECT recipe FROM note ORDER BY id") == expected)
  }

  @Test func `objects and references may stand in one file`() throws {
    try make(
      """
      CREATE TABLE Recipe (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
      INSERT INTO Recipe VALUES (1, 'one'), (2, 'two');
      CREATE TABLE note (id INTEGER PRIMARY KEY, recipe TEXT);
      INSERT INTO note (recipe) VALUES ('2'), ('1')
      """
    )
    var repoint = Repoint(notes, at: [ReferencePlace(Property("note", "recipe"), to: .entity("Recipe"))])
    repoint.lead(to: notes)
    repoint.identities = ["Recipe": "code"]
    #expect(try repoint.run().isVerified)
    #expect(try values("SELECT recipe FROM note ORDER BY id") == ["'two'", "'one'"])
  }

  @Test func `keys of objects that became one lead to that one`() throws {
    // 38 to 84 stayed, 100 and 101 became 38 and 40: of the keys that were given 39 and 84 lie behind both.
    _ = try Program.sqlite3(
      ids,
      """
      DELETE FROM ids WHERE entity = 'Recipe'; INSERT INTO ids VALUES
        ('Recipe', 38, 38, 47, 'copied'), ('Recipe', 100, 38, 1, 'skipped'), ('Recipe', 101, 40, 1, 'skipped')
      """
    )
    try make(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, recipe_key INTEGER);
      INSERT INTO note (recipe_key) VALUES (38), (39), (84), (100), (101), (40), (85)
      """
    )
    let report = try run([Self.recipeKey])
    #expect(report.isVerified && report.changedCount == 2 && report.places[0].settledCount == 4)
    let expected = ["38", "39", "84", "38", "40", "40", "85"]
    #expect(try values("SELECT recipe_key FROM note ORDER BY id") == expected)
    try make("INSERT INTO note (recipe_key) VALUES (39)")
    #expect(try run([Self.recipeKey]).places[0].settledCount == 7)
  }

  @Test func `references to objects that became one can be proven`() throws {
    let (old, new) = ("C0C0A000-0000-4000-8000-000000000001", "C0C0A000-0000-4000-8000-000000000002")
    _ = try Program.sqlite3(
      ids,
      """
      DELETE FROM ids; INSERT INTO ids VALUES
        ('Recipe', 38, 38, 47, 'copied'), ('Recipe', 100, 38, 1, 'skipped');
      UPDATE about SET value = '\(old)' WHERE key = 'source.uuid';
      UPDATE about SET value = '\(new)' WHERE key = 'destination.uuid'
      """
    )
    let uri = { (store: String, key: Int) in "x-coredata://\(store)/Recipe/p\(key)" }
    try make("CREATE TABLE note (id INTEGER PRIMARY KEY, uri TEXT)")
    for key in [38, 39, 100] { try make("INSERT INTO note (uri) VALUES ('\(uri(old, key))')") }
    let place = ReferencePlace(Property("note", "uri"))
    #expect(try run([place]).changedCount == 3)
    #expect(try values("SELECT uri FROM note ORDER BY id") == [38, 39, 38].map { "'\(uri(new, $0))'" })
    // A store that took the old one's place has its identifier, too.
    _ = try Program.sqlite3(ids, "UPDATE about SET value = '\(new)' WHERE key = 'source.uuid'")
    try make("INSERT INTO note (uri) VALUES ('\(uri(new, 100))'), ('\(uri(new, 7))')")
    let report = try run([place])
    #expect(report.changedCount == 1 && report.places[0].settledCount == 4)
    #expect(try values("SELECT uri FROM note WHERE id = 4") == ["'\(uri(new, 38))'"])
    // What another object has by now may be meant by either.
    _ = try Program.sqlite3(ids, "INSERT INTO ids VALUES ('Recipe', 200, 201, 1, 'copied')")
    let error = try failure { _ = try run([place]) }
    #expect(error.message.contains("old references cannot be distinguished from new ones"))
  }

  @Test func `two rows of the table for one text end the run`() throws {
    _ = try Program.sqlite3(ids, "INSERT INTO ids VALUES ('Word', 'a', 'y', 1, 'copied')")
    try make("CREATE TABLE note (id INTEGER PRIMARY KEY, recipe_key INTEGER)")
    let error = try failure { _ = try run([Self.recipeKey]) }
    #expect(error.family == .corruptStore)
    #expect(error.message.hasSuffix("rows of ids overlap"))
  }

  @Test func `triggers of the database run, and its texts may be encoded otherwise`() throws {
    try make(
      """
      PRAGMA encoding = 'UTF-16le';
      CREATE TABLE note (id INTEGER PRIMARY KEY, recipe_key TEXT, changes INTEGER DEFAULT 0);
      CREATE TRIGGER t AFTER UPDATE OF recipe_key ON note
      BEGIN UPDATE note SET changes = changes + 1 WHERE id = new.id; END;
      CREATE VIRTUAL TABLE words USING fts5(recipe_key);
      CREATE TRIGGER w AFTER UPDATE OF recipe_key ON note
      BEGIN INSERT INTO words (rowid, recipe_key) VALUES (new.id, new.recipe_key); END;
      INSERT INTO note (recipe_key) VALUES ('p1'), ('p2'), ('p9')
      """
    )
    #expect(try run([Self.recipeKey]) { $0.keepsBackup = true }.changedCount == 2)
    #expect(try values("SELECT rowid FROM words WHERE words MATCH 'p4'") == ["2"])
    #expect(
      try values("SELECT recipe_key, changes FROM note ORDER BY id")
        == ["'p3',1", "'p4',1", "'p9',0"]
    )
  }
}
