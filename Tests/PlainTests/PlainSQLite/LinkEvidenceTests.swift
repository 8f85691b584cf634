import Decant
import StoreTestSupport
import TestSupport
import Testing

/// What names and values say of a column that nothing declares to be a link.
@Suite struct LinkEvidenceTests {
  /// A database, and what is suggested for it.
  struct Scene: Sendable, CustomTestStringConvertible {
    let name: String
    let sql: String
    /// Links, and doubtful ones.
    var strong: [String] = []
    var weak: [String] = []

    var testDescription: String { name }
  }

  /// Numbers from 1 to `count` in column `i` of the table `n`.
  static func numbers(_ count: Int) -> String {
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))"
  }

  @Test(arguments: scenes + nameScenes) func `names and values are weighed together`(scene: Scene) throws {
    let place = try PlainDatabase()
    try place.make("a.db", scene.sql)
    let text = try LinkSuggestion(for: place.path("a.db")).run()
    func lines(_ beginning: String) -> [String] {
      text.split(separator: "\n").filter { $0.hasPrefix(beginning) }.map { line in
        let rest = line.dropFirst(beginning.count).trimmingPrefix("'")
        return String(rest.prefix(upTo: rest.firstRange(of: "  #")?.lowerBound ?? rest.endIndex))
          .replacing("'", with: "")
      }
    }
    #expect(lines("- link: ") == scene.strong, "\(text)")
    #expect(lines("# - link: ") == scene.weak, "\(text)")
  }

  @Test func `lists of keys are named, with no link to say`() throws {
    let place = try PlainDatabase()
    let schema = """
      CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT UNIQUE, tag_ids TEXT, sizes TEXT)
      """
    try place.make(
      "a.db",
      """
      \(schema); INSERT INTO tag VALUES (1, 'a'), (2, 'b'), (3, 'c');
      INSERT INTO post VALUES (1, 'p', '1,3', '10, 20'), (2, 'q', '|2|3|', '1, 2'), (3, 'r', '[1]', NULL)
      """
    )
    try place.make("b.db", "\(schema); INSERT INTO tag VALUES (1, 'z')")
    let notes = try place.append().notes.commandLine
    #expect(notes.count == 1)
    #expect(notes.first?.contains("post.tag_ids (lists of numbers") == true, "\(notes)")
    #expect(notes.first?.contains("all 5 values are keys there, 3 of 3 of tag; --link cannot") == true)
    #expect(notes.first?.contains("sizes") == false)
    let text = try LinkSuggestion(for: place.path("a.db")).run()
    #expect(text.contains("\n# post.tag_ids, of tag: "))
    try place.make("c.db", "\(schema); INSERT INTO tag VALUES (1, 'z')")
    let noLinks = [Property("post", "tag_ids")]
    #expect(try place.append(to: "c.db") { $0.noLinks = noLinks }.notes.isEmpty)
  }

  /// The path to the row above row `i` in a tree in which each row has three below it.
  private static func above(_ sign: String) -> String {
    "iif(i < 3, '', iif(i < 9, '', iif(i < 27, '', '1\(sign)') || (i / 9) || '\(sign)') || (i / 3) || '\(sign)')"
  }

  /// A table of 40 photos and 30 rows of an album, or of a tree, that name their keys in texts.
  private static let texts: [(column: String, schema: String, value: String, isNoted: Bool)] = [
    ("album.photos", "photos TEXT", #"'["' || i || '", "' || (i + 7) || '"]'"#, true),
    ("album.data", "data TEXT", #"'{"cover": "x", "photo_id": ' || i || '}'"#, true),
    ("album.data", "data TEXT", #"'{"photo_ids": [' || i || ',' || (i + 7) || '], "sizes": [1000, 2000]}'"#, true),
    ("album.data", "data TEXT", #"'[{"photo": {"id": ' || i || '}}, {"photoId": "' || i || '"}]'"#, true),
    ("album.data", "data TEXT", #"'{"count": ' || i || ', "photo_name": "p"}'"#, false),
    ("album.photos", "photos TEXT", "'/' || i || '/' || (i + 7) || '/'", true),
    ("album.path", "path TEXT", "'/' || \(above("/")) || i || '/'", true),
    ("album.path", "path TEXT", "\(above(".")) || i", true),
    ("album.ancestry", "ancestry TEXT", "iif(i < 3, NULL, rtrim(\(above("/")), '/'))", true),
    ("album.version", "version TEXT", "'1.' || (i / 3) || '.' || (i % 3)", false),
    ("album.day", "day TEXT", "'2024/' || (i % 12) || '/' || (i % 28)", false),
    ("album.size", "size TEXT", "(i + 3) || '/' || (i % 4 + 1)", false),
  ]

  @Test(arguments: texts) func `keys in paths and in JSON are noted`(
    column: String, schema: String, value: String, isNoted: Bool
  ) throws {
    let place = try PlainDatabase()
    let schema = """
      CREATE TABLE photo (id INTEGER PRIMARY KEY, file TEXT UNIQUE);
      CREATE TABLE album (id INTEGER PRIMARY KEY, name TEXT UNIQUE, \(schema))
      """
    for name in ["a", "b"] {
      try place.make(
        "\(name).db",
        """
        \(schema); \(Self.numbers(40)) INSERT INTO photo SELECT i, '\(name)' || i FROM n;
        \(Self.numbers(30)) INSERT INTO album SELECT i, '\(name)' || i, \(value) FROM n
        """
      )
    }
    let notes = try place.append().notes.commandLine
    #expect(notes.contains { $0.contains("\(column) (lists of numbers") } == isNoted, "\(notes)")
  }

  @Test func `a column of which the values do not tell the table is asked about with its choices`() throws {
    let place = try PlainDatabase()
    let schema = """
      CREATE TABLE dog (id INTEGER PRIMARY KEY, name TEXT UNIQUE); CREATE TABLE cat (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE walk (id INTEGER PRIMARY KEY, chief_id INT)
      """
    try place.make(
      "a.db",
      """
      \(schema); \(Self.numbers(12)) INSERT INTO dog SELECT i, 'd' || i FROM n;
      INSERT INTO cat SELECT id, name FROM dog; INSERT INTO walk SELECT id, id FROM dog
      """
    )
    try place.make("b.db", "\(schema); INSERT INTO dog VALUES (1, 'z'); INSERT INTO cat VALUES (1, 'z')")
    let error = #expect(throws: DecantError.self) { try place.append() }
    let text = try #require(error).commandLine
    #expect(text.contains("walk.chief_id looks like a foreign key, but its values fit several tables"))
    #expect(
      text.contains("choose one for walk.chief_id: --link 'walk.chief_id -> dog', --link 'walk.chief_id -> cat'"),
      "\(text)"
    )
  }

  @Test(arguments: [
    ("a.b -> c WHERE b LIKE \"tt:5%\"", "where the key begins"),
    ("a.b -> c WHERE d LIKE \"tt:%\"", "the prefix of the key in the column b"),
    ("a.b -> c WHERE b LIKE \"tt:\"", "not a condition"),
    ("a.b -> c WHERE b LIKE \"t:%\" AND b LIKE \"u:%\"", "exactly once"),
  ]) func `a text before a key is read with care`(text: String, wanted: String) {
    let error = #expect(throws: LinkMistake.self) {
      try CopyOptions.Link(text: text)
    }
    #expect(error?.message.contains(wanted) == true)
  }

  @Test func `weak evidence is one note, and --no-link ends it`() throws {
    let place = try PlainDatabase()
    let schema = """
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE film (id INTEGER PRIMARY KEY, director_id INT, writer_id INT)
      """
    try place.make("a.db", "\(schema); INSERT INTO person VALUES (1, 'a'), (2, 'b'); INSERT INTO film VALUES (1, 2, 1)")
    try place.make("b.db", "\(schema); INSERT INTO person VALUES (1, 'z')")
    let columns = [Property("film", "director_id"), Property("film", "writer_id")]
    let dry = try place.append { $0.isDryRun = true }
    let notes = try place.append().notes.commandLine
    #expect(dry.notes.commandLine == notes)
    #expect(notes.count == 1)
    for column in columns {
      #expect(notes[0].contains("\(column) ("))
      #expect(notes[0].contains("--link '\(column) -> person'"))
      #expect(notes[0].contains("--no-link \(column)"))
    }
    try place.make("c.db", "\(schema); INSERT INTO person VALUES (1, 'z')")
    #expect(try place.append(to: "c.db") { $0.noLinks = columns }.notes.isEmpty)
  }

  @Test func `strong evidence names every column`() throws {
    let place = try PlainDatabase()
    let schema = """
      CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE post (id INTEGER PRIMARY KEY, author INT, edited_by INT)
      """
    try place.make("a.db", "\(schema); INSERT INTO users VALUES (1, 'a'), (2, 'b'); INSERT INTO post VALUES (1, 2, 1)")
    try place.make("b.db", "\(schema); INSERT INTO users VALUES (1, 'z')")
    let error = #expect(throws: DecantError.self) { try place.append() }
    let text = try #require(error).commandLine
    for column in ["post.author", "post.edited_by"] {
      #expect(text.contains("\(column) looks like a foreign key to users"))
      #expect(text.contains("--link '\(column) -> users'"))
      #expect(text.contains("--no-link \(column)"))
    }
  }
}
