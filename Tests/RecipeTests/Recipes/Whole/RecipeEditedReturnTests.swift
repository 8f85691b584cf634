import Decant
import Foundation
import TestSupport
import Testing

/// What was edited and is written for another app changes nothing when it comes back.
@Suite struct RecipeEditedReturnTests {
  private let shelf: RecipeShelf

  init() throws {
    shelf = try RecipeShelf()
    try shelf.makeLibraries()
  }

  private static let places = [
    "out.paprikarecipes", "out.melarecipes", "out.json", "nextcloud:folders", "cooklang:texts", "out.mmf",
  ]

  @Test(arguments: places, ["a.paprikarecipes", "b.melarecipes", "c.json"])
  func `recipes that were edited come back as they are`(_ place: String, _ file: String) throws {
    try shelf.import(file)
    for edit in [
      "UPDATE Ingredient SET text = '3 eggs' WHERE id = (SELECT max(id) FROM Ingredient)",
      "UPDATE Recipe SET title = 'Black bread', rating = 4, notes = 'Mine' WHERE title = 'Bread'",
      "UPDATE Step SET text = 'Stir.' WHERE id = (SELECT min(id) FROM Step)",
    ] { _ = try shelf.value(edit) }
    let whole = try shelf.content()
    // Twice: what came back once is known by its file.
    for round in 1...2 {
      #expect(try shelf.export(to: place)["Recipe"]?.copied == 3)
      let report = try shelf.import(place.split(separator: ":").last.map(String.init) ?? place)
      #expect(report["Recipe"]?.source == 3, "\(round)")
      #expect(report.conflictCount == 0, "\(round): \(report.conflicts)")
      #expect(report.corrections == [], "\(round)")
      for entity in report.entities { #expect(entity.copied == 0 && entity.updated == 0, "\(round): \(entity)") }
      for (_, difference) in try shelf.content().differences(from: whole) {
        Issue.record("\(round): \(difference.count): \(difference.example)")
      }
      try FileManager.default.removeItem(
        atPath: shelf.path(place.split(separator: ":").last.map(String.init) ?? place))
    }
  }

  @Test func `a file that has one more correction than the recipe brings that one`() throws {
    func write(_ eggs: Int, _ rating: Int) throws {
      try shelf.make(
        "one.paprikarecipes",
        "library([('1', packed(recipe('Cake', ingredients='\(eggs) eggs\\n1 cup flour', rating=\(rating))))])")
    }
    try write(2, 1)
    try shelf.import("one.paprikarecipes")
    _ = try shelf.value("UPDATE Ingredient SET text = '3 eggs', amount = 3 WHERE text = '2 eggs'")
    try write(3, 5)
    let report = try shelf.import("one.paprikarecipes")
    #expect(report.corrections.map(\.field) == ["rating"], "\(report.corrections)")
    #expect(report.conflictCount == 0)
    #expect(try shelf.value("SELECT rating FROM Recipe") == "5.0")
    // The next version goes on from this one, and what was edited here is no edit any more.
    try write(4, 5)
    let next = try shelf.import("one.paprikarecipes")
    #expect(next.conflictCount == 0, "\(next.conflicts)")
    #expect(try shelf.value("SELECT group_concat(text, '|') FROM Ingredient") == "4 eggs|1 cup flour")
  }
}
