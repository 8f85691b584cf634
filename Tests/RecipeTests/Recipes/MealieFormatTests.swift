import Foundation
import TestSupport
import Testing

@testable import DecantRecipeFormats

/// Recipes of Mealie, one by one and in a backup.
@Suite struct MealieFormatTests {
  private let session: JSONBench

  init() throws { session = try JSONBench() }

  private func recipe(_ json: String) throws -> Recipe {
    let value = try session.read(json)
    #expect(MealieFormat.matches(value))
    return try MealieFormat.recipe(value, session.context())
  }

  @Test(.enabled(if: Fixtures.areAvailable))
  func `a real export is read`() throws {
    let file = "mealie/mealie-recipes-mealie-mealie.zip"
    let expected = try ExpectedRecipes.of(file)
    let folder = try ExpectedRecipes.unpacked(ExpectedRecipes.place(file: file))
    let recipes = folder.url.appendingPathComponent("mealie_2021-Dec-08/recipes")
    var titles: [String] = []
    for slug in [
      "levain-chocolate-chip-cookies", "old-fashioned-beef-stew", "pizza-dough-basics-with-babish",
    ] {
      let value = try session.read(recipes.appendingPathComponent("\(slug)/\(slug).json"))
      #expect(MealieFormat.matches(value))
      #expect(!TandoorFormat.matches(value) && !SchemaRecipe.matches(value))
      let recipe = try MealieFormat.recipe(value, session.context("\(slug)/\(slug).json"))
      titles.append(recipe.title)
      #expect(recipe.nativeID == nil)
      guard case .file(let names)? = recipe.images.first?.place else {
        Issue.record("no file")
        continue
      }
      let picture = recipes.appendingPathComponent("\(slug)/\(names[0])")
      #expect(FileManager.default.fileExists(atPath: picture.path))
      if slug.hasPrefix("old") {
        #expect(recipe.ingredients.count == 12)
        #expect(recipe.ingredients[0].text == "1/4 cup all-purpose flour")
        #expect(recipe.ingredients[0].amount == nil)
        #expect(recipe.totalTime == RecipeTime(text: "2 Hours 30 Minutes", minutes: 150))
        #expect(recipe.servings == 4)
        #expect(recipe.nutrition.count == 6)
        #expect(recipe.url == "https://cooking.nytimes.com/recipes/4735-old-fashioned-beef-stew")
      }
      if slug.hasPrefix("levain") {
        #expect(recipe.categories == ["Dessert", "Cookies"])
        #expect(recipe.cookTime == RecipeTime(text: "10-13 Minutes", minutes: nil))
      }
    }
    #expect(titles.sorted() == expected.titles.sorted())
  }

  @Test func `parsed ingredients have their parts`() throws {
    let recipe = try recipe(
      """
      {"id":"F18C589A-9A4B-462A-A061-C901C7988545","name":"x","slug":"x","orgURL":"https://h/x","recipeServings":4,
      "recipeYield":"pies","recipeYieldQuantity":2,"settings":{"disableAmount":false},"tags":[{"name":"t","slug":"t"}],
      "recipeIngredient":[{"title":"Dough","quantity":2.0,"unit":{"name":"cup"},"food":{"name":"flour"},
        "note":"sifted","originalText":"2 c flour","display":"2 cups flour, sifted"},
        {"quantity":1,"unit":null,"food":null,"note":"onion"},{"quantity":0,"note":"salt"},{"title":"","note":""}],
      "recipeInstructions":[{"title":"First","summary":"S","text":"Mix.","ingredientReferences":[]},{"text":""}],
      "notes":[{"title":"N","text":"note"},{"title":"","text":"more"}]}
      """
    )
    #expect(recipe.nativeID == "f18c589a-9a4b-462a-a061-c901c7988545")
    #expect(recipe.ingredients.map(\.text) == ["Dough", "2 cup flour, sifted", "1 onion", "salt"])
    #expect(recipe.ingredients[0].isHeading)
    #expect(recipe.ingredients[1].name == "flour")
    #expect(recipe.ingredients[1].note == "sifted")
    #expect(recipe.ingredients[2].amount == 1)
    #expect(recipe.ingredients[1].extra.map(\.0) == ["original_text"])
    #expect(recipe.steps.map(\.text) == ["First", "Mix."])
    #expect(recipe.steps[1].title == "S")
    #expect(recipe.notes == "N\nnote\n\nmore")
    #expect(recipe.yield == "2 pies")
    #expect(recipe.servings == 4)
    #expect(recipe.tags == ["t"])
  }

  /// An amount, what Mealie shows, and the line.
  @Test(arguments: [
    ("1.5", "1 ¹/₂ cups flour, sifted", "1 1/2 cups flour, sifted"),
    ("0.75", "³⁄₄ cup flour sifted", "3/4 cup flour sifted"),
    ("2", "2 cups flour, sifted", "2 cup flour, sifted"), ("1.5", "1 ¹/₂ cups rye", "1.5 cup flour, sifted"),
    ("1.5", "", "1.5 cup flour, sifted"),
  ])
  func `a fraction is written as Mealie shows it`(_ amount: String, _ shown: String, _ line: String) throws {
    let recipe = try recipe(
      """
      {"name":"x","slug":"x","recipeIngredient":[{"quantity":\(amount),"unit":{"name":"cup"},"food":{"name":"flour"},
      "note":"sifted","display":"\(shown)"}],"recipeInstructions":[{"text":"Mix."}]}
      """
    )
    #expect(recipe.ingredients.map(\.text) == [line])
    #expect(recipe.ingredients[0].amount == Double(amount))
  }

  private func backup(_ bytes: [UInt8]) throws -> (faults: [RecipeFault], recipes: [Result<Recipe, RecipeFault>]) {
    let backup = try MealieBackup(folder: session.folder.url.path)
    let faults = try backup.take(session.document(bytes))
    var recipes: [Result<Recipe, RecipeFault>] = []
    try backup.forEachRecipe(session.spool) { recipes.append($0) }
    return (faults, recipes)
  }

  @Test(.enabled(if: Fixtures.areAvailable))
  func `a real backup is read`() throws {
    let file = "mealie/mealie-recipes-mealie-backup-version-44e8d670719d-4.zip"
    let expected = try ExpectedRecipes.of(file)
    let folder = try ExpectedRecipes.unpacked(ExpectedRecipes.place(file: file))
    let data = try Data(contentsOf: folder.url.appendingPathComponent("database.json"))
    let found = try backup(Array(data))
    #expect(found.faults.isEmpty)
    let recipes = try found.recipes.map { try $0.get() }
    #expect(recipes.map(\.title) == expected.titles)
    #expect(recipes.count == 44)
    // All rows are somewhere: counted with another reader.
    let steps = recipes.flatMap(\.steps).filter { !$0.isHeading }
    #expect(steps.count == 219)
    #expect(recipes.flatMap(\.ingredients).filter { !$0.isHeading }.count == 520)
    #expect(recipes.flatMap(\.tags).count == 76)
    #expect(recipes.flatMap(\.categories).count == 2)
    #expect(recipes.count { $0.notes != nil } <= 3)
    #expect(recipes.contains { $0.notes?.contains("fenvwgudnj") == true })
    #expect(recipes[0].nativeID == "f18c589a-9a4b-462a-a061-c901c7988545")
    guard case .file(let names)? = recipes[0].images.first?.place else {
      Issue.record("no file")
      return
    }
    #expect(names[0] == "data/recipes/f18c589a-9a4b-462a-a061-c901c7988545/images/original.webp")
    #expect(names.contains("data/recipes/f18c589a9a4b462aa061c901c7988545/images/original.webp"))
  }

  @Test func `rows are joined by their keys, in whatever order and form they come`() throws {
    let json = """
      {"recipes_to_tags":[{"recipe_id":"11111111-1111-1111-1111-11111111111A","tag_id":"t"}],
      "users":[{"id":"u","password":"secret"}],"long_live_tokens":[{"token":"secret"}],
      "recipes_ingredients":[{"recipe_id":"1111111111111111111111111111111a","position":2,"note":"b"},
        {"recipe_id":"1111111111111111111111111111111a","position":1,"unit_id":"un","food_id":"f","quantity":2},
        {"recipe_id":"1111111111111111111111111111111a","position":2,"note":"c"},{"recipe_id":"other","note":"z"}],
      "recipes":[{"id":"1111111111111111111111111111111a","name":"One","user_id":"u","image":null},{"name":"no id"},
        {"id":"x2","name":"Two","image":"abc"}],
      "ingredient_units":[{"id":"un","name":"cup"}],"ingredient_foods":[{"id":"f","name":"milk"}],
      "tags":[{"id":"t","name":"Tag"}],"recipe_instructions":[{"recipe_id":"x2","position":0,"text":"Do."}],
      "recipe_comments":[{"recipe_id":"x2","user_id":"u","text":"Nice."}],"alembic_version":[{"version_num":"1"}]}
      """
    let found = try backup(Array(json.utf8))
    #expect(found.recipes.count == 3)
    let one = try found.recipes[0].get()
    #expect(one.ingredients.map(\.text) == ["2 cup milk", "b", "c"])
    #expect(one.tags == ["Tag"])
    #expect(one.images.isEmpty)
    #expect(throws: RecipeFault.self) { try found.recipes[1].get() }
    let two = try found.recipes[2].get()
    #expect(two.steps.map(\.text) == ["Do."])
    #expect(two.images.count == 1)
    let everything = found.recipes.map { "\($0)" }.joined()
    #expect(everything.contains("Nice."))
    #expect(!everything.contains("secret"))
    #expect(!everything.contains("user_id"))
  }

  @Test func `what a backup takes is never of users`() {
    for table in MealieBackup.tables {
      #expect(!table.contains("user") && !table.contains("token") && !table.contains("password"))
    }
    #expect(MealieBackup.matches(["groups", "alembic_version", "recipes"]))
    #expect(!MealieBackup.matches(["name", "recipes"]))
  }
}
