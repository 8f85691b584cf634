import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Foreign keys by values that are no integer keys, in merges: nothing is left leading to values that are gone.
@Suite struct MergeNonIntegerKeyTests {
  private static let shop = """
    CREATE TABLE cat (id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT);
    CREATE TABLE item (id INTEGER PRIMARY KEY, cat TEXT REFERENCES cat (code), label TEXT);
    """

  private func byName(_ rules: inout MergeRules) {
    rules.identities = ["cat": ["name"], "item": ["label"]]
  }

  /// The message with which `body` fails, and its place.
  private func refusal(_ body: () throws -> Void) throws -> String {
    let error = #expect(throws: DecantError.self) { try body() }
    #expect(error?.family == .failed)
    return [error?.message, error?.place].compactMap(\.self).joined(separator: " – ")
  }

  @Test(arguments: [MergePolicy.skip, .fill])
  func `what leads to an object by a value that is another one where it is merged is refused`(
    policy: MergePolicy
  ) throws {
    let stores = try Merges(
      Self.shop,
      mine: "INSERT INTO cat VALUES (1, 'a', 'tools'); INSERT INTO item VALUES (1, 'a', 'saw')",
      theirs: "INSERT INTO cat VALUES (7, 'b', 'tools'); INSERT INTO item VALUES (2, 'b', 'axe')"
    )
    let before = try stores.dump()
    let message = try refusal { try stores.merge(policy, byName) }
    #expect(message.contains("1 row of item refers through cat to an object of cat that is merged with one"))
    #expect(message.contains("item.cat") && message.contains("p2 of the source"))
    #expect(try stores.dump() == before)
    // Told apart by what is led by, each has its own.
    try stores.merge(policy) { $0.identities = ["cat": ["code"], "item": ["label"]] }
    #expect(try stores.rows("SELECT cat, label FROM item ORDER BY 2") == ["'b','axe'", "'a','saw'"])
    #expect(try stores.complaints() == "")
  }

  /// Tables of tags and notes, in which a note refers to its tag by the key.
  private static let keys: [(columns: String, after: String)] = [
    ("id INTEGER PRIMARY KEY", ""), ("id TEXT PRIMARY KEY", ""), ("id TEXT PRIMARY KEY", "WITHOUT ROWID"),
    ("n INTEGER PRIMARY KEY, id TEXT UNIQUE", ""),
  ]

  @Test(arguments: keys, [MergePolicy.skip, .update])
  func `the links of new rows are counted, whatever their keys are`(
    key: (columns: String, after: String),
    policy: MergePolicy
  ) throws {
    let kind = key.columns.hasPrefix("id INTEGER") ? "INTEGER" : "TEXT"
    let stores = try Merges(
      """
      CREATE TABLE tag (\(key.columns), name TEXT UNIQUE) \(key.after);
      CREATE TABLE note (\(key.columns), title TEXT UNIQUE, tag \(kind) REFERENCES tag (id)) \(key.after)
      """,
      mine: "INSERT INTO tag (id, name) VALUES (1, 'x'); INSERT INTO note (id, title, tag) VALUES (1, 'a', 1)",
      theirs: """
        INSERT INTO tag (id, name) VALUES (1, 'x'), (3, 'z');
        INSERT INTO note (id, title, tag) VALUES (1, 'a', 3), (2, 'b', 3), (3, 'c', 1), (4, 'd', NULL)
        """
    )
    #expect(
      try stores.merge(policy) { _ in
      } options: {
        $0.isDryRun = true
      }.links.copied == 2)
    #expect(try stores.merge(policy).links.copied == 2)
    #expect(try stores.merge(policy).links.copied == 0)
    #expect(try stores.complaints() == "")
  }

  @Test func `what is there and leads to a value that would change is refused`() throws {
    let stores = try Merges(
      Self.shop,
      mine:
        "INSERT INTO cat VALUES (1, 'a', 'tools'); INSERT INTO item VALUES (1, 'a', 'saw'), (2, 'a', 'axe')",
      theirs: "INSERT INTO cat VALUES (7, 'b', 'tools'); INSERT INTO item VALUES (2, 'b', 'axe')"
    )
    let before = try stores.dump()
    let message = try refusal { try stores.merge(.update, byName) }
    let words = "1 row of item of the destination refers through cat to an object of cat whose code would"
    #expect(message.contains(words))
    #expect(message.contains("p1 of the destination"))
    #expect(try stores.dump() == before)
  }

  @Test(arguments: [
    ("(cat TEXT REFERENCES cat (code), label TEXT, PRIMARY KEY (cat, label)) WITHOUT ROWID", false),
    ("(cat TEXT REFERENCES cat (code), label TEXT, PRIMARY KEY (cat, label))", false),
    ("(cat TEXT REFERENCES cat (code), label TEXT, UNIQUE (label, cat))", false),
    ("(cat TEXT REFERENCES cat (code), label TEXT)", false),
    ("(label TEXT PRIMARY KEY, cat TEXT REFERENCES cat (code)) WITHOUT ROWID", true),
    ("(label TEXT PRIMARY KEY, cat TEXT REFERENCES cat (code))", true),
  ])
  func `in a table without integer keys as well`(_ item: (columns: String, isIdentifiedByLabel: Bool)) throws {
    let shop =
      "CREATE TABLE cat (id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT); CREATE TABLE item \(item.columns);"
    let mine = "INSERT INTO cat VALUES (1, 'a', 'tools'); INSERT INTO item (cat, label) VALUES ('a', 'saw')"
    for label in ["axe", "saw"] {
      let stores = try Merges(
        shop,
        mine: mine,
        theirs: "INSERT INTO cat VALUES (7, 'b', 'tools'); INSERT INTO item (cat, label) VALUES ('b', '\(label)')"
      )
      let before = try stores.dump()
      let rules: (inout MergeRules) -> Void = { $0.identities = ["cat": ["name"]] }
      if item.isIdentifiedByLabel, label == "saw" {
        // The only row that leads to it is the same row, and changes with it.
        #expect(try stores.merge(.update, rules).isVerified)
        #expect(try stores.rows("SELECT cat, label FROM item") == ["'b','saw'"])
      } else {
        let message = try refusal { try stores.merge(.update, rules) }
        #expect(
          message.contains("1 row of item of the destination refers through cat to an object of cat whose code would"))
        #expect(try stores.dump() == before)
      }
      #expect(try stores.complaints() == "")
    }
  }

  @Test func `where all that leads to it changes with it, a value may change`() throws {
    let stores = try Merges(
      Self.shop,
      mine:
        "INSERT INTO cat VALUES (1, 'a', 'tools'); INSERT INTO item VALUES (1, 'a', 'saw'), (2, NULL, 'nail')",
      theirs:
        "INSERT INTO cat VALUES (7, 'b', 'tools'); INSERT INTO item VALUES (2, 'b', 'saw'), (3, 'b', 'axe')"
    )
    #expect(try stores.merge(.update, byName).isVerified)
    #expect(
      try stores.rows("SELECT cat, label FROM item ORDER BY 2")
        == ["'b','axe'", "NULL,'nail'", "'b','saw'"]
    )
    #expect(try stores.rows("SELECT * FROM cat") == ["1,'b','tools'"])
    #expect(try stores.complaints() == "")
  }

  @Test func `what leads to an object that stays beside its like is refused`() throws {
    for mine in ["(1, 'a', 'tools')", "(1, 'b', 'tools')"] {
      let stores = try Merges(
        Self.shop,
        mine: "INSERT INTO cat VALUES \(mine)",
        theirs:
          "INSERT INTO cat VALUES (7, 'b', 'tools'), (8, 'c', 'toys'); INSERT INTO item VALUES (2, 'b', 'axe')"
      )
      let before = try stores.dump()
      if mine.contains("'a'") {
        let message = try refusal { try stores.merge(.keepBoth, byName) }
        #expect(message.contains("1 row of item refers through cat to an object of cat"))
        #expect(try stores.dump() == before)
      } else {
        // Equal ones are one.
        try stores.merge(.keepBoth, byName)
        #expect(try stores.rows("SELECT * FROM item") == ["2,'b','axe'"])
      }
      #expect(try stores.complaints() == "")
    }
  }

  @Test func `values are compared as those that are led to say`() throws {
    let place = try PlainDatabase()
    try place.make(
      "old.db",
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE COLLATE NOCASE, name TEXT);
      CREATE TABLE c (id INTEGER PRIMARY KEY, code TEXT REFERENCES p (code));
      INSERT INTO p VALUES (1, 'B', 'n'), (2, 'C', 'n'); INSERT INTO c VALUES (2, 'b')
      """
    )
    #expect(try place.complaints("old.db") == "")
    let message = try refusal { _ = try copy(place, ["p": ["name"]], .last) }
    #expect(message.contains("1 row of c refers through code to an object of p"))
    #expect(try copy(place, ["p": ["name"]], .first).isVerified)
    #expect(try place.complaints("new.db") == "")
  }

  @Test func `what stays as it is needs nothing of what it is merged with`() throws {
    let stores = try Merges(
      Self.shop,
      mine: "INSERT INTO cat VALUES (1, 'a', 'tools'); INSERT INTO item VALUES (1, 'a', 'saw')",
      theirs: "INSERT INTO cat VALUES (7, 'b', 'tools'); INSERT INTO item VALUES (2, 'b', 'saw')"
    )
    try stores.merge(.skip, byName)
    try stores.merge(.fill, byName)
    #expect(try stores.rows("SELECT * FROM item") == ["1,'a','saw'"])
    #expect(try stores.complaints() == "")
  }

  @Test func `a row without an integer key that is there with other values is refused as well`() throws {
    let stores = try Merges(
      """
      CREATE TABLE cat (code TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID;
      CREATE TABLE item (id INTEGER PRIMARY KEY, cat TEXT REFERENCES cat (code), label TEXT)
      """,
      mine: "INSERT INTO cat VALUES ('a', 'tools')",
      theirs: "INSERT INTO cat VALUES ('b', 'tools'); INSERT INTO item VALUES (2, 'b', 'saw')"
    )
    let message = try refusal { try stores.merge { $0.identities = ["cat": ["name"]] } }
    #expect(message.contains("1 row of item refers through cat"))
    #expect(try stores.rows("SELECT * FROM item") == [])
    // One that is there and stays as it is leads where it led.
    try stores.place.make("mine.db", "INSERT INTO item VALUES (1, 'a', 'saw')")
    try stores.merge(.skip, byName)
    #expect(try stores.rows("SELECT * FROM item") == ["1,'a','saw'"])
  }

  @Test func `rows without an integer key are counted one by one`() throws {
    let stores = try Merges(
      """
      CREATE TABLE cat (id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT);
      CREATE TABLE item (label TEXT PRIMARY KEY, cat TEXT REFERENCES cat (code)) WITHOUT ROWID
      """,
      mine: "INSERT INTO cat VALUES (1, 'a', 'tools')",
      theirs:
        "INSERT INTO cat VALUES (7, 'b', 'tools'); INSERT INTO item VALUES ('saw', 'b'), ('axe', 'b')"
    )
    let message = try refusal { try stores.merge { $0.identities = ["cat": ["name"]] } }
    #expect(message.contains("2 rows of item refer through cat to an object of cat"))
  }

  // MARK: Into a new store

  private static let pairs = """
    CREATE TABLE pair (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, name TEXT, UNIQUE (a, b));
    CREATE TABLE up (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, FOREIGN KEY (a, b) REFERENCES pair (a, b));
    INSERT INTO pair VALUES (1, 1, 1, 'p'), (2, 1, 2, 'p'), (3, 2, 1, 'q');
    """

  private func copy(_ place: PlainDatabase, _ identities: [String: [String]], _ duplicates: MergeRules.Duplicates)
    throws -> CopyReport
  {
    var options = CopyOptions()
    var rules = MergeRules(.error)
    rules.identities = identities
    rules.duplicates = duplicates
    options.merge = rules
    return try Copy(from: place.path("old.db"), to: place.path("new.db"), options: options).run()
  }

  @Test(arguments: [(MergeRules.Duplicates.first, 2, 1), (.last, 1, 2)])
  func `of objects that count as one, the one that is led to must stay`(
    rule: MergeRules.Duplicates,
    lost: Int,
    kept: Int
  ) throws {
    for (b, isRefused) in [(lost, true), (kept, false)] {
      let place = try PlainDatabase()
      try place.make("old.db", Self.pairs + "INSERT INTO up VALUES (1, 1, \(b)), (2, 2, 1), (3, 1, NULL)")
      if isRefused {
        let message = try refusal { _ = try copy(place, ["pair": ["name"]], rule) }
        #expect(message.contains("1 row of up refers through a, b to an object of pair"))
        #expect(!FileManager.default.fileExists(atPath: place.path("new.db")))
      } else {
        #expect(try copy(place, ["pair": ["name"]], rule).isVerified)
        #expect(
          try place.read("new.db", "SELECT a, b FROM up ORDER BY id") == [
            "1,\(b)", "2,1", "1,NULL",
          ]
        )
        #expect(try place.complaints("new.db") == "")
      }
    }
  }

  private static let parts = """
    CREATE TABLE cat (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE extra (id INTEGER PRIMARY KEY REFERENCES cat (id), note TEXT);
    INSERT INTO cat VALUES (1, 'x'), (2, 'x'), (3, 'y');
    """

  @Test func `rows that continue those of another table count as one with them`() throws {
    let place = try PlainDatabase()
    try place.make("old.db", Self.parts + "INSERT INTO extra VALUES (1, 'one'), (2, 'two'), (3, 'three')")
    let report = try copy(place, ["cat": ["name"]], .first)
    #expect(report.isVerified && report["extra"]?.merge?.duplicate == 1)
    #expect(try place.read("new.db", "SELECT * FROM extra ORDER BY id") == ["1,'one'", "3,'three'"])
    #expect(try place.complaints("new.db") == "")
  }

  @Test func `a row that continues what counts as another one, which has none, is refused`() throws {
    let place = try PlainDatabase()
    try place.make("old.db", Self.parts + "INSERT INTO extra VALUES (2, 'two'), (3, 'three')")
    let error = #expect(throws: DecantError.self) { _ = try copy(place, ["cat": ["name"]], .first) }
    #expect(error?.family == .modelMismatch)
    #expect(error?.message.contains("extra p2 would have to be added to a different row of cat") == true)
    #expect(!FileManager.default.fileExists(atPath: place.path("new.db")))
    // With the other choice it stays with the one it belongs to.
    #expect(try copy(place, ["cat": ["name"]], .last).isVerified)
    #expect(try place.read("new.db", "SELECT * FROM extra ORDER BY id") == ["2,'two'", "3,'three'"])
    #expect(try place.complaints("new.db") == "")
  }
}
