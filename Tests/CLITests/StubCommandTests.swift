import Foundation
import TestSupport
import Testing

/// What the command says of empty objects that a mapping has made for links to lead to.
@Suite struct StubCommandTests {
  private let place: CommandFolder

  init() throws {
    place = try CommandFolder()
    try Data(
      """
      entities: { Category: { where: "name <> 'Baking'", identity: [uuid, name] } }
      relationships: { Recipe.category: { rule: reference, missing: stub } }
      share: { one: { roots: { Recipe: "title = :title" }, strip: [Recipe.author], max: { objects: 10 } } }
      """.utf8
    ).write(to: place.url.appendingPathComponent("m.yaml"))
  }

  private func category(_ report: String) throws -> [String: Int] {
    let json = try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any]
    let entities = try #require(json?["entities"] as? [String: [String: Any]])
    #expect(entities.allSatisfy { ($0.value["stubs"] as? Int != 0) == ($0.key == "Category") })
    return try #require(entities["Category"]).compactMapValues { $0 as? Int }
  }

  @Test func `a run counts them apart, and a dry run foretells them`() throws {
    let copy = ["copy", "Kitchen.sqlite", "New.sqlite", "--mapping", "m.yaml"]
    let foretold = try place.run(copy + ["--dry-run", "--json"])
    try #require(foretold.status == 0, "\(foretold.errors)")
    let run = try place.run(copy + ["--json"])
    try #require(run.status == 0, "\(run.errors)")
    for report in [foretold, run] {
      let counts = try category(report.output)
      #expect(counts["source"] == 5 && counts["copied"] == 4 && counts["filtered"] == 1)
      #expect(counts["stubs"] == 1 && counts["rejected"] == 0)
    }
    #expect(
      try Program.sqlite3(
        place.folder.path("New.sqlite"),
        "SELECT count(*), sum(ZSYMBOL IS NULL AND ZSORTINDEX = 0 AND ZNAME = 'Baking') FROM ZCATEGORY"
      ) == "5|1"
    )
    let text = try place.run([
      "copy", "Kitchen.sqlite", "Other.sqlite", "--mapping", "m.yaml",
    ])
    #expect(text.output.contains("empty   1 Category: created as targets of links to missing objects"))
  }

  @Test func `where values are hidden an archive has the empty object, and its bound counts it`() throws {
    func share(_ title: String) throws -> Program {
      try place.run([
        "export", "Kitchen.sqlite", "s.decant", "--mapping", "m.yaml", "--share", "one", "--param",
        "title=\(title)", "--json",
      ])
    }
    // What belongs to a recipe, itself included.
    func count(_ title: String) throws -> String {
      try Program.sqlite3(
        place.folder.path("Kitchen.sqlite"),
        """
        SELECT 1 + (SELECT count(*) FROM ZINGREDIENT WHERE ZRECIPE = r.Z_PK)
          + (SELECT count(*) FROM ZSTEP WHERE ZRECIPE = r.Z_PK)
          + (SELECT count(*) FROM ZIMAGE WHERE ZRECIPE = r.Z_PK OR Z_PK = r.ZCOVER
              OR ZSTEP IN (SELECT Z_PK FROM ZSTEP WHERE ZRECIPE = r.Z_PK))
        FROM ZRECIPE r WHERE ZCATEGORY NOT NULL AND ZTITLE = '\(title)'
        """
      )
    }
    // With its category one has as many as are allowed, and the other one more.
    let counts = try [count("Green Shakshuka"), count("Tomato Salad with Basil")]
    try #require(counts == ["9", "10"])
    let refused = try share("Tomato Salad with Basil")
    #expect(refused.status != 0 && refused.errors.contains("11 objects"), "\(refused.errors)")
    let run = try share("Green Shakshuka")
    try #require(run.status == 0, "\(run.errors)")
    #expect(try category(run.output)["stubs"] == 1)
    let rows = try place.run(["query", "s.decant", "SELECT sortIndex FROM Category", "--csv"])
    #expect(rows.output.split(whereSeparator: \.isNewline) == ["sortIndex", "0"])
  }
}
