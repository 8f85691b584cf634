import Decant
import Foundation
import TestSupport
import Testing

/// Objects of a mapped Core Data store that were rejected for their values: mended by hand, they come back.
@Suite struct MappedRejectTests {
  private let folder: TemporaryFolder
  private let store: String
  private var file: String { folder.path("rejects.decant") }
  private var out: String { folder.path("out.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    store = folder.path("Kitchen.sqlite")
    let sample = Fixtures.projectFolder.appendingPathComponent("samples/Kitchen.sqlite")
    try FileManager.default.copyItem(at: sample, to: URL(fileURLWithPath: store))
  }

  private func copy(_ text: String) throws -> CopyReport {
    var options = CopyOptions()
    options.mapping = try Mapping(text: text, place: "map.yaml")
    options.onError = .reject
    options.rejectsFile = file
    return try Copy(from: store, to: out, options: options).run()
  }

  /// Has `python3` change the lines of the file, each of which is `line`.
  private func mend(_ statement: String) throws {
    let script = """
      import json, sys
      lines = [json.loads(text) for text in open(sys.argv[1], encoding='utf-8')]
      for line in lines:
        if 'reject' in line: \(statement)
      with open(sys.argv[1], 'w', encoding='utf-8') as out:
        for line in lines: out.write(json.dumps(line) + '\\n')
      """
    let run = try Program.run(["python3", "-c", script, file])
    #expect(run.status == 0, "\(run.errors)")
  }

  /// What `python3` reads of the lines: `text`, an expression over `line`, of each that was rejected; of one entity.
  private func told(_ text: String, of entity: String = "") throws -> String {
    let script = """
      import json, sys
      for text in open(sys.argv[1], encoding='utf-8'):
        line = json.loads(text)
        if 'reject' in line and line['e'].endswith('\(entity)'): print(\(text))
      """
    return try Program.run(["python3", "-c", script, file]).output
  }

  /// All ingredients with their recipes, told by values; `place` is what they have for `sortIndex`.
  private func ingredients(_ file: String, _ place: String = "i.ZSORTINDEX") throws -> String {
    try Program.sqlite3(
      file,
      """
      SELECT i.ZNAME, \(place), typeof(\(place)), i.ZAMOUNT, i.ZUNIT, i.ZNOTE, i.ZISGARNISH, hex(i.ZUUID), r.ZTITLE
      FROM ZINGREDIENT AS i LEFT JOIN ZRECIPE AS r ON r.Z_PK = i.ZRECIPE ORDER BY hex(i.ZUUID), 1
      """
    )
  }

  @Test(arguments: ["99999", "'first'", "1.5", "x'0102'"])
  func `a value that does not convert stands in the line, and the object comes back with another`(
    _ value: String
  ) throws {
    let report = try copy(
      """
      entities: { Ingredient: { set: { sortIndex: "CASE WHEN _id % 10 = 0 THEN \(value) ELSE sortIndex END" } } }
      """
    )
    #expect(report.rejectedByCode == [.convert: 7] && report.isVerified)
    // Seven keys from 10 to 70; each line has the value as it came.
    let written = [
      "99999": "99999", "'first'": "first", "1.5": "1.5", "x'0102'": "{'base64': 'AQI='}",
    ]
    #expect(
      try told("line['id'], line['v']['sortIndex'], line['v']['name'] != ''")
        == (1...7).map { "\($0)0 \(written[value] ?? "") True\n" }.joined()
    )
    // As it is, it is refused again, and that is told.
    let before = try ingredients(out)
    let refused = try Import([file], into: out).run()
    #expect(refused.first?.unread.count == 7 && refused.first?.isPartial == true)
    #expect(refused.first?.unread.first?.entry == "Ingredient p10")
    #expect(
      refused.first?.unread.first?.reason.hasPrefix("convert: Ingredient.sortIndex is a 16-bit integer") == true
    )
    #expect(try ingredients(out) == before)
    try mend("line['v']['sortIndex'] = 7")
    let taken = try Import([file], into: out).run()
    #expect(taken.first?.unread.isEmpty == true && taken.first?["Ingredient"]?.copied == 7)
    let expected = try ingredients(store, "CASE WHEN i.Z_PK % 10 = 0 THEN 7 ELSE i.ZSORTINDEX END")
    #expect(try ingredients(out) == expected)
  }

  @Test func `dates and identifiers are mended as a person writes them`() throws {
    let report = try copy(
      """
      entities:
        Recipe:
          set:
            createdAt: "CASE WHEN _id = 2 THEN 'soon' ELSE createdAt END"
            uuid: "CASE WHEN _id = 3 THEN 'none' ELSE uuid END"
      """
    )
    let count = try Int64(Program.sqlite3(store, "SELECT count(*) FROM ZINGREDIENT WHERE ZRECIPE IN (2, 3)"))
    #expect(report.rejectedByCode == [.convert: 2, .link: count ?? -1])
    try mend(
      """
      line['e'] == 'Recipe' and line['v'].update({'createdAt': '2026-01-31T08:15:00Z'} if line['id'] == 2 else
            {'uuid': '6BA7B810-9DAD-11D1-80B4-00C04FD430C8'})
      """
    )
    #expect(try Import([file], into: out).run().first?.unread.isEmpty == true)
    // 2026-01-31 08:15 in seconds since 2001, by Python: (datetime(2026,1,31,8,15)-datetime(2001,1,1)).total_seconds()
    let other =
      "hex(ZUUID), ZCREATEDAT, ZSERVINGS, (SELECT ZNAME FROM ZCATEGORY AS c WHERE c.Z_PK = ZCATEGORY)"
    #expect(
      try Program.sqlite3(out, "SELECT ZTITLE, \(other) FROM ZRECIPE ORDER BY 1")
        == Program.sqlite3(
          store,
          """
          UPDATE ZRECIPE SET ZCREATEDAT = 791540100 WHERE Z_PK = 2;
          UPDATE ZRECIPE SET ZUUID = x'6BA7B8109DAD11D180B400C04FD430C8' WHERE Z_PK = 3;
          SELECT ZTITLE, \(other) FROM ZRECIPE ORDER BY 1
          """
        )
    )
  }

  /// Recipe 3 with its tags and ingredients, told by values.
  private func family(_ file: String, _ title: String) throws -> String {
    try Program.sqlite3(
      file,
      """
      SELECT r.ZTITLE, r.ZSERVINGS, hex(r.ZUUID), c.ZNAME, (SELECT group_concat(ZNAME) FROM (SELECT t.ZNAME
        FROM Z_6TAGS AS j JOIN ZTAG AS t ON t.Z_PK = j.Z_8TAGS WHERE j.Z_6RECIPES = r.Z_PK ORDER BY 1))
      FROM ZRECIPE AS r LEFT JOIN ZCATEGORY AS c ON c.Z_PK = r.ZCATEGORY WHERE r.ZTITLE = '\(title)';
      SELECT i.ZNAME, i.ZAMOUNT, hex(i.ZUUID) FROM ZINGREDIENT AS i JOIN ZRECIPE AS r ON r.Z_PK = i.ZRECIPE
      WHERE r.ZTITLE = '\(title)' ORDER BY 1, 3;
      SELECT count(*), count(ZRECIPE) FROM ZINGREDIENT;
      """
    )
  }

  @Test func `a parent without a value comes back with those that were rejected with it`() throws {
    let report = try copy(
      """
      entities: { Recipe: { set: { title: "CASE WHEN _id = 3 THEN NULL ELSE title END" } } }
      relationships: { Ingredient.recipe: { missing: reject } }
      """
    )
    let count = try Int64(Program.sqlite3(store, "SELECT count(*) FROM ZINGREDIENT WHERE ZRECIPE = 3"))
    #expect(report.rejectedByCode == [.notnull: 1, .link: count ?? -1] && (count ?? 0) > 1)
    #expect(report.isVerified)
    // Without their parent the children are not taken, whatever becomes of what is refused.
    let spare = folder.path("spare.sqlite")
    try FileManager.default.copyItem(atPath: out, toPath: spare)
    let everything =
      "SELECT count(*), count(ZRECIPE) FROM ZINGREDIENT; SELECT count(*) FROM ZRECIPE"
    let before = try Program.sqlite3(spare, everything)
    for onError in [CopyOptions.OnError.stop, .reject] {
      var work = Import([file], into: spare)
      work.options.onError = onError
      let orphans = try #require(try work.run().first)
      #expect(orphans.unread.first?.entry == "Recipe p3" && orphans.isPartial)
      let children = orphans.unread.dropFirst()
      #expect(
        children.count == (count ?? 0)
          && children.allSatisfy { $0.entry?.hasPrefix("Ingredient p") == true }
      )
      #expect(
        Set(children.map(\.reason))
          == ["link: its link Ingredient.recipe points to Recipe p3, which was skipped"]
      )
      #expect(try Program.sqlite3(spare, everything) == before)
    }
    try mend("line['v'].get('title', '') is None and line['v'].update(title='Mended')")
    for place in [out, spare] {
      let taken = try Import([file], into: place).run()
      #expect(taken.first?.unread.isEmpty == true && taken.first?["Recipe"]?.copied == 1)
      #expect(taken.first?["Ingredient"]?.copied == count)
    }
    _ = try Program.sqlite3(store, "UPDATE ZRECIPE SET ZTITLE = 'Mended' WHERE Z_PK = 3")
    for place in [out, spare] {
      #expect(try family(place, "Mended") == family(store, "Mended"))
      // Each comes once.
      #expect(try Import([file], into: place).run().first?.copiedCount == 0)
      #expect(try family(place, "Mended") == family(store, "Mended"))
    }
  }

  @Test func `a parent whose line was taken out leaves its children out`() throws {
    _ = try copy(
      """
      entities: { Recipe: { set: { title: "CASE WHEN _id = 3 THEN NULL ELSE title END" } } }
      relationships: { Ingredient.recipe: { missing: reject } }
      """
    )
    let before = try Program.sqlite3(out, "SELECT count(*), count(ZRECIPE) FROM ZINGREDIENT")
    let script = """
      import json, sys
      lines = [text for text in open(sys.argv[1], encoding='utf-8') if json.loads(text).get('e') != 'Recipe']
      with open(sys.argv[1], 'w', encoding='utf-8') as out: out.writelines(lines)
      """
    #expect(try Program.run(["python3", "-c", script, file]).status == 0)
    let report = try #require(try Import([file], into: out).run().first)
    #expect(!report.unread.isEmpty && report.copiedCount == 0)
    #expect(
      Set(report.unread.map(\.reason)) == [
        "link: its link Ingredient.recipe points to Recipe p3, which is not in the file, and the link is required"
      ]
    )
    #expect(try Program.sqlite3(out, "SELECT count(*), count(ZRECIPE) FROM ZINGREDIENT") == before)
    // One that is to be without says so.
    try mend("line['r']['recipe'] = None")
    #expect(try Import([file], into: out).run().first?.copiedCount == Int64(report.unread.count))
  }

  @Test func `what must not be without a rejected object is rejected with it`() throws {
    // Nothing is said of links, and ingredients must have a recipe as the model has it.
    let report = try copy("entities: { Recipe: { set: { title: \"CASE WHEN _id = 3 THEN NULL ELSE title END\" } } }")
    let count = try Int64(Program.sqlite3(store, "SELECT count(*) FROM ZINGREDIENT WHERE ZRECIPE = 3"))
    #expect(report.rejectedByCode == [.notnull: 1, .link: count ?? -1] && report.isVerified)
    #expect(
      try Program.sqlite3(out, "SELECT Z_PK, ZRECIPE FROM ZINGREDIENT")
        == Program.sqlite3(store, "SELECT Z_PK, ZRECIPE FROM ZINGREDIENT WHERE ZRECIPE <> 3")
    )
    // Unless somebody has said that they may.
    let other = folder.path("other.sqlite")
    var options = CopyOptions()
    options.mapping = try Mapping(
      text: """
        entities: { Recipe: { set: { title: "CASE WHEN _id = 3 THEN NULL ELSE title END" } } }
        relationships: { Ingredient.recipe: { missing: null } }
        """,
      place: "map.yaml"
    )
    options.onError = .reject
    let cut = try Copy(from: store, to: other, options: options).run()
    #expect(cut.rejectedByCode == [.notnull: 1])
    #expect(
      try Program.sqlite3(other, "SELECT count(*) FROM ZINGREDIENT WHERE ZRECIPE IS NULL")
        == "\(count ?? -1)"
    )
  }

  @Test func `what the mapping leaves to the model's default is so in a mended object`() throws {
    let report = try copy(
      """
      entities:
        Recipe:
          set: { servings: "CASE WHEN _id = 2 THEN 'many' ELSE servings END" }
          drop: [cookMinutes, isFavorite]
        Ingredient: { where: "recipe <> 2" }
      """
    )
    #expect(report.rejectedByCode == [.convert: 1] && report.isVerified)
    #expect(try told("'cookMinutes' in line['v']") == "False\n")
    try mend("line['v']['servings'] = 4")
    let mended = try #require(try Import([file], into: out).run().first)
    #expect(mended.unread.isEmpty && mended["Recipe"]?.copied == 1)
    // The same as in those that were copied.
    #expect(try Program.sqlite3(out, "SELECT DISTINCT ZCOOKMINUTES, ZISFAVORITE FROM ZRECIPE") == "0|0")
    #expect(
      try Program.sqlite3(out, "SELECT ZSERVINGS, ZTITLE FROM ZRECIPE ORDER BY 2")
        == Program.sqlite3(
          store,
          "UPDATE ZRECIPE SET ZSERVINGS = 4 WHERE Z_PK = 2; SELECT ZSERVINGS, ZTITLE FROM ZRECIPE ORDER BY 2"
        )
    )
  }

  @Test func `what no value can be had of is named, and has to be said`() throws {
    let report = try copy(
      """
      entities:
        Recipe:
          set: { subtitle: "CASE WHEN _id IN (4, 7) THEN abs(-9223372036854775807 - (_id > 0)) ELSE subtitle END" }
      """
    )
    // Their ingredients must not be without them.
    let count = try Int64(Program.sqlite3(store, "SELECT count(*) FROM ZINGREDIENT WHERE ZRECIPE IN (4, 7)"))
    #expect(report.rejectedByCode == [.convert: 2, .link: count ?? -1])
    #expect(
      try told("line['id'], line['reject']['lacks'], 'subtitle' in line['v'], 'category' in line['r']", of: "Recipe")
        == "4 ['subtitle'] False True\n7 ['subtitle'] False True\n"
    )
    let refused = try Import([file], into: out).run()
    #expect(refused.first?.unread.count == 2 + Int(count ?? 0))
    #expect(refused.first?.unread.first?.reason == "its line does not give subtitle")
    try mend("line['e'] == 'Recipe' and line['v'].update(subtitle=None if line['id'] == 4 else 'said')")
    #expect(try Import([file], into: out).run().first?.unread.isEmpty == true)
    let rows = "SELECT ZTITLE, ZSUBTITLE, hex(ZUUID), ZRATING FROM ZRECIPE ORDER BY 1"
    #expect(
      try Program.sqlite3(out, rows)
        == Program.sqlite3(
          store,
          """
          UPDATE ZRECIPE SET ZSUBTITLE = CASE WHEN Z_PK = 7 THEN 'said' END WHERE Z_PK IN (4, 7);
          \(rows)
          """
        )
    )
  }

  @Test func `what is refused of a file of rejects is in another one`() throws {
    _ = try copy(
      """
      entities: { Ingredient: { set: { sortIndex: "CASE WHEN _id % 10 = 0 THEN 99999 ELSE sortIndex END" } } }
      """
    )
    try mend("line['v']['sortIndex'] = line['id']")
    _ = try Program.sqlite3(
      out,
      "CREATE UNIQUE INDEX one ON ZINGREDIENT (ZSORTINDEX) WHERE ZSORTINDEX > 40; "
        + "UPDATE ZINGREDIENT SET ZSORTINDEX = 50 WHERE Z_PK = 1"
    )
    let second = folder.path("second.decant")
    var work = Import([file], into: out)
    work.options.onError = .reject
    work.options.rejectsFile = second
    let report = try work.run().first
    #expect(report?.rejectedByCode == [.unique: 1] && report?["Ingredient"]?.copied == 6)
    _ = try Program.sqlite3(out, "DROP INDEX one; UPDATE ZINGREDIENT SET ZSORTINDEX = 0 WHERE Z_PK = 1")
    _ = try Program.sqlite3(store, "UPDATE ZINGREDIENT SET ZSORTINDEX = 0 WHERE Z_PK = 1")
    #expect(try Import([second], into: out).run().first?["Ingredient"]?.copied == 1)
    let expected = try ingredients(store, "CASE WHEN i.Z_PK % 10 = 0 THEN i.Z_PK ELSE i.ZSORTINDEX END")
    #expect(try ingredients(out) == expected)
  }

  @Test(.enabled(if: Fixtures.areAvailable))
  func `of two objects with the same values the second is rejected, or both are named`() throws {
    let cars = try Fixtures.copyStore("cdp-samplemodel-v1/SampleModel_V1.sqlite", into: folder.url).path
    var options = CopyOptions()
    options.mapping = try Mapping(
      text: """
        entities: { Car: { set: { numberPlate: "CASE WHEN _id IN (10, 11) THEN 'same' ELSE numberPlate END" } } }
        """,
      place: "map.yaml"
    )
    let error = #expect(throws: DecantError.self) {
      try Copy(from: cars, to: out, options: options).run()
    }
    #expect(error?.message.hasPrefix("two objects of Car have the same numberPlate") == true)
    #expect(error?.place == "p10 and p11 are the first pair")
    #expect(!FileManager.default.fileExists(atPath: out))
    options.onError = .reject
    let report = try Copy(from: cars, to: out, options: options).run()
    #expect(report.rejectedByCode == [.unique: 1] && report.isVerified)
    let others = "SELECT Z_PK, ZNUMBERPLATE FROM ZCAR WHERE Z_PK <> 10 AND Z_PK <> 11 ORDER BY 1"
    #expect(try Program.sqlite3(out, others) == Program.sqlite3(cars, others))
    #expect(
      try Program.sqlite3(out, "SELECT Z_PK, ZNUMBERPLATE FROM ZCAR WHERE Z_PK IN (10, 11)")
        == "10|same"
    )
    let indexes = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY 1"
    #expect(try Program.sqlite3(out, indexes) == Program.sqlite3(cars, indexes))
  }
}
