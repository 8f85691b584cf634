import Decant
import TestSupport
import Testing

/// The title of a page without `<title>` and `<h1>`.
@Suite struct TitleTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  private static let lists =
    #"<h2 class="c4" id="h.1"><span class="c7">Ingredients</span></h2><ul class="c9 lst-kix_1-0 start"><li class="c0"><span>3 "#
    + "cups&nbsp;flour</span></li><li><span>1 cup sour</span><span>&nbsp;cream</span></li></ul><h2><span>Directions</span></h2>"
    + "<ol><li><span>Mix dough.</span></li><li><span>Roll out and cut circles.</span></li></ol>"

  /// As Google Docs writes a document for the web.
  private static func page(_ title: String) -> String {
    "<html><head><meta content=\"text/html; charset=UTF-8\" http-equiv=\"content-type\"></head>"
      + "<body class=\"c5 doc-content\">\(title)\(lists)</body></html>"
  }

  @Test(arguments: [
    (
      #"<p class="c3 title" id="h.abc"><span class="c8">Grandma&#39;s Pierogi</span></p><p>Serves 6</p>"#, "a.html",
      "Grandma's Pierogi"
    ),
    (#"<p class="c3 subtitle"><span>For guests</span></p>"#, "Pierogi.html", "Pierogi"),
    ("", "Pierogi ruskie (2).html", "Pierogi ruskie"), ("", "files/Ma's pierogi.1.htm", "Ma's pierogi.1"),
    (#"<p class="title">Pierogi</p><h1>Grandma's</h1>"#, "a.html", "Grandma's"),
  ])
  func `a title is the element of that class, else the name of the file`(
    _ title: String, _ name: String, _ expected: String
  ) throws {
    try shelf.write(Self.page(title), name)
    let report = try shelf.import(name)
    #expect(try shelf.value("SELECT title FROM Recipe") == expected)
    #expect(report.notes.commandLine.contains { $0.contains("high confidence") })
    let isNamed = report.notes.commandLine.contains { $0.contains("has the name of the file") }
    #expect(isNamed == !(title.contains(" title\"") || title.contains("\"title\"")), "\(report.notes)")
  }

  @Test(arguments: ["index.html", "2.html", "page (1).html"])
  func `a page is refused for want of a title`(_ name: String) throws {
    try shelf.write(Self.page(""), name)
    let error = #expect(throws: DecantError.self) { try shelf.import(name) }
    #expect("\(try #require(error))".contains("no title"), "\(String(describing: error))")
  }
}
