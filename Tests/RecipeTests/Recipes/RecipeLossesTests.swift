import DecantJSON
import Testing

@testable import DecantRecipeFormats
@testable import DecantRecipes

/// Each field of a recipe that is another one afterwards is named, and no other.
@Suite struct RecipeLossesTests {
  /// A field, and a value for it.
  struct Field: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let set: @Sendable (inout Recipe) -> Void

    init(_ name: String, _ set: @escaping @Sendable (inout Recipe) -> Void) {
      (testDescription, self.set) = (name, set)
    }
  }

  private static let fields = [
    Field("title") { $0.title = "Soup" }, Field("summary") { $0.summary = "s" },
    Field("notes") { $0.notes = "n" },
    Field("author") { $0.author = "a" }, Field("source") { $0.source = "b" },
    Field("url") { $0.url = "http://u" },
    Field("yield") { $0.yield = "4 cups" }, Field("servings") { $0.servings = 4 },
    Field("prepTime") { $0.prepTime = RecipeTime(text: "an hour", minutes: nil) },
    Field("cookTime") { $0.cookTime = RecipeTime(text: "an hour", minutes: nil) },
    Field("totalTime") { $0.totalTime = RecipeTime(text: "an hour", minutes: nil) },
    Field("rating") { $0.rating = 3 }, Field("difficulty") { $0.difficulty = "easy" },
    Field("isFavorite") { $0.isFavorite = true }, Field("language") { $0.language = "en" },
    Field("created") { $0.created = "2020-01-01" },
    Field("modified") { $0.modified = "2020-01-02" },
    Field("categories") { $0.categories = ["c"] }, Field("tags") { $0.tags = ["t"] },
    Field("nutrition") { $0.nutrition = [RecipeNutrient(name: "fat", value: "1 g")] },
    Field("nativeID") { $0.nativeID = "id" },
    Field("ingredients") { $0.ingredients = [RecipeIngredient("1 egg", isHeading: false)] },
  ]

  @Test(arguments: fields)
  func `a field that is lost is named alone`(field: Field) {
    var recipe = Recipe()
    field.set(&recipe)
    #expect(RecipeLosses.between(recipe, Recipe()) == [field.testDescription])
    #expect(RecipeLosses.between(recipe, recipe) == [])
  }
}
