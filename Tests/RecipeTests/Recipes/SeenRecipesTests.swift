import Testing

@testable import DecantRecipeFormats

/// Whether a recipe of a page comes again.
@Suite struct SeenRecipesTests {
  private func recipe(_ title: String, _ id: String?, _ lines: [String] = ["1 egg"]) -> Recipe {
    var recipe = Recipe()
    recipe.title = title
    recipe.nativeID = id
    recipe.ingredients = lines.map { RecipeIngredient($0, isHeading: false) }
    return recipe
  }

  /// Two recipes of one content: their IDs, whether the second has the same title, and is said in the same way.
  @Test(
    arguments: [
      ("a", "a", true, true, true), ("a", "b", true, true, false), ("a", nil, true, true, true),
      (nil, "b", true, true, true), (nil, nil, true, true, true), (nil, nil, false, true, false),
      ("a", "a", false, true, false), ("a", "b", true, false, true), ("a", "b", false, false, true),
    ] as [(String?, String?, Bool, Bool, Bool)]
  )
  func `of one content another ID makes another recipe`(
    one: String?,
    other: String?,
    isTitleSame: Bool,
    isWaySame: Bool,
    isSame: Bool
  ) {
    var seen = SeenRecipes()
    var first = recipe("Cake", one)
    var second = recipe(isTitleSame ? "CAKE" : "Pie", other)
    #expect(seen.place(of: &first, .script) == nil)
    let place = seen.place(of: &second, isWaySame ? .script : .elements)
    #expect((place?.number == 0) == isSame)
  }

  /// Of one title said in another way: whether anything is in common, and whether the first was said twice already.
  @Test(arguments: [
    (["1 egg"], [], true), (["2 eggs"], [], true), (["2 eggs"], ["1 egg"], false),
    (["1 egg"], ["1 egg"], true),
  ])
  func `the same title in another way is the same recipe once`(lines: [String], between: [String], isSame: Bool) {
    var seen = SeenRecipes()
    var first = recipe("Cake", nil)
    #expect(seen.place(of: &first, .script) == nil)
    if !between.isEmpty {
      var again = recipe("Cake", nil, between)
      #expect(seen.place(of: &again, .elements)?.number == 0)
    }
    var last = recipe("Cake", nil, lines)
    #expect((seen.place(of: &last, .elements)?.number == 0) == isSame)
  }
}
