import Foundation
import TestSupport
import Testing

@testable import DecantRecipeFormats

@Suite struct MealMasterFormatTests {
  private func read(_ text: String) throws -> ReadText {
    try ReadText(Array(text.utf8), as: MealMasterFormat.self)
  }

  @Test(
    .enabled(if: Fixtures.areAvailable),
    arguments: [
      "mmf/thinkle-gourmet-mealmaster.mmf", "mmf/thinkle-gourmet-mealmaster_2_col.mmf",
      "mmf/mera461-javaRecipes-1000.mmf", "mmf/KDE-krecipes-mmftest.txt",
    ]
  )
  func `all recipes of real files are read`(_ path: String) throws {
    let bytes = try RecipeFixtures.bytes(path)
    #expect(MealMasterFormat.matches(Array(bytes.prefix(1 << 16)), name: path))
    let read = try ReadText(bytes, as: MealMasterFormat.self)
    #expect(read.recipes.map(\.title) == (try RecipeFixtures.titles(path)))
    #expect(read.faults.isEmpty)
    #expect(read.warnings.isEmpty)
    // A picture of words only has no ingredients; all have something.
    #expect(read.recipes.allSatisfy { !$0.ingredients.isEmpty || !$0.steps.isEmpty })
    // Which these are was told by the raw lines, not by this reader.
    let without = read.recipes.indices.filter { number in
      read.recipes[number].ingredients.allSatisfy(\.isHeading)
    }
    #expect(without == (path.contains("1000") ? Self.withoutIngredients : []))
    #expect(read.recipes.allSatisfy { $0.yield != nil })
    let texts = read.recipes.flatMap { $0.steps.map(\.text) + $0.ingredients.map(\.text) }
    #expect(!texts.contains { $0.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" } })
  }

  /// The recipes of the real file of a thousand that have no line in columns: texts about food, and three whose
  /// ingredients are prose (192, 488) or in disorder (362).
  private static let withoutIngredients = [
    192, 326, 362, 382, 392, 393, 396, 399, 400, 401, 403, 405, 406, 488, 700, 701, 702, 703, 704,
    705, 706, 707, 975,
  ]

  /// Each recipe of the real file that has bytes from 0x80 on, judged by hand.
  @Test(.enabled(if: Fixtures.areAvailable))
  func `the encoding of each real recipe is told`() throws {
    let read = try ReadText(RecipeFixtures.bytes("mmf/mera461-javaRecipes-1000.mmf"), as: MealMasterFormat.self)
    func text(_ number: Int) -> String {
      let recipe = read.recipes[number]
      return (recipe.ingredients.map(\.text) + recipe.steps.map(\.text)).joined(separator: "\n")
    }
    for number in [196, 198, 331, 352, 402, 681, 698, 746, 782, 951, 999] {
      #expect(text(number).contains("1.80ß"), "\(number)")
    }
    for number in [240, 289, 308, 317, 332, 369, 473, 858, 889, 907] {
      #expect(text(number).contains("°"), "\(number)")
    }
    #expect(text(289).contains("3½ hours") && text(289).contains("──"))
    #expect(text(390).contains("sautéed"))
    #expect(text(423).contains("sautée"))
    #expect(text(562).contains("kahlúa"))
    #expect(text(741).contains("sauté the leek"))
    #expect(text(758).contains("pureé"))
    #expect(text(962).contains("½ cup of water"))
    #expect(text(983).contains("Sauté for"))
    let wrong = "ø«Ä‚Θ░≡ÿ"
    let all = read.recipes.indices.filter { number in text(number).contains { wrong.contains($0) } }
    #expect(all.isEmpty, "\(all)")
  }

  @Test func `two columns are read one after the other`() throws {
    let recipe = try #require(
      read(
        """
        MMMMM----- Recipe via Meal-Master (tm) v8.02

              Title: Chiles
         Categories: Appetizers, Main dish,Appetizers
              Yield: 2 servings

              2    Chiles, calif.; roast & peel        1    Eggs; separated
          1 1/3 oz Cheese, monterey jack            3/16 c  Flour, all purpose
                   Oil; for frying

        MMMMM------------------------TOMATO SAUCE-----------------------------
            1/3 tb Oil, vegetable                        pn Cloves, ground
           3/16 c  Chicken broth

          Prepare tomato sauce; keep
          warm.

          :Line
          :Other

        MMMMM
        """
      ).recipes.first
    )
    #expect(recipe.title == "Chiles")
    #expect(recipe.categories == ["Appetizers", "Main dish"])
    #expect(recipe.yield == "2 servings")
    #expect(recipe.servings == 2)
    #expect(
      recipe.ingredients.map(\.text) == [
        "2 Chiles, calif.; roast & peel", "1 1/3 oz Cheese, monterey jack", "Oil; for frying",
        "1 Eggs; separated", "3/16 c Flour, all purpose", "TOMATO SAUCE", "1/3 tb Oil, vegetable",
        "3/16 c Chicken broth", "pn Cloves, ground",
      ]
    )
    #expect(recipe.ingredients.map(\.isHeading).firstIndex(of: true) == 5)
    #expect(recipe.ingredients[0].name == "Chiles, calif.")
    #expect(recipe.ingredients[0].note == "roast & peel")
    #expect(recipe.ingredients[1].amount == 4.0 / 3)
    #expect(recipe.ingredients[1].unit == "oz")
    #expect(recipe.ingredients[8].unit == "pn")
    #expect(recipe.steps.map(\.text) == ["Prepare tomato sauce; keep warm.", "Line\nOther"])
  }

  @Test func `lines that go on, ranges and units in names are understood`() throws {
    let recipe = try #require(
      read(
        """
        ----- Exported by Krecipes [Meal-Master Export Format] -----

              Title: Cookies
           Servings: 2

              1    c. shortening; softened, at
                   -room temperature
        1-1 1/2 c  Sliced Mushrooms
          1/2-1 c  Almonds

        \tDrop by spoonful.

        -----
        """
      ).recipes.first
    )
    #expect(recipe.servings == 2)
    #expect(
      recipe.ingredients.map(\.text) == [
        "1 c. shortening; softened, at room temperature", "1-1 1/2 c Sliced Mushrooms",
        "1/2-1 c Almonds",
      ]
    )
    #expect(recipe.ingredients.map(\.unit) == ["c", "c", "c"])
    #expect(recipe.ingredients[0].note == "softened, at room temperature")
    #expect(recipe.ingredients.map(\.amountTo) == [nil, 1.5, 1])
    #expect(recipe.steps.map(\.text) == ["Drop by spoonful."])
  }

  /// Fields of the head that go on on the next line.
  @Test(
    arguments: [
      (
        "      Title: Beef and\n        Barley Soup\n Categories: Soups\n      Yield: 4",
        "Beef and Barley Soup", ["Soups"], "4"
      ),
      ("      Title: One\n two\n three\n      Yield: 4", "One two three", [], "4"),
      (
        "      Title: A\n Categories: Soups, Main\n        dish, Beef\n      Yield: 4", "A",
        ["Soups", "Main dish", "Beef"], "4"
      ),
      ("      Title: A\n      Yield: 4\n        to 6 servings", "A", [], "4 to 6 servings"),
      ("      Title: A\n\n        Barley\n      Yield: 4", "A", [], nil),
      ("      Title:\n        Barley Soup\n      Yield: 4", "Barley Soup", [], "4"),
    ] as [(String, String, [String], String?)]
  )
  func `a field of the head goes on on the next line`(
    head: String,
    title: String,
    categories: [String],
    yield: String?
  ) throws {
    let text =
      "MMMMM----- Recipe via Meal-Master (tm) v8.02\n\n\(head)\n\n      1 c  Barley\n\n  Mix.\n\nMMMMM\n"
    let recipe = try #require(read(text).recipes.first)
    #expect(recipe.title == title && recipe.categories == categories && recipe.yield == yield)
    if yield != nil { #expect(recipe.ingredients.map(\.text) == ["1 c Barley"]) }
  }

  @Test func `a missing end is told, and the next recipe read`() throws {
    let start = "MMMMM----- Recipe via Meal-Master (tm) v8.02\n\n      Title: "
    let read = try read("noise\n\(start)A\n\n  Text\n\(start)B\n\n  MMMMM not an end\n  Text\nMMMMM\nnoise\n")
    #expect(read.recipes.map(\.title) == ["A", "B"])
    #expect(read.warnings == ["the end line of the recipe that begins on line 2 is missing"])
    #expect(read.recipes[1].steps.map(\.text) == ["MMMMM not an end Text"])
  }

  @Test func `a start without a title is talk`() throws {
    let read = try read("MMMMM----- about Meal-Master\nno title here\n\n\n\n\n\n\n      Title: X\n")
    #expect(read.recipes.isEmpty)
    #expect(!MealMasterFormat.matches(Array("Title: X\n----- Meal-Master\n".utf8), name: "a.txt"))
  }

  @Test func `a recipe without end is bounded`() throws {
    let start = "MMMMM----- Meal-Master\n      Title: "
    let endless = String(repeating: "  all work and no play\n", count: 60_000)
    let read = try read("\(start)A\n\n\(endless)\(start)B\n\n  Text\nMMMMM\n")
    #expect(read.faults.count == 1)
    #expect(read.recipes.map(\.title) == ["B"])
  }

  @Test func `ingredients behind directions are found`() throws {
    let recipe = try #require(
      read(
        """
        MMMMM----- Recipe via Meal-Master
              Title: Late

          Stir 2 or 3 times
          and bake.

              1 c  Flour
              2    Eggs

        MMMMM------NOTES------

          Good.
        MMMMM
        """
      ).recipes.first
    )
    #expect(recipe.ingredients.map(\.text) == ["1 c Flour", "2 Eggs"])
    #expect(recipe.steps.map(\.text) == ["Stir 2 or 3 times and bake.", "NOTES", "Good."])
    #expect(recipe.steps.map(\.isHeading) == [false, true, false])
  }

  @Test func `times and source on lines of their own are fields`() throws {
    let recipe = try #require(
      read(
        "MMMMM-----Meal-Master\n      Title: A\n\n  Recipe by: Me\n  Preparation Time: 0:30\n\n  Source: prose\n  Mix.\nMMMMM"
      ).recipes.first
    )
    #expect(recipe.author == "Me")
    #expect(recipe.prepTime == RecipeTime(text: "0:30", minutes: 30))
    #expect(recipe.steps.map(\.text) == ["Source: prose Mix."])
  }

  @Test(arguments: [
    "-----A\n", "MMMMM-A\n\n", "           -x\n", "      1 c  x\n\n", ":\n", "\n",
  ])
  func `lines without end are read in one go`(_ line: String) throws {
    let text = String(repeating: line, count: 20_000)
    let spent = try CPUTime.of {
      let read = try read("MMMMM-----Meal-Master\n      Title: A\n\n\(text)MMMMM\n")
      #expect(read.recipes.map(\.title) == ["A"])
    }
    #expect(spent < .seconds(60))
  }
}
