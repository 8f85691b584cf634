import Foundation
import TestSupport
import Testing

@testable import DecantRecipeFormats

@Suite struct FdxFormatTests {
  @Test(
    .enabled(if: Fixtures.areAvailable),
    arguments: [
      "Chapters", "File-with-BOM", "allfields", "hr-Whipped_Potatoes_with_Garlic_and_Cheese",
    ]
  )
  func `real files are read whole`(_ name: String) throws {
    let fixture = try RecipeFixture("fdx/mera461-javaRecipes-\(name).fdx")
    let read = try MarkupRecipes(FdxFormat.self, Array(try Data(contentsOf: fixture.file)))
    fixture.check(read)
    #expect(read.warnings.isEmpty)
  }

  @Test(.enabled(if: Fixtures.areAvailable))
  func `a packed library names its pictures`() throws {
    let fixture = try RecipeFixture("fdx/mera461-javaRecipes-hr-Whipped_Potatoes_with_Garlic_and_Cheese.fdxz")
    try fixture.withUnpacked { folder in
      let data = try Data(contentsOf: folder.appendingPathComponent("Data.xml"))
      let read = try MarkupRecipes(FdxFormat.self, Array(data), folder: folder)
      fixture.check(read)
      #expect(read.recipes.first?.ingredients.count == 8)
      #expect(read.recipes.first?.steps.count == 3)
    }
  }

  @Test func `all fields are kept`() throws {
    let document = """
      <fdx><Cookbooks><Cookbook Name="Mine" ID="1"/></Cookbooks><CookbookChapters>
      <CookbookChapter Name="Out" ID="3" CookbookID="1" ParentChapterID="0"/>
      <CookbookChapter Name="In" ID="4" CookbookID="1" ParentChapterID="3"/></CookbookChapters><Recipes>
      <Recipe Name=" Pie
      " ID="7" CookbookID="1" CookbookChapterID="4" Comments="a&#xD;&#xA;b" Servings="4" Yield="1 pie"
        PreparationTime="7" CookingTime="0" ReadyInTime="90" OvenTemperatureF="464" RecipeTypes="A, B,A">
      <RecipeIngredients><RecipeIngredient Quantity="1 1/2" Unit="cup" Ingredient="flour" Heading="N" LinkType="X"/>
      <RecipeIngredient Quantity="" Unit="" Ingredient="Filling" Heading="Y"/>
      <RecipeIngredient Quantity="" Unit="" Ingredient="" Heading="N"/></RecipeIngredients>
      <RecipeProcedures><RecipeProcedure Heading="N"><ProcedureText>Bake.</ProcedureText><ProcedureImage>R0lGODlhAQA=</ProcedureImage>
      </RecipeProcedure></RecipeProcedures><RecipeTips><RecipeTip>t</RecipeTip></RecipeTips>
      <RecipeNutrition Calories="5" 18:2="1"/><RecipeImage>#</RecipeImage></Recipe>
      <Recipe/></Recipes><Ingredients><Ingredient Name="x"><Recipe Name="no"/></Ingredient></Ingredients></fdx>
      """
    let read = try MarkupRecipes(FdxFormat.self, Array(document.utf8))
    #expect(read.recipes.count == 1)
    let recipe = try #require(read.recipes.first)
    #expect(recipe.title == "Pie")
    #expect(recipe.summary == "a\nb")
    #expect(recipe.notes == "t")
    #expect(recipe.yield == "1 pie" && recipe.servings == 4)
    #expect(recipe.prepTime == RecipeTime(text: "7", minutes: 7))
    #expect(recipe.cookTime == nil && recipe.totalTime?.minutes == 90)
    #expect(recipe.categories == ["A", "B"])
    #expect(recipe.ingredients.map(\.text) == ["1 1/2 cup flour", "Filling"])
    #expect(recipe.ingredients.map(\.isHeading) == [false, true])
    #expect(recipe.ingredients.first?.amount == 1.5)
    #expect(recipe.steps.map(\.text) == ["Bake."])
    #expect(recipe.images.map(\.step) == [0])
    #expect(recipe.nutrition.map(\.value) == ["1", "5"])
    #expect(recipe.nativeID == nil)
    let extra = Dictionary(uniqueKeysWithValues: recipe.extra.map { ($0.0, "\($0.1)") })
    #expect(extra["CookbookChapters"]?.contains("Out") == true)
    #expect(extra["Cookbook"]?.contains("Mine") == true)
    #expect(extra["OvenTemperatureF"] != nil && extra["RecipeTips"] != nil && extra["ID"] != nil)
    #expect(recipe.warnings == ["a picture is not valid base64"])
    #expect(read.warnings.count == 1)
  }
}
