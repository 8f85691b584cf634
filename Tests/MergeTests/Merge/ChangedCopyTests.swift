import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Real stores and copies of them that somebody changed.
@Suite(.enabled(if: Fixtures.areAvailable)) struct ChangedCopyTests {
  private let folder: TemporaryFolder
  private var mine: String { folder.path("mine.sqlite") }
  private var theirs: String { folder.path("theirs.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  /// Makes two stores of `file`, of which `sql` changes theirs.
  private func make(_ file: String, _ sql: String) throws {
    let store = try Fixtures.copyStore(file, into: folder.url).path
    for path in [mine, theirs] { _ = try Program.sqlite3(store, "VACUUM INTO '\(path)'") }
    let triggers = try Program.sqlite3(
      theirs, "SELECT 'DROP TRIGGER \"' || name || '\";' FROM sqlite_schema WHERE type = 'trigger'")
    _ = try Program.sqlite3(theirs, triggers + sql)
  }

  private func merge(_ policy: MergePolicy) throws -> CopyReport {
    var options = CopyOptions()
    options.merge = MergeRules(policy)
    options.purpose = .merge
    options.writesMirroredStore = true
    return try Copy(from: theirs, to: mine, options: options).run()
  }

  /// Each recipe has one picture, and each picture one recipe.
  @Test func `a picture that was replaced is the one of its recipe`() throws {
    try make(
      "apple-recipes/Recipes.sqlite",
      """
      UPDATE ZIMAGE SET ZIMAGE = x'0102' WHERE Z_PK = 3;
      INSERT INTO ZIMAGE (Z_PK, Z_ENT, Z_OPT, ZIMAGE) SELECT 5, Z_ENT, 1, x'0506' FROM ZIMAGE LIMIT 1;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 5 WHERE Z_NAME = 'Image'
      """
    )
    #expect(try merge(.update).copiedCount == 1)
    let pictures = "SELECT Z_PK, ZRECIPE, ZIMAGE FROM ZIMAGE WHERE Z_PK < 4"
    #expect(try Program.sqlite3(mine, pictures, isQuoted: true) == Program.sqlite3(theirs, pictures, isQuoted: true))
    let made = FileManager.default.contents(atPath: mine)
    #expect(try merge(.update).copiedCount == 0)
    #expect(FileManager.default.contents(atPath: mine) == made)
  }

  /// Favourites are a list of bookmarks, and a bookmark may be in several.
  @Test(arguments: [MergePolicy.skip, .update, .replace])
  func `what was put into the middle of a list comes to its middle`(policy: MergePolicy) throws {
    try make("ddg-bookmarks-v4/Bookmarks_V4.sqlite", "INSERT INTO Z_1FAVORITES VALUES (3, 2, 4500)")
    let list = "SELECT Z_1FAVORITES FROM Z_1FAVORITES WHERE Z_1FAVORITEFOLDERS = 3 ORDER BY Z_FOK_1FAVORITES"
    _ = try merge(policy)
    #expect(try Program.sqlite3(mine, list) == Program.sqlite3(theirs, list))
  }

  /// A resource is unique by its asset and its type.
  @Test(arguments: [MergePolicy.skip, .update])
  func `what is unique by a link follows an object that is known by its key`(policy: MergePolicy) throws {
    try make("photos-13.5.1-compare-2/Photos.sqlite", "UPDATE ZASSET SET ZUUID = NULL WHERE Z_PK = 2")
    let resources = "SELECT Z_PK, ZASSET FROM ZINTERNALRESOURCE ORDER BY 1"
    let before = try Program.sqlite3(mine, resources)
    #expect(try merge(policy).copiedCount == 0)
    #expect(try Program.sqlite3(mine, resources) == before)
  }
}
