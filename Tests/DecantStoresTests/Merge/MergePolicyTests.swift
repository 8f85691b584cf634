import Decant
import DecantStores
import Foundation
import TestSupport
import Testing

/// What becomes of an object that both stores have, with other values.
@Suite struct MergePolicyTests {
  private static let schema = """
    CREATE TABLE shelf (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT UNIQUE, title TEXT, size INTEGER,
      shelf INTEGER REFERENCES shelf (id), changed INTEGER);
    CREATE TABLE page (id INTEGER PRIMARY KEY, book INTEGER NOT NULL REFERENCES book (id) ON DELETE CASCADE,
      text TEXT);
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE wrote (book INTEGER REFERENCES book (id), author INTEGER REFERENCES author (id),
      PRIMARY KEY (book, author))
    """

  /// Mine has book A without pages on shelf 1, B, and C; theirs has A with another title, on shelf 2 and
  /// changed later, B changed earlier and on no shelf, C as it is.
  private func make() throws -> Merges {
    try Merges(
      Self.schema,
      mine: """
        INSERT INTO shelf VALUES (1, 'one');
        INSERT INTO book VALUES (1, 'A', 'mine', NULL, 1, 10), (2, 'B', 'mine', 20, 1, 10), (3, 'C', 'same', 1, NULL, 1);
        INSERT INTO page VALUES (1, 1, 'p');
        INSERT INTO author VALUES (1, 'ann'), (2, 'ben'); INSERT INTO wrote VALUES (1, 1), (1, 2), (2, 2)
        """,
      theirs: """
        INSERT INTO shelf VALUES (5, 'two');
        INSERT INTO book VALUES (7, 'A', 'theirs', 70, 5, 11), (8, 'B', 'theirs', NULL, NULL, 9), (9, 'C', 'same', 1, NULL, 1);
        INSERT INTO page VALUES (1, 7, 'p'), (2, 7, 'q');
        INSERT INTO author VALUES (3, 'cas'), (4, 'ben'); INSERT INTO wrote VALUES (7, 3), (8, 4)
        """
    )
  }

  private static let books = "SELECT isbn, title, size, shelf, changed FROM book ORDER BY id"
  private static let mine = ["'A','mine',NULL,1,10", "'B','mine',20,1,10", "'C','same',1,NULL,1"]

  /// The shelf “two” keeps its key, which collides with none.
  @Test(arguments: [
    (MergePolicy.skip, mine, 0),
    (.update, ["'A','theirs',70,5,11", "'B','theirs',NULL,NULL,9", mine[2]], 2),
    (.fill, ["'A','mine',70,1,10", mine[1], mine[2]], 1),
    (.newest, ["'A','theirs',70,5,11", mine[1], mine[2]], 1),
    (.replace, ["'A','theirs',70,5,11", "'B','theirs',NULL,NULL,9", mine[2]], 2),
  ])
  func `a policy says whose values stay`(policy: MergePolicy, books: [String], count: Int) throws {
    let stores = try make()
    let report = try stores.merge(.skip) {
      $0.rules["book"] = .init(policy, by: policy == .newest ? "changed" : nil)
    }
    #expect(try stores.rows(Self.books) == books)
    #expect(report["book"]?.updated == Int64(count))
    #expect(report["book"]?.merge?.same == 1 && report["book"]?.merge?.changed == 2)
    #expect(report.isVerified)
    #expect(try stores.complaints() == "")
    // The page that both have is there once, the other one with its book; under every policy.
    #expect(
      try stores.rows("SELECT isbn, text FROM page JOIN book ON book.id = page.book ORDER BY 1, 2")
        == ["'A','p'", "'A','q'"]
    )
    // Of Ann theirs knows nothing; that Ben did not write A it does.
    let wrote =
      "SELECT isbn, name FROM wrote JOIN book ON book.id = book JOIN author ON author.id = author ORDER BY 1, 2"
    #expect(
      try stores.rows(wrote)
        == (policy == .replace
          ? ["'A','ann'", "'A','cas'", "'B','ben'"]
          : ["'A','ann'", "'A','ben'", "'A','cas'", "'B','ben'"])
    )
  }

  @Test func `kept both, the copy has its own identity, title and parts`() throws {
    let stores = try make()
    let report = try stores.merge(.skip) { $0.rules["book"] = .init(.keepBoth) }
    #expect(
      try stores.rows(Self.books)
        == Self.mine + ["'A (2)','theirs (2)',70,5,11", "'B (2)','theirs (2)',NULL,NULL,9"]
    )
    #expect(report["book"]?.copied == 2 && report["book"]?.merge?.keptBoth == 2)
    #expect(
      try stores.rows("SELECT isbn, text FROM page JOIN book ON book.id = page.book ORDER BY 1, 2")
        == ["'A','p'", "'A (2)','p'", "'A (2)','q'"]
    )
    #expect(try stores.complaints() == "")
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

  @Test func `a conflict that must not be ends the merge before anything is written`() throws {
    let stores = try make()
    let before = try stores.dump()
    let error = #expect(throws: DecantError.self) { try stores.merge(.error) }
    #expect(error?.code == .failed)
    #expect(error?.message.contains("2 rows") == true)
    #expect(error?.place?.contains("book key 7") == true)
    #expect(try stores.dump() == before)
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
      _ = try Program.sqlite3(
        store,
        "DELETE FROM wrote; DELETE FROM page; DELETE FROM book WHERE isbn <> 'C'"
      )
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
    #expect(error?.code == .usage)
    #expect(error?.remedy?.contains("newest by") == true)
  }

  @Test func `newest names what it leaves as it is`() throws {
    let stores = try make()
    let report = try stores.merge(.newest) { $0.rules["book"] = .init(.newest, by: "changed") }
    let note = try #require(report.notes.first { $0.hasPrefix("--merge newest") })
    // Books say when they were changed; of the others there are rows in the source.
    for name in ["author", "page", "shelf"] { #expect(note.contains(name), "\(note)") }
    #expect(!note.contains("book"))
    #expect(try !stores.merge(.update).notes.contains { $0.hasPrefix("--merge newest") })
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
