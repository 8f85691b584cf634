import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// A second store poured into one that is there: what both have is there once afterwards.
@Suite struct MergeTests {
  private static let schema = """
    CREATE TABLE maker (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, note TEXT, seen INTEGER);
    CREATE TABLE thing (id INTEGER PRIMARY KEY, maker INTEGER NOT NULL REFERENCES maker (id) ON DELETE CASCADE,
      label TEXT, parent INTEGER REFERENCES thing (id));
    CREATE TABLE tag (name TEXT PRIMARY KEY, color TEXT);
    CREATE TABLE thing_tag (thing INTEGER REFERENCES thing (id), tag TEXT REFERENCES tag (name),
      PRIMARY KEY (thing, tag));
    CREATE TABLE likes (thing INTEGER REFERENCES thing (id), maker INTEGER REFERENCES maker (id),
      PRIMARY KEY (thing, maker)) WITHOUT ROWID;
    CREATE TABLE loose (what TEXT)
    """

  /// Anna's cup, her pot that stands on it, and Bob's cup; theirs has Bob with another note, Bob's cup, and
  /// Cid with a pan on Bob's cup and a cup of his own.
  private func make() throws -> Merges {
    try Merges(
      Self.schema,
      mine: """
        INSERT INTO maker VALUES (1, 'anna', 'x', 5), (2, 'bob', 'y', NULL);
        INSERT INTO thing VALUES (1, 1, 'cup', NULL), (2, 1, 'pot', 1), (3, 2, 'cup', NULL);
        INSERT INTO tag VALUES ('red', '#f00'), ('old', NULL);
        INSERT INTO thing_tag VALUES (1, 'red'), (2, 'old');
        INSERT INTO likes VALUES (1, 2), (3, 1);
        INSERT INTO loose VALUES ('hi'), ('hi')
        """,
      theirs: """
        INSERT INTO maker VALUES (1, 'bob', 'other', 7), (2, 'cid', 'z', 8);
        INSERT INTO thing VALUES (1, 1, 'cup', NULL), (2, 2, 'pan', 1), (3, 2, 'cup', 2);
        INSERT INTO tag VALUES ('red', '#ff0000'), ('new', '#0f0');
        INSERT INTO thing_tag VALUES (1, 'red'), (1, 'new'), (2, 'new');
        INSERT INTO likes VALUES (1, 1), (2, 1), (1, 2);
        INSERT INTO loose VALUES ('ho'), ('hi')
        """
    )
  }

  @Test func `what both have stays, and what is new is linked with it`() throws {
    let stores = try make()
    let report = try stores.merge()
    #expect(report.isVerified)
    #expect(try stores.complaints() == "")
    // Bob is known by his name, which is unique; so his cup is there, and Anna's is not Cid's.
    #expect(
      try stores.rows("SELECT * FROM maker ORDER BY id")
        == ["1,'anna','x',5", "2,'bob','y',NULL", "3,'cid','z',8"]
    )
    #expect(
      try stores.rows("SELECT * FROM thing ORDER BY id")
        == ["1,1,'cup',NULL", "2,1,'pot',1", "3,2,'cup',NULL", "4,3,'pan',3", "5,3,'cup',4"]
    )
    #expect(
      try stores.rows("SELECT * FROM tag ORDER BY 1") == [
        "'new','#0f0'", "'old',NULL", "'red','#f00'",
      ]
    )
    #expect(
      try stores.rows("SELECT * FROM thing_tag ORDER BY 1, 2")
        == ["1,'red'", "2,'old'", "3,'new'", "3,'red'", "4,'new'"]
    )
    #expect(try stores.rows("SELECT * FROM likes ORDER BY 1, 2") == ["1,2", "3,1", "3,2", "3,3", "4,2"])
    #expect(try stores.rows("SELECT * FROM loose ORDER BY 1") == ["'hi'", "'hi'", "'ho'"])
    let maker = try #require(report["maker"])
    #expect((maker.source, maker.copied, maker.skipped) == (2, 1, 1))
    #expect(maker.merge?.changed == 1)
  }

  @Test func `a store into itself stays as it is, to the byte`() throws {
    let stores = try make()
    try FileManager.default.removeItem(atPath: stores.theirs)
    try FileManager.default.copyItem(atPath: stores.mine, toPath: stores.theirs)
    let before = FileManager.default.contents(atPath: stores.mine)
    let report = try stores.merge(.error)
    #expect(FileManager.default.contents(atPath: stores.mine) == before)
    #expect(report.entities.allSatisfy { $0.skipped == $0.source && $0.merge?.same == $0.source })
  }

  @Test func `either way round, the same objects are there`() throws {
    // Where nothing was changed on either side: by what they are and what they lead to, not by keys.
    let objects = """
      SELECT 'maker', name, note, seen FROM maker
      UNION ALL SELECT 'thing', m.name, t.label, coalesce((SELECT n.name || '/' || p.label FROM thing AS p
        JOIN maker AS n ON n.id = p.maker WHERE p.id = t.parent), '-')
        FROM thing AS t JOIN maker AS m ON m.id = t.maker
      UNION ALL SELECT 'tag', name, color, '' FROM tag
      UNION ALL SELECT 'thing_tag', m.name, t.label, tt.tag FROM thing_tag AS tt JOIN thing AS t ON t.id = tt.thing
        JOIN maker AS m ON m.id = t.maker
      UNION ALL SELECT 'likes', m.name, t.label, n.name FROM likes AS l JOIN thing AS t ON t.id = l.thing
        JOIN maker AS m ON m.id = t.maker JOIN maker AS n ON n.id = l.maker
      ORDER BY 1, 2, 3, 4
      """
    let stores = try make()
    _ = try Program.sqlite3(
      stores.theirs,
      "UPDATE maker SET note = 'y', seen = NULL WHERE id = 1; UPDATE tag SET color = '#f00' WHERE name = 'red'"
    )
    let swapped = try make()
    for (from, to) in [(stores.mine, swapped.theirs), (stores.theirs, swapped.mine)] {
      try FileManager.default.removeItem(atPath: to)
      try FileManager.default.copyItem(atPath: from, toPath: to)
    }
    try stores.merge(.error)
    try swapped.merge(.error)
    #expect(try stores.rows(objects) == swapped.rows(objects))
    #expect(try stores.rows("SELECT count(*) FROM maker") == ["3"])
  }

  @Test func `of an object that is left out, nothing comes and nothing breaks`() throws {
    let stores = try make()
    let report = try stores.merge {
      $0.duplicates = .error
    } options: {
      $0.filters = [CopyOptions.Filter(entity: "thing", expression: "label = 'pan'")]
    }
    #expect(try stores.complaints() == "")
    #expect(report["thing"]?.filtered == 2 && report["thing"]?.copied == 1)
    #expect(try stores.rows("SELECT maker, label FROM thing WHERE id > 3") == ["3,'pan'"])
  }

  @Test func `there must be a store to pour into`() throws {
    let stores = try make()
    try FileManager.default.removeItem(atPath: stores.mine)
    let error = #expect(throws: DecantError.self) { try stores.merge() }
    #expect(error?.family == .storeNotFound)
    #expect(!FileManager.default.fileExists(atPath: stores.mine))
  }
}
