import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// A backup is the store as it was, whatever lies where it is made.
@Suite struct BackupTests {
  let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  /// What changes a store, after a backup.
  enum Change: CaseIterable {
    case append, batch, clean
  }

  /// Makes `change` and returns the place of the backup it names.
  private func make(_ change: Change) throws -> String {
    if change == .clean {
      return try #require(try Clean(kitchens.syncMetadata, of: ["history"]).run().backup)
    }
    let report = try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
      $0.appends = true
      $0.keepsBackup = true
      if change == .batch { $0.commit = .batch }
    }
    let beginning = "the previous store: "
    let note = try #require(report.notes.commandLine.first { $0.hasPrefix(beginning) })
    return String(note.dropFirst(beginning.count))
  }

  private func store(_ change: Change) -> String {
    change == .clean ? kitchens.syncMetadata : kitchens.kitchen
  }

  /// Leaves a log beside `place` that holds every page of the store `original` in another state.
  private func leaveLog(of original: String, at place: String) throws {
    let other = kitchens.folder.path("other.sqlite")
    try FileManager.default.copyItem(atPath: original, toPath: other)
    let holder = try LockHolder(
      other,
      statement: """
        .output /dev/null
        PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0;
        UPDATE ZRECIPE SET ZTITLE = 'out of the log'; VACUUM;
        .output stdout
        SELECT 1
        """
    )
    try FileManager.default.copyItem(atPath: other + "-wal", toPath: place + "-wal")
    holder.release()
  }

  @Test(arguments: Change.allCases)
  func `it has the permissions and the extended attributes of the store`(change: Change) throws {
    let store = store(change)
    let describe = #"import os, sys; p = sys.argv[1]; print(oct(os.stat(p).st_mode), os.getxattr(p, "user.tag"))"#
    let mark = #"import os, sys; p = sys.argv[1]; os.chmod(p, 0o664); os.setxattr(p, "user.tag", b"mine"); "#
    let before = try Program.run(["python3", "-c", mark + describe, store]).output
    let backup = try make(change)
    #expect(before.contains("mine"))
    for place in [backup, store] {
      #expect(try Program.run(["python3", "-c", describe, place]).output == before, "\(place)")
    }
  }

  @Test(arguments: Change.allCases)
  func `a log that is left at its name does not get into it`(change: Change) throws {
    let store = store(change)
    let before = try Kitchens.rows(of: store)
    try leaveLog(of: store, at: store + ".backup-1")
    try leaveLogs(beside: store + ".backup-2.decant-partial")
    let backup = try make(change)
    #expect(backup == store + ".backup-2")
    #expect(try Kitchens.rows(of: backup) == before)
    #expect(try Program.sqlite3(backup, "PRAGMA integrity_check") == "ok")
  }

  private func leaveLogs(beside place: String) throws {
    for suffix in ["", "-wal", "-journal", "-shm"] {
      try Data("left by a kill".utf8).write(to: URL(fileURLWithPath: place + suffix))
    }
  }

  @Test(arguments: ["-wal", "-journal", "-shm"])
  func `whatever belongs to its name keeps that taken`(suffix: String) throws {
    let left = kitchens.syncMetadata + ".backup-1" + suffix
    try Data("of another".utf8).write(to: URL(fileURLWithPath: left))
    #expect(try make(.clean) == kitchens.syncMetadata + ".backup-2")
    #expect(FileManager.default.contents(atPath: left) == Data("of another".utf8))
    let names = try FileManager.default.contentsOfDirectory(atPath: kitchens.folder.url.path)
    #expect(names.allSatisfy { !$0.contains("partial") })
  }
}
