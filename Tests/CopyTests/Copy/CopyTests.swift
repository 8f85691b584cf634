import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@Suite struct CopyTests {
  let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  @Test(arguments: [false, true])
  func `a new store holds every row of its source`(rowByRow: Bool) throws {
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out) {
      if rowByRow { $0.filters = [.everything] }
    }
    #expect(report.isVerified)
    #expect(try Kitchens.rows(of: kitchens.out) == Kitchens.rows(of: kitchens.kitchen))
    #expect(try Program.sqlite3(kitchens.out, "PRAGMA integrity_check") == "ok")
    let schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
    #expect(try Program.sqlite3(kitchens.out, schema) == Program.sqlite3(kitchens.kitchen, schema))
    let model = "SELECT hex(Z_CONTENT) FROM Z_MODELCACHE"
    #expect(try Program.sqlite3(kitchens.out, model) == Program.sqlite3(kitchens.kitchen, model))
    let pragmas = "PRAGMA page_size; PRAGMA auto_vacuum; PRAGMA freelist_count"
    #expect(try Program.sqlite3(kitchens.out, pragmas) == "4096\n2\n0")
    #expect(!FileManager.default.fileExists(atPath: kitchens.out + ".decant-partial"))
    #expect(!FileManager.default.fileExists(atPath: kitchens.out + "-journal"))
  }

  @Test func `a new store has an identifier of its own and the app's metadata`() throws {
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out)
    let uuid = "SELECT Z_UUID FROM Z_METADATA"
    #expect(try Program.sqlite3(kitchens.out, uuid) != Program.sqlite3(kitchens.kitchen, uuid))
    #expect(try Program.sqlite3(kitchens.out, uuid) == report.destination.uuid)
    let list = "SELECT hex(Z_PLIST) FROM Z_METADATA"
    #expect(try Program.sqlite3(kitchens.out, list) == Program.sqlite3(kitchens.kitchen, list))
  }

  @Test(arguments: [1, 2, 7, 1000])
  func `pouring a store into another gives both, whatever the batch size`(batchSize: Int64) throws {
    let both = try Kitchens.content(of: kitchens.kitchen) + Kitchens.content(of: kitchens.guests)
    let before = try Kitchens.rows(of: kitchens.kitchen)
    let report = try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
      $0.appends = true
      $0.batchSize = batchSize
    }
    #expect(report.isVerified)
    #expect(try Kitchens.content(of: kitchens.kitchen) == both)
    // What was there is still there under its own keys; the counters cover every key.
    for table in Kitchens.tables {
      let counter = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE 'Z' || upper(Z_NAME) = '\(table)'"
      let highest = "SELECT max(Z_PK) FROM \(table)"
      #expect(
        try Program.sqlite3(kitchens.kitchen, counter)
          == Program.sqlite3(kitchens.kitchen, highest)
      )
    }
    let old = try Kitchens()
    #expect(try Kitchens.rows(of: old.kitchen) == before)
    let attach = "ATTACH '\(old.kitchen)' AS old;"
    for table in Kitchens.tables + ["Z_6TAGS"] {
      let lost = "\(attach) SELECT * FROM old.\(table) EXCEPT SELECT * FROM main.\(table)"
      #expect(try Program.sqlite3(kitchens.kitchen, lost) == "")
    }
  }

  @Test func `the result does not depend on the batch size`() throws {
    var results: [[String]] = []
    for batchSize in [1, 2, 7, 1000] {
      let place = kitchens.folder.path("out-\(batchSize).sqlite")
      try kitchens.copy(kitchens.kitchen, to: place) {
        $0.filters = [
          .init(entity: "Recipe", expression: "Z_RATING >= 3".replacing("Z_", with: ""))
        ]
        $0.batchSize = Int64(batchSize)
      }
      results.append(try Kitchens.rows(of: place))
    }
    #expect(Set(results).count == 1)
  }

  /// A copy that is large beside what is there builds the indexes at its end.
  @Test(arguments: [1, 30])
  func `indexes are what they were, whatever is added`(factor: Int) throws {
    let schema = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY 1, 2"
    if factor > 1 {
      _ = try Program.sqlite3(
        kitchens.kitchen,
        """
        WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(factor))
        INSERT INTO ZINGREDIENT (Z_ENT, Z_OPT, ZNAME, ZRECIPE) SELECT 5, 1, 'n' || i, 1 FROM n, ZTAG;
        """
      )
    }
    let before = try Program.sqlite3(kitchens.guests, schema)
    #expect(try kitchens.copy(kitchens.kitchen, to: kitchens.guests) { $0.appends = true }.isVerified)
    #expect(try Program.sqlite3(kitchens.guests, schema) == before && before.contains("index|"))
    #expect(try Program.sqlite3(kitchens.guests, "PRAGMA integrity_check") == "ok")
  }

  @Test func `there and back again is the same up to keys`() throws {
    // An emptied store that remembers the keys it handed out: whatever comes gets others.
    try kitchens.copy(kitchens.kitchen, to: kitchens.out)
    let emptied = (Kitchens.tables + ["Z_6TAGS"]).map { "DELETE FROM \($0);" }.joined()
    _ = try Program.sqlite3(kitchens.out, emptied)
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out)
    #expect(report.copiedCount == 147)
    #expect(try Kitchens.rows(of: kitchens.out) != Kitchens.rows(of: kitchens.kitchen))
    let back = kitchens.folder.path("back.sqlite")
    try kitchens.copy(kitchens.out, to: back)
    #expect(try Kitchens.content(of: back) == Kitchens.content(of: kitchens.kitchen))
  }

  @Test func `a store that holds objects is added to only when that was said`() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: kitchens.kitchen))
    let error = #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.guests, to: kitchens.kitchen)
    }
    #expect(error?.family == .usage)
    #expect(error?.message.contains("already holds 73 Ingredient") == true)
    #expect(error?.advice?.commandLine.contains("--append") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: kitchens.kitchen)) == before)
  }

  @Test func `links to objects that a condition leaves out become null and are counted`() throws {
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out) {
      $0.filters = [.init(entity: "Category", expression: "name <> 'Soups'")]
    }
    let gone = "SELECT Z_PK FROM ZCATEGORY WHERE ZNAME = 'Soups'"
    let cut = try Program.sqlite3(kitchens.kitchen, "SELECT count(*) FROM ZRECIPE WHERE ZCATEGORY IN (\(gone))")
    #expect(report["Category"]?.filtered == 1)
    #expect(report.links.cut == Int64(cut))
    #expect(cut != "0")
    let open = "SELECT count(*) FROM ZRECIPE WHERE ZCATEGORY IS NULL"
    let before = try Program.sqlite3(kitchens.kitchen, open)
    #expect(try Program.sqlite3(kitchens.out, open) == "\((Int(before) ?? 0) + (Int(cut) ?? 0))")
  }

  @Test func `a condition may ask other entities`() throws {
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out) {
      $0.filters = [
        .init(entity: "Recipe", expression: "category IN (SELECT _id FROM Category WHERE name = 'Soups')")
      ]
    }
    let expected = try Program.sqlite3(
      kitchens.kitchen,
      """
      SELECT count(*) FROM ZRECIPE JOIN ZCATEGORY AS c ON c.Z_PK = ZCATEGORY WHERE c.ZNAME = 'Soups'
      """
    )
    #expect(report["Recipe"]?.copied == Int64(expected))
    #expect(expected != "0")
  }

  @Test(arguments: [false, true])
  func `links that lead nowhere become null and are counted`(rowByRow: Bool) throws {
    _ = try Program.sqlite3(
      kitchens.kitchen,
      """
      UPDATE ZRECIPE SET ZCATEGORY = 999 WHERE Z_PK = 2; UPDATE ZRECIPE SET ZCOVER = 998 WHERE Z_PK = 1;
      UPDATE ZSTEP SET ZRECIPE = 997 WHERE Z_PK = 3; INSERT INTO Z_6TAGS VALUES (996, 1);
      """
    )
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out) {
      if rowByRow { $0.filters = [.everything] }
    }
    #expect(report.links.dangling == 4)
    let state = """
      SELECT ZCATEGORY IS NULL FROM ZRECIPE WHERE Z_PK = 2;
      SELECT ZCOVER IS NULL AND Z2_COVER IS NULL FROM ZRECIPE WHERE Z_PK = 1;
      SELECT ZRECIPE IS NULL AND Z_FOK_RECIPE IS NULL FROM ZSTEP WHERE Z_PK = 3;
      SELECT count(*) FROM Z_6TAGS WHERE Z_6RECIPES = 996
      """
    #expect(try Program.sqlite3(kitchens.out, state) == "1\n1\n1\n0")
  }

  @Test func `a dry run writes nothing and tells what would happen`() throws {
    let report = try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
      $0.appends = true
      $0.isDryRun = true
    }
    #expect(report.isDryRun)
    #expect(report.plan.first { $0.name == "Recipe" }?.idForm == "shift by 15")
    #expect(report["Recipe"]?.copied == 5)
    let recipe = report.plan.first { $0.name == "Recipe" }?.statement
    #expect(recipe?.contains("id('Category', r.category, 'Recipe.category')") == true)
    let untouched = try Kitchens()
    #expect(try Kitchens.rows(of: kitchens.kitchen) == Kitchens.rows(of: untouched.kitchen))
    let new = try kitchens.copy(kitchens.guests, to: kitchens.out) { $0.isDryRun = true }
    #expect(new.plan.allSatisfy { $0.idForm == "keep" || $0.idForm == nil })
    #expect(!FileManager.default.fileExists(atPath: kitchens.out))
    #expect(!FileManager.default.fileExists(atPath: kitchens.out + ".decant-partial"))
  }

  @Test(arguments: ["UTF-16le", "UTF-16be"], [false, true])
  func `a store in another encoding is copied`(encoding: String, rowByRow: Bool) throws {
    let source = kitchens.folder.path("utf16.sqlite")
    let script = kitchens.folder.path("dump.sql")
    let dump = try Program.sqlite3(kitchens.kitchen, ".dump")
    try Data("PRAGMA encoding = '\(encoding)';\n\(dump)\n".utf8)
      .write(to: URL(fileURLWithPath: script))
    _ = try Program.run(["sqlite3", "-batch", source, ".read dump.sql"], in: kitchens.folder.url)
    #expect(try Program.sqlite3(source, "PRAGMA encoding") == encoding)
    let report = try kitchens.copy(source, to: kitchens.out, rowByRow: rowByRow)
    #expect(report.isVerified)
    #expect(try Kitchens.rows(of: kitchens.out) == Kitchens.rows(of: kitchens.kitchen))
    #expect(try Program.sqlite3(kitchens.out, "PRAGMA integrity_check") == "ok")
  }
}
