import Decant
import Foundation
import StoreTestSupport
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
    options.purpose = .merge
    let report = try Copy(from: other, to: kitchens.kitchen, options: options).run()
    #expect(report.isVerified)
    #expect(try halves(kitchens.kitchen) == "")
    // The other picture is there in any case.
    let added = try sql(kitchens.kitchen, "SELECT Z_PK FROM ZIMAGE WHERE ZCAPTION1 = 'another'")
    let isTaken = [.update, .newest, .replace].contains(policy)
    #expect(
      try sql(kitchens.kitchen, "SELECT ZCOVER FROM ZRECIPE WHERE Z_PK = 4")
        == (isTaken ? added : "4")
    )
    #expect(report.notes.commandLine.contains { $0.contains("one-to-one link") })
    #expect(
      try sql(
        kitchens.kitchen,
        "SELECT Z_PK, quote(ZCOVEROF) FROM ZIMAGE WHERE Z_PK IN (4, \(added)) ORDER BY 1"
      ) == (isTaken ? "4|NULL\n\(added)|4" : "4|4\n\(added)|NULL")
    )
  }

  @Test func `history tells of who lost a partner`() throws {
    try kitchens.dropMirror()
    let store = kitchens.syncMetadata
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
    options.purpose = .merge
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
    _ = try sql(other, "UPDATE ZRECIPE SET ZTITLE = (SELECT ZTITLE FROM ZRECIPE WHERE Z_PK = 4) WHERE Z_PK IN (8, 9)")
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
    #expect(try sql(kitchens.out, "SELECT Z_PK FROM ZIMAGE WHERE ZRECIPE = 4 ORDER BY 1") == "5\n6")
    let steps = "SELECT Z_PK FROM ZSTEP WHERE ZRECIPE IN (4, 8, 9) ORDER BY "
    #expect(
      try sql(kitchens.out, steps + "Z_FOK_RECIPE")
        == sql(other, steps + "ZRECIPE, Z_FOK_RECIPE")
    )
  }

  /// What unlinks all covers, and what makes image `image` the cover of `recipe`.
  private static let uncovered =
    "UPDATE ZRECIPE SET ZCOVER = NULL, Z2_COVER = NULL; UPDATE ZIMAGE SET ZCOVEROF = NULL;"

  private static func cover(_ recipe: Int, _ image: Int) -> String {
    """
    UPDATE ZRECIPE SET ZCOVER = \(image), Z2_COVER = (SELECT Z_ENT FROM ZIMAGE WHERE Z_PK = \(image))
      WHERE Z_PK = \(recipe);
    UPDATE ZIMAGE SET ZCOVEROF = \(recipe) WHERE Z_PK = \(image);
    """
  }

  /// The covers as both ends and the column beside them have them.
  private func covers(_ path: String) throws -> String {
    #expect(try halves(path) == "")
    #expect(
      try sql(
        path,
        """
        SELECT r.Z_PK FROM ZRECIPE AS r LEFT JOIN ZIMAGE AS i ON i.Z_PK = r.ZCOVER WHERE r.Z2_COVER IS NOT i.Z_ENT
        """
      ) == ""
    )
    return try sql(path, "SELECT Z_PK, ZCOVER FROM ZRECIPE WHERE ZCOVER NOT NULL ORDER BY 1")
  }

  /// The kitchen with `mine` for its covers, and a copy of it with `theirs` and what `change` does.
  private func covered(_ mine: String, _ theirs: String, _ change: String) throws -> String {
    let other = kitchens.folder.path("Covers.sqlite")
    try FileManager.default.copyItem(atPath: kitchens.kitchen, toPath: other)
    _ = try sql(kitchens.kitchen, Self.uncovered + mine)
    _ = try sql(other, Self.uncovered + theirs + change)
    return other
  }

  @Test(arguments: [
    ("", "", "1|1", 0),
    (cover(2, 1), "", "1|1", 0),
    (cover(1, 2), "", "1|1", 1),
    (cover(1, 2) + cover(2, 1), "", "1|1", 1),
    ("", "UPDATE ZRECIPE SET ZTITLE = 'changed' WHERE Z_PK = 1;", "1|1", 0),
    (cover(2, 1), "UPDATE ZRECIPE SET ZTITLE = 'changed' WHERE Z_PK = 1;", "1|1", 0),
    // Where the recipe is new it would take what the one that is there keeps.
    (cover(2, 1), "UPDATE ZRECIPE SET ZUUID = randomblob(16) WHERE Z_PK = 2;", "1|1", 1),
  ])
  func `what is kept stays at both ends`(theirs: String, change: String, expected: String, emptyCount: Int) throws {
    let other = try covered(Self.cover(1, 1), theirs, change)
    var options = CopyOptions()
    options.merge = MergeRules(.update)
    options.merge?.identities = ["Recipe": ["uuid"], "Image": ["uuid"]]
    options.merge?.rules["Recipe"] = MergeRules.Rule(.update)
    options.merge?.rules["Recipe"]?.keeps = ["cover"]
    options.purpose = .merge
    let report = try Copy(from: other, to: kitchens.kitchen, options: options).run()
    #expect(report.isVerified)
    #expect(try covers(kitchens.kitchen) == expected)
    #expect(!report.notes.commandLine.contains { $0.contains("lost a one-to-one link") })
    #expect(
      report.notes.commandLine.filter { $0.contains("has another partner") }
        == (emptyCount == 0
          ? [] : ["1 one-to-one link stays empty: the target already has another partner"])
    )
  }

  @Test(arguments: [MergePolicy.skip, .fill, .update])
  func `what has no partner takes that of a new object`(policy: MergePolicy) throws {
    let other = try covered(
      "",
      Self.cover(1, 1) + Self.cover(2, 2),
      """
      UPDATE ZIMAGE SET ZUUID = randomblob(16), ZMIMETYPE = 'new' WHERE Z_PK = 1;
      UPDATE ZRECIPE SET ZUUID = randomblob(16), ZTITLE = 'new' WHERE Z_PK = 2;
      """
    )
    var options = CopyOptions()
    options.merge = MergeRules(policy)
    options.merge?.identities = ["Recipe": ["uuid"], "Image": ["uuid"]]
    options.purpose = .merge
    let report = try Copy(from: other, to: kitchens.kitchen, options: options).run()
    let image = try sql(kitchens.kitchen, "SELECT Z_PK FROM ZIMAGE WHERE ZMIMETYPE = 'new'")
    let recipe = try sql(kitchens.kitchen, "SELECT Z_PK FROM ZRECIPE WHERE ZTITLE = 'new'")
    #expect(report.isVerified && report.links.cut == 0)
    #expect(try covers(kitchens.kitchen) == "1|\(image)\n\(recipe)|2")
    #expect(
      report.notes.commandLine.filter { $0.contains("one-to-one") }
        == (policy == .skip
          ? ["2 objects of the destination got a partner through a one-to-one link"] : [])
    )
  }

  /// Two new recipes lead to pictures that count as the one which is there and has no recipe.
  @Test(arguments: [cover(1, 1) + cover(2, 2), cover(1, 2) + cover(2, 1)])
  func `of two that want one partner the first gets it`(theirs: String) throws {
    let types =
      "UPDATE ZIMAGE SET ZMIMETYPE = 'm' || Z_PK; UPDATE ZIMAGE SET ZMIMETYPE = 'same' WHERE Z_PK = 1;"
    let other = try covered(
      types,
      theirs,
      types
        + """
        UPDATE ZIMAGE SET ZMIMETYPE = 'same' WHERE Z_PK = 2;
        UPDATE ZRECIPE SET ZUUID = randomblob(16), ZTITLE = 'new ' || Z_PK WHERE Z_PK IN (1, 2);
        """
    )
    var options = CopyOptions()
    options.merge = MergeRules(.skip)
    options.merge?.identities = ["Recipe": ["uuid"], "Image": ["mimeType"]]
    options.merge?.duplicates = .first
    options.purpose = .merge
    #expect(try Copy(from: other, to: kitchens.kitchen, options: options).run().isVerified)
    _ = try covers(kitchens.kitchen)
    #expect(
      try sql(kitchens.kitchen, "SELECT ZTITLE, ZCOVER FROM ZRECIPE WHERE ZTITLE LIKE 'new %' ORDER BY 1")
        == "new 1|1\nnew 2|"
    )
  }

  @Test func `of images that count as one the first gets the cover that another was`() throws {
    let other = try covered(
      "",
      Self.cover(1, 2) + Self.cover(2, 4) + Self.cover(4, 5),
      """
      UPDATE ZIMAGE SET ZMIMETYPE = 'm' || Z_PK;
      UPDATE ZIMAGE SET ZMIMETYPE = 'same' WHERE Z_PK IN (1, 2);
      UPDATE ZIMAGE SET ZMIMETYPE = 'like' WHERE Z_PK IN (4, 5);
      """
    )
    // Images of one entity: those of two would never be the same.
    _ = try sql(
      other,
      "UPDATE ZIMAGE SET Z_ENT = 4 WHERE Z_PK IN (4, 5); UPDATE ZRECIPE SET Z2_COVER = 4 WHERE Z_PK IN (2, 4)"
    )
    var options = CopyOptions()
    options.merge = MergeRules(.error)
    options.merge?.identities = ["Image": ["mimeType"]]
    options.merge?.duplicates = .first
    let report = try Copy(from: other, to: kitchens.out, options: options).run()
    #expect(report.isVerified && report.links.cut == 1)
    #expect(try covers(kitchens.out) == "1|1\n2|4")
    // Every link stands once in the count, as the tables have them.
    let copied = try sql(
      kitchens.out,
      """
      SELECT (SELECT count(*) FROM Z_6TAGS) + (SELECT count(ZCATEGORY) + count(ZVARIANTOF) + count(ZCOVER) FROM ZRECIPE)
        + (SELECT count(ZRECIPE) + count(ZSTEP) FROM ZIMAGE) + (SELECT count(ZRECIPE) FROM ZSTEP)
        + (SELECT count(ZRECIPE) FROM ZINGREDIENT)
      """
    )
    #expect(report.links.copied == Int64(copied))
    #expect(report.notes.commandLine.contains("1 one-to-one link stays empty: the target already has another partner"))
  }
}
