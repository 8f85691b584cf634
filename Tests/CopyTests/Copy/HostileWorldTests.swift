import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@Suite struct HostileWorldTests {
  let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  @Test func `what others write during the copy is not in it`() throws {
    _ = try Program.sqlite3(kitchens.kitchen, "PRAGMA journal_mode = WAL")
    let before = try Kitchens.rows(of: kitchens.kitchen)
    var options = CopyOptions()
    options.filters = [.everything]
    options.batchSize = 10
    var writes = 0
    var failure: (any Error)?
    try Copy(from: kitchens.kitchen, to: kitchens.out, options: options).run { event in
      guard case .working(.progress(let progress), _) = event, progress.phase == .copy else {
        return
      }
      writes += 1
      do {
        _ = try Program.sqlite3(
          kitchens.kitchen,
          "UPDATE ZSTEP SET ZTEXT = 'changed'; DELETE FROM ZTAG; INSERT INTO ZTAG (Z_ENT) VALUES (8)"
        )
      } catch { failure = error }
    }
    #expect(failure == nil)
    #expect(writes > 5)
    #expect(try Kitchens.rows(of: kitchens.out) == before)
  }

  @Test func `a destination that somebody writes to is refused, and stays as it is`() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: kitchens.kitchen))
    let holder = try LockHolder(kitchens.kitchen)
    defer { holder.release() }
    let error = #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.guests, to: kitchens.kitchen) { $0.appends = true }
    }
    #expect(error?.family == .storeBusy)
    #expect(try Data(contentsOf: URL(fileURLWithPath: kitchens.kitchen)) == before)
  }

  @Test func `the source is not changed, nor is its log`() throws {
    _ = try Program.sqlite3(kitchens.kitchen, "PRAGMA journal_mode = WAL")
    let holder = try LockHolder(kitchens.kitchen, statement: "BEGIN; SELECT count(*) FROM ZTAG")
    _ = try Program.sqlite3(kitchens.kitchen, "UPDATE ZTAG SET ZNAME = 'log'")
    let files = [kitchens.kitchen, kitchens.kitchen + "-wal"].map { URL(fileURLWithPath: $0) }
    let before = try files.map { try Data(contentsOf: $0) }
    #expect(before[1].count > 0)
    try kitchens.copy(kitchens.kitchen, to: kitchens.out)
    #expect(try files.map { try Data(contentsOf: $0) } == before)
    #expect(try Program.sqlite3(kitchens.out, "SELECT DISTINCT ZNAME FROM ZTAG") == "log")
    holder.release()
  }

  @Test func `an object the destination refuses stops the copy and is named`() throws {
    _ = try Program.sqlite3(kitchens.kitchen, "CREATE UNIQUE INDEX one ON ZTAG (ZNAME)")
    let before = try Kitchens.rows(of: kitchens.kitchen)
    let error = #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.guests, to: kitchens.kitchen) { $0.appends = true }
    }
    let key = try Program.sqlite3(kitchens.guests, "SELECT Z_PK FROM ZTAG WHERE ZNAME = 'vegetarian'")
    #expect(error?.message == "cannot write Tag p\(key): another object has the same name")
    #expect(error?.advice?.commandLine.contains("--on-error reject") == true)
    #expect(try Kitchens.rows(of: kitchens.kitchen) == before)
  }

  @Test(arguments: [1, 3, 1000])
  func `rejected objects are left out, listed, and no link leads to them`(batchSize: Int64) throws {
    _ = try Program.sqlite3(kitchens.kitchen, "CREATE UNIQUE INDEX one ON ZTAG (ZNAME)")
    let list = kitchens.folder.path("rejects.decant")
    let links = try Program.sqlite3(
      kitchens.guests,
      "SELECT count(*) FROM Z_6TAGS JOIN ZTAG ON Z_PK = Z_8TAGS WHERE ZNAME = 'vegetarian'"
    )
    let before = Int(try Program.sqlite3(kitchens.kitchen, "SELECT count(*) FROM Z_6TAGS"))
    let report = try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
      $0.appends = true
      $0.onError = .reject
      $0.rejectsFile = list
      $0.batchSize = batchSize
    }
    #expect(report["Tag"]?.rejected == 1)
    #expect(report["Tag"]?.copied == 2)
    #expect(report.links.cut == Int64(links))
    #expect(links != "0")
    let lines = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
      .filter { $0.contains("\"reject\":") }
    #expect(lines.count == 1)
    #expect(lines.first?.contains("\"e\":\"Tag\"") == true)
    let dangling = "SELECT count(*) FROM Z_6TAGS WHERE Z_8TAGS NOT IN (SELECT Z_PK FROM ZTAG)"
    #expect(try Program.sqlite3(kitchens.kitchen, dangling) == "0")
    let guests = Int(try Program.sqlite3(kitchens.guests, "SELECT count(*) FROM Z_6TAGS"))
    let after = Int(try Program.sqlite3(kitchens.kitchen, "SELECT count(*) FROM Z_6TAGS"))
    #expect(after == (before ?? 0) + (guests ?? 0) - (Int(links) ?? 0))
    // Each link of the source is either copied or cut.
    let counts = report.linksByRelationship.first { $0.key.hasSuffix("tags") }?.value
    #expect(counts == LinkCounts(copied: Int64((guests ?? 0) - (Int(links) ?? 0)), cut: Int64(links) ?? 0))
  }

  @Test(arguments: [false, true], [false, true])
  func `an object of no known entity is named, not guessed`(rowByRow: Bool, verifies: Bool) throws {
    _ = try Program.sqlite3(kitchens.kitchen, "UPDATE ZTAG SET Z_ENT = 77 WHERE Z_PK = 2")
    let error = #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.kitchen, to: kitchens.out) {
        if rowByRow { $0.filters = [.everything] }
        $0.verifies = verifies
      }
    }
    #expect(error?.family == .corruptStore)
    #expect(error?.message.contains("Tag p2") == true)
    #expect(!FileManager.default.fileExists(atPath: kitchens.out))
  }

  @Test func `an object of no known entity can be left out`() throws {
    _ = try Program.sqlite3(kitchens.kitchen, "UPDATE ZTAG SET Z_ENT = 77 WHERE Z_PK = 2")
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out) { $0.onError = .reject }
    #expect(report["Tag"]?.rejected == 1)
    #expect(try Program.sqlite3(kitchens.out, "SELECT count(*) FROM ZTAG") == "5")
    let links = "SELECT count(*) FROM Z_6TAGS WHERE Z_8TAGS = 2"
    #expect(try Program.sqlite3(kitchens.out, links) == "0")
    #expect(try Program.sqlite3(kitchens.kitchen, links) == "\(report.links.cut)")
  }

  @Test func `a counter that lags behind the keys is not believed`() throws {
    _ = try Program.sqlite3(kitchens.kitchen, "UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
    let both = try Kitchens.content(of: kitchens.kitchen) + Kitchens.content(of: kitchens.guests)
    try kitchens.copy(kitchens.guests, to: kitchens.kitchen) { $0.appends = true }
    #expect(try Kitchens.content(of: kitchens.kitchen) == both)
  }

  @Test func `keys far apart do not take memory for the room between them`() throws {
    _ = try Program.sqlite3(
      kitchens.kitchen,
      "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (4611686018427387904, 8, 1, 'far away')"
    )
    try kitchens.copy(kitchens.kitchen, to: kitchens.out)
    #expect(try Kitchens.rows(of: kitchens.out).count == 8)
    let both = try Kitchens.content(of: kitchens.kitchen) + Kitchens.content(of: kitchens.guests)
    try kitchens.copy(kitchens.guests, to: kitchens.out) { $0.appends = true }
    #expect(try Kitchens.content(of: kitchens.out) == both)
  }

  @Test func `a model that does not fit is refused before anything is written`() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: kitchens.kitchen))
    // The guests' model is the kitchen's; a store of another model is made from its tables.
    let other = kitchens.folder.path("other.sqlite")
    try FileManager.default.copyItem(atPath: kitchens.guests, toPath: other)
    _ = try Program.sqlite3(other, "ALTER TABLE ZTAG DROP COLUMN ZCOLOR")
    let error = #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.kitchen, to: other) { $0.appends = true }
    }
    #expect(error?.family == .modelMismatch)
    #expect(error?.message.contains("ZTAG.ZCOLOR") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: kitchens.kitchen)) == before)
  }
}
