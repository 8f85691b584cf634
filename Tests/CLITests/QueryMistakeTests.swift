import Foundation
import TestSupport
import Testing

/// What `decant query` says to SQL that cannot be right, or hardly.
@Suite struct QueryMistakeTests {
  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  @Test func `of a database without tables it is said that it has none`() throws {
    _ = try Program.sqlite3(folder.folder.path("empty.db"), "VACUUM")
    try folder.expect(["query", "empty.db", "SELECT * FROM Tag"], 64, "the store has no entities")
    try folder.expect(["copy", "empty.db", "out.db", "--where", "Tag: 1"], 64, "it has no tables")
    try folder.expect(["inspect", "empty.db", "--entity", "Tag"], 64, "it has no tables")
  }

  @Test(arguments: [
    ("SELECT titel FROM Recipe", "no such column: titel", "did you mean title?"),
    ("SELECT r.titel FROM Recipe AS r", "no such column: r.titel", "did you mean title?"),
    ("SELECT * FROM Recipee", "no such table: Recipee", "did you mean Recipe?"),
    ("SELECT name FROM Tga", "no such table: Tga", "did you mean Tag?"),
    ("SELECT 1 FROM Dish", "no such table: Dish", "there are the entities Category, Image,"),
    ("SELECT title FROM Recipe WHERE title = \"soup\"", "column: soup", "write text 'like this'"),
    ("SELECT \"titel\" FROM Recipe", "column: titel", "did you mean title? And write text"),
    ("SELECT tags FROM Recipe", "no such column: tags", "join Recipe_tags, which has Recipe_id, Tag_id"),
    ("SELECT steps FROM Recipe", "column: steps", "join Step on its recipe = Recipe._id"),
    ("SELECT caption FROM Image", "column: caption", "RecipeImage, StepImage have caption"),
    ("SELECT rowid FROM Recipe", "no such column: rowid", "the key of an object is _id"),
    ("SELECT colour FROM Tag", "no such column: colour", "did you mean color?"),
    ("SELECT unit FROM Tag", "no such column: unit", "Ingredient has unit"),
    ("SELECT name FROM Tag, Category", "ambiguous column name: name", "qualify it"),
    ("SELECT lenght(name) FROM Tag", "no such function: lenght", "did you mean length?"),
    ("SELECT name FROM Tag WHERE", "incomplete input", "its end is missing"),
    ("SELECT 'name FROM Tag", "unrecognized token", "a quote may not be closed"),
    ("", "there is no SQL", "decant inspect lists what can be read"),
    ("/* nothing */", "there is no SQL", "decant inspect"),
    (".tables", "near \".\": syntax error", "a command of the sqlite3 shell"),
    ("SELECT 1; SELECT 2", "more than one statement", "run decant once for each statement"),
    ("SELECT ?1", "no value for the parameter ?1", "-p 1=VALUE"),
    ("SELECT * FROM ZRECIPE", "no such table: ZRECIPE", "did you mean Recipe?"),
    ("SELECT * FROM source.ZRECIPE", "no such table: source.ZRECIPE", "Recipe"),
    ("WITH Recipe AS (SELECT * FROM source.ZRECIPE) SELECT * FROM Recipe", "no such table", ""),
    ("SELECT * FROM main.Recipe", "no such table: main.Recipe", ""),
    ("SELECT * FROM sqlite_schema", "prohibited", "a query can only read, and only the entities"),
    ("SELECT sql FROM temp.sqlite_schema", "prohibited", "can only read"),
    ("SELECT * FROM pragma_table_list", "does more than read", "can only read"),
    ("SELECT readfile('/etc/passwd')", "no such function: readfile", ""),
    ("SELECT load_extension('x')", "not authorized to use function", ""),
    ("PRAGMA user_version", "it is not a SELECT", "can only read"),
    ("DELETE FROM Recipe", "it is not a SELECT", "can only read"),
    ("WITH x AS (SELECT 1) DELETE FROM Recipe", "", "can only read"),
    ("UPDATE Recipe SET title = 'x'", "it is not a SELECT", "can only read"),
    ("DROP TABLE Recipe", "it is not a SELECT", "can only read"),
    ("CREATE TEMP TABLE x (y)", "it is not a SELECT", "can only read"),
    ("ATTACH 'x.db' AS x", "it is not a SELECT", "can only read"),
    ("VACUUM INTO 'x.db'", "it is not a SELECT", "can only read"),
    ("EXPLAIN SELECT 1", "it is not a SELECT", "can only read"),
    ("SELECT date_value('soon')", "date_value requires a date like", ""),
    ("SELECT uuid_value('5099F3F1814B8E7F8EAE14E5D367AF9C')", "uuid_value requires a UUID", ""),
    ("SELECT abs(-9223372036854775808)", "integer overflow", ""),
    ("SELECT json_extract('{', '$')", "malformed JSON", ""),
    ("SELECT * FROM fts3tokenize", "", "can only read"),
    (
      "SELECT 1 FROM Recipe WHERE createdAt > '2020-01-01'",
      "createdAt holds dates, stored as numbers",
      "write date_value('2020-01-01')"
    ),
    (
      "SELECT 1 FROM Recipe AS r WHERE rating > 1 AND 'today' <= r.\"createdat\"",
      "createdAt holds dates", "write date_value('2026-01-31')"
    ),
    (
      "SELECT 1 FROM Recipe WHERE NOT createdAt NOT BETWEEN 1 AND '2020-02-30' OR 0",
      "createdAt holds dates", "write date_value('2026-01-31')"
    ),
    (
      "SELECT title FROM Recipe WHERE (createdAt IN (1, '2020-01-01T10:00:00Z'))",
      "createdAt holds dates", "write date_value('2020-01-01T10:00:00Z')"
    ),
    ("SELECT * FROM (SELECT * FROM Recipe) WHERE createdAt <> '' ORDER BY 1", "holds dates", "date_value("),
    (
      "SELECT uuid = '5099f3f1-814B-8E7F-8EAE-14E5D367AF9C' FROM Recipe",
      "uuid holds UUIDs, stored as bytes",
      "write uuid_value('5099f3f1-814B-8E7F-8EAE-14E5D367AF9C')"
    ),
  ])
  func `what is wrong with the SQL is named, and how to mend it`(
    _ sql: String,
    _ message: String,
    _ remedy: String
  ) throws {
    let before = folder.content("Kitchen.sqlite")
    let run = try folder.run(["query", "Kitchen.sqlite", sql])
    #expect(run.status == 64)
    #expect(run.errors.hasPrefix("decant: cannot run the query: "))
    #expect(message.isEmpty || run.errors.contains(message), "\(run.errors)")
    #expect(remedy.isEmpty || run.errors.contains("\n  "), "\(run.errors)")
    #expect(remedy.isEmpty || run.errors.contains(remedy), "\(run.errors)")
    #expect(run.output.isEmpty)
    #expect(folder.content("Kitchen.sqlite") == before)
    #expect(try folder.names() == ["Guests.sqlite", "Kitchen.sqlite"])
  }

  @Test(arguments: [
    ("Recipe: createdAt >= '2020-01-01'", "write date_value('2020-01-01')"),
    ("Category: _id IN (SELECT category FROM Recipe WHERE uuid = 'x')", "write uuid_value('"),
  ])
  func `a condition of a copy compares no date with a text`(_ condition: String, _ remedy: String) throws {
    let copy = ["copy", "Kitchen.sqlite", "out.sqlite", "--where", condition]
    try folder.expect(copy, 64, remedy)
    #expect(try folder.names() == ["Guests.sqlite", "Kitchen.sqlite"])
  }

  /// What may be a date, or may be something else, is not refused.
  @Test(arguments: [
    "WITH r(createdAt) AS (SELECT title FROM Recipe) SELECT 1 FROM r WHERE createdAt > 'a'",
    "SELECT 1 FROM (SELECT title AS createdAt FROM Recipe) WHERE createdAt > 'a'",
    "SELECT 1 FROM Recipe WHERE rating BETWEEN 1 AND createdAt > 'a'",
  ])
  func `where a comparison with a text may be right, a note says what dates are`(_ sql: String) throws {
    let run = try folder.run(["query", "Kitchen.sqlite", sql])
    #expect(run.status == 0)
    #expect(run.errors.hasPrefix("note: createdAt may hold dates where it is compared "))
    #expect(run.errors.contains("date_value('2026-01-31')"))
  }
}
