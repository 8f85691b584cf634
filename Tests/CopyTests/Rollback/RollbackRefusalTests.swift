import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// When everything is left as it is.
@Suite struct RollbackRefusalTests {
  let kitchens: Kitchens
  private var store: String { kitchens.syncMetadata }
  private var backup: String { kitchens.syncMetadata + ".backup-1" }

  init() throws {
    kitchens = try Kitchens()
    try Clean(kitchens.syncMetadata, of: ["history"]).run()
  }

  /// Everything in the folder, byte for byte.
  private func content() throws -> [String: Data] {
    var content: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: kitchens.folder.url.path) {
      let data = Kitchens.bytes(of: kitchens.folder.path(name)) ?? Data()
      // Who reads a store with a log leaves an index of it, and a log that holds nothing.
      guard !name.hasSuffix("-shm"), !name.hasSuffix("-wal") || !data.isEmpty else { continue }
      content[name] = data
    }
    return content
  }

  private func expectRefusal(
    _ family: DecantError.Family,
    _ message: String,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try content()
    let error = #expect(throws: DecantError.self, sourceLocation: location) {
      try Rollback(store).run()
    }
    #expect(error?.family == family, sourceLocation: location)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")", sourceLocation: location)
    #expect(error?.remedy != nil, sourceLocation: location)
    #expect(try content() == before, sourceLocation: location)
  }

  /// Writes `bytes` over the page of the backup that `table` begins on.
  private func damage(_ name: String, of path: String) throws {
    let page = try Program.sqlite3(path, "SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seek(toOffset: (UInt64(page) ?? 0) * 4096 - 4096)
    try file.write(contentsOf: Data(repeating: 0x55, count: 4096))
    try file.close()
  }

  @Test func `a backup with a damaged page`() throws {
    try damage("ZINGREDIENT", of: backup)
    try expectRefusal(.corruptStore, "is damaged")
  }

  @Test func `a backup whose index does not lead to its rows`() throws {
    _ = try Program.sqlite3(
      backup,
      """
      CREATE TABLE own (a); INSERT INTO own VALUES (1), (2), (3); CREATE INDEX own_a ON own (a);
      PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE INDEX own_a ON own (a DESC)'
      WHERE name = 'own_a';
      """
    )
    try expectRefusal(.corruptStore, "is damaged")
  }

  @Test func `a backup that is cut off, empty, or no database`() throws {
    let whole = try Data(contentsOf: URL(fileURLWithPath: backup))
    for (data, message) in [
      (whole.dropLast(100), "is truncated"), (Data(), "is empty"),
      (Data("Two cups of flour, sifted twice and then folded in.\n".utf8), "not a database"),
    ] {
      try data.write(to: URL(fileURLWithPath: backup))
      try expectRefusal(.corruptStore, message)
    }
  }

  @Test func `a backup that is of another kind`() throws {
    try FileManager.default.removeItem(atPath: backup)
    _ = try Program.sqlite3(backup, "CREATE TABLE recipe (id, title)")
    try expectRefusal(.corruptStore, "is not a backup of")
    try FileManager.default.removeItem(atPath: backup)
    _ = try Program.sqlite3(backup, "CREATE TABLE Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX)")
    try expectRefusal(.corruptStore, "Z_METADATA")
  }

  @Test func `a backup that is a folder or a link`() throws {
    let files = FileManager.default
    try files.removeItem(atPath: backup)
    try files.createSymbolicLink(atPath: backup, withDestinationPath: "Kitchen.sqlite")
    try expectRefusal(.corruptStore, "is not a file")
    try files.removeItem(atPath: backup)
    try files.createDirectory(atPath: backup, withIntermediateDirectories: false)
    try expectRefusal(.corruptStore, "is not a file")
  }

  @Test(arguments: [
    ("delete", "BEGIN IMMEDIATE; SELECT 1"), ("delete", "BEGIN; SELECT Z_PK FROM ZTAG"),
    ("delete", "SELECT 'only open'"), ("wal", "SELECT 'only open'"),
  ])
  func `a store that somebody has open`(journal: String, statement: String) throws {
    _ = try Program.sqlite3(store, "PRAGMA journal_mode = \(journal)")
    let holder = try LockHolder(store, statement: statement)
    try expectRefusal(.storeBusy, "“\(store)” is in use by another process")
    holder.release()
    #expect(try Rollback(store).run().outcome == .exchanged)
  }

  @Test func `a backup that somebody has open`() throws {
    let holder = try LockHolder(backup, statement: "SELECT count(*) FROM ZTAG")
    try expectRefusal(.storeBusy, "“\(backup)” is in use by another process")
    holder.release()
  }

  @Test func `a store whose log is damaged loses nothing`() throws {
    try LeftBehind.log(
      of: store,
      "UPDATE ZTAG SET ZNAME = 'a'; UPDATE ZTAG SET ZNAME = 'b'; UPDATE ZTAG SET ZNAME = 'c'"
    )
    let log = try FileHandle(forUpdating: URL(fileURLWithPath: store + "-wal"))
    try log.seek(toOffset: 32 + 100)
    try log.write(contentsOf: Data(repeating: 0x55, count: 8))
    try log.close()
    try expectRefusal(.corruptStore, "write-ahead log")
  }

  @Test func `a store that is damaged is what a rollback is for`() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: backup))
    try damage("ZINGREDIENT", of: store)
    try damage("Z_METADATA", of: store)
    try Rollback(store).run()
    #expect(Kitchens.bytes(of: store) == before)
  }

  @Test(arguments: ["-wal", "-journal"])
  func `a log without its store is not read with the backup`(ending: String) throws {
    try FileManager.default.removeItem(atPath: store)
    try Data("of a store that is gone".utf8).write(to: URL(fileURLWithPath: store + ending))
    try expectRefusal(.failed, "is where another file must go")
  }

  @Test func `a link that leads nowhere`() throws {
    try FileManager.default.removeItem(atPath: store)
    try FileManager.default.createSymbolicLink(atPath: store, withDestinationPath: "gone")
    let error = #expect(throws: DecantError.self) { try Rollback(store).run() }
    #expect(error?.family == .usage)
    #expect(Kitchens.bytes(of: backup) != nil)
  }

  @Test func `a store without a backup, and a place without a store`() throws {
    try FileManager.default.removeItem(atPath: backup)
    try expectRefusal(.failed, "nothing to restore")
    try FileManager.default.removeItem(atPath: store)
    try expectRefusal(.storeNotFound, "there is no store")
  }

  @Test func `a request to stop leaves everything as it was`() throws {
    let before = try content()
    let cancellation = Cancellation()
    cancellation.cancel()
    let error = #expect(throws: DecantError.self) {
      try Rollback(store).run(cancellation: cancellation)
    }
    #expect(error?.family == .interrupted)
    #expect(try content() == before)
  }

  @Test func `another store's backup is put back and told of`() throws {
    try FileManager.default.removeItem(atPath: backup)
    try FileManager.default.copyItem(atPath: kitchens.kitchen, toPath: backup)
    let report = try Rollback(store).run()
    #expect(report.notes.commandLine.contains { $0.contains("a different identifier") })
  }
}
