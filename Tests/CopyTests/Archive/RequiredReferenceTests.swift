import Decant
import Foundation
import TestSupport
import Testing

/// Archives that only refer to what an object must not be without.
@Suite struct RequiredReferenceTests {
  private let folder: TemporaryFolder
  private var archive: String { folder.path("sent.decant") }
  private var store: String { folder.path("Kitchen.sqlite") }
  private var other: String { folder.path("other.sqlite") }

  /// Sends the first ingredient of each recipe of the sample store; the other store has recipe 1 alone, and no
  /// ingredient.
  init() throws {
    folder = try TemporaryFolder()
    let sample = Fixtures.projectFolder.appendingPathComponent("samples/Kitchen.sqlite").path
    for name in ["Kitchen.sqlite", "other.sqlite"] {
      try FileManager.default.copyItem(atPath: sample, toPath: folder.path(name))
    }
    _ = try Program.sqlite3(
      other,
      """
      DELETE FROM ZINGREDIENT; DELETE FROM ZRECIPE WHERE Z_PK <> 1; DELETE FROM Z_6TAGS;
      UPDATE ZSTEP SET ZRECIPE = NULL WHERE ZRECIPE <> 1; UPDATE ZIMAGE SET ZRECIPE = NULL, ZCOVEROF = NULL;
      UPDATE ZRECIPE SET ZVARIANTOF = NULL, ZCOVER = NULL;
      """
    )
    var options = CopyOptions()
    options.roots = [CopyOptions.Filter(entity: "Ingredient", expression: "sortIndex = 0")]
    options.rules = [CopyOptions.Rule("Ingredient.recipe", .reference)]
    try Export(from: store, to: archive, options: options).run()
  }

  /// Ingredients with their recipe, told by values.
  private func ingredients(_ file: String, _ condition: String = "1") throws -> String {
    try Program.sqlite3(
      file,
      """
      SELECT hex(i.ZUUID), i.ZNAME, r.ZTITLE FROM ZINGREDIENT AS i LEFT JOIN ZRECIPE AS r ON r.Z_PK = i.ZRECIPE
      WHERE \(condition) ORDER BY 1
      """
    )
  }

  @Test func `what is not there ends the import, and nothing is changed`() throws {
    let error = #expect(throws: DecantError.self) { try Import([archive], into: other).run() }
    #expect(error?.family == .failed)
    #expect(
      error?.message.hasSuffix(
        "its link Ingredient.recipe points to an object that is not copied, and is required"
      ) == true
    )
    #expect(error?.message.hasPrefix("cannot write Ingredient p") == true && error?.remedy != nil)
    #expect(try ingredients(other) == "")
  }

  @Test func `or the object is rejected, and comes when what it needs is there`() throws {
    let rejects = folder.path("rejects.decant")
    var work = Import([archive], into: other)
    work.options.onError = .reject
    work.options.rejectsFile = rejects
    let report = try #require(try work.run().first)
    #expect(report.rejectedByCode == [.link: 11] && report.copiedCount == 1 && report.isVerified)
    #expect(try ingredients(other) == ingredients(store, "i.ZSORTINDEX = 0 AND i.ZRECIPE = 1"))
    // A store that has the recipes takes all but those of recipe 1, which were not rejected.
    _ = try Program.sqlite3(store, "DELETE FROM ZINGREDIENT WHERE ZRECIPE <> 1 AND ZSORTINDEX = 0")
    let taken = try Import([rejects], into: store).run().first
    #expect(taken?.copiedCount == 11 && taken?.isVerified == true)
    #expect(try Program.sqlite3(store, "SELECT count(*), count(ZRECIPE) FROM ZINGREDIENT") == "73|73")
    #expect(try Import([rejects], into: store).run().first?.copiedCount == 0)
  }
}
