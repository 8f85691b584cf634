import Decant
import Foundation
import TestSupport
import Testing

/// The week of a cook: many files of many apps, corrections, edits of one's own, and a friend; at its end each recipe and
/// each line is there once, and so is every edit.
@Suite(.enabled(if: Fixtures.areAvailable)) struct RecipeWeekTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  /// Files of the fixtures, for the first day and for the second.
  private static let first = [
    "paprika/katharinemc-souschef-D.paprikarecipes", "paprika/swizzlevixen-Recipes-My_Recipes.paprikarecipes",
    "paprika/mera461-javaRecipes-1_SP_(each)_Cheesy_Chicken_Meatballs.GZIP.paprikarecipe",
    "mela/jphastings-mela-recipes-a+b.melarecipes", "mela/jphastings-mela-recipes-c.melarecipe",
    "mela/regg00-mela-recipe-paul-Frites.melarecipe", "mela/regg00-mela-recipe-paul-Frites_au_four.melarecipe",
    "mela/regg00-mela-recipe-paul-Riz_Basmati.melarecipe", "mela/regg00-mela-recipe-paul-Crêpes_à_Dédé.melarecipe",
    "mela/regg00-mela-recipe-paul-Sauce_moutarde.melarecipe", "crouton/reaper47-recipya-strawberry.crumb",
    "mealie/mealie-recipes-mealie-mealie.zip", "tandoor/mealie-recipes-mealie-tandoor.zip",
    "nextcloud/mealie-recipes-mealie-nextcloud.zip", "copymethat/mealie-recipes-mealie-copymethat.zip",
    "plantoeat/mealie-recipes-mealie-plantoeat.zip", "recipekeeper/reaper47-recipya-recipes.html",
    "cookml/reaper47-recipya-kalorio.cml", "fdx/mera461-javaRecipes-allfields.fdx",
    "fdx/mera461-javaRecipes-hr-Whipped_Potatoes_with_Garlic_and_Cheese.fdx",
    "macgourmet/mera461-javaRecipes-Banana_Chocolate_Chip_Bread.mgourmet", "mx2/mera461-javaRecipes-ft-UTF8.mx2",
    "mxp/mera461-javaRecipes-0_2625_appetiz1_00.mxp", "mmf/thinkle-gourmet-mealmaster.mmf",
    "rezkonv/mera461-javaRecipes-BohnenSpeckPasta.rk", "gourmet/thinkle-gourmet-test_set.grmt",
    "krecipes/KDE-krecipes-samples-en_US.kreml",
    "recipeml/thomas-ernest-around-recipeml-recette_carrot-cake_22614.xml",
    "cooklang/cooklang-spec-Easy_Pancakes.cook", "cooklang/cooklang-spec-Fried_Rice.cook",
    "schemaorg/mealie-recipes-mealie-best-homemade-salsa-recipe.json", "schemaorg/nextcloud-cookbook-caseB.html",
    "cookmate/reaper47-recipya-my_cookbook.xml",
  ]
  private static let second = [
    "mela/regg00-mela-recipe-paul-Tarte_à_la_lime_Key_lime_pie.melarecipe",
    "macgourmet/mera461-javaRecipes-Almost_Flourless_Chocolate_Cake-542.mgourmet",
    "recipefox-json/mera461-javaRecipes-recipe_w_image_from_RecipeFox.json",
    "schemaorg/mealie-recipes-mealie-bon-appetit.json", "krecipes/thinkle-gourmet-sample.kreml",
  ]

  private func copy(_ names: [String]) throws {
    for name in names {
      let target = shelf.path("Downloads/\(EntryName.last(name))")
      try FileManager.default.copyItem(atPath: try RecipeShelf.fixture(name), toPath: target)
    }
  }

  private enum EntryName {
    static func last(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }
  }

  /// A saved page of the test's own, and a file of an app.
  private func writeOwn(sugar: Int, steps: String) throws {
    try shelf.write(
      """
      <html><head><title>Pancakes</title><script type="application/ld+json">{"@context": "https://schema.org",
      "@type": "Recipe", "name": "Grandma's Pancakes", "url": "https://example.org/pancakes", "recipeYield": "4",
      "recipeIngredient": ["200 g flour", "\(sugar) teaspoons sugar", "3 eggs", "300 ml milk"],
      "recipeInstructions": [\(steps)]}</script></head><body>A page.</body></html>
      """,
      "Downloads/pancakes.html"
    )
    try shelf.make("Downloads/own.paprikarecipes", "library([('1', packed(recipe('Plum Cake', notes='From Ann')))])")
  }

  private func number(_ sql: String, _ store: String = "library.sqlite") throws -> Int {
    try #require(Int(try shelf.value(sql, of: store)))
  }

  private func texts(_ title: String, _ store: String = "library.sqlite") throws -> String {
    try shelf.value(
      """
      SELECT group_concat(text, '|') FROM (SELECT text FROM Ingredient WHERE recipe_id =
        (SELECT id FROM Recipe WHERE title = '\(title)') ORDER BY recipe_position, id)
      """,
      of: store
    )
  }

  private func share(_ title: String, from store: String, to name: String, keepsNotes: Bool = false) throws {
    var export = Export(from: shelf.path(store), to: shelf.path(name))
    export.selection.roots = [EntityCondition(entity: "Recipe", expression: "title = '\(title)'")]
    export.page.keepsNotes = keepsNotes
    try export.run()
  }

  @Test func `each recipe once, each line once, every own edit there`() throws {
    try FileManager.default.createDirectory(atPath: shelf.path("Downloads"), withIntermediateDirectories: true)

    // Day one: 35 files.
    try copy(Self.first)
    try writeOwn(sugar: 2, steps: #""Whisk everything.", "Fry thin.""#)
    #expect(try FileManager.default.contentsOfDirectory(atPath: shelf.path("Downloads")).count == 35)
    try shelf.import("Downloads", into: "library.sqlite")
    let (recipes, lines) = (
      try number("SELECT count(*) FROM Recipe"), try number("SELECT count(*) FROM Ingredient")
    )
    let steps = try number("SELECT count(*) FROM Step")
    #expect(recipes > 100)

    // Edits of one's own.
    for edit in [
      "UPDATE Recipe SET notes = 'With lemon' WHERE title = 'Grandma''s Pancakes'",
      "UPDATE Ingredient SET text = '4 eggs' WHERE text = '3 eggs'",
      "UPDATE Recipe SET rating = 5, title = 'Ann''s Plum Cake' WHERE title = 'Plum Cake'",
      "UPDATE Recipe SET rating = 1 WHERE title = 'Chicken Fettuccine Alfredo'",
    ] { _ = try shelf.value(edit, of: "library.sqlite") }
    let edited = try number("SELECT count(*) FROM Ingredient WHERE text = '4 eggs'")

    // Day two: the same folder with five new files, and a page that was corrected.
    try copy(Self.second)
    try writeOwn(sugar: 3, steps: #""Whisk everything.", "Fry thin in butter.", "Serve warm.""#)
    let report = try shelf.import("Downloads", into: "library.sqlite")
    #expect(
      report.notes.contains {
        $0.kind == .corrected && $0.message.contains("Grandma's Pancakes")
          && $0.message.contains("sugar: 2 → 3 teaspoons")
      }
    )
    #expect(report.conflictCount == 0)
    #expect(report["Recipe"]?.copied == 5)
    // The missing pictures of the first day were said then; one of the new files lacks one, too.
    #expect(report.notes.filter { $0.message.contains("is missing") }.map { $0.message.contains("hallacas") } == [true])
    #expect(try texts("Grandma''s Pancakes") == "200 g flour|3 teaspoons sugar|4 eggs|300 ml milk")

    // A friend gets a recipe by a page, and sends it back changed, while it changes here, too.
    try share("Grandma''s Pancakes", from: "library.sqlite", to: "Pancakes.html")
    try shelf.import("Pancakes.html", into: "friend.sqlite")
    _ = try shelf.value("UPDATE Ingredient SET text = 'oat milk' WHERE text = '300 ml milk'", of: "friend.sqlite")
    _ = try shelf.value("UPDATE Recipe SET rating = 3", of: "friend.sqlite")
    _ = try shelf.value(
      "UPDATE Recipe SET summary = 'Sunday' WHERE title = 'Grandma''s Pancakes'", of: "library.sqlite")
    try share("Grandma''s Pancakes", from: "friend.sqlite", to: "Downloads/Back.html", keepsNotes: true)

    // Every day after: the whole folder again, with the friend's page in it.
    for _ in 3...5 {
      let report = try shelf.import("Downloads", into: "library.sqlite")
      #expect(report.conflictCount == 0)
      #expect(report["Recipe"]?.copied == 0)
    }

    // Each recipe once, each line once.
    #expect(try number("SELECT count(*) FROM Recipe") == recipes + 5)
    let newLines = try number(
      "SELECT count(*) FROM Ingredient WHERE recipe_id IN (SELECT id FROM Recipe ORDER BY id DESC LIMIT 5)")
    #expect(try number("SELECT count(*) FROM Ingredient") == lines + newLines)
    let newSteps = try number(
      "SELECT count(*) FROM Step WHERE recipe_id IN (SELECT id FROM Recipe ORDER BY id DESC LIMIT 5)")
    #expect(try number("SELECT count(*) FROM Step") == steps + newSteps + 1)
    #expect(try number("SELECT count(*) - count(DISTINCT uuid) FROM Recipe") == 0)

    // Every edit.
    #expect(try texts("Grandma''s Pancakes") == "200 g flour|3 teaspoons sugar|4 eggs|oat milk")
    #expect(
      try shelf.value(
        "SELECT notes || '|' || summary || '|' || rating FROM Recipe WHERE title = 'Grandma''s Pancakes'",
        of: "library.sqlite") == "With lemon|Sunday|3.0")
    #expect(
      try shelf.value("SELECT rating FROM Recipe WHERE title = 'Ann''s Plum Cake'", of: "library.sqlite") == "5.0")
    #expect(
      try shelf.value("SELECT rating FROM Recipe WHERE title = 'Chicken Fettuccine Alfredo'", of: "library.sqlite")
        == "1.0")
    #expect(try number("SELECT count(*) FROM Ingredient WHERE text = '4 eggs'") == edited)
    #expect(try number("SELECT count(*) FROM Recipe WHERE title = 'Plum Cake'") == 0)
    let whole = try shelf.content("library.sqlite")
    #expect(whole.faults == [])

    // To six formats and back: nothing comes that is not there, and nothing is lost.
    for place in [
      "out.paprikarecipes", "out.melarecipes", "out.json", "nextcloud:folders", "cooklang:texts", "out.mmf",
    ] {
      let export = try shelf.export("library.sqlite", to: place)
      #expect(try export["Recipe"]?.copied == Int64(number("SELECT count(*) FROM Recipe")), "\(place)")
      let report = try shelf.import(place.split(separator: ":").last.map(String.init) ?? place, into: "library.sqlite")
      #expect(report["Recipe"]?.source == export["Recipe"]?.copied, "\(place)")
      #expect(report.conflictCount == 0 && report.corrections == [], "\(place)")
      for entity in report.entities { #expect(entity.copied == 0 && entity.updated == 0, "\(place), \(entity.name)") }
      #expect(try shelf.content("library.sqlite") == whole, "\(place)")
    }
  }
}
