import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Merging what two stores have made of what both had.
@Suite struct ThreeWayTests {
  private static let schema = """
    CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT UNIQUE, title TEXT);
    CREATE TABLE page (id INTEGER PRIMARY KEY, code TEXT UNIQUE,
      book INTEGER NOT NULL REFERENCES book (id) ON DELETE CASCADE, text TEXT)
    """

  /// Books by ISBN, each with its title, and its pages' texts by code.
  private typealias Shelf = [String: Book]

  private struct Book: Equatable {
    var title: String
    var pages: [String: String] = [:]
  }

  /// The statements that make `shelf`, numbered in an order of its own.
  private static func sql(_ shelf: Shelf, _ generator: inout SeededGenerator) -> String {
    var lines: [String] = []
    var page = 0
    for (index, isbn) in shelf.keys.sorted().shuffled(using: &generator).enumerated() {
      let book = shelf[isbn] ?? Book(title: "")
      lines.append("INSERT INTO book VALUES (\(index + 1), '\(isbn)', '\(book.title)')")
      for (code, text) in book.pages.sorted(by: { $0.key < $1.key }) {
        page += 1
        lines.append("INSERT INTO page VALUES (\(page), '\(code)', \(index + 1), '\(text)')")
      }
    }
    return lines.joined(separator: ";")
  }

  private static func lines(_ shelf: Shelf) -> [String] {
    shelf.flatMap { isbn, book in
      ["'\(isbn)','\(book.title)',NULL,NULL"]
        + book.pages.map { "'\(isbn)','\(book.title)','\($0.key)','\($0.value)'" }
    }.sorted()
  }

  private static let select = """
    SELECT isbn, title, NULL, NULL FROM book
    UNION ALL SELECT isbn, title, code, text FROM page JOIN book ON book.id = page.book
    """

  /// What a person would make of the three, object by object.
  private static func expected(base: Shelf, mine: Shelf, theirs: Shelf) -> Shelf {
    var result = mine
    // Removed there: it goes, unless it or a page was changed or added here.
    for (isbn, before) in base where theirs[isbn] == nil {
      guard let own = mine[isbn], own.title == before.title,
        own.pages.allSatisfy({ before.pages[$0] == $1 })
      else { continue }
      result[isbn] = nil
    }
    for (isbn, book) in theirs {
      let before = base[isbn]
      guard let own = mine[isbn] else {
        // Removed here: it stays away with all its pages, or comes back with all of them.
        if book.title != before?.title || book.pages.contains(where: { before?.pages[$0] != $1 }) {
          result[isbn] = book
        }
        continue
      }
      if own.title != book.title, book.title != before?.title {
        guard own.title == before?.title else {
          // Both have changed it: theirs stays beside mine, with pages of its own.
          var double = Book(title: "\(book.title) (2)")
          for (code, text) in book.pages {
            double.pages[own.pages[code] == nil ? code : "\(code) (2)"] = text
          }
          result["\(isbn) (2)"] = double
          continue
        }
        result[isbn]?.title = book.title
      }
      for (code, text) in before?.pages ?? [:]
      where book.pages[code] == nil && own.pages[code] == text {
        result[isbn]?.pages[code] = nil
      }
      for (code, text) in book.pages {
        let old = before?.pages[code]
        guard let there = own.pages[code] else {
          if text != old { result[isbn]?.pages[code] = text }
          continue
        }
        if there == text || text == old { continue }
        if there == old {
          result[isbn]?.pages[code] = text
        } else {
          result[isbn]?.pages["\(code) (2)"] = text
        }
      }
    }
    return result
  }

  private static func shelf(_ generator: inout SeededGenerator) -> Shelf {
    var shelf: Shelf = [:]
    for isbn in ["A", "B", "C", "D", "E", "F"] where Int.random(in: 0..<5, using: &generator) > 0 {
      var book = Book(title: title(&generator))
      for number in 1...3 where Bool.random(using: &generator) {
        book.pages["\(isbn)\(number)"] = title(&generator)
      }
      shelf[isbn] = book
    }
    return shelf
  }

  private static func title(_ generator: inout SeededGenerator) -> String {
    ["red", "green", "blue"].randomElement(using: &generator) ?? ""
  }

  /// `shelf` with some of its titles, books and pages changed, removed and added.
  private static func edited(_ shelf: Shelf, _ generator: inout SeededGenerator) -> Shelf {
    var shelf = shelf
    let other = self.shelf(&generator)
    for isbn in Set(shelf.keys).union(other.keys).sorted() {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: shelf[isbn] = other[isbn]
      case 1: shelf[isbn]?.title = title(&generator)
      case 2: shelf[isbn]?.pages["\(isbn)1"] = other[isbn]?.pages["\(isbn)1"]
      default: break
      }
    }
    return shelf
  }

  @Test(arguments: SeededGenerator.seeds(15))
  func `each object is what a person would make of the three`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let base = Self.shelf(&generator)
    let (mine, theirs) = (Self.edited(base, &generator), Self.edited(base, &generator))
    let stores = try Merges(Self.schema, mine: Self.sql(mine, &generator), theirs: Self.sql(theirs, &generator))
    try stores.place.make("base.db", Self.schema + ";" + Self.sql(base, &generator))
    let expected = Self.lines(Self.expected(base: base, mine: mine, theirs: theirs))
    let report = try stores.mergeThreeWay()
    let found = try stores.rows(Self.select).sorted()
    #expect(found == expected, "base \(base), mine \(mine), theirs \(theirs)")
    #expect(report.isVerified || report.copiedCount == 0)
    #expect(try stores.complaints() == "")
    // Once more changes nothing.
    let again = try stores.mergeThreeWay()
    #expect(again.copiedCount == 0 && again.entities.allSatisfy { $0.updated == 0 })
    // What theirs removed and was changed here is a conflict as long as it is there.
    #expect(again.conflicts.allSatisfy { $0.source == nil })
    #expect(try stores.rows(Self.select).sorted() == expected)
  }

  /// Mine and theirs have both changed B.
  private func make() throws -> Merges {
    let stores = try Merges(
      Self.schema,
      mine: "INSERT INTO book VALUES (1, 'A', 'old'), (2, 'B', 'mine')",
      theirs: "INSERT INTO book VALUES (8, 'A', 'old'), (7, 'B', 'theirs')"
    )
    try stores.place.make("base.db", Self.schema + "; INSERT INTO book VALUES (3, 'B', 'old'), (4, 'A', 'old')")
    return stores
  }

  @Test func `what both have changed is named, and a dry run says the same`() throws {
    let stores = try make()
    let foretold = try stores.mergeThreeWay { $0.isDryRun = true }
    #expect(try stores.rows("SELECT count(*) FROM book") == ["2"])
    let report = try stores.mergeThreeWay()
    #expect(foretold.conflicts == report.conflicts)
    #expect(report.conflicts.map(\.entity) == ["book"])
    #expect(report.conflicts.map(\.source) == [7] && report.conflicts.map(\.destination) == [2])
    let copy = try #require(report.conflicts.first?.copy)
    #expect(try stores.rows("SELECT isbn, title FROM book WHERE id = \(copy)") == ["'B (2)','theirs (2)'"])
  }

  @Test func `without a base nothing is merged`() throws {
    let stores = try make()
    let before = try stores.dump()
    let error = try #require(throws: DecantError.self) { try stores.merge(.threeWay) }
    #expect(error.family == .usage && error.advice?.commandLine.contains("--base") == true)
    let absent = try #require(throws: DecantError.self) {
      try stores.merge(.threeWay) { $0.base = StoreLocation(place: stores.place.path("no.db")) }
    }
    #expect(absent.family == .storeNotFound)
    let batches = try #require(throws: DecantError.self) {
      try stores.mergeThreeWay { $0.commit = .batch }
    }
    #expect(batches.family == .usage)
    #expect(try stores.dump() == before)
  }

  private static let shelves = """
    CREATE TABLE cat (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE dish (id INTEGER PRIMARY KEY, uuid TEXT UNIQUE, title TEXT,
      cat INTEGER REFERENCES cat (id) ON DELETE SET NULL);
    CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE dish_tag (dish INTEGER REFERENCES dish (id), tag INTEGER REFERENCES tag (id),
      PRIMARY KEY (dish, tag));
    INSERT INTO cat VALUES (1, 'soup'), (2, 'cake');
    INSERT INTO dish VALUES (1, 'A', 'a', 1), (2, 'B', 'b', 2);
    INSERT INTO tag VALUES (1, 'hot'), (2, 'cold'); INSERT INTO dish_tag VALUES (1, 1), (2, 2)
    """

  /// Three databases that begin alike.
  private func makeShelves(mine: String, theirs: String) throws -> Merges {
    let stores = try Merges(Self.shelves, mine: mine, theirs: theirs)
    try stores.place.make("base.db", Self.shelves)
    return stores
  }

  private static let dishes =
    "SELECT uuid, title, name FROM dish LEFT JOIN cat ON cat.id = dish.cat ORDER BY 1"

  /// What was removed here comes back once if it is led to by something else there; a link that was there before is cut.
  @Test(arguments: [
    (
      "INSERT INTO dish VALUES (3, 'N', 'new', 1)",
      ["'A','a',NULL", "'B','b','cake'", "'N','new','soup'"], ["'cake'", "'soup'"]
    ),
    ("UPDATE dish SET title = 'theirs' WHERE id = 1", ["'A','theirs',NULL", "'B','b','cake'"], ["'cake'"]),
    ("UPDATE dish SET cat = 1 WHERE id = 2", ["'A','a',NULL", "'B','b','soup'"], ["'cake'", "'soup'"]),
  ])
  func `a link to what was removed here`(theirs: String, dishes: [String], cats: [String]) throws {
    let stores = try makeShelves(
      mine: "UPDATE dish SET cat = NULL WHERE id = 1; DELETE FROM cat WHERE id = 1",
      theirs: theirs
    )
    for _ in 0..<3 {
      try stores.mergeThreeWay()
      #expect(try stores.rows(Self.dishes) == dishes)
      #expect(try stores.rows("SELECT name FROM cat ORDER BY 1") == cats)
      #expect(try stores.complaints() == "")
    }
  }

  @Test func `links from many to many follow who changed them`() throws {
    let stores = try makeShelves(
      mine: "DELETE FROM dish_tag WHERE dish = 1",
      theirs: "INSERT INTO dish_tag VALUES (1, 2); DELETE FROM dish_tag WHERE dish = 2"
    )
    for _ in 0..<2 {
      try stores.mergeThreeWay()
      #expect(
        try stores.rows(
          "SELECT uuid, name FROM dish_tag JOIN dish ON dish.id = dish JOIN tag ON tag.id = tag ORDER BY 1, 2"
        )
          == ["'A','cold'"]
      )
    }
  }

  @Test func `only entities that are merged so lose what was removed`() throws {
    let stores = try makeShelves(
      mine: "DELETE FROM dish; DELETE FROM dish_tag; DELETE FROM tag; DELETE FROM cat",
      theirs: ""
    )
    let base = StoreLocation(place: stores.place.path("base.db"))
    try stores.merge(.skip) {
      $0.base = base
      $0.rules["dish"] = .init(.threeWay)
    }
    #expect(try stores.rows("SELECT count(*) FROM dish") == ["0"])
    #expect(try stores.rows("SELECT count(*) FROM tag") == ["2"])
    #expect(try stores.rows("SELECT count(*) FROM cat") == ["2"])
  }

  /// A row whose key is that of its owner comes back with it, and stays away with it.
  @Test(arguments: [("UPDATE profile SET bio = 'changed' WHERE id = 1", ["1"]), ("", [])])
  func `a row that has its owner's key is never without it`(theirs: String, left: [String]) throws {
    let schema = """
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE profile (id INTEGER PRIMARY KEY REFERENCES person (id) ON DELETE CASCADE, bio TEXT);
      INSERT INTO person VALUES (1, 'ann'), (2, 'ben'); INSERT INTO profile VALUES (1, 'x'), (2, 'y')
      """
    let stores = try Merges(
      schema,
      mine: "DELETE FROM profile WHERE id = 1; DELETE FROM person WHERE id = 1",
      theirs: theirs
    )
    try stores.place.make("base.db", schema)
    for _ in 0..<2 {
      try stores.mergeThreeWay()
      #expect(try stores.rows("SELECT 1 FROM person JOIN profile USING (id) WHERE name = 'ann'") == left)
      #expect(try stores.complaints() == "")
    }
  }

  /// A second version would need a key that no person has.
  @Test func `a row that has its owner's key has no second version`() throws {
    let schema = """
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE profile (id INTEGER PRIMARY KEY REFERENCES person (id), bio TEXT, stars INTEGER);
      INSERT INTO person VALUES (1, 'ann'), (2, 'ben'); INSERT INTO profile VALUES (1, 'x', 1), (2, 'y', 2)
      """
    let stores = try Merges(
      schema,
      mine: "UPDATE profile SET bio = 'mine' WHERE id = 1",
      theirs: "UPDATE profile SET bio = 'theirs' WHERE id = 1; UPDATE profile SET stars = 5 WHERE id = 2"
    )
    try stores.place.make("base.db", schema)
    let before = try stores.dump()
    let error = try #require(throws: DecantError.self) { try stores.mergeThreeWay() }
    #expect(error.message.contains("cannot keep both objects of profile") && error.place?.contains("person") == true)
    #expect(try stores.dump() == before)
    // Without a conflict such a row is merged.
    _ = try Program.sqlite3(stores.place.path("mine.db"), "UPDATE profile SET bio = 'x' WHERE id = 1")
    let report = try stores.mergeThreeWay()
    #expect(try stores.rows("SELECT bio, stars FROM profile ORDER BY id") == ["'theirs',1", "'y',5"])
    #expect(try stores.complaints() == "")
    #expect(!report.notes.contains { $0.kind == .identityMissing && $0.message.contains("profile") })
  }

  @Test func `all conflicts are counted, and the first named`() throws {
    func books(_ title: String, _ numbers: ClosedRange<Int>) -> String {
      "INSERT INTO book VALUES "
        + numbers.map { "(\($0), 'b\($0)', '\(title)')" }.joined(separator: ",")
    }
    let stores = try Merges(Self.schema, mine: books("mine", 1...25), theirs: books("theirs", 1...25))
    try stores.place.make("base.db", Self.schema + ";" + books("old", 1...24))
    let report = try stores.mergeThreeWay()
    #expect(report.conflictCount == 25 && report.conflicts.count == 20)
    #expect(report.conflicts.allSatisfy { $0.isChanged == true })
    // Those that were settled take nobody's place.
    try stores.place.make("theirs.db", books("theirs", 26...26))
    try stores.place.make("mine.db", "INSERT INTO book VALUES (90, 'b26', 'mine')")
    let later = try stores.mergeThreeWay()
    #expect(later.conflictCount == 1 && later.conflicts.map(\.source) == [26])
    #expect(later.conflicts.first?.isChanged == false)
  }

  @Test func `an object in which two values are in conflict is counted once`() throws {
    let schema =
      "CREATE TABLE note (id INTEGER PRIMARY KEY, name TEXT UNIQUE, text TEXT, stars INTEGER)"
    let stores = try Merges(
      schema,
      mine: "INSERT INTO note VALUES (1, 'a', 'mine', 5)",
      theirs: "INSERT INTO note VALUES (2, 'a', 'theirs', 9)"
    )
    try stores.place.make("base.db", schema + "; INSERT INTO note VALUES (3, 'a', 'old', 1)")
    let report = try stores.mergeThreeWay()
    #expect(report.conflictCount == 1 && report.conflicts.count == 1)
  }

  @Test func `a base that knows nothing of it is refused`() throws {
    let stores = try make()
    try stores.place.make("other.db", Self.schema + "; INSERT INTO book VALUES (1, 'Z', 'z')")
    let before = try stores.dump()
    let error = try #require(throws: DecantError.self) {
      try stores.merge(.threeWay) { $0.base = StoreLocation(place: stores.place.path("other.db")) }
    }
    #expect(error.family == .usage && error.message.contains("has no object of"))
    #expect(try stores.dump() == before)
  }

  /// All that mine has of the base would be deleted, as if somebody had wanted that.
  @Test func `a source without objects is refused`() throws {
    let stores = try make()
    _ = try Program.sqlite3(stores.theirs, "DELETE FROM book")
    let before = try stores.dump()
    let error = try #require(throws: DecantError.self) { try stores.mergeThreeWay() }
    #expect(error.family == .usage && error.message.contains("has no objects"))
    #expect(try stores.dump() == before)
  }

  /// A UUID that no two objects share tells them apart where the model says nothing.
  @Test func `objects are told apart by their UUIDs, and it is said`() throws {
    let schema = "CREATE TABLE note (id INTEGER PRIMARY KEY, uuid TEXT, text TEXT)"
    func rows(_ text: String) -> String {
      "INSERT INTO note VALUES (1, 'u1', '\(text)'), (2, 'u2', 'two'), (3, 'u3', 'three')"
    }
    let stores = try Merges(schema, mine: rows("old"), theirs: rows("new"))
    try stores.place.make("base.db", schema + ";" + rows("old"))
    let report = try stores.mergeThreeWay()
    #expect(try stores.rows("SELECT text FROM note ORDER BY id") == ["'new'", "'two'", "'three'"])
    #expect(report.notes.commandLine.contains { $0.contains("note.uuid") })
    // Two of one UUID tell nothing.
    try stores.place.make("theirs.db", "UPDATE note SET uuid = 'u1', text = 'newer' WHERE id < 3")
    let other = try stores.mergeThreeWay { $0.merge?.lineage = .none }
    #expect(other.notes.commandLine.contains { $0.contains("the rows of note have no identity") })
    #expect(other["note"]?.copied == 2)
  }
}

extension Merges {
  /// Merges theirs into mine with what both had in `base.db`.
  @discardableResult
  fileprivate func mergeThreeWay(_ change: (inout CopyOptions) -> Void = { _ in }) throws -> CopyReport {
    let base = StoreLocation(place: place.path("base.db"))
    return try merge(.threeWay, { $0.base = base }, options: change)
  }
}
