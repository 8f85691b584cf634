import Foundation
import TestSupport
import Testing

@testable import DecantBase
@testable import DecantStore

/// The latest backup is the last that was made, whatever became of those before it.
@Suite struct BackupsTests {
  let folder: TemporaryFolder
  var backups: Backups { Backups(of: folder.path("a.db")) }

  init() throws { folder = try TemporaryFolder() }

  private func make(_ names: String...) throws {
    for name in names { try Data().write(to: folder.url.appendingPathComponent(name)) }
  }

  private func name(_ path: String?) -> String? { path.map { Files.name(of: $0) } }

  @Test func `the first has the number one, and there is no latest before it`() throws {
    try make("a.db", "b.db.backup-3", "a.db.backup", "a.db.backup-", "xa.db.backup-4")
    #expect(try backups.latestName() == nil)
    #expect(try name(backups.nextName()) == "a.db.backup-1")
  }

  @Test func `numbers are counted, not spelled, and none is used again below the highest`() throws {
    try make("a.db.backup-2", "a.db.backup-10", "a.db.backup-9")
    #expect(try name(backups.latestName()) == "a.db.backup-10")
    #expect(try backups.names().map(Files.name) == [2, 9, 10].map { "a.db.backup-\($0)" })
    #expect(try name(backups.nextName()) == "a.db.backup-11")
  }

  @Test func `what somebody else named is no backup`() throws {
    try make(
      "a.db.backup-1",
      "a.db.backup-02",
      "a.db.backup-20261121",
      "a.db.backup-2x",
      "a.db.backup-+3",
      "a.db.backup-0",
      "a.db.backup-5.decant-partial",
      "a.db.backup-99999999999999999999"
    )
    #expect(try name(backups.latestName()) == "a.db.backup-1")
    #expect(try name(backups.nextName()) == "a.db.backup-2")
  }

  @Test(arguments: ["-wal", "-journal", "-shm", ".decant-swap"])
  func `what is left of one keeps its number taken`(ending: String) throws {
    try make("a.db.backup-1", "a.db.backup-4" + ending)
    #expect(try name(backups.latestName()) == "a.db.backup-1")
    #expect(try name(backups.nextName()) == "a.db.backup-5")
  }
}
