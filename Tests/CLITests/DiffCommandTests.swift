import Foundation
import TestSupport
import Testing

@Suite struct DiffCommandTests {
  private let place: CommandFolder

  init() throws {
    place = try CommandFolder()
    let run = try place.run(["copy", "Kitchen.sqlite", "out.sqlite", "-q"])
    #expect(run.status == 0, "\(run.errors)")
  }

  private func change() throws {
    _ = try Program.sqlite3(
      place.folder.path("out.sqlite"),
      """
      UPDATE ZRECIPE SET ZTITLE = 'Toast', ZCATEGORY = 3 WHERE Z_PK = 2;
      UPDATE ZSTEP SET ZRECIPE = 2 WHERE Z_PK = 1; DELETE FROM Z_6TAGS WHERE Z_8TAGS = 6;
      DELETE FROM ZTAG WHERE Z_PK = 6; DELETE FROM Z_6TAGS WHERE rowid = 1;
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (9, 8, 1, 'quick')
      """
    )
  }

  @Test func `stores that are equal are exit code 0`() throws {
    let run = try place.run(["diff", "Kitchen.sqlite", "out.sqlite"])
    #expect(run.status == 0 && run.errors.isEmpty)
    try GoldenText.expect(run.output, "diff-equal.txt")
    let quiet = try place.run(["diff", "Kitchen.sqlite", "out.sqlite", "-q"])
    #expect(quiet.status == 0 && quiet.output.isEmpty)
  }

  @Test func `stores that differ are exit code 4, and what differs is counted and named`() throws {
    try change()
    let run = try place.run(["diff", "Kitchen.sqlite", "out.sqlite"])
    #expect(run.status == 4 && run.errors.isEmpty)
    try GoldenText.expect(run.output, "diff-differ.txt")
    #expect(!run.output.contains("Toast"))
    let values = try place.run(["diff", "Kitchen.sqlite", "out.sqlite", "--verbose"])
    try GoldenText.expect(values.output, "diff-verbose.txt")
    let counts = try place.run(["diff", "Kitchen.sqlite", "out.sqlite", "--limit", "0"])
    #expect(counts.status == 4 && !counts.output.contains("Recipe p2"))
    let all = try place.run(["diff", "Kitchen.sqlite", "out.sqlite", "--limit", "\(Int.max)"])
    #expect(all.status == 4 && all.output == run.output)
    let quiet = try place.run(["diff", "Kitchen.sqlite", "out.sqlite", "-q"])
    #expect(quiet.status == 4 && quiet.output.isEmpty && quiet.errors.isEmpty)
  }

  /// A row of links leads nowhere in either database: what it leads to is a value then.
  @Test func `rows of links that lead nowhere are compared by their keys`() throws {
    for (name, key) in [("a.db", 99), ("b.db", 98)] {
      _ = try Program.sqlite3(
        place.folder.path(name),
        """
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT UNIQUE); CREATE TABLE shelf (id INTEGER PRIMARY KEY);
        CREATE TABLE on_shelf (book INTEGER REFERENCES book, shelf INTEGER REFERENCES shelf, PRIMARY KEY (book, shelf));
        INSERT INTO book VALUES (1, 'x'); INSERT INTO shelf VALUES (1); INSERT INTO on_shelf VALUES (1, 1), (1, \(key))
        """
      )
    }
    let run = try place.run(["diff", "a.db", "b.db", "--json"])
    let report = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let rows = (report?["rows"] as? [String: [String: Int]])?["book.on_shelf"]
    #expect(run.status == 4 && rows == ["same": 1, "changed": 0, "onlyA": 1, "onlyB": 1], "\(run.output)")
  }

  @Test func `the exit code is that of the entities that were asked for`() throws {
    try change()
    let diff = ["diff", "Kitchen.sqlite", "out.sqlite", "--entity"]
    #expect(try place.run(diff + ["Category"]).status == 0)
    #expect(try place.run(diff + ["Recipe"]).status == 4)
    #expect(try place.run(diff + ["Category", "--entity", "Step"]).status == 4)
    try place.expect(diff + ["Recip"], 64, "did you mean Recipe?")
  }

  @Test func `the report is one JSON document of known members`() throws {
    try change()
    let run = try place.run(["diff", "Kitchen.sqlite", "out.sqlite", "--json"])
    #expect(run.status == 4)
    let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let report = try #require(document as? [String: Any])
    #expect(report["decant"] as? String == "1.0" && report["verb"] as? String == "diff")
    #expect((report["a"] as? [String: Any])?["place"] as? String == "Kitchen.sqlite")
    #expect((report["b"] as? [String: Any])?["kind"] as? String == "coredata")
    #expect(report["equal"] as? Bool == false && report["truncated"] as? Bool == false)
    let entities = try #require(report["entities"] as? [String: [String: Any]])
    #expect(entities["Tag"]?["matchedBy"] as? String == "key")
    #expect(entities["Tag"]?["onlyA"] as? Int == 1 && entities["Tag"]?["onlyB"] as? Int == 1)
    #expect(entities["Recipe"]?["changed"] as? Int == 1 && entities["Recipe"]?["same"] as? Int == 11)
    #expect((report["rows"] as? [String: [String: Int]])?["Recipe.tags"]?["onlyA"] == 1)
    let differences = try #require(report["differences"] as? [[String: Any]])
    let recipe = try #require(differences.first { $0["entity"] as? String == "Recipe" })
    #expect(recipe["kind"] as? String == "changed")
    #expect(recipe["a"] as? [Int] == [2] && recipe["b"] as? [Int] == [2])
    #expect(recipe["properties"] as? [String] == ["title", "category"])
    #expect((recipe["values"] as? [String: Any])?.isEmpty == true)
  }

  @Test func `every failure has its exit code`() throws {
    try place.expect(["diff", "Kitchen.sqlite", "no.sqlite"], 10, "there is no store at")
    try place.expect(["diff", "Kitchen.sqlite"], 64, "Missing expected argument")
    try place.expect(["diff", "Kitchen.sqlite", "out.sqlite", "--limit", "-1"], 64, "--limit")
    try place.expect(["diff", "Kitchen.sqlite", "out.sqlite", "-q", "-v"], 64, "--quiet")
    _ = try Program.sqlite3(place.folder.path("plain.db"), "CREATE TABLE Recipe (title TEXT)")
    try place.expect(["diff", "Kitchen.sqlite", "plain.db"], 12, "has no table Category")
  }

  @Test func `comparing changes nothing`() throws {
    let names = try place.names()
    let before = names.map(place.content)
    _ = try place.run(["diff", "Kitchen.sqlite", "Guests.sqlite"])
    #expect(try place.names() == names)
    #expect(names.map(place.content) == before)
  }
}
