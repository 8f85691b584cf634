import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Queries over the sample store; what they should give, the `sqlite3` program reads from its tables.
@Suite struct QueryTests {
  private let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  private func rows(_ sql: String, in store: String? = nil) throws -> [[QueryValue]] {
    let query = try QueryRows(StoreQuery(sql, in: store ?? kitchens.kitchen))
    var rows: [[QueryValue]] = []
    while let row = try query.next() { rows.append(row) }
    return rows
  }

  /// Values as `sqlite3 -list` prints them.
  private func text(_ rows: [[QueryValue]]) -> String {
    rows.map { row in
      row.map { value in
        switch value {
        case .null: ""
        case .integer(let integer): "\(integer)"
        case .double(let double): "\(double)"
        case .text(let text): text
        case .boolean(let isTrue): isTrue ? "1" : "0"
        case .float, .date, .uuid, .bytes: "?"
        }
      }.joined(separator: "|")
    }.joined(separator: "\n")
  }

  @Test(arguments: [
    ("SELECT _id, title FROM Recipe", "SELECT Z_PK, ZTITLE FROM ZRECIPE"),
    (
      "SELECT title, category FROM Recipe WHERE rating >= 4 ORDER BY title",
      "SELECT ZTITLE, ZCATEGORY FROM ZRECIPE WHERE ZRATING >= 4 ORDER BY ZTITLE"
    ),
    (
      "SELECT r.title, c.name FROM Recipe AS r LEFT JOIN Category AS c ON c._id = r.category",
      "SELECT ZTITLE, ZNAME FROM ZRECIPE AS r LEFT JOIN ZCATEGORY AS c ON c.Z_PK = r.ZCATEGORY"
    ),
    (
      """
      SELECT t.name, count(*) FROM Tag AS t JOIN Recipe_tags AS l ON l.Tag_id = t._id
      JOIN Recipe AS r ON r._id = l.Recipe_id GROUP BY t.name ORDER BY 1
      """,
      """
      SELECT t.ZNAME, count(*) FROM ZTAG AS t JOIN Z_6TAGS AS l ON l.Z_8TAGS = t.Z_PK
      GROUP BY t.ZNAME ORDER BY 1
      """
    ),
    (
      "SELECT Tag_id, Recipe_id FROM Tag_recipes ORDER BY 1, 2",
      "SELECT Z_8TAGS, Z_6RECIPES FROM Z_6TAGS ORDER BY 1, 2"
    ),
    (
      "SELECT text FROM Step WHERE recipe = 6 ORDER BY recipe_position",
      "SELECT ZTEXT FROM ZSTEP WHERE ZRECIPE = 6 ORDER BY Z_FOK_RECIPE"
    ),
    (
      "SELECT _entity, _id FROM Image ORDER BY _id",
      """
      SELECT p.Z_NAME, i.Z_PK FROM ZIMAGE AS i JOIN Z_PRIMARYKEY AS p ON p.Z_ENT = i.Z_ENT
      ORDER BY i.Z_PK
      """
    ),
    (
      "SELECT caption FROM StepImage",
      """
      SELECT ZCAPTION1 FROM ZIMAGE WHERE Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY
      WHERE Z_NAME = 'StepImage')
      """
    ),
    (
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT i FROM n",
      "VALUES (1), (2), (3), (4)"
    ),
    (
      "SELECT count(*) FROM Recipe WHERE createdAt < date_value('2019-01-01');",
      """
      SELECT count(*) FROM ZRECIPE
      WHERE datetime(ZCREATEDAT + 978307200, 'unixepoch') < '2019-01-01'
      """
    ),
    (
      "SELECT title FROM Recipe WHERE uuid = uuid_value('5099f3f1-814B-8E7F-8EAE-14E5D367AF9C')",
      "SELECT ZTITLE FROM ZRECIPE WHERE hex(ZUUID) = '5099F3F1814B8E7F8EAE14E5D367AF9C'"
    ),
    (
      "SELECT title, value FROM Recipe, json_each('[1, 2]') WHERE _id = 3",
      "SELECT ZTITLE, value FROM ZRECIPE, json_each('[1, 2]') WHERE Z_PK = 3"
    ),
    (
      "SELECT createdAt IN ('2020-01-01' + 0, '6e8') FROM Recipe WHERE createdAt > '626126712'",
      "SELECT ZCREATEDAT IN (2020, 6e8) FROM ZRECIPE WHERE ZCREATEDAT > 626126712"
    ),
    (
      "SELECT title FROM Recipe WHERE date_text(createdAt) > '2020' AND subtitle > '2020-01-01'",
      """
      SELECT ZTITLE FROM ZRECIPE WHERE ZCREATEDAT >= 599529600 AND ZSUBTITLE > '2020-01-01'
      """
    ),
    (
      "SELECT uuid_text(uuid), isFavorite, viewCount FROM Recipe -- all of them",
      """
      SELECT substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-' || substr(h, 13, 4) || '-' ||
        substr(h, 17, 4) || '-' || substr(h, 21), f, v
      FROM (SELECT hex(ZUUID) AS h, ZISFAVORITE AS f, ZVIEWCOUNT AS v FROM ZRECIPE)
      """
    ),
  ])
  func `entities give what their tables hold`(_ sql: String, _ tables: String) throws {
    let found = try text(rows(sql))
    #expect(try found == Program.sqlite3(kitchens.kitchen, tables))
    #expect(!found.isEmpty)
  }

  @Test func `values have the columnRole of their attribute`() throws {
    _ = try Program.sqlite3(
      kitchens.kitchen,
      """
      UPDATE ZRECIPE SET ZCREATEDAT = 'soon', ZISFAVORITE = 2, ZUUID = x'00', ZRATING = 0.1,
        ZLASTCOOKEDAT = 9e18 WHERE Z_PK = 1;
      UPDATE ZRECIPE SET ZRATING = 4.099999904632568 WHERE Z_PK = 2
      """
    )
    let strange = try rows("SELECT createdAt, isFavorite, uuid, rating, lastCookedAt FROM Recipe WHERE _id = 1")
    // What is none of the type is shown as it is.
    #expect(
      strange == [
        [
          .text("soon"), .integer(2), .bytes(ByteSummary(byteCount: 1)), .double(0.1),
          .date(9e18),
        ]
      ]
    )
    let usual = try rows("SELECT createdAt, isFavorite, rating, price FROM Recipe WHERE _id = 2")
    #expect(usual == [[.date(626_126_712.25), .boolean(false), .float(4.1), .double(4.15)]])
  }

  @Test func `bytes are told by size and kind, files by theirs`() throws {
    let files = kitchens.folder.url.appendingPathComponent(".Kitchen_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    let (present, absent) = (UUID().uuidString, UUID().uuidString)
    try Data([0xff, 0xd8, 0xff] + [UInt8](repeating: 0, count: 5_000)).write(to: files.appendingPathComponent(present))
    func reference(_ name: String) -> String {
      "x'02" + name.utf8.map { String($0, radix: 16) }.joined() + "00'"
    }
    _ = try Program.sqlite3(
      kitchens.kitchen,
      """
      UPDATE ZIMAGE SET ZDATA = \(reference(present)) WHERE Z_PK = 1;
      UPDATE ZIMAGE SET ZDATA = \(reference(absent)) WHERE Z_PK = 2;
      UPDATE ZIMAGE SET ZDATA = NULL WHERE Z_PK = 3;
      UPDATE ZIMAGE SET ZDATA = CAST(x'0189504e470d0a1a0a' || zeroblob(5000000) AS BLOB)
        WHERE Z_PK = 4;
      UPDATE ZRECIPE SET ZNUTRITION = zeroblob(5000000) WHERE Z_PK = 2
      """
    )
    let inline = try Program.sqlite3(kitchens.kitchen, "SELECT length(ZDATA) - 1 FROM ZIMAGE WHERE Z_PK = 5")
    #expect(
      try rows("SELECT data FROM Image WHERE _id <= 5 ORDER BY _id") == [
        [.bytes(ByteSummary(byteCount: 5_003, image: .jpeg))],
        [.bytes(ByteSummary(byteCount: nil))], [.null],
        [.bytes(ByteSummary(byteCount: 5_000_008, image: .png))],
        [.bytes(ByteSummary(byteCount: Int64(inline), image: .png))],
      ]
    )
    #expect(
      try rows("SELECT nutrition FROM Recipe WHERE _id = 2")
        == [[.bytes(ByteSummary(byteCount: 5_000_000))]]
    )
    #expect(
      try rows("SELECT nutrition, data FROM Recipe, Image WHERE Recipe._id = 1 AND Image._id = 2")
        == [[.bytes(ByteSummary(byteCount: 362)), .bytes(ByteSummary(byteCount: nil))]]
    )
  }

  @Test func `a store is the same after a query, and open to no other file`() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: kitchens.kitchen))
    #expect(try rows("SELECT * FROM Recipe").count == 12)
    #expect(try Data(contentsOf: URL(fileURLWithPath: kitchens.kitchen)) == before)
  }

  @Test func `no more of a text is read than asked for`() throws {
    var query = StoreQuery("SELECT 'Käse', '𝄞𝄞', 'abcde', 'abcd'", in: kitchens.kitchen)
    query.textByteLimit = 5
    // A character that the limit cuts is left out.
    #expect(try QueryRows(query).next() == [.text("Käse"), .text("𝄞"), .text("abcde"), .text("abcd")])
  }

  @Test func `a query can be stopped`() throws {
    let cancellation = Cancellation()
    let query = StoreQuery(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
      in: kitchens.kitchen
    )
    let work = query.reading { rows throws(DecantError) in
      #expect(try rows.next() == [.integer(1)])
      cancellation.cancel()
      while try rows.next() != nil {}
    }
    let error = #expect(throws: DecantError.self) { try work.run(cancellation: cancellation) }
    #expect(error?.family == .interrupted)
  }

  @Test func `one long step of a query can be stopped, and its rows end with it`() throws {
    let cancellation = Cancellation()
    let query = StoreQuery(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
      in: kitchens.kitchen
    )
    let work = query.reading { rows throws(DecantError) in try rows.next() }
    let clock = ContinuousClock()
    let stop = Thread {
      Thread.sleep(forTimeInterval: 0.3)
      cancellation.cancel()
    }
    stop.start()
    let start = clock.now
    let error = #expect(throws: DecantError.self) { try work.run(cancellation: cancellation) }
    #expect(error?.family == .interrupted)
    #expect(clock.now - start < .seconds(2))
  }

  @Test func `a query of a large store tells how much of it was read`() throws {
    _ = try Program.sqlite3(
      kitchens.kitchen,
      """
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO ZINGREDIENT (Z_PK, Z_ENT, Z_OPT, ZNAME, ZNOTE)
        SELECT 1000 + i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Ingredient'), 1, 'x', hex(randomblob(8000)) FROM n;
      """
    )
    // One step that reads all: nothing but the pages tells how far it is.
    var query = StoreQuery("SELECT max(length(note)) FROM Ingredient", in: kitchens.kitchen)
    query.verifies = false
    let work = query.reading { rows throws(DecantError) in try rows.next() }
    var fractions: Set<Double> = []
    let row = try work.run { event in fractions.insert(event.fraction) }
    #expect(row == [.integer(16_000)])
    #expect(fractions.contains { $0 > 0.3 && $0 < 1 }, "\(fractions.sorted())")
  }

  @Test func `a condition of a copy speaks the same language`() throws {
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out) {
      $0.filters = [
        .init(
          entity: "Recipe",
          expression: """
            createdAt >= date_value('2020-01-01') AND _entity = 'Recipe'
            AND _id IN (SELECT Recipe_id FROM Recipe_tags)
            """
        ),
        .init(entity: "Image", expression: "_entity = 'StepImage'"),
      ]
    }
    let expected = try Program.sqlite3(
      kitchens.kitchen,
      """
      SELECT count(*) FROM ZRECIPE
      WHERE ZCREATEDAT + 978307200 >= CAST(strftime('%s', '2020-01-01') AS INTEGER)
        AND Z_PK IN (SELECT Z_6RECIPES FROM Z_6TAGS);
      SELECT count(*) FROM ZIMAGE WHERE Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY
        WHERE Z_NAME = 'StepImage')
      """
    )
    #expect(
      [report["Recipe"]?.copied, report["StepImage"]?.copied].map { "\($0 ?? -1)" }
        .joined(separator: "\n") == expected
    )
    #expect(report["RecipeImage"]?.copied == 0)
  }
}
