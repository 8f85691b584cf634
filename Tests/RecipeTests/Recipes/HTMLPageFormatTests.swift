import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import DecantRecipeFormats

@Suite struct HTMLPageFormatTests {
  /// Reads a page; of a script the first name in it is a recipe's title, and one without is no JSON.
  private static func read(_ page: [UInt8], folder: URL? = nil) throws -> (
    MarkupRecipes, warnings: [String], formats: [String]
  ) {
    var read = MarkupRecipes()
    var warnings: [String] = []
    var formats: [String] = []
    try MarkupRecipes.withFolders { texts, pictures in
      let context = RecipeContext(entry: "page.html", pictures: pictures)
      let document = try MarkupDocument(spool: texts, isHTML: true, MarkupText.fill(page))
      try HTMLRecipes.read(document, context, nil, script: Self.script) { found in
        switch found {
        case .recipe(let format, .success(let recipe)):
          formats.append(format.name)
          try read.take(recipe, context, folder)
        case .recipe(let format, .failure(let fault)):
          formats.append(format.name)
          read.faults.append(fault.message)
        case .again: pictures.clear()
        case .damage(let text): warnings.append(text)
        }
      }
      warnings += context.takeWarnings()
    }
    return (read, warnings + read.recipes.flatMap(\.warnings), formats)
  }

  private static func script(
    _ text: DocumentText?,
    _ context: RecipeContext,
    _ take: (Result<Recipe, RecipeFault>) throws -> Void
  ) throws {
    guard let text else { return }
    var bytes: [UInt8] = []
    // Lines end within strings, too; here they may be blanks everywhere.
    try text.forEachPiece { bytes += $0.map { $0 < 0x20 ? 0x20 : $0 } }
    guard let json = try? JSONSerialization.jsonObject(with: Data(bytes)) else {
      throw RecipeFault("no JSON")
    }
    let objects = (json as? [Any] ?? [json]).compactMap { $0 as? [String: Any] }
    let all = objects.flatMap { $0["@graph"] as? [[String: Any]] ?? [$0] }
    for object in all where object["@type"] as? String == "Recipe" {
      var recipe = Recipe()
      recipe.title = object["name"] as? String ?? ""
      try take(.success(recipe))
    }
  }

  @Test(
    .enabled(if: Fixtures.areAvailable),
    arguments: [
      "nextcloud-cookbook-caseB", "nextcloud-cookbook-caseD", "nextcloud-cookbook-caseG",
      "nextcloud-cookbook-caseH", "TandoorRecipes-recipes-ld_json_1",
      "TandoorRecipes-recipes-ld_json_multiple",
    ]
  )
  func `real pages hand their scripts on`(_ name: String) throws {
    let fixture = try RecipeFixture("schemaorg/\(name).html")
    let (read, _, _) = try Self.read(Array(try Data(contentsOf: fixture.file)))
    #expect(read.recipes.map(\.title) == fixture.titles)
  }

  @Test func `microdata is read, and a recipe that is said twice counts once`() throws {
    let page = """
      <html><head><script type=application/ld+json>{"@type":"Recipe","name":"Twice"}</script>
      <script type="application/LD+JSON; charset=utf-8">foo</script></head><body>
      <div itemscope itemtype="http://schema.org/Recipe"><h1 itemprop="name">TWICE </h1></div>
      <div itemscope itemtype="https://schema.org/Recipe"><h1 itemprop="name">Once &amp;amp; for all</h1>
      <p itemprop="aggregateRating" class="rating" value="4"></p><a itemprop="url" href="http://x/y"><span itemprop="author">Site</span></a>
      <time itemprop="prepTime" datetime="PT1H5M">an hour</time><meta itemprop="cookTime" content="PT10M">
      <img itemprop="image" src="Images/u%20v/p.jpg"><img itemprop="image" src="https://x/z.jpg">
      <ul><li itemprop="recipeIngredient">1 egg<li itemprop="recipeIngredient">2 <b>cups</b>  milk</ul>
      <div itemprop="recipeInstructions"><p>One.</p><p>Two.</p></div>
      <div itemprop="nutrition" itemscope itemtype="http://schema.org/NutritionInformation">
      <span itemprop="calories">5 kcal</span></div><span itemprop="recipeCuisine">French</span></div></body></html>
      """
    let (read, warnings, _) = try Self.read(Array(page.utf8))
    #expect(read.recipes.map(\.title) == ["Twice", "Once & for all"])
    let recipe = read.recipes[1]
    #expect(recipe.rating == 4 && recipe.url == "http://x/y" && recipe.author == "Site")
    #expect(recipe.prepTime == RecipeTime(text: "an hour", minutes: 65))
    #expect(recipe.cookTime == RecipeTime(text: "PT10M", minutes: 10))
    #expect(recipe.ingredients.map(\.text) == ["1 egg", "2 cups milk"])
    #expect(recipe.steps.map(\.text) == ["One.", "Two."])
    #expect(recipe.nutrition == [RecipeNutrient(name: "calories", value: "5 kcal")])
    #expect(recipe.extra.map(\.0) == ["image", "recipeCuisine"])
    #expect(recipe.images.count == 1)
    if case .file(let names) = recipe.images[0].place {
      #expect(names.prefix(2) == ["Images/u%20v/p.jpg", "Images/u v/p.jpg"])
    }
    #expect(warnings == ["a JSON-LD script cannot be read: no JSON (line 2)"])
  }

  @Test func `steps may be items with sections`() throws {
    let page = """
      <div itemscope itemtype="http://schema.org/Recipe"><script type="application/ld+json">{"@type":"Recipe","name":"A"}</script>
      <b itemprop=name>B</b><div itemprop="recipeInstructions" itemscope itemtype="http://schema.org/HowToSection">
      <b itemprop="name">Dough</b><div itemprop="itemListElement" itemscope><b itemprop="name">Mix</b>
      <p itemprop="text">Mix all.</p></div></div></div>
      """
    let (read, _, _) = try Self.read(Array(page.utf8))
    #expect(read.recipes.map(\.title) == ["A", "B"])
    #expect(read.recipes[1].steps.map(\.text) == ["Dough", "Mix all."])
    #expect(read.recipes[1].steps.map(\.isHeading) == [true, false])
    #expect(read.recipes[1].steps.map(\.title) == [nil, "Mix"])
  }

  @Test func `each recipe is read by the format that it is of`() throws {
    let page = """
      <html><div class="recipe-details"><meta content="0" itemprop="recipeRating"><h2 itemprop="name">K</h2>
      <div itemprop="recipeDirections"></div></div><div class="recipe-details"><h2>no recipe</h2></div>
      <div class = "recipe"><div id="name">C</div></div><div class="recipe">no recipe</div>
      <div class="recipe" itemscope itemtype="http://schema.org/Recipe"><b itemprop="name">S</b></div></html>
      """
    let (read, _, formats) = try Self.read(Array(page.utf8))
    #expect(read.recipes.map(\.title) == ["K", "C", "S"])
    #expect(formats == ["recipekeeper", "copymethat", "html"])
  }

  /// Elements of microdata that lie in each other, so that each holds nearly all of the page.
  private static let nestings: [(name: String, first: String, each: String, last: String, titles: [String])] = [
    (
      "recipes", "",
      "<div itemscope itemtype='https://schema.org/Recipe'><b itemprop=name>A</b><i itemprop=ingredients>egg</i>", "",
      ["A"]
    ),
    (
      "recipes without lines", "", "<div itemscope itemtype='https://schema.org/Recipe'><b itemprop=name>B</b>", "",
      ["B"]
    ),
    (
      "steps", "<div itemscope itemtype='https://schema.org/Recipe'><b itemprop=name>C</b>",
      "<div itemprop=recipeInstructions itemscope>", "Boil", ["C"]
    ),
    ("recipes of RDFa", "<div vocab='https://schema.org/'>", "<div typeof=Recipe><b property=name>E</b>", "", ["E"]),
  ]

  @Test(.timeLimit(.minutes(2)), arguments: nestings.map(\.name))
  func `nested items take no more time than there is of the page`(_ name: String) throws {
    let nesting = try #require(Self.nestings.first { $0.name == name })
    let page = "<body>" + nesting.first + String(repeating: nesting.each, count: 5_000) + nesting.last
    let (read, _, _) = try Self.read(Array(page.utf8))
    // What lies deeper than elements are read is empty.
    #expect(Set(read.recipes.map(\.title)).subtracting([""]) == Set(nesting.titles))
  }

  @Test func `properties that hold each other are refused`() throws {
    let page =
      "<div itemscope itemtype='https://schema.org/Recipe'>"
      + String(repeating: "<div itemprop=recipeIngredient>", count: 300)
      + "<p>a pinch of salt"
    let (read, _, _) = try Self.read(Array(page.utf8))
    #expect(read.recipes.isEmpty)
    #expect(read.faults.first?.contains("contain each other") == true)
  }
}
