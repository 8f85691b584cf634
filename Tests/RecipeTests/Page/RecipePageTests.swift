import Decant
import Foundation
import TestSupport
import Testing

/// The sample kitchen on a page, held against what the `sqlite3` program and Python read.
@Suite struct RecipePageTests {
  private let files: SharedFiles

  init() throws { files = try SharedFiles.kitchen() }

  @Test func `everything is on the page, once`() throws {
    let report = try files.writePage()
    let page = try files.readPage()
    page.checkHarmless()
    let tables = ["ZCATEGORY", "ZIMAGE", "ZINGREDIENT", "ZRECIPE", "ZSTEP", "ZTAG"]
    let count = try tables.reduce(Int64(0)) { sum, table in
      try sum + (Int64(Program.sqlite3(files.store, "SELECT count(*) FROM \(table)")) ?? 0)
    }
    #expect(report.objectCount == count)
    let titles = try files.column("SELECT ZTITLE FROM ZRECIPE ORDER BY ZTITLE COLLATE NOCASE")
    #expect(page.titles.filter(titles.contains) == titles)
    for step in try files.column("SELECT ZTEXT FROM ZSTEP") { #expect(page.words.contains(step)) }
    for tag in try files.column("SELECT ZNAME FROM ZTAG") { #expect(page.words.contains(tag)) }
    if HTML5.isAvailable { #expect(try HTML5.errors(in: files.page) == "") }
  }

  @Test func `pictures are the store's own bytes`() throws {
    try files.writePage()
    // Values that may lie outside begin with a mark when they do not.
    let expected = try files.column("SELECT substr(ZDATA, 2) FROM ZIMAGE").map { "image/png \($0)" }
    #expect(try files.readPage().pictures.sorted() == expected.sorted())
  }

  @Test func `steps and ingredients keep their order`() throws {
    for key in [7, 8] {
      try files.writePage(SharedScope(objects: [SharedObject("Recipe", Int64(key))]))
      let words = try files.readPage().words
      for sql in [
        "SELECT ZTEXT FROM ZSTEP WHERE ZRECIPE = \(key) ORDER BY Z_FOK_RECIPE",
        "SELECT ZNAME FROM ZINGREDIENT WHERE ZRECIPE = \(key) ORDER BY ZSORTINDEX, Z_PK",
      ] {
        let expected = try files.column(sql)
        #expect(expected.count > 1)
        var rest = Substring(words)
        // Behind the heading: what stands in the title may be an ingredient as well.
        rest = rest.range(of: "Ingredients").map { rest[$0.upperBound...] } ?? rest
        for text in expected {
          let place = rest.range(of: text)
          #expect(place != nil, "\(text)")
          if let place { rest = rest[place.upperBound...] }
        }
      }
    }
  }

  @Test func `values of a row stand in the order of its table's columns`() throws {
    let files = try SharedFiles()
    _ = try Program.sqlite3(
      files.store,
      """
      CREATE TABLE Note (id INTEGER PRIMARY KEY, title TEXT, zest TEXT, apple TEXT);
      INSERT INTO Note VALUES (1, 'first', 'z1', 'a1'), (2, 'second', 'z2', 'a2');
      """
    )
    try files.writePage()
    let words = try files.readPage().words
    let places = ["z1", "a1", "z2", "a2"].map { words.range(of: $0)?.lowerBound }
    #expect(!places.contains(nil) && places.compactMap(\.self) == places.compactMap(\.self).sorted())
  }

  /// Reads the recipe of each page as a program would, and each value as SQLite has it.
  @Test(arguments: 1...13) func `a recipe is told to programs as well`(_ key: Int64) throws {
    // One is missing.
    guard key != 5 else { return }
    try files.writePage(SharedScope(objects: [SharedObject("Recipe", key)]))
    let page = try files.readPage()
    let script = try #require(page.scripts.first { $0.type == "application/ld+json" })
    let faults: [String] = try files.python(
      """
      import json, sqlite3, sys, datetime
      recipe, key = json.loads(sys.argv[2]), sys.argv[3]
      db = sqlite3.connect(sys.argv[1])
      def column(sql): return [r[0] for r in db.execute(sql, (key,))]
      def time(minutes): return minutes and "PT" + (f"{minutes // 60}H" if minutes > 59 else "") \
          + (f"{minutes % 60}M" if minutes % 60 else "")
      title, subtitle, prep, cook, servings, author, url, created = db.execute(
          "SELECT ZTITLE, ZSUBTITLE, ZPREPMINUTES, ZCOOKMINUTES, ZSERVINGS, ZAUTHOR, ZSOURCEURL, ZCREATEDAT"
          " FROM ZRECIPE WHERE Z_PK = ?", (key,)).fetchone()
      day = (datetime.datetime(2001, 1, 1) + datetime.timedelta(seconds=created)).date().isoformat()
      expected = {"@context": "https://schema.org", "@type": "Recipe", "name": title,
          "description": subtitle, "prepTime": time(prep), "cookTime": time(cook),
          "recipeYield": servings and str(servings), "url": url, "datePublished": day,
          "author": author and {"@type": "Person", "name": author},
          "recipeCategory": column("SELECT c.ZNAME FROM ZCATEGORY c JOIN ZRECIPE r ON r.ZCATEGORY = c.Z_PK"
                                   " WHERE r.Z_PK = ?"),
          "recipeInstructions": [{"@type": "HowToStep", "text": t} for t in column(
              "SELECT ZTEXT FROM ZSTEP WHERE ZRECIPE = ? ORDER BY Z_FOK_RECIPE")]}
      expected = {k: v for k, v in expected.items() if v}
      tags = column("SELECT t.ZNAME FROM ZTAG t JOIN Z_6TAGS j ON j.Z_8TAGS = t.Z_PK WHERE j.Z_6RECIPES = ?")
      foods = column("SELECT ZNAME FROM ZINGREDIENT WHERE ZRECIPE = ? ORDER BY ZSORTINDEX, Z_PK")
      faults = [f"{k}: {recipe.get(k)!r}, not {v!r}" for k, v in expected.items() if recipe.get(k) != v]
      if sorted(recipe.pop("keywords", [])) != sorted(tags): faults.append("keywords")
      picture = recipe.pop("image", "")
      if bool(picture) != bool(column("SELECT ZCOVER FROM ZRECIPE WHERE ZCOVER NOT NULL AND Z_PK = ?")):
          faults.append("image")
      if picture and not picture.startswith("data:image/png;base64,iVBORw0KGgo"): faults.append("image")
      lines = recipe.pop("recipeIngredient", [])
      if len(lines) != len(foods) or any(f not in l for f, l in zip(foods, lines)): faults.append("ingredients")
      faults += [f"unexpected {k}" for k in recipe if k not in expected]
      print(json.dumps(faults))
      """,
      [files.store, script.text, "\(key)"]
    )
    #expect(faults.isEmpty, "\(faults)")
  }

  @Test func `amounts are written as cooks write them`() throws {
    _ = try Program.sqlite3(
      files.store,
      """
      UPDATE ZINGREDIENT SET ZAMOUNT = 1.5, ZUNIT = 'cup' WHERE Z_PK = 1;
      UPDATE ZINGREDIENT SET ZAMOUNT = 0.25, ZUNIT = 'tsp' WHERE Z_PK = 2;
      UPDATE ZINGREDIENT SET ZAMOUNT = 0.3333333, ZUNIT = 'l' WHERE Z_PK = 3;
      UPDATE ZINGREDIENT SET ZAMOUNT = 2.2, ZUNIT = 'kg' WHERE Z_PK = 4;
      """
    )
    try files.writePage(SharedScope(objects: [SharedObject("Recipe", 1)]))
    let words = try files.readPage().words
    for amount in ["1½ cup ", "¼ tsp ", "⅓ l ", "2.2 kg "] { #expect(words.contains(amount)) }
  }

  @Test func `the archive within is found again, however it is given`() throws {
    let lines = "{\"decant\":1}\n{\"t\":\"</script><!-- & > \\u003c é 🧁\"}\n{\"end\":true}"
    let bytes = Array(lines.utf8)
    for count in [1, 2, 7, 1_000] {
      try files.writePage(archive: SharedFiles.giver(bytes, count: count))
      let block = try #require(try files.readPage().scripts.last { $0.type == "application/vnd.decant" })
      #expect(!block.text.contains("<") && !block.text.contains(">") && !block.text.contains("&"))
      let same: Bool = try files.python(
        """
        import json, sys
        read = lambda text: [json.loads(line) for line in text.strip().split("\\n")]
        print(json.dumps(read(sys.argv[1]) == read(sys.argv[2])))
        """,
        [block.text, lines]
      )
      #expect(same && block.text.hasPrefix("\n{") && block.text.hasSuffix("\n"))
    }
  }
}

/// The unit of a column of times is one for all its rows.
@Suite struct PageTimeTests {
  /// A column, its values, and how the page shows them.
  struct Case: Sendable, CustomTestStringConvertible {
    let column: String
    let values: [Double]
    let shown: [String]
    var testDescription: String { "\(column) \(values)" }
  }

  @Test(arguments: [
    // Foundation's TimeInterval: 330 seconds among whole minutes.
    Case(column: "cookTime REAL", values: [330, 600, 3600, 45], shown: ["5 min 30 s", "10 min", "1 h", "45 s"]),
    // Minutes, one of them for a roast.
    Case(
      column: "cookTime REAL",
      values: [60, 120, 45, 300, 2.5],
      shown: ["1 h", "2 h", "45 min", "5 h", "2 min 30 s"]
    ),
    Case(column: "cookTime INTEGER", values: [330, 600], shown: ["5 h 30 min", "10 h"]),
    Case(column: "cookMinutes REAL", values: [330, 600], shown: ["5 h 30 min", "10 h"]),
    Case(column: "cookTimeSeconds INTEGER", values: [90, 30], shown: ["1 min 30 s", "30 s"]),
    Case(column: "cookTimeHours REAL", values: [1.5, 2], shown: ["1 h 30 min", "2 h"]),
  ])
  func `a column has one unit`(_ times: Case) throws {
    let files = try SharedFiles()
    let rows = times.values.enumerated().map { "(\($0 + 1), 'Recipe \($0)', 'Mix.', \($1))" }
    _ = try Program.sqlite3(
      files.store,
      """
      CREATE TABLE Recipe (id INTEGER PRIMARY KEY, title TEXT, instructions TEXT, \(times.column));
      INSERT INTO Recipe VALUES \(rows.joined(separator: ", "));
      """
    )
    try files.writePage()
    let words = try files.readPage().words
    for (place, shown) in times.shown.enumerated() {
      let part = words.split(separator: "Recipe \(place)").last ?? ""
      #expect(part.contains(shown), "\(times.values[place]): \(part)")
    }
  }
}
