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
    let rows = try #require(JSONSerialization.jsonObject(with: Data(expected.utf8)) as? [[Any]])
    #expect(rows.count == 12)

    try Data(query(Self.recipes, "--csv").output.utf8).write(to: folder.url.appendingPathComponent("out.csv"))
    let read = try Program.run(["python3", "-c", Self.readCSV, folder.folder.path("out.csv")])
    let lines = try #require(JSONSerialization.jsonObject(with: Data(read.output.utf8)) as? [[String]])
    let objects = try #require(
      JSONSerialization.jsonObject(with: Data(query(Self.recipes, "--json").output.utf8))
        as? [[String: Any]]
    )
    let table = try query(Self.recipes).output.split(separator: "\n")
    #expect(lines.first == ["title", "category", "isFavorite", "createdAt", "price", "uuid", "cover"])
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
        {"a":1,"a (2)":2,"a (2) (2)":9007199254740993,"b":"-Infinity","c":null,"d":{"bytes":1,"type":null,"base64":"iQ=="}}
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

  @Test func `a damaged store gives no rows, and says why`() throws {
    let place = folder.url.appendingPathComponent("Kitchen.sqlite")
    let kitchen = place.path
    let page = try Program.sqlite3(kitchen, "SELECT rootpage FROM sqlite_schema WHERE name = 'ZINGREDIENT'")
    var bytes = try Data(contentsOf: place)
    let start = ((Int(page) ?? 0) - 1) * 4096
    #expect([5, 13].contains(bytes[start]))
    bytes[start + 3] = 0
    bytes[start + 4] = 0
    try bytes.write(to: place)
    let sql = "SELECT * FROM Ingredient"
    try folder.expect(["query", "Kitchen.sqlite", sql, "--json"], 13, "“Kitchen.sqlite” is damaged")
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
    #expect(run.errors == "note: Cut.sqlite-wal ends in an unfinished change, which is not read\n")
    // A log that is whole is nothing to speak of.
    #expect(try query("SELECT 1").errors.isEmpty)
  }

  @Test func `other failures keep their exit codes`() throws {
    try folder.expect(["query", "nowhere.sqlite", "SELECT 1"], 10, "there is no store at")
    _ = try Program.sqlite3(folder.folder.path("plain.db"), "CREATE TABLE recipe (id, title)")
    try folder.expect(["query", "coredata:plain.db", "SELECT 1"], 13, "Z_PRIMARYKEY is missing")
    try folder.expect(["query", "Kitchen.sqlite", "SELECT 1", "--csv", "--json"], 64, "cannot be combined")
    try folder.expect(["query", "Kitchen.sqlite"], 64, "Missing expected argument '<sql>'")
  }

  @Test func `a store without its model is read by the names of its columns`() throws {
    let kitchen = folder.folder.path("Kitchen.sqlite")
    _ = try Program.sqlite3(kitchen, "DELETE FROM Z_MODELCACHE")
    let run = try query("SELECT ZTITLE, ZCREATEDAT, ZUUID, ZCATEGORY FROM Recipe WHERE _id = 1", "--csv")
    let expected = try Program.sqlite3(
      kitchen,
      """
      SELECT ZTITLE || ',' || strftime('%Y-%m-%dT%H:%M:%SZ', ZCREATEDAT + 978307200, 'unixepoch')
        || ',' || length(ZUUID) || ' bytes,' || ZCATEGORY FROM ZRECIPE WHERE Z_PK = 1
      """
    )
    #expect(run.status == 0)
    #expect(run.output == "ZTITLE,ZCREATEDAT,ZUUID,ZCATEGORY\n\(expected)\n")
    #expect(run.errors.contains("note: “Kitchen.sqlite” does not contain its model: attributes have"))
    let mistaken = try query("SELECT title FROM Recipe")
    #expect(mistaken.status == 64)
    #expect(mistaken.errors.contains("did you mean ZTITLE?"))
  }
}
