import Decant
import Foundation
import TestSupport
import Testing

/// Recipes that are written and read again are the same, and what a format cannot hold is named before.
@Suite(.enabled(if: Fixtures.areAvailable)) struct RecipeRoundTripTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  /// A format that is written, where to, and real files of it.
  struct Case: CustomTestStringConvertible, Sendable {
    let target: String
    let folder: String
    var isFolder: Bool { target.contains(":") }
    var testDescription: String { target }
  }

  private static let cases = [
    Case(target: "out.paprikarecipes", folder: "paprika"),
    Case(target: "out.melarecipes", folder: "mela"),
    Case(target: "out.json", folder: "schemaorg"),
    Case(target: "nextcloud:out", folder: "nextcloud"),
    Case(target: "cooklang:out", folder: "cooklang"),
    Case(target: "out.mmf", folder: "mmf"),
  ]

  private func files(_ folder: String) throws -> [String] {
    let place = try RecipeShelf.fixture(folder)
    return try FileManager.default.contentsOfDirectory(atPath: place).sorted()
      // What has a thousand recipes is written in `RecipeWritingTests`.
      .filter { !$0.hasSuffix(".yaml") && !$0.hasSuffix("1000.mmf") }.map { "\(place)/\($0)" }
  }

  private func written(_ target: String) -> String {
    target.split(separator: ":").last.map(String.init) ?? target
  }

  @Test(arguments: cases) func `a format gives its own back`(_ round: Case) throws {
    try shelf.import(files(round.folder))
    let notes = try shelf.export(to: round.target).notes.commandLine
    #expect(notes.filter { $0.contains("cannot hold") } == [])
    let report = try shelf.import(written(round.target), into: "back.sqlite")
    #expect(report.unread == [])
    let (was, became) = (try shelf.content(), try shelf.content("back.sqlite"))
    #expect(became.faults == [])
    // A page is written as what is in it.
    // A file of Cooklang has no ID before it is written.
    let keys: Set<String> =
      round.folder == "schemaorg" ? ["format", "ids"] : round.folder == "cooklang" ? ["ids"] : []
    let differences = became.differences(from: was, except: keys, isOrdered: !round.isFolder)
    for (_, difference) in differences {
      Issue.record("\(difference.count): \(difference.example)")
    }
    // And it is known where it came from.
    #expect(try shelf.import(written(round.target)).copiedCount == 0)
  }

  /// One file of each format that says more than others.
  private static let mixed = [
    "paprika/katharinemc-souschef-D.paprikarecipes", "mela/jphastings-mela-recipes-a+b.melarecipes",
    "mela/regg00-mela-recipe-paul-Tarte_à_la_lime_Key_lime_pie.melarecipe",
    "crouton/reaper47-recipya-strawberry.crumb", "mealie/mealie-recipes-mealie-mealie.zip",
    "tandoor/mealie-recipes-mealie-tandoor.zip", "nextcloud/mealie-recipes-mealie-nextcloud.zip",
    "copymethat/mealie-recipes-mealie-copymethat.zip", "recipekeeper/reaper47-recipya-recipes.html",
    "cookml/reaper47-recipya-kalorio.cml", "fdx/mera461-javaRecipes-allfields.fdx",
    "macgourmet/mera461-javaRecipes-Banana_Chocolate_Chip_Bread.mgourmet",
    "mx2/mera461-javaRecipes-Max-Min_MC_Field_Test.mx2", "mxp/mera461-javaRecipes-AllFields.mxp",
    "mmf/thinkle-gourmet-mealmaster.mmf", "gourmet/thinkle-gourmet-test_set.grmt",
    "krecipes/thinkle-gourmet-sample.kreml",
    "recipeml/thomas-ernest-around-recipeml-Lasagnes_d_Annick.xml",
    "cooklang/cooklang-spec-Fried_Rice.cook", "schemaorg/mealie-recipes-mealie-bon-appetit.json",
    "schemaorg/TandoorRecipes-recipes-ld_json_1.html",
  ]

  /// What pictures that are left out are called.
  private static let pictures = [
    "pictures", "all pictures except the first", "further pictures of the dish, or of a step",
  ]

  private static let parts = "amount, unit, name and note of an ingredient apart from its line"
  private static let minutes = "minutes of a time in addition to its text"
  private static let blanks = "line ends and repeated blanks within a line"
  private static let words = [
    "summary": "description", "url": "web address", "isFavorite": "favorites", "servings": "servings as a number",
    "created": "date of creation", "modified": "date of the last change", "prepTime": "preparation time",
    "cookTime": "cooking time", "totalTime": "total time",
  ]

  /// What a difference is called where it is told beforehand.
  private static func names(of field: String) -> [String] {
    switch field {
    case "prepMinutes": ["preparation time", minutes]
    case "cookMinutes": ["cooking time", minutes]
    case "totalMinutes": ["total time", minutes]
    case "page": ["web address"]
    case "author": ["author", "author, who is written as the source"]
    // What was not there is no loss.
    case "source": ["source", "author, who is written as the source"]
    case "tags": ["tags", "tags, which are written as categories"]
    case "categories": ["categories", "tags, which are written as categories"]
    case "fingerprint": ["title", "ingredients", "steps", "names of steps"]
    case "pictures", "pictures.type": pictures
    case "pictures.caption": pictures + ["captions of pictures"]
    case "pictures.step": pictures + ["the step of a picture"]
    case "ingredients.isOptional": ["ingredients", "optional ingredients as such"]
    case "ingredients.extra": ["ingredients", "extra.of ingredients"]
    case "steps.extra": ["steps", "extra.of steps"]
    case "ingredients", "ingredients.text": ["ingredients", blanks]
    case "steps", "steps.text": ["steps", blanks, "names of steps"]
    case _ where field.hasPrefix("ingredients."): ["ingredients", parts]
    case _ where field.hasPrefix("steps."): ["steps", "names of steps"]
    default: [words[field] ?? field]
    }
  }

  /// Fields that say where a recipe came from, and not what it is.
  private static let origins: Set<String> = [
    "format", "ids", "pictures.name", "pictures.extra",
  ]

  /// Recipes of many formats in another: nothing differs that was not named, in no more recipes than were counted.
  @Test(arguments: cases) func `what a format cannot hold is named`(_ round: Case) throws {
    try shelf.import(Self.mixed.map(RecipeShelf.fixture))
    let report = try shelf.export(to: round.target)
    let named = RecipeLossNames.counts(report.notes.commandLine)
    let again = try shelf.import(written(round.target), into: "back.sqlite")
    #expect(again.unread == [])
    let (was, became) = (try shelf.content(), try shelf.content("back.sqlite"))
    #expect(became.faults == [])
    let differences = became.differences(from: was, except: Self.origins, isOrdered: !round.isFolder)
    for (field, difference) in differences {
      let names = Self.names(of: field)
      let count = named.filter { names.contains($0.key) || $0.key.hasPrefix("\(field).") }.values.reduce(0, +)
      #expect(difference.count <= count, "\(difference.count): \(difference.example)")
    }
    // Of what stands beside the fields each member by itself: another one's loss says nothing of it.
    let lost = became.lostMembers(from: was, isOrdered: !round.isFolder)
    for (name, count) in lost {
      #expect(count <= named["extra.\(name)"] ?? 0, "extra.\(name)")
    }
    // And nothing is named that came back.
    for (name, count) in named where name.hasPrefix("extra.") && !name.hasPrefix("extra.of ") {
      #expect(count <= lost[String(name.dropFirst(6))] ?? 0, "\(name)")
    }
    // The library in another format is the same library, but for what was said to come out otherwise.
    let second = try shelf.import(written(round.target))
    let changed = ["title", "ingredients", "steps"].reduce(0) { $0 + (named[$1] ?? 0) }
    #expect(second["Recipe"]?.copied ?? 0 <= changed, "\(second.notes)")
  }

  /// Through an archive nothing is lost at all.
  @Test(arguments: ["sqlite", "coredata"])
  func `recipes that are chosen come with all that is theirs, and with nothing else`(_ kind: String) throws {
    try shelf.make(
      "all.paprikarecipes",
      """
      library([(f"{n}.paprikarecipe", packed(recipe(n, rating=r, categories=c, photo="p.png",
          photo_data=base64.b64encode(png).decode()))) for n, r, c in (
          ("Bread", 5, ["Baking", "Quick"]), ("Soup", 2, ["Quick", "Hot"]), ("Pie", 4, ["Sweet"]))])
      """
    )
    let kitchen = "\(kind):\(shelf.path("kitchen.sqlite"))"
    _ = try Import([shelf.path("all.paprikarecipes")], into: kitchen).run()
    // A plain store's archive makes a plain store.
    let archive = kind == "sqlite" ? ["some.decant.gz"] : []
    for place in ["some.paprikarecipes", "some.melarecipes", "some.json"] + archive {
      var options = CopyOptions()
      let chosen = CopyOptions.Filter(entity: "Recipe", expression: "rating >= 4")
      if archive.contains(place) { options.roots = [chosen] } else { options.filters = [chosen] }
      let report = try Export(from: kitchen, to: shelf.path(place), options: options).run()
      #expect(report["Recipe"]?.copied == 2)
      let store = "\(place).sqlite"
      try shelf.import(place, into: store)
      let content = try shelf.content(store)
      #expect(content.titles.sorted() == ["Bread", "Pie"])
      #expect(content.field("categories", of: "Bread").sorted() == ["Baking", "Quick"])
      #expect(
        try shelf.value("SELECT group_concat(name) FROM (SELECT name FROM Category ORDER BY 1)", of: store)
          == "Baking,Quick,Sweet"
      )
      #expect(content.pictures.count == 2)
    }
  }

  @Test func `an archive gives everything back`() throws {
    try shelf.import(Self.mixed.map(RecipeShelf.fixture))
    #expect(try Export(from: shelf.path("kitchen.sqlite"), to: shelf.path("k.decant")).run().isVerified)
    try Import([shelf.path("k.decant")], into: shelf.path("back.sqlite")).run()
    let (was, became) = (try shelf.content(), try shelf.content("back.sqlite"))
    #expect(became.recipes == was.recipes)
    #expect(became.faults == [])
    #expect(try Verify(shelf.path("kitchen.sqlite"), against: shelf.path("back.sqlite")).run().isEqual)
    // And what came out of the archive knows the files again.
    let again = try shelf.import(Self.mixed.map(RecipeShelf.fixture), into: "back.sqlite")
    #expect(again.copiedCount == 0)
  }
}
