import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// When a store is left as it is.
@Suite struct CleanRefusalTests {
  let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: kitchens.folder.url.path).sorted()
  }

  /// Expects that cleaning fails and leaves the store, and the folder, as they are.
  private func expectRefusal(
    _ family: DecantError.Family,
    _ message: String,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let (before, names) = (try bytes(kitchens.syncMetadata), try names())
    let error = #expect(throws: DecantError.self, sourceLocation: location) {
      try Clean(kitchens.syncMetadata, of: ["history"]).run()
    }
    #expect(error?.family == family, sourceLocation: location)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(try bytes(kitchens.syncMetadata) == before, sourceLocation: location)
    #expect(try self.names() == names, sourceLocation: location)
  }

  @Test(arguments: ["delete", "wal"])
  func `where there is nothing to remove, not a byte is touched`(journal: String) throws {
    _ = try Program.sqlite3(kitchens.kitchen, "PRAGMA journal_mode = \(journal)")
    let attributes = try FileManager.default.attributesOfItem(atPath: kitchens.kitchen)
    let before = try bytes(kitchens.kitchen)
    let report = try Clean(kitchens.kitchen, of: ["icloud", "cloudkit", "history"]).run()
    #expect(report.removed.isEmpty && report.backup == nil && !report.isVerified)
    #expect(try bytes(kitchens.kitchen) == before)
    let now = try FileManager.default.attributesOfItem(atPath: kitchens.kitchen)
    #expect(now[.modificationDate] as? Date == attributes[.modificationDate] as? Date)
    #expect(try names().allSatisfy { !$0.contains("backup") })
  }

  @Test func `a dry run counts and touches nothing`() throws {
    let (before, names) = (try bytes(kitchens.syncMetadata), try names())
    var clean = Clean(kitchens.syncMetadata, of: ["history", "icloud"])
    clean.isDryRun = true
    let report = try clean.run()
    #expect(report.isDryRun && report.backup == nil)
    #expect(report.removed.map(\.layer.kind) == ["icloud", "history"])
    let counts = report.removed[1].layer.tables.map(\.rowCount)
    let expected = try Program.sqlite3(
      kitchens.syncMetadata,
      """
      SELECT count(*) FROM ATRANSACTION; SELECT count(*) FROM ACHANGE;
      SELECT count(*) FROM ATRANSACTIONSTRING
      """
    )
    #expect(counts.map(String.init).joined(separator: "\n") == expected)
    #expect(try bytes(kitchens.syncMetadata) == before)
    #expect(try self.names() == names)
  }

  @Test(arguments: ["delete", "wal"], ["BEGIN IMMEDIATE; SELECT 1", "BEGIN; SELECT * FROM ZTAG"])
  func `a store that somebody holds is refused`(journal: String, statement: String) throws {
    _ = try Program.sqlite3(kitchens.syncMetadata, "PRAGMA journal_mode = \(journal)")
    let holder = try LockHolder(kitchens.syncMetadata, statement: statement)
    defer { holder.release() }
    try expectRefusal(.storeBusy, "is in use by another process")
  }

  @Test func `a damaged store is refused, and its journal mode left alone`() throws {
    _ = try Program.sqlite3(kitchens.syncMetadata, "PRAGMA journal_mode = wal")
    let page = try Program.sqlite3(
      kitchens.syncMetadata,
      "SELECT rootpage FROM sqlite_schema WHERE name = 'ZINGREDIENT'"
    )
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: kitchens.syncMetadata))
    try file.seek(toOffset: (UInt64(page) ?? 0) * 4096 - 4096)
    try file.write(contentsOf: Data(repeating: 0x55, count: 4096))
    try file.close()
    // Reading a store with a log may leave an empty one behind; the file itself stays as it is.
    let before = try Data(contentsOf: URL(fileURLWithPath: kitchens.syncMetadata))
    let error = #expect(throws: DecantError.self) {
      try Clean(kitchens.syncMetadata, of: ["history"]).run()
    }
    #expect(error?.family == .corruptStore)
    #expect(error?.message.contains("is damaged") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: kitchens.syncMetadata)) == before)
  }

  @Test func `a request to stop leaves everything as it was`() throws {
    let (before, names) = (try bytes(kitchens.syncMetadata), try names())
    let cancellation = Cancellation()
    cancellation.cancel()
    let error = #expect(throws: DecantError.self) {
      try Clean(kitchens.syncMetadata, of: ["history"]).run(cancellation: cancellation)
    }
    #expect(error?.family == .interrupted)
    #expect(try bytes(kitchens.syncMetadata) == before)
    #expect(try self.names() == names)
  }

  @Test(arguments: [Phase.resolve, .copy, .check, .publish])
  func `a request to stop in any phase leaves everything as it was, or a cleaned store`(phase: Phase) throws {
    let (before, names) = (try bytes(kitchens.syncMetadata), try names())
    let cancellation = Cancellation()
    var isCleaned = false
    do throws(DecantError) {
      let report = try Clean(kitchens.syncMetadata, of: ["history"]).run(cancellation: cancellation) { event in
        if case .working(.began(phase), _) = event { cancellation.cancel() }
      }
      isCleaned = report.isVerified
      #expect(phase == .publish && isCleaned)
    } catch {
      #expect(error.family == .interrupted)
      #expect(error.place?.contains("is unchanged") == true)
      #expect(try bytes(kitchens.syncMetadata) == before)
      #expect(try self.names() == names)
    }
    #expect(try Clean(kitchens.syncMetadata, of: ["history"]).run().isVerified == !isCleaned)
  }

  @Test func `a request to stop leaves a log that is not in the store yet`() throws {
    let store = kitchens.folder.path("store.sqlite")
    let holder = try LockHolder(
      kitchens.syncMetadata,
      statement: """
        .output /dev/null
        PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0;
        UPDATE ATRANSACTIONSTRING SET ZNAME = ZNAME || '.';
        .output stdout
        SELECT 1
        """
    )
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: kitchens.syncMetadata + suffix, toPath: store + suffix)
    }
    holder.release()
    let before = (try bytes(store), try bytes(store + "-wal"))
    let cancellation = Cancellation()
    let error = #expect(throws: DecantError.self) {
      try Clean(store, of: ["history"]).run(cancellation: cancellation) { event in
        if case .working(.began(.publish), _) = event { cancellation.cancel() }
      }
    }
    #expect(error?.family == .interrupted)
    #expect(try bytes(store) == before.0)
    #expect(try bytes(store + "-wal") == before.1)
    #expect(try Clean(store, of: ["history"]).run().isVerified)
  }

  @Test func `a store with another hard link is refused`() throws {
    try FileManager.default.linkItem(
      atPath: kitchens.syncMetadata, toPath: kitchens.folder.path("other.sqlite"))
    try expectRefusal(.usage, "it has other hard links")
  }

  @Test func `the work of an interrupted copy is not removed`() throws {
    let work = kitchens.syncMetadata + ".decant-work"
    try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: false)
    try Data("rows".utf8).write(to: URL(fileURLWithPath: work + "/copy.sqlite"))
    try expectRefusal(.failed, "an interrupted copy, migration, cleaning or rollback left")
    #expect(try bytes(work + "/copy.sqlite") == Data("rows".utf8))
  }

  @Test func `owner's rights, a symbolic link and the journal mode stay`() throws {
    let link = kitchens.folder.path("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: kitchens.syncMetadata)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: kitchens.syncMetadata)
    _ = try Program.sqlite3(kitchens.syncMetadata, "PRAGMA journal_mode = wal")
    #expect(try Clean(link, of: ["history"]).run().isVerified)
    let files = FileManager.default
    #expect(try files.destinationOfSymbolicLink(atPath: link) == kitchens.syncMetadata)
    let attributes = try files.attributesOfItem(atPath: kitchens.syncMetadata)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try Program.sqlite3(kitchens.syncMetadata, "PRAGMA journal_mode; SELECT count(*) FROM ZRECIPE") != "")
    #expect(try Program.sqlite3(kitchens.syncMetadata, "PRAGMA journal_mode") == "wal")
  }

  @Test func `an unknown kind is refused, and the known ones are named`() throws {
    let error = #expect(throws: DecantError.self) {
      try Clean(kitchens.syncMetadata, of: ["history", "cloudkti"]).run()
    }
    #expect(error?.family == .usage)
    #expect(error?.place?.contains("icloud, cloudkit, history") == true)
    #expect(error?.remedy == "did you mean cloudkit?")
  }

  @Test(arguments: ["DELETE FROM Z_MODELCACHE", "DROP TABLE Z_MODELCACHE"])
  func `a store without its model is cleaned`(statement: String) throws {
    _ = try Program.sqlite3(kitchens.syncMetadata, statement)
    let before = try StoredTables(kitchens.syncMetadata)
    let report = try Clean(kitchens.syncMetadata, of: ["cloudkit"]).run()
    #expect(report.isVerified)
    let after = try StoredTables(kitchens.syncMetadata)
    let gone = Kitchens.syncTables["cloudkit"] ?? []
    #expect(Set(before.rows.keys).subtracting(after.rows.keys) == Set(gone))
    #expect(after.rows["ZRECIPE"] == before.rows["ZRECIPE"])
  }

  @Test func `history alone says that CloudKit's mirror needs it`() throws {
    let report = try Clean(kitchens.syncMetadata, of: ["history"]).run()
    #expect(report.notes.commandLine.contains { $0.contains("--what cloudkit,history") })
    let both = try Kitchens()
    let whole = try Clean(both.syncMetadata, of: ["cloudkit", "history"]).run()
    #expect(!whole.notes.commandLine.contains { $0.contains("--what") })
  }

  @Test func `without a backup there is none`() throws {
    var clean = Clean(kitchens.syncMetadata, of: ["history"])
    clean.keepsBackup = false
    #expect(try clean.run().backup == nil)
    #expect(try names() == ["Guests.sqlite", "Kitchen.sqlite", "SyncMetadata.sqlite"])
  }
}
