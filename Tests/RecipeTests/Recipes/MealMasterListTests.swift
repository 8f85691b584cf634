import DecantJSON
import Testing

@testable import DecantRecipeFormats

/// Meal-Master files that are not as the program writes them.
@Suite struct MealMasterListTests {
  private func read(_ text: String) throws -> ReadText {
    try ReadText(Array(text.utf8), as: MealMasterFormat.self)
  }

  private func text(_ lines: String, title: String = "      Title: A", front: String = "") -> String {
    "MMMMM----- Recipe via Meal-Master (tm) v8.05\n\(front) \n\(title)\n      Yield: 4 Servings\n \n\(lines)\nMMMMM\n"
  }

  @Test func `a list that stands to the right is one`() throws {
    let recipe = try #require(
      read(
        text(
          """
            :          Crust:
                  4    Chicken breasts* -- skinned
            :          an
              1 1/2 TB White-wine vinegar
            :          Salt
            :            and water

            Mix 2 c of it
            and bake.
          """
        )
      ).recipes.first
    )
    #expect(
      recipe.ingredients.map(\.text) == [
        "Crust", "4 Chicken breasts* -- skinned an", "1 1/2 TB White-wine vinegar", "Salt",
        "and water",
      ]
    )
    #expect(recipe.ingredients.map(\.isHeading) == [true, false, false, false, false])
    #expect(recipe.ingredients[2].amount == 1.5 && recipe.ingredients[2].unit == "TB")
    #expect(recipe.steps.map(\.text) == ["Mix 2 c of it and bake."])
  }

  @Test(arguments: ["\t1 c  Water\n      2 lg Eggs", "      1 c  Water\n\t2 lg Eggs"])
  func `a line that begins with a tab is an ingredient`(_ lines: String) throws {
    let recipe = try #require(read(text(lines)).recipes.first)
    #expect(recipe.ingredients.map(\.text) == ["1 c Water", "2 lg Eggs"])
  }

  @Test(
    arguments: [
      "     Store it cool\n  for 3 days.", "        3    days it keeps,\n  and more.",
      "               Serve hot", "    1 (1-ounce) square\n  of chocolate",
      "  2 cups Flour 1 Cup Sugar",
    ]
  )
  func `prose is no list`(_ lines: String) throws {
    let recipe = try #require(read(text(lines)).recipes.first)
    #expect(recipe.ingredients.isEmpty)
    #expect(recipe.steps.count == 1)
  }

  @Test func `a title in capitals, or behind headers of a mail, is one`() throws {
    let headers = ["From: x", "To: y", "Date: z", "Subj: a", "Area: b", "More: c", "Reply-To: d"]
    let read = try read(
      text("  Mix.", title: "      TITLE: A") + text("  Mix.", title: "title: B")
        + text("  Mix.", front: headers.map { " \($0)\n" }.joined())
    )
    #expect(read.recipes.map(\.title) == ["A", "B", "A"])
    #expect(read.faults == [])
    #expect(read.recipes[2].extra.map(\.1.text) == ["\"\(headers.joined(separator: "\\n"))\""])
  }

  @Test func `a recipe without a title is told, and where it is`() throws {
    let read = try read(text("  Mix.", title: "      Titel: X") + text("  Mix.", title: "      Title: B"))
    #expect(read.recipes.map(\.title) == ["B"])
    #expect(read.faults.map(\.message) == ["the recipe that begins on line 1 has no “Title:”"])
  }

  @Test(arguments: [true, false])
  func `UTF-16 is read`(_ isBigEndian: Bool) throws {
    let text = "\u{feff}" + text("      1 c  Crème fraîche 😀", title: "      Title: Żurek")
    let bytes = text.utf16.flatMap { unit in
      isBigEndian
        ? [UInt8(unit >> 8), UInt8(unit & 0xff)] : [UInt8(unit & 0xff), UInt8(unit >> 8)]
    }
    #expect(MealMasterFormat.matches(bytes, name: "a.mmf"))
    let recipe = try #require(ReadText(bytes, as: MealMasterFormat.self).recipes.first)
    #expect(recipe.title == "Żurek")
    #expect(recipe.ingredients.map(\.text) == ["1 c Crème fraîche 😀"])
    let cook = Array("\u{feff}Fry @żur{}.\n".utf16).flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    #expect(CooklangFormat.matches(cook, name: "Żurek.cook"))
    let soup = try #require(ReadText(cook, as: CooklangFormat.self, name: "Żurek.cook").recipes.first)
    #expect(soup.ingredients.map(\.name) == ["żur"])
    let table =
      "\u{feff}Title,Course,Main Ingredient,Ingredients,Directions,Servings\r\nŻurek,M,,1 łyżka,Mix,2-4\r\n"
    let wide = table.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    #expect(PlanToEatFormat.matches(wide, name: "a.csv"))
    let row = try #require(ReadText(wide, as: PlanToEatFormat.self).recipes.first)
    #expect(row.title == "Żurek" && row.yield == "2-4" && row.servings == nil)
    #expect(row.ingredients.map(\.text) == ["1 łyżka"])
  }

  @Test func `servings are written as people do`() throws {
    let table =
      "Title,Course,Main Ingredient,Ingredients,Directions,Servings\nA,,,x,y,4\nB,,,x,y,2.5\n"
    let rows = try ReadText(Array(table.utf8), as: PlanToEatFormat.self).recipes
    #expect(rows.map(\.yield) == ["4 servings", "2.5 servings"])
    let exported = """
                           *  Exported from  MasterCook  *

                                        Soup

      Serving Size  : 4    Preparation Time :0:30
      Categories    : Soup

        Amount  Measure       Ingredient -- Preparation Method
      --------  ------------  --------------------------------
             1           cup  water

      Boil.
      """
    func yield(_ text: String) throws -> String? {
      try #require(ReadText(Array(text.utf8), as: MasterCookTextFormat.self).recipes.first).yield
    }
    #expect(try yield(exported) == "4 servings")
    #expect(try yield(exported.replacing("Size  : 4 ", with: "Size  : 4-6 ")) == "4-6")
  }
}
