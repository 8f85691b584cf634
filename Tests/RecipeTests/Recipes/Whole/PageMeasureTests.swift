import TestSupport
import Testing

/// How much a recipe makes and how long it takes, as pages say it.
@Suite struct PageMeasureTests {
  private let page: LaidOutPage

  init() throws { page = try LaidOutPage() }

  private func read(_ head: String, heading: String = "Ingredients", in title: String = "Soup") throws {
    try page.read(
      "<h1>\(title)</h1>\(head)<h2>\(heading)</h2><ul><li>250 g oats</li><li>2 pears</li><li>1 l milk</li></ul>"
        + LaidOutPage.steps)
  }

  @Test(arguments: [
    ("Zutaten für 4 Portionen", "für 4 Portionen", "4.0"), ("Ingrédients pour 6 personnes", "pour 6 personnes", "6.0"),
    ("材料（4人分）", "4人分", "4.0"), ("Ingredienti per 4 persone", "per 4 persone", "4.0"),
    ("Ingredients (serves 3)", "serves 3", "3.0"), ("재료 (2인분)", "2인분", "2.0"), ("Ingredients", "", ""),
  ])
  func `the heading of the ingredients says for how many`(_ heading: String, _ yield: String, _ servings: String) throws
  {
    try read("", heading: heading)
    #expect(try page.field("coalesce(yield, '') || '/' || coalesce(servings, '')") == "\(yield)/\(servings)")
  }

  @Test(arguments: [
    ("Порций: 6", "6", "6.0"), ("Количество порций: 6", "6", "6.0"), ("На 4 порции", "На 4 порции", "4.0"),
    ("分量：4人分", "4人分", "4.0"), ("份量：2人份", "2人份", "2.0"), ("분량: 2인분", "2인분", "2.0"), ("عدد الحصص: 4", "4", "4.0"),
    ("Dosi per 4 persone", "Dosi per 4 persone", "4.0"), ("Ergibt 12 Stück", "Ergibt 12 Stück", ""),
    ("Yield:24 cookies 1x", "24 cookies", ""), ("Servings: 4", "4", "4.0"), ("Serves 4", "Serves 4", "4.0"),
  ])
  func `a label is not part of what it names`(_ line: String, _ yield: String, _ servings: String) throws {
    try read("<p>\(line)</p>")
    #expect(try page.field("coalesce(yield, '') || '/' || coalesce(servings, '')") == "\(yield)/\(servings)")
  }

  @Test(arguments: [
    ("Gesamtzeit: 1 Std. 10 Min.", "totalTime", "1 Std. 10 Min.", "70.0"),
    ("Общее время: 2 часа", "totalTime", "2 часа", "120.0"),
    ("Время подготовки: 20 минут", "prepTime", "20 минут", "20.0"), ("準備時間：10分", "prepTime", "10分", "10.0"),
    ("调理时间：30分钟", "cookTime", "30分钟", "30.0"), ("烹饪时间：30分钟", "cookTime", "30分钟", "30.0"),
    ("조리 시간: 20분", "cookTime", "20분", "20.0"), ("وقت الطهي: 30 دقيقة", "cookTime", "30 دقيقة", "30.0"),
    ("Prep Time: About 1 Hour", "prepTime", "About 1 Hour", "60.0"),
  ])
  func `times are as they were written`(_ line: String, _ column: String, _ text: String, _ minutes: String) throws {
    try read("<p>\(line)</p>")
    let number = column.replacing("Time", with: "Minutes")
    #expect(try page.field("coalesce(\(column), '') || '/' || coalesce(\(number), '')") == "\(text)/\(minutes)")
  }

  @Test func `the names of hRecipe say what a value is`() throws {
    try page.read(
      """
      <div class="hrecipe"><h1 class="fn">Cake</h1><span class="yield">8 slices</span> <span class="preptime">15 min</span>
      <span class="duration">90 min</span><ul><li class="ingredient">250 g oats</li><li class="ingredient">2 pears</li></ul>
      <div class="instructions">\(LaidOutPage.steps)</div></div>
      """)
    #expect(try page.field("yield || '/' || prepTime || '/' || totalTime") == "8 slices/15 min/90 min")
  }

  @Test(arguments: ["4人分", "4人前", "4 人份", "4인분", "4 человека", "4 порции"])
  func `structured data say servings in every language`(_ yield: String) throws {
    try page.shelf.write(
      #"{"@type":"Recipe","name":"Soup","recipeYield":"\#(yield)","recipeIngredient":["oats"],"recipeInstructions":"Boil."}"#,
      "a.json")
    try page.shelf.import("a.json")
    #expect(try page.field("yield || '/' || servings") == "\(yield)/4.0")
  }
}
