import Foundation
import TestSupport
import Testing

/// The order of lists after three-way merges, held against a reference in Python that shares no code with decant.
@Suite struct ListOrderTests {
  @Test func `a list is in the order that one side gave it, or in conflict`() throws {
    let script = Fixtures.projectFolder.appendingPathComponent("Tests/ThreeWay/orders.py").path
    let run = try Program.run(
      ["python3", script, "--seeds", "0-5"],
      environment: ["DECANT": DecantProgram.path]
    )
    #expect(run.status == 0, "\(run.output.suffix(4000))\(run.errors)")
    #expect(run.output.hasSuffix("6 histories, 0 with faults\n"))
  }

  /// The same model has a column of another name for the places in either; a step that moves has a revision more.
  @Test func `a list takes the order that it has in a plain database`() throws {
    let folder = try CommandFolder()
    func path(_ name: String) -> String { folder.folder.path(name) }
    try FileManager.default.copyItem(atPath: path("Kitchen.sqlite"), toPath: path("base.sqlite"))
    #expect(try folder.run(["copy", "base.sqlite", "sqlite:theirs.db", "-q"]).status == 0)
    _ = try Program.sqlite3(
      path("theirs.db"),
      "UPDATE Step SET recipe_position = 10000 - recipe_position WHERE recipe_id = 1"
    )
    let options = ["--merge", "three-way", "--base", "base.sqlite", "-q"]
    let run = try folder.run(["merge", "theirs.db", "Kitchen.sqlite"] + options)
    #expect(run.status == 0, "\(run.errors)")
    let steps = "SELECT Z_PK FROM ZSTEP WHERE ZRECIPE = 1 ORDER BY Z_FOK_RECIPE"
    #expect(try Program.sqlite3(path("Kitchen.sqlite"), steps) == "4\n3\n2\n1")
    let moved =
      "SELECT s.Z_PK FROM ZSTEP AS s JOIN b.ZSTEP AS o USING (Z_PK) WHERE s.Z_OPT = o.Z_OPT + 1"
    let unmoved =
      "SELECT s.Z_PK FROM ZSTEP AS s JOIN b.ZSTEP AS o USING (Z_PK) "
      + "WHERE s.Z_FOK_RECIPE <> o.Z_FOK_RECIPE"
    let revised = try [moved, unmoved].map {
      try Program.sqlite3(path("Kitchen.sqlite"), "ATTACH '\(path("base.sqlite"))' AS b; \($0) ORDER BY 1")
    }
    #expect(revised[0] == revised[1] && !revised[0].isEmpty)
  }

  /// Of the steps that all three have, theirs changed no order.
  @Test func `a step that mine removed moves nothing in a list that mine turned round`() throws {
    let folder = try CommandFolder()
    func path(_ name: String) -> String { folder.folder.path(name) }
    for name in ["base.sqlite", "theirs.sqlite"] {
      try FileManager.default.copyItem(atPath: path("Kitchen.sqlite"), toPath: path(name))
    }
    _ = try Program.sqlite3(
      path("Kitchen.sqlite"),
      "DELETE FROM ZSTEP WHERE Z_PK = 4; UPDATE ZSTEP SET Z_FOK_RECIPE = 10000 - Z_FOK_RECIPE WHERE ZRECIPE = 1"
    )
    _ = try Program.sqlite3(path("theirs.sqlite"), "UPDATE ZSTEP SET Z_FOK_RECIPE = 1 WHERE Z_PK = 4")
    let options = ["--merge", "three-way", "--base", "base.sqlite", "--conflicts", "c.jsonl", "-q"]
    let run = try folder.run(["merge", "theirs.sqlite", "Kitchen.sqlite"] + options)
    #expect(run.status == 0, "\(run.errors)")
    let steps = "SELECT Z_PK FROM ZSTEP WHERE ZRECIPE = 1 ORDER BY Z_FOK_RECIPE"
    #expect(try Program.sqlite3(path("Kitchen.sqlite"), steps) == "3\n2\n1")
  }
}
