import Foundation
import TestSupport
import Testing

@testable import DecantRecipeFormats

/// Recipes of Tandoor.
@Suite struct TandoorFormatTests {
  private let session: JSONBench

  init() throws { session = try JSONBench() }

  private func recipe(_ json: String) throws -> Recipe {
    let value = try session.read(json)
    #expect(TandoorFormat.matches(value))
    return try TandoorFormat.recipe(value, session.context())
  }

  @Test(.enabled(if: Fixtures.areAvailable))
  func `a real export is read`() throws {
    let file = "tandoor/mealie-recipes-mealie-tandoor.zip"
    let expected = try ExpectedRecipes.of(file)
    let outer = try ExpectedRecipes.unpacked(ExpectedRecipes.place(file: file))
    let inner = try ExpectedRecipes.unpacked(outer.url.appendingPathComponent("1.zip"))
    let value = try session.read(inner.url.appendingPathComponent("recipe.json"))
    #expect(TandoorFormat.matches(value))
    for other in [
      SchemaRecipe.matches(value), MealieFormat.matches(value), CroutonFormat.matches(value),
    ] {
      #expect(!other)
    }
    let recipe = try TandoorFormat.recipe(value, session.context("1.zip/recipe.json"))
    #expect([recipe.title] == expected.titles)
    #expect(recipe.tags == ["American", "Course: Main", "Southwest", "Technique: cocotte"])
    #expect(recipe.ingredients.count == 12)
    #expect(recipe.ingredients[0].text == "2 oz New Mexico chile, dry, 57 g")
    #expect(recipe.ingredients[0].amount == 2)
    #expect(recipe.ingredients[0].unit == "oz")
    #expect(recipe.ingredients[0].name == "New Mexico chile, dry")
    #expect(recipe.ingredients[0].note == "57 g")
    #expect(recipe.ingredients[3].text == "0.25 cup (2 fl oz/59 ml) canola oil")
    #expect(recipe.steps.count == 1)
    #expect(recipe.prepTime == nil)
    #expect(recipe.cookTime == RecipeTime(text: "2 min", minutes: 2))
    #expect(recipe.servings == 1)
    guard case .file(let names)? = recipe.images.first?.place else {
      Issue.record("no file")
      return
    }
    #expect(names.contains("image.jpeg"))
    #expect(FileManager.default.fileExists(atPath: inner.path("image.jpeg")))
  }

  @Test func `steps and their ingredients come in order, headings are headings`() throws {
    let recipe = try recipe(
      """
      {"name":"Pie","working_time":10,"waiting_time":null,"servings":4,"servings_text":"people","steps":[
      {"order":1,"name":"Bake","instruction":"Bake it.","time":30,"ingredients":[
        {"food":null,"unit":null,"amount":0,"note":"Glaze","is_header":true},
        {"food":{"name":"egg"},"unit":null,"amount":1.0,"note":"","order":2},
        {"food":{"name":"salt"},"unit":{"name":"pinch"},"amount":0.0,"no_amount":true,"order":1}]},
      {"order":0,"name":"","instruction":"Mix.","time":0,"ingredients":[{"food":{"name":"flour"},"amount":2,
        "unit":{"name":"cup"},"original_text":"2 cups flour"}]},
      {"order":2,"name":"Serve","instruction":"","ingredients":[]}]}
      """
    )
    #expect(recipe.steps.map(\.text) == ["Mix.", "Bake it.", "Serve"])
    #expect(recipe.steps.map(\.title) == [nil, "Bake", nil])
    #expect(recipe.steps.map(\.isHeading) == [false, false, true])
    #expect(recipe.steps[1].extra.map(\.0) == ["time"])
    #expect(recipe.ingredients.map(\.text) == ["2 cups flour", "salt", "1 egg", "Glaze"])
    #expect(recipe.ingredients.map(\.isHeading) == [false, false, false, true])
    #expect(recipe.yield == "4 people")
    #expect(recipe.prepTime?.minutes == 10)
  }

  @Test func `a step names the ingredients that it refers to by number`() throws {
    let recipe = try recipe(
      """
      {"name":"Pie","working_time":10,"steps":[
      {"order":1,"instruction":"Bake {{ ingredients[0] }}.","ingredients":[{"food":{"name":"egg"},"amount":1}]},
      {"order":0,"instruction":"Mix {{ingredients[1]}} with {{ ingredients[0] }}, {{ ingredients[9] }} and {{ x }}.",
        "ingredients":[{"food":{"name":"flour"},"amount":2,"unit":{"name":"cup"},"order":0},
        {"food":{"name":"salt"},"amount":0,"order":1}]}]}
      """
    )
    #expect(
      recipe.steps.map(\.text) == ["Mix salt with 2 cup flour, {{ ingredients[9] }} and {{ x }}.", "Bake 1 egg."])
  }

  @Test func `what is new or odd is kept`() throws {
    let recipe = try recipe(
      """
      {"name":"x","steps":[],"servings_text":"6 pieces","servings":6,"future":{"a":1},"internal":false,
      "keywords":[{"name":"k","icon":"🍓"}],"nutrition":{"calories":100.5,"source":""},
      "properties":[{"property_amount":3.5,"property_type":{"name":"Fat","unit":"g"}}]}
      """
    )
    #expect(recipe.extra.map(\.0) == ["servings_text", "future", "internal", "keywords"])
    #expect(recipe.tags == ["k"])
    #expect(recipe.yield == "6 pieces")
    #expect(
      recipe.nutrition == [
        RecipeNutrient(name: "calories", value: "100.5"),
        RecipeNutrient(name: "Fat", value: "3.5 g"),
      ]
    )
  }
}
