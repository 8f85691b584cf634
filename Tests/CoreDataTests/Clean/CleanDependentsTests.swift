import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What of a store needs the tables that would go, and tables that are none.
@Suite struct CleanDependentsTests {
  let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  @Test(
    arguments: [
      ("CREATE TRIGGER told AFTER INSERT ON ZTAG BEGIN INSERT INTO ACHANGE (Z_ENT) VALUES (1); END", "trigger told"),
      ("CREATE TRIGGER told AFTER DELETE ON ZTAG BEGIN DELETE FROM \"achange\" WHERE 0; END", "trigger told"),
      ("CREATE VIEW latest AS SELECT t.* FROM main.[ATRANSACTION] AS t", "view latest"),
      ("CREATE VIRTUAL TABLE words USING fts5(ZNAME, content='ATRANSACTIONSTRING')", "table words"),
      ("CREATE TABLE mine (a REFERENCES ACHANGE (Z_PK))", "table mine"),
    ],
    [false, true]
  )
  func `what names a table that would go is named, and nothing changes`(
    _ item: (sql: String, name: String),
    isDryRun: Bool
  ) throws {
    _ = try Program.sqlite3(kitchens.syncMetadata, item.sql)
    let before = try Data(contentsOf: URL(fileURLWithPath: kitchens.syncMetadata))
    var clean = Clean(kitchens.syncMetadata, of: ["history"])
    clean.isDryRun = isDryRun
    let error = #expect(throws: DecantError.self) { try clean.run() }
    #expect(error?.family == .failed)
    #expect(error?.message.contains(item.name) == true, "\(error?.message ?? "")")
    #expect(error?.remedy?.contains("drop it") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: kitchens.syncMetadata)) == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: kitchens.folder.url.path)
    #expect(names.allSatisfy { !$0.contains("backup") })
  }

  @Test func `what goes with its table, or speaks of others, is in nobody's way`() throws {
    _ = try Program.sqlite3(
      kitchens.syncMetadata,
      """
      CREATE TRIGGER own AFTER INSERT ON ACHANGE BEGIN DELETE FROM ATRANSACTION WHERE 0; END;
      CREATE VIEW others AS SELECT ZNAME AS changes /* not of ACHANGE */ FROM ZTAG;
      CREATE TRIGGER noted AFTER INSERT ON ZTAG BEGIN UPDATE ZTAG SET ZNAME = 'MYACHANGES' WHERE 0; END
      """
    )
    #expect(try Clean(kitchens.syncMetadata, of: ["history"]).run().isVerified)
    // What is left works: the second reader adds to the table the trigger is on, and reads the view.
    let use = "INSERT INTO ZTAG (Z_PK, Z_ENT) VALUES (77, 8); SELECT count(*) FROM others"
    #expect(try Program.sqlite3(kitchens.syncMetadata, use) == "3")
  }

  @Test(arguments: [
    "CREATE VIRTUAL TABLE ACHANGE USING fts5(Z_PK)", "CREATE VIEW ACHANGE AS SELECT * FROM ZTAG",
  ])
  func `a table of history that is none is refused by its name`(statement: String) throws {
    _ = try Program.sqlite3(kitchens.syncMetadata, "DROP TABLE ACHANGE; \(statement); VACUUM")
    let before = try Data(contentsOf: URL(fileURLWithPath: kitchens.syncMetadata))
    let error = #expect(throws: DecantError.self) {
      try Clean(kitchens.syncMetadata, of: ["history"]).run()
    }
    #expect(error?.family == .corruptStore)
    #expect(error?.message.contains("ACHANGE is a view or a virtual table") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: kitchens.syncMetadata)) == before)
    #expect(try Clean(kitchens.syncMetadata, of: ["cloudkit"]).run().isVerified)
  }
}
