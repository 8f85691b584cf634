import TestSupport
import Testing

/// Posts of blogs, whose site has a heading of its own.
@Suite struct BlogPostTests {
  private let page: LaidOutPage

  init() throws { page = try LaidOutPage() }

  private static let body =
    "<b>Ingredients</b><br>250 g oats<br>2 pears<br>1 l milk<br><br><b>Method</b><br>"
    + "Stir the oats into the milk until no lump is left.<br>Let it boil for a quarter of an hour."

  @Test(arguments: [
    ("The Larder: Pear Porridge", "<h3>Pear Porridge</h3>"), ("Pear Porridge - The Larder", "<h2>Pear Porridge</h2>"),
    ("The Larder", "<h3 class=\"post-title entry-title\">Pear Porridge</h3>"),
    ("The Larder", "<h3 itemprop=\"headline\">Pear Porridge</h3>"),
  ])
  func `the title is that of the post`(_ title: String, _ heading: String) throws {
    try page.read(
      """
      <div class="titlewrapper"><h1><a href="/">The Larder</a></h1></div><div class="post hentry">\(heading)
      <div class="post-body">\(Self.body)</div><div class="post-footer"><div>Posted by Ada at 10:00</div></div></div>
      """, head: "<title>\(title)</title>")
    #expect(try page.field("title") == "Pear Porridge")
    #expect(
      try page.lines("Step")
        == "Stir the oats into the milk until no lump is left.|Let it boil for a quarter of an hour.")
  }

  @Test func `a heading of the page above one of a part stays its title`() throws {
    try page.read(
      "<h1>Pear Porridge</h1><h2>Why we like it</h2><p>It is warm.</p>\(Self.body)",
      head: "<title>Pear Porridge | The Larder</title>")
    #expect(try page.field("title") == "Pear Porridge")
  }
}
