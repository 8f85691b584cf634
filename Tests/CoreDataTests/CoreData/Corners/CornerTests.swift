import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// The rarer shapes of the format, from reading to copying.
@Suite struct CornerTests {
  private func copy(
    _ store: CornerStore,
    to place: String,
    _ configure: (inout CopyOptions) -> Void = { _ in }
  ) throws -> CopyReport {
    var options = CopyOptions()
    options.model = store.model
    configure(&options)
    return try Copy(from: store.path, to: place, options: options).run()
  }

  private static let tables = ["ZFOLDER", "ZITEM", "ZTAG", "Z_1FRIENDS", "Z_1RELATED", "Z_2TAGS"]

  @Test(arguments: CornerStore.Namer.allCases)
  func `every link is found and counted`(namer: CornerStore.Namer) throws {
    let store = try CornerStore(namer: namer)
    let inspection = try Inspect(store.path, model: store.model).run()
    let counts = [
      "Folder.parent": 2, "Folder.children": 2, "Folder.pins": 3, "Folder.items": 4,
      "Folder.related": 4, "Folder.relatedBy": 4, "Folder.friends": 4, "Item.cover": 2,
      "Item.coverOf": 2, "Item.folders": 4, "Item.tags": 3, "Tag.items": 3,
    ]
    for entity in inspection.entities {
      for end in entity.relationships {
        let name = "\(entity.name).\(end.relationship.name)"
        #expect(end.linkCount == Int64(counts[name] ?? -1), "\(name)")
        #expect(end.danglingCount == 0, "\(name)")
      }
    }
    #expect(inspection.problems.isEmpty)
    let place = try #require(inspection["Item"]?.attributes.first { $0.attribute.name == "place" })
    #expect(place.attribute.type.name == "composite")
  }

  @Test(arguments: CornerStore.Namer.allCases, [false, true])
  func `a new store is the same, row by row`(namer: CornerStore.Namer, rowByRow: Bool) throws {
    let store = try CornerStore(namer: namer)
    let out = store.folder.path("out.sqlite")
    let report = try copy(store, to: out) {
      if rowByRow { $0.filters = [.init(entity: "Tag", expression: "1")] }
      $0.batchSize = 1
    }
    #expect(report.isVerified)
    #expect(report.links == LinkCounts(copied: 2 + 3 + 4 + 4 + 2 + 2 + 3))
    for table in Self.tables + [namer.name, "Z_PRIMARYKEY"] {
      let rows = "SELECT * FROM \(table) ORDER BY 1, 2"
      #expect(
        try Program.sqlite3(out, rows, isQuoted: true)
          == Program.sqlite3(store.path, rows, isQuoted: true)
      )
    }
    for pragma in ["page_size", "auto_vacuum"] {
      #expect(
        try Program.sqlite3(out, "PRAGMA \(pragma)")
          == Program.sqlite3(store.path, "PRAGMA \(pragma)")
      )
    }
    #expect(try Program.sqlite3(out, "PRAGMA integrity_check; PRAGMA freelist_count") == "ok\n0")
  }

  @Test(arguments: CornerStore.Namer.allCases)
  func `poured into itself every key moves with what it leads to`(namer: CornerStore.Namer) throws {
    let store = try CornerStore(namer: namer)
    let out = store.folder.path("out.sqlite")
    _ = try copy(store, to: out)
    let report = try copy(store, to: out) {
      $0.appends = true
      $0.batchSize = 2
    }
    #expect(report.isVerified)
    #expect(report.links == LinkCounts(copied: 20))
    // Folders had keys up to 3, items up to 12, tags up to 2.
    let rows = { (sql: String) in try Program.sqlite3(out, sql) }
    #expect(
      try rows("SELECT Z_PK, ZPARENT, Z_FOK_PARENT, ZNAME FROM ZFOLDER WHERE Z_PK > 3")
        == "4|||top\n5|4|3072|second\n6|4|2048|first"
    )
    #expect(
      try rows(
        """
        SELECT Z_PK, Z_ENT, Z_RANK, ZCOVER, Z2_COVER, Z1PINS, Z_FOK_1PINS, ZLATITUDE, ZLONGITUDE, ZCITY,
        ZTITLE, ZTEXT, ZTEXT1, hex(ZDATA) FROM ZITEM WHERE Z_PK > 12
        """
      ) == """
        22|3|7|24|4|4|3072|52.5|13.25|Berlin|a note|words||
        23|3||22|3|6|2048|||||||
        24|4|-1|||4|2048|0.0|-0.5||a photo||caption|01FFD8FF
        """
    )
    #expect(try rows("SELECT * FROM Z_1FRIENDS WHERE Z_1FRIENDS > 3") == "4|5\n6|4")
    #expect(
      try rows("SELECT * FROM Z_1RELATED WHERE Z_1RELATED > 3 ORDER BY 1, 2")
        == "4|5\n5|4\n5|6\n6|6"
    )
    #expect(
      try rows("SELECT * FROM Z_2TAGS WHERE Z_5TAGS > 2 ORDER BY 1, 2")
        == "22|3|2048|3072\n22|4|2048|2048\n24|3|3072|2048"
    )
    #expect(
      try rows(
        "SELECT Z_1FOLDERS, Z_2ITEMS, Z_FOK_2ITEMS FROM \(namer.name) WHERE Z_1FOLDERS > 3 ORDER BY 1, 2"
      ) == "4|22|3072\n4|23|4096\n4|24|2048\n6|23|2048"
    )
    #expect(
      try rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY")
        == "Folder|6\nItem|24\nNote|0\nPhoto|0\nTag|4"
    )
  }

  @Test(arguments: CornerStore.Namer.allCases)
  func `the destination may name its tables and number its entities otherwise`(namer: CornerStore.Namer) throws {
    let source = try CornerStore(namer: namer)
    let other: CornerStore.Namer = namer == .folder ? .item : .folder
    let there = try CornerStore(namer: other)
    // As after a migration that added entities: photos were 4 and are 9 now.
    _ = try Program.sqlite3(
      there.path,
      """
      UPDATE Z_PRIMARYKEY SET Z_ENT = 9 WHERE Z_ENT = 4; UPDATE ZITEM SET Z_ENT = 9 WHERE Z_ENT = 4;
      UPDATE ZITEM SET Z2_COVER = 9 WHERE Z2_COVER = 4
      """
    )
    #expect(try copy(source, to: there.path) { $0.appends = true }.isVerified)
    let rows = { (sql: String) in try Program.sqlite3(there.path, sql) }
    #expect(
      try rows(
        "SELECT Z_1FOLDERS, Z_2ITEMS, Z_FOK_2ITEMS FROM \(other.name) WHERE Z_1FOLDERS > 3 ORDER BY 1, 2"
      ) == "4|22|3072\n4|23|4096\n4|24|2048\n6|23|2048"
    )
    #expect(
      try rows("SELECT Z_PK, Z_ENT, ZCOVER, Z2_COVER FROM ZITEM WHERE Z_PK > 12")
        == "22|3|24|9\n23|3|22|3\n24|9||"
    )
  }

  @Test(arguments: CornerStore.Namer.allCases)
  func `a link to an object of the wrong entity is a problem`(namer: CornerStore.Namer) throws {
    let store = try CornerStore(namer: namer)
    // Item 11 has the note 10 for its cover; the photo 12 bears tag 1 and lies in folder 1.
    let file = URL(fileURLWithPath: store.model + "/contents")
    var model = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    for (name, entity) in [
      ("\"cover\"", "Photo"), ("\"items\" toMany=\"YES\" ordered=\"YES\"", "Note"),
    ] {
      model = model.replacingOccurrences(
        of: "name=\(name) destinationEntity=\"Item\"",
        with: "name=\(name) destinationEntity=\"\(entity)\""
      )
    }
    try Data(model.utf8).write(to: file)
    let inspection = try Inspect(store.path, model: store.model).run()
    #expect(
      inspection.problems.map { "\($0.kind.rawValue) \($0.text)" }.sorted() == [
        "strayLinks Folder.items: 1 link to an object of the wrong entity",
        "strayLinks Item.cover: 1 link to an object of the wrong entity",
        "strayLinks Tag.items: 1 link to an object of the wrong entity",
      ]
    )
  }

  @Test(arguments: CornerStore.Namer.allCases)
  func `a link without its position is a problem`(namer: CornerStore.Namer) throws {
    let store = try CornerStore(namer: namer)
    _ = try Program.sqlite3(
      store.path,
      """
      UPDATE ZITEM SET Z_FOK_1PINS = NULL WHERE Z_PK = 11; UPDATE Z_2TAGS SET Z_FOK_5TAGS = NULL;
      UPDATE \(namer.name) SET Z_FOK_2ITEMS = 'a' WHERE Z_1FOLDERS = 3
      """
    )
    let inspection = try Inspect(store.path, model: store.model).run()
    #expect(
      inspection.problems.map { "\($0.kind.rawValue) \($0.text)" }.sorted() == [
        "missingPositions Folder.items: 1 link without a position in the ordered list",
        "missingPositions Folder.pins: 1 link without a position in the ordered list",
        "missingPositions Item.tags: 3 links without a position in the ordered list",
      ]
    )
  }

  @Test func `links that lead nowhere become null, with what goes with them`() throws {
    let store = try CornerStore()
    _ = try Program.sqlite3(
      store.path,
      """
      UPDATE ZITEM SET ZCOVER = 99 WHERE Z_PK = 10; UPDATE ZITEM SET Z1PINS = 98 WHERE Z_PK = 11;
      UPDATE ZFOLDER SET ZPARENT = 97 WHERE Z_PK = 2; INSERT INTO Z_2TAGS VALUES (96, 1, 1, 1);
      INSERT INTO Z_1FRIENDS VALUES (95, 94), (93, 2); INSERT INTO Z_1ITEMS VALUES (1, 92, 5)
      """
    )
    for rowByRow in [false, true] {
      let out = store.folder.path("out\(rowByRow).sqlite")
      let report = try copy(store, to: out) {
        if rowByRow { $0.filters = [.init(entity: "Tag", expression: "1")] }
      }
      #expect(report.links == LinkCounts(copied: 17, dangling: 7))
      #expect(
        try Program.sqlite3(
          out,
          """
          SELECT ZCOVER, Z2_COVER FROM ZITEM WHERE Z_PK = 10; SELECT Z1PINS, Z_FOK_1PINS FROM ZITEM
          WHERE Z_PK = 11; SELECT ZPARENT, Z_FOK_PARENT FROM ZFOLDER WHERE Z_PK = 2;
          SELECT count(*) FROM Z_2TAGS; SELECT count(*) FROM Z_1FRIENDS; SELECT count(*) FROM Z_1ITEMS
          """
        ) == "|\n|\n|\n3\n2\n4"
      )
    }
  }

  @Test func `counters that lag behind, and names that are stale, mislead nobody`() throws {
    let store = try CornerStore()
    _ = try Program.sqlite3(
      store.path,
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 0; UPDATE Z_PRIMARYKEY SET Z_NAME = 'Label' WHERE Z_ENT = 5"
    )
    let kinds = try Inspect(store.path, model: store.model).run().problems.map(\.kind)
    #expect(kinds.filter { $0 == .lowCounter }.count == 3)
    #expect(kinds.filter { $0 == .staleName }.count == 1)
    let out = store.folder.path("out.sqlite")
    _ = try copy(store, to: out)
    #expect(
      try Program.sqlite3(out, "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_SUPER = 0")
        == "Folder|3\nItem|12\nLabel|2"
    )
    _ = try copy(store, to: out) { $0.appends = true }
    #expect(try Program.sqlite3(out, "SELECT max(Z_PK) FROM ZTAG") == "4")
  }

  @Test func `a store that is all in its log is read, and only read`() throws {
    let store = try CornerStore()
    let live = store.folder.path("live.sqlite")
    // A connection that ends without closing leaves the log as it is.
    let script = """
      import sqlite3, os, sys
      c = sqlite3.connect(sys.argv[1], isolation_level=None)
      c.execute("PRAGMA journal_mode = WAL"); c.execute("PRAGMA wal_autocheckpoint = 0")
      c.execute("ATTACH ? AS s", (sys.argv[2],))
      for (sql,) in c.execute("SELECT sql FROM s.sqlite_schema WHERE sql IS NOT NULL").fetchall():
        c.execute(sql)
      for (name,) in c.execute("SELECT name FROM s.sqlite_schema WHERE type = 'table'").fetchall():
        c.execute(f"INSERT INTO main.{name} SELECT * FROM s.{name}")
      os._exit(0)
      """
    let run = try Program.run(["python3", "-c", script, live, store.path])
    #expect(run.status == 0, "\(run.errors)")
    let files = { try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: live + $0)) } }
    let before = try files()
    #expect(before[0].count < 8192)
    let out = store.folder.path("out.sqlite")
    var options = CopyOptions()
    options.model = store.model
    let report = try Copy(from: live, to: out, options: options).run()
    #expect(report.isVerified)
    #expect(report["Note"]?.copied == 2)
    #expect(try files() == before)
  }
}
