import DecantJSON
import DecantPlan
import DecantSQLite
import Foundation
import TestSupport
import Testing

@testable import DecantRecipeFormats
@testable import DecantRecipes

/// What is written down of a recipe when it is taken is what its tables hold afterwards, byte by byte: SQLite is the judge.
@Suite struct VersionTextTests {
  private static let texts = [
    "plain", "", "\"quoted\" \\ and / slashed",
    "\u{1}\u{7}\u{8}\t\n\u{b}\u{c}\r\u{1f}\u{7f}", "Crème brûlée",
    "Cre\u{300}me",
    "👩‍🍳 \u{2028}\u{ffff}", "[1]", "null", "{\"a\": 1}",
  ]

  private static let numbers: [Double] = [
    0, -0.0, 1, 4.5, 1.0 / 3, 0.1, 1e-7, 1e300, 123_456_789.123, 2e15, .leastNonzeroMagnitude,
  ]

  private func recipe(_ number: Int) -> Recipe {
    func text(_ step: Int) -> String { Self.texts[(number + step) % Self.texts.count] }
    func amount(_ step: Int) -> Double { Self.numbers[(number + step) % Self.numbers.count] }
    var recipe = Recipe()
    recipe.title = "Soup \(number) \(text(0))"
    (recipe.summary, recipe.notes, recipe.source) = (text(1), number % 2 == 0 ? nil : text(2), text(3))
    recipe.url = number % 3 == 0 ? "https://www.example.com/soup/\(number)" : nil
    recipe.servings = amount(0)
    recipe.prepTime = RecipeTime(text: text(4), minutes: amount(1))
    recipe.isFavorite = number % 2 == 0
    recipe.ingredients = (0..<number % 4).map { step in
      var line = RecipeIngredient(text(step), isHeading: step == 1)
      (line.amount, line.unit, line.extra) = (amount(step), text(step + 1), [(text(step), .string(text(step + 2)))])
      return line
    }
    recipe.steps = (0..<number % 3).map { RecipeStep(text($0), title: text($0 + 1)) }
    recipe.nutrition = [RecipeNutrient(name: text(5), value: text(6))]
    recipe.categories = [text(0), text(4), text(5), text(4), "z", "é", "e\u{301}"]
    recipe.tags = number % 2 == 0 ? [] : [" \(text(2)) ", text(2)]
    recipe.nativeID = number % 5 == 0 ? nil : " \(number)\(text(0)) "
    recipe.extra = [("a", .string(text(1)))]
    return recipe
  }

  @Test func `a version is what the tables hold`() throws {
    let folder = try TestSupport.TemporaryFolder()
    let stager = try RecipeStager(in: folder.url.path)
    let scope = FolderScope(folder.url.path, stager.pictures, isWhole: true)
    let count = 2 * Self.texts.count * Self.numbers.count
    for number in 0..<count {
      _ = try stager.take(recipe(number), format: "schema", entry: "folder/a \(number).json", scope)
    }
    #expect(try written(stager) == count)
    #expect(try differing(stager) == nil)
    // What a recipe gets later is in no version that was written before.
    var other = Recipe()
    (other.author, other.nutrition) = ("Somebody", [RecipeNutrient(name: "Fat", value: "1 g")])
    try stager.complete(1, with: other)
    #expect(try written(stager) == count - 1)
    try StagedVersions.note(on: stager.connection)
    #expect(try written(stager) == count)
    #expect(try differing(stager) == nil)
    #expect(try stager.connection.integer("SELECT count(*) FROM versions.read WHERE origin IS NULL") == 0)
  }

  /// What is written down at once is what is computed for recipes that are written down afterwards.
  @Test func `origins and identifiers do not depend on when they are written`() throws {
    func rows(_ forget: Bool) throws -> [String] {
      let folder = try TestSupport.TemporaryFolder()
      let stager = try RecipeStager(in: folder.url.path)
      let scope = FolderScope(folder.url.path, stager.pictures, isWhole: true)
      for number in 0..<30 { _ = try stager.take(recipe(number), format: "schema", entry: "a.json", scope) }
      if forget {
        try stager.connection.run("UPDATE versions.read SET content = NULL, origin = NULL, places = NULL")
        try stager.connection.run("UPDATE Recipe SET uuid = ''")
      }
      try StagedVersions.note(on: stager.connection)
      _ = try RecipeDuplicates(on: stager.connection, policy: .skip).settle()
      var rows: [String] = []
      try stager.connection.forEachRow(
        "SELECT r.uuid, v.origin, v.content, v.places FROM Recipe AS r JOIN versions.read AS v ON v.key = r.id ORDER BY r.id"
      ) { row in rows.append((0..<4).map { row.text(at: $0) ?? "NULL" }.joined(separator: "|")) }
      return rows
    }
    let written = try rows(false)
    #expect(written.count == 30)
    #expect(try written == rows(true))
  }

  private func written(_ stager: RecipeStager) throws -> Int {
    Int(try stager.connection.integer("SELECT count(*) FROM versions.read WHERE content IS NOT NULL") ?? -1)
  }

  private func differing(_ stager: RecipeStager) throws -> String? {
    try stager.connection.text(
      """
      SELECT v.content || char(10) || \(RecipeVersion.contentExpression) FROM versions.read AS v
      JOIN main.Recipe AS r ON r.id = v.key WHERE \(StagedVersions.differs) LIMIT 1
      """)
  }
}
