import Decant
import Foundation
import TestSupport
import Testing

/// Pages, mails and archives that decant has written of recipes are recipe files like others, and say all of a recipe.
@Suite struct RecipeSharingTests {
  private let shelf: RecipeShelf

  init() throws {
    shelf = try RecipeShelf()
    try shelf.make(
      "all.paprikarecipes",
      """
      library([("1", packed(recipe("Bread", source_url="https://example.org/bread", notes="Nice", rating=4,
          categories=["Sweet"], photo="p.png", photo_data=base64.b64encode(png).decode(), nutritional_info="200 kcal"))),
        ("2", packed(recipe("Soup")))])
      """
    )
    try shelf.import("all.paprikarecipes", into: "sender.sqlite")
  }

  private func share(
    _ name: String,
    from store: String = "sender.sqlite",
    title: String = "Bread",
    keepsNotes: Bool = true
  ) throws {
    var export = Export(from: shelf.path(store), to: shelf.path(name))
    export.selection.roots = [EntityCondition(entity: "Recipe", expression: "title = '\(title)'")]
    // What a page does not take along cannot arrive.
    export.page.keepsNotes = keepsNotes && !name.contains(".decant")
    try export.run()
  }

  private func recipe(_ title: String, in store: String) throws -> [String: String] {
    try #require(try shelf.content(store).recipes.first { RecipeContent.texts($0["title"]) == [title] })
  }

  @Test(arguments: ["html", "eml", "decant", "decant.gz"], ["alone", "in a folder", "in a zip"])
  func `all of a recipe arrives`(_ form: String, _ place: String) throws {
    try FileManager.default.createDirectory(atPath: shelf.path("box"), withIntermediateDirectories: true)
    try share("box/Bread.\(form)")
    if place == "in a zip" {
      try shelf.make(
        "box.zip",
        """
        import os
        folder = os.path.dirname(place) + "/box"
        library([(name, open(folder + "/" + name, "rb").read()) for name in os.listdir(folder)] + [("x.txt", b"hello")])
        """
      )
    }
    let source = place == "alone" ? "box/Bread.\(form)" : place == "in a zip" ? "box.zip" : "box"
    try shelf.import(source, into: "friend.sqlite")
    let (mine, theirs) = (try recipe("Bread", in: "sender.sqlite"), try recipe("Bread", in: "friend.sqlite"))
    #expect(mine == theirs)
    #expect(try shelf.content("friend.sqlite").titles == ["Bread"])
    let uuid = "SELECT uuid FROM Recipe WHERE title = 'Bread'"
    #expect(try shelf.value(uuid, of: "sender.sqlite") == shelf.value(uuid, of: "friend.sqlite"))
    #expect(try shelf.value("SELECT count(*) FROM NativeID", of: "friend.sqlite") == "1")
    // Nothing of the other recipes is in it.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: shelf.path("box/Bread.\(form)")))
    #expect(bytes.range(of: Data("eggs of Soup".utf8)) == nil)
  }

  /// Whatever comes first: the page of a recipe and the same recipe of an app, known by its address or by what it holds.
  @Test(arguments: [["page", "app"], ["app", "page"], ["all"]], ["https://example.org/bread/?utm_source=x", ""])
  func `a shared page is the recipe of another app`(_ order: [String], _ link: String) throws {
    try share("Bread.html")
    try shelf.make(
      "other.melarecipe",
      """
      json.dump({"id": "mela-1", "title": "BREAD", "link": "\(link)", "ingredients": "1 cup flour\\n2 eggs of Bread",
          "instructions": "Mix.\\nBake Bread."}, open(place, "w"))
      """
    )
    let files = ["page": ["Bread.html"], "app": ["other.melarecipe"], "all": ["other.melarecipe", "Bread.html"]]
    for name in order + order { try shelf.import(try #require(files[name]), into: "friend.sqlite") }
    #expect(try shelf.value("SELECT count(*) FROM Recipe", of: "friend.sqlite") == "1")
    #expect(try shelf.value("SELECT count(*) FROM Ingredient", of: "friend.sqlite") == "2")
  }

  @Test func `it comes back with the changes of both sides`() throws {
    try share("Bread.html")
    try shelf.import("Bread.html", into: "friend.sqlite")
    _ = try shelf.value("UPDATE Recipe SET rating = 2, servings = 12", of: "friend.sqlite")
    _ = try shelf.value("UPDATE Ingredient SET text = '2 cups flour' WHERE text = '1 cup flour'", of: "friend.sqlite")
    _ = try shelf.value("UPDATE Recipe SET notes = 'My own' WHERE title = 'Bread'", of: "sender.sqlite")
    try share("Back.html", from: "friend.sqlite")
    for _ in 1...2 {
      try shelf.import("Back.html", into: "sender.sqlite")
      let bread = "FROM Recipe WHERE title = 'Bread'"
      #expect(try shelf.value("SELECT notes || rating || servings \(bread)", of: "sender.sqlite") == "My own2.012.0")
      #expect(
        try shelf.value(
          "SELECT group_concat(text, '|') FROM Ingredient WHERE recipe_id = (SELECT id \(bread))", of: "sender.sqlite"
        ) == "2 cups flour|2 eggs of Bread")
    }
    // The app's file, which is as it was, takes nothing of that back.
    try shelf.import("all.paprikarecipes", into: "sender.sqlite")
    #expect(try shelf.value("SELECT rating FROM Recipe WHERE title = 'Bread'", of: "sender.sqlite") == "2.0")
  }

  /// Notes and ratings stay at home: a page without them, sent back, takes none away.
  @Test func `a page without private notes empties none`() throws {
    _ = try shelf.value("UPDATE Recipe SET notes = 'My own', rating = 4 WHERE title = 'Bread'", of: "sender.sqlite")
    try share("Bread.html", keepsNotes: false)
    try shelf.import("Bread.html", into: "friend.sqlite")
    _ = try shelf.value("UPDATE Ingredient SET text = '2 cups flour' WHERE text = '1 cup flour'", of: "friend.sqlite")
    try share("Back.html", from: "friend.sqlite", keepsNotes: false)
    for _ in 1...2 {
      try shelf.import("Bread.html", "Back.html", into: "sender.sqlite")
      let bread = "FROM Recipe WHERE title = 'Bread'"
      #expect(try shelf.value("SELECT notes || rating \(bread)", of: "sender.sqlite") == "My own4.0")
      #expect(
        try shelf.value(
          "SELECT group_concat(text, '|') FROM Ingredient WHERE recipe_id = (SELECT id \(bread))", of: "sender.sqlite"
        ) == "2 cups flour|2 eggs of Bread")
    }
  }

  // MARK: Nearly the same

  /// One recipe as two apps have it, without ID or address in common, and with other amounts.
  private func makeTwo() throws {
    for (name, amount, more) in [
      ("a", 2, #", "notes": "First""#), ("b", 3, #", "notes": "Second", "categories": ["Late"]"#),
    ] {
      try shelf.make(
        "\(name).melarecipe",
        """
        json.dump({"id": "\(name)", "title": "Carrot soup", "ingredients": "500 g carrots\\n\(amount) tsp sugar",
            "instructions": "Cook.\\nBlend."\(more)}, open(place, "w"))
        """
      )
    }
  }

  @Test(arguments: [["a"], ["b"], ["a", "b"]], [["a"], ["b"], ["b", "a"]])
  func `two that are nearly the same are told, and become one when asked`(_ first: [String], _ second: [String]) throws
  {
    guard Set(first + second).count == 2 else { return }
    try makeTwo()
    let files = [first, second].map { $0.map { "\($0).melarecipe" } }
    let reports = try files.map { try shelf.import($0) }
    #expect(reports.flatMap(\.notes).filter { $0.kind == .lookAlikes }.count == 1)
    #expect(try shelf.value("SELECT count(*) FROM Recipe") == "2")
    _ = try shelf.value("UPDATE Recipe SET rating = 4 WHERE id = 2")
    let report = try shelf.import(files[1]) { $0.options.merge?.duplicates = .merge }
    #expect(report.notes.contains { $0.kind == .united })
    for files in [files[0], files[1], ["a.melarecipe", "b.melarecipe"]] {
      #expect(try shelf.value("SELECT count(*) FROM Recipe") == "1")
      #expect(try shelf.value("SELECT count(*) FROM Ingredient") == "2")
      #expect(try shelf.value("SELECT rating FROM Recipe") == "4.0")
      let notes = try shelf.value("SELECT notes FROM Recipe")
      #expect(notes.contains("First") && notes.contains("Second"))
      #expect(try shelf.value("SELECT count(*) FROM Category_recipes") == "1")
      #expect(try shelf.value("SELECT count(*) FROM NativeID") == "2")
      #expect(try shelf.content().faults == [])
      try shelf.import(files)
    }
    // A correction of either file finds it.
    try shelf.make(
      "b.melarecipe",
      """
      json.dump({"id": "b", "title": "Carrot soup", "ingredients": "700 g carrots\\n3 tsp sugar",
          "instructions": "Cook.\\nBlend.", "notes": "Second", "categories": ["Late"]}, open(place, "w"))
      """
    )
    try shelf.import("b.melarecipe")
    #expect(try shelf.value("SELECT count(*) FROM Recipe") == "1")
    #expect(try shelf.value("SELECT text FROM Ingredient WHERE text LIKE '%carrots'") == "700 g carrots")
  }

  @Test func `one run unites them as well`() throws {
    try makeTwo()
    try shelf.import("a.melarecipe", "b.melarecipe") {
      $0.options.merge = MergeRules(.skip)
      $0.options.merge?.duplicates = .merge
    }
    #expect(try shelf.value("SELECT count(*) FROM Recipe") == "1")
  }

  @Test func `a title alone is none`() throws {
    for (name, lines) in [("a", "1 egg"), ("b", "500 g beef")] {
      try shelf.make(
        "\(name).melarecipe",
        "json.dump({'id': '\(name)', 'title': 'Lunch', 'ingredients': '\(lines)', 'instructions': 'Cook \(lines).'}, open(place, 'w'))"
      )
    }
    let report = try shelf.import("a.melarecipe", "b.melarecipe") {
      $0.options.merge = MergeRules(.skip)
      $0.options.merge?.duplicates = .merge
    }
    #expect(try shelf.value("SELECT count(*) FROM Recipe") == "2")
    #expect(!report.notes.contains { $0.kind == .united || $0.kind == .lookAlikes })
  }
}
