import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// A store that was changed is what it was before, and nothing is lost.
@Suite struct RollbackTests {
  let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  /// What changes a store, after a backup.
  enum Change: CaseIterable {
    case append, batch, clean
  }

  private func store(_ change: Change) -> String {
    change == .clean ? kitchens.syncMetadata : kitchens.kitchen
  }

  /// Makes a change to the store at `path`, by default the one that it is usually made to.
  private func make(_ change: Change, at path: String? = nil) throws {
    switch change {
    case .clean: try Clean(path ?? kitchens.syncMetadata, of: ["history", "icloud"]).run()
    case .append:
      try kitchens.copy(kitchens.guests, to: path ?? kitchens.kitchen) {
        $0.appends = true
        $0.keepsBackup = true
      }
    case .batch:
      try kitchens.copy(kitchens.guests, to: path ?? kitchens.kitchen) {
        $0.appends = true
        $0.commit = .batch
      }
    }
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: kitchens.folder.url.path).sorted()
  }

  private func dump(_ path: String) throws -> String {
    try Program.sqlite3(path, "PRAGMA integrity_check") + Program.sqlite3(path, ".dump")
  }

  private func journal(_ path: String) throws -> String {
    try Program.sqlite3(path, "PRAGMA journal_mode")
  }

  @Test(arguments: Change.allCases, ["delete", "wal"])
  func `a changed store is as it was, and once more as it had become`(change: Change, journal: String) throws {
    let store = store(change)
    _ = try Program.sqlite3(store, "PRAGMA journal_mode = \(journal)")
    let before = try dump(store)
    try make(change)
    let after = try dump(store)
    #expect(before != after)
    let names = try names()
    let backup = store + ".backup-1"

    let report = try Rollback(store).run()
    #expect(report.outcome == .exchanged)
    #expect(report.putBack == backup && report.backup == backup)
    #expect(report.store.place == store && report.store.kind == "coredata")
    #expect(report.notes.isEmpty, "\(report.notes)")
    #expect(try self.names() == names.filter { !$0.hasSuffix("-journal") })
    #expect(try dump(store) == before && dump(backup) == after)
    #expect(try self.journal(store) == journal && self.journal(backup) == "delete")

    try Rollback(store).run()
    #expect(try dump(store) == after && dump(backup) == before)
    #expect(try self.journal(store) == journal)
    #expect(try self.names() == names.filter { !$0.hasSuffix("-journal") })
  }

  /// A file name has at most 255 bytes, and while a backup is made, files have names with 32 more than the store's.
  @Test(arguments: Change.allCases) func `a name that leaves no room for a backup's is refused`(change: Change) throws {
    let paths = [223, 224].map { kitchens.folder.path(String(repeating: "n", count: $0 - 7) + ".sqlite") }
    for path in paths { try FileManager.default.copyItem(atPath: store(change), toPath: path) }
    let before = try dump(store(change))
    try make(change, at: paths[0])
    try Rollback(paths[0]).run()
    #expect(try dump(paths[0]) == before)
    let names = try names()
    let error = #expect(throws: DecantError.self) { try make(change, at: paths[1]) }
    #expect(error?.code == .invalidPlace)
    #expect(try dump(paths[1]) == before)
    #expect(try self.names() == names)
  }

  @Test func `what was only in the log of the store is in the backup afterwards`() throws {
    let (store, backup) = (kitchens.syncMetadata, kitchens.syncMetadata + ".backup-1")
    _ = try Program.sqlite3(store, "PRAGMA journal_mode = wal")
    let before = try dump(store)
    try make(.clean)
    try LeftBehind.log(of: store, "UPDATE ZTAG SET ZNAME = 'of the log'")
    try Rollback(store).run()
    #expect(try dump(store) == before)
    let tag = "SELECT DISTINCT ZNAME FROM ZTAG"
    #expect(try Program.sqlite3(backup, tag) == "of the log")
    #expect(try names().allSatisfy { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") })
  }

  @Test func `what was only in the log of the backup is in the store afterwards`() throws {
    let (store, backup) = (kitchens.syncMetadata, kitchens.syncMetadata + ".backup-1")
    try make(.clean)
    try LeftBehind.log(of: backup, "UPDATE ZTAG SET ZNAME = 'of the log'")
    try Rollback(store).run()
    #expect(try Program.sqlite3(store, "SELECT DISTINCT ZNAME FROM ZTAG") == "of the log")
    #expect(try names().allSatisfy { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") })
  }

  @Test func `the last of several changes is taken back, and no other`() throws {
    let store = kitchens.kitchen
    try make(.append)
    let second = try dump(store)
    try make(.append)
    let third = try dump(store)
    #expect(try Rollback(store).run().putBack == store + ".backup-2")
    #expect(try dump(store) == second)
    #expect(try Rollback(store).run().putBack == store + ".backup-2")
    #expect(try dump(store) == third)
    // The gap that a removed one leaves is not filled by a later one.
    try FileManager.default.removeItem(atPath: store + ".backup-1")
    try make(.append)
    #expect(try Rollback(store).run().putBack == store + ".backup-3")
    #expect(try dump(store) == third)
  }

  @Test func `where there is no store the backup gets its name`() throws {
    let store = kitchens.syncMetadata
    let before = try dump(store)
    try make(.clean)
    try FileManager.default.removeItem(atPath: store)
    let report = try Rollback(store).run()
    #expect(report.outcome == .placed && report.backup == nil)
    #expect(try dump(store) == before)
    #expect(try names() == ["Guests.sqlite", "Kitchen.sqlite", "SyncMetadata.sqlite"])
  }

  @Test func `the file that a link leads to is put back, and the link stays one`() throws {
    let link = kitchens.folder.path("link.sqlite")
    let before = try dump(kitchens.syncMetadata)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "SyncMetadata.sqlite")
    try Clean(link, of: ["history"]).run()
    try Rollback(link).run()
    #expect(try dump(kitchens.syncMetadata) == before)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "SyncMetadata.sqlite")
    // Named by its own name, the store has a backup as well.
    try Clean(kitchens.syncMetadata, of: ["history"]).run()
    #expect(!FileManager.default.fileExists(atPath: link + ".backup-1"))
    try Rollback(link).run()
    #expect(try dump(kitchens.syncMetadata) == before)
  }

  @Test func `who may read and write the store stays as it was`() throws {
    let store = kitchens.syncMetadata
    try make(.clean)
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: store)
    try Rollback(store).run()
    #expect(try mode(store) == 0o666)
  }

  @Test func `files beside the store stay as they are`() throws {
    let files = kitchens.folder.url.appendingPathComponent(".Kitchen_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    let file = files.appendingPathComponent("0A1B2C3D-1111-4222-8333-000000000001")
    try Data("a picture".utf8).write(to: file)
    try make(.append)
    try Rollback(kitchens.kitchen).run()
    #expect(try Data(contentsOf: file) == Data("a picture".utf8))
  }
}
