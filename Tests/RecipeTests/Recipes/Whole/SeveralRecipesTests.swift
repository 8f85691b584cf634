import Decant
import TestSupport
import Testing

/// Pages and texts with several recipes that no structured data tell apart.
@Suite struct SeveralRecipesTests {
  private let page: LaidOutPage

  init() throws { page = try LaidOutPage() }

  private static func recipe(_ title: String, _ rows: [String], level: Int = 2, method: String = "Method") -> String {
    "<h\(level)>\(title)</h\(level)><h\(level + 1)>Ingredients</h\(level + 1)><ul>"
      + rows.map { "<li>\($0)</li>" }.joined()
      + "</ul><h\(level + 1)>\(method)</h\(level + 1)><ol><li>Mix all that belongs into the \(title) in a large bowl.</li>"
      + "<li>Bake the \(title) until it is brown.</li></ol>"
  }

  private static let loaf = recipe("Nut Loaf", ["250 g rye", "100 g nuts", "3 g salt"])
  private static let tart = recipe("Plum Tart", ["300 g wheat", "500 g plums", "2 eggs", "90 g butter"])

  @Test func `each has the title, the ingredients and the steps under its own heading`() throws {
    let report = try page.read("<h1>Sunday bakes</h1>\(Self.loaf)\(Self.tart)<h2>Comments</h2><p>Good!</p>")
    #expect(try page.field("group_concat(title, '|')") == "Nut Loaf|Plum Tart")
    #expect(try page.lines("Ingredient", of: "Nut Loaf") == "250 g rye|100 g nuts|3 g salt")
    #expect(try page.lines("Ingredient", of: "Plum Tart") == "300 g wheat|500 g plums|2 eggs|90 g butter")
    #expect(
      try page.lines("Step", of: "Plum Tart")
        == "Mix all that belongs into the Plum Tart in a large bowl.|Bake the Plum Tart until it is brown.")
    #expect(report.notes.commandLine.contains { $0.contains("2 recipes") }, "\(report.notes)")
  }

  @Test func `parts of one recipe are no recipes`() throws {
    let parts = ["For the crust", "For the filling"].map { Self.recipe($0, ["250 g rye", "100 g \($0.suffix(5))"]) }
    try page.read("<h1>Pie</h1>\(parts.joined())")
    #expect(try page.field("group_concat(title, '|')") == "Pie")
  }

  @Test func `where nothing tells them apart it is said, and not sure`() throws {
    let list = "<h2>Ingredients</h2><ul><li>250 g rye</li><li>100 g nuts</li></ul>\(LaidOutPage.steps)"
    let other = "<h2>Ingredients</h2><ul><li>300 g wheat</li><li>5 plums</li></ul>\(LaidOutPage.steps)"
    let report = try page.read("<h1>Bakes</h1>\(list)\(other)")
    #expect(report.notes.commandLine.contains { $0.contains("several lists of ingredients") }, "\(report.notes)")
    #expect(report.remarks.allSatisfy { $0.confidence != "high" }, "\(report.remarks)")
  }
}
