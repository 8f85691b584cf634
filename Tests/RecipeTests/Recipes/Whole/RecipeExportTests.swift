import Decant
import Foundation
import TestSupport
import Testing

/// Recipes that are written for other apps, from stores that people have edited.
@Suite struct RecipeExportTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  private static let places = [
    "out.paprikarecipes", "out.melarecipes", "out.json", "nextcloud:out", "cooklang:out", "out.mmf",
  ]

  /// Makes a store of one recipe of Paprika for each line of `recipes`, in Python.
  private func library(_ recipes: String...) throws {
    let list = recipes.joined(separator: ", ")
    try shelf.make("in.paprikarecipes", "library([(str(n), packed(made)) for n, made in enumerate([\(list)])])")
    let report = try shelf.import("in.paprikarecipes")
    #expect(report.unread == [])
  }

  private func edit(_ statements: String) throws {
    _ = try Program.sqlite3(shelf.path("kitchen.sqlite"), statements)
  }

  private func back(_ place: String) throws -> RecipeContent {
    let name = place.split(separator: ":").last.map(String.init) ?? place
    let report = try shelf.import(name, into: "back.sqlite")
    #expect(report.unread == [])
    return try shelf.content("back.sqlite")
  }

  /// The objects of a file of schema.org.
  private func objects(_ name: String = "out.json") throws -> [[String: Any]] {
    let data = try Data(contentsOf: URL(fileURLWithPath: shelf.path(name)))
    return try #require(JSONSerialization.jsonObject(with: data) as? [[String: Any]])
  }

  /// The members of each recipe of a library of Paprika, read by Python.
  private func paprika(_ name: String = "out.paprikarecipes") throws -> [[String: Any]] {
    let script = """
      import gzip, json, sys, zipfile
      file = zipfile.ZipFile(sys.argv[1])
      print(json.dumps([json.loads(gzip.decompress(file.read(n))) for n in file.namelist()]))
      """
    let run = try Program.run(["python3", "-c", script, shelf.path(name)])
    return try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
  }

  private func names(_ folder: String = "out") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: shelf.path(folder)).sorted()
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: shelf.path(name), encoding: .utf8)
  }

  /// The error that an export ends with; nothing is made then.
  private func error(_ place: String, _ configure: (inout Export) -> Void = { _ in }) throws -> DecantError {
    let before = try names("")
    let parts = place.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let target =
      parts.count == 2 ? "\(parts[0]):\(shelf.path(String(parts[1])))" : shelf.path(place)
    var export = Export(from: shelf.path("kitchen.sqlite"), to: target)
    configure(&export)
    let error = try #require(throws: DecantError.self) { try export.run() }
    #expect(try names("") == before)
    return error
  }

  // MARK: Values that nobody expects

  @Test(arguments: places)
  func `values beyond all measure are written or named`(_ place: String) throws {
    try library("recipe('A', prep_time='99999999999999999999 hours', total_time='1e400 min', servings='9' * 30)")
    try edit("UPDATE Recipe SET rating = 1e300, cookTime = 'x', cookMinutes = 9e999, servings = 1e300")
    let notes = try shelf.export(to: place).notes.commandLine
    #expect(notes.contains { $0.hasSuffix("cannot hold: rating (1 recipe)") }, "\(notes)")
    #expect(try back(place).titles == ["A"])
  }

  @Test(arguments: places) func `what is no JSON object is left out by name`(_ place: String) throws {
    try library("recipe('A')", "recipe('B')")
    try edit("UPDATE Recipe SET extra = 'not json' WHERE title = 'A'")
    try edit("UPDATE Step SET extra = '[1]' WHERE recipe_id = 2")
    let notes = try shelf.export(to: place).notes.commandLine
    #expect(notes.contains("not written: extra that is not a JSON object, of “A”"))
    #expect(notes.contains("not written: steps.extra that is not a JSON object, of “B”"))
    #expect(try back(place).counts["Recipe"] == 2)
  }

  @Test(arguments: places.dropLast())
  func `a picture that is none is left out by name`(_ place: String) throws {
    try library("recipe('A', photo_data=base64.b64encode(png).decode())", "recipe('B')")
    try edit("UPDATE Image SET data = 'ééé'")
    let notes = try shelf.export(to: place).notes.commandLine
    #expect(notes.contains("not written: a picture without image data, of “A”"))
    #expect(try back(place).counts["Image"] == 0)
  }

  @Test(arguments: places)
  func `a recipe that is nothing but a picture is written`(_ place: String) throws {
    try library("recipe('', ingredients='', directions='', photo_data=base64.b64encode(png).decode())")
    try shelf.export(to: place)
    let content = try back(place)
    #expect(content.titles == ["Untitled (0)"])
    #expect(content.counts["Image"] == (place.hasSuffix("mmf") ? 0 : 1))
  }

  // MARK: What somebody has changed

  @Test func `a rating that was changed is written, whatever the file said of it`() throws {
    try shelf.write(
      """
      {"@type": "Recipe", "name": "A", "recipeIngredient": ["1 egg"], "recipeInstructions": ["Boil."],
       "publisher": {"@type": "Organization", "name": "Site"}, "video": "v",
       "aggregateRating": {"@type": "AggregateRating", "ratingValue": 5, "ratingCount": 99}}
      """,
      "in.json"
    )
    try shelf.import("in.json")
    try shelf.export(to: "same.json")
    let same = try #require(objects("same.json").first)
    #expect((same["aggregateRating"] as? [String: Any])?["ratingCount"] as? Int == 99)
    try edit("UPDATE Recipe SET rating = 1, source_id = NULL")
    let notes = try shelf.export(to: "out.json").notes.commandLine
    let object = try #require(objects().first)
    #expect((object["aggregateRating"] as? [String: Any])?["ratingValue"] as? Double == 1)
    #expect(object["publisher"] == nil && object["creditText"] == nil)
    #expect(object["video"] as? String == "v")
    // What others thought is gone with it, and that is said; the rating is not.
    #expect(
      notes == [
        "schema.org/Recipe (JSON-LD) cannot hold: fields of other formats: aggregateRating (1), publisher (1)"
      ]
    )
    let content = try back("out.json")
    #expect(content.field("rating", of: "A").count == 1 && content.recipes[0]["rating"] == "1.0")
    #expect(content.recipes[0]["source"] == "null")
  }

  @Test func `Paprika sees that a recipe was changed`() throws {
    try library("recipe('A', hash='AB' * 32)", "recipe('B', hash='CD' * 32)")
    try edit("UPDATE Step SET text = 'Stir.' WHERE recipe_id = 1 AND text = 'Mix.'")
    try shelf.export(to: "out.paprikarecipes")
    let recipes = try paprika()
    #expect(recipes.map { $0["name"] as? String } == ["A", "B"])
    let hashes = recipes.map { $0["hash"] as? String ?? "" }
    #expect(hashes[0] != String(repeating: "AB", count: 32) && hashes[0].count == 64)
    #expect(hashes[1] == String(repeating: "CD", count: 32))
  }

  // MARK: Names of files

  @Test func `a number at the end of a title makes no picture of a step`() throws {
    try library(
      "recipe('Pasta', photo_data=base64.b64encode(png).decode())",
      "recipe('Pasta.1', photo_data=base64.b64encode(png + b'x').decode())"
    )
    try shelf.export(to: "cooklang:out")
    #expect(try names() == ["Pasta-1.cook", "Pasta-1.png", "Pasta.cook", "Pasta.png"])
    let (was, became) = (try shelf.content(), try back("out"))
    for title in ["Pasta", "Pasta.1"] {
      #expect(became.field("pictures", of: title) == was.field("pictures", of: title))
    }
    #expect(became.field("pictures.step", of: "Pasta") == [""])
  }

  @Test(arguments: ["nextcloud:out", "cooklang:out"])
  func `names that readers pass over and systems refuse are not given`(_ place: String) throws {
    let titles = [
      "Thumbs.db", "desktop.ini", "__MACOSX", ".DS_Store", "CON", "nul", "Com1.soup", "Trail. ",
      "...", "a/../b", "T\tx",
    ]
    try library("*[recipe(t) for t in \(titles)]")
    try shelf.export(to: place)
    let names = Set(try names().map { $0.replacing(".cook", with: "") })
    #expect(
      names == [
        "Thumbs.db_", "desktop.ini_", "__MACOSX_", "DS_Store", "CON_", "nul_", "Com1_.soup",
        "Trail", "Untitled", "a-..-b", "T-x",
      ]
    )
    #expect(try back("out").counts["Recipe"] == 11)
  }

  // MARK: Cooklang

  @Test func `a step that begins as another format does stays one of Cooklang`() throws {
    let mark = "MMMMM----- Recipe via Meal-Master (tm) v8.05"
    try library("recipe('A', directions='\(mark)\\n\\n      Title: B\\n\\n> x\\n\\n= y')")
    let notes = try shelf.export(to: "cooklang:out").notes.commandLine
    #expect(notes.filter { $0.contains("steps") || $0.contains("title") } == [])
    let content = try back("out")
    #expect(content.titles == ["A"])
    #expect(content.field("steps", of: "A") == [mark, "Title: B", "> x", "= y"])
    #expect(RecipeContent.texts(content.recipes[0]["format"]) == ["cooklang"])
  }

  @Test func `control characters are kept in fields, and named where they are lost`() throws {
    try library("recipe('A', ingredients='x', directions='Mix it.')", "recipe('B')")
    try edit(
      """
      UPDATE Recipe SET title = 'Ti' || char(1) || 't' || char(127) || 'le', notes = 'a' || char(27) || 'b'
      WHERE title = 'A';
      UPDATE Step SET text = 'Mix' || char(0) || ' it.' WHERE recipe_id = 1
      """
    )
    let notes = try shelf.export(to: "cooklang:out").notes.commandLine
    #expect(
      notes.filter { !$0.contains("fields of other") } == [
        "Cooklang cannot hold: steps (1 recipe)",
        "Cooklang cannot hold: notes (1 recipe)",
        "Cooklang cannot hold: IDs of other apps (2 recipes)",
      ]
    )
    let content = try back("out")
    #expect(Set(content.titles) == ["Ti\u{1}t\u{7f}le", "B"])
  }

  @Test func `a picture of a step has a place`() throws {
    try library(
      """
      recipe('A', directions='Dough:\\n\\nMix.\\n\\nBake.', photo_data=base64.b64encode(png).decode(),
        photos=[{'data': base64.b64encode(png + bytes([n])).decode()} for n in range(3)])
      """
    )
    try edit(
      """
      UPDATE Image SET step_id = (SELECT id FROM Step WHERE text = 'Bake.') WHERE id IN (2, 3);
      UPDATE Image SET step_id = (SELECT id FROM Step WHERE text = 'Mix.') WHERE id = 4
      """
    )
    let notes = try shelf.export(to: "cooklang:out").notes.commandLine
    #expect(try names() == ["A.0.png", "A.1.png", "A.cook", "A.png"])
    #expect(notes.contains("Cooklang cannot hold: further pictures of the dish, or of a step (1 recipe)"))
    #expect(try back("out").recipes[0]["pictures.step"] == "[null, 1, 2]")
  }

  @Test func `ingredients are taken apart where that is sure`() throws {
    try library("recipe('A', servings='', ingredients='2 cups (240g) all-purpose flour\\n3 eggs')")
    try edit("UPDATE Ingredient SET amount = NULL, unit = NULL, name = NULL, note = NULL")
    try edit("UPDATE Recipe SET yield = NULL, servings = 4")
    try shelf.export(to: "cooklang:out")
    let text = try text("out/A.cook")
    #expect(text.contains("\nservings: 4\n"))
    #expect(text.contains("@all-purpose flour{2%cups}(240g) [- 2 cups (240g) all-purpose flour -]\n"))
    #expect(text.contains("\n@eggs{3}\n"))
    #expect(
      try back("out").field("ingredients", of: "A") == [
        "2 cups (240g) all-purpose flour", "3 eggs",
      ]
    )
    try shelf.export(to: "out.mmf")
    #expect(try self.text("out.mmf").contains("Yield: 4 servings\n"))
  }

  // MARK: What importers take

  @Test(arguments: ["out.json", "nextcloud:out"])
  func `durations are those of ISO 8601, and the words come back`(_ place: String) throws {
    try library("recipe('A', prep_time='about 1 hr', cook_time='ca. 1 ¼ to 2 Stunden', total_time='PT1H')")
    let notes = try shelf.export(to: place).notes.commandLine
    #expect(notes.filter { $0.contains("Time") } == [])
    if place == "out.json" {
      let object = try #require(objects().first)
      #expect(object["prepTime"] as? String == "PT1H")
      #expect(object["cookTime"] == nil)
      #expect(object["totalTime"] as? String == "PT1H")
    }
    let content = try back(place)
    #expect(content.field("prepTime", of: "A") == ["about 1 hr"])
    #expect(content.field("cookTime", of: "A") == ["ca. 1 ¼ to 2 Stunden"])
    #expect(content.field("totalTime", of: "A") == ["PT1H"])
    #expect(content.recipes[0]["prepMinutes"] == "60.0")
  }

  @Test func `a duration that another app has changed counts`() throws {
    try library("recipe('A', prep_time='about 1 hr')")
    try shelf.export(to: "out.json")
    try shelf.write(text("out.json").replacing("PT1H", with: "PT2H"), "changed.json")
    #expect(try back("changed.json").field("prepTime", of: "A") == ["PT2H"])
  }

  @Test func `Paprika gets dates as it writes them`() throws {
    let dates = [
      "2026-01-31T08:15:09.5Z", "2026-01-31", "2026-01-31T08:15+02:00", "31 Jan", "",
      "2026-01-31 08:15:00",
    ]
    try library("*[recipe(str(n), created=c) for n, c in enumerate(\(dates))]")
    let notes = try shelf.export(to: "out.paprikarecipes").notes.commandLine
    #expect(
      try paprika().map { $0["created"] as? String } == [
        "2026-01-31 08:15:09", "2026-01-31 00:00:00", "2026-01-31 08:15:00", nil, nil,
        "2026-01-31 08:15:00",
      ]
    )
    #expect(notes == ["Paprika cannot hold: date of creation (4 recipes)"])
  }

  // MARK: What is asked for

  @Test func `several conditions on recipes all hold`() throws {
    try library("*[recipe(t, rating=r) for t, r in [('A', 1), ('B', 3), ('C', 5), ('D', 3)]]")
    func titles(_ place: String, _ conditions: [String], _ roots: [String] = []) throws -> [String] {
      var export = Export(from: shelf.path("kitchen.sqlite"), to: shelf.path(place))
      export.options.filters = conditions.map { .init(entity: "Recipe", expression: $0) }
      export.options.roots = roots.map { .init(entity: "Recipe", expression: $0) }
      try export.run()
      return try objects(place).compactMap { $0["name"] as? String }
    }
    #expect(try titles("1.json", ["rating >= 3", "rating < 5"]) == ["B", "D"])
    #expect(try titles("2.json", ["rating = 3 OR rating = 1", "title <> 'B'"]) == ["A", "D"])
    #expect(try titles("3.json", ["rating >= 3"], ["title = 'A'", "title = 'D'"]) == ["D"])
    #expect(try titles("4.json", [], ["title = 'A'", "title = 'D'"]) == ["A", "D"])
  }

  @Test func `places where nothing can be made are refused`() throws {
    try library("recipe('A')", "recipe('B')")
    #expect(try error("nodir/x.json").message.contains("there is no folder"))
    #expect(try error("nextcloud:nodir/x").message.contains("there is no folder"))
    for (place, text) in [
      ("paprika:c6", "write NAME.paprikarecipes"), ("mela:c7.bin", "write NAME.melarecipes"),
      ("c8.crumb", "for apps: NAME.paprikarecipes"), ("c9.cook", "write cooklang:FOLDER"),
      ("gourmet:c11.grmt", "for apps: NAME.paprikarecipes"),
    ] {
      let error = try error(place)
      #expect(error.family == .usage && error.remedy?.contains(text) == true, "\(error)")
    }
    for place in ["cooklang:-", "nextcloud:-", "schema:-", "nextcloud:", "cooklang:.."] {
      let export = Export(from: shelf.path("kitchen.sqlite"), to: place)
      #expect(throws: DecantError.self, "\(place)") { try export.run() }
      #expect(!FileManager.default.fileExists(atPath: "-"))
    }
    for isDry in [true, false] {
      let single = try error("w.paprikarecipe") { $0.options.isDryRun = isDry }
      #expect(single.message.contains("holds one recipe, but 2 recipes are selected"))
      let level = try error("w.json") {
        $0.options.isDryRun = isDry
        $0.level = 3
      }
      #expect(level.what.commandLine.hasPrefix("--level is for archives"))
    }
  }

  @Test func `a slash at the end of a folder says nothing`() throws {
    try library("recipe('A')")
    try shelf.export(to: "nextcloud:out/")
    #expect(try names("") == ["in.paprikarecipes", "kitchen.sqlite", "out"])
    #expect(try names() == ["A"])
  }

  @Test(arguments: ["melarecipe", "paprikarecipe", "json"])
  func `each recipe goes into a file of its own`(_ ending: String) throws {
    try library("recipe('A')", "recipe('B')")
    let each = ExportEach(
      "Recipe",
      of: shelf.path("kitchen.sqlite"),
      into: shelf.path("each/*.\(ending)"),
      options: CopyOptions()
    )
    var sources: [String] = []
    var objectCount: Int64 = 0
    let report = try each.run { event in
      guard case .working(.made(let report), _) = event else { return }
      sources.append(report.source.place)
      objectCount += report.copiedCount
    }
    #expect(report == ExportEach.Report(folder: shelf.path("each"), archiveCount: 2, objectCount: objectCount))
    #expect(objectCount >= 2)
    #expect(sources == [shelf.path("kitchen.sqlite"), shelf.path("kitchen.sqlite")])
    #expect(try names("each") == ["A.\(ending)", "B.\(ending)"])
    #expect(try back("each").titles.sorted() == ["A", "B"])
    let other = ExportEach(
      "Ingredient",
      of: shelf.path("kitchen.sqlite"),
      into: shelf.path("other/*.\(ending)"),
      options: CopyOptions()
    )
    #expect(throws: DecantError.self) { try other.run { _ in } }
  }
}
