import Decant
import DecantStores
import Foundation
import TestSupport
import Testing

/// Links from one to one, which both ends hold, where objects are merged: a recipe and its cover.
@Suite struct MergeSingleLinkTests {
  private let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  private func sql(_ path: String, _ text: String) throws -> String {
    try Program.sqlite3(path, text)
  }

  /// The rows of a store whose other end does not lead back.
  private func halves(_ path: String) throws -> String {
    try sql(
      path,
      """
      SELECT 'recipe', r.Z_PK FROM ZRECIPE AS r LEFT JOIN ZIMAGE AS i ON i.Z_PK = r.ZCOVER
      WHERE r.ZCOVER IS NOT NULL AND i.ZCOVEROF IS NOT r.Z_PK
      UNION ALL SELECT 'image', i.Z_PK FROM ZIMAGE AS i LEFT JOIN ZRECIPE AS r ON r.Z_PK = i.ZCOVEROF
      WHERE i.ZCOVEROF IS NOT NULL AND r.ZCOVER IS NOT i.Z_PK
      """
    )
  }

  /// A second kitchen where recipe 4 has another picture for its cover, and recipe 2 none.
  private func other() throws -> String {
    let other = kitchens.folder.path("Other.sqlite")
    try FileManager.default.copyItem(atPath: kitchens.kitchen, toPath: other)
    _ = try sql(
      other,
      """
      UPDATE ZIMAGE SET ZUUID = randomblob(16), ZCAPTION1 = 'another' WHERE Z_PK = 4;
      UPDATE ZRECIPE SET ZCOVER = NULL, Z2_COVER = NULL WHERE Z_PK = 2;
      UPDATE ZIMAGE SET ZCOVEROF = NULL WHERE Z_PK = 2;
      UPDATE ZRECIPE SET ZSUBTITLE = 'from elsewhere' WHERE Z_PK = 4
      """
    )
    #expect(try halves(other) == "")
    return other
  }

  @Test(arguments: [MergePolicy.skip, .update, .fill, .newest, .replace])
  func `both ends agree whatever the policy`(policy: MergePolicy) throws {
    let other = try other()
    if policy == .newest {
      _ = try sql(other, "UPDATE ZRECIPE SET ZMODIFIEDAT = ZMODIFIEDAT + 1 WHERE Z_PK = 4")
    }
    var options = CopyOptions()
    options.merge = MergeRules(policy)
    if policy == .newest {
      options.merge = MergeRules(.skip)
      options.merge?.rules["Recipe"] = MergeRules.Rule(.newest, by: "modifiedAt")
    }
    options.merge?.identities = ["Recipe": ["uuid"], "Image": ["uuid"]]
    options.verb = "merge"
    let report = try Copy(from: other, to: kitchens.kitchen, options: options).run()
    #expect(report.isVerified)
    #expect(try halves(kitchens.kitchen) == "")
    // The other picture is there in any case.
    let added = try sql(
      kitchens.kitchen,
      "SELECT Z_PK FROM ZIMAGE WHERE ZCAPTION1 = 'another'"
    )
    let isTaken = [.update, .newest, .replace].contains(policy)
    #expect(
      try sql(kitchens.kitchen, "SELECT ZCOVER FROM ZRECIPE WHERE Z_PK = 4")
        == (isTaken ? added : "4")
    )
    #expect(report.notes.contains { $0.contains("from one to one") })
    #expect(
      try sql(
        kitchens.kitchen,
        "SELECT Z_PK, quote(ZCOVEROF) FROM ZIMAGE WHERE Z_PK IN (4, \(added)) ORDER BY 1"
      ) == (isTaken ? "4|NULL\n\(added)|4" : "4|4\n\(added)|NULL")
    )
  }

  @Test func `history tells of who lost a partner`() throws {
    try kitchens.dropMirror()
    let store = kitchens.sediment
    let other = kitchens.folder.path("Theirs.sqlite")
    try FileManager.default.copyItem(atPath: store, toPath: other)
    // There the recipe has another picture for its cover.
    _ = try sql(
      other,
      """
      UPDATE ZIMAGE SET ZUUID = randomblob(16), ZCAPTION1 = 'another' WHERE Z_PK = 1;
      UPDATE ZRECIPE SET ZSUBTITLE = 'from elsewhere' WHERE Z_PK = 1
      """
    )
    let last = try sql(store, "SELECT max(Z_PK) FROM ACHANGE")
    var options = CopyOptions()
    options.merge = MergeRules(.update)
    options.merge?.identities = ["Recipe": ["uuid"], "Image": ["uuid"]]
    options.verb = "merge"
    #expect(try Copy(from: other, to: store, options: options).run().isVerified)
    #expect(try halves(store) == "")
    #expect(
      try sql(
        store,
        """
        SELECT ZCHANGETYPE, Z_NAME, ZENTITYPK = 1 FROM ACHANGE AS c JOIN Z_PRIMARYKEY AS p ON p.Z_ENT = c.ZENTITY
        WHERE c.Z_PK > \(last) ORDER BY 1, 2
        """
      ) == "0|RecipeImage|0\n1|Recipe|1\n1|RecipeImage|1"
    )
  }

  @Test func `of recipes that count as one the first keeps its cover`() throws {
    let other = kitchens.folder.path("Twice.sqlite")
    try FileManager.default.copyItem(atPath: kitchens.kitchen, toPath: other)
    _ = try sql(
      other,
      "UPDATE ZRECIPE SET ZTITLE = (SELECT ZTITLE FROM ZRECIPE WHERE Z_PK = 4) WHERE Z_PK IN (8, 9)"
    )
    var options = CopyOptions()
    options.merge = MergeRules(.error)
    options.merge?.identities = ["Recipe": ["title"]]
    options.merge?.duplicates = .first
    let report = try Copy(from: other, to: kitchens.out, options: options).run()
    #expect(report.isVerified && report["Recipe"]?.merge?.duplicate == 2)
    #expect(report.links.cut == 2)
    #expect(try halves(kitchens.out) == "")
    #expect(try sql(kitchens.out, "SELECT ZCOVER FROM ZRECIPE WHERE Z_PK = 4") == "4")
    // Their pictures belong to the recipe all the same, and their steps come behind its own.
    #expect(
      try sql(kitchens.out, "SELECT Z_PK FROM ZIMAGE WHERE ZRECIPE = 4 ORDER BY 1") == "5\n6"
    )
    let steps = "SELECT Z_PK FROM ZSTEP WHERE ZRECIPE IN (4, 8, 9) ORDER BY "
    #expect(
      try sql(kitchens.out, steps + "Z_FOK_RECIPE")
        == sql(other, steps + "ZRECIPE, Z_FOK_RECIPE")
    )
  }
}
