import Foundation
import TestSupport
import Testing

/// `decant query` as a person at a terminal and a script meet it.
@Suite struct QueryCommandTests {
  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  private func query(_ sql: String, _ options: String...) throws -> Program {
    try folder.run(["query", "Kitchen.sqlite", sql] + options)
  }

  private static let recipes = """
    SELECT r.title, c.name AS category, r.isFavorite, r.createdAt, r.price, r.uuid, i.data AS cover
    FROM Recipe AS r LEFT JOIN Category AS c ON c._id = r.category
    LEFT JOIN Image AS i ON i._id = r.cover ORDER BY r.title
    """

  @Test(arguments: [
    ([], "query.txt"), (["--csv"], "query.csv"), (["--json"], "query.json"),
  ])
  func `prints what it did when it was found right`(_ options: [String], _ golden: String) throws {
    let run = try folder.run(["query", "Kitchen.sqlite", Self.recipes] + options)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    try GoldenText.expect(run.output, golden)
  }

  /// Prints CSV as JSON rows, whole tables of it.
  private static let readCSV = """
    import csv, json, sys
    print(json.dumps(list(csv.reader(open(sys.argv[1], newline="", encoding="utf-8"), strict=True))))
    """

  @Test func `other readers find in all three what the tables hold`() throws {
    let expected = try Program.sqlite3(
      folder.folder.path("Kitchen.sqlite"),
      """
      SELECT json_group_array(json_array(t, c, f, d)) FROM (
        SELECT r.ZTITLE AS t, c.ZNAME AS c, r.ZISFAVORITE AS f,
          strftime('%Y-%m-%dT%H:%M:%S', floor(r.ZCREATEDAT) + 978307200, 'unixepoch') AS d
        FROM ZRECIPE AS r LEFT JOIN ZCATEGORY AS c ON c.Z_PK = r.ZCATEGORY ORDER BY r.ZTITLE)
      """
    )
    let rows = try #require(
      JSONSerialization.jsonObject(with: Data(expected.utf8)) as? [[Any]]
    )
    #expect(rows.count == 12)

    try Data(query(Self.recipes, "--csv").output.utf8).write(
      to: folder.url.appendingPathComponent("out.csv")
    )
    let read = try Program.run(["python3", "-c", Self.readCSV, folder.folder.path("out.csv")])
    let lines = try #require(
      JSONSerialization.jsonObject(with: Data(read.output.utf8)) as? [[String]]
    )
    let objects = try #require(
      JSONSerialization.jsonObject(with: Data(query(Self.recipes, "--json").output.utf8))
        as? [[String: Any]]
    )
    let table = try query(Self.recipes).output.split(separator: "\n")
    #expect(
      lines.first == ["title", "category", "isFavorite", "createdAt", "price", "uuid", "cover"]
    )
    #expect(lines.count == 13 && objects.count == 12 && table.count == 15)
    for (index, row) in rows.enumerated() {
      let title = try #require(row[0] as? String)
      let (line, object) = (lines[index + 1], objects[index])
      #expect(line[0] == title)
      #expect(object["title"] as? String == title)
      #expect(table[index + 2].hasPrefix(title))
      #expect(line[1] == row[1] as? String ?? "")
      #expect(object["category"] as? String == row[1] as? String)
      #expect(line[2] == (row[2] as? Int == 1 ? "true" : "false"))
      #expect(object["isFavorite"] as? Bool == (row[2] as? Int == 1))
      let date = try #require(row[3] as? String)
      #expect(line[3].hasPrefix(date) && line[3].hasSuffix("Z"))
      #expect(object["createdAt"] as? String == line[3])
    }
  }

  @Test func `CSV keeps what is hard to keep`() throws {
    let sql =
      "SELECT NULL AS \"a,b\", '' AS \"q\"\"q\", 'x' || char(13, 10) || 'y\"z' AS c, 1e999, x'00'"
    #expect(
      try query(sql, "--csv").output
        == "\"a,b\",\"q\"\"q\",c,1e999,x'00'\n,\"\",\"x\r\ny\"\"z\",Infinity,1 byte\n"
    )
  }

  @Test func `JSON has every name once, every number whole, and an end without rows`() throws {
    let sql =
      "SELECT 1 AS a, 2 AS a, 9007199254740993 AS \"a (2)\", -1e999 AS b, NULL AS c, x'89' AS d"
    #expect(
      try query(sql, "--json").output == """
        [
        {"a":1,"a (2)":2,"a (2) (2)":9007199254740993,"b":"-Infinity","c":null,"d":{"bytes":1,"type":null}}
        ]

        """
    )
    #expect(try query("SELECT 1 AS a WHERE 0", "--json").output == "[]\n")
    #expect(try query("SELECT 1 AS a WHERE 0", "--csv").output == "a\n")
    #expect(try query("SELECT 1 AS a WHERE 0").output == "a\n-\n\n0 rows\n")
  }

  @Test func `a table lines up what terminals show wide, and obeys nothing`() throws {
    let sql = """
      SELECT column1 AS text, column2 AS n FROM (VALUES ('日本', 1), ('👩‍👩‍👧', 22),
        ('e' || char(769), 333), (char(27) || '[2J', 4), ('a' || char(10) || 'b', 5), (char(8238), 6))
      """
    #expect(
      try query(sql).output == """
        text    n
        ----  ---
        日本    1
        👩‍👩‍👧     22
        é     333
        �[2J    4
        a↵b     5
        �       6

        6 rows

        """
    )
  }

  @Test(arguments: [
    ("SELECT titel FROM Recipe", "no such column: titel", "did you mean title?"),
    ("SELECT r.titel FROM Recipe AS r", "no such column: r.titel", "did you mean title?"),
    ("SELECT * FROM Recipee", "no such table: Recipee", "did you mean Recipe?"),
    ("SELECT name FROM Tga", "no such table: Tga", "did you mean Tag?"),
    ("SELECT 1 FROM Dish", "no such table: Dish", "there are the entities Category, Image,"),
    (
      "SELECT title FROM Recipe WHERE title = \"soup\"", "column: soup",
      "text is written 'like this'"
    ),
    ("SELECT \"titel\" FROM Recipe", "column: titel", "did you mean title? And text is written"),
    (
      "SELECT tags FROM Recipe", "no such column: tags",
      "join Recipe_tags, which has Recipe_id, Tag_id"
    ),
    ("SELECT steps FROM Recipe", "column: steps", "join Step on its recipe = Recipe._id"),
    ("SELECT caption FROM Image", "column: caption", "RecipeImage, StepImage have caption"),
    ("SELECT rowid FROM Recipe", "no such column: rowid", "the key of an object is _id"),
    ("SELECT colour FROM Tag", "no such column: colour", "did you mean color?"),
    ("SELECT unit FROM Tag", "no such column: unit", "Ingredient has unit"),
    ("SELECT name FROM Tag, Category", "ambiguous column name: name", "say whose"),
    ("SELECT lenght(name) FROM Tag", "no such function: lenght", "did you mean length?"),
    ("SELECT name FROM Tag WHERE", "incomplete input", "something is missing at its end"),
    ("SELECT 'name FROM Tag", "unrecognized token", "a quote may still be open"),
    ("", "there is no SQL", "decant inspect shows what there is to read"),
    ("/* nothing */", "there is no SQL", "decant inspect"),
    (".tables", "near \".\": syntax error", "a command of the sqlite3 program"),
    ("SELECT 1; SELECT 2", "more than one statement", "run decant once for each"),
    ("SELECT ?1", "it has a parameter", "write the value itself"),
    ("SELECT * FROM ZRECIPE", "no such table: ZRECIPE", "did you mean Recipe?"),
    ("SELECT * FROM source.ZRECIPE", "no such table: source.ZRECIPE", "Recipe"),
    ("WITH Recipe AS (SELECT * FROM source.ZRECIPE) SELECT * FROM Recipe", "no such table", ""),
    ("SELECT * FROM main.Recipe", "no such table: main.Recipe", ""),
    ("SELECT * FROM sqlite_schema", "prohibited", "a query only reads, and only the entities"),
    ("SELECT sql FROM temp.sqlite_schema", "prohibited", "only reads"),
    ("SELECT * FROM pragma_table_list", "more than read entities", "only reads"),
    ("SELECT readfile('/etc/passwd')", "no such function: readfile", ""),
    ("SELECT load_extension('x')", "not authorized to use function", ""),
    ("PRAGMA user_version", "it is no SELECT", "only reads"),
    ("DELETE FROM Recipe", "it is no SELECT", "only reads"),
    ("WITH x AS (SELECT 1) DELETE FROM Recipe", "", "only reads"),
    ("UPDATE Recipe SET title = 'x'", "it is no SELECT", "only reads"),
    ("DROP TABLE Recipe", "it is no SELECT", "only reads"),
    ("CREATE TEMP TABLE x (y)", "it is no SELECT", "only reads"),
    ("ATTACH 'x.db' AS x", "it is no SELECT", "only reads"),
    ("VACUUM INTO 'x.db'", "it is no SELECT", "only reads"),
    ("EXPLAIN SELECT 1", "it is no SELECT", "only reads"),
    ("SELECT date_value('soon')", "date_value wants a date like", ""),
    ("SELECT uuid_value('5099F3F1814B8E7F8EAE14E5D367AF9C')", "uuid_value wants a UUID", ""),
    ("SELECT abs(-9223372036854775808)", "integer overflow", ""),
    ("SELECT json_extract('{', '$')", "malformed JSON", ""),
    ("SELECT * FROM fts3tokenize", "", "only reads"),
    (
      "SELECT 1 FROM Recipe WHERE createdAt > '2020-01-01'",
      "createdAt holds dates, which are numbers",
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
    (
      "SELECT * FROM (SELECT * FROM Recipe) WHERE createdAt <> '' ORDER BY 1", "holds dates",
      "date_value("
    ),
    (
      "SELECT uuid = '5099f3f1-814B-8E7F-8EAE-14E5D367AF9C' FROM Recipe",
      "uuid holds UUIDs, which are bytes",
      "write uuid_value('5099f3f1-814B-8E7F-8EAE-14E5D367AF9C')"
    ),
  ])
  func `what is wrong with the SQL is named, and how to mend it`(
    _ sql: String,
    _ message: String,
    _ remedy: String
  ) throws {
    let before = folder.content("Kitchen.sqlite")
    let run = try query(sql)
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
  func `a condition of a copy compares no date with a text`(_ condition: String, _ remedy: String)
    throws
  {
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
  func `where a comparison with a text may be right, a note says what dates are`(_ sql: String)
    throws
  {
    let run = try query(sql)
    #expect(run.status == 0)
    #expect(run.errors.hasPrefix("note: createdAt may hold dates where it is compared "))
    #expect(run.errors.contains("date_value('2026-01-31')"))
  }

  @Test func `a damaged store gives no rows, and says why`() throws {
    let place = folder.url.appendingPathComponent("Kitchen.sqlite")
    let kitchen = place.path
    let page = try Program.sqlite3(
      kitchen,
      "SELECT rootpage FROM sqlite_schema WHERE name = 'ZINGREDIENT'"
    )
    var bytes = try Data(contentsOf: place)
    let start = ((Int(page) ?? 0) - 1) * 4096
    #expect([5, 13].contains(bytes[start]))
    bytes[start + 3] = 0
    bytes[start + 4] = 0
    try bytes.write(to: place)
    let sql = "SELECT * FROM Ingredient"
    try folder.expect(
      ["query", "Kitchen.sqlite", sql, "--json"],
      13,
      "“Kitchen.sqlite” is damaged"
    )
    // Whoever wants what is left gets it, knowingly.
    #expect(try query(sql, "--json", "--no-verify").status == 0)
  }

  @Test func `a note says what of the log is left out`() throws {
    let script = """
      import shutil, sqlite3
      shutil.copy("Kitchen.sqlite", "live.sqlite")
      c = sqlite3.connect("live.sqlite", isolation_level=None)
      c.execute("PRAGMA journal_mode = WAL").fetchall()
      c.execute("PRAGMA wal_autocheckpoint = 0").fetchall()
      c.execute("UPDATE ZTAG SET ZNAME = 'x' WHERE Z_PK = 1")
      c.execute("CREATE TABLE filler AS WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
        " WHERE i < 100) SELECT zeroblob(4000) FROM n")
      shutil.copy("live.sqlite", "Cut.sqlite")
      log = open("live.sqlite-wal", "rb").read()
      open("Cut.sqlite-wal", "wb").write(log[:-4120])
      c.close()
      """
    _ = try Program.run(["python3", "-c", script], in: folder.url)
    let run = try folder.run(["query", "Cut.sqlite", "SELECT name FROM Tag WHERE _id = 1", "--csv"])
    #expect(run.status == 0)
    #expect(run.output == "name\nx\n")
    #expect(
      run.errors == "note: Cut.sqlite-wal ends in a change that was not finished: it is left out\n"
    )
    // A log that is whole is nothing to speak of.
    #expect(try query("SELECT 1").errors.isEmpty)
  }

  @Test func `other failures keep their exit codes`() throws {
    try folder.expect(["query", "nowhere.sqlite", "SELECT 1"], 10, "there is no store at")
    _ = try Program.sqlite3(folder.folder.path("plain.db"), "CREATE TABLE recipe (id, title)")
    try folder.expect(["query", "plain.db", "SELECT 1"], 13, "Z_PRIMARYKEY is missing")
    try folder.expect(["query", "Kitchen.sqlite", "SELECT 1", "--csv", "--json"], 64, "exclude")
    try folder.expect(["query", "Kitchen.sqlite"], 64, "Missing expected argument '<sql>'")
  }

  @Test func `a store without its model is read by the names of its columns`() throws {
    let kitchen = folder.folder.path("Kitchen.sqlite")
    _ = try Program.sqlite3(kitchen, "DELETE FROM Z_MODELCACHE")
    let run = try query(
      "SELECT ZTITLE, ZCREATEDAT, ZUUID, ZCATEGORY FROM Recipe WHERE _id = 1",
      "--csv"
    )
    let expected = try Program.sqlite3(
      kitchen,
      """
      SELECT ZTITLE || ',' || strftime('%Y-%m-%dT%H:%M:%SZ', ZCREATEDAT + 978307200, 'unixepoch')
        || ',' || length(ZUUID) || ' bytes,' || ZCATEGORY FROM ZRECIPE WHERE Z_PK = 1
      """
    )
    #expect(run.status == 0)
    #expect(run.output == "ZTITLE,ZCREATEDAT,ZUUID,ZCATEGORY\n\(expected)\n")
    #expect(run.errors.contains("note: “Kitchen.sqlite” does not hold its model: attributes have"))
    let mistaken = try query("SELECT title FROM Recipe")
    #expect(mistaken.status == 64)
    #expect(mistaken.errors.contains("did you mean ZTITLE?"))
  }

  private static let endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"

  @Test(arguments: ["", "--csv", "--json"])
  func `a reader that goes away ends the query, and is no error`(_ option: String) throws {
    let run = try Program.run(
      ["bash", "-c", "\"$0\" query Kitchen.sqlite \"$1\" $2 | head -n 3; echo ${PIPESTATUS[0]}"]
        + [DecantProgram.path, Self.endless, option],
      in: folder.url
    )
    #expect(run.output.hasSuffix("\n0\n"))
    #expect(run.output.count { $0 == "\n" } == 4)
    #expect(run.errors.isEmpty)
  }

  @Test func `Ctrl-C ends a query`() throws {
    let program = try RunningProgram(
      [DecantProgram.path, "query", "Kitchen.sqlite", Self.endless, "--csv"],
      in: folder.url
    )
    program.wait(for: "i\n1\n2\n")
    kill(program.processIdentifier, SIGINT)
    let (status, rest) = program.end()
    #expect(status == 130)
    // What was read is not held back, and no line is cut.
    #expect(rest.isEmpty || rest.hasSuffix("\n"))
  }

  @Test func `a terminal gets a table that fits it`() throws {
    let line = "\(DecantProgram.path) query Kitchen.sqlite 'SELECT * FROM Recipe LIMIT 2'"
    let narrow = "SELECT title, subtitle, author, sourceURL FROM Recipe"
    let other = "\(DecantProgram.path) query Kitchen.sqlite '\(narrow)'"
    for (command, width) in [(line, 400), (other, 80), (other, 50)] {
      let run = try Program.run(
        ["script", "-qec", "stty cols \(width); \(command)", "/dev/null"],
        in: folder.url
      )
      #expect(run.status == 0)
      let lines = run.output.replacing("\r\n", with: "\n").split(separator: "\n")
      #expect(lines.count > 4)
      // The longest title alone has 25 letters; what is counted in columns is tested elsewhere.
      #expect(lines.allSatisfy { $0.count <= width }, "\(run.output)")
      #expect(run.output.contains("…") == (width < 100))
    }
  }

  @Test(arguments: [80, 40])
  func `more columns than a line has room for are written one below the other`(_ width: Int) throws
  {
    let command = "\(DecantProgram.path) query Kitchen.sqlite 'SELECT * FROM Recipe LIMIT 2'"
    let run = try Program.run(
      ["script", "-qec", "stty cols \(width); \(command)", "/dev/null"],
      in: folder.url
    )
    #expect(run.status == 0)
    let lines = run.output.replacing("\r\n", with: "\n").components(separatedBy: "\n")
    #expect(lines.allSatisfy { $0.count <= width }, "\(run.output)")
    let names = try query("SELECT * FROM Recipe LIMIT 0", "--csv").output
      .trimmingCharacters(in: .newlines).split(separator: ",")
    #expect(names.count > 15)
    for name in names {
      let own = lines.filter { $0 == name || $0.hasPrefix("\(name) ") }
      #expect(own.count == 2, "\(name): \(run.output)")
    }
    // Each object behind an empty line, and the count behind another.
    #expect(lines.count == 2 * names.count + 4)
    #expect(lines[0].hasPrefix("_id ") && lines[0].hasSuffix(" 1"))
    #expect(lines[names.count].isEmpty && lines[names.count + 1].hasSuffix(" 2"))
    #expect(Array(lines.suffix(3)) == ["", "2 rows", ""])
  }
}
