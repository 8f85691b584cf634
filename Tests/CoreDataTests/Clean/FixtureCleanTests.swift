import Decant
import Foundation
import TestSupport
import Testing

/// Real stores that keep persistent history.
@Suite(.enabled(if: Fixtures.areAvailable)) struct FixtureCleanTests {
  @Test(arguments: [
    "plaso-knowledgec-10.13/knowledgec-10.13.db", "cdp-samplemodel2-v2/SampleModel2_V2.sqlite",
    "photos-10.15.1/Photos.sqlite", "photos-13.0.0/Photos.sqlite",
  ])
  func `a real store keeps everything but its history`(file: String) throws {
    let folder = try TemporaryFolder()
    let store = try Fixtures.copyStore(file, into: folder.url).path
    let before = try StoredTables(store)
    let metadata = try CleanTests.metadata(of: store)
    let report = try Clean(store, of: ["icloud", "cloudkit", "history"]).run()
    #expect(report.removed.map(\.layer.kind) == ["history"])
    let after = try StoredTables(store)
    var expected = before.rows
    let history = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
    for table in history { expected[table] = nil }
    expected["Z_PRIMARYKEY"] = nil
    expected["Z_METADATA"] = nil
    #expect(after.rows.filter { expected[$0.key] != nil } == expected)
    #expect(Set(after.rows.keys).isDisjoint(with: history))
    let books = "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY"
    let backup = try #require(report.backup)
    #expect(
      try Program.sqlite3(store, books)
        == Program.sqlite3(backup, books + " WHERE Z_ENT < 16000")
    )
    let ancillary = "_NSStoreAncillaryModelVersionHashesMetadataKey"
    #expect(try CleanTests.metadata(of: store) == metadata.filter { !$0.hasPrefix(ancillary) })
    #expect(try Program.sqlite3(store, "PRAGMA integrity_check; PRAGMA freelist_count") == "ok\n0")
    let names = ["com.apple.coreduetd", "com.apple.dt.xctest.tool", "ZTOMBSTONE0", "ACHANGE"]
    for name in names {
      let data = try Data(contentsOf: URL(fileURLWithPath: store))
      // Of the names that are nowhere but in the history.
      guard !after.rows.values.contains(where: { $0.contains(name) }) else { continue }
      #expect(data.range(of: Data(name.utf8)) == nil, "\(name)")
    }
  }
}
