import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Rows that look alike to whoever forgets what a value is, where it ends, or which place it has.
@Suite struct RowAttackTests {
  private static let schema = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, n, m INTEGER);
    CREATE TABLE u (id INTEGER PRIMARY KEY, one INTEGER REFERENCES t (id), other INTEGER REFERENCES t (id));
    """

  /// What a row holds, and what it is changed to: values of `a`, `b` and `n`.
  private static let changes = [
    // A byte that could part one value from the next.
    ("'a' || char(3) || 'b', 'c', 0", "'a', 'b' || char(3) || 'c', 0"),
    ("x'610462', x'63', 0", "x'61', x'620463', 0"), ("'ab', 'c', 0", "'a', 'bc', 0"),
    ("'', 'x', 0", "'x', '', 0"),
    ("NULL, 'x', 0", "'x', NULL, 0"), ("'', NULL, 0", "NULL, '', 0"),
    // Of the same bytes and not the same kind.
    ("'abc', '', 0", "CAST('abc' AS BLOB), '', 0"), ("'abc', '', 0", "'abc', x'', 0"),
    ("'1', 1, 0", "1, '1', 0"),
    ("1, 2, 3", "1, 2, 3.0"), ("1, 2, 3", "1, 2, '3'"), ("0, 0, 0", "0, 0, -0.0"),
    ("0, 0, 0", "0, 0, NULL"),
    ("1, 2, 9007199254740993", "1, 2, 9007199254740992.0"),
    ("1, 2, 1e300", "1, 2, 1.0000000000000002e300"),
    // Long values enter by their hash, short ones as they are.
    ("hex(zeroblob(119)), '', 0", "hex(zeroblob(120)), '', 0"),
    ("hex(zeroblob(120)), '', 0", "hex(zeroblob(121)), '', 0"),
    ("hex(zeroblob(120)), 'x', 0", "CAST(hex(zeroblob(120)) AS BLOB), 'x', 0"),
    ("hex(zeroblob(500)) || 'a', '', 0", "hex(zeroblob(500)) || 'b', '', 0"),
  ]

  @Test(arguments: changes)
  func `a row that is another one is found`(before: String, after: String) throws {
    let place = try PlainDatabase()
    let rows =
      "INSERT INTO t VALUES (1, \(before), 7), (2, 'x', 'y', 1, 8); INSERT INTO u VALUES (1, 1, 2);"
    try place.make("a.db", Self.schema + rows)
    try place.make("b.db", Self.schema + rows.replacing(before, with: after))
    #expect(try place.dump("a.db") != place.dump("b.db"))
    let report = try Verify(place.path("a.db"), against: place.path("b.db")).run()
    #expect(report.differences.map(\.description).contains { $0.contains("key 1") }, "\(report.differences)")
    try place.make("c.db", Self.schema + rows)
    #expect(try Verify(place.path("a.db"), against: place.path("c.db")).run().isEqual)
  }

  /// A link in the other of two columns, and a row in place of another one.
  @Test(arguments: [
    "UPDATE u SET one = 2, other = 1", "UPDATE u SET other = 1", "UPDATE u SET one = NULL",
    "UPDATE t SET id = -id", "DELETE FROM u; INSERT INTO u VALUES (2, 1, 1)",
  ])
  func `a link that stands elsewhere is found`(change: String) throws {
    let place = try PlainDatabase()
    let rows =
      "INSERT INTO t VALUES (1, 'x', 'y', 1, 8), (2, 'x', 'z', 1, 8); INSERT INTO u VALUES (1, 1, 2);"
    try place.make("a.db", Self.schema + rows)
    _ = try place.copy()
    #expect(try Verify(place.path("a.db"), against: place.path("b.db")).run().isEqual)
    _ = try Program.sqlite3(place.path("b.db"), "PRAGMA foreign_keys = 0; \(change)")
    #expect(try !Verify(place.path("a.db"), against: place.path("b.db")).run().isEqual)
  }

  /// Ordered lists from many to many, whose places stand in the table of links: of either end.
  @Test(arguments: [
    "UPDATE l SET place = 5000 - place", "UPDATE l SET place = 1024",
    "UPDATE l SET place = NULL WHERE rowid = 1",
    "UPDATE l SET place = CAST(place AS TEXT) || 'x' WHERE rowid = 1",
  ])
  func `a place in a list from many to many that is another one is found`(change: String) throws {
    let scene = try ListScene()
    #expect(scene.places.count == 2)
    for place in scene.places {
      let copy = scene.folder.path("copy-\(place).sqlite")
      var options = CopyOptions()
      options.model = scene.model
      #expect(try Copy(from: scene.store, to: copy, options: options).run().isVerified)
      var verify = Verify(scene.store, against: copy)
      verify.model = scene.model
      #expect(try verify.run().isEqual)
      _ = try Program.sqlite3(copy, change.replacing(" l ", with: " \(scene.table) ").replacing("place", with: place))
      #expect(try !verify.run().isEqual, "\(place)")
    }
  }

  /// Two dishes of one name and the same tags, in another order: which is which the lists alone tell, not the keys.
  @Test(arguments: [
    [[1, 1, 1024], [1, 2, 2048], [2, 2, 1024], [2, 1, 2048]],
    [[2, 1, 1024], [2, 2, 2048], [1, 2, 1024], [1, 1, 2048]],
  ])
  func `equal lists make equal objects, whatever the keys`(links: [[Int]]) throws {
    let one = try ListScene(
      dishes: ["soup", "soup"], links: [[1, 1, 1024], [1, 2, 2048], [2, 2, 1024], [2, 1, 2048]])
    let other = try ListScene(dishes: ["soup", "soup"], links: links)
    var diff = Diff(one.store, other.store)
    diff.model = one.model
    diff.rules.lineage = .none
    let report = try diff.run()
    #expect(report.isEqual, "\(report.differences)")
    // Of lists in another order the comparison speaks.
    _ = try Program.sqlite3(
      other.store,
      "UPDATE \(other.table) SET \(other.places[0]) = 3072 WHERE \(other.places[0]) = 1024"
    )
    #expect(try !diff.run().isEqual)
  }
}
