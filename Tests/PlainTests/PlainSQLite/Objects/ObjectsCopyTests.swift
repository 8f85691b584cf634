import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// The sample stores as plain databases: what a user asks of the copy.
@Suite struct ObjectsCopyTests {
  private let kitchens: Kitchens
  private var plain: String { kitchens.folder.path("plain.db") }

  init() throws { kitchens = try Kitchens() }

  private func fail(_ from: String, _ to: String, _ configure: (inout CopyOptions) -> Void = { _ in }) -> DecantError? {
    #expect(throws: DecantError.self) { try kitchens.copy(from, to: to, configure) }
  }

  /// What the plain database holds, as text.
  private func dump() throws -> String { try Program.sqlite3(plain, ".dump") }

  @Test func `the same store gives the same database, whatever the batches`() throws {
    try kitchens.copy(kitchens.kitchen, to: "sqlite:\(plain)")
    let whole = try dump()
    #expect(whole.contains("CREATE TABLE Recipe_tags"))
    for batchSize: Int64 in [1, 7] {
      try FileManager.default.removeItem(atPath: plain)
      try kitchens.copy(kitchens.kitchen, to: "sqlite:\(plain)") { $0.batchSize = batchSize }
      #expect(try dump() == whole)
    }
  }

  @Test(arguments: [1, 3, 9, 20, 30])
  func `a copy that was stopped goes on where it ended`(count: Int) throws {
    try kitchens.copy(kitchens.kitchen, to: "sqlite:\(plain)")
    let whole = try dump()
    try FileManager.default.removeItem(atPath: plain)
    var options = CopyOptions()
    options.batchSize = 5
    let cancellation = Cancellation()
    var batches = 0
    let error = #expect(throws: DecantError.self) {
      try Copy(from: kitchens.kitchen, to: "sqlite:\(plain)", options: options)
        .run(cancellation: cancellation) { event in
          guard case .working(.progress(let progress), _) = event, progress.phase == .copy else {
            return
          }
          batches += 1
          if batches == count { cancellation.cancel() }
        }
    }
    #expect(error?.family == .interrupted)
    #expect(!FileManager.default.fileExists(atPath: plain))
    options.leftOver = .resume
    let report = try Copy(from: kitchens.kitchen, to: "sqlite:\(plain)", options: options).run()
    #expect(report.isVerified)
    #expect(report.links.copied == 166)
    #expect(try dump() == whole)
  }

  @Test func `a plain database in another encoding is read and added to all the same`() throws {
    try kitchens.copy(kitchens.kitchen, to: "sqlite:\(plain)")
    let wide = kitchens.folder.path("wide.db")
    let script = kitchens.folder.path("dump.sql")
    try Data("PRAGMA encoding = 'UTF-16'; \(dump())".utf8).write(to: URL(fileURLWithPath: script))
    _ = try Program.sqlite3(wide, ".read '\(script)'")
    try kitchens.copy(wide, to: "coredata:\(kitchens.out)") { $0.template = kitchens.kitchen }
    #expect(try Program.sqlite3(kitchens.out, "PRAGMA encoding") == "UTF-8")
    #expect(try Kitchens.content(of: kitchens.out) == Kitchens.content(of: kitchens.kitchen))
    #expect(try Verify(kitchens.kitchen, against: wide).run().isEqual)
    #expect(try Verify(wide, against: kitchens.kitchen).run().isEqual)
    // Added to once more in either encoding, it holds the same.
    try kitchens.copy(kitchens.guests, to: wide) { $0.appends = true }
    try kitchens.copy(kitchens.guests, to: plain) { $0.appends = true }
    #expect(try Program.sqlite3(wide, "PRAGMA encoding") == "UTF-16le")
    #expect(try Program.sqlite3(wide, ".dump") == dump())
    // And back, with the rows of both.
    let direct = kitchens.folder.path("direct.sqlite")
    try FileManager.default.copyItem(atPath: kitchens.guests, toPath: direct)
    try kitchens.copy(wide, to: kitchens.guests) { $0.appends = true }
    try kitchens.copy(plain, to: direct) { $0.appends = true }
    #expect(try Kitchens.content(of: kitchens.guests) == Kitchens.content(of: direct))
  }

  @Test func `two stores poured into one plain database come back as one store`() throws {
    try kitchens.copy(kitchens.kitchen, to: "sqlite:\(plain)")
    try kitchens.copy(kitchens.guests, to: plain) { $0.appends = true }
    try kitchens.copy(plain, to: "coredata:\(kitchens.out)") { $0.template = kitchens.guests }
    let direct = kitchens.folder.path("direct.sqlite")
    try FileManager.default.copyItem(atPath: kitchens.kitchen, toPath: direct)
    try kitchens.copy(kitchens.guests, to: direct) { $0.appends = true }
    #expect(try Kitchens.content(of: kitchens.out) == Kitchens.content(of: direct))
    #expect(try Program.sqlite3(kitchens.out, "PRAGMA integrity_check") == "ok")
  }

  @Test func `a plain database is poured into a store that holds objects`() throws {
    try kitchens.copy(kitchens.kitchen, to: "sqlite:\(plain)")
    let error = fail(plain, kitchens.guests)
    #expect(error?.family == .usage)
    #expect(error?.message.contains("already holds") == true)
    let direct = kitchens.folder.path("direct.sqlite")
    try FileManager.default.copyItem(atPath: kitchens.guests, toPath: direct)
    let report = try kitchens.copy(plain, to: kitchens.guests) { $0.appends = true }
    #expect(report.isVerified)
    try kitchens.copy(kitchens.kitchen, to: direct) { $0.appends = true }
    #expect(try Kitchens.content(of: kitchens.guests) == Kitchens.content(of: direct))
    #expect(
      try Program.sqlite3(
        kitchens.guests,
        "SELECT Z_MAX = (SELECT max(Z_PK) FROM ZRECIPE) FROM Z_PRIMARYKEY WHERE Z_NAME = 'Recipe'"
      ) == "1"
    )
  }

  @Test func `conditions choose objects on either side, dates as Core Data has them`() throws {
    let filter = CopyOptions.Filter(
      entity: "Recipe",
      expression: "createdAt >= date_value('2021-01-01') AND price IS NOT NULL"
    )
    let there = try kitchens.copy(kitchens.kitchen, to: "sqlite:\(plain)") { $0.filters = [filter] }
    try FileManager.default.removeItem(atPath: plain)
    try kitchens.copy(kitchens.kitchen, to: "sqlite:\(plain)")
    let back = try kitchens.copy(plain, to: "coredata:\(kitchens.out)") {
      $0.filters = [filter]
      $0.template = kitchens.kitchen
    }
    let copied = try #require(there["Recipe"]?.copied)
    #expect(copied > 0 && copied < 12)
    #expect(back["Recipe"]?.copied == copied)
    #expect(back.links == there.links)
  }

  @Test func `what differs is found across the kinds`() throws {
    try kitchens.copy(kitchens.kitchen, to: "sqlite:\(plain)")
    #expect(try Verify(kitchens.kitchen, against: plain).run().isEqual)
    #expect(try Verify(plain, against: kitchens.kitchen).run().isEqual)
    _ = try Program.sqlite3(
      plain,
      """
      UPDATE Recipe SET createdAt = '2020-01-01T00:00:00Z' WHERE id = 1;
      UPDATE Image SET entity = 'StepImage' WHERE id = 2;
      UPDATE Step SET recipe_position = 5 WHERE id = 3;
      DELETE FROM Recipe_tags WHERE rowid = 1;
      """
    )
    let report = try Verify(kitchens.kitchen, against: plain).run()
    let lost = try Program.sqlite3(
      kitchens.kitchen,
      "SELECT 'Recipe.tags p' || Z_6RECIPES || ' → p' || Z_8TAGS || ' is missing' FROM Z_6TAGS WHERE rowid = 1"
    )
    let found = Set(report.differences.map(\.description))
    #expect(found.contains("Recipe p1 differs in createdAt"))
    // An object of another entity is another object, and the recipe has another cover.
    #expect(found.contains("RecipeImage p2 is missing"))
    #expect(found.contains("Recipe p2 differs in cover"))
    #expect(found.contains("Step p3 differs in the place in the list of recipe"))
    #expect(found.contains(lost))
    #expect(found.count == 5)
  }

  @Test(arguments: [
    ("DROP TABLE Recipe_tags", "has no table Recipe_tags", "relationship Recipe.tags"),
    ("DROP TABLE Tag", "has no table Tag", "entity Tag"),
    ("ALTER TABLE Step DROP COLUMN text", "has no column Step.text", "property Step.text"),
    ("ALTER TABLE Image RENAME COLUMN entity TO kind", "has no column Image.entity", "entity Image"),
    ("ALTER TABLE Step DROP COLUMN recipe_position", "has no column Step.recipe_position", "property Step.recipe"),
  ])
  func `a table or column that is missing is named`(_ change: String, _ message: String, _ place: String) throws {
    try kitchens.copy(kitchens.kitchen, to: "sqlite:\(plain)")
    _ = try Program.sqlite3(plain, change)
    for error in [
      fail(plain, "coredata:\(kitchens.out)") { $0.template = kitchens.kitchen },
      fail(kitchens.kitchen, plain) { $0.appends = true },
    ] {
      #expect(error?.family == .modelMismatch)
      #expect(error?.message.contains(message) == true)
      #expect(error?.place == place)
    }
  }

  @Test func `a column that no property has stops the way back while it holds values`() throws {
    try kitchens.copy(kitchens.kitchen, to: "sqlite:\(plain)")
    _ = try Program.sqlite3(plain, "ALTER TABLE Tag ADD COLUMN note TEXT")
    try kitchens.copy(plain, to: "coredata:\(kitchens.out)") { $0.template = kitchens.kitchen }
    try FileManager.default.removeItem(atPath: kitchens.out)
    _ = try Program.sqlite3(plain, "UPDATE Tag SET note = 'mine' WHERE id = 1")
    let error = fail(plain, "coredata:\(kitchens.out)") { $0.template = kitchens.kitchen }
    #expect(error?.family == .modelMismatch)
    #expect(error?.message.contains("no column Tag.note, in which") == true)
  }

  @Test func `an entity name that is none is named with its object`() throws {
    try kitchens.copy(kitchens.kitchen, to: "sqlite:\(plain)")
    _ = try Program.sqlite3(plain, "UPDATE Image SET entity = 'Photo' WHERE id = 4")
    let error = fail(plain, "coredata:\(kitchens.out)") { $0.template = kitchens.kitchen }
    #expect(error?.description.contains("Image p4") == true, "\(String(describing: error))")
  }

  @Test func `an object of no entity of its table is not taken for one that is`() throws {
    _ = try Program.sqlite3(kitchens.kitchen, "UPDATE ZTAG SET Z_ENT = 1 WHERE Z_PK = 2")
    let error = fail(kitchens.kitchen, "sqlite:\(plain)")
    #expect(error?.description.contains("Tag p2") == true, "\(String(describing: error))")
    #expect(!FileManager.default.fileExists(atPath: plain))
  }

  @Test func `a Core Data store is made after a model, which has to be named`() throws {
    try kitchens.copy(kitchens.kitchen, to: "sqlite:\(plain)")
    let error = fail(plain, "coredata:\(kitchens.out)")
    #expect(error?.family == .usage)
    #expect(error?.advice?.commandLine.contains("--template") == true)
  }

  @Test func `triggers of a plain database run, unless they are not to`() throws {
    for fires in [true, false] {
      try? FileManager.default.removeItem(atPath: plain)
      try kitchens.copy(kitchens.kitchen, to: "sqlite:\(plain)")
      _ = try Program.sqlite3(
        plain,
        """
        CREATE TABLE log (id INTEGER PRIMARY KEY, tag);
        CREATE TRIGGER noted AFTER INSERT ON Tag BEGIN INSERT INTO log (tag) VALUES (NEW.id); END;
        """
      )
      let report = try kitchens.copy(kitchens.guests, to: plain) {
        $0.appends = true
        $0.firesTriggers = fires
      }
      #expect(report.isVerified)
      #expect(try Program.sqlite3(plain, "SELECT count(*) FROM log") == (fires ? "3" : "0"))
    }
  }

  @Test func `tables of an app's own go along and come back`() throws {
    _ = try Program.sqlite3(
      kitchens.kitchen,
      "CREATE TABLE settings (key TEXT PRIMARY KEY, value); INSERT INTO settings VALUES ('a', 1), ('b', x'00')"
    )
    try kitchens.copy(kitchens.kitchen, to: "sqlite:\(plain)")
    let rows = "SELECT rowid, * FROM settings ORDER BY 1"
    let expected = try Program.sqlite3(kitchens.kitchen, rows, isQuoted: true)
    #expect(try Program.sqlite3(plain, rows, isQuoted: true) == expected)
    try kitchens.copy(plain, to: "coredata:\(kitchens.out)") { $0.template = kitchens.kitchen }
    #expect(try Program.sqlite3(kitchens.out, rows, isQuoted: true) == expected)
  }

  @Test func `syncMetadata stays behind, and says so`() throws {
    let report = try kitchens.copy(kitchens.syncMetadata, to: "sqlite:\(plain)")
    #expect(report.notes.commandLine.contains { $0.hasPrefix("not copied: ") })
    #expect(try !dump().contains("ANSCK"))
    let error = fail(kitchens.syncMetadata, "sqlite:\(kitchens.out)") { $0.keepsMetadata = true }
    #expect(error?.family == .usage)
  }
}
