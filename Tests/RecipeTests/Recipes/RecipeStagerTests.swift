import Decant
import DecantSQLite
import Foundation
import TestSupport
import Testing

@testable import DecantRecipeFormats
@testable import DecantRecipes

/// What the stager is handed, and paths of entries.
@Suite struct RecipeStagerTests {
  /// It is a fault of decant's own, which must not pass for a recipe without a picture.
  @Test func `a picture that was forgotten stops the reading`() throws {
    let folder = try TestSupport.TemporaryFolder()
    let stager = try RecipeStager(in: folder.url.path)
    let scope = FolderScope(folder.url.path, stager.pictures, isWhole: true)
    var recipe = Recipe()
    recipe.title = "A"
    recipe.images = [RecipeImage(.taken(0))]
    let error = #expect(throws: DecantError.self) {
      try stager.take(recipe, format: "schema", entry: "a.json", scope)
    }
    #expect(error?.message.contains("a.json") == true)
  }

  private static func recipe(_ number: Int) -> Recipe {
    var recipe = Recipe()
    recipe.title = "Soup \(number)"
    recipe.ingredients = [RecipeIngredient("\(number) g salt"), RecipeIngredient("1 leek, cut")]
    recipe.steps = [RecipeStep("Boil \(number).")]
    return recipe
  }

  /// Recipes are written behind the back of who reads them: each under the key that was promised, and in their order.
  @Test func `keys are those of the rows`() throws {
    let folder = try TestSupport.TemporaryFolder()
    let stager = try RecipeStager(in: folder.url.path)
    let scope = FolderScope(folder.url.path, stager.pictures, isWhole: true)
    for number in 1...200 {
      #expect(try stager.take(Self.recipe(number), format: "schema", entry: "a.json", scope).key == number)
      // The row of what completes another one goes away, and its key comes again.
      if number % 50 == 0 { try stager.complete(Int64(number), with: Self.recipe(0)) }
    }
    var rows: [String] = []
    try stager.connection.forEachRow(
      "SELECT r.title, i.text, i.unit, s.text FROM Recipe AS r JOIN Ingredient AS i ON i.recipe_id = r.id "
        + "JOIN Step AS s ON s.recipe_id = r.id WHERE i.recipe_position = 1024 ORDER BY r.id"
    ) { row in rows.append((0..<4).map { row.text(at: $0) ?? "" }.joined(separator: ", ")) }
    #expect(rows == (1...200).map { "Soup \($0), \($0) g salt, g, Boil \($0)." })
  }

  @Test func `what cannot be written is told, once no more is read`() throws {
    let folder = try TestSupport.TemporaryFolder()
    let stager = try RecipeStager(in: folder.url.path)
    let scope = FolderScope(folder.url.path, stager.pictures, isWhole: true)
    try stager.connection.run("DROP TABLE Step")
    let error = #expect(throws: SQLiteError.self) {
      for number in 1...100 { _ = try stager.take(Self.recipe(number), format: "schema", entry: "a.json", scope) }
      try stager.rest()
    }
    #expect(error?.message.contains("Step") == true)
    #expect(throws: SQLiteError.self) { try stager.rest() }
    #expect(try stager.connection.integer("SELECT count(*) FROM Recipe") == 1)
  }

  @Test func `a member's path stays within its container`() {
    let paths = [
      "a/b": "a/b", "/a": "a", "../../a": "a", "a/../../b": "b", "./a//b/.": "a/b", "..": "unnamed",
      "": "unnamed", "/": "unnamed", "a\0b": "a\u{fffd}b", "...and": "...and", ".a": ".a",
    ]
    for (name, path) in paths { #expect(EntryPath.inside(name) == path) }
    #expect(["/a", "../a", "a/../..", "", "a\0"].allSatisfy { EntryPath.clean($0) == nil })
    #expect(EntryPath.clean("a/./../b") == "b")
  }
}
