import Foundation
import TestSupport
import Testing

@testable import DecantRecipes

@Suite struct RecipeModelTests {
  @Test func `the model in the samples is the one that stores are made after`() throws {
    let path = "samples/Recipes.xcdatamodeld/Recipes.xcdatamodel/contents"
    let file = Fixtures.projectFolder.appendingPathComponent(path)
    let sample = try String(contentsOf: file, encoding: .utf8)
    func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }
    #expect(lines(sample) == lines(RecipeModel.contents))
  }
}
