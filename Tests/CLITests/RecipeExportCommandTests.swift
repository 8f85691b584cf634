import Foundation
import TestSupport
import Testing

@Suite struct RecipeExportCommandTests {
  private let place: CommandFolder

  init() throws {
    place = try CommandFolder()
    let recipes = """
      [{"@type": "Recipe", "name": "A", "recipeIngredient": ["1 egg"], "recipeInstructions": ["Boil."],
        "aggregateRating": {"ratingValue": 4, "ratingCount": 1}, "video": "v"}]
      """
    try Data(recipes.utf8).write(to: place.url.appendingPathComponent("in.json"))
    #expect(try place.run(["import", "in.json", "r.sqlite", "-q"]).status == 0)
  }

  private let rating = "note: Meal-Master cannot hold: rating (1 recipe)\n"

  @Test func `what is lost is said once, before it is written`() throws {
    let run = try place.run(["export", "r.sqlite", "out.mmf"])
    #expect(run.status == 0)
    #expect(run.errors.hasPrefix(rating))
    #expect(run.errors.contains("fields of other formats: video (1)\n"))
    #expect(!run.output.contains("note:") && run.output.contains("verified:"))
  }

  @Test func `what would be lost is in the report of a dry run`() throws {
    let run = try place.run(["export", "r.sqlite", "out.mmf", "--dry-run"])
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(run.output.contains(rating.dropLast()))
    #expect(try !place.names().contains("out.mmf"))
  }

  @Test func `a report in JSON has the notes, and a quiet one none`() throws {
    let json = try place.run(["export", "r.sqlite", "a.mmf", "--json"])
    #expect(json.status == 0 && json.errors.isEmpty)
    #expect(json.output.contains("Meal-Master cannot hold: rating (1 recipe)"))
    let quiet = try place.run(["export", "r.sqlite", "b.mmf", "-q"])
    #expect(quiet.status == 0 && quiet.errors.isEmpty && quiet.output.isEmpty)
  }

  @Test(arguments: [
    (["w.json", "--level", "3"], Int32(64), "--level is for archives"),
    (["w.json", "--level", "3", "--dry-run"], 64, "--level is for archives"),
    (["w.crumb"], 64, "Crouton is a read-only format"),
    (["cooklang:-"], 64, "is not a file name for Cooklang recipes"),
    (["nextcloud:nodir/x"], 10, "there is no folder"),
  ])
  func `what cannot be made is refused`(_ arguments: [String], _ status: Int32, _ text: String) throws {
    let run = try place.run(["export", "r.sqlite"] + arguments)
    #expect(run.errors.contains(text), "\(run.errors)")
    #expect(run.status == status)
    #expect(run.output.isEmpty)
    #expect(try place.names() == ["Guests.sqlite", "Kitchen.sqlite", "in.json", "r.sqlite"])
  }
}
