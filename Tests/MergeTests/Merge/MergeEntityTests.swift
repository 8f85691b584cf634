import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Objects of different entities that inherit one identity: never the same.
@Suite struct MergeEntityTests {
  private func sql(_ path: String, _ text: String) throws -> String {
    try Program.sqlite3(path, text)
  }

  @Test(arguments: [MergePolicy.skip, .update])
  func `a picture of a step is no picture of a recipe, though both have one identity`(policy: MergePolicy) throws {
    let kitchens = try Kitchens()
    let other = kitchens.folder.path("Other.sqlite")
    try FileManager.default.copyItem(atPath: kitchens.kitchen, toPath: other)
    // There the picture of a step has the identity of what is a picture of a recipe here; it is the cover.
    _ = try sql(
      other,
      """
      UPDATE ZIMAGE SET ZUUID = (SELECT ZUUID FROM ZIMAGE WHERE Z_PK = 9), ZCAPTION1 = 'of a step' WHERE Z_PK = 4;
      DELETE FROM ZIMAGE WHERE Z_PK = 9; UPDATE ZRECIPE SET ZCOVER = NULL, Z2_COVER = NULL WHERE ZCOVER = 9;
      UPDATE ZRECIPE SET ZUUID = randomblob(16), ZTITLE = 'new' WHERE Z_PK = 4;
      """
    )
    var options = CopyOptions()
    options.merge = MergeRules(policy)
    options.merge?.identities = ["Recipe": ["uuid"], "Image": ["uuid"]]
    options.purpose = .merge
    #expect(try Copy(from: other, to: kitchens.kitchen, options: options).run().isVerified)
    #expect(
      try sql(
        kitchens.kitchen,
        """
        SELECT r.ZTITLE, r.Z2_COVER, i.Z_ENT, i.ZUUID = (SELECT ZUUID FROM ZIMAGE WHERE Z_PK = 9), i.Z_PK > 9
        FROM ZRECIPE AS r JOIN ZIMAGE AS i ON i.Z_PK = r.ZCOVER WHERE r.ZTITLE = 'new'
        """
      ) == "new|4|4|1|1"
    )
    #expect(try sql(kitchens.kitchen, "SELECT Z_ENT FROM ZIMAGE WHERE Z_PK = 9") == "3")
  }

  /// The store of books, and what copies it.
  private func books(_ name: String, in folder: TemporaryFolder) throws -> String {
    let expected = try GroundTruth(of: "cdp-samplemodel2-v2")
    let place = folder.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    let path = try Fixtures.copyStore(expected.file, into: place).path
    _ = try sql(path, "PRAGMA wal_checkpoint(TRUNCATE)")
    return path
  }

  @Test(.enabled(if: Fixtures.areAvailable), arguments: [MergePolicy.skip, .fill, .update, .keepBoth, .replace])
  func `two that a constraint forbids are named, and nothing changes`(policy: MergePolicy) throws {
    let folder = try TemporaryFolder()
    let (mine, theirs) = (try books("mine", in: folder), try books("theirs", in: folder))
    // A graphic novel here, a book there.
    #expect(try sql(mine, "SELECT Z_ENT FROM ZBOOK WHERE Z_PK = 3") == "2")
    _ = try sql(
      theirs,
      """
      UPDATE ZBOOK SET Z_ENT = 1, ZISBLACKANDWHITE = NULL, ZTITLE = 'other' WHERE Z_PK = 3;
      DROP TRIGGER IF EXISTS Z_DA_ZPAGE_Book_pagesCount_PARAMETER_UPDATE_INCREMENT;
      UPDATE ZPAGE SET Z1_BOOK = 1 WHERE ZBOOK = 3
      """
    )
    let before = FileManager.default.contents(atPath: mine)
    var options = CopyOptions()
    options.merge = MergeRules(policy)
    options.purpose = .merge
    let error = #expect(throws: DecantError.self) {
      try Copy(from: theirs, to: mine, options: options).run()
    }
    #expect(error?.family == .failed)
    #expect(error?.message.contains("Book p3 of the source") == true)
    #expect(error?.message.contains("GraphicNovel p3 of the destination") == true)
    #expect(error?.advice?.commandLine.contains("--where") == true)
    #expect(FileManager.default.contents(atPath: mine) == before)
    // Without it the rest goes in.
    options.filters = [CopyOptions.Filter(entity: "Book", expression: "title <> 'other'")]
    #expect(try Copy(from: theirs, to: mine, options: options).run().isVerified)
    #expect(
      try sql(
        mine,
        "SELECT count(*) FROM ZPAGE AS p JOIN ZBOOK AS b ON b.Z_PK = p.ZBOOK WHERE p.Z1_BOOK <> b.Z_ENT"
      ) == "0"
    )
  }

  @Test(.enabled(if: Fixtures.areAvailable))
  func `two of one entity that a constraint forbids are not said to be of two`() throws {
    let folder = try TemporaryFolder()
    let (mine, theirs) = (try books("mine", in: folder), try books("theirs", in: folder))
    _ = try sql(
      theirs,
      "DROP INDEX Z_Book_UNIQUE_uniqueID; UPDATE ZBOOK SET ZUNIQUEID = zeroblob(16) WHERE Z_PK IN (1, 2)"
    )
    var options = CopyOptions()
    options.merge = MergeRules(.skip)
    options.merge?.lineage = .none
    options.purpose = .merge
    let error = #expect(throws: DecantError.self) {
      try Copy(from: theirs, to: mine, options: options).run()
    }
    #expect(error?.message == "cannot write Book p2: another object has the same uniqueID")
  }

  @Test(.enabled(if: Fixtures.areAvailable), arguments: [MergeRules.Duplicates.first, .last])
  func `in a new store a book and a graphic novel of one title stay two`(rule: MergeRules.Duplicates) throws {
    let folder = try TemporaryFolder()
    let theirs = try books("theirs", in: folder)
    _ = try sql(theirs, "UPDATE ZBOOK SET ZTITLE = 'same' WHERE Z_PK IN (1, 3)")
    var options = CopyOptions()
    options.merge = MergeRules(.error)
    options.merge?.identities = ["Book": ["title"]]
    options.merge?.duplicates = rule
    let new = folder.path("new.sqlite")
    #expect(try Copy(from: theirs, to: new, options: options).run().isVerified)
    let query =
      "SELECT b.Z_PK, b.Z_ENT, p.Z1_BOOK, count(*) FROM ZBOOK AS b JOIN ZPAGE AS p ON p.ZBOOK = b.Z_PK GROUP BY 1, 2, 3"
    #expect(try sql(new, query) == sql(theirs, query))
    #expect(try sql(new, "SELECT count(*) FROM ZBOOK") == sql(theirs, "SELECT count(*) FROM ZBOOK"))
  }

  @Test(.enabled(if: Fixtures.areAvailable), arguments: [true, false])
  func `objects that are matched after a changed one are not counted as unmatched`(isDryRun: Bool) throws {
    let folder = try TemporaryFolder()
    let theirs = try Fixtures.copyStore("ddg-bookmarks-v4/Bookmarks_V4.sqlite", into: folder.url).path
    let mine = folder.path("mine.sqlite")
    _ = try Copy(from: theirs, to: mine).run()
    _ = try sql(mine, "UPDATE ZBOOKMARKENTITY SET ZTITLE = 'mine' WHERE Z_PK = 5")
    var options = CopyOptions()
    options.merge = MergeRules(.update)
    options.isDryRun = isDryRun
    let report = try Copy(from: theirs, to: mine, options: options).run()
    let bookmarks = try #require(report.entities.first { $0.name == "BookmarkEntity" })
    #expect(bookmarks.copied == 0)
    #expect(bookmarks.merge?.same == 9)
    #expect(bookmarks.merge?.changed == 1)
    #expect(!report.notes.contains { $0.kind == .keysNotMatched })
  }
}
