import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Which object is which, where nothing was written down.
@Suite struct LadderTests {
  /// A corner store whose tags are told apart by name, and photos by cover and title.
  private static func constrained() throws -> CornerStore {
    let store = try CornerStore()
    let file = URL(fileURLWithPath: store.model + "/contents")
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    func constraint(_ names: String...) -> String {
      "<uniquenessConstraints><uniquenessConstraint>"
        + names.map { "<constraint value=\"\($0)\"/>" }.joined()
        + "</uniquenessConstraint></uniquenessConstraints></entity>"
    }
    var entities = text.components(separatedBy: "</entity>")
    for (name, constraint) in [
      ("Tag", constraint("name")), ("Photo", constraint("cover", "title")),
      ("Folder", constraint("parent", "name")),
    ] {
      let index = try #require(entities.firstIndex { $0.contains("<entity name=\"\(name)\"") })
      entities[index] += constraint.replacingOccurrences(of: "</entity>", with: "")
    }
    try Data(entities.joined(separator: "</entity>").utf8).write(to: file)
    return store
  }

  private static func copy(_ store: CornerStore, to place: String, appends: Bool) throws {
    var options = CopyOptions()
    options.model = store.model
    options.appends = appends
    _ = try Copy(from: store.path, to: place, options: options).run()
  }

  private static func verify(_ a: String, _ b: String, _ model: String) throws -> VerifyReport {
    var verify = Verify(a, against: b)
    verify.model = model
    return try verify.run()
  }

  @Test func `equal objects are found one for one, however often they are there`() throws {
    let store = try CornerStore()
    let out = store.folder.path("out.sqlite")
    try Self.copy(store, to: out, appends: false)
    for _ in 0..<3 { try Self.copy(store, to: out, appends: true) }
    #expect(try Self.verify(store.path, out, store.model).isEqual)
    // All four are the same store, in another order of keys.
    let other = store.folder.path("other.sqlite")
    try Self.copy(store, to: other, appends: false)
    for _ in 0..<3 { try Self.copy(store, to: other, appends: true) }
    let moved = """
      UPDATE ZTAG SET Z_PK = 200 - Z_PK; UPDATE Z_2TAGS SET Z_5TAGS = 200 - Z_5TAGS;
      UPDATE ZFOLDER SET Z_PK = 200 - Z_PK, ZPARENT = 200 - ZPARENT;
      UPDATE ZITEM SET Z1PINS = 200 - Z1PINS; UPDATE Z_1ITEMS SET Z_1FOLDERS = 200 - Z_1FOLDERS;
      UPDATE Z_1FRIENDS SET Z_1FRIENDS = 200 - Z_1FRIENDS, REFLEXIVE = 200 - REFLEXIVE;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 200;
      UPDATE Z_1RELATED SET Z_1RELATEDBY = 200 - Z_1RELATEDBY, Z_1RELATED = 200 - Z_1RELATED
      """
    _ = try Program.sqlite3(other, moved)
    #expect(try Self.verify(out, other, store.model).isEqual)
    var diff = Diff(out, other)
    diff.model = store.model
    #expect(try diff.run().isEqual)
    // One link among those of equals: it is part of a folder, and so of the folders in it.
    let inside = try Program.sqlite3(
      other,
      "WITH RECURSIVE f(k) AS (VALUES (195) UNION SELECT Z_PK FROM ZFOLDER, f WHERE ZPARENT = k) SELECT count(*) FROM f"
    )
    _ = try Program.sqlite3(other, "UPDATE ZFOLDER SET ZPARENT = NULL WHERE Z_PK = 195")
    #expect(try !Self.verify(out, other, store.model).isEqual)
    let folders = try #require(try diff.run().entities.first { $0.name == "Folder" })
    #expect("\(folders.onlyInA) \(folders.onlyInB)" == "\(inside) \(inside)")
  }

  @Test func `what the model tells apart is matched by that`() throws {
    let store = try Self.constrained()
    let (there, out) = (try Self.constrained(), store.folder.path("out.sqlite"))
    _ = try Program.sqlite3(
      there.path,
      """
      UPDATE ZTAG SET ZNAME = 'tag ' || ZNAME; UPDATE ZFOLDER SET ZNAME = 'folder ' || ZNAME;
      UPDATE ZITEM SET ZTITLE = 'item ' || ZTITLE, ZTEXT = 'other'
      """
    )
    try Self.copy(there, to: out, appends: false)
    try Self.copy(store, to: out, appends: true)
    // Values that no identity contains: the objects are the same, and differ.
    _ = try Program.sqlite3(out, "UPDATE ZITEM SET ZTEXT1 = 'sun' WHERE ZTITLE = 'a photo'")
    let report = try Self.verify(store.path, out, store.model)
    #expect(!report.isEqual)
    #expect(report.entities.first { $0.name == "Tag" }?.matchedBy == .identity)
    // A link to its like is part of it: they are told apart level by level.
    #expect(report.entities.first { $0.name == "Folder" }?.matchedBy == .identity)
    var diff = Diff(store.path, out)
    diff.model = store.model
    let found = try diff.run()
    let tags = try #require(found.entities.first { $0.name == "Tag" })
    #expect((tags.same, tags.onlyInA, tags.onlyInB) == (2, 0, 2))
  }

  @Test func `objects are paired by their UUIDs although every one was changed`() throws {
    let kitchens = try Kitchens()
    try kitchens.copy(kitchens.kitchen, to: kitchens.out)
    _ = try Program.sqlite3(
      kitchens.out,
      """
      UPDATE ZRECIPE SET ZMODIFIEDAT = ZMODIFIEDAT + 60, ZTITLE = ZTITLE || '!';
      UPDATE ZTAG SET ZNAME = ZNAME || '!'; DELETE FROM ZSTEP WHERE Z_PK % 2
      """
    )
    let report = try Diff(kitchens.kitchen, kitchens.out).run()
    #expect(report.entities.allSatisfy { $0.matchedBy == .identity })
    #expect(report.entities.first { $0.name == "Recipe" }?.changed == 12)
    #expect(report.entities.first { $0.name == "Tag" }?.changed == 6)
    #expect(report.entities.first { $0.name == "Step" }?.onlyInA == 21)
    #expect(report.entities.map(\.onlyInB).reduce(0, +) == 0)
  }

  @Test(arguments: [
    "id % 2 = 1", "id % 2 = 0", "id % 40 <> 3", "id > 5", "id < 3996", "id NOT IN (7, 2000, 3000)",
  ])
  func `keys count as kept whatever was deleted`(condition: String) throws {
    let folder = try TemporaryFolder()
    let (a, b) = (folder.path("a.db"), folder.path("b.db"))
    _ = try Program.sqlite3(
      a,
      """
      CREATE TABLE shelf (id INTEGER PRIMARY KEY, label TEXT);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
      INSERT INTO shelf SELECT i, 'shelf ' || i % 1000 FROM n
      """
    )
    _ = try Copy(from: a, to: b).run()
    _ = try Program.sqlite3(b, "DELETE FROM shelf WHERE \(condition)")
    let left = try Program.sqlite3(b, "SELECT count(*) FROM shelf")
    let shelf = try #require(try Diff(a, b).run().entities.first)
    #expect(shelf.matchedBy == .key)
    #expect(shelf.same == Int64(left) && shelf.onlyInA == 4000 - shelf.same)
  }

  @Test func `keys that agree by chance do not deceive`() throws {
    // Both begin with the same shelves; what was added lies behind those of the other.
    let folder = try TemporaryFolder()
    let (a, b) = (folder.path("a.db"), folder.path("b.db"))
    let shelves = """
      CREATE TABLE shelf (id INTEGER PRIMARY KEY, label TEXT);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
      INSERT INTO shelf SELECT i, 'shelf ' || i FROM n;
      """
    _ = try Program.sqlite3(a, shelves + "INSERT INTO shelf VALUES (31, 'mine'), (32, 'mine')")
    _ = try Program.sqlite3(b, shelves + "INSERT INTO shelf VALUES (31, 'theirs')")
    var options = CopyOptions()
    options.appends = true
    _ = try Copy(from: a, to: b, options: options).run()
    let report = try Verify(a, against: b).run()
    #expect(report.isEqual && report.matchedBy == .content)
    // One of the two is not enough.
    _ = try Program.sqlite3(b, "DELETE FROM shelf WHERE id = (SELECT max(id) FROM shelf)")
    let lost = try Verify(a, against: b).run()
    #expect(lost.differences.map(\.description) == ["shelf key 32 is missing"])
  }

  @Test func `a single object is found under another key`() throws {
    let folder = try TemporaryFolder()
    let (a, b) = (folder.path("a.db"), folder.path("b.db"))
    let shelf = "CREATE TABLE shelf (id INTEGER PRIMARY KEY AUTOINCREMENT, label TEXT); "
    _ = try Program.sqlite3(a, shelf + "INSERT INTO shelf VALUES (1, 'mine')")
    _ = try Program.sqlite3(b, shelf + "INSERT INTO shelf VALUES (7, 'gone'); DELETE FROM shelf")
    var options = CopyOptions()
    options.appends = true
    _ = try Copy(from: a, to: b, options: options).run()
    #expect(try Program.sqlite3(b, "SELECT id FROM shelf") == "8")
    #expect(try Verify(a, against: b).run().isEqual)
    _ = try Program.sqlite3(b, "UPDATE shelf SET label = 'yours'")
    #expect(try Verify(a, against: b).run().differences.map(\.keys) == [[1]])
  }

  @Test func `rooms of a unique name are the same whatever their keys`() throws {
    let folder = try TemporaryFolder()
    let (a, b) = (folder.path("a.db"), folder.path("b.db"))
    _ = try Program.sqlite3(
      a,
      """
      CREATE TABLE shelf (id INTEGER PRIMARY KEY, label TEXT);
      CREATE TABLE room (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      INSERT INTO shelf VALUES (1, 'top'), (2, 'middle'), (3, 'low'), (4, 'cellar');
      INSERT INTO room VALUES (1, 'kitchen'), (2, 'hall'), (3, 'attic')
      """
    )
    _ = try Copy(from: a, to: b).run()
    _ = try Program.sqlite3(
      b,
      "UPDATE room SET id = 9 WHERE id = 1; UPDATE room SET id = 1 WHERE id = 3; UPDATE room SET id = 3 WHERE id = 9"
    )
    let report = try Verify(a, against: b).run()
    #expect(report.isEqual)
    #expect(report.entities.first { $0.name == "room" }?.matchedBy == .identity)
  }

  @Test func `what was added and changed is told by what tells least`() throws {
    // Keys of both are alike, and all objects others: what was added lies behind them.
    let folder = try TemporaryFolder()
    let (a, b) = (folder.path("a.db"), folder.path("b.db"))
    let shelf =
      "CREATE TABLE shelf (id INTEGER PRIMARY KEY, label TEXT, kind TEXT DEFAULT 'wood'); "
    _ = try Program.sqlite3(a, shelf + "INSERT INTO shelf (id, label) VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')")
    _ = try Program.sqlite3(b, shelf + "INSERT INTO shelf (id, label) VALUES (3, 'x'), (4, 'y')")
    var options = CopyOptions()
    options.appends = true
    _ = try Copy(from: a, to: b, options: options).run()
    _ = try Program.sqlite3(b, "UPDATE shelf SET label = 'B' WHERE label = 'b'")
    let report = try Verify(a, against: b).run()
    #expect(report.differences.map(\.description) == ["shelf key 2 is missing"])
  }

  @Test(arguments: SeededGenerator.seeds(6))
  func `a random store that was added to another one is found in it`(seed: UInt64) throws {
    let store = try RandomStore(seed: seed)
    let other = try RandomStore(seed: seed, rowSeed: seed + 1_000)
    let before = store.folder.path("before.sqlite")
    try FileManager.default.copyItem(atPath: other.path, toPath: before)
    var options = CopyOptions()
    options.model = store.model
    options.appends = true
    _ = try Copy(from: store.path, to: other.path, options: options).run()
    for path in [store.path, before] {
      var verify = Verify(path, against: other.path)
      verify.model = store.model
      let report = try verify.run()
      #expect(report.isEqual, "\(report.differences)")
    }
    var diff = Diff(before, other.path)
    diff.model = store.model
    let report = try diff.run()
    let objects = try Inspect(store.path, model: store.model).run().entities
      .reduce(0) { $0 + $1.objectCount }
    #expect(report.entities.map(\.onlyInA).reduce(0, +) == 0)
    #expect(report.entities.map(\.onlyInB).reduce(0, +) == objects)
  }
}
