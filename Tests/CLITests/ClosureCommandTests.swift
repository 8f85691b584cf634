import Foundation
import TestSupport
import Testing

/// `--root` and `--rule` as a user types them.
@Suite struct ClosureCommandTests {
  private let place: CommandFolder

  init() throws { place = try CommandFolder() }

  @Test func `a dry run shows what is taken by distance`() throws {
    let run = try place.run([
      "copy", "Kitchen.sqlite", "out.sqlite", "--root", "Recipe: title = 'Shakshuka'", "--rule",
      "Recipe.category=follow", "--rule", "Recipe.tags = stop", "--dry-run",
    ])
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex { $0.hasPrefix("distance") })
    let rows = lines[(start + 1)...].prefix { $0.first == " " }
      .map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
    // As the sqlite3 program counts them.
    func count(_ table: String, _ condition: String) throws -> String {
      let sql = "SELECT count(*) FROM \(table) WHERE \(condition)"
      return try Program.sqlite3(place.folder.path("Kitchen.sqlite"), sql)
    }
    let recipe = "(SELECT Z_PK FROM ZRECIPE WHERE ZTITLE = 'Shakshuka')"
    #expect(rows.first == "0 Recipe 1")
    #expect(rows.contains("1 Category 1"))
    #expect(rows.contains("1 Ingredient \(try count("ZINGREDIENT", "ZRECIPE = \(recipe)"))"))
    #expect(rows.contains("1 Step \(try count("ZSTEP", "ZRECIPE = \(recipe)"))"))
    #expect(run.output.contains("\nfollow: "))
    #expect(run.output.contains("\nstop: "))
    #expect(run.output.contains("nothing was written"))
    #expect(try !place.names().contains("out.sqlite"))
  }

  @Test func `the JSON report has the closure, of a dry run only`() throws {
    let arguments = [
      "copy", "Kitchen.sqlite", "out.sqlite", "--root", "Recipe: _id = 4", "--json",
    ]
    let dry = try place.run(arguments + ["--dry-run"])
    let report = try #require(try JSONSerialization.jsonObject(with: Data(dry.output.utf8)) as? [String: Any])
    let closure = try #require(report["closure"] as? [String: Any])
    let levels = try #require(closure["levels"] as? [[String: Any]])
    #expect(levels.first?["distance"] as? Int == 0)
    let entities = try #require(levels.first?["entities"] as? [String: [String: Int]])
    #expect(entities["Recipe"]?["objects"] == 1)
    #expect((closure["rules"] as? [String: String])?["Recipe.ingredients"] == "follow")
    let real = try place.run(arguments)
    #expect(real.status == 0)
    #expect(real.output.contains("\"closure\": null"))
    let count = try Program.sqlite3(place.folder.path("out.sqlite"), "SELECT count(*) FROM ZRECIPE")
    #expect(count == "1")
  }

  @Test func `a part is merged, and once is enough`() throws {
    let merge = [
      "merge", "Guests.sqlite", "Kitchen.sqlite", "--root", "Recipe: 1", "--rule",
      "Recipe.tags=follow",
    ]
    #expect(try place.run(merge).status == 0)
    let after = try Program.sqlite3(place.folder.path("Kitchen.sqlite"), ".dump")
    let again = try place.run(merge)
    #expect(again.output.contains("nothing to do"))
    #expect(try Program.sqlite3(place.folder.path("Kitchen.sqlite"), ".dump") == after)
  }

  @Test(arguments: [
    (["--root", "Recip: 1"], "did you mean Recipe?"),
    (["--root", "Recipe: titel = 'x'"], "did you mean title?"),
    (["--root", "Recipe: title = 'none'"], "no Recipe in “Kitchen.sqlite” meets the condition"),
    (["--root", "Recipe"], "write the condition as"),
    (["--root", "Recipe: 1", "--rule", "Recipe.categry=stop"], "did you mean Recipe.category?"),
    (["--root", "Recipe: 1", "--rule", "Recipe.category=halt"], "follow, reference, stop"),
    (["--root", "Recipe: 1", "--rule", "Recipe.category"], "write the rule as"),
    (["--rule", "Recipe.category=stop"], "requires a root to start from"),
    (["--root", "Recipe: 1", "--keep-metadata"], "use only one of them"),
  ])
  func `what makes no sense is said, with exit code 64`(_ options: [String], _ message: String) throws {
    try place.expect(["copy", "Kitchen.sqlite", "out.sqlite"] + options, 64, message)
    #expect(try place.names() == ["Guests.sqlite", "Kitchen.sqlite"])
  }
}
