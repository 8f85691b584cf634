import Decant
import Foundation
import TestSupport
import Testing

@testable import DecantRecipeFormats
@testable import DecantRecipes

/// What was written wrongly is found out before anybody gets it.
@Suite struct RecipeExportProofTests {
  private let folder: TestSupport.TemporaryFolder
  private var path: String { folder.path("out.json") }

  /// Writes two recipes, the first with a picture.
  init() throws {
    folder = try TestSupport.TemporaryFolder()
    let text = """
      [{"@type": "Recipe", "name": "A", "recipeIngredient": ["x"], "image": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="},
       {"@type": "Recipe", "name": "B", "recipeIngredient": ["y"]}]
      """
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  private static let digest = "6b7fa434f92a8b80aab02d9bf1a12e49ffcae424e4013a1c4f68b67e3d2bbcd0"

  private func prove(_ recipes: [(String, String)], picture digest: String?, of number: Int64 = 0) throws {
    let proof = try RecipeExportProof()
    for (title, line) in recipes {
      var recipe = Recipe()
      recipe.title = title
      recipe.ingredients = [RecipeIngredient(line)]
      try proof.expect(recipe)
    }
    if let digest { try proof.expect(picture: digest, ofRecipe: number) }
    try proof.prove(path, only: "schema", cancellation: Cancellation())
  }

  private func message(_ body: () throws -> Void) throws -> String {
    try #require(throws: DecantError.self, performing: body).message
  }

  @Test func `what is as it was expected passes`() throws {
    try prove([("A", "x"), ("B", "y")], picture: Self.digest)
  }

  @Test func `a picture of another recipe, or another picture, is found out`() throws {
    let all = [("A", "x"), ("B", "y")]
    #expect(try message { try prove(all, picture: Self.digest, of: 1) }.hasPrefix("a picture of “B”"))
    let other = String(repeating: "0", count: 64)
    #expect(try message { try prove(all, picture: other) }.hasPrefix("a picture of “A”"))
  }

  @Test func `a recipe that is another, twice, missing or too many is found out`() throws {
    let other = try message { try prove([("A", "x"), ("B", "z")], picture: nil) }
    #expect(other.hasPrefix("the recipe “B” was written"))
    let twice = try message { try prove([("A", "x"), ("A", "x")], picture: nil) }
    #expect(twice.hasPrefix("the recipe “A” was written"))
    let few = try message { try prove([("A", "x")], picture: nil) }
    #expect(few.hasPrefix("the written file reads back as 2 recipes of 1"))
  }
}
