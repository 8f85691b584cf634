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

  let place: CommandFolder
  static let samples = Fixtures.projectFolder.appendingPathComponent("samples").path
  static let mapping = ["--mapping", "\(samples)/kitchen-to-recipes.yaml"]

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

  func sql(_ kind: Kind, _ text: String) throws -> String {
    try Program.sqlite3(place.folder.path("\(kind).db"), text)
  }

  func id(_ kind: Kind, _ title: String) throws -> String {
    let title = title.replacing("'", with: "''")
    return try sql(
      kind,
      "SELECT \(kind.key) FROM \(kind.table("Recipe")) WHERE \(kind == .sqlite ? "" : "Z")title = '\(title)' ORDER BY 1 LIMIT 1"
    )
  }

  struct List: Decodable {
    struct Line: Decodable, Equatable {
      var id: Int64
      var title: String
      var rating: Double?
      var categories: [String]
      var source: String?
    }
    let recipes: [Line]
  }

  func list(_ arguments: [String]) throws -> [List.Line] {
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
  func onTerminal(_ arguments: [String], _ answer: String = "") throws -> Program {
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
}
