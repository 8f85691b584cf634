import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Tables, views, indexes and triggers that an app has beside Core Data's in its store, read with the `sqlite3` program.
@Suite struct MigrateOwnTablesTests {
  private static let dish =
    #"<entity name="Dish"><attribute name="title" optional="YES" attributeType="String"/></entity>"#
  private static let renamed =
    #"<entity name="Dish"><attribute name="name" elementID="title" optional="YES" attributeType="String"/></entity>"#
  private static let spice =
    #"<entity name="Spice"><attribute name="name" optional="YES" attributeType="String"/></entity>"#

  /// A store with `sql` of the app's, of which a title gets another name and spices are new.
  private func migrated(_ sql: String) throws -> (scene: VersionScene, notes: [String]) {
    let scene = try VersionScene(
      [Self.dish, Self.renamed + Self.spice],
      rows: "INSERT INTO ZDISH (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'soup'); \(sql)"
    )
    var migration = Migrate([scene.store], to: scene.bundle)
    migration.isUnversioned = true
    return (scene, try migration.run().copies.flatMap(\.notes.commandLine))
  }

  private func names(_ store: String, _ type: String) throws -> String {
    try Program.sqlite3(
      store,
      "SELECT group_concat(name, ' ') FROM (SELECT name FROM sqlite_schema WHERE type = '\(type)' ORDER BY 1)"
    )
  }

  @Test func `triggers that name what is gone stay behind, and the app can write`() throws {
    let (scene, notes) = try migrated(
      """
      CREATE TABLE log (text TEXT); CREATE TABLE notes (id INTEGER PRIMARY KEY, dish INTEGER, text TEXT);
      CREATE TRIGGER keeps AFTER INSERT ON NOTES BEGIN INSERT INTO log VALUES (new.text); END;
      CREATE TRIGGER counts AFTER INSERT ON notes BEGIN UPDATE ZDISH SET Z_OPT = Z_OPT + 1 WHERE Z_PK = new.dish; END;
      CREATE TRIGGER titles AFTER INSERT ON notes BEGIN UPDATE ZDISH SET ZTITLE = new.text WHERE Z_PK = new.dish; END;
      CREATE TRIGGER worn AFTER DELETE ON notes BEGIN SELECT absent FROM ZDISH; END
      """
    )
    #expect(try names(scene.store, "trigger") == "counts keeps worn")
    #expect(notes.contains("not copied, because they refer to missing tables or columns: trigger titles"))
    let written = try Program.sqlite3(
      scene.store,
      """
      INSERT INTO notes (dish, text) VALUES (1, 'salt'); SELECT text FROM log;
      SELECT Z_PK, ZNAME, Z_OPT FROM ZDISH
      """
    )
    #expect(written == "salt\n1|soup|2")
  }

  @Test func `foreign keys that lead to what is gone are named`() throws {
    let (scene, notes) = try migrated(
      """
      CREATE TABLE extra (title TEXT REFERENCES ZDISH (ZTITLE), dish INTEGER REFERENCES zdish (z_pk));
      CREATE TABLE worn (x INTEGER REFERENCES absent (y))
      """
    )
    let note = try #require(notes.first { $0.hasPrefix("foreign keys of the app's own tables") })
    #expect(note.hasSuffix("enforced: extra.title to ZDISH.ZTITLE"))
    #expect(try names(scene.store, "table").contains("extra"))
    // As SQLite sees it.
    let run = try Program.run([
      "sqlite3", scene.store, "PRAGMA foreign_keys = ON; INSERT INTO extra (title) VALUES ('x')",
    ])
    #expect(run.status != 0 && run.errors.contains("foreign key mismatch"))
  }

  @Test func `a table of the app's with a name that the new store needs ends it with a word`() throws {
    let error = #expect(throws: DecantError.self) {
      _ = try migrated("CREATE TABLE zspice (text TEXT)")
    }
    #expect(error?.family == .modelMismatch)
    #expect(
      error?.message
        == "the new store needs the name zspice, which one of the source's own tables has"
    )
    #expect(error?.remedy?.contains("RENAME TO") == true)
  }

  @Test(arguments: [
    ("CREATE TABLE zspice (text TEXT)", "the name zspice"),
    ("CREATE VIRTUAL TABLE words USING fts4(text)", "virtual table words"),
  ])
  func `what has no room is foreseen`(_ sql: String, _ name: String) throws {
    let scene = try VersionScene([Self.dish, Self.renamed + Self.spice], rows: sql)
    var migration = Migrate([scene.store], to: scene.bundle)
    migration.isUnversioned = true
    let run = #expect(throws: DecantError.self) { try migration.run() }
    #expect(run?.message.contains(name) == true)
    migration.isDryRun = true
    let dryRun = #expect(throws: DecantError.self) { try migration.run() }
    #expect(dryRun?.message == run?.message && dryRun?.remedy == run?.remedy)
    let note = try #require(try scene.check().notes.commandLine.first { $0.contains(name) })
    #expect(note.hasPrefix("“decant migrate” refuses it: "))
  }

  @Test func `triggers of a view that stays come along with it`() throws {
    let (scene, notes) = try migrated(
      """
      CREATE VIEW keys AS SELECT Z_PK FROM ZDISH; CREATE VIEW titles AS SELECT ZTITLE FROM ZDISH;
      CREATE TRIGGER touches INSTEAD OF UPDATE ON keys BEGIN UPDATE ZDISH SET Z_OPT = 7 WHERE Z_PK = old.Z_PK; END;
      CREATE TRIGGER empties INSTEAD OF DELETE ON keys BEGIN UPDATE ZDISH SET ZTITLE = NULL; END;
      CREATE TRIGGER retitles INSTEAD OF UPDATE ON titles BEGIN SELECT 1; END
      """
    )
    #expect(try names(scene.store, "view") == "keys" && names(scene.store, "trigger") == "touches")
    #expect(
      notes.contains(
        "not copied, because they refer to missing tables or columns: view titles, trigger empties, trigger retitles"
      )
    )
    #expect(try Program.sqlite3(scene.store, "UPDATE keys SET Z_PK = 1; SELECT Z_OPT FROM ZDISH") == "7")
  }

  @Test func `what has the name of something new is named`() throws {
    let (scene, notes) = try migrated(
      """
      CREATE VIEW zspice AS SELECT 1 AS hot; CREATE TRIGGER ZSPICE INSTEAD OF DELETE ON zspice BEGIN SELECT 1; END;
      CREATE TABLE notes (text TEXT); CREATE INDEX fast ON notes (text)
      """
    )
    #expect(try names(scene.store, "view").isEmpty && names(scene.store, "trigger").isEmpty)
    #expect(try names(scene.store, "index").contains("fast"))
    #expect(
      notes.contains("not copied, because the new store already uses these names: view zspice, trigger ZSPICE")
    )
  }

  @Test func `what an app added to tables of objects is named, whatever it is called`() throws {
    let (_, notes) = try migrated(
      """
      CREATE INDEX ZMINE ON zdish (ZTITLE); CREATE INDEX Z_mine ON ZDISH (ZTITLE);
      CREATE INDEX Z_Dish_byTitle ON ZDISH (ZTITLE); CREATE INDEX ZDISH_ZTITLE_INDEX ON ZDISH (ZTITLE);
      CREATE TRIGGER Zwatch AFTER INSERT ON zdish BEGIN SELECT 1; END
      """
    )
    #expect(
      notes.contains(
        "not copied, because the tables are created from scratch: index ZMINE, index Z_mine, trigger Zwatch"))
  }
}
