import Decant
import Foundation
import TestSupport
import Testing

/// Where the address of a page is read from, and what it is good for.
@Suite struct SourceAddressTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  private static let canonical = #"<link rel="canonical" href="https://a.example/cake/">"#
  private static let shared = #"<meta property="og:url" content="https://b.example/cake">"#

  private static func data(_ more: String = "", salt: String = "14 g salt") -> String {
    #"<script type="application/ld+json">{"@context":"https://schema.org","@type":"Recipe","name":"Cake","#
      + #""recipeIngredient":["1 cup flour","2 cups milk","3 eggs","\#(salt)"],"#
      + #""recipeInstructions":["Mix it.","Bake it."]\#(more)}</script>"#
  }

  private static func page(_ head: String, before: String = "", body: String = "<h1>Cake</h1>") -> String {
    "<!doctype html>\(before)<html><head><meta charset=\"utf-8\"><title>Cake</title>\(head)</head><body>\(body)</body></html>"
  }

  private static let layout =
    "<h1>Cake</h1><h2>Ingredients</h2><ul><li>1 cup flour</li><li>3 eggs</li></ul><h2>Method</h2><ol><li>Mix it.</li></ol>"
  private static let microdata =
    #"<div itemscope itemtype="https://schema.org/Recipe"><h1 itemprop="name">Cake</h1><p itemprop="recipeIngredient">3 "#
    + #"eggs</p><p itemprop="recipeInstructions">Mix.</p></div>"#

  /// A page, and the address of its recipe; empty for none.
  private static let cases: [(page: String, url: String)] = [
    (page(canonical + shared + data()), "https://a.example/cake/"),
    (page(data() + canonical), "https://a.example/cake/"),
    (page(shared + data() + canonical), "https://a.example/cake/"),
    (page(shared + data()), "https://b.example/cake"), (page(data() + shared), "https://b.example/cake"),
    (page(#"<LINK HREF="https://a.example/cake/" REL="Shortlink Canonical">"# + data()), "https://a.example/cake/"),
    (page(shared + #"<link rel="canonical" href="/pie">"# + data()), "https://b.example/pie"),
    // The address of a site, of a file, or of nothing.
    (page(#"<link rel="canonical" href="https://a.example/">"# + shared + data()), "https://b.example/cake"),
    (page(#"<link rel="canonical" href="file:///tmp/cake.html">"# + data()), ""),
    (page(#"<link rel="canonical" href="">"# + data()), ""), (page(data()), ""),
    (page(#"<link rel="canonical" href="javascript:void(0)">"# + data()), ""),
    // The data of the recipe have precedence.
    (page(canonical + data(#","url":"https://c.example/x""#)), "https://c.example/x"),
    (page(canonical + data(#","mainEntityOfPage":{"@id":"https://c.example/y"}"#)), "https://c.example/y"),
    (page(canonical + data(#","@id":"https://c.example/z#recipe""#)), "https://c.example/z#recipe"),
    // Other forms of recipes.
    (page(canonical, body: layout), "https://a.example/cake/"),
    (page(canonical, body: microdata), "https://a.example/cake/"),
    // What programs that save pages write; the page's own address has precedence.
    (page(data(), before: "\n<!-- saved from url=(0022)https://s.example/soup -->\n"), "https://s.example/soup"),
    (
      page(canonical + data(), before: "\n<!-- saved from url=(0022)https://s.example/soup -->"),
      "https://a.example/cake/"
    ),
    (page(data(), before: "<!-- saved from url=(0014)about:internet -->"), ""),
    (
      page(
        data(), before: "<!--\n Page saved with SingleFile \n url: https://s.example/soup?a=b \n saved date: Tue\n-->"),
      "https://s.example/soup?a=b"
    ),
    (
      page(data(), before: "<!-- Saved from https://s.example/soup at 2026-01-02T03:04:05Z using monolith v2.8.1 -->"),
      "https://s.example/soup"
    ),
    (page(data(), body: "<p>saved from url=(0022)https://s.example/soup</p>"), ""),
  ]

  @Test(arguments: Self.cases)
  func `the address of a recipe is that of its data, else of its page, else of the saved file`(
    _ page: String, _ url: String
  ) throws {
    try shelf.write(page, "page.html")
    try shelf.import("page.html")
    #expect(try shelf.value("SELECT count(*), coalesce(url, '') FROM Recipe") == "1|\(url)")
  }

  @Test(arguments: [
    ("a.mhtml", ""), ("b.mhtml", "Content-Location: https://s.example/soup\r\n"),
    ("c.mhtml", "Content-Location: cid:frame@mhtml.blink\r\n"), ("d.webarchive", ""), ("e.webarchive", Self.canonical),
  ])
  func `a page saved in one file has the address that the file holds`(_ name: String, _ more: String) throws {
    let (head, location) = name.hasSuffix("mhtml") ? ("", more) : (more, "")
    let text = Self.page(head + Self.data())
    if name.hasSuffix("mhtml") {
      try shelf.write(
        "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://s.example/soup\r\nSubject: Soup\r\n"
          + "MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\tboundary=\"----B\"\r\n\r\n"
          + "\r\n------B\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: binary\r\n\(location)\r\n\(text)"
          + "\r\n------B--\r\n", name)
    } else {
      try shelf.make(
        name,
        """
        import plistlib
        page = base64.b64decode("\(Self.base64(text))")
        plistlib.dump({"WebMainResource": {"WebResourceData": page, "WebResourceMIMEType": "text/html",
            "WebResourceURL": "https://s.example/soup", "WebResourceTextEncodingName": "UTF-8"}}, open(place, "wb"))
        """)
    }
    try shelf.import(name)
    let url = head.isEmpty ? "https://s.example/soup" : "https://a.example/cake/"
    #expect(try shelf.value("SELECT count(*), url FROM Recipe") == "1|\(url)")
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  @Test(arguments: ["\(Self.canonical)%", "%\(Self.canonical)", "%\(Self.shared)"])
  func `a corrected page that is saved under another name is a correction`(_ head: String) throws {
    func write(_ salt: String, _ name: String) throws {
      let data = Self.data(salt: salt)
      try shelf.write(Self.page(head.replacing("%", with: data)), name)
      try shelf.import(name)
    }
    try write("14 g salt", "Cake.html")
    try write("4 g salt", "Cake (1).html")
    #expect(
      try shelf.value(
        "SELECT count(*), (SELECT group_concat(text) FROM Ingredient WHERE text LIKE '%salt') FROM Recipe")
        == "1|4 g salt")
  }
}
