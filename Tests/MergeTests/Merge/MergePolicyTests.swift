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
