import Foundation
import TestSupport
import Testing
import DecantXML

@testable import DecantRecipeFormats

/// The formats of XML and HTML on real files: titles and pictures as an independent reader found them.
@Suite(.enabled(if: Fixtures.areAvailable)) struct MarkupFormatTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    var format: any MarkupRecipeFormat.Type
    var file: String
    /// The recipes' numbers of ingredients, headings included, and of steps, counted by hand or with XPath.
    var counts: [[Int]] = []
    var isHTML = false
    /// Pictures that the file names and that did not come with it.
    var missing = 0

    var testDescription: String { file }
  }

  static let samples = [
    Sample(format: KRecipesFormat.self, file: "krecipes/thinkle-gourmet-sample.kreml", counts: [[5, 1]]),
    Sample(format: KRecipesFormat.self, file: "krecipes/KDE-krecipes-samples-en_US.kreml"),
    Sample(format: CookMLFormat.self, file: "cookml/reaper47-recipya-kalorio.cml", counts: [[14, 4], [11, 4]]),
    Sample(
      format: CookmateFormat.self,
      file: "cookmate/reaper47-recipya-my_cookbook.xml",
      counts: [[6, 3], [6, 2]],
      missing: 1
    ),
    Sample(format: RecipeMLFormat.self, file: "recipeml/KDE-krecipes-recipemltest.txt", counts: [[11, 1], [11, 1]]),
    Sample(
      format: RecipeMLFormat.self,
      file: "recipeml/thomas-ernest-around-recipeml-Lasagnes_d_Annick.xml",
      counts: [[11, 15]]
    ),
    Sample(format: RecipeMLFormat.self, file: "recipeml/thomas-ernest-around-recipeml-recette_carrot-cake_22614.xml"),
    Sample(format: MX2Format.self, file: "mx2/thinkle-gourmet-athenos.mx2"),
    Sample(
      format: MX2Format.self, file: "mx2/mera461-javaRecipes-Max-Min_MC_Field_Test.mx2", counts: [[9, 8], [1, 1]]),
    Sample(format: MX2Format.self, file: "mx2/mera461-javaRecipes-ft1252.mx2", counts: [[0, 0]]),
    Sample(format: MX2Format.self, file: "mx2/mera461-javaRecipes-ft-UTF8.mx2", counts: [[0, 0]]),
    Sample(
      format: MacGourmetFormat.self,
      file: "macgourmet/mera461-javaRecipes-Banana_Chocolate_Chip_Bread.mgourmet",
      counts: [[11, 1]]
    ),
    Sample(
      format: MacGourmetFormat.self,
      file: "macgourmet/mera461-javaRecipes-Almost_Flourless_Chocolate_Cake-542.mgourmet"
    ),
    Sample(
      format: RecipeKeeperFormat.self,
      file: "recipekeeper/reaper47-recipya-recipes.html",
      isHTML: true,
      missing: 8
    ),
  ]

  @Test(arguments: samples) func `real files are read whole`(_ sample: Sample) throws {
    let fixture = try RecipeFixture(sample.file)
    let bytes = Array(try Data(contentsOf: fixture.file))
    let read = try MarkupRecipes(sample.format, bytes, isHTML: sample.isHTML)
    fixture.check(read)
    #expect(read.warnings.isEmpty)
    #expect(read.digests.joined().filter { $0 == nil }.count == sample.missing)
    if !sample.counts.isEmpty {
      #expect(read.recipes.map { [$0.ingredients.count, $0.steps.count] } == sample.counts)
    }
    for recipe in read.recipes where sample.counts.isEmpty {
      #expect(!recipe.ingredients.isEmpty && !recipe.steps.isEmpty, "\(recipe.title)")
    }
  }

  @Test func `Copy Me That is read whole`() throws {
    let fixture = try RecipeFixture("copymethat/mealie-recipes-mealie-copymethat.zip")
    try fixture.withUnpacked { folder in
      let data = try Data(contentsOf: folder.appendingPathComponent("recipes.html"))
      let read = try MarkupRecipes(CopyMeThatFormat.self, Array(data), isHTML: true, folder: folder)
      fixture.check(read)
      #expect(read.recipes[0].ingredients.count == 12)
      #expect(read.recipes[0].steps.count == 6)
      #expect(
        read.recipes[0].url == "https://www.spendwithpennies.com/classic-stuffed-shells-recipe/"
      )
      let chicken = read.recipes[1]
      #expect(chicken.rating == 4 && chicken.isFavorite == true && chicken.servings == 4)
      #expect(chicken.tags == ["chicken", "dinner", "instantpot", "slowcooker", "texmex"])
      #expect(chicken.notes?.split(separator: "\n").count == 3)
    }
  }

  @Test func `Recipe Keeper's fields are read`() throws {
    let fixture = try RecipeFixture("recipekeeper/reaper47-recipya-recipes.html")
    let bytes = Array(try Data(contentsOf: fixture.file))
    let read = try MarkupRecipes(RecipeKeeperFormat.self, bytes, isHTML: true)
    let cake = try #require(read.recipes.first)
    #expect(cake.nativeID == "a2489b23-050f-5c8a-8e5d-12fdb9fdeea3")
    #expect(cake.source == "Recipe Keeper" && cake.url == nil)
    #expect(cake.ingredients.count == 10 && cake.steps.count == 5)
    #expect(cake.steps[0].text.contains("325°F"))
    #expect(cake.cookTime == RecipeTime(text: "1 hour", minutes: 60))
    #expect(cake.yield == "Serves 6-8" && cake.rating == nil && cake.isFavorite == false)
    #expect(cake.categories == ["Cake", "Dessert"])
    #expect(cake.nutrition.contains(RecipeNutrient(name: "Calories", value: "571")))
    let orzo = read.recipes[1]
    #expect(orzo.rating == 3 && orzo.source == nil)
    #expect(orzo.url?.hasPrefix("https://www.allrecipes.com/") == true)
    #expect(orzo.categories == ["Chicken", "Vegan", "Vegetarian"])
  }

  @Test func `MacGourmet's times and nutrition are read`() throws {
    let fixture = try RecipeFixture("macgourmet/mera461-javaRecipes-Banana_Chocolate_Chip_Bread.mgourmet")
    let read = try MarkupRecipes(MacGourmetFormat.self, Array(try Data(contentsOf: fixture.file)))
    let bread = try #require(read.recipes.first)
    #expect(bread.prepTime?.minutes == 15)
    #expect(bread.totalTime == RecipeTime(text: "3 hours 15 minutes", minutes: 195))
    #expect(bread.ingredients[0].text == "2 sticks butter, at room temperature")
    #expect(bread.categories == ["Breads", "Breakfast", "Dessert"])
    #expect(bread.nutrition.first == RecipeNutrient(name: "Calories", value: "400 cals"))
    #expect(bread.servings == 20 && bread.difficulty == nil)
  }

  @Test func `MasterCook's fields are read`() throws {
    let fixture = try RecipeFixture("mx2/mera461-javaRecipes-Max-Min_MC_Field_Test.mx2")
    let read = try MarkupRecipes(MX2Format.self, Array(try Data(contentsOf: fixture.file)))
    let prawns = try #require(read.recipes.first)
    #expect(prawns.prepTime?.minutes == 10 && prawns.cookTime?.minutes == 25)
    #expect(prawns.totalTime?.minutes == 35 && prawns.yield == "8 appetizers" && prawns.servings == 8)
    #expect(prawns.ingredients[7].amount == 0.5)
    #expect(Set(prawns.extra.map(\.0)) == ["AltS", "CpyR", "RatS", "Wine", "SrvI"])
    #expect(read.recipes[1].servings == nil && read.recipes[1].prepTime == nil)
  }

  @Test(arguments: [
    ("<qty><frac><n>1</n><d>2</d></frac></qty>", "1/2 cups", 0.5, nil),
    ("<qty>2<frac><n>1</n><d>4</d></frac></qty>", "2 1/4 cups", 2.25, nil),
    ("<qty>2 <frac>3/4</frac></qty>", "2 3/4 cups", 2.75, nil), ("<qty>1 1/2</qty>", "1 1/2 cups", 1.5, nil),
    (
      "<qty><range><q1><frac><n>1</n><d>2</d></frac></q1><q2>1<frac><n>1</n><d>2</d></frac></q2></range></qty>",
      "1/2-1 1/2 cups", 0.5, 1.5
    ),
    ("<qty>3</qty><size>large</size>", "3 large cups", 3, nil),
  ])
  func `RecipeML's amounts have fractions and sizes`(_ amount: String, _ text: String, _ from: Double, _ to: Double?)
    throws
  {
    let xml = """
      <recipeml version="0.5"><recipe><head><title>Soup</title></head><ingredients><ing><amt>\(amount)<unit>cups</unit></amt>
      <item>milk</item></ing></ingredients><directions><step>Mix.</step></directions></recipe></recipeml>
      """
    let ingredient = try #require(MarkupRecipes(RecipeMLFormat.self, Array(xml.utf8)).recipes.first?.ingredients.first)
    #expect(ingredient.text == "\(text) milk")
    #expect(ingredient.amount == from && ingredient.amountTo == to && ingredient.unit == "cups")
  }

  @Test(arguments: samples) func `damaged files end in recipes, faults or an error`(_ sample: Sample) throws {
    let whole = Array(try Data(contentsOf: RecipeFixture(sample.file).file).prefix(100_000))
    let marks: [UInt8] = [0x3c, 0x3e, 0x22, 0x26, 0x2f, 0x00, 0xff, 0x3d, 0x5d, 0x23]
    var state: UInt64 = 1
    for round in 0..<12 {
      var bytes = whole
      for _ in 0..<(1 + round * 4) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let place = Int(state >> 33) % bytes.count
        if state & 0x10000 == 0 {
          bytes[place] = marks[Int(state >> 20) % marks.count]
        } else {
          bytes.remove(at: place)
        }
      }
      if round % 4 == 3 { bytes.removeLast(bytes.count / (round + 1)) }
      do {
        try MarkupRecipes.withFolders { texts, pictures in
          let context = RecipeContext(entry: "", pictures: pictures)
          let document = try MarkupDocument(spool: texts, isHTML: sample.isHTML, MarkupText.fill(bytes, step: 4099))
          try document.forEachRecord(isRecord: { sample.format.isRecord($0, path: $1) }) {
            element in
            do { _ = try sample.format.recipe(element, context) } catch is RecipeFault {}
          }
        }
      } catch is XMLError {}
    }
  }
}
