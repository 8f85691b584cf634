import Foundation
import TestSupport

/// Core Data stores, the project's samples and real ones, of which somebody edited a copy.
extension LawCases {
  /// Without the fixtures only samples, which is said.
  static let stores = samples + (Fixtures.stores.map(fixtures) ?? [])

  /// A copy of `store` with `edit` merged into another one.
  private static func edited(
    _ name: String,
    _ store: URL,
    _ edit: String,
    identity: String,
    policy: String,
    defect: Int,
    known: Set<Law>,
    counts: [String: [String: Int]],
    _ facts: LawCase.Fact...
  ) -> LawCase {
    LawCase(
      name: name,
      schema: "",
      source: edit,
      destination: "",
      store: store,
      options: ["--identity", identity, "--merge", policy],
      facts: facts,
      counts: counts,
      // Nothing declares links, so that only decant could renumber them.
      exempt: [.renumbering, .damage, .editedCopy, .kill],
      known: known,
      defect: defect
    )
  }

  private static let kitchen = Fixtures.projectFolder.appendingPathComponent(
    "samples/Kitchen.sqlite"
  )

  private static let samples = [
    edited(
      "1 an edited recipe of the sample store",
      kitchen,
      "UPDATE ZRECIPE SET ZRATING = 1 WHERE Z_PK = 4",
      identity: "Recipe: uuid",
      policy: "update",
      defect: 1,
      known: [.outcome, .pairs],
      counts: ["Recipe": ["new": 0, "changed": 1], "Step": ["new": 0], "StepImage": ["new": 0]],
      .init(
        """
        SELECT ZTITLE, ZRATING, (SELECT count(*) FROM ZSTEP WHERE ZRECIPE = r.Z_PK),
          (SELECT count(*) FROM ZIMAGE WHERE ZRECIPE = r.Z_PK) FROM ZRECIPE r WHERE Z_PK = 4
        """,
        "'Shakshuka',1.0,3,0"
      ),
      .init("SELECT (SELECT count(*) FROM ZSTEP), (SELECT count(*) FROM ZIMAGE)", "42,9")
    ),
    // Steps whose order is not that of their keys.
    LawCase(
      name: "16 an ordered list that an expression fills",
      schema: "",
      source: "UPDATE ZSTEP SET Z_FOK_RECIPE = 100000 - 7 * Z_PK",
      destination: nil,
      store: kitchen,
      mapping: "entities: { Step: { set: { recipe: \"recipe + 0\" } } }",
      verb: ["copy"],
      options: ["--mapping", "map.yaml"],
      facts: [
        .init(
          "SELECT group_concat(Z_PK) FROM (SELECT Z_PK FROM ZSTEP WHERE ZRECIPE = 1 ORDER BY Z_FOK_RECIPE)",
          "'4,3,2,1'"
        )
      ],
      exempt: [.renumbering],
      known: [.outcome],
      defect: 16
    ),
  ]

  private static func fixtures(_ folder: URL) -> [LawCase] {
    let recipes = folder.appendingPathComponent("apple-recipes/Recipes.sqlite")
    let list = LawCase.Fact(
      """
      SELECT count(*), sum(ZNAME = 'edited') FROM ZINGREDIENT WHERE ZRECIPE =
        (SELECT ZRECIPE FROM ZINGREDIENT WHERE Z_PK = 1)
      """,
      "7,0"
    )
    return [
      edited(
        "1 an edited person of a real store",
        folder.appendingPathComponent("photos-10.15.1/Photos.sqlite"),
        "UPDATE ZPERSON SET ZFULLNAME = 'another' WHERE Z_PK = 3",
        identity: "Person: personUUID",
        policy: "update",
        defect: 1,
        known: [.outcome, .pairs],
        counts: ["Person": ["new": 0, "changed": 1], "DetectedFace": ["new": 0]],
        .init("SELECT ZFULLNAME FROM ZPERSON WHERE Z_PK = 3", "'another'")
      )
    ]
      + ["skip", "update"].map { policy in
        edited(
          "17 an edited ingredient of a real store, \(policy)",
          recipes,
          "UPDATE ZINGREDIENT SET ZNAME = 'edited' WHERE Z_PK = 1",
          identity: "Recipe: name",
          policy: policy,
          defect: 17,
          known: [.outcome, .pairs],
          counts: ["Recipe": ["new": 0], "Ingredient": ["new": 0]],
          policy == "skip" ? list : .init(list.query, "7,1")
        )
      }
  }
}
