import Foundation
import TestSupport
import Testing

/// `--why`, in the samples.
@Suite struct WhyTests {
  private let place: CommandFolder

  init() throws { place = try CommandFolder() }

  /// Both stores have the carrot cake, with other values; it has a cover, whose other end leads back to it.
  @Test(arguments: [
    [], ["--where", "Recipe: rating > 2"], ["--root", "Recipe: uuid IS NOT NULL"],
    ["--where", "Tag: _id < 3", "--merge", "update"],
  ])
  func `an object that differs is explained, whatever is chosen`(more: [String]) throws {
    let sql = """
      SELECT g.Z_PK, k.Z_PK FROM ZRECIPE AS g JOIN k.ZRECIPE AS k ON k.ZUUID = g.ZUUID
      """
    let both = try Program.sqlite3(
      place.folder.path("Guests.sqlite"),
      "ATTACH '\(place.folder.path("Kitchen.sqlite"))' AS k; \(sql)"
    ).split(separator: "|")
    #expect(both.count == 2)
    let run = try place.run(
      [
        "merge", "Guests.sqlite", "Kitchen.sqlite", "--why", "Recipe \(both[0])", "--identity",
        "Recipe: uuid",
      ] + more
    )
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("is p\(both[1]) of “Kitchen.sqlite”: they have the same uuid"))
    #expect(run.output.contains("differs in "), "\(run.output)")
  }

  @Test func `rules bound what each archive takes along`() throws {
    for (rule, count) in [("follow", "3"), ("stop", "0")] {
      let run = try place.run([
        "export", "Guests.sqlite", "\(rule)/*.decant", "--each", "Recipe", "--rule",
        "Recipe.tags=\(rule)",
      ])
      #expect(run.status == 0, "\(run.errors)")
      #expect(try place.run(["import", rule, "\(rule).sqlite", "-q"]).status == 0)
      let tags = try Program.sqlite3(place.folder.path("\(rule).sqlite"), "SELECT count(*) FROM ZTAG")
      #expect(tags == count, "\(rule)")
    }
    try place.expect(["export", "Guests.sqlite", "x.decant", "--rule", "Recipe.tags=stop"], 64, "--root")
  }
}
