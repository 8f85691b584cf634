import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What else of a store follows when its references change.
@Suite struct RepointStoreTests {
  let kitchens: Kitchens
  private var ids: String { kitchens.folder.path("ids.sqlite") }
  private let guests: String
  private let kitchen: String

  init() throws {
    kitchens = try Kitchens()
    guests = try TrackingStore.uuid(of: kitchens.guests)
    kitchen = try TrackingStore.uuid(of: kitchens.kitchen)
    try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
      $0.appends = true
      $0.idTableFile = ids
    }
  }

  /// The key that the recipe `key` of the guests got, as the sqlite3 program reads it.
  private func newKey(_ key: Int) throws -> String {
    try Program.sqlite3(
      ids,
      """
      SELECT destination + \(key) - source FROM ids
      WHERE entity = 'Recipe' AND \(key) BETWEEN source AND source + count - 1
      """
    )
  }

  private func repoint(_ store: String, _ place: Property) -> Repoint {
    var repoint = Repoint(store, at: [ReferencePlace(place)])
    repoint.idTableFile = ids
    return repoint
  }

  @Test func `history tells of every object that was changed, and of no other`() throws {
    try kitchens.dropMirror()
    let store = kitchens.syncMetadata
    _ = try Program.sqlite3(
      store,
      """
      UPDATE ZRECIPE SET ZSUBTITLE = 'x-coredata://\(guests)/Recipe/p' || Z_PK WHERE Z_PK IN (1, 3);
      UPDATE ZRECIPE SET ZSUBTITLE = 'x-coredata://\(guests)/Recipe/p77' WHERE Z_PK = 2
      """
    )
    let opt = "SELECT Z_OPT FROM ZRECIPE ORDER BY Z_PK"
    let before = try Program.sqlite3(store, opt).split(separator: "\n").compactMap { Int($0) }
    let old = try Program.sqlite3(store, "SELECT max(Z_PK) FROM ACHANGE")
    let number = try Program.sqlite3(store, "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Recipe'")
    let report = try repoint(store, Property("Recipe", "subtitle")).run()
    #expect(report.changedCount == 2 && report.isVerified)
    #expect(report.notes.commandLine.contains { $0.contains("persistent history") })
    #expect(
      try Program.sqlite3(
        store,
        """
        SELECT ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS IS NOT NULL FROM ACHANGE WHERE Z_PK > \(old)
        ORDER BY Z_PK
        """
      ) == "1|\(number)|1|1\n1|\(number)|3|1"
    )
    #expect(
      try Program.sqlite3(
        store,
        "SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK = (SELECT ZAUTHORTS FROM ATRANSACTION ORDER BY Z_PK DESC)"
      ) == "decant"
    )
    let after = try Program.sqlite3(store, opt).split(separator: "\n").compactMap { Int($0) }
    #expect(zip(before, after).map { $1 - $0 }.prefix(3) == [1, 0, 1])
    #expect(
      try Program.sqlite3(store, "SELECT ZSUBTITLE FROM ZRECIPE WHERE Z_PK <= 3 ORDER BY Z_PK")
        == [
          "x-coredata://\(kitchen)/Recipe/p\(newKey(1))", "x-coredata://\(guests)/Recipe/p77",
          "x-coredata://\(kitchen)/Recipe/p\(newKey(3))",
        ].joined(separator: "\n")
    )
  }

  @Test func `what is in the log is read, and a backup is the store as it was`() throws {
    let notes = kitchens.folder.path("notes.db")
    _ = try Program.sqlite3(notes, "PRAGMA journal_mode = wal; CREATE TABLE note (id INTEGER PRIMARY KEY, uri TEXT)")
    let holder = try LockHolder(
      notes,
      statement: """
        .output /dev/null
        PRAGMA wal_autocheckpoint = 0;
        .output stdout
        INSERT INTO note (uri) VALUES ('x-coredata://\(guests)/Recipe/p2'); SELECT 1
        """
    )
    let copy = kitchens.folder.path("copy.db")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: notes + suffix, toPath: copy + suffix)
    }
    holder.release()
    #expect((Kitchens.bytes(of: copy + "-wal")?.count ?? 0) > 0)
    var repoint = repoint(copy, Property("note", "uri"))
    repoint.keepsBackup = true
    let report = try repoint.run()
    #expect(report.backup == copy + ".backup-1")
    #expect(
      try Program.sqlite3(copy, "SELECT uri FROM note; PRAGMA journal_mode")
        == "x-coredata://\(kitchen)/Recipe/p\(newKey(2))\nwal"
    )
    #expect(
      try Program.sqlite3(copy + ".backup-1", "SELECT uri FROM note")
        == "x-coredata://\(guests)/Recipe/p2"
    )
    try Rollback(copy).run()
    #expect(
      try Program.sqlite3(copy, "SELECT uri FROM note") == "x-coredata://\(guests)/Recipe/p2"
    )
  }

  @Test(.enabled(if: Fixtures.areAvailable))
  func `a tree for searching follows what goes with a reference`() throws {
    let store = try Fixtures.copyStore("photos-10.15.1/Photos.sqlite", into: kitchens.folder.url)
      .path
    // The functions that only Core Data has do nothing for the reader that puts the reference there.
    let script = """
      import sqlite3, sys
      store = sqlite3.connect(sys.argv[1])
      for name in ["NSCoreDataDATriggerUpdatedAffectedObjectValue",
          "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue", "NSCoreDataTriggerUpdateAffectedObjectValue"]:
        store.create_function(name, -1, lambda *values: None)
      store.execute("UPDATE ZGENERICASSET SET ZFILENAME = ? WHERE Z_PK IN (1, 2)", (sys.argv[2],))
      store.commit()
      """
    let uri = "x-coredata://\(guests)/Recipe/p1"
    #expect(try Program.run(["python3", "-c", script, store, uri]).status == 0)
    // What is not in it stays out.
    _ = try Program.sqlite3(store, "DELETE FROM Z_RT_GenericAsset_boundedByRect WHERE Z_PK = 2")
    let tree = "SELECT * FROM Z_RT_GenericAsset_boundedByRect ORDER BY Z_PK"
    let before = try Program.sqlite3(store, tree).split(separator: "\n").map(String.init)
    var run = repoint(store, Property("GenericAsset", "filename"))
    run.sets = [
      SetRule(attribute: "latitude", expression: "12.5"),
      SetRule(attribute: "longitude", expression: "3.25"),
    ]
    #expect(try run.run().isVerified)
    #expect(
      try Program.sqlite3(store, "SELECT ZFILENAME, ZLATITUDE FROM ZGENERICASSET WHERE Z_PK = 1")
        == "x-coredata://\(kitchen)/Recipe/p\(newKey(1))|12.5"
    )
    let after = try Program.sqlite3(store, tree).split(separator: "\n").map(String.init)
    #expect(after.first == "1|12.5|12.5|3.25|3.25")
    #expect(before.count > 1 && after.dropFirst() == before.dropFirst())
  }

  @Test func `a dry run counts the same and writes nothing`() throws {
    let notes = kitchens.folder.path("notes.db")
    _ = try Program.sqlite3(
      notes,
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, uri BLOB, title TEXT);
      INSERT INTO note (uri) VALUES (CAST('x-coredata://\(guests)/Recipe/p1' AS BLOB)),
        (CAST('x-coredata://\(guests)/Recipe/p99' AS BLOB)), (x'ff00'),
        ('x-coredata://\(guests.lowercased())/Recipe/p2'), (zeroblob(1000000))
      """
    )
    let bytes = Kitchens.bytes(of: notes)
    var run = repoint(notes, Property("note", "uri"))
    run.sets = [SetRule(attribute: "title", expression: "typeof(uri) || _id")]
    run.isDryRun = true
    let dry = try run.run()
    #expect(Kitchens.bytes(of: notes) == bytes)
    #expect(dry.isDryRun && !dry.isVerified)
    run.isDryRun = false
    let report = try run.run()
    #expect(report.places == dry.places && report.objectCount == dry.objectCount)
    #expect(report.changedCount == 2)
    #expect(report.places[0].keptCounts == [.notInTable: 1, .noReference: 2])
    // Bytes stay bytes, a text a text.
    #expect(
      try Program.sqlite3(
        notes,
        "SELECT typeof(uri), CAST(uri AS TEXT), title FROM note WHERE title IS NOT NULL ORDER BY id"
      ) == """
        blob|x-coredata://\(kitchen)/Recipe/p\(newKey(1))|blob1
        text|x-coredata://\(kitchen)/Recipe/p\(newKey(2))|text4
        """
    )
  }

  @Test func `values that go with a reference must be unique where the table says so`() throws {
    let notes = kitchens.folder.path("notes.db")
    _ = try Program.sqlite3(
      notes,
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, uri TEXT, place INTEGER UNIQUE);
      INSERT INTO note (uri, place) VALUES ('x-coredata://\(guests)/Recipe/p1', 1),
        ('x-coredata://\(guests)/Recipe/p2', 2), ('x-coredata://\(guests)/Recipe/p3', 3)
      """
    )
    let bytes = Kitchens.bytes(of: notes)
    var run = repoint(notes, Property("note", "uri"))
    run.sets = [SetRule(attribute: "place", expression: "7")]
    let error = try failure { _ = try run.run() }
    #expect(error.message == "cannot change note: two objects would have the same place")
    #expect(Kitchens.bytes(of: notes) == bytes)
    // On the way a place is another row's, which gives it away itself.
    run.sets = [SetRule(attribute: "place", expression: "4 - _id")]
    #expect(try run.run().isVerified)
    #expect(try Program.sqlite3(notes, "SELECT place FROM note ORDER BY id") == "3\n2\n1")
  }

  @Test func `a value that its attribute cannot hold ends the run`() throws {
    let store = kitchens.guests
    _ = try Program.sqlite3(
      store,
      "UPDATE ZRECIPE SET ZSUBTITLE = 'x-coredata://\(guests)/Recipe/p2' WHERE Z_PK = 1"
    )
    let bytes = Kitchens.bytes(of: store)
    var run = repoint(store, Property("Recipe", "subtitle"))
    run.sets = [SetRule(attribute: "author", expression: "uuid")]
    let error = try failure { _ = try run.run() }
    #expect(error.family == .usage)
    #expect(
      error.message
        == "the expression gives Recipe p1 a value of type blob, but author is of type string"
    )
    #expect(Kitchens.bytes(of: store) == bytes)
  }
}
