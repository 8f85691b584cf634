import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// A store that is migrated where it is: one of the two is there at any moment, and the old one is kept.
@Suite struct MigrateInPlaceTests {
  private let scene: VersionScene

  init() throws {
    let tag =
      #"<entity name="Tag"><attribute name="name" optional="YES" attributeType="String"/></entity>"#
    let picture =
      #"<attribute name="picture" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>"#
    scene = try VersionScene(
      [
        "\(tag)<entity name=\"Dish\">\(picture)<attribute name=\"title\" optional=\"YES\" attributeType=\"String\"/></entity>",
        """
        \(tag)<entity name="Dish">\(picture)<attribute name="name" elementID="title" optional="YES" attributeType="String"/>
        <attribute name="rating" attributeType="Integer 16" defaultValueString="3"/></entity>
        """,
      ],
      rows: """
        INSERT INTO ZDISH (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'soup'), (2, 1, 1, 'stew');
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (5, 2, 1, 'warm')
        """
    )
  }

  private var store: String { scene.store }

  private func migrate(_ set: (inout Migrate) -> Void = { _ in }) throws -> MigrationReport {
    var migration = Migrate([store], to: scene.bundle)
    migration.isUnversioned = true
    set(&migration)
    return try migration.run()
  }

  private func dump(_ path: String) throws -> String {
    try Program.sqlite3(path, "PRAGMA integrity_check") + Program.sqlite3(path, ".dump")
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scene.folder.url.path).sorted()
  }

  private var dishes: String {
    get throws { try Program.sqlite3(store, "SELECT Z_PK, ZNAME, ZRATING FROM ZDISH ORDER BY 1") }
  }

  @Test(arguments: ["delete", "wal"])
  func `the new store is in place, the old one is kept, and rollback puts it back`(journal: String) throws {
    _ = try Program.sqlite3(store, "PRAGMA journal_mode = \(journal)")
    let before = try dump(store)
    let identifier = try Program.sqlite3(store, "SELECT Z_UUID FROM Z_METADATA")
    let report = try migrate()
    #expect(report.outcome == .migrated && report.isVerified)
    #expect(report.backup == store + ".backup-1")
    #expect(try dishes == "1|soup|3\n2|stew|3")
    // The same store to whoever refers to its objects, and no key is given twice.
    #expect(try Program.sqlite3(store, "SELECT Z_UUID FROM Z_METADATA") == identifier)
    #expect(try Program.sqlite3(store, "SELECT DISTINCT Z_MAX FROM Z_PRIMARYKEY") == "99")
    #expect(try Program.sqlite3(store, "PRAGMA journal_mode") == journal)
    #expect(try dump(store + ".backup-1") == before)
    #expect(try names() == ["Pantry.sqlite", "Pantry.sqlite.backup-1", "Pantry.xcdatamodeld"])
    let after = try dump(store)
    #expect(try migrate().outcome == .none)
    #expect(try dump(store) == after)
    let back = try Rollback(store).run()
    #expect(back.outcome == .exchanged)
    #expect(try dump(store) == before && dump(store + ".backup-1") == after)
  }

  /// The trap: a new file under the name of a store whose log is still there shows the old data, and nobody says so.
  @Test func `what lies in the log of the old store neither comes back nor is lost`() throws {
    let trap = try TemporaryFolder()
    let (old, new) = (trap.path("a.sqlite"), trap.path("b.sqlite"))
    _ = try Program.sqlite3(store, "PRAGMA journal_mode = wal")
    _ = try Program.sqlite3(store, "VACUUM INTO '\(new)'")
    try LeftBehind.log(of: store, "UPDATE ZDISH SET ZTITLE = 'of the log' WHERE Z_PK = 2")
    #expect(FileManager.default.fileExists(atPath: store + "-wal"))
    // What a mere rename does to it, to see that the trap is one.
    for ending in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: store + ending, toPath: old + ending)
    }
    _ = try Program.sqlite3(new, "PRAGMA journal_mode = wal; UPDATE ZDISH SET ZTITLE = 'new'")
    #expect(rename(new, old) == 0)
    #expect(try Program.sqlite3(old, "SELECT ZTITLE FROM ZDISH").contains("of the log"))
    #expect(try Program.sqlite3(old, "PRAGMA integrity_check") == "ok")

    _ = try migrate()
    #expect(try dishes == "1|soup|3\n2|of the log|3")
    #expect(
      try Program.sqlite3(store + ".backup-1", "SELECT ZTITLE FROM ZDISH WHERE Z_PK = 2")
        == "of the log"
    )
    #expect(try names().allSatisfy { !$0.contains("backup-1-") })
  }

  @Test func `views that read what is gone stay behind, the others come along`() throws {
    _ = try Program.sqlite3(
      store,
      """
      CREATE VIEW titles AS SELECT Z_PK, ZTITLE FROM ZDISH; CREATE VIEW soups AS SELECT * FROM titles;
      CREATE VIEW tags AS SELECT upper(ZNAME) AS name FROM ZTAG; CREATE VIEW numbers AS SELECT Z_PK FROM ZDISH;
      CREATE VIEW broken AS SELECT absent FROM ZTAG;
      CREATE TRIGGER retitle INSTEAD OF UPDATE ON titles BEGIN SELECT 1; END;
      CREATE TRIGGER renumber INSTEAD OF UPDATE ON numbers BEGIN SELECT 1; END
      """
    )
    let report = try migrate()
    #expect(
      try Program.sqlite3(
        store,
        "SELECT name FROM sqlite_schema WHERE type IN ('view', 'trigger') ORDER BY 1"
      ) == "broken\nnumbers\nrenumber\ntags"
    )
    #expect(try Program.sqlite3(store, "SELECT name FROM tags") == "WARM")
    let notes = report.copies.flatMap(\.notes.commandLine)
    #expect(
      notes.contains(
        "not copied, because they refer to missing tables or columns: view titles, view soups, trigger retitle"
      )
    )
    #expect(notes.allSatisfy { !$0.hasPrefix("not copied, because the tables") })
    // The old store did not hold its model either.
    #expect(notes.allSatisfy { !$0.contains("contain its model") })
  }

  /// Turns a bit of the store's content below SQLite, whose locks keep nobody out there, as the copy of it is done.
  private func strike(_ path: String, _ migration: Migrate) throws -> DecantError? {
    var hasStruck = false
    let error = #expect(throws: DecantError.self) {
      try migration.run { event in
        guard case .working(.began(.publish), _) = event, !hasStruck else { return }
        // By another process: closing a file gives up the locks that this one has on it.
        let script = """
          import sys
          with open(sys.argv[1], 'r+b') as file:
            place = file.read().index(b'stew')
            file.seek(place)
            file.write(b'STEW')
          """
        hasStruck = (try? Program.run(["python3", "-c", script, path]))?.status == 0
      }
    }
    #expect(hasStruck)
    return error
  }

  @Test func `a store that was written to since it was read keeps its place`() throws {
    var migration = Migrate([store], to: scene.bundle)
    migration.isUnversioned = true
    let error = try strike(store, migration)
    #expect(error?.family == .storeBusy, "\(String(describing: error))")
    #expect(try Program.sqlite3(store, "SELECT ZTITLE FROM ZDISH WHERE Z_PK = 2") == "STEW")
    #expect(try names() == ["Pantry.sqlite", "Pantry.xcdatamodeld"])
    _ = try migrate()
    #expect(try dishes == "1|soup|3\n2|STEW|3")
  }

  @Test func `a store that was written to since it was read is not removed`() throws {
    var migration = Migrate([store], to: scene.bundle)
    (migration.isUnversioned, migration.removesOld) = (true, true)
    let place = scene.folder.path("Other.sqlite")
    migration.place = place
    let error = try strike(store, migration)
    #expect(error?.family == .storeBusy, "\(String(describing: error))")
    #expect(try Program.sqlite3(store, "SELECT ZTITLE FROM ZDISH WHERE Z_PK = 2") == "STEW")
    #expect(try Program.sqlite3(place, "SELECT ZNAME FROM ZDISH WHERE Z_PK = 2") == "stew")
  }

  @Test func `a store that somebody has open is left alone`() throws {
    let before = try dump(store)
    let handle = try #require(FileHandle(forUpdatingAtPath: store))
    let error = #expect(throws: DecantError.self) { try migrate() }
    #expect(error?.family == .storeBusy)
    try handle.close()
    #expect(try dump(store) == before)
    #expect(try names() == ["Pantry.sqlite", "Pantry.xcdatamodeld"])
  }

  @Test func `files of values stay where they are, for both stores`() throws {
    let folder = scene.folder.path(".Pantry_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let name = "AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE"
    let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try content.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    _ = try Program.sqlite3(
      store,
      "UPDATE ZDISH SET ZPICTURE = CAST(x'02' || '\(name)' || x'00' AS BLOB) WHERE Z_PK = 1"
    )
    let report = try migrate()
    #expect(report.copies.last?.files.copied == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [name])
    #expect(FileManager.default.contents(atPath: "\(folder)/\(name)") == content)
    for path in [store, store + ".backup-1"] {
      #expect(
        try Program.sqlite3(path, "SELECT CAST(substr(ZPICTURE, 2, 36) AS TEXT) FROM ZDISH WHERE Z_PK = 1")
          == name
      )
    }
    #expect(
      try names() == [
        ".Pantry_SUPPORT", "Pantry.sqlite", "Pantry.sqlite.backup-1", "Pantry.xcdatamodeld",
      ]
    )
  }

  @Test func `what was deleted before is not readable in the new file`() throws {
    let secret = "a secret that nobody shall read again"
    _ = try Program.sqlite3(
      store,
      """
      PRAGMA secure_delete = off;
      WITH n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 2, 1, '\(secret) ' || i FROM n;
      DELETE FROM ZTAG WHERE Z_PK >= 100
      """
    )
    let needle = Data(secret.utf8)
    #expect(FileManager.default.contents(atPath: store)?.range(of: needle) != nil)
    _ = try migrate()
    #expect(FileManager.default.contents(atPath: store)?.range(of: needle) == nil)
  }

  /// Another program tries to write while the copy is made, whatever journal the store keeps.
  @Test(arguments: ["delete", "wal"], [false, true])
  func `nobody can write to the store while it is copied`(journal: String, isMoved: Bool) throws {
    _ = try Program.sqlite3(store, "PRAGMA journal_mode = \(journal)")
    var migration = Migrate([store], to: scene.bundle)
    migration.isUnversioned = true
    if isMoved { migration.place = scene.folder.path("moved.sqlite") }
    let store = store
    var refusals: [String] = []
    try migration.run { event in
      guard case .working(.began(let phase), _) = event, phase != .publish else { return }
      let write = try? Program.run(["sqlite3", store, "UPDATE ZTAG SET ZNAME = 'too late'"])
      refusals.append(write?.errors ?? "")
    }
    #expect(refusals.count >= 3)
    #expect(refusals.allSatisfy { $0.contains("locked") }, "\(refusals)")
    #expect(
      try Program.sqlite3(migration.place ?? store, "SELECT ZNAME FROM ZTAG WHERE Z_PK = 5")
        == "warm"
    )
  }

  @Test func `what the app keeps beside its objects stays, and what it cannot keep is named`() throws {
    _ = try Program.sqlite3(
      store,
      """
      CREATE TABLE app_settings (key TEXT PRIMARY KEY, value); INSERT INTO app_settings VALUES ('a', 1);
      PRAGMA user_version = 77; PRAGMA application_id = 5; CREATE INDEX by_title ON ZDISH (ZTITLE)
      """
    )
    let report = try migrate()
    #expect(report.copies[0].notes.commandLine.contains { $0.contains("index by_title") })
    #expect(try Program.sqlite3(store, "PRAGMA user_version; PRAGMA application_id") == "77\n5")
    #expect(try Program.sqlite3(store, "SELECT key, value FROM app_settings") == "a|1")
  }

  @Test func `stopped half-way it is as it was, and goes on when it is told to`() throws {
    _ = try Program.sqlite3(
      store,
      """
      WITH n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 2, 1, 'tag ' || i FROM n
      """
    )
    let before = try dump(store)
    let cancellation = Cancellation()
    var migration = Migrate([store], to: scene.bundle)
    (migration.isUnversioned, migration.batchSize) = (true, 100)
    let error = #expect(throws: DecantError.self) {
      try migration.run(cancellation: cancellation) { event in
        guard case .working(.progress(let progress), _) = event, progress.phase == .copy,
          progress.rowCount > 500
        else { return }
        cancellation.cancel()
      }
    }
    #expect(error?.family == .interrupted)
    #expect(try dump(store) == before)
    #expect(try names().contains("Pantry.sqlite.decant-work"))
    migration.resumes = true
    var first: Int64?
    try migration.run { event in
      guard case .working(.progress(let progress), _) = event, progress.phase == .copy else {
        return
      }
      if first == nil { first = progress.rowCount }
    }
    #expect((first ?? 0) > 500, "it began anew")
    #expect(try Program.sqlite3(store, "SELECT count(*) FROM ZTAG") == "2902")
    #expect(try dishes == "1|soup|3\n2|stew|3")
    #expect(try names() == ["Pantry.sqlite", "Pantry.sqlite.backup-1", "Pantry.xcdatamodeld"])
  }

  @Test func `an app is told how much there is to do, and when the store can be opened`() async throws {
    var migration = Migrate([store], to: scene.bundle)
    migration.isUnversioned = true
    var told: [String] = []
    for try await event in migration.operation {
      switch event {
      case .working(.stages(let stages), _): told.append("\(stages.count) stages")
      case .working(.stage, _): told.append("began")
      case .working(.planned(let work), _): told.append("\(work.rowCount) rows")
      case .working: break
      case .finished(let report): told.append(report.outcome.rawValue)
      }
    }
    #expect(told == ["1 stages", "began", "3 rows", "migrated"])
    #expect(try dishes == "1|soup|3\n2|stew|3")
  }

  @Test func `cancelling the task that watches leaves the store as it was`() async throws {
    _ = try Program.sqlite3(
      store,
      """
      WITH n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 2, 1, 'tag ' || i FROM n
      """
    )
    let before = try dump(store)
    var migration = Migrate([store], to: scene.bundle)
    (migration.isUnversioned, migration.batchSize) = (true, 100)
    let task = Task { [migration] in
      for try await event in migration.operation {
        if case .working(.progress, _) = event { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    let error = await #expect(throws: DecantError.self) { try await task.value }
    #expect(error?.family == .interrupted)
    #expect(try dump(store) == before)
  }

  @Test(arguments: [true, false])
  func `a store that has further names is refused, as these would lead to the old one`(isDryRun: Bool) throws {
    let other = scene.folder.path("Other.sqlite")
    try FileManager.default.linkItem(atPath: store, toPath: other)
    let before = try dump(store)
    let error = #expect(throws: DecantError.self) { try migrate { $0.isDryRun = isDryRun } }
    #expect(error?.family == .usage)
    #expect(error?.advice?.commandLine.contains("--out") == true)
    #expect(try dump(store) == before && dump(other) == before)
    #expect(try !names().contains { $0.contains("decant-work") })
  }

  @Test func `a dry run says what would happen and touches nothing`() throws {
    let before = FileManager.default.contents(atPath: store)
    let report = try migrate { $0.isDryRun = true }
    #expect(report.isDryRun && report.outcome == .migrated)
    #expect(report.stages.map(\.versions) == [["Pantry", "Pantry 2"]])
    #expect(FileManager.default.contents(atPath: store) == before)
    #expect(try names() == ["Pantry.sqlite", "Pantry.xcdatamodeld"])
  }

  @Test func `rollback clears what a migration that was killed early has left`() throws {
    let work = store + ".decant-work"
    try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: false)
    try Data("half a store".utf8).write(to: URL(fileURLWithPath: work + "/new.sqlite.decant-partial"))
    let before = try dump(store)
    #expect(try Rollback(store).run().outcome == .undone)
    #expect(try dump(store) == before)
    #expect(try names() == ["Pantry.sqlite", "Pantry.xcdatamodeld"])
  }

  @Test func `a model without version hashes is refused before anything is made`() throws {
    let before = try dump(store)
    let error = #expect(throws: DecantError.self) { try migrate { $0.isUnversioned = false } }
    #expect(error?.family == .modelMismatch)
    #expect(error?.remedy?.contains("App.momd") == true)
    #expect(try dump(store) == before)
    #expect(try names() == ["Pantry.sqlite", "Pantry.xcdatamodeld"])
  }
}
