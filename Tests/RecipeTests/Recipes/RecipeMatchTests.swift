import Testing

@testable import DecantRecipeFormats
@testable import DecantRecipes

/// Objects that lack what others of their format have.
@Suite struct RecipeMatchTests {
  private let session: JSONBench

  init() throws { session = try JSONBench() }

  private func format(_ json: String) throws -> String? {
    let value = try session.read(json)
    return RecipeFormats.json.first { $0.matches(value) }?.name
  }

  @Test(
    arguments: [
      (
        #"{"uid":"A","name":"x","ingredients":null,"directions":null,"photo":"a.jpg","notes":"n"}"#,
        "paprika"
      ),
      (#"{"uid":"A","name":"x","photo":null,"photo_data":"","notes":"n"}"#, "paprika"),
      (
        #"{"uid":"A","name":null,"ingredients":["a"],"directions":["b"],"source_url":null}"#,
        "paprika"
      ),
      (#"{"uid":"A","name":"x","ingredients":"a"  ,"photo_data":null}"#, "paprika"),
      (#"{"id":"m","title":"x","ingredients":"a","images":[]}"#, "mela"),
      (#"{"id":"m","title":null,"ingredients":null,"instructions":null}"#, "mela"),
      (
        #"{"uuid":"c","name":"x","ingredients":[],"steps":[],"serves":null,"duration":null}"#,
        "crouton"
      ),
      (#"{"name":"x","ingredients":null,"steps":null,"folderIDs":[]}"#, "crouton"),
      (#"{"name":"x","slug":"x","recipeIngredient":null,"recipeInstructions":null}"#, "mealie"),
      (#"{"name":"x","orgURL":null,"recipeIngredient":[],"recipeInstructions":[]}"#, "mealie"),
      (#"{"name":"x","recipe_ingredient":null}"#, "mealie"),
      (#"{"name":"x","steps":null,"working_time":5,"waiting_time":null}"#, "tandoor"),
      (#"{"name":"x","steps":[],"servings_text":null}"#, "tandoor"),
      (#"{"title":"x","ingredients":"a","directions":"b"}"#, "recipefox"),
      (
        #"{"@type":"Recipe","name":"x","ingredients":null,"directions":null,"photo":null}"#,
        "nextcloud"
      ),
    ]
  )
  func `a recipe is told by the names of its members`(_ json: String, _ name: String) throws {
    #expect(try format(json) == name)
  }

  @Test(
    arguments: [
      #"{"uid":"A","name":"Ann","photo":"a.jpg","notes":"a friend"}"#,
      #"{"name":"build","steps":null}"#, #"{"name":"build","steps":[{"run":"make"}]}"#,
      #"{"title":"Post","text":"t","link":"l","images":[]}"#,
      #"{"name":"x","duration":4,"uuid":"u"}"#,
      #"{"name":"x","version":"1","scripts":{}}"#,
      #"{"title":"x","ingredients":[{"a":1}],"instructions":"x"}"#,
    ]
  )
  func `other objects are none`(_ json: String) throws { #expect(try format(json) == nil) }

  @Test func `what is null is nothing`() throws {
    let value = try session.read(
      #"{"uid":"A","name":"x","ingredients":["1 cup a","2 eggs"],"directions":null,"photo_data":null}"#
    )
    let recipe = try PaprikaFormat.recipe(value, session.context())
    #expect(recipe.ingredients.map(\.text) == ["1 cup a", "2 eggs"] && recipe.steps.isEmpty)
  }

  @Test func `parts of ingredients are not lost`() throws {
    func schema(_ ingredients: String) throws -> [String] {
      let value = try session.read(
        #"{"@type":"Recipe","name":"x","recipeIngredient":\#(ingredients)}"#
      )
      return try SchemaRecipe.recipe(value, session.context()).ingredients.map(\.text)
    }
    #expect(try schema(#"[{"name":"flour","value":"200","unitText":"g"}]"#) == ["200 g flour"])
    #expect(try schema(#"[["a","b"],"c"]"#) == ["a", "b", "c"])
    let crouton = try session.read(
      #"{"uuid":"c","name":"x","serves":1,"ingredients":[{"quantity":{"amount":2,"quantityType":"CAN"}},{"quantity":null}],"steps":[]}"#
    )
    let can = try CroutonFormat.recipe(crouton, session.context()).ingredients
    #expect(can.map(\.text) == ["2 can"] && can[0].amount == 2 && can[0].unit == "can")
    func mealie(_ settings: String) throws -> RecipeIngredient {
      let value = try session.read(
        #"{"name":"x","slug":"x","recipeIngredient":[{"quantity":1,"note":"lemon"}]\#(settings)}"#
      )
      return try #require(MealieFormat.recipe(value).ingredients.first)
    }
    #expect(try mealie(#","settings":{"public":true}"#).text == "1 lemon")
    #expect(try mealie(#","settings":{"public":true}"#).amount == 1)
    #expect(try mealie("").text == "lemon")
    #expect(try mealie("").extra.map(\.0) == ["quantity"])
    #expect(try mealie(#","settings":{"disableAmount":true}"#).text == "lemon")
    #expect(try mealie(#","settings":{"disableAmount":true}"#).extra.isEmpty)
  }

  @Test func `only an address is the page that a recipe is based on`() throws {
    func recipe(_ text: String) throws -> Recipe {
      let value = try session.read(#"{"@type":"Recipe","name":"x","isBasedOn":"\#(text)"}"#)
      return try SchemaRecipe.recipe(value, session.context())
    }
    #expect(try recipe("Grandma").url == nil && recipe("Grandma").source == "Grandma")
    #expect(
      try recipe("https://a.b/c").url == "https://a.b/c" && recipe("https://a.b/c").source == nil
    )
  }

  @Test func `a line gives its parts where the format has none`() throws {
    var recipe = Recipe()
    recipe.ingredients = ["1 1/2 cups flour, sifted", "Sauce", "salt"].map { RecipeIngredient($0) }
    recipe.ingredients[1].isHeading = true
    recipe.complete()
    #expect(recipe.ingredients.map(\.text) == ["1 1/2 cups flour, sifted", "Sauce", "salt"])
    #expect(recipe.ingredients.map(\.amount) == [1.5, nil, nil])
    #expect(recipe.ingredients.map(\.unit) == ["cups", nil, nil])
    #expect(recipe.ingredients.map(\.name) == ["flour", nil, "salt"])
    #expect(recipe.ingredients.map(\.note) == ["sifted", nil, nil])
  }
}
