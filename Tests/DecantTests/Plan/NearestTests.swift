import Testing

@testable import DecantBase

@Suite struct NearestTests {
  @Test(arguments: [
    ("Recipee", "Recipe"), ("recipe", "Recipe"), ("Recpie", "Recipe"), ("Tga", "Tag"),
    ("Ingredeint", "Ingredient"), ("Ingrdents", "Ingredient"),
  ])
  func `a misspelt name leads to the one that was meant`(_ text: String, _ name: String) {
    #expect(text.nearest(in: ["Ingredient", "Recipe", "Step", "Tag"]) == name)
  }

  @Test(arguments: ["", "x", "Category", "RecipeRecipe"])
  func `what is like none of them leads to none`(_ text: String) {
    #expect(text.nearest(in: ["Ingredient", "Recipe", "Step", "Tag"]) == nil)
  }

  @Test(arguments: [
    (["Recipe", "Tag"], "did you mean Tag?"),
    (["Recipe", "Step"], "its entities are Recipe, Step"),
    ([], "it has no entities"),
  ])
  func `the entities there are, or the nearest, are the remedy for a name`(_ names: [String], _ remedy: String) {
    #expect("Tga".remedy(among: names) == remedy)
  }
}
