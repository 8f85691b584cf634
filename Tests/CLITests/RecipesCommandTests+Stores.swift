import Foundation
import TestSupport
import Testing

/// What `decant recipes` deletes, and what it does with stores that are not its own.
extension RecipesCommandTests {
  @Test(arguments: Kind.allCases)
  func `a deleted recipe goes with what it owns, and nothing else`(_ kind: Kind) throws {
    let key = try id(kind, "Shakshuka")
    func count(_ table: String, _ condition: String = "1") throws -> Int {
      try Int(sql(kind, "SELECT count(*) FROM \(kind.table(table)) WHERE \(condition)")) ?? -1
    }
    let parts = ["Ingredient", "Step", "Image"]
    let owned = try parts.map { try count($0, "\(kind.owner) = \(key)") }
    let others = try parts.map { try count($0, "\(kind.owner) <> \(key)") }
    let shared = try ["Category", "Tag"].map { try count($0) }
    #expect(owned.allSatisfy { $0 > 0 }, "\(owned)")
    let dry = try place.run(["recipes", "\(kind).db", "delete", "Shakshuka", "--dry-run"])
    #expect(dry.output.contains("\(owned[0]) ingredients, \(owned[1]) steps, \(owned[2]) picture"), "\(dry.output)")
    #expect(try count("Recipe") == 19)
    let run = try place.run(["recipes", "\(kind).db", "delete", "Shakshuka", "--yes"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try count("Recipe") == 18)
    #expect(try parts.map { try count($0, "\(kind.owner) = \(key)") } == [0, 0, 0])
    #expect(try parts.map { try count($0) } == others)
    #expect(try ["Category", "Tag"].map { try count($0) } == shared)
    #expect(try sql(kind, "PRAGMA foreign_key_check; PRAGMA integrity_check") == "ok")
    #expect(try place.run(["doctor", "\(kind).db"]).status == 0)
  }

  @Test(arguments: [("y", 18), ("n", 19), ("", 19)])
  func `on a terminal it asks before it deletes`(_ answer: String, _ count: Int) throws {
    let run = try onTerminal(["recipes", "sqlite.db", "delete", "Shakshuka", "--json"], answer)
    #expect(run.status == (answer == "y" ? 0 : 1), "\(run.output)\(run.errors)")
    #expect(run.output.contains("delete Recipe"), "\(run.output)")
    #expect(run.output.contains(answer == "y" ? "\"declined\": false" : "\"declined\": true"), "\(run.output)")
    #expect(try sql(.sqlite, "SELECT count(*) FROM Recipe") == "\(count)")
  }

  @Test func `an app's recipes are read by a mapping, with the keys of their store`() throws {
    let before = place.content("Kitchen.sqlite")
    try place.expect(["recipes", "Kitchen.sqlite"], 12, "--mapping FILE")
    let lines = try list(["Kitchen.sqlite"] + Self.mapping)
    let own = try Program.sqlite3(
      place.folder.path("Kitchen.sqlite"), "SELECT Z_PK || '|' || ZTITLE FROM ZRECIPE ORDER BY Z_PK")
    #expect(lines.map { "\($0.id)|\($0.title)" }.sorted() == own.split(separator: "\n").map(String.init).sorted())
    #expect(try list(["Kitchen.sqlite", "search", "kasespatzle"] + Self.mapping).map(\.title) == ["Käsespätzle"])
    let shown = try place.run(["recipes", "Kitchen.sqlite", "show", "Red Lentil Dal"] + Self.mapping)
    #expect(shown.status == 0 && shown.output.hasPrefix("Red Lentil Dal\n"), "\(shown.errors)")
    #expect(
      try place.run(["recipes", "Kitchen.sqlite", "open", "Red Lentil Dal", "--no-browser"] + Self.mapping).status == 0)
    #expect(place.content("Kitchen.sqlite") == before)
  }

  @Test func `recipe files and archives are read, and say where recipes can be changed`() throws {
    #expect(try place.run(["export", "sqlite.db", "all.decant.zst", "-q"]).status == 0)
    #expect(try list(["all.decant.zst"]).map(\.title) == list(["sqlite.db"]).map(\.title))
    #expect(try list(["files/0.json"]).map(\.title) == ["Crème brûlée"])
    for file in ["all.decant.zst", "files/0.json"] {
      try place.expect(["recipes", file, "edit", "1", "rating", "3"], 64, "decant import")
    }
  }

  @Test func `an import says how to see the recipes`() throws {
    let run = try place.run(["import", "files", "New.db"])
    let hints = run.output.matches(of: /decant (recipes 'New.db')(?: show TITLE)?/).map { String($0.0) }
    #expect(hints == ["decant recipes 'New.db'", "decant recipes 'New.db' show TITLE"], "\(run.output)")
    #expect(try place.run(["recipes", "New.db", "show", "Pancakes"]).status == 64)
  }
}
