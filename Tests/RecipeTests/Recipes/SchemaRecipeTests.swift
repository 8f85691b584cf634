import Foundation
import TestSupport
import Testing

@testable import DecantRecipeFormats

/// Recipes in the terms of schema.org.
@Suite struct SchemaRecipeTests {
  private let session: JSONBench

  init() throws { session = try JSONBench() }

  private func recipe(_ members: String, entry: String = "a.jsonld") throws -> Recipe {
    try SchemaRecipe.recipe(session.read("{\"@type\":\"Recipe\",\(members)}"), session.context(entry))
  }

  private func titles(_ json: String) throws -> [String] {
    try SchemaRecipe.recipes(in: session.read(json)).map {
      try SchemaRecipe.recipe($0, session.context()).title
    }
  }

  @Test(
    .enabled(if: Fixtures.areAvailable),
    arguments: [
      "mealie-recipes-mealie-best-homemade-salsa-recipe.json",
      "mealie-recipes-mealie-bon-appetit.json",
    ]
  )
  func `real files are read`(_ file: String) throws {
    let path = "schemaorg/\(file)"
    let expected = try ExpectedRecipes.of(path)
    let document = try session.read(ExpectedRecipes.place(file: path))
    let recipes = try SchemaRecipe.recipes(in: document).map {
      try SchemaRecipe.recipe($0, session.context(file))
    }
    #expect(recipes.map(\.title) == expected.titles)
    #expect(!MealieFormat.matches(document))
    let counts = recipes.map { [$0.ingredients.count, $0.steps.count] }
    #expect(counts == [file.contains("salsa") ? [11, 2] : [21, 8]])
    #expect(recipes[0].steps.allSatisfy { $0.title == nil && !$0.text.isEmpty })
  }

  @Test(.enabled(if: Fixtures.areAvailable))
  func `a real file is read in full`() throws {
    let path = "schemaorg/mealie-recipes-mealie-best-homemade-salsa-recipe.json"
    let recipe = try SchemaRecipe.recipe(
      session.read(ExpectedRecipes.place(file: path)),
      session.context("salsa.jsonld")
    )
    #expect(recipe.author == "Sommer Collier")
    #expect(recipe.yield == "20 (5 cups)")
    #expect(recipe.prepTime == RecipeTime(text: "PT5M", minutes: 5))
    #expect(recipe.categories == ["Appetizer", "Snack"])
    #expect(recipe.tags == ["Homemade Salsa", "Salsa", "The Best Salsa Recipe"])
    #expect(recipe.rating == nil)
    #expect(recipe.url == "https://www.aspicyperspective.com/best-homemade-salsa-recipe/")
    #expect(
      recipe.nativeID == "https://www.aspicyperspective.com/best-homemade-salsa-recipe/#recipe"
    )
    #expect(recipe.nutrition.contains(RecipeNutrient(name: "calories", value: "19 kcal")))
    #expect(recipe.nutrition.count == 5)
    #expect(recipe.images.isEmpty)
    let kept = [
      "mainEntityOfPage", "isPartOf", "video", "recipeCuisine", "aggregateRating", "image",
    ]
    #expect(Set(recipe.extra.map(\.0)) == Set(kept))
  }

  @Test(arguments: [
    (#"{"@type":"Recipe","name":"a"}"#, ["a"]),
    (#"[{"@type":"Recipe","name":"a"},{"@type":"Person"}]"#, ["a"]),
    (#"{"@type":["Recipe","NewsArticle"],"name":"a"}"#, ["a"]),
    (#"{"@type":"http://schema.org/Recipe","name":"a"}"#, ["a"]),
    (#"{"@type":"schema:Recipe","name":"a"}"#, ["a"]),
    (
      #"{"@graph":[{"@type":"WebPage"},{"@type":"Recipe","name":"a"},{"@type":"Recipe","name":"b"}]}"#,
      ["a", "b"]
    ),
    (#"{"@type":"WebPage","mainEntity":{"@type":"Recipe","name":"a"}}"#, ["a"]),
    (#"{"recipes":[{"@type":"Recipe","name":"a"},{"@type":"Recipe","name":"b"}]}"#, ["a", "b"]),
    (
      #"{"@type":"ItemList","itemListElement":[{"item":{"@type":"Recipe","name":"a","recipeIngredient":["x"]}}]}"#,
      ["a"]
    ),
    // Names of other recipes, references, the same one twice.
    (#"{"@type":"ItemList","itemListElement":[{"item":{"@type":"Recipe","name":"a"}}]}"#, []),
    (
      #"{"@type":"Recipe","name":"a","review":{"itemReviewed":{"@type":"Recipe","name":"b"}}}"#,
      ["a"]
    ),
    (
      ##"{"@graph":[{"mainEntity":{"@type":"Recipe","@id":"#r"}},{"@type":"Recipe","@id":"#r","name":"a"}]}"##,
      ["a"]
    ),
    (#"[{"@type":"Recipe","@id":"x","name":"a"},{"@type":"Recipe","@id":"x","name":"a"}]"#, ["a"]),
    (
      #"[{"@type":"Recipe","@id":"x","name":"a"},{"@type":"Recipe","@id":"x","name":"b"}]"#,
      ["a", "b"]
    ),
    (#"{"@type":"Person","name":"a"}"#, []), ("[]", []), ("null", []), (#""Recipe""#, []),
  ])
  func `recipes are found wherever they are`(_ json: String, _ expected: [String]) throws {
    #expect(try titles(json) == expected)
  }

  @Test func `references are resolved, also those that go round`() throws {
    let json = """
      {"@graph":[{"@type":"Recipe","@id":"#r","name":"Tajine","author":{"@id":"#p"},"image":{"@id":"#i"},
      "publisher":{"@id":"#nobody"}},
      {"@type":"Person","@id":"#p","name":"Ann","knows":{"@id":"#q"}},{"@id":"#q","name":"Bob","knows":{"@id":"#p"}},
      {"@type":"ImageObject","@id":"#i","url":"pictures/t.jpg"}]}
      """
    let found = try #require(SchemaRecipe.recipes(in: session.read(json)).first)
    let recipe = try SchemaRecipe.recipe(found, session.context())
    #expect(recipe.author == "Ann")
    #expect(recipe.images.last?.name == "pictures/t.jpg")
  }

  @Test func `references that multiply end`() throws {
    // Each node names the next ten times: resolved in full that would be more than anybody has time for.
    let nodes = (0..<8).map { level in
      let next = Array(repeating: "{\"@id\":\"\(level + 1)\"}", count: 100).joined(separator: ",")
      return "{\"@id\":\"\(level)\",\"name\":\"n\",\"part\":[\(next)]}"
    }
    let json =
      "[{\"@type\":\"Recipe\",\"name\":\"a\",\"author\":{\"@id\":\"0\"}},\(nodes.joined(separator: ","))]"
    let value = try session.read(json)
    let spent = CPUTime.of { #expect(SchemaRecipe.recipes(in: value).count == 1) }
    #expect(spent < .seconds(20))
  }

  @Test(arguments: [
    (#""One.\nTwo.\n\nThree.""#, ["One.", "Two.", "Three."]),
    (#"["One.","Two."]"#, ["One.", "Two."]),
    (#"["One.\nTwo."]"#, ["One.", "Two."]),
    (#""<ol><li>One.</li><li>Two &amp;amp; a half.</li></ol>""#, ["One.", "Two & a half."]),
    (
      #"[{"@type":"HowToStep","text":"One."},null,{"@type":"HowToStep","name":"Two."}]"#,
      ["One.", "Two."]
    ),
    (
      #"{"@type":"ItemList","itemListElement":[{"@type":"ListItem","item":{"text":"One."}}]}"#,
      ["One."]
    ),
    (
      #"[{"@type":"HowToSection","name":"Sauce","itemListElement":[{"@type":"HowToStep","text":"One."},"Two."]}]"#,
      ["# Sauce", "One.", "Two."]
    ),
    (
      #"[{"@type":"HowToSection","name":"Sauce","itemListElement":{"@type":"HowToStep","text":"One."}}]"#,
      ["# Sauce", "One."]
    ),
    (
      #"[{"@type":"HowToStep","itemListElement":[{"@type":"HowToDirection","text":"A"},{"@type":"HowToTip","text":"B"}]}]"#,
      ["A\nB"]
    ),
    (#"[[{"text":"One."}],[{"text":"Two."}]]"#, ["One.", "Two."]),
    (#"[{"text":"Two.","position":2},{"text":"One.","position":"1"}]"#, ["One.", "Two."]),
    (###"["## Dough","Knead."]"###, ["# Dough", "Knead."]),
    (#"[{"text":"Cut the onions fine.","name":"Cut the…"}]"#, ["Cut the onions fine."]),
    (#"[{"text":"Cut.","name":"Onions"}]"#, ["Onions: Cut."]), ("null", []), (#""""#, []),
    ("[[],{}]", []),
  ])
  func `instructions of all shapes are steps`(_ json: String, _ expected: [String]) throws {
    let steps = try recipe("\"recipeInstructions\":\(json)").steps
    #expect(
      steps.map { $0.isHeading ? "# \($0.text)" : ($0.title.map { "\($0): " } ?? "") + $0.text }
        == expected
    )
  }

  @Test(arguments: [
    (#"["1 egg",null,"2 oz  flour"]"#, ["1 egg", "2 oz  flour"]),
    (#""1 egg\n2 oz flour""#, ["1 egg", "2 oz flour"]),
    (#"[{"text":"1 egg"},{"name":"flour","amount":"2","unit":"oz"}]"#, ["1 egg", "2 oz flour"]),
    (###"["## Dough","flour","#1 tin"]"###, ["# Dough", "flour", "#1 tin"]),
    (##"[{"name":"Dough","itemListElement":["flour"]}]"##, ["# Dough", "flour"]),
    (#"["1 &frac12; cups","<b>2</b> eggs","5 < 6"]"#, ["1 ½ cups", "2 eggs", "5 < 6"]),
  ])
  func `ingredients of all shapes are lines`(_ json: String, _ expected: [String]) throws {
    for name in ["recipeIngredient", "ingredients"] {
      let lines = try recipe("\"\(name)\":\(json)").ingredients
      #expect(lines.map { $0.isHeading ? "# \($0.text)" : $0.text } == expected)
    }
  }

  @Test(
    arguments: [
      ("4", "4", 4), (#""4 servings""#, "4 servings", 4), (#"["4","4 servings"]"#, "4 servings", 4),
      (#""Makes about 18""#, "Makes about 18", nil), (#""4-6 servings""#, "4-6 servings", nil),
      (#"{"@type":"QuantitativeValue","value":2,"unitText":"loaves"}"#, "2 loaves", nil),
      (#""Für 4 Personen""#, "Für 4 Personen", 4), ("null", nil, nil), (#""""#, nil, nil),
    ] as [(String, String?, Double?)]
  )
  func `yields are kept, and servings told from them`(_ json: String, _ yield: String?, _ servings: Double?) throws {
    let recipe = try recipe("\"recipeYield\":\(json)")
    #expect(recipe.yield == yield)
    #expect(recipe.servings == servings)
  }

  @Test func `times of all shapes are read`() throws {
    let recipe = try recipe(
      #""prepTime":"PT0H15M0S","performTime":30,"totalTime":"","cookTime":0,"name":"x""#
    )
    #expect(recipe.prepTime == RecipeTime(text: "PT0H15M0S", minutes: 15))
    #expect(recipe.totalTime == nil)
    #expect(recipe.cookTime == RecipeTime(text: "30", minutes: 30))
    #expect(try self.recipe(#""performTime":30"#).cookTime == RecipeTime(text: "30", minutes: 30))
    #expect(
      try self.recipe(#""totalTime":"a while""#).totalTime
        == RecipeTime(text: "a while", minutes: nil)
    )
  }

  @Test func `words are told apart`() throws {
    let recipe = try recipe(
      #""keywords":"a, b,,a","recipeCategory":["Soup",{"name":"Starter"}],"recipeCuisine":"French""#
    )
    #expect(recipe.tags == ["a", "b"])
    #expect(recipe.categories == ["Soup", "Starter"])
    #expect(recipe.extra.map(\.0) == ["recipeCuisine"])
    #expect(
      try self.recipe(#""keywords":[{"@type":"DefinedTerm","name":"x"},"y, z"]"#).tags == [
        "x", "y", "z",
      ]
    )
  }

  @Test func `texts lose their HTML, and empty ones are none`() throws {
    let recipe = try recipe(
      ##""name":" Mac &amp;amp; cheese\n","description":"<p>It&#39;s <b>good</b></p>","author":[{"name":"A"},"B"]"##
    )
    #expect(recipe.title == "Mac & cheese")
    #expect(recipe.summary == "It's good")
    #expect(recipe.author == "A, B")
    #expect(try self.recipe(#""description":" ","author":{}"#).summary == nil)
  }

  @Test func `a rating is out of five`() throws {
    func rating(_ rating: String) throws -> Double? {
      try recipe("\"aggregateRating\":{\"ratingCount\":1,\"ratingValue\":\(rating)}").rating
    }
    #expect(try rating(#""8","bestRating":10"#) == 4)
    #expect(try rating("0") == nil)
    #expect(try rating("7") == nil)
  }

  @Test func `pictures in the document are taken, files named, addresses kept`() throws {
    let png =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    let recipe = try recipe(
      """
      "image":["data:image/jpeg;base64,\(png)",{"url":"pictures/a.jpg","caption":"A"},"//host/b.png",
      "https://host/c.jpg",null,{"contentUrl":"data:image/png;base64,\(png.replacingOccurrences(of: "/", with: "\\/"))"}],
      "recipeInstructions":[{"text":"One","image":"step.png"}]
      """
    )
    #expect(try session.digests(recipe).count == 2)
    #expect(try Set(session.digests(recipe)).count == 1)
    #expect(recipe.images.map(\.name) == [nil, "pictures/a.jpg", nil, "step.png"])
    #expect(recipe.images.last?.step == 0)
    #expect(recipe.images[1].caption == "A")
    guard case .file(let names) = recipe.images[1].place else {
      Issue.record("no file")
      return
    }
    #expect(names == ["pictures/a.jpg", "a.jpg"])
    #expect(recipe.extra.map(\.0) == ["image"])
  }

  @Test(arguments: [
    ("\"One.<br>Two <img src=PNG> too.<p>Three</p>\"", [1]), ("[\"One.\",\"<IMG src='PNG' alt='A'>Two\"]", [1]),
    (
      "[{\"@type\":\"HowToStep\",\"text\":\"<p>One<img src=PNG></p>\"},\"Two <img src='x.png'><img src=PNG>\"]",
      [0, 1, 1]
    ),
    ("\"<p><img src=PNG>One</p><p><img/src=PNG>Two</p>\"", [0, 1]), ("\"One <image> two\"", []),
  ])
  func `pictures in the HTML of steps are those of their lines`(_ steps: String, _ places: [Int]) throws {
    let png =
      "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    let text = steps.replacingOccurrences(of: "PNG", with: png)
    let recipe = try recipe("\"recipeInstructions\":\(text)")
    #expect(recipe.images.compactMap(\.step) == places)
    #expect(recipe.steps.allSatisfy { !$0.text.contains("<") || steps.contains("<image>") })
    let web = try self.recipe(
      "\"recipeInstructions\":\(steps.replacingOccurrences(of: "PNG", with: "https://host/a.png"))")
    #expect(web.steps.map(\.pictureAddresses).contains(["https://host/a.png"]) == steps.contains("PNG"))
  }

  @Test func `a long picture is taken out of the spool`() throws {
    let bytes = [0xff, 0xd8, 0xff, 0xe0] + (0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let base64 = Data(bytes).base64EncodedString()
    for text in [base64, "data:image/png;base64,\(base64)"] {
      #expect(try session.digests(recipe("\"image\":\"\(text)\"")).count == 1)
    }
  }

  @Test func `a picture that is none is a warning`() throws {
    let context = session.context("a.jsonld")
    let value = try session.read(
      #"{"@type":"Recipe","name":"x","image":"data:image/png;base64,AAAA"}"#
    )
    let recipe = try SchemaRecipe.recipe(value, context)
    #expect(recipe.images.isEmpty)
    #expect(context.warnings.count == 1)
  }

  /// Names that nothing else in the world goes by, and others.
  @Test(
    arguments: [
      (#""identifier":"0a1b2c3d00004000800000000000000f""#, "0a1b2c3d00004000800000000000000f"),
      (
        #""identifier":"{0A1B2C3D-0000-4000-8000-00000000000F}""#,
        "{0A1B2C3D-0000-4000-8000-00000000000F}"
      ),
      (#""identifier":"0a1b2c3d0000400080000000000000f""#, nil),
      (#""identifier":"0a1b2c3d-0000-4000-8000-00000000000""#, nil),
      (#""identifier":"0a1b2c3d00004000800000000000000g""#, nil), (#""identifier":"4711""#, nil),
      (#""identifier":"urn:uuid:4711""#, "urn:uuid:4711"),
      (#""identifier":"https://host/4711""#, "https://host/4711"),
      (#""identifier":{"value":"https://host/1"},"@id":"https://host/2""#, "https://host/1"),
      (#""identifier":"4711","@id":"https://host/2""#, "https://host/2"),
      (##""@id":"#recipe""##, nil),
      (#""identifier":["https://host/1","https://host/2"]"#, "https://host/1"),
    ] as [(String, String?)]
  )
  func `a recipe's own ID is one of the whole world`(members: String, expected: String?) throws {
    #expect(try recipe(members).nativeID == expected)
  }

  @Test func `what RecipeSage exports is read`() throws {
    let recipe = try recipe(
      """
      "identifier":"0a1b2c3d-0000-4000-8000-000000000001","name":"Soup","creditText":"Grandma",
      "isBasedOn":"https://host/soup","datePublished":"2024-01-02T03:04:05.000Z",
      "comment":[{"@type":"Comment","name":"Author Notes","text":"Good."}],"prepTime":"20 min"
      """
    )
    #expect(recipe.nativeID == "0a1b2c3d-0000-4000-8000-000000000001")
    #expect(recipe.source == "Grandma")
    #expect(recipe.url == "https://host/soup")
    #expect(recipe.notes == "Good.")
    #expect(recipe.created == "2024-01-02T03:04:05.000Z")
    #expect(recipe.prepTime?.minutes == 20)
    #expect(recipe.extra.isEmpty)
  }

  @Test func `what is no recipe is rejected`() throws {
    #expect(throws: RecipeFault.self) {
      try SchemaRecipe.recipe(session.read(#"{"@type":"Person"}"#), session.context())
    }
  }
}
