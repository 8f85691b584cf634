import Decant
import Foundation
import TestSupport
import Testing

/// What lies among recipes in a folder of downloads, and what is only nearly a recipe.
@Suite struct RecipeOrdinaryFileTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  /// It is imported, since nothing else may have it; the remark lets the cook delete it.
  @Test(arguments: ["True", "False"]) func `a recipe in Paprika's trash has a remark`(_ isInTrash: String) throws {
    try shelf.make("a.paprikarecipe", "paprika(recipe('Bread', in_trash=\(isInTrash)))")
    let report = try shelf.import("a.paprikarecipe")
    #expect(try shelf.content().titles == ["Bread"])
    let isRemark = report.remarks.contains { $0.reason.contains("trash") }
    let isNote = report.notes.contains { $0.message.contains("trash") }
    #expect(isRemark == (isInTrash == "True") && isNote == isRemark, "\(report.notes)")
  }

  @Test func `ordinary files are passed over, and stop nothing`() throws {
    let plist = #"<?xml version="1.0"?><!DOCTYPE plist><plist version="1.0"><dict><key>URL</key>"#
    let files = [
      "site.webloc": plist + "<string>https://a.b/</string></dict></plist>",
      "letter.rtf": #"{\rtf1\ansi Dear {\b all}}"#, "page.tmpl": "{{template}}",
      "css.txt": "{ color: red }", "broken.json": #"{"compilerOptions": {"strict": tru"#,
      "comment.json": "{ /* a */ // b\n \"a\": {1} }",
    ]
    for (name, text) in files { try shelf.write(text, "in/\(name)") }
    try shelf.write(
      #"{"id":"m","title":"A","ingredients":"x","instructions":"y"}"#,
      "in/a.melarecipe"
    )
    let report = try shelf.import("in")
    #expect(report.unread == [])
    #expect(try shelf.content().titles == ["A"])
    #expect(report.passedOver.compactMap(\.entry).sorted() == files.keys.sorted(), "\(report.passedOver)")
  }

  @Test func `what was to be a recipe is rejected`() throws {
    try shelf.write(
      #"{ // one"# + "\n" + #""title": "A", "ingredients": "x", "instructions": tru"#,
      "in/a.json"
    )
    try shelf.write("{broken", "in/b.crumb")
    try shelf.write(#"{"name":"#, "in/c/recipe.json")
    try shelf.write(
      "{\n/* c */ \"id\":\"m\",\"title\":\"A\",\"ingredients\":\"x\",\"instructions\":\"y\"}",
      "in/d.txt"
    )
    let report = try shelf.import("in")
    #expect(
      report.unread.map(\.entry).sorted { $0 ?? "" < $1 ?? "" } == [
        "a.json", "b.crumb", "c/recipe.json",
      ]
    )
    #expect(try shelf.content().titles == ["A"])
  }

  @Test func `a property list without a NAME may be a recipe`() throws {
    try shelf.write(
      #"<plist version="1.0"><array><dict><key>DIRECTIONS</key><string>Mix.</string></dict></array></plist>"#,
      "soup.mgourmet"
    )
    #expect(try shelf.import("soup.mgourmet").unread == [])
    #expect(try shelf.content().titles == ["Untitled (soup)"])
  }

  @Test func `recipes in arrays in arrays come`() throws {
    try shelf.write(#"[[{"@type":"Recipe","name":"A","recipeIngredient":["x"]}]]"#, "a.json")
    try shelf.import("a.json")
    #expect(try shelf.content().titles == ["A"])
  }

  @Test func `a recipe without a title is the same under another name`() throws {
    let text = #"{"title":"","ingredients":"1 cup x","instructions":"y"}"#
    try shelf.write(text, "one.melarecipe")
    try shelf.write(text, "two.melarecipe")
    try shelf.import("one.melarecipe")
    let report = try shelf.import("two.melarecipe")
    #expect(report["Recipe"]?.skipped == 1)
    #expect(try shelf.content().titles == ["Untitled (one)"])
    try shelf.export(to: "mela:again.melarecipes")
    try shelf.import("again.melarecipes", into: "again.sqlite")
    #expect(try shelf.content("again.sqlite").titles.allSatisfy { $0.hasPrefix("Untitled") })
  }

  @Test func `pictures of steps come, and the votes of others are not the owner's`() throws {
    try shelf.make("s.png", "open(place, 'wb').write(png)")
    let page = """
      <html><body><div itemscope itemtype="https://schema.org/Recipe"><h1 itemprop="name">A</h1>
      <span itemprop="recipeIngredient">2 cups flour</span>
      <div itemprop="recipeInstructions" itemscope itemtype="http://schema.org/HowToStep">
      <span itemprop="text">S1</span></div>
      <div itemprop="recipeInstructions" itemscope itemtype="http://schema.org/HowToStep">
      <span itemprop="text">S2</span><img itemprop="image" src="s.png"></div>
      <div itemprop="recipeInstructions" itemscope itemtype="http://schema.org/HowToStep">
      <span itemprop="text">S3</span><img itemprop="image" src="https://a.b/c.png"></div>
      <div itemprop="aggregateRating" itemscope><span itemprop="ratingValue">4.5</span>
      <span itemprop="ratingCount">12</span></div></div></body></html>
      """
    try shelf.write(page, "a.html")
    try shelf.import("a.html")
    let content = try shelf.content()
    #expect(content.pictures.count == 1)
    #expect(content.recipes[0]["rating"] == "null")
    #expect(content.recipes[0]["extra"]?.contains("ratingCount") == true)
    #expect("\(content.recipes)".contains("https://a.b/c.png"))
  }

  /// A recipe with an owner's rating goes out and comes back; of a site's votes none becomes the owner's.
  @Test func `an owner's rating survives schema.org`() throws {
    try shelf.make("a.paprikarecipe", "open(place, 'wb').write(packed(recipe('A', rating=4)))")
    try shelf.import("a.paprikarecipe")
    try shelf.export(to: "schema:b.json")
    try shelf.import("b.json", into: "b.sqlite")
    #expect(try shelf.content("b.sqlite").recipes[0]["rating"] == "4.0")
    #expect(try shelf.content().recipes[0]["rating"] == "4.0")
    try shelf.write(
      #"{"@type":"Recipe","name":"V","recipeIngredient":["x"],"aggregateRating":{"ratingValue":4.9,"ratingCount":300}}"#,
      "v.json"
    )
    try shelf.import("v.json", into: "v.sqlite")
    #expect(try shelf.content("v.sqlite").recipes[0]["rating"] == "null")
    #expect(try shelf.content("v.sqlite").recipes[0]["extra"]?.contains("300") == true)
  }
}
