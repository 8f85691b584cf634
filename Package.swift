// swift-tools-version: 6.2
import PackageDescription

/// Every target is built with the same strictness; the layers below are what keeps the design true.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "decant",
  products: [
    .library(name: "Decant", targets: ["Decant"]),
    .library(name: "DecantFoundation", targets: ["DecantFoundation"]),
    .executable(name: "decant", targets: ["DecantCLI"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    // The C libraries: a module map and a shim each, no logic.
    .systemLibrary(name: "CDecantSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CDecantZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CDecantCompression",
      providers: [.apt(["libzstd-dev", "liblzma-dev", "liblz4-dev", "libisal-dev"])]
    ),
    .systemLibrary(name: "CDecantArchive", providers: [.apt(["libarchive-dev"])]),
    .systemLibrary(name: "CDecantNettle", providers: [.apt(["nettle-dev"])]),
    .systemLibrary(name: "CDecantXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CDecantPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CDecantLinux"),
    // The commit that make builds, which `decant --version` tells: a change of it compiles this target alone.
    .target(
      name: "CDecantBuild",
      cSettings: [
        .define("DECANT_COMMIT", to: "\"\(Context.environment["DECANT_COMMIT"] ?? "unknown")\"")
      ]
    ),
    .systemLibrary(name: "CDecantUTF8Proc", providers: [.apt(["libutf8proc-dev"])]),
    .systemLibrary(name: "CDecantXXHash", providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(name: "CDecantYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),

    // What knows nothing of decant. The first is the C library of the platform, in one file.
    .target(name: "DecantSystem", swiftSettings: strict),
    .target(name: "DecantSQLite", dependencies: ["DecantSystem", "CDecantSQLite"], swiftSettings: strict),
    .target(
      name: "DecantContainers",
      dependencies: ["DecantSystem", "CDecantArchive", "CDecantCompression", "CDecantZlib"],
      swiftSettings: strict
    ),
    .target(name: "DecantXML", dependencies: ["CDecantXML2"], swiftSettings: strict),
    .target(name: "DecantBase64", swiftSettings: strict),
    .target(name: "DecantPropertyList", dependencies: ["DecantBase64", "DecantXML"], swiftSettings: strict),
    .target(name: "DecantJSON", dependencies: ["DecantSystem"], swiftSettings: strict),
    .target(name: "DecantDigests", dependencies: ["CDecantNettle"], swiftSettings: strict),
    .target(name: "DecantPostgres", dependencies: ["DecantSystem", "CDecantPostgres"], swiftSettings: strict),

    // The library, from the bottom up: a target uses those above it in this list, and none below.
    // What stores have in common that nobody has opened yet: models, errors, reports, files, operations.
    .target(
      name: "DecantBase",
      dependencies: ["DecantSystem", "CDecantLinux", "CDecantXXHash", "DecantJSON", "DecantSQLite"],
      swiftSettings: strict
    ),
    // A store: where its objects lie, its file, locks, what is published in its place.
    .target(
      name: "DecantStore",
      dependencies: ["DecantSystem", "DecantBase", "CDecantXXHash", "DecantSQLite"],
      swiftSettings: strict
    ),
    // What a copy will do; what a kind of store has to offer; queries and inspections.
    .target(
      name: "DecantPlan",
      dependencies: [
        "CDecantXXHash", "DecantSystem", "DecantSQLite", "DecantBase64", "DecantJSON", "DecantBase", "DecantStore",
      ],
      swiftSettings: strict
    ),
    // Models compared.
    .target(
      name: "DecantVersions", dependencies: ["DecantSQLite", "DecantBase", "DecantStore", "DecantPlan"],
      swiftSettings: strict),
    // The mapping file, and a store as it shows it.
    .target(
      name: "DecantMapping",
      dependencies: [
        "CDecantYAML", "DecantSystem", "DecantSQLite", "DecantJSON", "DecantDigests", "DecantBase", "DecantStore",
        "DecantPlan", "DecantVersions",
      ],
      swiftSettings: strict
    ),
    // The ID table, and who is who.
    .target(
      name: "DecantMatch",
      dependencies: [
        "CDecantXXHash", "DecantSystem", "DecantSQLite", "DecantBase", "DecantStore", "DecantPlan", "DecantMapping",
      ],
      swiftSettings: strict
    ),
    // Two stores compared.
    .target(
      name: "DecantProof", dependencies: ["DecantSQLite", "DecantBase", "DecantStore", "DecantPlan", "DecantMatch"],
      swiftSettings: strict),
    // What becomes of objects that both stores have.
    .target(
      name: "DecantMerge",
      dependencies: [
        "DecantSystem", "DecantSQLite", "DecantJSON", "DecantDigests", "DecantBase", "DecantStore", "DecantPlan",
        "DecantMatch", "DecantProof",
      ],
      swiftSettings: strict
    ),
    // The copy.
    .target(
      name: "DecantCopy",
      dependencies: [
        "DecantSQLite", "DecantJSON", "DecantBase", "DecantStore", "DecantPlan", "DecantMapping", "DecantMatch",
        "DecantProof", "DecantMerge",
      ], swiftSettings: strict),
    // Stores examined and changed where they lie: cleaned, re-pointed, put back.
    .target(
      name: "DecantMaintain", dependencies: ["DecantSQLite", "DecantBase", "DecantStore", "DecantPlan", "DecantMatch"],
      swiftSettings: strict),
    // A store brought to another version of its model.
    .target(
      name: "DecantMigrate",
      dependencies: [
        "DecantSQLite", "DecantDigests", "DecantBase", "DecantStore", "DecantPlan", "DecantVersions", "DecantMapping",
        "DecantMatch", "DecantMerge", "DecantCopy",
      ],
      swiftSettings: strict
    ),
    // Kinds of stores, and what they are made of.
    // The SQLite files of Core Data.
    .target(
      name: "DecantCoreData",
      dependencies: [
        "DecantSQLite", "DecantContainers", "DecantXML", "DecantBase64", "DecantPropertyList", "DecantDigests",
        "DecantBase", "DecantStore", "DecantPlan", "DecantVersions",
      ],
      swiftSettings: strict
    ),
    // Any other SQLite database.
    .target(
      name: "DecantPlain", dependencies: ["DecantSQLite", "DecantBase", "DecantStore", "DecantPlan", "DecantCoreData"],
      swiftSettings: strict),
    // The formats in which recipe apps write: text in, recipe out.
    .target(
      name: "DecantRecipeFormats",
      dependencies: [
        "DecantSystem", "DecantBase", "DecantBase64", "CDecantUTF8Proc", "DecantDigests",
        "DecantJSON", "DecantSQLite", "DecantXML",
      ],
      swiftSettings: strict
    ),
    // Pages as their readers see them: what the structured data of a recipe lack.
    .target(name: "DecantPageLayout", dependencies: ["DecantRecipeFormats"], swiftSettings: strict),
    // Objects as pages to read.
    .target(
      name: "DecantPages",
      dependencies: [
        "DecantSystem", "DecantSQLite", "DecantBase64", "DecantBase", "DecantStore", "DecantPlan", "DecantMatch",
        "DecantProof", "DecantRecipeFormats",
      ],
      swiftSettings: strict
    ),
    // Archives: a store as lines of JSON.
    .target(
      name: "DecantArchive",
      dependencies: [
        "DecantSystem", "DecantSQLite", "DecantContainers", "DecantBase64", "DecantJSON", "DecantDigests", "DecantBase",
        "DecantStore", "DecantPlan", "DecantMapping", "DecantCoreData", "DecantPlain",
      ],
      swiftSettings: strict
    ),
    // Files of recipes as a store.
    .target(
      name: "DecantRecipes",
      dependencies: [
        "DecantSystem", "DecantSQLite", "DecantContainers", "DecantXML", "DecantBase64", "DecantJSON", "DecantDigests",
        "DecantBase", "DecantStore", "DecantPlan", "DecantCoreData", "DecantPlain", "DecantRecipeFormats",
        "DecantPageLayout", "DecantPropertyList", "DecantArchive",
      ],
      swiftSettings: strict
    ),
    // Stores in a database on a PostgreSQL server.
    .target(
      name: "DecantPostgresStore",
      dependencies: [
        "DecantSystem", "DecantSQLite", "DecantPostgres", "DecantJSON", "DecantBase", "DecantStore", "DecantPlan",
        "DecantCopy", "DecantCoreData", "DecantPlain", "DecantArchive",
      ],
      swiftSettings: strict
    ),
    // Export and import, and the list of all kinds of stores.
    .target(
      name: "DecantTransfer",
      dependencies: [
        "DecantSystem", "DecantSQLite", "DecantContainers", "DecantJSON", "DecantBase", "DecantStore", "DecantPlan",
        "DecantVersions", "DecantMapping", "DecantMatch", "DecantProof", "DecantCopy", "DecantMaintain",
        "DecantMigrate", "DecantCoreData", "DecantPlain", "DecantRecipeFormats", "DecantPages", "DecantArchive",
        "DecantRecipes", "DecantPostgresStore",
      ],
      swiftSettings: strict
    ),
    // An open store: its objects, typed or by name.
    .target(
      name: "DecantObjects",
      dependencies: [
        "DecantSystem", "DecantSQLite", "DecantBase", "DecantStore", "DecantPlan", "DecantRecipeFormats",
        "DecantPages", "DecantRecipes", "DecantTransfer",
      ],
      swiftSettings: strict
    ),
    // What an app imports: the public names of the above.
    .target(
      name: "Decant",
      dependencies: [
        "DecantBase", "DecantStore", "DecantPlan", "DecantVersions", "DecantMapping", "DecantMatch", "DecantProof",
        "DecantMerge", "DecantCopy", "DecantMaintain", "DecantMigrate", "DecantCoreData", "DecantPlain",
        "DecantRecipeFormats", "DecantPages", "DecantArchive", "DecantRecipes", "DecantTransfer", "DecantObjects",
      ], swiftSettings: strict),

    // What apps with Foundation have in addition: the library itself does without.
    .target(name: "DecantFoundation", dependencies: ["Decant"], swiftSettings: strict),

    // The programs.
    .executableTarget(
      name: "DecantCLI",
      dependencies: [
        "CDecantBuild", "DecantSystem", "DecantSQLite", "DecantBase64", "DecantJSON", "DecantBase", "DecantStore",
        "DecantPlan", "DecantVersions",
        "DecantMapping", "DecantMatch", "DecantProof", "DecantCopy", "DecantMaintain", "DecantMigrate", "DecantPages",
        "DecantArchive", "DecantRecipes", "DecantTransfer", "DecantObjects", "Decant",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "SampleKitchen",
      dependencies: [
        "DecantSystem", "DecantBase64", "DecantSQLite", "DecantContainers", "DecantDigests", "DecantPropertyList",
      ],
      swiftSettings: strict
    ),

    // The tests: a folder for each of the above, and what they share.
    .target(
      name: "TestSupport",
      dependencies: ["DecantJSON"],
      path: "Tests/TestSupport",
      exclude: ["Faults/FaultShim.c"],
      swiftSettings: strict
    ),
    // Programs as developers of apps write them: they see what is public, and nothing else.
    .executableTarget(
      name: "RecipeApp",
      dependencies: ["Decant", "Examples"],
      path: "Tests/Apps/RecipeApp",
      packageAccess: false,
      swiftSettings: strict
    ),
    .target(
      name: "Examples",
      dependencies: ["Decant"],
      path: "Tests/Apps/Examples",
      packageAccess: false,
      swiftSettings: strict
    ),
    .testTarget(name: "SQLiteTests", dependencies: ["DecantSQLite", "TestSupport"], swiftSettings: strict),
    .executableTarget(
      name: "PackStream",
      dependencies: ["DecantContainers"],
      path: "Tests/PackStream",
      swiftSettings: strict
    ),
    .testTarget(
      name: "ContainersTests",
      dependencies: ["DecantContainers", "PackStream", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "PropertyListTests",
      dependencies: ["DecantPropertyList", "DecantXML", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(name: "DigestsTests", dependencies: ["DecantDigests", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "Base64Tests", dependencies: ["DecantBase64", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "JSONTests", dependencies: ["DecantJSON"], swiftSettings: strict),
    .testTarget(
      name: "DecantTests",
      dependencies: [
        "DecantSQLite", "DecantBase", "DecantStore", "DecantPlan", "DecantVersions", "DecantMapping", "DecantMatch",
        "DecantProof", "DecantMerge", "DecantCopy", "DecantMigrate", "Decant", "TestSupport",
      ], swiftSettings: strict),
    // What tests of stores share: stores and databases made for them.
    .target(
      name: "StoreTestSupport",
      dependencies: ["DecantSQLite", "DecantPropertyList", "Decant", "TestSupport"],
      path: "Tests/StoreTestSupport",
      swiftSettings: strict
    ),
    .testTarget(
      name: "RecipeTests",
      dependencies: [
        "DecantSQLite", "DecantXML", "DecantJSON", "DecantPlan", "DecantRecipeFormats", "DecantPages", "DecantRecipes",
        "DecantTransfer", "Decant", "TestSupport", "StoreTestSupport", "DecantCLI",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "PlainTests",
      dependencies: [
        "DecantSQLite", "DecantStore", "DecantPlain", "Decant", "TestSupport", "StoreTestSupport", "DecantCLI",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "MergeTests",
      dependencies: ["DecantSQLite", "Decant", "TestSupport", "StoreTestSupport", "DecantCLI"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "CoreDataTests",
      dependencies: [
        "DecantContainers", "DecantPropertyList", "DecantCoreData", "Decant", "TestSupport", "StoreTestSupport",
        "DecantCLI",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "CopyTests",
      dependencies: [
        "DecantSQLite", "DecantPropertyList", "DecantCoreData", "Decant", "TestSupport", "StoreTestSupport",
        "DecantCLI", "RecipeApp",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "PostgresTests",
      dependencies: [
        "DecantSQLite", "DecantPostgres", "DecantPostgresStore", "Decant", "TestSupport", "StoreTestSupport",
        "DecantCLI",
      ],
      exclude: ["Failures/proxy.py"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ObjectsTests",
      dependencies: ["Decant", "Examples", "TestSupport", "StoreTestSupport", "DecantCLI"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "DecantFoundationTests",
      dependencies: ["Decant", "DecantFoundation", "TestSupport"],
      packageAccess: false,
      swiftSettings: strict
    ),
    .testTarget(name: "SampleKitchenTests", dependencies: ["SampleKitchen", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "CrashTests",
      dependencies: ["DecantCLI", "TestSupport"],
      exclude: ["Programs"],
      swiftSettings: strict
    ),
    .testTarget(name: "FaultTests", dependencies: ["DecantCLI", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "CLITests",
      dependencies: [
        "TestSupport", "Decant", "DecantCLI", "Examples",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["Golden"],
      swiftSettings: strict
    ),
  ]
)

// What Decant hands on to apps, as a product of its own: Tests/api.sh compares its modules with those of the last tag, and
// sees no others.
if Context.environment["DECANT_API"] != nil, let decant = package.targets.first(where: { $0.name == "Decant" }) {
  let modules = decant.dependencies.compactMap { dependency in
    if case .byNameItem(let name, _) = dependency { name } else { nil }
  }
  package.products.append(.library(name: "AllModules", targets: modules))
}

// The fuzzers: Tests/Fuzz/run.sh builds them, and nothing else does.
if Context.environment["DECANT_FUZZ"] != nil {
  func fuzzer(_ name: String, of targets: [Target.Dependency]) -> Target {
    .executableTarget(
      name: name,
      dependencies: ["CFuzzer"] + targets,
      path: "Tests/Fuzz/\(name)",
      swiftSettings: strict
    )
  }
  package.targets += [
    .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
    fuzzer("FuzzContainers", of: ["DecantContainers"]),
    fuzzer("FuzzArchives", of: ["Decant"]),
    fuzzer("FuzzShared", of: ["Decant"]),
    fuzzer(
      "FuzzRecipes",
      of: ["DecantBase", "DecantJSON", "DecantPageLayout", "DecantRecipeFormats", "DecantRecipes", "DecantXML"]),
    fuzzer("FuzzRecipeFiles", of: ["DecantBase", "DecantContainers", "DecantPlan", "DecantRecipes", "DecantSQLite"]),
  ]
}
