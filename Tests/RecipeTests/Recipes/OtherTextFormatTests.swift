import Foundation
import TestSupport
import Testing

@testable import DecantRecipeFormats

@Suite(.enabled(if: Fixtures.areAvailable)) struct OtherTextFormatTests {
  @Test func `MasterCook's fields are read`() throws {
    let path = "mxp/mera461-javaRecipes-AllFields.mxp"
    let bytes = try RecipeFixtures.bytes(path)
    #expect(MasterCookTextFormat.matches(bytes, name: path))
    let recipe = try #require(ReadText(bytes, as: MasterCookTextFormat.self).recipes.first)
    #expect(recipe.title == "TitleField")
    #expect(recipe.author == "AuthorField")
    #expect(recipe.servings == 111)
    #expect(recipe.yield == "222 Yieldunit")
    #expect(recipe.prepTime == RecipeTime(text: "1:17", minutes: 77))
    #expect(recipe.totalTime == RecipeTime(text: "1:18", minutes: 78))
    #expect(recipe.cookTime == RecipeTime(text: "1:19", minutes: 79))
    #expect(recipe.categories == ["Category1", "Catgeory2"])
    #expect(recipe.summary == "DescriptionField")
    #expect(recipe.source == "SourceField")
    #expect(recipe.url == "AltSourceFIeld")
    #expect(
      recipe.ingredients.map(\.text) == [
        "1 can Ingredient -- Preparation", "2 tablespoons sugar -- preparation-2",
      ]
    )
    #expect(recipe.ingredients[1].amount == 2)
    #expect(recipe.ingredients[1].unit == "tablespoons")
    #expect(recipe.ingredients[1].name == "sugar")
    #expect(recipe.ingredients[1].note == "preparation-2")
    #expect(recipe.steps.map(\.text) == ["Direction-1", "Direction-2"])
    #expect(recipe.notes?.hasPrefix("NotesField....") == true)
    #expect(recipe.notes?.contains("NF line 5") == true)
    #expect(recipe.nutrition.first?.value.contains("trace Carbohydrate") == true)
    let names = recipe.extra.map(\.0)
    for name in [
      "cuisine", "copyright", "ratings", "suggested wine", "serving ideas", "nutr. assoc.",
    ] {
      #expect(names.contains(name), "\(name)")
    }
  }

  @Test func `a MasterCook file of several recipes is read`() throws {
    let path = "mxp/mera461-javaRecipes-0_2625_appetiz1_00.mxp"
    let read = try ReadText(RecipeFixtures.bytes(path), as: MasterCookTextFormat.self)
    #expect(read.recipes.map(\.title) == (try RecipeFixtures.titles(path)))
    #expect(read.faults.isEmpty)
    let dolmas = read.recipes[1]
    #expect(dolmas.categories == ["Appetizers", "Greek", "Lamb"])
    #expect(dolmas.prepTime == nil)
    #expect(dolmas.ingredients.count == 13)
    #expect(dolmas.ingredients[1].text == "2 cups onion, minced in processor")
    #expect(dolmas.ingredients[12].text == "1 lemon")
    #expect(dolmas.steps.count == 1)
    #expect(dolmas.notes?.hasPrefix("If storing") == true)
    #expect(dolmas.extra.first?.0 == "serving ideas")
    #expect(read.recipes.allSatisfy { !$0.ingredients.isEmpty && !$0.steps.isEmpty })
  }

  @Test func `REZKONV is read`() throws {
    let path = "rezkonv/mera461-javaRecipes-BohnenSpeckPasta.rk"
    let bytes = try RecipeFixtures.bytes(path)
    #expect(RezKonvFormat.matches(bytes, name: path))
    let read = try ReadText(bytes, as: RezKonvFormat.self)
    let recipe = try #require(read.recipes.first)
    #expect(read.recipes.count == 1)
    #expect(read.warnings.isEmpty)
    #expect(recipe.title == "Bohnen-Speck-Pasta")
    #expect(recipe.categories == ["Pasta"])
    #expect(recipe.yield == "2 Portionen")
    #expect(recipe.servings == 2)
    #expect(recipe.source == "essen&trinken Für jeden Tag, Heft 10/2011")
    #expect(recipe.ingredients.count == 12)
    #expect(recipe.ingredients[0].text == "80 Gramm Durchwachsener Speck")
    #expect(recipe.ingredients[0].unit == "Gramm")
    #expect(recipe.ingredients[3].unit == "Essl.")
    #expect(recipe.ingredients[3].name == "Olivenöl")
    #expect(recipe.ingredients[6].text == "Salz")
    #expect(recipe.ingredients[10].text == "1 Dose Kleine weiße Bohnen (425 g EW)")
    #expect(recipe.ingredients[11].note == "grob gezupft")
    #expect(recipe.steps.count == 6)
    #expect(
      recipe.steps[0].text
        == "1. Speck in kleine Würfel schneiden. Zwiebel und Knoblauchzehe fein würfeln."
    )
    #expect(recipe.steps[4].text.hasPrefix("* Zubereitungszeit: 25 Minuten\n* Pro Portion"))
    #expect(recipe.prepTime?.minutes == 25)
    let typed = recipe.extra.first { $0.0 == "Erfasst" }?.1
    #expect("\(typed as Any)".contains("(\"Erfasst *RK* 22.09.2011 von Torsten Svensson\")"))
  }

  @Test func `Plan to Eat is read`() throws {
    let folder = try TestSupport.TemporaryFolder()
    let archive = try #require(Fixtures.folder)
      .appendingPathComponent("recipes/plantoeat/mealie-recipes-mealie-plantoeat.zip")
    try #require(try Program.run(["python3", "-m", "zipfile", "-e", archive.path, folder.url.path]).status == 0)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    let file = try #require(files.first { $0.hasSuffix(".csv") })
    let bytes = Array(try Data(contentsOf: folder.url.appendingPathComponent(file)))
    #expect(PlanToEatFormat.matches(bytes, name: file))
    let read = try ReadText(bytes, as: PlanToEatFormat.self)
    #expect(read.recipes.map(\.title) == ["Test Recipe", "Test Recipe2"])
    #expect(read.faults.isEmpty)
    let recipe = read.recipes[0]
    #expect(recipe.summary == "This is a description.\nHere is new line.")
    #expect(
      recipe.ingredients.map(\.text) == [
        "Heading", "2 itm Test, note", "Heading2", "3 pkg Two, note2",
      ]
    )
    #expect(recipe.ingredients.map(\.isHeading) == [true, false, true, false])
    #expect(recipe.ingredients[1].unit == "itm")
    #expect(recipe.ingredients[3].note == "note2")
    #expect(recipe.steps.map(\.text) == ["Directions.", "Will go here."])
    #expect(recipe.tags == ["Allergen-Friendly", "Cheap", "Test"])
    #expect(recipe.rating == 3)
    #expect(recipe.servings == 7)
    #expect(recipe.yield == "1 loaf")
    #expect(recipe.prepTime?.minutes == 75)
    #expect(recipe.nutrition.contains(RecipeNutrient(name: "Calories", value: "13")))
    #expect(recipe.extra.contains { $0.0 == "Photo Url" })
  }
}

@Suite struct CSVReaderTests {
  private func rows(_ text: String) throws -> [[String]] {
    let reader = CSVReader(ReadText.lines(Array(text.utf8)))
    var rows: [[String]] = []
    while let row = try reader.next() { rows.append(row) }
    return rows
  }

  @Test func `quotes, separators and line ends are understood`() throws {
    #expect(try rows("a,b\r\n\"1,\"\"2\"\"\",\"x\r\ny\"\r\n") == [["a", "b"], ["1,\"2\"", "x\ny"]])
    #expect(try rows("a;b,c;d\n1;2;3") == [["a", "b,c", "d"], ["1", "2", "3"]])
    #expect(try rows("a\tb\n\n1\t\n") == [["a", "b"], ["1", ""]])
    #expect(try rows("\u{FEFF}a,b\n,\n") == [["a", "b"], ["", ""]])
    #expect(try rows("a,5\" pan,\"b\"c\n") == [["a", "5\" pan", "bc"]])
    #expect(try rows("\"a\n\n\nb\",c") == [["a\n\n\nb", "c"]])
    #expect(try rows("").isEmpty)
  }

  /// Wherever long lines are split, the cells are the same.
  @Test(arguments: [
    "a,b\n\"x\"\"y\",z\n", "a,\"\"\"\",\"b\nc\",,\n\"\"\n1,2,3\n", "\"a\"b,\"c\"\n5\" pan,\" \"\nd,e,\n",
    "é,\"ü\"\"\"\r\nb,\",\"\r\n",
  ])
  func `the place where a line is split does not matter`(_ text: String) throws {
    func rows(_ limit: Int) throws -> [[String]] {
      let reader = CSVReader(ReadText.lines(Array(text.utf8), limit: limit), separator: ",")
      var rows: [[String]] = []
      while let row = try reader.next() { rows.append(row) }
      return rows
    }
    let whole = try rows(1_000)
    for limit in 1...text.utf8.count { #expect(try rows(limit) == whole, "\(limit)") }
  }

  @Test func `a row that does not end is refused, whatever its length`() throws {
    #expect(throws: RecipeFault.self) { try rows("a,b\n1,\"2\n") }
    let long = String(repeating: "x\n", count: 3 << 20)
    let reader = CSVReader(ReadText.lines(Array("a,b\n\"\(long)\",1\n".utf8)))
    #expect(try reader.next() == ["a", "b"])
    #expect(throws: RecipeFault.self) { try reader.next() }
  }

  /// Its rest was taken for rows: 160,000 steps in one cell became 85,000 recipes.
  ///
  /// A row may have 40 bytes here, and lines are split after 64.
  @Test(arguments: [
    "\"\(String(repeating: "x,\"\"y\"\"\n", count: 20))\",1", "\(String(repeating: "x", count: 150)),1",
    "\"\(String(repeating: "x\"\"", count: 60))\",1", "\"\(String(repeating: "x", count: 62))\",1",
    "\"\(String(repeating: "x", count: 63))\",1", String(repeating: "x,", count: 32),
    String(repeating: "x,", count: 99),
  ])
  func `reading continues after a row that is too long`(_ row: String) throws {
    let reader = CSVReader(ReadText.lines(Array("a,b\n\(row)\n3,4\n".utf8), limit: 64), byteLimit: 40)
    #expect(try reader.next() == ["a", "b"])
    #expect(throws: RecipeFault.self) { try reader.next() }
    #expect(try reader.next() == ["3", "4"])
    #expect(reader.line == 3 + row.utf8.count { $0 == 0x0a })
    #expect(try reader.next() == nil)
  }
}
