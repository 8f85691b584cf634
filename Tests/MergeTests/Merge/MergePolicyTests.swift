import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What becomes of an object that both stores have, with other values.
@Suite struct MergePolicyTests {
  private func make() throws -> Merges {
    try Merges(LawCases.bookSchema, mine: LawCases.myBooks, theirs: LawCases.theirBooks)
  }

  @Test func `kept both, whatever is unique differs`() throws {
    let stores = try Merges(
      "CREATE TABLE person (id INTEGER PRIMARY KEY, mail TEXT UNIQUE, nick TEXT UNIQUE, age INTEGER)",
      mine: "INSERT INTO person VALUES (1, 'a@b', 'ann', 7)",
      theirs: "INSERT INTO person VALUES (1, 'a@b', 'ann', 8)"
    )
    for _ in 1...2 { try stores.merge(.keepBoth) }
    #expect(
      try stores.rows("SELECT mail, nick, age FROM person ORDER BY id")
        == ["'a@b','ann',7", "'a@b (2)','ann (2)',8"]
    )
  }

  @Test func `a number that is taken is passed over`() throws {
    let stores = try make()
    _ = try Program.sqlite3(stores.mine, "INSERT INTO book VALUES (40, 'A (2)', 'other', 1, 1, 1)")
    try stores.merge(.skip) { $0.rules["book"] = .init(.keepBoth) }
    #expect(
      try stores.rows("SELECT isbn FROM book ORDER BY isbn")
        == ["'A'", "'A (2)'", "'A (3)'", "'B'", "'B (2)'", "'C'"]
    )
  }

  @Test func `a link that leads nowhere overwrites none`() throws {
    let stores = try make()
    _ = try Program.sqlite3(stores.theirs, "UPDATE book SET shelf = 99 WHERE isbn = 'B'")
    try stores.merge(.skip) { $0.rules["book"] = .init(.update) }
    #expect(try stores.rows("SELECT title, shelf FROM book WHERE isbn = 'B'") == ["'theirs',1"])
  }

  @Test func `a link that leads nowhere is no difference`() throws {
    let stores = try make()
    for store in [stores.mine, stores.theirs] {
      _ = try Program.sqlite3(store, "DELETE FROM wrote; DELETE FROM page; DELETE FROM book WHERE isbn <> 'C'")
    }
    _ = try Program.sqlite3(stores.theirs, "UPDATE book SET shelf = 99")
    for policy in [MergePolicy.error, .update, .keepBoth] {
      let report = try stores.merge(.skip) { $0.rules["book"] = .init(policy) }
      #expect(report["book"]?.merge?.same == 1, "\(policy)")
    }
    #expect(try stores.rows("SELECT isbn, shelf FROM book") == ["'C',NULL"])
  }

  @Test func `links that are removed are counted before and after`() throws {
    let stores = try make()
    for isDryRun in [true, false] {
      let report = try stores.merge(.skip) {
        $0.rules["book"] = .init(.replace)
      } options: {
        $0.isDryRun = isDryRun
      }
      #expect(report.removedLinkCount == 1)
    }
    #expect(try stores.merge(.skip) { $0.rules["book"] = .init(.replace) }.removedLinkCount == 0)
  }

  @Test func `a link between two objects that are replaced is counted once`() throws {
    let rows = """
      INSERT INTO a VALUES (1, 'a'), (2, 'b'); INSERT INTO b VALUES (1, 'x'), (2, 'y');
      INSERT INTO l VALUES (1, 1), (1, 2), (2, 1), (2, 2)
      """
    let schema = """
      CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT UNIQUE); CREATE TABLE b (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE l (a REFERENCES a ON DELETE CASCADE, b REFERENCES b ON DELETE CASCADE, PRIMARY KEY (a, b))
      """
    let stores = try Merges(schema, mine: rows, theirs: "\(rows); DELETE FROM l WHERE a = 1 OR b = 1")
    for isDryRun in [true, false] {
      #expect(try stores.merge(.replace, options: { $0.isDryRun = isDryRun }).removedLinkCount == 3)
    }
    #expect(try stores.rows("SELECT a, b FROM l") == ["2,2"])
  }

  /// By the source since the base.
  @Test func `a link between two objects that are removed is counted once`() throws {
    let scene = try ListScene()
    let (mine, theirs) = (scene.folder.path("mine.sqlite"), scene.folder.path("theirs.sqlite"))
    for copy in [mine, theirs] { try FileManager.default.copyItem(atPath: scene.store, toPath: copy) }
    _ = try Program.sqlite3(
      theirs,
      """
      DELETE FROM ZDISH WHERE Z_PK = 1; DELETE FROM ZTAG WHERE Z_PK = 2;
      DELETE FROM \(scene.table) WHERE Z_1DISHES = 1 OR Z_2TAGS = 2
      """
    )
    for isDryRun in [true, false] {
      var options = CopyOptions()
      var rules = MergeRules(.threeWay)
      rules.base = StoreLocation(place: scene.store)
      (options.merge, options.model, options.purpose) = (rules, scene.model, .merge)
      options.isDryRun = isDryRun
      let report = try Copy(from: theirs, to: mine, options: options).run()
      #expect(report.removedLinkCount == 2 && report.removedObjectCount == 2, "\(isDryRun)")
    }
    #expect(try Program.sqlite3(mine, "SELECT count(*) FROM \(scene.table)") == "1")
  }

  @Test func `newest needs to know what tells the time`() throws {
    let stores = try make()
    let error = #expect(throws: DecantError.self) { try stores.merge(.newest) }
    #expect(error?.family == .usage)
    #expect(error?.remedy?.contains("newest by") == true)
  }

  @Test func `newest names what it leaves as it is`() throws {
    let stores = try make()
    let report = try stores.merge(.newest) { $0.rules["book"] = .init(.newest, by: "changed") }
    let note = try #require(report.notes.commandLine.first { $0.hasPrefix("--merge newest") })
    // Books say when they were changed, and their pages follow them; of the others there are rows in the source.
    for name in ["author", "shelf"] { #expect(note.contains(name), "\(note)") }
    for name in ["book", "page"] { #expect(!note.contains(name), "\(note)") }
    #expect(try !stores.merge(.update).notes.commandLine.contains { $0.hasPrefix("--merge newest") })
  }

  @Test func `what a kept ID table says is what became of each object`() throws {
    let stores = try make()
    try stores.merge(.skip) {
      $0.rules["book"] = .init(.newest, by: "changed")
    } options: {
      $0.idTableFile = stores.folder.path("ids.sqlite")
    }
    let ids = try Program.sqlite3(
      stores.folder.path("ids.sqlite"),
      "SELECT entity, source, destination, count, outcome FROM ids WHERE entity <> 'page' ORDER BY 1, 2"
    )
    #expect(
      ids == """
        author|3|3|1|copied
        author|4|2|1|skipped
        book|7|1|1|updated
        book|8|2|2|skipped
        shelf|5|5|1|copied
        """
    )
  }
}
