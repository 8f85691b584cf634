import Decant
import Foundation
import StoreTestSupport
import TestSupport

extension ErrorSituation {
  /// What has to be said: the remedies name what.
  static let said: [ErrorSituation] = [
    .init(
      "nothing to clean",
      .missingOption,
      64,
      [.setOption(.what, nil)],
      nil
    ) { try Clean($0.path("SyncMetadata.sqlite"), of: []).run() },
    .init(
      "a rule of a share that begins nowhere",
      .missingOption,
      64,
      [.setOption(.root, nil)],
      ["copy", "Kitchen.sqlite", "out.sqlite", "--rule", "Recipe.tags=follow"]
    ) {
      try $0.copy("Kitchen.sqlite", "out.sqlite") { (options: inout CopyOptions) in
        options.rules = [FollowRule("Recipe.tags", .follow)]
      }
    },
    .init(
      "a merge of three without what both had",
      .missingOption,
      64,
      [.setOption(.base, nil)],
      ["merge", "Guests.sqlite", "Kitchen.sqlite", "--merge", "three-way"]
    ) {
      try Merge([$0.path("Guests.sqlite")], into: $0.path("Kitchen.sqlite"), rules: MergeRules(.threeWay)).run()
    },
    .init(
      "references that are to lead nowhere",
      .missingOption,
      64,
      [.setOption(.ids, nil), .setOption(.store, nil)],
      ["repoint", "Kitchen.sqlite", "--at", "Recipe.author"]
    ) {
      try Repoint($0.path("Kitchen.sqlite"), at: [ReferencePlace(Property("Recipe", "author"))])
        .run()
    },
    .init(
      "one recipe file for all recipes",
      .unsuitableOption,
      64,
      [.setOption(.where, nil)],
      ["export", "Recipes.sqlite", "all.melarecipe"],
      prepare: { scene in
        let text = Data(
          #"[{"name": "Soup", "recipeIngredient": ["1 carrot"], "@type": "Recipe"}, {"name": "Stew", "@type": "Recipe"}]"#
            .utf8
        )
        try text.write(to: URL(filePath: scene.path("two.json")))
        try Import([scene.path("two.json")], into: scene.path("Recipes.sqlite")).run()
      }
    ) { try Export(from: $0.path("Recipes.sqlite"), to: $0.path("all.melarecipe")).run() },
  ]

  static let versions: [ErrorSituation] = [
    .init("a store that another run is making", .otherRun, 11, [.runAgain], nil) { scene in
      var found: DecantError?
      try scene.copy(
        "Kitchen.sqlite",
        "out.sqlite",
        afterThree: { _ in
          do {
            try scene.copy("Kitchen.sqlite", "out.sqlite")
          } catch let error as DecantError {
            found = error
          }
        }
      )
      if let found { throw found }
    },
    .init(
      "a store of a later version",
      .storeIsNewer,
      12,
      [.nameModel],
      nil,
      prepare: { scene in
        let title = #"<attribute name="title" optional="YES" attributeType="String"/>"#
        let rating = #"<attribute name="rating" optional="YES" attributeType="Integer 16"/>"#
        let versions = try VersionScene([
          "<entity name=\"Recipe\">\(title)</entity>",
          "<entity name=\"Recipe\">\(title)\(rating)</entity>",
        ])
        scene.versions = versions
        var migration = Migrate([versions.store], to: versions.bundle)
        migration.isUnversioned = true
        try migration.run()
      }
    ) { scene in
      guard let versions = scene.versions else { return }
      try Migrate([versions.store], to: versions.bundle + "#Pantry").run()
    },
    .init(
      "a store that may be of either version",
      .versionUnclear,
      12,
      {
        let bundle = $0.versions?.bundle ?? ""
        return [
          .nameModel, .setOption(.model, bundle + "#Pantry"),
          .setOption(.model, bundle + "#Pantry 2"),
        ]
      },
      nil,
      prepare: { scene in
        func box(_ names: (String, String)) -> String {
          let attributes = [names, (names.1, names.0)].map { own, earlier in
            "<attribute name=\"\(own)\" optional=\"YES\" attributeType=\"String\" elementID=\"\(earlier)\"/>"
          }
          return "<entity name=\"Box\">\(attributes.joined())</entity>"
        }
        let plain = ["left", "right"].map {
          "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>"
        }
        scene.versions = try VersionScene(
          ["<entity name=\"Box\">\(plain.joined())</entity>", box(("left", "right"))],
          rows: "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZLEFT, ZRIGHT) VALUES (1, 1, 1, 'L', 'R')"
        )
      }
    ) { scene in
      guard let versions = scene.versions else { return }
      var migration = Migrate([versions.store], to: versions.bundle)
      migration.isUnversioned = true
      try migration.run()
    },
  ]

  /// Archives and recipe files.
  static let archives: [ErrorSituation] = [
    .init(
      "an archive that is cut off",
      .damaged,
      13,
      [.restoreBackup(nil), .setOption(.salvage, nil)],
      ["import", "cut.decant", "out.sqlite"],
      prepare: { scene in
        try Export(from: scene.path("Kitchen.sqlite"), to: scene.path("cut.decant")).run()
        let file = try FileHandle(forWritingTo: URL(filePath: scene.path("cut.decant")))
        try file.truncate(atOffset: 9_000)
      }
    ) { try Import([$0.path("cut.decant")], into: $0.path("out.sqlite")).run() },
    .init(
      "an archive that unpacks to more than is allowed",
      .unpackLimitExceeded,
      13,
      [.setOption(.maxBytes, nil)],
      ["import", "Kitchen.decant.gz", "out.sqlite", "--max-bytes", "1000"],
      prepare: {
        try Export(from: $0.path("Kitchen.sqlite"), to: $0.path("Kitchen.decant.gz")).run()
      }
    ) {
      var work = Import([$0.path("Kitchen.decant.gz")], into: $0.path("out.sqlite"))
      work.limits.totalByteCount = 1000
      try work.run()
    },
    .init(
      "an archive that is not there",
      .storeNotFound,
      10,
      [.chooseAnotherPlace],
      ["import", "none.decant", "out.sqlite"]
    ) { try Import([$0.path("none.decant")], into: $0.path("out.sqlite")).run() },
    .init(
      "a file that is neither archive nor recipe",
      .notAStore,
      13,
      [.chooseAnotherPlace],
      ["import", "noise.bin", "out.sqlite"],
      prepare: {
        let noise = Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 3) })
        try noise.write(to: URL(filePath: $0.path("noise.bin")))
      }
    ) { try Import([$0.path("noise.bin")], into: $0.path("out.sqlite")).run() },
    .init(
      "a recipe file of a store that has another model",
      .modelsDiffer,
      12,
      [.nameModel, .giveMapping],
      ["export", "Kitchen.sqlite", "all.paprikarecipes"]
    ) { try Export(from: $0.path("Kitchen.sqlite"), to: $0.path("all.paprikarecipes")).run() },
  ]
}
