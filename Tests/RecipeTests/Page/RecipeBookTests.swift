import Decant
import Foundation
import TestSupport
import Testing

/// Pages and mails of decant's own recipe store, as a cook and other apps see them.
@Suite struct RecipeBookTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  /// A recipe that says what it says in more than one place, and what is nobody else's business.
  private func makeSoup() throws {
    try shelf.make(
      "in.json",
      """
      picture = "data:image/png;base64," + base64.b64encode(png).decode()
      soup = {"@type": "Recipe", "name": "Soup", "recipeYield": "4 bowls", "image": [picture], "creditText": "Aunt Ada",
        "url": "https://example.org/soup", "recipeCategory": ["Soups", "Winter"], "keywords": ["quick", "cheap"],
        "recipeIngredient": ["## For the broth", "2 peppers (optional), diced", "1 1/2 cups water", "## On top",
          "1 pound meatloaf mix or 1/3 pound each of ground beef chuck, ground veal and ground pork"],
        "recipeInstructions": [
          {"@type": "HowToSection", "name": "Broth", "itemListElement": [
            {"@type": "HowToStep", "text": "1. Wash it."}, {"@type": "HowToStep", "text": "2) Boil it."}]},
          {"@type": "HowToSection", "name": "Serve", "itemListElement": [{"@type": "HowToStep", "text": "Eat."}]}],
        "nutrition": {"@type": "NutritionInformation", "calories": "212 kcal", "sodiumContent": "3 g"},
        "notes": "Too salt for Bob.", "aggregateRating": {"ratingValue": 2, "ratingCount": 1}}
      json.dump(soup, open(place, "w"))
      """
    )
    try shelf.import("in.json")
    _ = try Program.sqlite3(
      shelf.path("kitchen.sqlite"), "UPDATE Ingredient SET isOptional = 1 WHERE text LIKE '2 peppers%'")
  }

  private func content(_ name: String) throws -> PageContent {
    let files = try SharedFiles()
    try FileManager.default.copyItem(atPath: shelf.path(name), toPath: files.page)
    return try files.readPage()
  }

  @Test func `a page says each thing once, in a cook's words`() throws {
    try makeSoup()
    try shelf.page("soup.html")
    let page = try content("soup.html")
    page.checkHarmless()
    let words = page.words
    for text in [
      "CategoriesSoups, Winter", "Tagsquick, cheap", "Yield4 bowls", "Calories — 212 kcal", "Sodium — 3 g",
    ] {
      #expect(words.contains(text), "\(text): \(words.prefix(400))")
    }
    // Of the line as it was written nothing is cut off or said again.
    #expect(words.contains("1 pound meatloaf mix or 1/3 pound each of ground beef chuck, ground veal and ground pork"))
    #expect(words.contains("2 peppers (optional), diced") && !words.contains("(optional) (optional)"))
    for text in ["sodiumContent", "Category recipes", "Servings", "1. Wash", "2) Boil", "Nutritions"] {
      #expect(!words.contains(text), "\(text)")
    }
    #expect(page.titles == ["Soup", "Ingredients", "For the broth", "On top", "Steps", "Broth", "Serve", "Nutrition"])
    // What a cook ticks off; nothing runs.
    #expect(page.tags.filter { $0 == "input" }.count == 3 && page.scripts.count == 2)
  }

  @Test func `notes and ratings stay at home, unless they are asked for`() throws {
    try makeSoup()
    for name in ["soup.html", "soup.eml"] {
      let report = try shelf.page(name)
      #expect(
        report.notes.commandLine.contains(
          "left out as private: notes of 1 recipe, rating of 1 recipe; --with-notes includes them"))
      let text = try String(contentsOfFile: shelf.path(name), encoding: .utf8)
      #expect(!text.contains("Bob"))
      try shelf.import(name, into: "\(name).sqlite")
      #expect(try shelf.value("SELECT count(notes) + count(rating) FROM Recipe", of: "\(name).sqlite") == "0")
      let all = try shelf.page("all-\(name)") { $0.keepsNotes = true }
      #expect(!all.notes.contains { $0.kind == .notesLeftOut })
      try shelf.import("all-\(name)", into: "all-\(name).sqlite")
      #expect(
        try shelf.value("SELECT notes || rating FROM Recipe", of: "all-\(name).sqlite") == "Too salt for Bob.2.0")
    }
    // The store itself has them still.
    #expect(try shelf.value("SELECT notes || rating FROM Recipe") == "Too salt for Bob.2.0")
  }

  @Test func `other apps get sections and the picture out of a page`() throws {
    try makeSoup()
    try shelf.page("soup.html")
    // As an app reads it that knows nothing of decant: the archive is gone.
    let text = try String(contentsOfFile: shelf.path("soup.html"), encoding: .utf8)
    let start = try #require(text.range(of: "<script type=\"application/vnd.decant\">"))
    try shelf.write(text[..<start.lowerBound] + "</body></html>", "plain.html")
    try shelf.import("plain.html", into: "back.sqlite")
    let (was, became) = (try shelf.content(), try shelf.content("back.sqlite"))
    #expect(became.pictures == was.pictures && was.pictures.count == 1)
    #expect(became.field("steps", of: "Soup") == ["# Broth", "Wash it.", "Boil it.", "# Serve", "Eat."])
  }

  @Test func `a book has a title, chapters by category, and its recipes by title`() throws {
    let recipes = [("Zander", "Fish"), ("apple pie", "Desserts"), ("Bread", ""), ("Ice", "Desserts")]
    let list = recipes.map { name, category in
      """
      {"@type": "Recipe", "name": "\(name)", "recipeIngredient": ["1 egg of \(name)"], "recipeInstructions": ["Mix."],
       "recipeCategory": "\(category)"}
      """
    }
    try shelf.write("[\(list.joined(separator: ","))]", "in.json")
    try shelf.import("in.json")
    try shelf.page("plain.html")
    let shown: (PageContent) -> [String] = { page in page.titles.filter { !["Ingredients", "Steps"].contains($0) } }
    #expect(try shown(content("plain.html")) == ["Recipes", "apple pie", "Bread", "Ice", "Zander"])
    try shelf.page("book.html") {
      $0.title = "Gran’s <best>"
      $0.hasChapters = true
    }
    let book = try content("book.html")
    book.checkHarmless()
    #expect(
      shown(book) == [
        "Gran’s <best>", "Desserts", "apple pie", "Ice", "Fish", "Zander", "Without category", "Bread",
      ]
    )
    // The contents lead to each chapter and recipe, in this order.
    #expect(book.links.count == 7 && book.words.contains("Desserts apple pie Ice Fish Zander Without category Bread"))
    try shelf.page("book.eml") { $0.hasChapters = true }
  }

  @Test func `what is said of pages is refused elsewhere`() throws {
    try makeSoup()
    for place in ["soup.decant", "soup.json"] {
      let error = #expect(throws: DecantError.self) {
        try shelf.page(place) { $0.hasChapters = true }
      }
      #expect(error?.what.commandLine.hasPrefix("--chapters is for pages and mails") == true)
    }
  }

  /// The database that a page carries for its import is packed; so a page is as large as its text and its pictures.
  @Test func `a page without pictures is small`() throws {
    let files = try SharedFiles.kitchen()
    let folder = files.folder.path("cards")
    let report = try ExportEach("Recipe", of: files.store, into: "\(folder)/*.html").run { _ in }
    #expect(report.archiveCount == 12)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let size = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.size] as? Int
      #expect(try #require(size) <= 40_000, "\(name)")
    }
  }
}

/// A book on paper.
@Suite(.enabled(if: Browser.isAvailable, "there is no chromium"), .serialized) struct PrintedBookTests {
  @Test func `each recipe of a book begins on a page of its own`() throws {
    let files = try SharedFiles.kitchen()
    var options = CopyOptions()
    options.roots = [CopyOptions.Filter(entity: "Recipe", expression: "1")]
    var export = Export(from: files.store, to: files.page, options: options)
    export.page.title = "Kitchen"
    try export.run()
    // A cover, the contents, and twelve recipes that fit on a page each.
    #expect(try Browser.pageCount(of: files) == 14)
  }

  @Test func `one recipe has neither cover nor contents`() throws {
    let files = try SharedFiles.kitchen()
    try files.writePage(SharedScope(objects: [SharedObject("Recipe", 2)]))
    #expect(try Browser.pageCount(of: files) == 1)
  }
}
