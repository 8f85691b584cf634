import Decant
import StoreTestSupport
import TestSupport
import Testing

/// What stands beside a link that is cut because its target is refused: the entity of the target, and the link's place in
/// a list.
@Suite struct CutLinkTests {
  private static let beside = """
    SELECT count(*) FROM ZSTEP WHERE (ZRECIPE IS NULL) <> (Z_FOK_RECIPE IS NULL);
    SELECT count(*) FROM ZRECIPE WHERE (ZCOVER IS NULL) <> (Z2_COVER IS NULL)
    """

  @Test(arguments: [1, 1_000] as [Int64], [CopyOptions.Commit.run, .batch])
  func `what goes with a link is cut with it`(batchSize: Int64, commit: CopyOptions.Commit) throws {
    let kitchens = try Kitchens()
    #expect(try Program.sqlite3(kitchens.guests, Self.beside) == "0\n0")
    #expect(try Program.sqlite3(kitchens.kitchen, Self.beside) == "0\n0")
    let steps = try Program.sqlite3(kitchens.kitchen, "SELECT max(Z_PK) FROM ZSTEP")
    let recipes = try Program.sqlite3(kitchens.kitchen, "SELECT max(Z_PK) FROM ZRECIPE")
    let images = try Program.sqlite3(kitchens.kitchen, "SELECT max(Z_PK) FROM ZIMAGE")
    // It takes one recipe of those that are added, and no image.
    _ = try Program.sqlite3(
      kitchens.kitchen,
      """
      CREATE UNIQUE INDEX one ON ZRECIPE (length(ZUUID)) WHERE Z_PK > \(recipes);
      CREATE UNIQUE INDEX another ON ZIMAGE (Z_ENT > 0) WHERE Z_PK >= \(images)
      """
    )
    let report = try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
      $0.appends = true
      $0.onError = .reject
      $0.batchSize = batchSize
      $0.commit = commit
    }
    #expect(report["Recipe"]?.rejected == 4)
    #expect(report["RecipeImage"]?.rejected == 3 && report["StepImage"]?.rejected == 1)
    #expect(report.links.cut > 0)
    #expect(try Program.sqlite3(kitchens.kitchen, Self.beside) == "0\n0")
    // The steps of the recipe that was taken have theirs.
    #expect(
      try Program.sqlite3(kitchens.kitchen, "SELECT count(*), count(Z_FOK_RECIPE) FROM ZSTEP WHERE Z_PK > \(steps)")
        == Program.sqlite3(kitchens.guests, "SELECT count(*), count(*) FILTER (WHERE ZRECIPE = 1) FROM ZSTEP")
    )
  }
}
