import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Rules of entities that share a table: each object follows that of its own entity.
@Suite struct EntityRuleTests {
  private let kitchens: Kitchens
  private var other: String { kitchens.folder.path("Other.sqlite") }

  /// Of both kinds of pictures some have a value in mine, some in theirs, and some in both.
  init() throws {
    kitchens = try Kitchens()
    try FileManager.default.copyItem(atPath: kitchens.kitchen, toPath: other)
    for (store, values) in [
      (kitchens.kitchen, "ZMIMETYPE = 'mine', ZHEIGHT = nullif(Z_PK % 2, 0), ZWIDTH = 1"),
      (other, "ZMIMETYPE = 'theirs', ZHEIGHT = 7, ZWIDTH = NULL"),
    ] {
      _ = try Program.sqlite3(store, "UPDATE ZIMAGE SET \(values)")
    }
  }

  /// A rule for one kind of pictures, and what an object of that kind has afterwards.
  struct Rule: CustomTestStringConvertible {
    let testDescription: String
    let policy: MergePolicy
    var keeps: [String] = []
    /// Expressions over the same picture in mine, `m`, and in theirs, `t`.
    let type, height, width: String
  }

  private static let rules = [
    Rule(testDescription: "skip", policy: .skip, type: "m.ZMIMETYPE", height: "m.ZHEIGHT", width: "m.ZWIDTH"),
    Rule(testDescription: "update", policy: .update, type: "t.ZMIMETYPE", height: "t.ZHEIGHT", width: "t.ZWIDTH"),
    Rule(
      testDescription: "fill",
      policy: .fill,
      type: "coalesce(m.ZMIMETYPE, t.ZMIMETYPE)",
      height: "coalesce(m.ZHEIGHT, t.ZHEIGHT)",
      width: "coalesce(m.ZWIDTH, t.ZWIDTH)"
    ),
    Rule(
      testDescription: "update, keep mimeType",
      policy: .update,
      keeps: ["mimeType"],
      type: "m.ZMIMETYPE",
      height: "t.ZHEIGHT",
      width: "t.ZWIDTH"
    ),
    Rule(
      testDescription: "fill, keep height",
      policy: .fill,
      keeps: ["height"],
      type: "m.ZMIMETYPE",
      height: "m.ZHEIGHT",
      width: "m.ZWIDTH"
    ),
    Rule(
      testDescription: "update, keep height and width",
      policy: .update,
      keeps: ["height", "width"],
      type: "t.ZMIMETYPE",
      height: "m.ZHEIGHT",
      width: "m.ZWIDTH"
    ),
  ]

  /// Where nothing differs but a link that one of the entities keeps, its objects do not change, and the others do.
  @Test(arguments: [["recipe"], ["recipe", "coverOf"], []])
  func `a link that is kept is no difference`(keeps: [String]) throws {
    let columns = "Z_PK, Z_OPT, ZRECIPE, ZSTEP"
    for path in [kitchens.kitchen, other] {
      _ = try Program.sqlite3(path, "UPDATE ZIMAGE SET ZMIMETYPE = 'same', ZHEIGHT = 1, ZWIDTH = 1")
    }
    _ = try Program.sqlite3(
      other,
      "UPDATE ZIMAGE SET ZRECIPE = 3 WHERE Z_PK = 2; UPDATE ZIMAGE SET ZSTEP = 15 WHERE Z_PK = 4"
    )
    let before = try Program.sqlite3(kitchens.kitchen, "SELECT \(columns) FROM ZIMAGE WHERE Z_PK <> 4")
    var options = CopyOptions()
    options.purpose = .merge
    options.merge = MergeRules(.update)
    options.merge?.identities = ["Image": ["uuid"], "Recipe": ["uuid"], "Step": ["uuid"]]
    options.merge?.rules["RecipeImage"] = MergeRules.Rule(.update)
    options.merge?.rules["RecipeImage"]?.keeps = keeps
    let report = try Copy(from: other, to: kitchens.kitchen, options: options).run()
    #expect(report.isVerified && report["StepImage"]?.updated == 1)
    #expect(report["RecipeImage"]?.updated == (keeps.isEmpty ? 1 : 0))
    let after = try Program.sqlite3(kitchens.kitchen, "SELECT \(columns) FROM ZIMAGE WHERE Z_PK <> 4")
    #expect((after == before) == !keeps.isEmpty)
    #expect(try Program.sqlite3(kitchens.kitchen, "SELECT ZSTEP FROM ZIMAGE WHERE Z_PK = 4") == "15")
  }

  @Test(arguments: Effort.part(of: rules.flatMap { one in rules.map { (one, $0) } }, each: 3))
  func `each object follows the rule of its entity`(ofRecipes: Rule, ofSteps: Rule) throws {
    let before = kitchens.folder.path("Before.sqlite")
    try FileManager.default.copyItem(atPath: kitchens.kitchen, toPath: before)
    var options = CopyOptions()
    options.purpose = .merge
    options.merge = MergeRules(.skip)
    options.merge?.identities = ["Image": ["uuid"], "Recipe": ["uuid"]]
    for (entity, rule) in [("RecipeImage", ofRecipes), ("StepImage", ofSteps)] {
      options.merge?.rules[entity] = MergeRules.Rule(rule.policy)
      options.merge?.rules[entity]?.keeps = rule.keeps
    }
    #expect(try Copy(from: other, to: kitchens.kitchen, options: options).run().isVerified)
    func cases(_ value: KeyPath<Rule, String>) -> String {
      "CASE m.Z_ENT WHEN 3 THEN \(ofRecipes[keyPath: value]) ELSE \(ofSteps[keyPath: value]) END"
    }
    let wrong = try Program.sqlite3(
      kitchens.kitchen,
      """
      ATTACH '\(before)' AS b; ATTACH '\(other)' AS o;
      SELECT d.Z_PK, d.Z_ENT, d.ZMIMETYPE, d.ZHEIGHT, d.ZWIDTH FROM main.ZIMAGE AS d JOIN b.ZIMAGE AS m USING (Z_PK)
      JOIN o.ZIMAGE AS t USING (Z_PK) WHERE d.ZMIMETYPE IS NOT \(cases(\.type))
      OR d.ZHEIGHT IS NOT \(cases(\.height)) OR d.ZWIDTH IS NOT \(cases(\.width))
      """
    )
    #expect(wrong == "")
    #expect(try Program.sqlite3(kitchens.kitchen, "SELECT count(*) FROM ZIMAGE") == "9")
  }
}
