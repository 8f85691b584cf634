import TestSupport
import Testing

/// Properties of microdata that hold each other, or are named twice.
@Suite struct MicrodataLinesTests {
  private let page: LaidOutPage

  init() throws { page = try LaidOutPage() }

  private static let rows = ["250 g oats", "2 pears", "1 l milk"]

  private static func list(_ name: String, around: String = "") -> String {
    "<ul \(around)>" + rows.map { "<li itemprop=\"\(name)\">\($0)</li>" }.joined() + "</ul>"
  }

  private func read(_ body: String) throws -> [String] {
    try page.read(
      """
      <div itemscope itemtype="https://schema.org/Recipe"><h1 itemprop="name">Porridge</h1>\(body)</div>
      """)
    return [try page.lines("Ingredient"), try page.lines("Step")]
  }

  @Test(arguments: [
    list("recipeIngredient", around: "itemprop=\"ingredients\""),
    list("recipeIngredient", around: "itemprop=\"recipeIngredient\""), list("recipeIngredient ingredients"),
    "<div itemprop=recipeIngredient>\(list("ingredients", around: "itemprop=\"recipeIngredient\""))</div>",
  ])
  func `each ingredient is there once`(_ list: String) throws {
    let read = try read(list + "<p itemprop=\"recipeInstructions\">Boil it.</p>")
    #expect(read == ["250 g oats|2 pears|1 l milk", "Boil it."])
  }

  @Test func `what stands only in the outer property is there too`() throws {
    let read = try read(
      "<ul itemprop=ingredients><li>Salt</li><li itemprop=recipeIngredient>2 pears</li><li>1 l milk</li></ul>"
        + "<div itemprop=recipeInstructions><p>Peel the pears.</p><p itemprop=recipeInstructions>Boil them.</p></div>")
    #expect(read == ["Salt|2 pears|1 l milk", "Peel the pears.|Boil them."])
  }

  @Test func `each step is there once`() throws {
    let steps = ["Peel the pears.", "Boil them."].map { "<li itemprop=recipeInstructions>\($0)</li>" }.joined()
    let read = try read(Self.list("recipeIngredient") + "<div itemprop=recipeInstructions><ol>\(steps)</ol></div>")
    #expect(read[1] == "Peel the pears.|Boil them.")
  }
}
