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
  private func copy(_ source: String, to place: String, rowByRow: Bool) throws -> CopyReport {
    try kitchens.copy(source, to: place) {
      if rowByRow { $0.filters = [.everything] }
    }
  }

  private func content(_ path: String) -> Data? {
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

  // MARK: Other shapes of stores

  @Test(arguments: ["UTF-16le", "UTF-16be"], [false, true])
  func `a store in another encoding is copied`(encoding: String, rowByRow: Bool) throws {
    let source = kitchens.folder.path("utf16.sqlite")
    let script = kitchens.folder.path("dump.sql")
    let dump = try Program.sqlite3(kitchens.kitchen, ".dump")
    try Data("PRAGMA encoding = '\(encoding)';\n\(dump)\n".utf8)
      .write(to: URL(fileURLWithPath: script))
    _ = try Program.run(["sqlite3", "-batch", source, ".read dump.sql"], in: kitchens.folder.url)
    #expect(try Program.sqlite3(source, "PRAGMA encoding") == encoding)
    let report = try copy(source, to: kitchens.out, rowByRow: rowByRow)
    #expect(report.isVerified)
    #expect(try Kitchens.rows(of: kitchens.out) == Kitchens.rows(of: kitchens.kitchen))
    #expect(try Program.sqlite3(kitchens.out, "PRAGMA integrity_check") == "ok")
  }

  @Test(arguments: [false, true])
  func `a source behind a symbolic link finds its external files`(rowByRow: Bool) throws {
    let name = "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"
    let folder = kitchens.folder.path(".Kitchen_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let picture = Data("a picture".utf8)
    try picture.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    _ = try Program.sqlite3(
      kitchens.kitchen,
      "UPDATE ZIMAGE SET ZDATA = x'02' || CAST('\(name)' AS BLOB) || x'00' WHERE Z_PK = 1"
    )
    // `||` makes text of its operands; the store holds a BLOB.
    _ = try Program.sqlite3(
      kitchens.kitchen,
      "UPDATE ZIMAGE SET ZDATA = CAST(ZDATA AS BLOB) WHERE Z_PK = 1"
    )
    let elsewhere = kitchens.folder.path("elsewhere")
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    let link = elsewhere + "/Linked.sqlite"
    try FileManager.default.createSymbolicLink(
      atPath: link,
      withDestinationPath: kitchens.kitchen
    )
    let report = try copy(link, to: kitchens.out, rowByRow: rowByRow)
    #expect(report.files.copied == 1)
    #expect(report.files.missing == 0)
    #expect(content(kitchens.folder.path(".out_SUPPORT/_EXTERNAL_DATA/\(name)")) == picture)
    #expect(try Verify(link, against: kitchens.out).run().isEqual)
  }

  @Test(arguments: [false, true])
  func `the smallest and the largest key can be written down`(rowByRow: Bool) throws {
    _ = try Program.sqlite3(
      kitchens.kitchen,
      """
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (-9223372036854775808, 8, 1, 'least'),
        (-9223372036854775807, 8, 1, 'next'), (9223372036854775806, 8, 1, 'last but one'),
        (9223372036854775807, 8, 1, 'last');
      INSERT INTO Z_6TAGS VALUES (1, -9223372036854775808), (1, 9223372036854775807)
      """
    )
    let ids = kitchens.folder.path("ids.sqlite")
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out) {
      if rowByRow { $0.filters = [.everything] }
      $0.idTableFile = ids
    }
    #expect(report.isVerified)
    let keys = "SELECT Z_PK FROM ZTAG ORDER BY Z_PK"
    #expect(try Program.sqlite3(kitchens.out, keys) == Program.sqlite3(kitchens.kitchen, keys))
    #expect(
      try Program.sqlite3(ids, "SELECT count(*) > 1 FROM ids WHERE entity = 'Tag'") == "1"
    )
    var verify = Verify(kitchens.kitchen, against: kitchens.out)
    verify.idTableFile = ids
    #expect(try verify.run().isEqual)
    // Where they are given others, too.
    let more = kitchens.folder.path("more.sqlite")
    let added = try kitchens.copy(kitchens.kitchen, to: kitchens.guests) {
      $0.appends = true
      $0.idTableFile = more
    }
    #expect(added.isVerified)
    #expect(try Program.sqlite3(kitchens.guests, "SELECT count(*) FROM ZTAG") == "13")
  }

  @Test func `a store whose keys are used up is not added to`() throws {
    _ = try Program.sqlite3(
      kitchens.kitchen,
      "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (9223372036854775807, 8, 1)"
    )
    let before = content(kitchens.kitchen)
    #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
        $0.appends = true
        $0.idTableFile = kitchens.folder.path("ids.sqlite")
      }
    }
    #expect(content(kitchens.kitchen) == before)
  }

  @Test(arguments: [false, true])
  func `a key that is text is named as damage`(rowByRow: Bool) throws {
    _ = try Program.sqlite3(
      kitchens.kitchen,
      """
      ALTER TABLE ZTAG RENAME TO old;
      CREATE TABLE ZTAG (Z_PK, Z_ENT INTEGER, Z_OPT INTEGER, ZCOLOR INTEGER, ZNAME VARCHAR,
        ZUUID BLOB);
      INSERT INTO ZTAG SELECT * FROM old; DROP TABLE old;
      UPDATE ZTAG SET Z_PK = 'six' WHERE Z_PK = 6
      """
    )
    let error = #expect(throws: DecantError.self) {
      try copy(kitchens.kitchen, to: kitchens.out, rowByRow: rowByRow)
    }
    #expect(error?.code == .corruptStore)
    #expect(error?.description.uppercased().contains("TAG") == true)
    #expect(content(kitchens.out) == nil)
  }

  @Test(arguments: ["decant_rejects", "decant_run", "decant_links"])
  func `a table of the app's own with the name of a work table is never touched`(table: String)
    throws
  {
    let make = "CREATE TABLE \(table) (mine TEXT); INSERT INTO \(table) VALUES ('recipe box')"
    _ = try Program.sqlite3(kitchens.kitchen, make)
    let rows = "SELECT mine FROM \(table)"
    try kitchens.copy(kitchens.kitchen, to: kitchens.out)
    #expect(try Program.sqlite3(kitchens.out, rows) == "recipe box")
    let error = #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.kitchen, to: kitchens.folder.path("rows.sqlite")) {
        $0.filters = [.everything]
      }
    }
    #expect(error?.message.contains(table) == true)
    #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
        $0.appends = true
        $0.commit = .batch
      }
    }
    #expect(try Program.sqlite3(kitchens.kitchen, rows) == "recipe box")
    try kitchens.copy(kitchens.guests, to: kitchens.kitchen) { $0.appends = true }
    #expect(try Program.sqlite3(kitchens.kitchen, rows) == "recipe box")
  }

  // MARK: Runs that end early, and what is told of them

  @Test func `a resumed copy reports the identifier that the file has`() throws {
    var options = CopyOptions()
    options.filters = [.everything]
    options.batchSize = 5
    let cancellation = Cancellation()
    let error = #expect(throws: DecantError.self) {
      try Copy(from: kitchens.kitchen, to: kitchens.out, options: options)
        .run(cancellation: cancellation) { event in
          if case .progress = event { cancellation.cancel() }
        }
    }
    #expect(error?.code == .interrupted)
    let uuid = "SELECT Z_UUID FROM Z_METADATA"
    let then = try Program.sqlite3(kitchens.out + ".decant-partial", uuid)
    options.leftOver = .resume
    let report = try Copy(from: kitchens.kitchen, to: kitchens.out, options: options).run()
    #expect(try Program.sqlite3(kitchens.out, uuid) == report.destination.uuid)
    #expect(report.destination.uuid == then)
  }

  @Test(arguments: 1...5)
  func `a cancelled task is told so only when nothing runs any more`(events: Int) async throws {
    _ = try Program.sqlite3(
      kitchens.kitchen,
      """
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      INSERT INTO ZINGREDIENT SELECT Z_PK + 1000 * i, Z_ENT, Z_OPT, ZISGARNISH, ZSORTINDEX,
        ZRECIPE, ZAMOUNT, ZNAME, ZNOTE, ZUNIT, ZUUID FROM ZINGREDIENT, n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 200000 WHERE Z_NAME = 'Ingredient'
      """
    )
    var options = CopyOptions()
    options.filters = [.everything]
    options.batchSize = 1
    let copy = Copy(from: kitchens.kitchen, to: kitchens.out, options: options)
    let iteration = Task {
      var progressCount = 0
      for try await event in copy.events {
        guard case .progress = event else { continue }
        progressCount += 1
        if progressCount == events { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    let error = await #expect(throws: DecantError.self) { try await iteration.value }
    #expect(error?.code == .interrupted)
    // The partial belongs to nobody: it can be written to, and the same place can be copied to.
    let partial = kitchens.out + ".decant-partial"
    #expect(try Program.sqlite3(partial, "BEGIN EXCLUSIVE; SELECT 1; COMMIT") == "1")
    var resumed = options
    resumed.batchSize = 1000
    resumed.leftOver = .resume
    let report = try Copy(from: kitchens.kitchen, to: kitchens.out, options: resumed).run()
    #expect(report.isVerified)
    #expect(try Kitchens.rows(of: kitchens.out) == Kitchens.rows(of: kitchens.kitchen))
  }

  @Test func `an ID table of another copy is refused`() throws {
    let ids = kitchens.folder.path("ids.sqlite")
    let other = kitchens.folder.path("other.sqlite")
    try kitchens.copy(kitchens.kitchen, to: kitchens.out) { $0.idTableFile = ids }
    try kitchens.copy(kitchens.kitchen, to: other)
    for (source, destination) in [(kitchens.kitchen, other), (kitchens.guests, kitchens.out)] {
      var verify = Verify(source, against: destination)
      verify.idTableFile = ids
      let error = #expect(throws: DecantError.self) { try verify.run() }
      #expect(error?.code == .usage)
      #expect(error?.message.contains("another copy") == true)
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
