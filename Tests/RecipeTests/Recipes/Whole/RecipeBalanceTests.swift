import Decant
import Foundation
import TestSupport
import Testing

/// Every recipe that is found is taken, already there, changed, damaged or left out, whatever file it is in.
@Suite struct RecipeBalanceTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  /// Checks the sum, and that the report counts what the store and its own lists say.
  private func check(_ report: CopyReport, before: Int64, _ name: String) throws -> CopyReport.RecipeCounts {
    let counts = try #require(report.recipes, "\(name)")
    #expect(
      counts.found == counts.taken + counts.alreadyThere + counts.changed + counts.damaged + counts.leftOut,
      "\(name): \(counts)")
    let after = try #require(Int64(shelf.value("SELECT count(*) FROM Recipe")))
    #expect(after - before == counts.taken, "\(name): \(counts)")
    #expect(counts.damaged >= Int64(report.unread.count), "\(name): \(counts)")
    let remarks = report.remarks.filter { $0.reason.contains("no ingredients") || $0.reason.contains("no steps") }
    let empty = try #require(
      Int64(
        shelf.value(
          "SELECT count(*) FROM Recipe AS r WHERE NOT EXISTS (SELECT 1 FROM Ingredient WHERE recipe_id = r.id) "
            + "OR NOT EXISTS (SELECT 1 FROM Step WHERE recipe_id = r.id)")))
    if before == 0 { #expect(Int64(remarks.count) >= empty, "\(name): \(empty) without, \(remarks)") }
    return counts
  }

  @Test func `the counts of a folder follow its recipes over several imports`() throws {
    try shelf.make(
      "folder",
      """
      import os
      os.makedirs(place, exist_ok=True)
      def write(name, data): open(os.path.join(place, name), "wb").write(data)
      def page(title, *lines): return ('<html><script type="application/ld+json">' + json.dumps({"@type": "Recipe",
          "name": title, "recipeIngredient": lines, "recipeInstructions": "Mix it all and serve it hot."}) + "</script></html>").encode()
      library([("a.paprikarecipe", packed(recipe("Bread"))), ("b.paprikarecipe", packed(recipe("Stew"))[:-20]),
          ("c.paprikarecipe", packed(recipe("Note", ingredients="", directions="")))], to=place + "/a.paprikarecipes")
      write("soup.html", page("Soup", "1 l water", "2 g salt"))
      write("again.html", page("Soup", "1 l water", "2 g salt"))
      write("nothing.html", b"<html><p>News</p></html>")
      write("broken.paprikarecipe", b"no gzip")
      """)
    let first = try check(shelf.import("folder"), before: 0, "first")
    #expect(first.found == first.taken + 3 && first.damaged == 2 && first.alreadyThere == 1, "\(first)")
    let second = try check(shelf.import("folder"), before: first.taken, "second")
    #expect(second.taken == 0 && second.changed == 0 && second.found == first.found, "\(second)")
    try shelf.make(
      "folder/soup.html",
      """
      open(place, "wb").write(('<html><script type="application/ld+json">' + json.dumps({"@type": "Recipe", "name": "Soup",
          "recipeIngredient": ["1 l water", "3 g salt"], "recipeInstructions": "Mix it all and serve it hot."}) + "</script></html>").encode())
      """)
    let third = try check(shelf.import("folder/soup.html"), before: first.taken, "third")
    #expect(third.changed == 1 && third.found == 1, "\(third)")
  }

  @Test(.enabled(if: Fixtures.folder != nil))
  func `the counts of real files add up`() throws {
    let root = try #require(Fixtures.folder).appendingPathComponent("recipes")
    let expected = try JSONSerialization.jsonObject(
      with: Data(contentsOf: root.appendingPathComponent("expected.json")))
    let files = try #require(
      (expected as? [String: Any])?["files"] as? [String: [String: Any]] ?? expected as? [String: [String: Any]])
    var count = 0
    for (name, file) in files.sorted(by: { $0.key < $1.key }) {
      guard file["importable"] as? Bool != false, let recipes = file["recipes"] as? Int, recipes > 0 else { continue }
      let store = "store\(count).sqlite"
      let report = try shelf.import(root.appendingPathComponent(name).path, into: store)
      let counts = try #require(report.recipes, "\(name)")
      #expect(
        counts.found == counts.taken + counts.alreadyThere + counts.changed + counts.damaged + counts.leftOut,
        "\(name): \(counts)")
      #expect(counts.taken + counts.alreadyThere == Int64(recipes), "\(name): \(counts)")
      count += 1
    }
    #expect(count > 40)
  }
}
