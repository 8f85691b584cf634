import Foundation
import TestSupport
import Testing

@testable import DecantRecipeFormats

@Suite struct GourmetFormatTests {
  @Test(.enabled(if: Fixtures.areAvailable)) func `a real file is read whole`() throws {
    let fixture = try RecipeFixture("gourmet/thinkle-gourmet-test_set.grmt")
    let read = try MarkupRecipes(GourmetFormat.self, Array(try Data(contentsOf: fixture.file)))
    fixture.check(read)
    let rice = try #require(read.recipes.first)
    #expect(rice.ingredients.map(\.text) == ["1 cup rice", "1 Amazing Sauce", "2 cups broth"])
    #expect(rice.steps.map(\.text) == ["Cook up the rice well.", "Enjoy!!!"])
    #expect(rice.rating == 3 && rice.servings == 6 && rice.prepTime?.minutes == 40)
    #expect(rice.categories == ["Side Dish", "Grain"])
    #expect(rice.extra.map(\.0) == ["id", "cuisine"])
    #expect(rice.ingredients[1].extra.map(\.0) == ["refid"])
    let sauce = read.recipes[1]
    #expect(sauce.ingredients.filter(\.isHeading).map(\.text) == ["veggies", "liquids"])
    #expect(sauce.cookTime?.minutes == 2880)
    #expect(sauce.servings == nil && sauce.yield == "4 cups")
    #expect(sauce.url == "http://slashdot.org")
  }
}
