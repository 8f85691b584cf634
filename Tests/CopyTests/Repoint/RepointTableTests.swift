import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// References follow a copy by the ID table that it kept.
@Suite(.enabled(if: Fixtures.areAvailable)) struct RepointTableTests {
  private static let guests = "778381CD-532B-812B-8CCD-A0DEBBEEE974"
  private static let kitchen = "780563F9-5277-807A-94D8-B75FC8AB0CBD"

  private static func uri(_ store: String, _ entity: String, _ key: Int) -> String {
    "x-coredata://\(store)/\(entity)/p\(key)"
  }

  /// One reference to every object of Guests.sqlite, as the sqlite3 program lists them.
  private static func everyObject() throws -> [TrackingStore.Row] {
    let kitchens = try Kitchens()
    #expect(try TrackingStore.uuid(of: kitchens.guests) == guests)
    #expect(try TrackingStore.uuid(of: kitchens.kitchen) == kitchen)
    let tables = Kitchens.tables.map {
      "SELECT e.Z_NAME, o.Z_PK FROM \($0) AS o JOIN Z_PRIMARYKEY AS e USING (Z_ENT)"
    }
    let lines = try Program.sqlite3(kitchens.guests, tables.joined(separator: " UNION ALL "))
      .split(separator: "\n")
    return lines.enumerated().map { number, line in
      let parts = line.split(separator: "|").map(String.init)
      return .init(number + 1, parts[0], uri(guests, parts[0], Int(parts[1]) ?? 0))
    }
  }

  /// For every tracked object the values of the one it leads to in `store`, without keys, as the sqlite3
  /// program joins them.
  private static func ends(_ tracking: TrackingStore, in store: String) throws -> [String] {
    let parts = [
      ("Category", "ZCATEGORY", "ZNAME"), ("RecipeImage", "ZIMAGE", "ZDATA"),
      ("StepImage", "ZIMAGE", "ZDATA"), ("Ingredient", "ZINGREDIENT", "ZNAME"),
      ("Recipe", "ZRECIPE", "ZTITLE"), ("Step", "ZSTEP", "ZTEXT"), ("Tag", "ZTAG", "ZNAME"),
    ].map { entity, table, column in
      """
      SELECT t.Z_PK, t.ZENTITYTYPE, hex(o.ZUUID), hex(o.\(column)) FROM ZQSSYNCEDENTITY AS t
      JOIN store.\(table) AS o ON t.ZORIGINOBJECTID = 'x-coredata://'
        || (SELECT Z_UUID FROM store.Z_METADATA) || '/\(entity)/p' || o.Z_PK
      WHERE t.ZENTITYTYPE = '\(entity)'
      """
    }
    return try Program.sqlite3(
      tracking.path,
      "ATTACH '\(store)' AS store; SELECT * FROM (\(parts.joined(separator: " UNION ALL "))) ORDER BY 1"
    ).split(separator: "\n").map(String.init)
  }

  @Test(arguments: ["merge", "append", "copy"])
  func `every reference leads to the object it led to, after a`(way: String) throws {
    let store = try TrackingStore(Self.everyObject())
    let (kitchens, ids) = (store.kitchens, store.kitchens.folder.path("ids.sqlite"))
    let before = try Self.ends(store, in: kitchens.guests)
    #expect(before.count == 61)
    let place = way == "copy" ? kitchens.out : kitchens.kitchen
    try kitchens.copy(kitchens.guests, to: place) {
      if way == "merge" { $0.merge = MergeRules(.update) }
      if way == "append" { $0.appends = true }
      if way == "copy" { $0.filters = [.everything] }
      $0.idTableFile = ids
    }
    func run() throws -> RepointReport {
      try store.repoint {
        $0.idTableFile = ids
        $0.lead(to: place)
      }
    }
    let rest = try store.rest()
    let report = try run()
    #expect(report.isVerified && report.changedCount == 61 && report.objectCount == 61)
    #expect(try Self.ends(store, in: place) == before)
    #expect(try store.rest() == rest)
    let bytes = Kitchens.bytes(of: store.path)
    let again = try run()
    #expect(again.places[0].settledCount == 61 && again.changedCount == 0)
    #expect(Kitchens.bytes(of: store.path) == bytes)
  }

  @Test func `without the store sub-entities are unknown, and all else follows the table`() throws {
    let store = try TrackingStore(Self.everyObject())
    let (kitchens, ids) = (store.kitchens, store.kitchens.folder.path("ids.sqlite"))
    try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
      $0.appends = true
      $0.idTableFile = ids
    }
    let report = try store.repoint { $0.idTableFile = ids }
    #expect(report.isVerified && report.changedCount == 57)
    #expect(report.places[0].keptCounts == [.unknownEntity: 4])
    #expect(try Self.ends(store, in: kitchens.kitchen).count == 57)
  }

  @Test func `identities are those of the objects in the new store`() throws {
    let store = try TrackingStore([
      .init(1, "Recipe", Self.uri(Self.guests, "Recipe", 1)),
      .init(2, "Recipe", Self.uri(Self.kitchen, "Recipe", 3)),
      .init(3, "Recipe", Self.uri(Self.guests, "Recipe", 99)),
    ])
    let (kitchens, ids) = (store.kitchens, store.kitchens.folder.path("ids.sqlite"))
    try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
      $0.appends = true
      $0.idTableFile = ids
    }
    let report = try store.repoint {
      $0.idTableFile = ids
      $0.lead(to: kitchens.kitchen)
      $0.isToIdentity = true
      $0.identities = ["Recipe": "title"]
    }
    #expect(report.places[0].keptCounts == [.notInTable: 1])
    let titles = try [
      Program.sqlite3(kitchens.guests, "SELECT ZTITLE FROM ZRECIPE WHERE Z_PK = 1"),
      Program.sqlite3(kitchens.kitchen, "SELECT ZTITLE FROM ZRECIPE WHERE Z_PK = 3"),
    ]
    #expect(
      try store.rows() == [
        "1|2|Recipe.1|\(titles[0])", "2|2|Recipe.2|\(titles[1])",
        "3|1|Recipe.3|\(Self.uri(Self.guests, "Recipe", 99))",
      ]
    )
  }

  @Test func `what was left out, and what has gone since, is kept`() throws {
    let store = try TrackingStore((1...5).map { .init($0, "Recipe", Self.uri(Self.guests, "Recipe", $0)) })
    let (kitchens, ids) = (store.kitchens, store.kitchens.folder.path("ids.sqlite"))
    try kitchens.copy(kitchens.guests, to: kitchens.out) {
      $0.filters = [CopyOptions.Filter(entity: "Recipe", expression: "_id <> 2")]
      $0.idTableFile = ids
    }
    // A key that the table maps, as it lies within a run, and whose object was deleted afterwards.
    let gone = try Program.sqlite3(ids, "SELECT destination FROM ids WHERE entity = 'Recipe' LIMIT 1")
    _ = try Program.sqlite3(kitchens.out, "DELETE FROM ZRECIPE WHERE Z_PK = \(gone)")
    _ = try Program.sqlite3(ids, "INSERT INTO ids VALUES ('Recipe', 90, NULL, 2, 'rejected')")
    _ = try Program.sqlite3(
      store.path,
      """
      UPDATE ZQSSYNCEDENTITY SET ZORIGINOBJECTID = '\(Self.uri(Self.guests, "Recipe", 91))'
      WHERE Z_PK = 5
      """
    )
    let report = try store.repoint {
      $0.idTableFile = ids
      $0.lead(to: kitchens.out)
    }
    #expect(report.places[0].changedCount == 2)
    #expect(report.places[0].keptCounts == [.notInTable: 1, .noObject: 1, .rejected: 1])
  }

  @Test func `an object that a mapping made another is followed there`() throws {
    let store = try TrackingStore([
      .init(1, "Note", "x-coredata://\(Self.guests)/Note/p5"),
      .init(2, "Note", "x-coredata://\(Self.guests)/Note/p11"),
      .init(3, "Note", "x-coredata://\(Self.guests)/Note/p20"),
    ])
    let (kitchens, ids) = (store.kitchens, store.kitchens.folder.path("ids.sqlite"))
    // As a copy with a mapping keeps it: Note 1 to 9 became recipes, 10 to 19 tags, 20 both.
    _ = try Program.sqlite3(
      ids,
      """
      CREATE TABLE ids (entity TEXT NOT NULL, source, destination, count INTEGER NOT NULL,
        outcome TEXT NOT NULL, became TEXT);
      CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT);
      INSERT INTO about VALUES ('source.kind', 'coredata'), ('source.uuid', '\(Self.guests)'),
        ('destination.kind', 'coredata'), ('destination.uuid', '\(Self.kitchen)'), ('plan', 'a');
      INSERT INTO ids VALUES ('Note', 1, 2, 9, 'copied', 'Recipe'), ('Note', 10, 1, 10, 'copied', 'Tag'),
        ('Note', 20, 11, 1, 'copied', 'Recipe'), ('Note', 20, 1, 1, 'skipped', 'Tag')
      """
    )
    let report = try store.repoint {
      $0.idTableFile = ids
      $0.lead(to: kitchens.kitchen)
    }
    #expect(report.places[0].keptCounts == [.ambiguous: 1])
    #expect(
      try store.rows().prefix(2).map { String($0) } == [
        "1|2|Note.1|\(Self.uri(Self.kitchen, "Recipe", 6))",
        "2|2|Note.2|\(Self.uri(Self.kitchen, "Tag", 2))",
      ]
    )
  }
}
