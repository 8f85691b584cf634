import Foundation
import TestSupport

/// Core Data stores, the project's samples and real ones, of which somebody edited a copy.
extension LawCases {
  /// Without the fixtures only samples, which is said.
  static let stores = samples + (Fixtures.stores.map(fixtures) ?? [])

  /// A copy of `store` with `edit` merged into another one, under `--identity` and `--merge`.
  private static func edited(
    _ store: URL,
    _ edit: String,
    _ identity: String,
    _ policy: String,
    defect: Int,
    counts: [String: [String: Int]],
    _ facts: LawCase.Fact...
  ) -> LawCase {
    LawCase(
      name: "\(defect) an edited copy of \(store.lastPathComponent), \(policy)",
      schema: "",
      source: edit,
      destination: "",
      store: store,
      options: ["--identity", identity, "--merge", policy],
      facts: facts,
      counts: counts,
      // Nothing declares links, so that only decant could renumber them.
      exempt: [.renumbering, .damage, .editedCopy, .kill],
      defect: defect
    )
  }

  private static let kitchen = Fixtures.projectFolder.appendingPathComponent("samples/Kitchen.sqlite")

  private static let samples = [
    edited(
      kitchen,
      "UPDATE ZRECIPE SET ZRATING = 1 WHERE Z_PK = 4",
      "Recipe: uuid",
      "update",
      defect: 1,
      counts: ["Recipe": ["new": 0, "changed": 1], "Step": ["new": 0], "StepImage": ["new": 0]],
      .init("SELECT ZTITLE, ZRATING FROM ZRECIPE WHERE Z_PK = 4", "'Shakshuka',1.0"),
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
        .init("SELECT Z_PK FROM ZSTEP WHERE ZRECIPE = 1 ORDER BY Z_FOK_RECIPE", "4", "3", "2", "1")
      ],
      exempt: [.renumbering],
      defect: 16
    ),
    // What mine has put into the list stays behind what it stood behind; whatever moves has a revision more.
    LawCase(
      name: "three ways: a list that theirs turned round, with a step that only mine has in it",
      schema: "",
      source: "UPDATE ZSTEP SET Z_FOK_RECIPE = 10000 - Z_FOK_RECIPE WHERE ZRECIPE = 1",
      destination: """
        UPDATE ZSTEP SET ZRECIPE = 1, Z_FOK_RECIPE = 6000 WHERE Z_PK = 10;
        UPDATE ZSTEP SET Z_FOK_RECIPE = 10000 - Z_FOK_RECIPE WHERE ZRECIPE = 2
        """,
      store: kitchen,
      base: "",
      options: ["--merge", "three-way", "--base", "base.db"],
      facts: [
        .init(
          "SELECT Z_PK, Z_OPT FROM ZSTEP WHERE ZRECIPE = 1 ORDER BY Z_FOK_RECIPE",
          "4,2",
          "10,2",
          "3,2",
          "2,2",
          "1,2"
        ),
        .init("SELECT Z_PK FROM ZSTEP WHERE ZRECIPE = 2 ORDER BY Z_FOK_RECIPE", "8", "7", "6", "5"),
      ],
      exempt: [.renumbering, .batches, .pairs, .damage, .editedCopy, .kill]
    ),
  ]

  private static func fixtures(_ folder: URL) -> [LawCase] {
    [
      edited(
        folder.appendingPathComponent("photos-10.15.1/Photos.sqlite"),
        "UPDATE ZPERSON SET ZFULLNAME = 'another' WHERE Z_PK = 3",
        "Person: personUUID",
        "update",
        defect: 1,
        counts: ["Person": ["new": 0, "changed": 1], "DetectedFace": ["new": 0]],
        .init("SELECT ZFULLNAME FROM ZPERSON WHERE Z_PK = 3", "'another'")
      ),
      // In theirs each has the other's key.
      LawCase(
        name: "objects that agree in what their model calls unique are told by all that they hold",
        schema:
          "DROP INDEX Z_Car_UNIQUE_numberPlate; UPDATE ZCAR SET ZNUMBERPLATE = 'same' WHERE Z_PK IN (10, 11)",
        source: """
          CREATE TEMP TABLE both AS SELECT * FROM ZCAR WHERE Z_PK IN (10, 11); UPDATE both SET Z_PK = 21 - Z_PK;
          DELETE FROM ZCAR WHERE Z_PK IN (10, 11); INSERT INTO ZCAR SELECT * FROM both
          """,
        destination: "",
        store: folder.appendingPathComponent("cdp-samplemodel-v1/SampleModel_V1.sqlite"),
        options: ["--no-lineage", "--merge", "update"],
        facts: [
          .init("SELECT Z_PK, ZMODEL FROM ZCAR WHERE ZNUMBERPLATE = 'same' ORDER BY 1", "10,'Panda'", "11,'Tipo'")
        ],
        counts: ["Car": ["new": 0, "same": 115, "changed": 0]],
        exempt: [.renumbering, .damage, .editedCopy, .kill]
      ),
    ]
      + [("skip", "19,0"), ("update", "19,1")].map { policy, row in
        edited(
          folder.appendingPathComponent("apple-recipes/Recipes.sqlite"),
          "UPDATE ZINGREDIENT SET ZNAME = 'edited' WHERE Z_PK = 1",
          "Recipe: name",
          policy,
          defect: 17,
          counts: ["Recipe": ["new": 0], "Ingredient": ["new": 0]],
          .init("SELECT count(*), sum(ZNAME = 'edited') FROM ZINGREDIENT", row)
        )
      }
  }
}
