import Foundation
import TestSupport
import Testing

@testable import DecantRecipeFormats

/// Files that were damaged on their way: each is read, or told to be none, and nothing else happens.
@Suite struct JSONDamageTests {
  private static let files = [
    "schemaorg/mealie-recipes-mealie-best-homemade-salsa-recipe.json",
    "schemaorg/mealie-recipes-mealie-bon-appetit.json", "mela/jphastings-mela-recipes-c.melarecipe",
  ]

  @Test(.enabled(if: Fixtures.areAvailable), arguments: files)
  func `damage is told`(_ file: String) throws {
    let session = try JSONBench()
    let whole = try Array(Data(contentsOf: ExpectedRecipes.place(file: file)))
    var generator = SeededGenerator(seed: 2011)
    let bytes: [UInt8] = Array("\"\\{}[],:/*u<-0e".utf8) + [0, 0xe9, 0xff, 0xd8]
    var (readCount, faultCount) = (0, 0)
    for _ in 0..<400 {
      var damaged = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<damaged.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: damaged[place] = bytes.randomElement(using: &generator) ?? 0
        case 1: damaged.remove(at: place)
        default: damaged.removeSubrange(place..<min(damaged.count, place + 40))
        }
      }
      do {
        let value = try session.document(damaged, piece: 97).read()
        // Pieces change nothing.
        #expect(try session.document(damaged).read().shown == value.shown)
        for recipe in SchemaRecipe.recipes(in: value) {
          _ = try SchemaRecipe.recipe(recipe, session.context())
        }
        for read in [
          TandoorFormat.recipe, CroutonFormat.recipe, RecipeFoxFormat.recipe, MealieFormat.recipe,
        ] {
          _ = try read(value, session.context())
        }
        readCount += 1
      } catch is RecipeFault {
        faultCount += 1
      }
    }
    #expect(readCount > 0)
    #expect(faultCount > 0)
  }
}
