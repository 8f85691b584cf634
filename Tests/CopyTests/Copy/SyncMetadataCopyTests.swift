import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@Suite struct SyncMetadataCopyTests {
  let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  /// Texts that the generator put into the sync metadata; nothing of them may be readable in a copy.
  private func isReadable(_ text: String, in path: String) throws -> Bool {
    try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(text.utf8)) != nil
  }

  @Test(arguments: [false, true])
  func `syncMetadata stays behind, and nothing of it stays readable`(rowByRow: Bool) throws {
    try kitchens.copy(kitchens.syncMetadata, to: kitchens.out) {
      if rowByRow { $0.filters = [.everything] }
    }
    let left = """
      SELECT count(*) FROM sqlite_schema WHERE name LIKE 'ANSCK%' OR name LIKE 'ACHANGE%'
      OR name LIKE 'ATRANSACTION%' OR name LIKE 'Z_TRANSACTION%';
      SELECT count(*) FROM Z_PRIMARYKEY WHERE Z_ENT >= 16000
      """
    #expect(try Program.sqlite3(kitchens.out, left) == "0\n0")
    #expect(try isReadable("com.apple.coredata.ubiquity", in: kitchens.syncMetadata))
    #expect(try !isReadable("com.apple.coredata.ubiquity", in: kitchens.out))
    #expect(try isReadable("ANSCKRECORDMETADATA", in: kitchens.syncMetadata))
    #expect(try !isReadable("ANSCKRECORDMETADATA", in: kitchens.out))
    #expect(try isReadable("dev.example.kitchen.theme", in: kitchens.out))
    #expect(try Program.sqlite3(kitchens.out, "PRAGMA integrity_check") == "ok")
    #expect(try Program.sqlite3(kitchens.out, "PRAGMA freelist_count") == "0")
    #expect(try Kitchens.content(of: kitchens.out) == Kitchens.content(of: kitchens.syncMetadata))
  }

  @Test(arguments: [false, true])
  func `what the metadata alone hold does not stay readable either`(rowByRow: Bool) throws {
    let script = """
      import plistlib, sqlite3, sys
      connection = sqlite3.connect(sys.argv[1], isolation_level=None)
      # A store that gives back free pages by itself would hide that nobody vacuumed it.
      connection.execute('PRAGMA auto_vacuum = NONE')
      connection.execute('VACUUM')
      metadata = plistlib.loads(connection.execute('SELECT Z_PLIST FROM Z_METADATA').fetchone()[0])
      # More than a page: what is freed shows in the list of free pages, though SQLite may overwrite it.
      metadata['com.apple.coredata.ubiquity.token'] = 'known to iCloud alone ' * 600
      connection.execute('UPDATE Z_METADATA SET Z_PLIST = ?', [plistlib.dumps(metadata, fmt=plistlib.FMT_BINARY)])
      """
    #expect(try Program.run(["python3", "-c", script, kitchens.kitchen]).status == 0)
    #expect(try isReadable("known to iCloud alone", in: kitchens.kitchen))
    try kitchens.copy(kitchens.kitchen, to: kitchens.out, rowByRow: rowByRow)
    #expect(try !isReadable("known to iCloud alone", in: kitchens.out))
    // The work tables of a copy by rows leave free pages; they never held the value.
    #expect(try rowByRow || Program.sqlite3(kitchens.out, "PRAGMA freelist_count") == "0")
    #expect(try Kitchens.content(of: kitchens.out) == Kitchens.content(of: kitchens.kitchen))
  }

  @Test(arguments: [false, true])
  func `syncMetadata travels when it is asked for`(rowByRow: Bool) throws {
    try kitchens.copy(kitchens.syncMetadata, to: kitchens.out) {
      $0.keepsMetadata = true
      if rowByRow { $0.filters = [.everything] }
    }
    for table in ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING", "ANSCKRECORDMETADATA"] {
      let rows = "SELECT * FROM \(table)"
      #expect(try Program.sqlite3(kitchens.out, rows) == Program.sqlite3(kitchens.syncMetadata, rows))
    }
    #expect(try isReadable("com.apple.coredata.ubiquity.token", in: kitchens.out))
  }

  @Test(arguments: [false, true])
  func `into a store that is there no syncMetadata is taken along`(isDryRun: Bool) throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: kitchens.kitchen))
    let error = #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.syncMetadata, to: kitchens.kitchen) {
        $0.appends = true
        $0.keepsMetadata = true
        $0.isDryRun = isDryRun
      }
    }
    #expect(error?.family == .usage)
    #expect(error?.what.commandLine.contains("--keep-metadata") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: kitchens.kitchen)) == before)
  }

  @Test func `nothing is written into a store that CloudKit mirrors`() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: kitchens.syncMetadata))
    let error = #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.guests, to: kitchens.syncMetadata) { $0.appends = true }
    }
    #expect(error?.family == .failed)
    #expect(error?.message.contains("CloudKit") == true)
    #expect(error?.advice?.commandLine.contains("--force") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: kitchens.syncMetadata)) == before)
  }

  @Test func `forced, objects are added beside the mirror, which stays as it is`() throws {
    let mirror = (Kitchens.syncTables["cloudkit"] ?? []).map { "SELECT * FROM \($0);" }.joined()
    let before = try Program.sqlite3(kitchens.syncMetadata, mirror, isQuoted: true)
    let both = try Kitchens.content(of: kitchens.syncMetadata) + Kitchens.content(of: kitchens.guests)
    let report = try kitchens.copy(kitchens.guests, to: kitchens.syncMetadata) {
      $0.appends = true
      $0.writesMirroredStore = true
    }
    #expect(report.isVerified)
    #expect(report.notes.commandLine.contains { $0.contains("mirrored by CloudKit") })
    #expect(try Kitchens.content(of: kitchens.syncMetadata) == both)
    #expect(try Program.sqlite3(kitchens.syncMetadata, mirror, isQuoted: true) == before)
    let entered = "SELECT count(*) FROM ACHANGE WHERE ZTRANSACTIONID = 4 AND ZCHANGETYPE = 0"
    #expect(try Program.sqlite3(kitchens.syncMetadata, entered) == "61")
  }
}
