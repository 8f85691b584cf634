import Decant
import Foundation
import TestSupport
import Testing

/// Ordered lists with a table of their own, of objects that count as one.
@Suite(.enabled(if: Fixtures.areAvailable)) struct JoinedListTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try Fixtures.copyStore("ddg-bookmarks-v4/Bookmarks_V4.sqlite", into: folder.url).path
    _ = try Program.sqlite3(store, "UPDATE ZBOOKMARKENTITY SET ZTITLE = 't' || Z_PK")
  }

  /// What happens to favorites: folder, bookmark and place of each; and who has the same title.
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let links: String
    let same: String
    let duplicates: MergeRules.Duplicates
    let expected: [String]
  }

  /// The list of the one that counts comes first, then what only the others have, in their order.
  private static let cases = [
    Case(
      testDescription: "the last of two folders has it all",
      links: "(3, 9, 100), (4, 9, 1000), (4, 10, 2000), (4, 7, 3000)",
      same: "3, 4",
      duplicates: .last,
      expected: ["4|9", "4|10", "4|7"]
    ),
    Case(
      testDescription: "what the other folder has is another's twin",
      links: "(4, 1, 100), (3, 8, 1000), (3, 10, 2000)",
      same: "1, 8; 3, 4",
      duplicates: .first,
      expected: ["3|1", "3|10"]
    ),
    Case(
      testDescription: "each has something of its own",
      links: "(3, 8, 1000), (3, 10, 2000), (4, 7, 100), (4, 10, 150), (4, 9, 200)",
      same: "3, 4",
      duplicates: .first,
      expected: ["3|8", "3|10", "3|7", "3|9"]
    ),
    Case(
      testDescription: "the same for the last",
      links: "(4, 8, 1000), (4, 10, 2000), (3, 7, 100), (3, 10, 150), (3, 9, 200)",
      same: "3, 4",
      duplicates: .last,
      expected: ["4|8", "4|10", "4|7", "4|9"]
    ),
    Case(
      testDescription: "a list whose places lie far apart",
      links: "(3, 8, 1000), (3, 10, 9000), (4, 7, 100), (4, 9, 200)",
      same: "3, 4",
      duplicates: .first,
      expected: ["3|8", "3|10", "3|7", "3|9"]
    ),
    Case(
      testDescription: "twins in one list",
      links: "(3, 8, 1000), (3, 10, 2000), (3, 1, 3000)",
      same: "1, 8",
      duplicates: .first,
      expected: ["3|1", "3|10"]
    ),
  ]

  private func make(_ scene: Case) throws {
    let titles = scene.same.split(separator: ";").enumerated().map {
      "UPDATE ZBOOKMARKENTITY SET ZTITLE = 'same\($0)' WHERE Z_PK IN (\($1));"
    }
    _ = try Program.sqlite3(
      store,
      titles.joined() + "DELETE FROM Z_1FAVORITES; INSERT INTO Z_1FAVORITES VALUES \(scene.links)"
    )
  }

  private func list(_ file: String) throws -> [String] {
    try Program.sqlite3(
      file,
      "SELECT Z_1FAVORITEFOLDERS, Z_1FAVORITES FROM Z_1FAVORITES ORDER BY 1, Z_FOK_1FAVORITES"
    ).split(separator: "\n").map(String.init)
  }

  @Test(arguments: cases, [1, 1000] as [Int64])
  func `the list of the one that counts comes first, as it is`(_ scene: Case, _ batchSize: Int64) throws {
    try make(scene)
    var rules = MergeRules(.error)
    rules.identities = ["BookmarkEntity": ["title"]]
    rules.duplicates = scene.duplicates
    var options = CopyOptions()
    options.merge = rules
    options.batchSize = batchSize
    let out = folder.path("out.sqlite")
    let report = try Copy(from: store, to: out, options: options).run()
    #expect(report.isVerified)
    #expect(try list(out) == scene.expected)
    let parents = try Int64(Program.sqlite3(out, "SELECT count(ZPARENT) FROM ZBOOKMARKENTITY"))
    #expect(report.links.copied == Int64(scene.expected.count) + (parents ?? -1))
  }

  @Test func `what the destination has in its list stays where it is`() throws {
    let out = folder.path("out.sqlite")
    _ = try Program.sqlite3(
      store,
      "DELETE FROM Z_1FAVORITES; INSERT INTO Z_1FAVORITES VALUES (3, 10, 500), (3, 9, 700), (3, 7, 900)"
    )
    _ = try Copy(from: store, to: out).run()
    // Two folders of the source are the one that is there, and both have what its list has.
    _ = try Program.sqlite3(
      store,
      """
      UPDATE ZBOOKMARKENTITY SET ZTITLE = 't3' WHERE Z_PK = 4; DELETE FROM Z_1FAVORITES;
      INSERT INTO Z_1FAVORITES VALUES (4, 7, 1), (4, 2, 2), (3, 8, 3), (3, 9, 4), (4, 8, 5);
      """
    )
    var rules = MergeRules(.skip)
    rules.identities = ["BookmarkEntity": ["title"]]
    rules.duplicates = .first
    var options = CopyOptions()
    options.merge = rules
    options.purpose = .merge
    #expect(try Copy(from: store, to: out, options: options).run().isVerified)
    // What is new comes behind what it follows, as 8, which is the first there.
    #expect(try list(out) == ["3|8", "3|10", "3|9", "3|7", "3|2"])
    let places = "SELECT Z_FOK_1FAVORITES FROM Z_1FAVORITES WHERE Z_1FAVORITES IN (10, 9, 7) ORDER BY 1"
    #expect(try Program.sqlite3(out, places) == "500\n700\n900")
  }

  /// Two folders of one title that have the same favorites; in theirs their keys are in the other order.
  @Test func `folders that hold the same are told apart by the order of their lists`() throws {
    let theirs = folder.path("theirs.sqlite")
    _ = try Program.sqlite3(
      store,
      """
      DELETE FROM Z_1FAVORITES; INSERT INTO ZBOOKMARKENTITY (Z_PK, Z_ENT, Z_OPT, ZISFOLDER, ZISPENDINGDELETION, ZTITLE)
      VALUES (20, 1, 1, 1, 0, 'twin'), (21, 1, 1, 1, 0, 'twin'); UPDATE Z_PRIMARYKEY SET Z_MAX = 30;
      PRAGMA wal_checkpoint(TRUNCATE)
      """
    )
    try FileManager.default.copyItem(atPath: store, toPath: theirs)
    _ = try Program.sqlite3(store, "INSERT INTO Z_1FAVORITES VALUES (20, 8, 1), (20, 10, 2), (21, 10, 1), (21, 8, 2)")
    _ = try Program.sqlite3(
      theirs,
      """
      INSERT INTO Z_1FAVORITES VALUES (20, 10, 1), (20, 8, 2), (21, 8, 1), (21, 10, 2)
      """
    )
    var diff = Diff(theirs, store)
    diff.rules.lineage = .none
    #expect(try diff.run().isEqual)
    _ = try Program.sqlite3(
      theirs,
      """
      INSERT INTO ZBOOKMARKENTITY (Z_PK, Z_ENT, Z_OPT, ZISFOLDER, ZISPENDINGDELETION, ZPARENT, Z_FOK_PARENT, ZTITLE, ZUUID)
      VALUES (30, 1, 1, 0, 0, 20, 1024, 'new', 'new')
      """
    )
    var rules = MergeRules(.skip)
    rules.lineage = .none
    var options = CopyOptions()
    options.merge = rules
    options.purpose = .merge
    let report = try Copy(from: theirs, to: store, options: options).run()
    #expect(report["BookmarkEntity"]?.copied == 1)
    // What is new belongs to the folder with that order.
    let list = """
      SELECT group_concat(f) FROM (SELECT Z_1FAVORITES AS f FROM Z_1FAVORITES WHERE Z_1FAVORITEFOLDERS =
        (SELECT ZPARENT FROM ZBOOKMARKENTITY WHERE ZTITLE = 'new') ORDER BY Z_FOK_1FAVORITES)
      """
    #expect(try Program.sqlite3(theirs, list) == "10,8")
    #expect(try Program.sqlite3(store, list) == "10,8")
  }
}
