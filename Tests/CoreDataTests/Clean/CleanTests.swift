import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@Suite struct CleanTests {
  let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  static let counters = [
    "icloud": "0", "cloudkit": "Z_ENT >= 17000", "history": "Z_ENT BETWEEN 16001 AND 16003",
  ]

  @Test(arguments: [
    ["icloud"], ["cloudkit"], ["history"], ["cloudkit", "history"],
    ["icloud", "cloudkit", "history"],
  ])
  func `what is named goes, and nothing else`(kinds: [String]) throws {
    let before = try StoredTables(kitchens.syncMetadata)
    let metadata = try Self.metadata(of: kitchens.syncMetadata)
    let report = try Clean(kitchens.syncMetadata, of: kinds).run()
    #expect(report.isVerified)
    #expect(report.removed.map(\.layer.kind) == kinds)
    let after = try StoredTables(kitchens.syncMetadata)
    let gone = kinds.flatMap { Kitchens.syncTables[$0] ?? [] }
    #expect(gone.allSatisfy { before.rows[$0] != nil })
    // Every other table has the rows it had, as the sqlite3 program prints them.
    var expected = before.rows.filter { !gone.contains($0.key) }
    expected["Z_PRIMARYKEY"] = nil
    expected["Z_METADATA"] = nil
    #expect(after.rows.filter { expected[$0.key] != nil } == expected)
    #expect(Set(after.rows.keys) == Set(before.rows.keys).subtracting(gone))
    #expect(after.schema == before.schema.filter { line in !gone.contains { line.hasPrefix($0) } })
    // Of the system tables, the counters that go with those tables.
    let conditions = kinds.compactMap { Self.counters[$0] }.joined(separator: " OR ")
    let kept = try Program.sqlite3(
      try #require(report.backup),
      "SELECT * FROM Z_PRIMARYKEY WHERE NOT (\(conditions)) ORDER BY 1"
    )
    let books = "SELECT * FROM Z_PRIMARYKEY ORDER BY 1"
    #expect(try Program.sqlite3(kitchens.syncMetadata, books) == kept)
    // Of the metadata, the first iCloud's keys; python3 reads the property list.
    let left = metadata.filter { line in
      !(kinds.contains("icloud") && line.contains("com.apple.coredata.ubiquity."))
    }
    #expect(try Self.metadata(of: kitchens.syncMetadata) == left)
    #expect(left.contains { $0.contains("dev.example.kitchen.theme") })
    let pragmas = """
      PRAGMA integrity_check; PRAGMA freelist_count; PRAGMA page_size; PRAGMA auto_vacuum;
      PRAGMA journal_mode
      """
    #expect(try Program.sqlite3(kitchens.syncMetadata, pragmas) == "ok\n0\n4096\n2\ndelete")
    #expect(try StoredTables(try #require(report.backup)) == before)
  }

  /// The entries of a store's property list, and its identifier, as python3 reads them.
  static func metadata(of path: String) throws -> [String] {
    let script = """
      import plistlib, pprint, sqlite3, sys
      row = sqlite3.connect(sys.argv[1]).execute('SELECT Z_VERSION, Z_UUID, Z_PLIST FROM Z_METADATA')
      version, uuid, data = row.fetchone()
      print(version, uuid)
      for key, value in sorted(plistlib.loads(data).items()):
        print(key, pprint.pformat(value, width=10**9))
      """
    let run = try Program.run(["python3", "-c", script, path])
    #expect(run.status == 0, "\(run.errors)")
    return run.output.split(separator: "\n").map(String.init)
  }

  /// Texts of the sync metadata, each in another table or key.
  static let texts = [
    "com.apple.coredata.ubiquity", "ANSCK", "com.apple.coredata.cloudkit.zone", "ACHANGE",
    "__defaultOwner__", "NSCloudKitMirroringDelegate.import", "NSCKRecordMetadata",
    "TRANSACTIONSTRING", "only in the log",
  ]

  @Test(arguments: ["delete", "wal", "persist"])
  func `nothing that was removed stays readable beside the backup`(journal: String) throws {
    let store = kitchens.folder.path("store.sqlite")
    // Kept open, so that what is written last lies in the log, or in a journal that stays.
    let holder = try LockHolder(
      kitchens.syncMetadata,
      statement: """
        .output /dev/null
        PRAGMA journal_mode = \(journal); PRAGMA wal_autocheckpoint = 0;
        UPDATE ATRANSACTIONSTRING SET ZNAME = 'only in the log' WHERE Z_PK = 2;
        UPDATE ATRANSACTIONSTRING SET ZNAME = ZNAME || '.' WHERE Z_PK = 1;
        .output stdout
        SELECT 1
        """
    )
    for suffix in ["", "-wal", "-journal"] {
      let file = kitchens.syncMetadata + suffix
      guard FileManager.default.fileExists(atPath: file) else { continue }
      try FileManager.default.copyItem(atPath: file, toPath: store + suffix)
    }
    holder.release()
    let names = ["store.sqlite", "store.sqlite-wal", "store.sqlite-journal"]
    let inLog = try isReadable("only in the log", in: ["store.sqlite-wal"])
    #expect(inLog == (journal == "wal"))
    for text in Self.texts { #expect(try isReadable(text, in: names), "\(text)") }
    let report = try Clean(store, of: ["icloud", "cloudkit", "history"]).run()
    let backup = try #require(report.backup)
    for text in Self.texts {
      #expect(try !isReadable(text, in: names), "\(text)")
      #expect(try isReadable(text, in: [URL(fileURLWithPath: backup).lastPathComponent]), "\(text)")
    }
    #expect(try isReadable("dev.example.kitchen.theme", in: names))
    #expect(
      try Program.sqlite3(store, "PRAGMA integrity_check; PRAGMA journal_mode")
        == "ok\n\(journal == "wal" ? "wal" : "delete")"
    )
    #expect(try Kitchens.content(of: store) == Kitchens.content(of: backup))
  }

  private func isReadable(_ text: String, in names: [String]) throws -> Bool {
    try names.contains { name in
      let path = kitchens.folder.path(name)
      guard FileManager.default.fileExists(atPath: path) else { return false }
      return try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(text.utf8)) != nil
    }
  }
}
