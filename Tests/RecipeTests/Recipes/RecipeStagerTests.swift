import Decant
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
