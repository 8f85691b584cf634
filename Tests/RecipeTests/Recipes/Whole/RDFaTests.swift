import Decant
import Foundation
import TestSupport
import Testing

/// Pages whose recipe is in RDFa, or in the older vocabulary of data-vocabulary.org.
@Suite struct RDFaTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  private static let pages = [
    "RDFa Lite": #"""
    <div vocab="https://schema.org/" typeof="Recipe"><h1 property="name">Soup</h1>
    <span property="author" typeof="Person"><b property="name">Ann</b></span><img property="image" src="soup.png">
    <meta property="og:title" content="No soup"><time property="cookTime" datetime="PT20M">20 min</time>
    <p property="recipeYield">4 bowls</p><ul><li property="recipeIngredient">1 l water</li>
    <li property="recipeIngredient">2 g salt</li></ul>
    <ol property="recipeInstructions"><li>Boil.</li><li>Serve.</li></ol></div>
    """#,
    "prefixes": #"""
    <body prefix="schema: https://schema.org/"><article typeof="schema:Recipe"><h1 property="schema:name">Soup</h1>
    <meta property="schema:author" content="Ann"><link property="schema:image" href="soup.png">
    <meta property="schema:cookTime" content="PT20M"><p property="schema:recipeYield">4 bowls</p>
    <p property="schema:recipeIngredient">1 l water</p><p property="schema:recipeIngredient">2 g salt</p>
    <div property="schema:recipeInstructions"><p>Boil.</p><p>Serve.</p></div></article></body>
    """#,
    "data-vocabulary.org in RDFa": #"""
    <div xmlns:v="http://rdf.data-vocabulary.org/#" typeof="v:Recipe"><h1 property="v:name">Soup</h1>
    <span property="v:author">Ann</span><span rel="v:photo"><img src="soup.png"></span>
    <span property="v:cookTime" content="PT20M">20 min</span><p property="v:yield">4 bowls</p>
    <ul><li rel="v:ingredient"><span typeof="v:Ingredient"><span property="v:amount">1 l</span>
    <span property="v:name">water</span></span></li><li rel="v:ingredient"><span typeof="v:Ingredient">
    <span property="v:amount">2 g</span> <span property="v:name">salt</span></span></li></ul>
    <div rel="v:instructions"><p>Boil.</p><p>Serve.</p></div></div>
    """#,
    "data-vocabulary.org in microdata": #"""
    <div itemscope itemtype="http://data-vocabulary.org/Recipe"><h1 itemprop="name">Soup</h1>
    <span itemprop="author">Ann</span><img itemprop="photo" src="soup.png">
    <time itemprop="cookTime" datetime="PT20M">20 min</time><p itemprop="yield">4 bowls</p>
    <ul><li itemprop="ingredient" itemscope itemtype="http://data-vocabulary.org/RecipeIngredient">
    <span itemprop="amount">1 l</span> <span itemprop="name">water</span></li>
    <li itemprop="ingredient" itemscope itemtype="http://data-vocabulary.org/RecipeIngredient">
    <span itemprop="amount">2 g</span> <span itemprop="name">salt</span></li></ul>
    <div itemprop="instructions"><p>Boil.</p><p>Serve.</p></div></div>
    """#,
  ]

  /// The recipe of the page, and its lines.
  private func read(_ page: String) throws -> [String] {
    try shelf.write(page, "Page.html")
    try shelf.make("soup.png", "open(place, 'wb').write(png)")
    let report = try shelf.import("Page.html") { $0.onlyStructured = true }
    #expect(report.entities.first { $0.name == "Recipe" }?.copied == 1)
    return try [
      "title || ', ' || author || ', ' || yield || ', ' || cookMinutes FROM Recipe",
      "group_concat(text, '; ') FROM (SELECT text FROM Ingredient ORDER BY recipe_position)",
      "group_concat(text, '; ') FROM (SELECT text FROM Step ORDER BY recipe_position)",
      "count(*) FROM Image",
    ].map { try shelf.value("SELECT \($0)") }
  }

  private static let soup = ["Soup, Ann, 4 bowls, 20.0", "1 l water; 2 g salt", "Boil.; Serve.", "1"]

  @Test(arguments: pages.keys.sorted())
  func `a recipe in other terms than those of schema.org's microdata is read alike`(_ name: String) throws {
    let read = try read("<html>\(try #require(Self.pages[name]))</html>")
    #expect(read == Self.soup, "\(name)")
  }

  @Test func `a recipe in JSON-LD and in RDFa is one`() throws {
    let script =
      #"<script type="application/ld+json">{"@type":"Recipe","name":"Soup","recipeIngredient":["1 l water","2 g salt"],"#
      + #""recipeInstructions":["Boil.","Serve."]}</script>"#
    let read = try read("<html>\(script)\(try #require(Self.pages["RDFa Lite"]))</html>")
    #expect(read == Self.soup)
  }
}
