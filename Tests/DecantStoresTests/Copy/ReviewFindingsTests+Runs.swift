import Decant
import DecantStores
import Foundation
import TestSupport
import Testing

extension ReviewFindingsTests {
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
