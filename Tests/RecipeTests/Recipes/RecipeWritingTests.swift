import DecantBase
import Foundation
import TestSupport
import Testing

@testable import DecantRecipeFormats
@testable import DecantRecipes

/// What is written and read again is the same, or its loss is named.
@Suite struct RecipeWritingTests {
  /// Recipes with texts that a format may take for its own marks.
  private struct Awkward {
    var generator: SeededGenerator
    private static let words = [
      "flour", "Öl", "@salt", "#pan", "~{5}", "{", "}", "%", "--", "-", "---", "MMMMM", "-----",
      ":", "::",
      "=", "==", ">", ">>", "[-", "-]", "\\", "\\\\", "1", "1/2", "2-3", "½", "c", "tb", "cups",
      "(x)", ",",
      ";", "crème", "面", "🧂", "Title:", "Source:", "Meal-Master", "1.", "*", "\u{301}", "a  b", "'",
      "\"",
      "Total Time: 5", "#tag", "|", "&", "?", "@&x{}", "=1", "-]]",
    ]

    mutating func text(_ count: ClosedRange<Int>) -> String {
      var text = ""
      for _ in 0..<Int.random(in: count, using: &generator) {
        text += (text.isEmpty ? "" : " ") + (Self.words.randomElement(using: &generator) ?? "")
      }
      return text.trimmed
    }

    mutating func lines() -> String {
      var text = text(1...8)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: text += "\n" + self.text(1...5)
      case 1: text += "\n\n" + self.text(1...5)
      case 2: text += " " + self.text(60...90)
      case 3: text += " " + String(repeating: "long", count: 60)
      default: break
      }
      return text
    }

    mutating func maybe<T>(_ value: (inout Awkward) -> T) -> T? {
      Bool.random(using: &generator) ? value(&self) : nil
    }

    mutating func recipe() -> Recipe {
      var recipe = Recipe()
      recipe.title = text(1...4)
      recipe.summary = maybe { $0.lines() }
      recipe.notes = maybe { $0.lines() }
      recipe.author = maybe { $0.text(1...3) }
      recipe.source = maybe { $0.text(1...3) }
      recipe.url = maybe { _ in "https://example.org/a?b=c#d" }
      recipe.yield = maybe { $0.text(1...3) }
      recipe.servings = recipe.yield.flatMap { Servings.number(in: $0) }
      recipe.prepTime = maybe { _ in RecipeTime(text: "1 h 5 min", minutes: 65) }
      recipe.cookTime = maybe { RecipeTime(written: $0.text(1...2), plainIsMinutes: true) } ?? nil
      recipe.categories = maybe { [$0.text(1...2)] } ?? []
      recipe.tags = maybe { [$0.text(1...2), "x"] } ?? []
      recipe.rating = maybe { _ in 4.5 }
      for _ in 0..<Int.random(in: 0...5, using: &generator) {
        if Int.random(in: 0..<6, using: &generator) == 0 {
          recipe.ingredients.append(RecipeIngredient(text(1...3), isHeading: true))
        } else {
          recipe.ingredients.append(RecipeIngredient(line: text(1...10)))
        }
      }
      for _ in 0..<Int.random(in: 0...5, using: &generator) {
        if Int.random(in: 0..<6, using: &generator) == 0 {
          recipe.steps.append(RecipeStep(text(1...3), isHeading: true))
        } else {
          recipe.steps.append(RecipeStep(lines()))
        }
      }
      return recipe
    }
  }

  /// Compares field by field, not as the writer does it.
  private func check(_ recipe: Recipe, _ read: Recipe, _ losses: [String], _ seed: UInt64) {
    func same(_ name: String, _ isSame: Bool) {
      #expect(isSame || losses.contains(name), "\(name), DECANT_SEED=\(seed)")
    }
    same("title", recipe.title == read.title)
    same("summary", recipe.summary == nil || recipe.summary == read.summary)
    same("notes", recipe.notes == nil || recipe.notes == read.notes)
    same("author", recipe.author == nil || recipe.author == read.author)
    same("source", recipe.source == nil || recipe.source == read.source)
    same("url", recipe.url == nil || recipe.url == read.url)
    same("yield", recipe.yield == nil || recipe.yield == read.yield)
    same("servings", recipe.servings == nil || recipe.servings == read.servings)
    same("prepTime", recipe.prepTime == nil || recipe.prepTime == read.prepTime)
    same("cookTime", recipe.cookTime == nil || recipe.cookTime?.text == read.cookTime?.text)
    same("rating", recipe.rating == nil || recipe.rating == read.rating)
    same("categories", recipe.categories == read.categories)
    same("tags", recipe.tags == read.tags)
    same("ingredients", recipe.ingredients.map(\.text.words) == read.ingredients.map(\.text.words))
    same(
      "ingredients.blanks",
      losses.contains("ingredients") || recipe.ingredients.map(\.text) == read.ingredients.map(\.text))
    if recipe.ingredients.count == read.ingredients.count {
      let pairs = zip(recipe.ingredients, read.ingredients)
      let isSame = pairs.allSatisfy { $0.amount == nil || $0.amount == $1.amount }
      #expect(isSame || losses.contains { $0.hasPrefix("ingredients") }, "amount, DECANT_SEED=\(seed)")
    }
    same("steps", recipe.steps.map(\.text.words) == read.steps.map(\.text.words))
    same("steps.blanks", losses.contains("steps") || recipe.steps.map(\.text) == read.steps.map(\.text))
    same("steps", recipe.steps.map(\.isHeading) == read.steps.map(\.isHeading))
  }

  @Test(arguments: SeededGenerator.seeds(300))
  func `Cooklang gives awkward recipes back`(_ seed: UInt64) throws {
    var awkward = Awkward(generator: SeededGenerator(seed: seed))
    let recipe = awkward.recipe()
    let (text, written) = try CooklangText.write(recipe, WrittenRecipes())
    let losses = written.losses
    let read = try ReadText(Array(text.utf8), as: CooklangFormat.self, name: "a.cook")
    check(recipe, try #require(read.recipes.first), losses, seed)
    // Fields are quoted, whatever is in them.
    #expect(!losses.contains("title") && !losses.contains("yield"), "DECANT_SEED=\(seed)\n\(text)")
    #expect(!losses.contains("summary") && !losses.contains("tags"), "DECANT_SEED=\(seed)\n\(text)")
  }

  @Test(arguments: SeededGenerator.seeds(300))
  func `Meal-Master gives awkward recipes back`(_ seed: UInt64) throws {
    var awkward = Awkward(generator: SeededGenerator(seed: seed))
    let recipe = awkward.recipe()
    do {
      let (text, written) = try MealMasterText.write(recipe, WrittenRecipes())
      let read = try ReadText(Array(text.utf8), as: MealMasterFormat.self)
      #expect(read.recipes.count == 1)
      check(recipe, try #require(read.recipes.first), written.losses, seed)
    } catch is RecipeFault {
      // Only a mark of the program's own, before a title, is in the way.
      let lines = recipe.steps.map(\.text) + recipe.ingredients.map(\.text)
      #expect(lines.contains { $0.contains("Meal-Master") }, "DECANT_SEED=\(seed)")
    }
  }

  /// Both directions: what differs is named, and nothing is that does not differ.
  @Test(arguments: SeededGenerator.seeds(200))
  func `nothing is named that comes back`(_ seed: UInt64) throws {
    var awkward = Awkward(generator: SeededGenerator(seed: seed))
    let recipe = awkward.recipe()
    let (text, written) = try CooklangText.write(recipe, WrittenRecipes())
    let file = try ReadText(Array(text.utf8), as: CooklangFormat.self, name: "a.cook")
    let read = try #require(file.recipes.first)
    for name in written.losses where Self.sameness(recipe, read)[name] == true {
      Issue.record("\(name) is named, and comes back; DECANT_SEED=\(seed)")
    }
  }

  /// Whether each field is the same, seen otherwise than the writer sees it.
  private static func sameness(_ recipe: Recipe, _ read: Recipe) -> [String: Bool] {
    [
      "title": recipe.title == read.title, "summary": recipe.summary == read.summary,
      "notes": recipe.notes == read.notes, "author": recipe.author == read.author,
      "source": recipe.source == read.source, "url": recipe.url == read.url,
      "yield": recipe.yield == read.yield, "rating": recipe.rating == read.rating,
      "servings": recipe.servings == read.servings, "prepTime": recipe.prepTime == read.prepTime,
      "cookTime": recipe.cookTime == read.cookTime, "totalTime": recipe.totalTime == read.totalTime,
      "categories": recipe.categories == read.categories, "tags": recipe.tags == read.tags,
      "ingredients": recipe.ingredients.map(\.text) == read.ingredients.map(\.text)
        && recipe.ingredients.map(\.isHeading) == read.ingredients.map(\.isHeading),
      "steps": recipe.steps.map(\.text) == read.steps.map(\.text)
        && recipe.steps.map(\.isHeading) == read.steps.map(\.isHeading),
    ]
  }

  private func plain() -> Recipe {
    var recipe = Recipe()
    recipe.title = "Spätzle"
    recipe.yield = "4 Portionen"
    recipe.servings = 4
    recipe.prepTime = RecipeTime(text: "20 min", minutes: 20)
    recipe.categories = ["Schwäbisch", "Teig"]
    recipe.ingredients = [
      RecipeIngredient("Teig", isHeading: true), RecipeIngredient(line: "500 g Mehl, gesiebt"),
      RecipeIngredient(line: "1 (14 oz) can tomatoes, drained and chopped into rather small pieces"),
      RecipeIngredient(line: "Salz"),
    ]
    recipe.steps = [
      RecipeStep("Mix.", title: nil), RecipeStep("Koch", isHeading: true),
      RecipeStep("- Boil @ 100 °C -- not more.\nMMMMM\n\n2 c water"),
    ]
    return recipe
  }

  @Test func `a plain recipe loses nothing`() throws {
    #expect(try cooklang(plain()) == [])
    #expect(try mealMaster(plain()) == [])
  }

  @Test func `what has no place is named`() throws {
    var recipe = plain()
    recipe.images = [RecipeImage(.taken(0))]
    recipe.rating = 5
    recipe.summary = "Good"
    recipe.tags = ["x"]
    recipe.steps[0].title = "First"
    recipe.extra = [
      ("thing", try DocumentValue.object([("a", .number("1"))]).json),
      ("count", try DocumentValue.number("3").json),
    ]
    #expect(try cooklang(recipe) == ["steps.title", "images", "extra.thing"])
    #expect(
      try mealMaster(recipe) == [
        "summary", "rating", "steps.title", "images", "tags", "extra.thing", "extra.count",
      ]
    )
  }

  @Test func `a recipe of Cooklang keeps its marks`() throws {
    let text = "---\ntitle: A\n---\n\nMix @flour{1%cup} in a #bowl{} for ~{5%min}. -- gently\n"
    let recipe = CooklangFormat.recipe(text)
    #expect(CooklangText.text(recipe) == text)
    #expect(try cooklang(recipe) == [])
    var changed = recipe
    changed.steps[0].text = "Mix flour."
    let written = CooklangText.text(changed)
    #expect(!written.contains("gently"))
    #expect(CooklangFormat.recipe(written).steps.map(\.text) == ["Mix flour."])
  }

  @Test(.enabled(if: Fixtures.areAvailable))
  func `real recipes of Meal-Master are written as they were`() throws {
    let bytes = try RecipeFixtures.bytes("mmf/mera461-javaRecipes-1000.mmf")
    let recipes = try ReadText(bytes, as: MealMasterFormat.self).recipes
    #expect(recipes.count == 1000)
    for recipe in recipes {
      let (cooklang, losses) = try CooklangText.write(recipe, WrittenRecipes())
      let cook = try ReadText(Array(cooklang.utf8), as: CooklangFormat.self, name: "a.cook")
      try check(recipe, cook, losses.losses)
      let (text, written) = try MealMasterText.write(recipe, WrittenRecipes())
      try check(
        recipe,
        ReadText(Array(text.utf8), as: MealMasterFormat.self),
        written.losses.filter { !$0.hasPrefix("titles longer than") }
      )
    }
  }

  /// What differs is named, and nothing else: whether a recipe was changed is seen without the writer.
  private func check(_ recipe: Recipe, _ file: ReadText, _ losses: [String]) throws {
    #expect(file.recipes.count == 1, "\(recipe.title)")
    let read = try #require(file.recipes.first)
    let changed = Self.sameness(recipe, read).filter { !$0.value }.keys.sorted()
    #expect(changed == losses.filter { !$0.contains(".") }.sorted(), "\(recipe.title)")
  }

  /// The losses that each format names.
  private func cooklang(_ recipe: Recipe) throws -> [String] {
    try CooklangText.write(recipe, WrittenRecipes()).written.losses
  }

  private func mealMaster(_ recipe: Recipe) throws -> [String] {
    try MealMasterText.write(recipe, WrittenRecipes()).written.losses
  }
}

extension String {
  /// What stands between blanks and line ends.
  fileprivate var words: [String] { split(whereSeparator: \.isWhitespace).map(String.init) }
}
