import TestSupport
import Testing

/// Rows of a page that are hidden.
@Suite struct HiddenRowTests {
  private let page: LaidOutPage

  init() throws { page = try LaidOutPage() }

  @Test func `what is hidden among rows that are shown is no ingredient`() throws {
    let rows = "<li>250 g oats</li><li>2 pears</li><li>1 l milk</li>"
    let hidden = #"<li hidden>9 kg sand</li><li style="color: red; display: none">7 kg clay</li>"#
    #expect(
      try page.ingredients("<h1>Porridge</h1><h3>Ingredients</h3><ul>\(rows)\(hidden)</ul>\(LaidOutPage.steps)")
        == "250 g oats|2 pears|1 l milk")
  }

  @Test func `a recipe that is hidden as a whole until a script shows it is read`() throws {
    let rows = "<li>250 g oats</li><li>2 pears</li><li>1 l milk</li>"
    #expect(
      try page.ingredients(
        #"<div style="display:none"><h1>Porridge</h1><h3>Ingredients</h3><ul>\#(rows)</ul>\#(LaidOutPage.steps)</div>"#)
        == "250 g oats|2 pears|1 l milk")
  }
}
