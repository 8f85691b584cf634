import Foundation
import TestSupport
import Testing

/// `decant recipes … edit`.
extension RecipesCommandTests {
  /// Fields, what is written into them, and what the columns of a plain store are to hold then.
  private static let edits: [(field: String, value: String, columns: String, expected: String)] = [
    ("title", "Crème caramel", "title", "Crème caramel"), ("rating", "4.5", "rating", "4.5"),
    ("rating", "4,5", "rating", "4.5"), ("rating", "", "rating", ""), ("notes", "a\nb", "notes", "a\nb"),
    ("prepTime", "1 h 20 min", "prepTime, prepMinutes", "1 h 20 min|80.0"),
    ("cookTime", "15", "cookTime, cookMinutes", "15 min|15.0"),
    ("totalTime", "", "totalTime, totalMinutes", "|"), ("isFavorite", "yes", "isFavorite", "1"),
    ("isFavorite", "", "isFavorite", ""), ("yield", "6 servings", "yield, servings", "6 servings|6.0"),
    ("yield", "2 loaves", "yield, servings", "2 loaves|"), ("servings", "3", "servings", "3.0"),
    ("url", "https://www.example.net/x/", "url, page", "https://www.example.net/x/|example.net/x"),
    ("url", "", "url, page", "|"), ("author", "Ada", "author", "Ada"),
    ("source", "Oma", "(SELECT name FROM Source WHERE id = source_id)", "Oma"), ("source", "", "source_id", ""),
    (
      "tags", "winter, quick",
      "(SELECT group_concat(name) FROM (SELECT name FROM Recipe_tags JOIN Tag ON id = Tag_id WHERE Recipe_id = r.id ORDER BY 1))",
      "Quick,winter"
    ),
    ("categories", "", "(SELECT count(*) FROM Category_recipes WHERE Recipe_id = r.id)", "0"),
    ("Rating", "3 ½", "rating", "3.5"), ("servings", "4 servings", "servings", "4.0"),
    ("title", "Crème\nbrûlée", "title", "Crème brûlée"), ("cookTime", "½", "cookTime, cookMinutes", "½ min|0.5"),
    ("prepTime", "eine Weile", "prepTime, prepMinutes", "eine Weile|"),
    ("created", "2026-01-31", "created", "2026-01-31"),
    (
      "category", "dessert, DESSERT, Neu, neu",
      "(SELECT group_concat(name) FROM (SELECT name FROM Category_recipes JOIN Category ON id = Category_id WHERE Recipe_id = r.id ORDER BY 1))",
      "Dessert,Neu"
    ),
  ]

  @Test func `each field is edited as people write it, and nothing else changes`() throws {
    let key = try id(.sqlite, "Crème brûlée")
    let columns =
      "uuid, title, summary, notes, author, url, yield, servings, prepTime, prepMinutes, cookTime, cookMinutes, "
      + "totalTime, totalMinutes, rating, difficulty, isFavorite, language, created, format, page, fingerprint, extra, source_id"
    func others() throws -> String {
      try sql(
        .sqlite,
        "SELECT \(columns), modified FROM Recipe WHERE id <> \(key); SELECT * FROM Ingredient; SELECT * FROM Step")
    }
    let before = try others()
    for edit in Self.edits {
      let run = try place.run(["recipes", "sqlite.db", "edit", key, edit.field, edit.value])
      #expect(run.status == 0, "\(edit.field): \(run.errors)")
      #expect(
        try sql(.sqlite, "SELECT \(edit.columns) FROM Recipe AS r WHERE id = \(key)") == edit.expected, "\(edit.field)")
    }
    #expect(try others() == before)
    #expect(try sql(.sqlite, "SELECT modified > '2026' FROM Recipe WHERE id = \(key)") == "1")
  }

  /// Lists of lines, one after the other written over the one before, and how many rows stay: those of equal lines, and where as many come as go, of those that are mended.
  private static let lines: [(field: String, value: String, lines: [String], kept: Int)] = [
    ("steps", "1. Bake.\n\n- Serve.", ["Bake.", "Serve."], 2),
    ("steps", "# Oven\nBake.\nServe:", ["Oven", "Bake.", "Serve:"], 1),
    ("steps", "Serve:\nBake.\nOven", ["Serve:", "Bake.", "Oven"], 3),
    ("ingredient", "Base:\n4 Eier\n½ l Sahne", ["Base", "4 Eier", "½ l Sahne"], 3),
    ("ingredients", "½ l Sahne", ["½ l Sahne"], 1), ("ingredients", "", [], 0),
  ]

  @Test(arguments: Kind.allCases)
  func `ingredients and steps are replaced, and a line that stays keeps its row`(_ kind: Kind) throws {
    let key = try id(kind, "Crème brûlée")
    struct Shown: Decodable {
      struct Recipe: Decodable {
        struct Line: Decodable { let text: String }
        let ingredients, steps: [Line]
      }
      let recipe: Recipe
    }
    for (field, value, lines, kept) in Self.lines {
      let table = kind.table(field.hasPrefix("step") ? "Step" : "Ingredient")
      func rows() throws -> Set<String> {
        let rows = try sql(kind, "SELECT \(kind.key) FROM \(table) WHERE \(kind.owner) = \(key)")
        return Set(rows.split(separator: "\n").map(String.init))
      }
      let before = try rows()
      #expect(try place.run(["recipes", "\(kind).db", "edit", key, field, value, "--dry-run"]).status == 0)
      #expect(try rows() == before)
      let run = try place.run(["recipes", "\(kind).db", "edit", key, field, value, "--json"])
      #expect(run.status == 0, "\(run.errors)")
      let shown = try JSONDecoder().decode(Shown.self, from: Data(run.output.utf8)).recipe
      #expect((table.uppercased().hasSuffix("STEP") ? shown.steps : shown.ingredients).map(\.text) == lines)
      #expect(try rows().count == lines.count)
      #expect(try rows().intersection(before).count == kept, "\(value)")
    }
    #expect(try sql(kind, "PRAGMA foreign_key_check; PRAGMA integrity_check") == "ok")
    #expect(try place.run(["doctor", "\(kind).db"]).status == 0)
  }

  @Test func `an ingredient that is written anew has its parts, and a heading is one`() throws {
    let key = try id(.sqlite, "Crème brûlée")
    #expect(
      try place.run(["recipes", "sqlite.db", "edit", key, "ingredients", "## Base\n250 g flour, sifted"]).status == 0)
    #expect(
      try sql(.sqlite, "SELECT text, isHeading, amount, unit, name, note FROM Ingredient WHERE recipe_id = \(key)")
        == "Base|1||||\n250 g flour, sifted|0|250.0|g|flour|sifted")
  }

  @Test func `an edit says what a field held and holds, and what it leaves`() throws {
    let key = try id(.sqlite, "Tarte à la lime (Key lime pie)")
    func edit(_ words: String...) throws -> String {
      let run = try place.run(["recipes", "sqlite.db", "edit", key] + words)
      #expect(run.status == 0, "\(run.errors)")
      return run.output
    }
    let dry = try edit("rating", "3", "tags", "quick, new", "--dry-run")
    #expect(dry.hasPrefix("would be changed: Recipe \(key)") && dry.contains("\n  rating: none → 3\n"), "\(dry)")
    #expect(dry.contains("\n  tags: Quick → Quick, new\n"), "\(dry)")
    #expect(try edit("rating", "3").hasSuffix("\n  rating: none → 3\n"))
    #expect(try edit("rating", "").hasSuffix("\n  rating: 3 → none\n"))
    #expect(try edit("servings", "4").contains("note: the yield stays “Serves 6 to 8”"))
    #expect(try edit("yield", "6 servings").contains("\n  servings: 4 → 6\n"))
    #expect(try edit("servings", "6") == "changed: Recipe \(key) “Tarte à la lime (Key lime pie)”\n  servings: 6 → 6\n")
    #expect(try edit("prepTime", "eine Weile").contains("note: no time was recognized in “eine Weile”"))
    #expect(try edit("ingredients", "a\nb").contains("\n  ingredients: 4 lines → 2 lines\n"))
    #expect(try edit("--", "notes", "-5 °C").contains("\n  notes: none → -5 °C\n"))
  }

  @Test(arguments: Kind.allCases)
  func `several fields are edited at once, in both kinds of stores`(_ kind: Kind) throws {
    let key = try id(kind, "Crème brûlée")
    let pairs = ["rating", "3.5", "tags", "a, b", "categories", "Süßes", "source", "Oma", "prepTime", "5"]
    let dry = try place.run(["recipes", "\(kind).db", "edit", key] + pairs + ["--dry-run"])
    #expect(dry.status == 0 && dry.output.contains("nothing was written"))
    #expect(try list(["\(kind).db"]).first { String($0.id) == key }?.rating == nil)
    let run = try place.run(["recipes", "\(kind).db", "edit", key] + pairs)
    #expect(run.status == 0, "\(run.errors)")
    let line = try #require(try list(["\(kind).db"]).first { String($0.id) == key })
    #expect(
      line == List.Line(id: Int64(key) ?? 0, title: "Crème brûlée", rating: 3.5, categories: ["Süßes"], source: "Oma"))
    // Names that are there already are not made anew.
    #expect(
      try place.run(["recipes", "\(kind).db", "edit", "creme fraiche", "tags", "b, c", "source", "Oma"]).status == 0)
    #expect(
      try sql(kind, "SELECT count(*) FROM \(kind.table("Source")) WHERE \(kind == .sqlite ? "" : "Z")name = 'Oma'")
        == "1")
    #expect(try place.run(["doctor", "\(kind).db"]).status == 0)
  }

  @Test(arguments: [
    (["edit", "1", "ratin", "3"], "the fields are title, summary"), (["edit", "1", "rating", "7"], "up to 5"),
    (["edit", "1", "rating", "good"], "up to 5"), (["edit", "1", "title", " "], "cannot be empty"),
    (["edit", "1", "isFavorite", "maybe"], "yes or no"), (["edit", "1", "rating", "3", "rating", "4"], "twice"),
    (["edit", "1", "rating", "0"], "above 0"), (["edit", "1", "rating", "4-5"], "up to 5"),
    (["edit", "1", "servings", "1,500"], "in two ways"), (["edit", "1", "servings", "6 to 8"], "above 0"),
    (["edit", "1", "created", "yesterday"], "such as 2026-01-31"),
    (["edit", "1", "url", "example.com/a"], "https://www"),
    (["edit", "1", "tags", "a\u{7}b"], "control character"), (["edit", "1", "rating", "3", "RATING", "4"], "twice"),
    (["find", "soup"], "the tasks are list, search, show, open, edit, delete; to show a recipe: show find soup"),
    (["edit", "1", "rating"], "a field and a value"), (["edit", "1", "notes", "-5"], "put -- before a value"),
    (["edit", "1", "ingredients", "a\u{1b}[0m"], "control character"),
    (["edit", "999", "rating", "3"], "there is no recipe"),
    (["shwo", "1"], "did you mean show?"), (["search"], "words to search for"), (["show"], "by its title or its ID"),
    (["list", "x"], "search"), (["show", "1", "--yes"], "--yes is for"),
    (["list", "--no-browser"], "--no-browser is for"),
    (["delete", "1"], "--yes deletes without asking"),
  ])
  func `a mistake changes nothing and is exit code 64`(_ arguments: [String], _ message: String) throws {
    let before = place.content("sqlite.db")
    try place.expect(["recipes", "sqlite.db"] + arguments, 64, message)
    #expect(place.content("sqlite.db") == before)
  }
}
