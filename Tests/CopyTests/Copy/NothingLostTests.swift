import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What no model speaks of must not get lost on the way, be it into a store made otherwise.
@Suite struct NothingLostTests {
  private let kitchens: Kitchens
  private var template: String { kitchens.folder.path("template.sqlite") }

  init() throws {
    kitchens = try Kitchens()
    try FileManager.default.copyItem(atPath: kitchens.guests, toPath: template)
  }

  private func sql(_ path: String, _ statements: String) throws -> String {
    try Program.sqlite3(path, statements)
  }

  @Test func `a column of no property goes along or stops the copy, and verify misses it`() throws {
    let add = "ALTER TABLE ZTAG ADD COLUMN ZEXTRA TEXT"
    _ = try sql(kitchens.kitchen, "\(add); UPDATE ZTAG SET ZEXTRA = 'kept' WHERE Z_PK < 3")
    for isAdded in [false, true] {
      let error = #expect(throws: DecantError.self) {
        try kitchens.copy(kitchens.kitchen, to: isAdded ? kitchens.guests : kitchens.out) {
          $0.appends = isAdded
          $0.template = isAdded ? nil : template
        }
      }
      #expect(error?.family == .modelMismatch)
      #expect(error?.message.contains("no column ZTAG.ZEXTRA") == true)
      #expect(error?.message.contains("2 values") == true)
    }
    let error = #expect(throws: DecantError.self) {
      try Verify(kitchens.kitchen, against: template).run()
    }
    #expect(error?.family == .modelMismatch)
    _ = try sql(template, add)
    try kitchens.copy(kitchens.kitchen, to: kitchens.out) { $0.template = template }
    #expect(try sql(kitchens.out, "SELECT count(*) FROM ZTAG WHERE ZEXTRA = 'kept'") == "2")
    // An empty one is nothing to lose.
    _ = try sql(kitchens.kitchen, "UPDATE ZTAG SET ZEXTRA = NULL")
    try kitchens.copy(kitchens.kitchen, to: kitchens.guests) { $0.appends = true }
  }

  private let own = """
    CREATE TABLE mine (id INTEGER PRIMARY KEY AUTOINCREMENT, note TEXT UNIQUE);
    INSERT INTO mine (note) VALUES ('one'), ('two'), ('three'); DELETE FROM mine WHERE id = 3;
    CREATE INDEX mineByNote ON mine (note, id); CREATE VIEW shown AS SELECT note FROM mine;
    CREATE TRIGGER guard BEFORE DELETE ON mine BEGIN SELECT RAISE(ABORT, 'no'); END
    """

  @Test func `tables of an app's own go into a store made after a template, too`() throws {
    _ = try sql(kitchens.kitchen, own)
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out) { $0.template = template }
    #expect(report.isVerified)
    let objects =
      "SELECT name, sql FROM sqlite_schema WHERE name IN ('mine', 'mineByNote', 'shown', 'guard') ORDER BY 1"
    for query in [
      "SELECT * FROM mine", "SELECT * FROM shown", "SELECT * FROM sqlite_sequence", objects,
    ] {
      #expect(try sql(kitchens.out, query) == sql(kitchens.kitchen, query), "\(query)")
      #expect(try !sql(kitchens.out, query).isEmpty)
    }
    _ = try sql(template, "CREATE TABLE Mine (other)")
    try FileManager.default.removeItem(atPath: kitchens.out)
    let error = #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.kitchen, to: kitchens.out) { $0.template = template }
    }
    #expect(error?.message.contains("the name mine") == true)
  }

  @Test(arguments: [
    "UPDATE mine SET note = 'changed' WHERE id = 1", "INSERT INTO mine VALUES (9, 'more')",
    "DROP TRIGGER guard; DELETE FROM mine WHERE id = 2", "DROP VIEW shown; DROP TABLE mine",
  ])
  func `verify looks at an app's own tables`(_ change: String) throws {
    _ = try sql(kitchens.kitchen, own)
    try kitchens.copy(kitchens.kitchen, to: kitchens.out)
    #expect(try Verify(kitchens.kitchen, against: kitchens.out).run().isEqual)
    _ = try sql(kitchens.out, change)
    let report = try Verify(kitchens.kitchen, against: kitchens.out).run()
    #expect(!report.isEqual)
    #expect(report.differences.first?.entity == "table mine")
  }

  @Test func `what a template forbids twice is refused by name, or left out`() throws {
    _ = try sql(template, "CREATE UNIQUE INDEX Z_Tag_UNIQUE_color ON ZTAG (ZCOLOR)")
    _ = try sql(kitchens.kitchen, "UPDATE ZTAG SET ZCOLOR = Z_PK; UPDATE ZTAG SET ZCOLOR = 1 WHERE Z_PK = 2")
    let error = #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.kitchen, to: kitchens.out) { $0.template = template }
    }
    #expect(error?.message == "cannot write Tag p2: another object has the same color")
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out) {
      $0.template = template
      $0.onError = .reject
    }
    #expect(report.isVerified)
    #expect(report["Tag"]?.rejected == 1)
    #expect(try sql(kitchens.out, "SELECT count(*), count(DISTINCT ZCOLOR) FROM ZTAG") == "5|5")
  }

  @Test func `a cached model that does not fit is not believed`() throws {
    _ = try sql(kitchens.kitchen, "ALTER TABLE ZTAG RENAME COLUMN ZCOLOR TO ZCOLOUR")
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out)
    #expect(report.isVerified)
    #expect(!report.knowsLinks)
    #expect(report.notes.commandLine.contains { $0.contains("does not match its tables") })
    #expect(try sql(kitchens.out, "SELECT * FROM ZTAG") == sql(kitchens.kitchen, "SELECT * FROM ZTAG"))
  }

  @Test(arguments: [false, true])
  func `rows wider than a function takes arguments are copied and proven`(rowByRow: Bool) throws {
    let names = (1...150).map { "EXTRA\($0)" }
    let columns = names.map { "ALTER TABLE ZTAG ADD COLUMN \($0);" }.joined()
    let values = names.enumerated().map { "\($1) = 'v' || Z_PK || '-\($0)'" }
    _ = try Program.sqlite3(kitchens.kitchen, columns + "UPDATE ZTAG SET \(values.joined(separator: ", "))")
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out, rowByRow: rowByRow)
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
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out, rowByRow: rowByRow)
    #expect(report.isVerified)
    #expect(try Kitchens.rows(of: kitchens.out) == Kitchens.rows(of: kitchens.kitchen))
    let value = "SELECT hex(\"an App's own\") FROM ZRECIPE WHERE Z_PK = 3"
    #expect(try Program.sqlite3(kitchens.out, value) == "00FF")
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
    try kitchens.copy(kitchens.kitchen, to: kitchens.out, rowByRow: rowByRow)
    #expect(try Program.sqlite3(kitchens.out, pragmas) == "4711\n1145390420\n\(pageSize)")
    #expect(try Kitchens.rows(of: kitchens.out) == Kitchens.rows(of: kitchens.kitchen))
  }
}
