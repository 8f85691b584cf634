import Decant
import DecantStores
import Foundation
import TestSupport
import Testing

/// One test for each thing that a review once found wrong.
@Suite struct ReviewFindingsTests {
  let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  /// Copies everything, by pages or row by row.
  @discardableResult
  func copy(_ source: String, to place: String, rowByRow: Bool) throws -> CopyReport {
    try kitchens.copy(source, to: place) {
      if rowByRow { $0.filters = [.everything] }
    }
  }

  func content(_ path: String) -> Data? {
    FileManager.default.contents(atPath: path)
  }

  // MARK: Files that are not decant's to touch

  @Test(arguments: ["-wal", "-journal"], [false, true])
  func `a log or journal that is left at a new place is refused and stays`(
    suffix: String,
    rowByRow: Bool
  ) throws {
    let stale = kitchens.out + suffix
    let text = Data("what a lost store left\n".utf8)
    try text.write(to: URL(fileURLWithPath: stale))
    let error = #expect(throws: DecantError.self) {
      try copy(kitchens.kitchen, to: kitchens.out, rowByRow: rowByRow)
    }
    #expect(error?.message.contains("out.sqlite\(suffix)") == true)
    #expect(content(stale) == text)
    #expect(content(kitchens.out) == nil)
    #expect(content(kitchens.out + ".decant-partial") == nil)
  }

  @Test(
    arguments: [
      "Kitchen.sqlite", "Kitchen.sqlite-wal", "Kitchen.sqlite-journal", "Guests.sqlite",
      "Guests.sqlite-wal", "Guests.sqlite-journal", "notes.txt",
    ],
    [\CopyOptions.idTableFile, \CopyOptions.rejectsFile]
  )
  func `no list is written over a store or over what is there`(
    name: String,
    option: any WritableKeyPath<CopyOptions, String?> & Sendable
  ) throws {
    let notes = kitchens.folder.path("notes.txt")
    try Data("Two cups of flour\n".utf8).write(to: URL(fileURLWithPath: notes))
    let place = kitchens.folder.path(name)
    let before = [kitchens.kitchen, kitchens.guests, place].map(content)
    let error = #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
        $0.appends = true
        $0.onError = .reject
        $0[keyPath: option] = place
      }
    }
    #expect(error?.code == .usage)
    #expect([kitchens.kitchen, kitchens.guests, place].map(content) == before)
  }

  @Test(arguments: [false, true])
  func `a source that lies where the copy would be built is refused`(rowByRow: Bool) throws {
    let source = kitchens.out + ".decant-partial"
    try FileManager.default.copyItem(atPath: kitchens.kitchen, toPath: source)
    let before = content(source)
    let error = #expect(throws: DecantError.self) {
      try copy(source, to: kitchens.out, rowByRow: rowByRow)
    }
    #expect(error?.code == .usage)
    #expect(content(source) == before)
    #expect(content(kitchens.out) == nil)
  }

  @Test func `a cut-off change in the destination is undone and added to at once`() throws {
    let both = try Kitchens.content(of: kitchens.kitchen) + Kitchens.content(of: kitchens.guests)
    try HotJournal.leave(at: kitchens.kitchen)
    let journal = content(kitchens.kitchen + "-journal")
    #expect(journal?.prefix(4) == Data([0xD9, 0xD5, 0x05, 0xF9]))
    let report = try kitchens.copy(kitchens.guests, to: kitchens.kitchen) { $0.appends = true }
    #expect(report.isVerified)
    #expect(try Kitchens.content(of: kitchens.kitchen) == both)
    #expect(try Program.sqlite3(kitchens.kitchen, "PRAGMA integrity_check") == "ok")
  }

  @Test(arguments: [true, false])
  func `a cut-off change in the destination stays where nothing is added`(isDryRun: Bool) throws {
    let expected = try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
      $0.appends = true
      $0.isDryRun = true
    }
    try HotJournal.leave(at: kitchens.kitchen)
    let files = [kitchens.kitchen, kitchens.kitchen + "-journal"]
    let before = files.map(content)
    if isDryRun {
      let report = try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
        $0.appends = true
        $0.isDryRun = true
      }
      // The plan is that for the store as it is once the change is undone.
      #expect(report.plan == expected.plan && report.copiedCount == expected.copiedCount)
    } else {
      let error = #expect(throws: DecantError.self) {
        try kitchens.copy(kitchens.guests, to: kitchens.kitchen)
      }
      #expect(error?.message.contains("already holds") == true, "\(error?.message ?? "")")
    }
    #expect(files.map(content) == before)
  }

  @Test(arguments: [CopyOptions.Commit.run, .batch], [true, false])
  func `a store with a part of a copy in it is refused as it is`(
    commit: CopyOptions.Commit,
    isDryRun: Bool
  ) throws {
    let tables = ["decant_run", "decant_checkpoint", "decant_links", "decant_ids"]
    let sql = tables.map { "CREATE TABLE \($0) (a)" }.joined(separator: ";")
    _ = try Program.sqlite3(kitchens.kitchen, sql)
    try HotJournal.leave(at: kitchens.kitchen)
    let files = [kitchens.kitchen, kitchens.kitchen + "-journal"]
    let before = files.map(content)
    let error = #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
        $0.appends = true
        $0.commit = commit
        $0.isDryRun = isDryRun
      }
    }
    #expect(error?.code == .failed)
    #expect(error?.message.contains("a part of a copy that was cut off") == true)
    #expect(files.map(content) == before)
  }

  // MARK: Columns and tables that the model does not name

  @Test(arguments: [false, true])
  func `rows wider than a function takes arguments are copied and proven`(rowByRow: Bool) throws {
    let names = (1...150).map { "EXTRA\($0)" }
    let columns = names.map { "ALTER TABLE ZTAG ADD COLUMN \($0);" }.joined()
    let values = names.enumerated().map { "\($1) = 'v' || Z_PK || '-\($0)'" }
    _ = try Program.sqlite3(
      kitchens.kitchen,
      columns + "UPDATE ZTAG SET \(values.joined(separator: ", "))"
    )
    let report = try copy(kitchens.kitchen, to: kitchens.out, rowByRow: rowByRow)
    #expect(report.isVerified)
    #expect(try Kitchens.rows(of: kitchens.out) == Kitchens.rows(of: kitchens.kitchen))
    #expect(try Verify(kitchens.kitchen, against: kitchens.out).run().isEqual)
    for name in ["EXTRA1", "EXTRA100", "EXTRA150"] {
      let old = try Program.sqlite3(kitchens.out, "SELECT \(name) FROM ZTAG WHERE Z_PK = 2")
      _ = try Program.sqlite3(kitchens.out, "UPDATE ZTAG SET \(name) = 'other' WHERE Z_PK = 2")
      let verified = try Verify(kitchens.kitchen, against: kitchens.out).run()
      #expect(!verified.isEqual)
      #expect(verified.differences.contains { $0.description.contains("Tag p2") }, "\(name)")
      #expect(verified.differences.contains { $0.description.contains(name) }, "\(name)")
      _ = try Program.sqlite3(kitchens.out, "UPDATE ZTAG SET \(name) = '\(old)' WHERE Z_PK = 2")
    }
  }

  @Test(arguments: [false, true])
  func `columns of no property are carried`(rowByRow: Bool) throws {
    _ = try Program.sqlite3(
      kitchens.kitchen,
      """
      ALTER TABLE ZRECIPE ADD COLUMN "an App's own" BLOB; ALTER TABLE ZIMAGE ADD COLUMN ZOLD FLOAT;
      UPDATE ZRECIPE SET "an App's own" = x'00FF' WHERE Z_PK = 3; UPDATE ZIMAGE SET ZOLD = 0.1
      """
    )
    let report = try copy(kitchens.kitchen, to: kitchens.out, rowByRow: rowByRow)
    #expect(report.isVerified)
    #expect(try Kitchens.rows(of: kitchens.out) == Kitchens.rows(of: kitchens.kitchen))
    let value = "SELECT hex(\"an App's own\") FROM ZRECIPE WHERE Z_PK = 3"
    #expect(try Program.sqlite3(kitchens.out, value) == "00FF")
  }

  @Test func `an application's own tables may be called as decant's work tables`() throws {
    for name in ["decant_run", "decant_checkpoint", "decant_links", "decant_ids"] {
      _ = try Program.sqlite3(
        kitchens.kitchen,
        "CREATE TABLE \(name) (a); INSERT INTO \(name) VALUES ('mine')"
      )
    }
    try copy(kitchens.kitchen, to: kitchens.out, rowByRow: false)
    for name in ["decant_run", "decant_checkpoint", "decant_links", "decant_ids"] {
      #expect(try Program.sqlite3(kitchens.out, "SELECT a FROM \(name)") == "mine")
    }
  }

  @Test(arguments: [512, 65_536], [false, true])
  func `what the head of the file says is carried`(pageSize: Int, rowByRow: Bool) throws {
    _ = try Program.sqlite3(
      kitchens.kitchen,
      """
      PRAGMA user_version = 4711; PRAGMA application_id = 1145390420;
      PRAGMA page_size = \(pageSize); VACUUM
      """
    )
    let pragmas = "PRAGMA user_version; PRAGMA application_id; PRAGMA page_size"
    #expect(try Program.sqlite3(kitchens.kitchen, pragmas) == "4711\n1145390420\n\(pageSize)")
    try copy(kitchens.kitchen, to: kitchens.out, rowByRow: rowByRow)
    #expect(try Program.sqlite3(kitchens.out, pragmas) == "4711\n1145390420\n\(pageSize)")
    #expect(try Kitchens.rows(of: kitchens.out) == Kitchens.rows(of: kitchens.kitchen))
  }

  @Test func `a full-text table is carried by pages and refused row by row`() throws {
    _ = try Program.sqlite3(
      kitchens.kitchen,
      """
      CREATE VIRTUAL TABLE search USING fts5(title);
      INSERT INTO search (rowid, title) SELECT Z_PK, ZTITLE FROM ZRECIPE
      """
    )
    let error = #expect(throws: DecantError.self) {
      try copy(kitchens.kitchen, to: kitchens.out, rowByRow: true)
    }
    #expect(error?.message.contains("virtual table search") == true)
    #expect(content(kitchens.out) == nil)
    try copy(kitchens.kitchen, to: kitchens.out, rowByRow: false)
    let found = "SELECT rowid FROM search WHERE search MATCH 'soup' ORDER BY rowid"
    #expect(try Program.sqlite3(kitchens.out, found) == "1\n2")
    #expect(try Program.sqlite3(kitchens.out, "PRAGMA integrity_check") == "ok")
  }

  // MARK: Links

  @Test func `a key that a dangling link speaks for is given to nobody`() throws {
    _ = try Program.sqlite3(kitchens.kitchen, "UPDATE ZSTEP SET ZRECIPE = 16 WHERE Z_PK = 1")
    let report = try kitchens.copy(kitchens.guests, to: kitchens.kitchen) { $0.appends = true }
    #expect(report.isVerified)
    #expect(
      try Program.sqlite3(kitchens.kitchen, "SELECT ZRECIPE FROM ZSTEP WHERE Z_PK = 1") == "16"
    )
    let owner = "SELECT count(*) FROM ZRECIPE WHERE Z_PK = 16"
    #expect(try Program.sqlite3(kitchens.kitchen, owner) == "0")
    #expect(try Program.sqlite3(kitchens.kitchen, "SELECT count(*) FROM ZRECIPE") == "17")
  }

  @Test func `half a link that was there before is left alone`() throws {
    _ = try Program.sqlite3(kitchens.kitchen, "INSERT INTO Z_6TAGS (Z_6RECIPES) VALUES (1)")
    _ = try Program.sqlite3(kitchens.guests, "INSERT INTO Z_6TAGS VALUES (1, 999)")
    let report = try kitchens.copy(kitchens.guests, to: kitchens.kitchen) { $0.appends = true }
    #expect(report.isVerified)
    #expect(report.links.dangling == 1)
    let halves = "SELECT Z_6RECIPES, Z_8TAGS IS NULL FROM Z_6TAGS WHERE Z_8TAGS IS NULL"
    #expect(try Program.sqlite3(kitchens.kitchen, halves) == "1|1")
    #expect(try Program.sqlite3(kitchens.kitchen, "SELECT count(*) FROM Z_6TAGS") == "31")
  }

  @Test(arguments: [
    "UPDATE ZSTEP SET ZRECIPE = NULL, Z_FOK_RECIPE = 2048 WHERE Z_PK = 3",
    "UPDATE ZRECIPE SET ZCOVER = NULL, Z2_COVER = 3 WHERE Z_PK = 1",
    "UPDATE ZRECIPE SET Z2_COVER = 99 WHERE Z_PK = (SELECT min(Z_PK) FROM ZRECIPE WHERE ZCOVER)",
    "INSERT INTO Z_6TAGS (Z_6RECIPES) VALUES (1)",
    "INSERT INTO Z_6TAGS (Z_8TAGS) VALUES (1)",
    "INSERT INTO Z_6TAGS VALUES (NULL, NULL)",
  ])
  func `what stands beside no link is no reason to refuse a store`(change: String) throws {
    _ = try Program.sqlite3(kitchens.kitchen, change)
    for rowByRow in [false, true] {
      let place = kitchens.folder.path("out-\(rowByRow).sqlite")
      let report = try copy(kitchens.kitchen, to: place, rowByRow: rowByRow)
      #expect(report.isVerified)
      #expect(try Verify(kitchens.kitchen, against: place).run().isEqual)
      let count = "SELECT count(*) FROM ZSTEP UNION ALL SELECT count(*) FROM ZRECIPE"
      #expect(try Program.sqlite3(place, count) == Program.sqlite3(kitchens.kitchen, count))
      let half = "SELECT count(*) FROM Z_6TAGS WHERE Z_8TAGS IS NULL OR Z_6RECIPES IS NULL"
      #expect(try Program.sqlite3(place, half) == "0")
    }
  }
}

/// A journal that a killed process left beside its store.
private enum HotJournal {
  /// Has the `sqlite3` program write a part of a large change into `path`, and kills it.
  static func leave(at path: String) throws {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-batch", path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let change = """
      PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE;
      UPDATE ZINGREDIENT SET ZNOTE = hex(randomblob(2000)), ZRECIPE = NULL;
      UPDATE ZSTEP SET ZTEXT = hex(randomblob(2000)); DELETE FROM ZRECIPE;
      .print held

      """
    input.fileHandleForWriting.write(Data(change.utf8))
    var said = Data()
    while !String(decoding: said, as: UTF8.self).contains("held") {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { break }
      said += more
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
