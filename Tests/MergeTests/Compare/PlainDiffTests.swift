import Decant
import Foundation
import TestSupport
import Testing

/// Plain databases, whose tables have keys of all sorts.
@Suite struct PlainDiffTests {
  private let folder: TemporaryFolder
  private var a: String { folder.path("a.db") }
  private var b: String { folder.path("b.db") }

  private static let schema = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, author INTEGER REFERENCES author (id),
      UNIQUE (title, author));
    CREATE TABLE novel (id INTEGER PRIMARY KEY REFERENCES book (id), genre TEXT);
    CREATE TABLE tag (name TEXT PRIMARY KEY, color INTEGER);
    CREATE TABLE shelf (id INTEGER PRIMARY KEY, label TEXT);
    CREATE TABLE on_shelf (book INTEGER REFERENCES book (id), shelf INTEGER REFERENCES shelf (id),
      PRIMARY KEY (book, shelf));
    CREATE TABLE country (code TEXT PRIMARY KEY, people INTEGER) WITHOUT ROWID;
    CREATE TABLE log (line TEXT);

    """

  init() throws {
    folder = try TemporaryFolder()
    _ = try Program.sqlite3(
      a,
      Self.schema + """
        INSERT INTO author VALUES (1, 'ann'), (2, 'bob'), (3, 'cy');
        INSERT INTO book VALUES (1, 'x', 1), (2, 'x', 2), (3, 'y', 3), (4, 'z', 77), (5, 'z', NULL);
        INSERT INTO novel VALUES (2, 'sf'), (3, 'crime');
        INSERT INTO tag VALUES ('red', 1), ('blue', 2);
        INSERT INTO shelf VALUES (1, 'A'), (2, 'A'), (3, 'B');
        INSERT INTO on_shelf VALUES (1, 1), (2, 2), (3, 1), (3, 99);
        INSERT INTO country VALUES ('DE', 80), ('FR', 60); INSERT INTO log VALUES ('l'), ('l'), ('m')
        """
    )
    _ = try Program.sqlite3(
      b,
      Self.schema + """
        INSERT INTO author VALUES (1, 'zed'); INSERT INTO book VALUES (1, 'q', 1), (2, 'w', 1);
        INSERT INTO novel VALUES (1, 'old'); INSERT INTO tag VALUES ('green', 1);
        INSERT INTO shelf VALUES (1, 'A'), (5, 'C'); INSERT INTO on_shelf VALUES (2, 1);
        INSERT INTO country VALUES ('IT', 60); INSERT INTO log VALUES ('k')
        """
    )
  }

  @Test func `what was added to another database is found there`() throws {
    var options = CopyOptions()
    options.appends = true
    _ = try Copy(from: a, to: b, options: options).run()
    let report = try Verify(a, against: b).run()
    #expect(report.isEqual, "\(report.differences)")
    let ways = Dictionary(uniqueKeysWithValues: report.entities.map { ($0.name, $0.matchedBy) })
    #expect(
      ways == [
        "author": .identity, "book": .identity, "country": .identity, "log": .content,
        "novel": .identity, "shelf": .content, "tag": .identity,
      ]
    )
    let diff = try Diff(a, b).run()
    #expect(diff.entities.allSatisfy { $0.changed + $0.onlyInA == 0 })
    #expect(diff.entities.map(\.onlyInB).reduce(0, +) == 9)
    #expect(diff.rows.map(\.same) == [3])
  }

  @Test func `the same identity with other values is a change, another identity is another object`() throws {
    var options = CopyOptions()
    options.appends = true
    _ = try Copy(from: a, to: b, options: options).run()
    _ = try Program.sqlite3(
      b,
      "UPDATE tag SET color = 9 WHERE name = 'red'; UPDATE author SET name = 'eve' WHERE name = 'bob'"
    )
    let report = try Diff(a, b).run()
    let tags = try #require(report.entities.first { $0.name == "tag" })
    #expect((tags.same, tags.changed, tags.onlyInA, tags.onlyInB) == (1, 1, 0, 1))
    let authors = try #require(report.entities.first { $0.name == "author" })
    #expect((authors.same, authors.changed, authors.onlyInA, authors.onlyInB) == (2, 0, 1, 2))
    // The book of an author whom only one side has is part of another identity.
    let books = try #require(report.entities.first { $0.name == "book" })
    #expect((books.same, books.changed, books.onlyInA, books.onlyInB) == (4, 0, 1, 3))
    #expect(try !Verify(a, against: b).run().isEqual)
  }

  @Test func `a database that was vacuumed has other rowids and the same objects`() throws {
    let out = folder.path("out.db")
    _ = try Program.sqlite3(a, "DELETE FROM log WHERE rowid = 1; INSERT INTO log VALUES ('n'), ('o')")
    _ = try Copy(from: a, to: out).run()
    _ = try Program.sqlite3(out, "VACUUM")
    let keys = try [a, out].map { try Program.sqlite3($0, "SELECT min(rowid) FROM log") }
    #expect(keys == ["2", "1"])
    let report = try Diff(a, out).run()
    #expect(report.isEqual)
    #expect(report.entities.first { $0.name == "log" }?.matchedBy == .content)
    #expect(report.entities.first { $0.name == "shelf" }?.matchedBy == .key)
  }

  @Test(arguments: [
    ("UPDATE shelf SET label = 'Q' WHERE id = 2", ["shelf key 2 differs in label"]),
    ("UPDATE book SET author = 88 WHERE id = 2", ["book key 2 differs in author"]),
    // What leads nowhere is a value like any other where keys are what they were.
    ("UPDATE book SET author = 78 WHERE id = 4", ["book key 4 differs in author"]),
    ("UPDATE novel SET id = 1 WHERE id = 2", ["novel key 2 only in A", "novel key 1 only in B"]),
    ("UPDATE country SET people = 81 WHERE code = 'DE'", ["country key “DE” differs in people"]),
    ("DELETE FROM country WHERE code = 'FR'", ["country key “FR” only in A"]),
    (
      "UPDATE on_shelf SET shelf = 3 WHERE book = 1",
      ["book.on_shelf key 1 → key 1 only in A", "book.on_shelf key 1 → key 3 only in B"]
    ),
    ("INSERT INTO log VALUES ('m')", ["log rowid 4 only in B"]),
  ])
  func `what is changed in a copy is named`(change: String, differences: [String]) throws {
    let out = folder.path("out.db")
    _ = try Copy(from: a, to: out).run()
    #expect(try Diff(a, out).run().isEqual)
    _ = try Program.sqlite3(out, change)
    #expect(try Diff(a, out).run().differences.map(\.description) == differences)
    let isEqual = try Verify(a, against: out).run().isEqual
    // The second may hold more.
    #expect(isEqual == differences.allSatisfy { $0.hasSuffix("only in B") })
  }

  @Test(arguments: [
    "UPDATE place SET name = 'ULM' WHERE code = 'u'",
    "UPDATE place SET size = 1.0 WHERE code = 'u'",
    "UPDATE place SET size = '1' WHERE code = 'u'",
    "UPDATE place SET size = x'31' WHERE code = 'u'",
    "UPDATE place SET size = NULL WHERE code = 'u'",
  ])
  func `values that SQLite takes for equal are different ones`(change: String) throws {
    let (here, there) = (folder.path("here.db"), folder.path("there.db"))
    for (path, form) in [(here, ""), (here + "2", " WITHOUT ROWID")] {
      _ = try Program.sqlite3(
        path,
        """
        CREATE TABLE place (code TEXT COLLATE NOCASE PRIMARY KEY, name TEXT COLLATE NOCASE, size)\(form);
        INSERT INTO place VALUES ('u', 'Ulm', 1), ('b', 'Bonn', 2)
        """
      )
      let out = there + (form.isEmpty ? "" : "2")
      _ = try Copy(from: path, to: out).run()
      #expect(try Diff(path, out).run().isEqual)
      _ = try Program.sqlite3(out, change)
      let report = try Diff(path, out).run()
      #expect(report.entities.map(\.changed) == [1])
      #expect(report.differences.flatMap(\.changes).count == 1)
      #expect(try !Verify(path, against: out).run().isEqual)
    }
  }

  @Test func `a key that is a link leads to the same object, or it differs`() throws {
    _ = try Program.sqlite3(a, "DELETE FROM novel; INSERT INTO novel VALUES (1, 'g'), (2, 'g')")
    var options = CopyOptions()
    options.appends = true
    _ = try Copy(from: a, to: b, options: options).run()
    #expect(try Verify(a, against: b).run().isEqual)
    // From the book of ann, which is the third now, to that of cy.
    _ = try Program.sqlite3(b, "UPDATE novel SET id = 5 WHERE id = 3")
    #expect(try !Verify(a, against: b).run().isEqual)
    let novels = try Diff(a, b).run().entities.first { $0.name == "novel" }
    #expect((novels?.same, novels?.onlyInA, novels?.onlyInB) == (1, 1, 2))
  }
}
