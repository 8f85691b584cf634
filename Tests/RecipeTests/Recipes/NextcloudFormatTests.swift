import Foundation
import TestSupport
import Testing

@testable import DecantRecipeFormats

/// Recipes of the Cookbook of Nextcloud.
@Suite struct NextcloudFormatTests {
  @Test(.enabled(if: Fixtures.areAvailable))
  func `a real folder is read`() throws {
    let file = "nextcloud/mealie-recipes-mealie-nextcloud.zip"
    let expected = try ExpectedRecipes.of(file)
    let folder = try ExpectedRecipes.unpacked(ExpectedRecipes.place(file: file))
    let session = try JSONBench()
    var found: [String: Recipe] = [:]
    for title in expected.titles {
      let entry = "\(title)/recipe.json"
      let value = try session.read(folder.url.appendingPathComponent(entry))
      #expect(NextcloudFormat.matches(value))
      found[title] = try NextcloudFormat.recipe(value, session.context(entry))
    }
    #expect(found.values.map(\.title).sorted() == expected.titles.sorted())
    for recipe in found.values {
      #expect(recipe.images.count == 1)
      guard case .file(let names)? = recipe.images.first?.place else {
        Issue.record("no file")
        continue
      }
      #expect(names.first == "full.jpg")
      #expect(recipe.images[0].isNamed == false)
    }
    let pie = try #require(found["Skillet Shepherd's Pie"])
    #expect(pie.servings == 1)
    #expect(pie.created == "2019-03-16T20:15:47+00:00")
    #expect(pie.modified == "2020-12-08T20:58:54Z")
    #expect(pie.nativeID == "https://www.jocooks.com/recipes/skillet-shepherds-pie/#recipe")
    #expect(pie.cookTime == RecipeTime(text: "PT1H10M", minutes: 70))
    #expect(pie.extra.map(\.0).contains("id"))
    let chicken = try #require(found["Chicken Parmigiana"])
    #expect(chicken.extra.map(\.0).contains("review"))
    #expect(chicken.steps.count == 3)
    // Facts that are null are none.
    #expect(chicken.nutrition.count == 9)
  }

  @Test func `only a JSON file has a picture beside it`() throws {
    let session = try JSONBench()
    let value = try session.read(#"{"@type":"Recipe","name":"x","image":"full.jpg"}"#)
    #expect(try NextcloudFormat.recipe(value, session.context("x/page.html")).images.count == 1)
    let other = try NextcloudFormat.recipe(value, session.context("x/other.json"))
    let own = try NextcloudFormat.recipe(value, session.context("x/Recipe.JSON"))
    #expect(other.images.map(\.wantsLoneEntry) == [true, false])
    #expect(own.images.map(\.wantsLoneEntry) == [false, false])
  }
}
