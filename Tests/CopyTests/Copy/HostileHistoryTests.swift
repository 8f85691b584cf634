import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Persistent history that cannot take an entry: it is found before anything is written.
@Suite struct HostileHistoryTests {
  let kitchens: Kitchens

  init() throws {
    kitchens = try Kitchens()
    try kitchens.dropMirror()
  }

  private static let highest = "9223372036854775807"

  /// A damage, and a word of what is said about it.
  static let damages = [
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = \(highest) WHERE Z_ENT = 16001", "ACHANGE"),
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = \(highest) - 61 WHERE Z_ENT = 16001", "ACHANGE"),
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = \(highest) WHERE Z_ENT = 16002", "ATRANSACTION"),
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = 1e300 WHERE Z_ENT = 16002", "ATRANSACTION"),
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = \(highest) WHERE Z_ENT = 16003", "ATRANSACTIONSTRING"),
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = 1e300 WHERE Z_ENT = 16003", "ATRANSACTIONSTRING"),
    ("UPDATE ACHANGE SET Z_PK = \(highest) WHERE Z_PK = 34", "ACHANGE"),
    ("UPDATE ATRANSACTION SET Z_PK = \(highest) WHERE Z_PK = 3", "ATRANSACTION"),
    ("UPDATE ATRANSACTIONSTRING SET Z_PK = \(highest) WHERE Z_PK = 4", "ATRANSACTIONSTRING"),
    ("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Change' WHERE Z_ENT = 16001", "under a different name"),
    ("ALTER TABLE ACHANGE RENAME COLUMN ZENTITYPK TO ZOTHER", "no column ZENTITYPK"),
    ("ALTER TABLE ATRANSACTION RENAME COLUMN ZTIMESTAMP TO ZOTHER", "no column ZTIMESTAMP"),
    ("ALTER TABLE ATRANSACTIONSTRING RENAME COLUMN ZNAME TO ZOTHER", "no column ZNAME"),
    ("ALTER TABLE ACHANGE RENAME TO OTHER; CREATE VIEW ACHANGE AS SELECT * FROM OTHER", "ACHANGE is a view"),
    ("DROP TABLE ACHANGE; CREATE VIRTUAL TABLE ACHANGE USING fts5(Z_PK, Z_ENT, ZENTITY)", "ACHANGE is a virtual"),
  ]

  @Test(arguments: damages, [CopyOptions.Commit.run, .batch])
  func `a history that cannot take more is refused, and the store stays as it is`(
    _ damage: (sql: String, word: String),
    commit: CopyOptions.Commit
  ) throws {
    _ = try Program.sqlite3(kitchens.syncMetadata, damage.sql)
    let before = try Data(contentsOf: URL(fileURLWithPath: kitchens.syncMetadata))
    let names = try FileManager.default.contentsOfDirectory(atPath: kitchens.folder.url.path)
    let error = #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.guests, to: kitchens.syncMetadata) {
        $0.appends = true
        $0.commit = commit
        $0.batchSize = 5
      }
    }
    #expect(error?.family == .corruptStore, "\(error?.message ?? "")")
    #expect(error?.message.contains(damage.word) == true, "\(error?.message ?? "")")
    #expect(error?.place?.contains("Z_PRIMARYKEY") == true)
    #expect(error?.advice?.commandLine.contains("clean --what history") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: kitchens.syncMetadata)) == before)
    let left = try FileManager.default.contentsOfDirectory(atPath: kitchens.folder.url.path)
    #expect(left.sorted() == names.sorted())
  }

  @Test func `the last keys there are, are handed out`() throws {
    _ = try Program.sqlite3(
      kitchens.syncMetadata,
      "UPDATE Z_PRIMARYKEY SET Z_MAX = \(Self.highest) - 62 WHERE Z_ENT = 16001"
    )
    try kitchens.copy(kitchens.guests, to: kitchens.syncMetadata) { $0.appends = true }
    let last = "SELECT max(Z_PK) FROM ACHANGE"
    #expect(try Program.sqlite3(kitchens.syncMetadata, last) == "9223372036854775806")
  }

  @Test func `a name that is entered already needs no key`() throws {
    _ = try Program.sqlite3(
      kitchens.syncMetadata,
      """
      UPDATE ATRANSACTIONSTRING SET ZNAME = 'decant' WHERE Z_PK = 4;
      UPDATE Z_PRIMARYKEY SET Z_MAX = \(Self.highest) WHERE Z_ENT = 16003
      """
    )
    try kitchens.copy(kitchens.guests, to: kitchens.syncMetadata) { $0.appends = true }
    let author = "SELECT ZAUTHORTS FROM ATRANSACTION ORDER BY Z_PK DESC LIMIT 1"
    #expect(try Program.sqlite3(kitchens.syncMetadata, author) == "4")
  }

  @Test(arguments: [("ACHANGE", "ATRANSACTION"), ("ATRANSACTION", "ACHANGE")])
  func `a half of a history is left alone, and that is said`(left: String, gone: String) throws {
    _ = try Program.sqlite3(kitchens.syncMetadata, "DROP TABLE \(gone)")
    let rows = "SELECT * FROM \(left); SELECT * FROM Z_PRIMARYKEY WHERE Z_ENT > 16000"
    let before = try Program.sqlite3(kitchens.syncMetadata, rows)
    let report = try kitchens.copy(kitchens.guests, to: kitchens.syncMetadata) { $0.appends = true }
    #expect(report.isVerified)
    #expect(report.notes.commandLine.contains { $0.contains("it has only \(left): nothing is recorded") })
    #expect(try Program.sqlite3(kitchens.syncMetadata, rows) == before)
  }
}
