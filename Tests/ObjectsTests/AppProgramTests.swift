import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Programs as an app's developer writes them, run on copies of the samples and read with SQLite.
@Suite struct AppProgramTests {
  private let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  private func run(_ arguments: String...) throws -> [String] {
    let program = DecantProgram.folder.appendingPathComponent("RecipeApp").path
    let result = try Program.run([program] + arguments)
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func `a list has sections and pages, and deletes what is swiped away`() throws {
    let sql = """
      SELECT n FROM (
        SELECT c.ZNAME || ' (' || count(*) || ')' AS n, c.ZNAME AS a, 0 AS b, '' AS d FROM ZRECIPE r JOIN ZCATEGORY c ON c.Z_PK = r.ZCATEGORY
          WHERE r.ZSERVINGS > 0 GROUP BY c.ZNAME
        UNION ALL SELECT '  ' || r.ZTITLE, c.ZNAME, 1, lower(r.ZTITLE) FROM ZRECIPE r JOIN ZCATEGORY c ON c.Z_PK = r.ZCATEGORY
          WHERE r.ZSERVINGS > 0 ORDER BY a, b, d)
      """
    let wanted = { try Program.sqlite3(kitchens.kitchen, sql).split(separator: "\n").map(String.init) }
    #expect(try run("list", kitchens.kitchen).dropLast() == wanted()[...])
    let shown = try run("list", kitchens.kitchen, "1")
    #expect(try shown.dropLast() == wanted()[...])
    #expect(try Program.sqlite3(kitchens.kitchen, "SELECT count(*) FROM ZRECIPE WHERE Z_PK = 1") == "0")
    try WritingTests.checkSound(kitchens.kitchen)
  }

  @Test func `an editor saves all of a recipe, or nothing`() throws {
    let before = try Kitchens.rows(of: kitchens.kitchen)
    #expect(try run("edit", kitchens.kitchen, "Borscht", "discard") == ["discarded"])
    #expect(try Kitchens.rows(of: kitchens.kitchen) == before)
    #expect(try run("edit", kitchens.kitchen, "Borscht", "save") == ["saved Borscht 1, 3 steps"])
    let sql = """
      SELECT r.ZTITLE, r.ZSERVINGS, c.ZNAME, (SELECT group_concat(ZTEXT, ' ') FROM
        (SELECT ZTEXT FROM ZSTEP WHERE ZRECIPE = r.Z_PK ORDER BY Z_FOK_RECIPE))
      FROM ZRECIPE r JOIN ZCATEGORY c ON c.Z_PK = r.ZCATEGORY WHERE ZTITLE LIKE 'Borscht%'
      """
    #expect(try Program.sqlite3(kitchens.kitchen, sql) == "Borscht 1|4|Soups|Cut. Boil. Serve.")
  }

  /// Whole recipes alone: killed while one write follows the other.
  @Test(arguments: [0, 300, 700, 1_100, 1_600, 2_200, 3_100, 5_000])
  func `a kill leaves whole writes`(microseconds: UInt32) throws {
    let app = DecantProgram.folder.appendingPathComponent("RecipeApp").path
    let program = try RunningProgram([app, "edit", kitchens.kitchen, "Borscht", "save", "100000"], errors: .inherited)
    // What it prints is held back until there is much of it: dozens of writes are behind it, and one is under way.
    #expect(!program.read().isEmpty)
    usleep(microseconds)
    #expect(program.kill() == .killed(SIGKILL))
    let sql = """
      SELECT count(*) FROM ZRECIPE r WHERE ZTITLE LIKE 'Borscht%'
        AND ((SELECT count(*) FROM ZSTEP WHERE ZRECIPE = r.Z_PK) <> 3 OR ZSERVINGS <> 4)
      """
    #expect(try Program.sqlite3(kitchens.kitchen, sql) == "0")
    try WritingTests.checkSound(kitchens.kitchen)
    #expect(try run("edit", kitchens.kitchen, "Okroshka", "save") == ["saved Okroshka 1, 3 steps"])
  }

  @Test func `one recipe is shared and taken in with what belongs to it`() throws {
    let title = try Program.sqlite3(kitchens.kitchen, "SELECT ZTITLE FROM ZRECIPE WHERE Z_PK = 1")
    let steps = try Program.sqlite3(kitchens.kitchen, "SELECT count(*) FROM ZSTEP WHERE ZRECIPE = 1")
    _ = try Program.sqlite3(
      kitchens.guests,
      "DELETE FROM Z_6TAGS; DELETE FROM ZRECIPE; DELETE FROM ZSTEP; DELETE FROM ZIMAGE; DELETE FROM ZINGREDIENT; UPDATE Z_METADATA SET Z_UUID = 'C0C0A000-0000-4000-8000-000000000009'"
    )
    let lines = try run("share", kitchens.kitchen, title, kitchens.folder.path("one.decant"), kitchens.guests)
    #expect(lines.count == 3)
    let there = "SELECT ZTITLE, (SELECT count(*) FROM ZSTEP WHERE ZRECIPE = r.Z_PK) FROM ZRECIPE r"
    #expect(try Program.sqlite3(kitchens.guests, there).contains("\(title)|\(steps)"))
    try WritingTests.checkSound(kitchens.guests)
  }

  @Test func `a nightly run merges what it can and names what it cannot`() throws {
    let inbox = kitchens.folder.path("inbox")
    try FileManager.default.createDirectory(atPath: inbox, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: kitchens.guests, toPath: "\(inbox)/a.sqlite")
    try Data("no database".utf8).write(to: URL(fileURLWithPath: "\(inbox)/b.sqlite"))
    try FileManager.default.copyItem(atPath: kitchens.guests, toPath: "\(inbox)/c.sqlite")
    let lines = try run("nightly", inbox, kitchens.kitchen)
    #expect(lines.count == 4)
    #expect(lines.first?.hasPrefix("a.sqlite: ") == true && lines.first != "a.sqlite: 0 objects came")
    #expect(lines.dropFirst().first?.hasPrefix("b.sqlite: ") == true)
    #expect(lines.dropFirst(2).first == "c.sqlite: 0 objects came")
    let count = try Program.sqlite3(kitchens.kitchen, "SELECT count(*) FROM ZRECIPE")
    #expect(lines.last == "\(count) recipes, 1 stores failed")
  }
}
