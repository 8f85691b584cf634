import Foundation
import TestSupport
import Testing

@testable import DecantRecipeFormats

/// Recipes of Crouton, and of RecipeFox.
@Suite struct CroutonFormatTests {
  private let session: JSONBench

  init() throws { session = try JSONBench() }

  @Test(.enabled(if: Fixtures.areAvailable))
  func `a real crumb is read`() throws {
    let file = "crouton/reaper47-recipya-strawberry.crumb"
    let expected = try ExpectedRecipes.of(file)
    let value = try session.read(ExpectedRecipes.place(file: file))
    #expect(CroutonFormat.matches(value))
    #expect(
      !MealieFormat.matches(value) && !RecipeFoxFormat.matches(value)
        && !TandoorFormat.matches(value)
    )
    let recipe = try CroutonFormat.recipe(value, session.context("strawberry.crumb"))
    #expect([recipe.title] == expected.titles)
    #expect(try session.digests(recipe) == expected.images.filter { !$0.optional }.map(\.sha256))
    #expect(recipe.nativeID == "FF2DF2F5-F36A-4FBA-B210-2E0D1896D953")
    #expect(recipe.ingredients.count == 12)
    #expect(recipe.ingredients[1].text == "60 g Whole milk (1/4 cup)")
    #expect(recipe.ingredients[0].text == "4 large eggs")
    #expect(recipe.steps.count == 25)
    #expect(recipe.steps[0].isHeading)
    #expect(recipe.steps[0].text == "Sponge")
    #expect(recipe.prepTime?.minutes == 45)
    #expect(recipe.cookTime?.minutes == 60)
    #expect(recipe.tags == ["Dessert"])
    #expect(recipe.nutrition.contains(RecipeNutrient(name: "Calories", value: "258 calories")))
    #expect(Set(recipe.extra.map(\.0)) == ["tags", "defaultScale", "sourceImage", "isPublicRecipe"])
  }

  @Test func `lines come by their order, and what is missing is no matter`() throws {
    let value = try session.read(
      """
      {"name":"x","uuid":"u","serves":0,"tags":["a"],"ingredients":[{"order":2,"ingredient":{"name":"salt"}},
      {"order":1,"ingredient":{"name":"Dough"},"quantity":{"quantityType":"SECTION","amount":0}},
      {"order":3,"ingredient":{"name":"eggs"},"quantity":{"quantityType":"ITEM","amount":2,"secondaryAmount":3}},
      {"order":4,"ingredient":{"name":"x"},"quantity":null},{"order":5},
      {"order":6,"ingredient":{"name":"nuts"},"quantity":{"quantityType":"BUNCH","amount":1.5}}],
      "steps":[{"order":1,"step":"b"},{"order":0,"step":"a","isSection":true},{"order":2,"step":null}],
      "images":["AAAA","",null],"nutritionalInfo":"Fat: 1 g,\\njust good"}
      """
    )
    let context = session.context()
    let recipe = try CroutonFormat.recipe(value, context)
    #expect(recipe.ingredients.map(\.text) == ["Dough", "salt", "2–3 eggs", "x", "1.5 bunch nuts"])
    #expect(recipe.ingredients[0].isHeading)
    #expect(recipe.ingredients[2].amountTo == 3)
    #expect(recipe.steps.map(\.text) == ["a", "b"])
    #expect(recipe.servings == nil)
    #expect(recipe.images.isEmpty)
    #expect(context.warnings.count == 1)
    #expect(
      recipe.nutrition == [
        RecipeNutrient(name: "Fat", value: "1 g"), RecipeNutrient(name: nil, value: "just good"),
      ]
    )
  }

  @Test(.enabled(if: Fixtures.areAvailable))
  func `a real file of RecipeFox is read`() throws {
    let file = "recipefox-json/mera461-javaRecipes-recipe_w_image_from_RecipeFox.json"
    let expected = try ExpectedRecipes.of(file)
    let bytes = try Array(Data(contentsOf: ExpectedRecipes.place(file: file)))
    var recipes: [Recipe] = []
    _ = try session.document(bytes).read(streaming: []) { _, element in
      let value = try element.get()
      #expect(RecipeFoxFormat.matches(value))
      #expect(!CroutonFormat.matches(value) && !SchemaRecipe.matches(value))
      recipes.append(try RecipeFoxFormat.recipe(value, session.context()))
    }
    #expect(recipes.map(\.title) == expected.titles)
    let recipe = try #require(recipes.first)
    #expect(try session.digests(recipe) == expected.images.map(\.sha256))
    #expect(recipe.servings == 4)
    #expect(recipe.totalTime == RecipeTime(text: "15 Minutes", minutes: 15))
    #expect(recipe.ingredients.count == 8)
    #expect(recipe.steps.count == 2)
    #expect(recipe.notes == "Sunset\n\nSeptember 2013")
    #expect(recipe.extra.map(\.0) == ["_imageurl", "copyright"])
    #expect(recipe.images[0].extra.map(\.0) == ["url"])
  }
}
