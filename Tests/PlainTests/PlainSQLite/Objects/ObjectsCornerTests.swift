import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// The rarer shapes of models, in plain tables and back.
@Suite struct ObjectsCornerTests {
  private func copy(
    _ from: String,
    to place: String,
    _ store: CornerStore,
    _ configure: (inout CopyOptions) -> Void = { _ in }
  ) throws -> CopyReport {
    var options = CopyOptions()
    options.model = store.model
    options.batchSize = 1
    configure(&options)
    return try Copy(from: from, to: place, options: options).run()
  }

  /// The tables of the corner store in a plain database, written by hand after the rules of the layout.
  private static let tables = [
    "Folder": ["id", "name", "parent_id", "parent_position"],
    "Item": [
      "_rank", "cover_id", "data", "entity", "id", "place_city", "place_point_latitude",
      "place_point_longitude", "text", "title",
    ],
    "Tag": ["id", "name"],
    "Folder_friends": ["Folder_id", "friends_id"],
    "Folder_items": ["Folder_id", "Item_id", "position"],
    "Folder_pins": ["Folder_id", "Item_id", "position"],
    "Folder_related": ["Folder_id", "related_id"],
    "Item_tags": ["Item_id", "Tag_id", "items_position", "position"],
  ]

  @Test(arguments: CornerStore.Namer.allCases)
  func `every shape has its table or column, and comes back`(namer: CornerStore.Namer) throws {
    let store = try CornerStore(namer: namer)
    let (plain, back) = (store.folder.path("plain.db"), store.folder.path("Back.sqlite"))
    let report = try copy(store.path, to: "sqlite:\(plain)", store)
    #expect(report.isVerified)
    #expect(report.links == LinkCounts(copied: 2 + 3 + 4 + 4 + 2 + 2 + 3))
    var tables: [String: [String]] = [:]
    let names = """
      SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c
      WHERE m.type = 'table' ORDER BY c.name
      """
    for line in try Program.sqlite3(plain, names).split(separator: "\n") {
      let parts = line.split(separator: "|").map(String.init)
      tables[parts[0], default: []].append(parts[1])
    }
    #expect(tables == Self.tables)
    #expect(
      try Program.sqlite3(plain, "SELECT id, entity, title, text, hex(data) FROM Item ORDER BY id")
        == "10|Note|a note|words|\n11|Note|||\n12|Photo|a photo|caption|FFD8FF"
    )
    #expect(
      try Program.sqlite3(plain, "SELECT * FROM Folder_pins ORDER BY 1, 3")
        == "1|12|2048\n1|10|3072\n3|11|2048"
    )
    #expect(try Program.sqlite3(plain, "PRAGMA foreign_key_check") == "")
    #expect(try copy(plain, to: "coredata:\(back)", store) { $0.template = store.path }.isVerified)
    for table in try StoredRows.tablesOfObjects(in: store.path) {
      let rows = try [store.path, back].map { try StoredRows.of($0, table, without: ["Z_OPT"]) }
      #expect(rows[0] == rows[1], "\(table)")
    }
    // What was handed out is known: the next object gets another key.
    #expect(
      try Program.sqlite3(back, "SELECT group_concat(Z_MAX) FROM Z_PRIMARYKEY WHERE Z_SUPER = 0")
        == "3,12,2"
    )
  }

  @Test func `a database with rows takes the objects under new keys, and gives them back`() throws {
    let store = try CornerStore()
    let plain = store.folder.path("plain.db")
    _ = try copy(store.path, to: "sqlite:\(plain)", store)
    let report = try copy(store.path, to: plain, store) { $0.appends = true }
    #expect(report.isVerified)
    #expect(
      try Program.sqlite3(plain, "SELECT * FROM Folder_pins WHERE Folder_id > 3 ORDER BY 1, 3")
        == "4|24|2048\n4|22|3072\n6|23|2048"
    )
    let before = try AppendedRows.highestKeys(in: store.path)
    let both = store.folder.path("both.sqlite")
    try FileManager.default.copyItem(atPath: store.path, toPath: both)
    #expect(try copy(plain, to: both, store) { $0.appends = true }.isVerified)
    #expect(
      try Program.sqlite3(both, "SELECT count(*), count(Z1PINS), count(Z2_COVER) FROM ZITEM")
        == "9|9|6"
    )
    #expect(before["ZITEM"] == 12)
    #expect(
      try Program.sqlite3(
        both,
        "SELECT count(*) FROM ZITEM AS i JOIN ZITEM AS c ON c.Z_PK = i.ZCOVER AND c.Z_ENT = i.Z2_COVER"
      ) == "6"
    )
  }

  @Test func `an object in the list of two owners is refused where it can have one`() throws {
    let store = try CornerStore()
    let (plain, back) = (store.folder.path("plain.db"), store.folder.path("Back.sqlite"))
    _ = try copy(store.path, to: "sqlite:\(plain)", store)
    _ = try Program.sqlite3(plain, "INSERT INTO Folder_pins VALUES (2, 11, 1)")
    let error = #expect(throws: DecantError.self) {
      try copy(plain, to: "coredata:\(back)", store) { $0.template = store.path }
    }
    #expect(error?.family == .modelMismatch)
    #expect(error?.message.contains("Item p11 is in Folder.pins of p") == true)
    #expect(!FileManager.default.fileExists(atPath: back))
  }

  @Test(arguments: SeededGenerator.seeds(12))
  func `a store of any model comes back as it was`(seed: UInt64) throws {
    let store = try RandomStore(seed: seed)
    let (plain, back) = (store.folder.path("plain.db"), store.folder.path("Back.sqlite"))
    var options = CopyOptions()
    options.model = store.model
    options.batchSize = Int64(seed % 5) + 1
    let report = try Copy(from: store.path, to: "sqlite:\(plain)", options: options).run()
    #expect(report.isVerified)
    let links = Int64(store.keyCount + store.linkRowCount)
    #expect(report.linksByRelationship.values.reduce(0) { $0 + $1.copied } == links)
    #expect(try Program.sqlite3(plain, "PRAGMA foreign_key_check") == "")
    options.template = store.path
    #expect(try Copy(from: plain, to: "coredata:\(back)", options: options).run().isVerified)
    for table in try StoredRows.tablesOfObjects(in: store.path) {
      let rows = try [store.path, back].map { try StoredRows.of($0, table, without: ["Z_OPT"]) }
      #expect(rows[0] == rows[1], "\(table)")
    }
  }
}
