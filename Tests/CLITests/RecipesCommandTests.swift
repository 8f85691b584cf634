import Foundation
import TestSupport
import Testing

/// `decant recipes` over a store that recipe files were imported into, plain and of Core Data, and over an app's store.
@Suite struct RecipesCommandTests {
  /// The two kinds of stores that recipes are imported into.
  enum Kind: String, CaseIterable, Sendable {
    case sqlite, coredata

    /// A table and a column as SQL of the file itself names them.
    func table(_ name: String) -> String { self == .sqlite ? name : "Z\(name.uppercased())" }
    var key: String { self == .sqlite ? "id" : "Z_PK" }
    var owner: String { self == .sqlite ? "recipe_id" : "ZRECIPE" }
  }

  private let place: CommandFolder
  private static let samples = Fixtures.projectFolder.appendingPathComponent("samples").path
  private static let mapping = ["--mapping", "\(samples)/kitchen-to-recipes.yaml"]

  init() throws {
    place = try CommandFolder()
    // Recipes of other people and of one that makes what is hard: accents, two of one title, orders for a terminal.
    let run = try Program.run(["python3", "-c", Self.script], in: place.url)
    try #require(run.status == 0, "\(run.errors)")
    #expect(
      try place.run(["export", "Kitchen.sqlite", "files/kitchen.paprikarecipes", "-q"] + Self.mapping).status == 0)
    for kind in Kind.allCases {
      let run = try place.run(["import", "files", "\(kind.rawValue):\(kind).db", "-q"])
      try #require(run.status == 0, "\(run.errors)")
    }
  }

  private static let script = """
    import json, os
    os.makedirs('files')
    LONG = '4 egg yolks ' + 'or more, as large as they come, beaten with a whisk, ' * 6 + 'to taste'
    def recipe(name, ingredients, steps, **other):
        return {'@context': 'https://schema.org', '@type': 'Recipe', 'name': name, 'recipeIngredient': ingredients,
                'recipeInstructions': [{'@type': 'HowToStep', 'text': s} for s in steps], **other}
    all = [
        recipe('Crème brûlée', ['4 Eier', '½ l Sahne', '1 Vanilleschote'], ['Sahne erhitzen.', 'Backen.'],
               url='https://example.org/creme', recipeCategory='Desserts'),
        recipe('CREME FRAICHE', ['cream'], ['Wait.']),
        recipe('Pancakes', ['200 g flour', '3 eggs'], ['Fry with a lot of butter ' * 20]),
        recipe('Pancakes', ['1 cup buckwheat', '2 eggs'], ['Fry.'], url='https://www.example.com/a/b'),
        recipe('Straßenkuchen', ['Mehl'], ['Mit Käse \\u001b[31mbestreuen\\u001b[0m.']),
        recipe('100', ['1 number'], ['Count.']),
        recipe('Tarte à la lime (Key lime pie)', [LONG, '1 (28-ounce) can tomato puree', 'For the top:', '2 limes'],
               ['Œufs, smørbrød: “lime”.', 'Bake.', 'Cool https://www.example.com/' + 'x' * 120], recipeYield='Serves 6 to 8',
               recipeCategory='Dessert', keywords='Quick'),
    ]
    for number, one in enumerate(all):
        open(f'files/{number}.json', 'w').write(json.dumps(one))
    """

  private func sql(_ kind: Kind, _ text: String) throws -> String {
    try Program.sqlite3(place.folder.path("\(kind).db"), text)
  }

  private func id(_ kind: Kind, _ title: String) throws -> String {
    let title = title.replacing("'", with: "''")
    return try sql(
      kind,
      "SELECT \(kind.key) FROM \(kind.table("Recipe")) WHERE \(kind == .sqlite ? "" : "Z")title = '\(title)' ORDER BY 1 LIMIT 1"
    )
  }

  private struct List: Decodable {
    struct Line: Decodable, Equatable {
      var id: Int64
      var title: String
      var rating: Double?
      var categories: [String]
      var source: String?
    }
    let recipes: [Line]
  }

  private func list(_ arguments: [String]) throws -> [List.Line] {
    let run = try place.run(["recipes"] + arguments + ["--json"])
    try #require(run.status == 0, "\(run.errors)")
    return try JSONDecoder().decode(List.self, from: Data(run.output.utf8)).recipes
  }

  // MARK: Lists

  /// What Python makes of the texts of a plain store: the IDs in order, and those in whose texts all `words` are.
  private func expected(_ words: [String]) throws -> (sorted: [Int64], found: Set<Int64>) {
    let script = """
      import json, sqlite3, sys, unicodedata
      def fold(text):
          text = unicodedata.normalize('NFKD', text or '').casefold()
          for letter, plain in [('œ', 'oe'), ('æ', 'ae'), ('ø', 'o'), ('ł', 'l'), ('’', "'")]:
              text = text.replace(letter, plain)
          return ''.join(c for c in unicodedata.normalize('NFKD', text) if unicodedata.category(c) not in ('Mn', 'Mc', 'Me'))
      db = sqlite3.connect(sys.argv[1])
      rows = db.execute('SELECT id, title, summary, notes, author, url FROM Recipe').fetchall()
      def texts(row):
          lines = ' \\n '.join(t or '' for t in row[1:])
          for sql in ('SELECT text FROM Ingredient WHERE recipe_id = ?', 'SELECT text FROM Step WHERE recipe_id = ?',
                      'SELECT name FROM Category_recipes JOIN Category ON id = Category_id WHERE Recipe_id = ?',
                      'SELECT name FROM Recipe_tags JOIN Tag ON id = Tag_id WHERE Recipe_id = ?',
                      'SELECT s.name FROM Recipe r JOIN Source s ON s.id = r.source_id WHERE r.id = ?'):
              lines += ' \\n '.join(t for t, in db.execute(sql, row[:1]))
          return fold(lines)
      print(json.dumps([[r[0] for r in sorted(rows, key=lambda r: (fold(r[1]).encode(), r[0]))],
                        [r[0] for r in rows if all(fold(w) in texts(r) for w in sys.argv[2:])]]))
      """
    let run = try Program.run(["python3", "-c", script, place.folder.path("sqlite.db")] + words)
    let lists = try JSONDecoder().decode([[Int64]].self, from: Data(run.output.utf8))
    return (lists[0], Set(lists[1]))
  }

  @Test func `all recipes are listed by their titles`() throws {
    let lines = try list(["sqlite.db"])
    #expect(lines.map(\.id) == (try expected([]).sorted))
    #expect(lines.count == 19)
    let brulee = try #require(lines.first { $0.title == "Crème brûlée" })
    #expect(brulee.categories == ["Desserts"])
    let shakshuka = try #require(lines.first { $0.title == "Shakshuka" })
    #expect(shakshuka.rating == 5)
    let table = try place.run(["recipes", "sqlite.db"]).output
    #expect(table.hasSuffix("\n19 recipes\n"), "\(table)")
    for line in lines { #expect(table.contains(line.title)) }
    // The site stands for a source that nobody has named.
    #expect(table.contains("example.com"), "\(table)")
    let others = try list(["coredata.db"])
    #expect(others.map(\.title) == lines.map(\.title))
    #expect(Set(others.map(\.id)).count == 19)
  }

  @Test(arguments: [
    ["creme"], ["CRÈME"], ["crème", "vanille"], ["schote"], ["eggs", "flour"], ["strasse"], ["kase"], ["KÄSE"],
    ["desserts"], ["nosuchword"], ["soup", "carrot"], ["e"], ["½"], ["example"], ["oeufs"], ["smorbrod"],
  ])
  func `a search finds what Python finds in the texts`(_ words: [String]) throws {
    let found = try list(["sqlite.db", "search"] + words)
    let expected = try expected(words).found
    #expect(Set(found.map(\.id)) == expected, "\(found.map(\.title))")
    #expect(found.count == expected.count)
    #expect(
      try list(["coredata.db", "search", words.joined(separator: " ")]).map(\.title).sorted()
        == found.map(\.title).sorted())
    #expect(words == ["nosuchword"] || !found.isEmpty)
  }

  @Test(arguments: ["“Crème,” brulee!", "creme (brulee)", "Crème… brûlée"])
  func `punctuation around words is no part of them`(_ words: String) throws {
    #expect(try list(["sqlite.db", "search", words]).map(\.title) == ["Crème brûlée"])
    #expect(try list(["sqlite.db", "search", words.uppercased()]).map(\.title) == ["Crème brûlée"])
  }

  @Test func `a search that finds nothing names its words`() throws {
    let run = try place.run(["recipes", "sqlite.db", "search", "Crème", "nosuch,"])
    #expect(run.status == 0 && run.output == "no recipe contains all of: creme, nosuch\n", "\(run.output)")
  }

  @Test func `what is in titles comes first`() throws {
    #expect(try list(["sqlite.db", "search", "creme"]).prefix(2).map(\.title) == ["Crème brûlée", "CREME FRAICHE"])
  }

  // MARK: One recipe

  /// Runs `decant` on a terminal of 80 columns and answers a question with `answer`.
  private func onTerminal(_ arguments: [String], _ answer: String = "") throws -> Program {
    let script = """
      import fcntl, os, pty, struct, sys, termios
      answer = sys.argv[1]
      def read(fd):
          data = os.read(fd, 1024)
          if b'[y/N]' in data:
              os.write(fd, answer.encode() + b'\\n')
          return data
      program = ['sh', '-c', 'stty cols 80; exec "$@"', 'sh'] + sys.argv[2:]
      status = pty.spawn(program, read)
      sys.exit(os.waitstatus_to_exitcode(status))
      """
    return try Program.run(["python3", "-c", script, answer, DecantProgram.path] + arguments, in: place.url)
  }

  @Test(arguments: Kind.allCases)
  func `a recipe is shown with all of its lines, within the width`(_ kind: Kind) throws {
    for name in [["Crème brûlée"], ["creme", "brulee"], ["BRÛLÉE"], [try id(kind, "Crème brûlée")]] {
      let run = try place.run(["recipes", "\(kind).db", "show"] + name)
      #expect(run.status == 0, "\(name): \(run.errors)")
      let lines = run.output.split(separator: "\n").map(String.init)
      #expect(lines.first == "Crème brûlée")
      for text in ["- 4 Eier", "- ½ l Sahne", "- 1 Vanilleschote", "1. Sahne erhitzen.", "2. Backen."] {
        #expect(lines.contains(text), "\(run.output)")
      }
    }
    let long = try place.run(["recipes", "\(kind).db", "show", id(kind, "Pancakes")]).output
    #expect(long.contains(String(repeating: "Fry with a lot of butter ", count: 19)), "wrapped for a file: \(long)")
    let terminal = try onTerminal(["recipes", "\(kind).db", "show", id(kind, "Pancakes")]).output
    #expect(terminal.split(whereSeparator: \.isNewline).allSatisfy { $0.count <= 80 }, "\(terminal)")
    #expect(terminal.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("   ") }.count > 4, "\(terminal)")
    let lime = try place.run(["recipes", "\(kind).db", "show", "tarte", "lime"])
    #expect(
      lime.output.contains("beaten with a whisk, to taste\n- 1 (28-ounce) can tomato puree\n"),
      "\(lime.output)\(lime.errors)")
    let word = "https://www.example.com/" + String(repeating: "x", count: 120)
    #expect(try onTerminal(["recipes", "\(kind).db", "show", "lime", "key"]).output.contains(word))
    let orders = try place.run(["recipes", "\(kind).db", "show", "strassenkuchen"]).output
    #expect(orders.contains("bestreuen") && !orders.contains("\u{1b}"))
  }

  @Test(arguments: Kind.allCases)
  func `a name that fits none, or several, is exit code 64`(_ kind: Kind) throws {
    try place.expect(["recipes", "\(kind).db", "show", "Borscht"], 64, "there is no recipe “Borscht”")
    let both = try sql(
      kind,
      "SELECT \(kind.key) FROM \(kind.table("Recipe")) WHERE \(kind == .sqlite ? "" : "Z")title = 'Pancakes' ORDER BY 1"
    ).split(separator: "\n")
    #expect(both.count == 2)
    for task in ["show", "open", "delete"] {
      let run = try place.run(["recipes", "\(kind).db", task, "pancakes"])
      #expect(run.status == 64)
      for id in both { #expect(run.errors.contains("\n  \(id) “Pancakes”"), "\(run.errors)") }
    }
    // A part of a title is no name for what cannot be undone.
    try place.expect(["recipes", "\(kind).db", "delete", "brulee", "--yes"], 64, "there is no recipe")
    // A title that is a number is found where no recipe has that ID.
    #expect(try place.run(["recipes", "\(kind).db", "show", "100"]).output.hasPrefix("100\n"))
  }

  @Test func `a page is written for this user alone and opened`() throws {
    let bin = place.url.appendingPathComponent("bin")
    try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: false)
    func run(_ script: String?, _ options: String...) throws -> Program {
      if let script {
        let program = bin.appendingPathComponent("xdg-open")
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
      }
      return try Program.run(
        [DecantProgram.path, "recipes", "sqlite.db", "open", "Crème brûlée"] + options,
        in: place.url,
        environment: ["PATH": "\(bin.path):/usr/bin:/bin", "TMPDIR": place.url.path]
      )
    }
    let opened = try run("echo \"$1\" > opened")
    #expect(opened.status == 0, "\(opened.errors)")
    let page = opened.output.trimmingCharacters(in: .newlines)
    #expect(page.hasSuffix("/Crème brûlée.html"))
    #expect(String(decoding: try #require(place.content("opened")), as: UTF8.self) == page + "\n")
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.contains("Vanilleschote") && html.contains("Sahne erhitzen."))
    let folder = URL(fileURLWithPath: page).deletingLastPathComponent().path
    #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
    // The page before it is gone, and a folder that others can read is not taken.
    #expect(try run("exit 0").output == opened.output)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["Crème brûlée.html"])
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    let refused = try run("exit 0")
    #expect(refused.status == 1 && refused.errors.contains("only this user"), "\(refused.status) \(refused.errors)")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
    let failed = try run("exit 3")
    #expect(failed.status == 1 && failed.errors.contains("xdg-open"), "\(failed.errors)")
    #expect(FileManager.default.fileExists(atPath: failed.output.trimmingCharacters(in: .newlines)))
    try? FileManager.default.removeItem(at: place.url.appendingPathComponent("opened"))
    #expect(try run("echo > opened", "--no-browser").status == 0)
    #expect(place.content("opened") == nil)
    // One that stays in the foreground is not waited for.
    let slow = try run("sleep 9")
    #expect(slow.status == 0)
  }

  // MARK: Changes

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
    #expect(try edit("prepTime", "eine Weile").contains("note: no time is recognized in “eine Weile”"))
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

  @Test(arguments: Kind.allCases)
  func `a deleted recipe goes with what it owns, and nothing else`(_ kind: Kind) throws {
    let key = try id(kind, "Shakshuka")
    func count(_ table: String, _ condition: String = "1") throws -> Int {
      try Int(sql(kind, "SELECT count(*) FROM \(kind.table(table)) WHERE \(condition)")) ?? -1
    }
    let parts = ["Ingredient", "Step", "Image"]
    let owned = try parts.map { try count($0, "\(kind.owner) = \(key)") }
    let others = try parts.map { try count($0, "\(kind.owner) <> \(key)") }
    let shared = try ["Category", "Tag"].map { try count($0) }
    #expect(owned.allSatisfy { $0 > 0 }, "\(owned)")
    let dry = try place.run(["recipes", "\(kind).db", "delete", "Shakshuka", "--dry-run"])
    #expect(dry.output.contains("\(owned[0]) ingredients, \(owned[1]) steps, \(owned[2]) picture"), "\(dry.output)")
    #expect(try count("Recipe") == 19)
    let run = try place.run(["recipes", "\(kind).db", "delete", "Shakshuka", "--yes"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try count("Recipe") == 18)
    #expect(try parts.map { try count($0, "\(kind.owner) = \(key)") } == [0, 0, 0])
    #expect(try parts.map { try count($0) } == others)
    #expect(try ["Category", "Tag"].map { try count($0) } == shared)
    #expect(try sql(kind, "PRAGMA foreign_key_check; PRAGMA integrity_check") == "ok")
    #expect(try place.run(["doctor", "\(kind).db"]).status == 0)
  }

  @Test(arguments: [("y", 18), ("n", 19), ("", 19)])
  func `on a terminal it asks before it deletes`(_ answer: String, _ count: Int) throws {
    let run = try onTerminal(["recipes", "sqlite.db", "delete", "Shakshuka", "--json"], answer)
    #expect(run.status == (answer == "y" ? 0 : 1), "\(run.output)\(run.errors)")
    #expect(run.output.contains("delete Recipe"), "\(run.output)")
    #expect(run.output.contains(answer == "y" ? "\"declined\": false" : "\"declined\": true"), "\(run.output)")
    #expect(try sql(.sqlite, "SELECT count(*) FROM Recipe") == "\(count)")
  }

  // MARK: Other stores

  @Test func `an app's recipes are read by a mapping, with the keys of their store, and not changed`() throws {
    let before = place.content("Kitchen.sqlite")
    try place.expect(["recipes", "Kitchen.sqlite"], 12, "--mapping FILE")
    let lines = try list(["Kitchen.sqlite"] + Self.mapping)
    let own = try Program.sqlite3(
      place.folder.path("Kitchen.sqlite"), "SELECT Z_PK || '|' || ZTITLE FROM ZRECIPE ORDER BY Z_PK")
    #expect(lines.map { "\($0.id)|\($0.title)" }.sorted() == own.split(separator: "\n").map(String.init).sorted())
    #expect(try list(["Kitchen.sqlite", "search", "kasespatzle"] + Self.mapping).map(\.title) == ["Käsespätzle"])
    let shown = try place.run(["recipes", "Kitchen.sqlite", "show", "Red Lentil Dal"] + Self.mapping)
    #expect(shown.status == 0 && shown.output.hasPrefix("Red Lentil Dal\n"), "\(shown.errors)")
    #expect(
      try place.run(["recipes", "Kitchen.sqlite", "open", "Red Lentil Dal", "--no-browser"] + Self.mapping).status == 0)
    for task in [["edit", "1", "rating", "3"], ["delete", "1", "--yes"]] {
      try place.expect(["recipes", "Kitchen.sqlite"] + task + Self.mapping, 64, "in the app")
    }
    #expect(place.content("Kitchen.sqlite") == before)
  }

  @Test func `recipe files and archives are read, and say where recipes can be changed`() throws {
    #expect(try place.run(["export", "sqlite.db", "all.decant.zst", "-q"]).status == 0)
    #expect(try list(["all.decant.zst"]).map(\.title) == list(["sqlite.db"]).map(\.title))
    #expect(try list(["files/0.json"]).map(\.title) == ["Crème brûlée"])
    for file in ["all.decant.zst", "files/0.json"] {
      try place.expect(["recipes", file, "edit", "1", "rating", "3"], 64, "decant import")
    }
  }

  @Test func `an import says how to see the recipes`() throws {
    let run = try place.run(["import", "files", "New.db"])
    let hints = run.output.matches(of: /decant (recipes 'New.db')(?: show TITLE)?/).map { String($0.0) }
    #expect(hints == ["decant recipes 'New.db'", "decant recipes 'New.db' show TITLE"], "\(run.output)")
    #expect(try place.run(["recipes", "New.db", "show", "Pancakes"]).status == 64)
  }
}
