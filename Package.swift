// swift-tools-version: 6.2
import PackageDescription

/// Every target is built with the same strict settings; the layers of targets below enforce the architecture.
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
    // The C libraries: a module map and a shim each, no logic; libpq, which is loaded when it is needed, is below.
    .systemLibrary(name: "CDecantSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CDecantZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CDecantCompression",
      providers: [.apt(["libzstd-dev", "liblzma-dev", "liblz4-dev", "libisal-dev"])]
    ),
    .systemLibrary(name: "CDecantArchive", providers: [.apt(["libarchive-dev"])]),
    .systemLibrary(name: "CDecantNettle", providers: [.apt(["nettle-dev"])]),
    .systemLibrary(name: "CDecantXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CDecantLinux"),
    // The commit that `decant --version` prints: only this target is recompiled when it changes.
    .target(
      name: "CDecantBuild",
      cSettings: [
        .define("DECANT_COMMIT", to: "\"\(Context.environment["DECANT_COMMIT"] ?? "unknown")\"")
      ]
    ),
    .target(name: "CDecantPostgres"),
    .systemLibrary(name: "CDecantUTF8Proc", providers: [.apt(["libutf8proc-dev"])]),
    .systemLibrary(name: "CDecantXXHash", providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(name: "CDecantYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),

    // Targets that are independent of decant. The first one imports the C library of the platform.
    .target(name: "DecantSystem", swiftSettings: strict),
    .target(name: "DecantSQLite", dependencies: ["DecantSystem", "CDecantSQLite"], swiftSettings: strict),
    .target(
      name: "DecantContainers",
      dependencies: ["DecantSystem", "CDecantArchive", "CDecantCompression", "CDecantZlib"],
      swiftSettings: strict
    ),
    .target(name: "DecantXML", dependencies: ["CDecantXML2"], swiftSettings: strict),
    .target(name: "DecantBase64", swiftSettings: strict),
    .target(name: "DecantYAML", dependencies: ["CDecantYAML"], swiftSettings: strict),
    .target(name: "DecantPropertyList", dependencies: ["DecantBase64", "DecantXML"], swiftSettings: strict),
    .target(name: "DecantJSON", dependencies: ["DecantSystem"], swiftSettings: strict),
    .target(name: "DecantDigests", dependencies: ["CDecantNettle"], swiftSettings: strict),
    .target(name: "DecantPostgres", dependencies: ["DecantSystem", "CDecantPostgres"], swiftSettings: strict),

    // The library, from the bottom up: a target may use only those above it in this list.
    // The basis of all stores, before any is opened: models, errors, reports, files, operations.
    .target(
      name: "DecantBase",
      dependencies: ["DecantSystem", "CDecantLinux", "CDecantXXHash", "DecantJSON", "DecantSQLite"],
      swiftSettings: strict
    ),
    // A store: the layout of its objects, its file and locks, and its replacement.
    .target(
      name: "DecantStore",
      dependencies: ["DecantSystem", "DecantBase", "CDecantXXHash", "DecantJSON", "DecantSQLite"],
      swiftSettings: strict
    ),
    // The plan of a copy, the requirements on a kind of store, queries and inspections.
    .target(
      name: "DecantPlan",
      dependencies: [
        "CDecantXXHash", "DecantSystem", "DecantSQLite", "DecantBase64", "DecantJSON", "DecantBase", "DecantStore",
      ],
      swiftSettings: strict
    ),
    // The comparison of models.
    .target(
      name: "DecantVersions", dependencies: ["DecantSQLite", "DecantBase", "DecantStore", "DecantPlan"],
      swiftSettings: strict),
    // The mapping file, and stores viewed through a mapping.
    .target(
      name: "DecantMapping",
      dependencies: [
        "DecantSystem", "DecantSQLite", "DecantJSON", "DecantYAML", "DecantDigests", "DecantBase", "DecantStore",
        "DecantPlan", "DecantVersions",
      ],
      swiftSettings: strict
    ),
    // The ID table, and the matching of objects.
    .target(
      name: "DecantMatch",
      dependencies: [
        "CDecantXXHash", "DecantSystem", "DecantSQLite", "DecantJSON", "DecantBase", "DecantStore", "DecantPlan",
        "DecantMapping",
      ],
      swiftSettings: strict
    ),
    // The comparison of two stores.
    .target(
      name: "DecantProof", dependencies: ["DecantSQLite", "DecantBase", "DecantStore", "DecantPlan", "DecantMatch"],
      swiftSettings: strict),
    // The outcome for objects that both stores have.
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
    // Examining stores and changing them in place: cleaning, repointing, rollback.
    .target(
      name: "DecantMaintain", dependencies: ["DecantSQLite", "DecantBase", "DecantStore", "DecantPlan", "DecantMatch"],
      swiftSettings: strict),
    // Migration to another version of the model.
    .target(
      name: "DecantMigrate",
      dependencies: [
        "DecantSQLite", "DecantDigests", "DecantBase", "DecantStore", "DecantPlan", "DecantVersions", "DecantMapping",
        "DecantMatch", "DecantMerge", "DecantCopy",
      ],
      swiftSettings: strict
    ),
    // The kinds of stores, and their formats.
    // Core Data's SQLite files.
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
    // The file formats of recipe apps, parsed to recipes.
    .target(
      name: "DecantRecipeFormats",
      dependencies: [
        "DecantSystem", "DecantBase", "DecantBase64", "CDecantUTF8Proc", "DecantDigests",
        "DecantJSON", "DecantSQLite", "DecantXML", "DecantYAML",
      ],
      swiftSettings: strict
    ),
    // The visible layout of pages, for what the structured data of a recipe lacks.
    .target(
      name: "DecantPageLayout", dependencies: ["DecantBase", "DecantRecipeFormats", "DecantXML"], swiftSettings: strict),
    // Objects as HTML pages for readers.
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
    // Recipe files read as a store.
    .target(
      name: "DecantRecipes",
      dependencies: [
        "DecantSystem", "DecantSQLite", "DecantContainers", "DecantXML", "DecantBase64", "DecantJSON", "DecantDigests",
        "DecantBase", "DecantStore", "DecantPlan", "DecantCoreData", "DecantPlain", "DecantRecipeFormats",
        "DecantPageLayout", "DecantPropertyList", "DecantArchive",
      ],
      swiftSettings: strict
    ),
    // The tables, columns and types that a store gets on a PostgreSQL server, as SQL; needs no connection.
    .target(
      name: "DecantServerSchema",
      dependencies: [
        "DecantSystem", "DecantSQLite", "DecantPostgres", "DecantJSON", "DecantBase", "DecantStore", "DecantPlan",
        "DecantPlain",
      ],
      swiftSettings: strict
    ),
    // Stores in a database on a PostgreSQL server.
    .target(
      name: "DecantPostgresStore",
      dependencies: [
        "DecantServerSchema", "DecantSystem", "DecantSQLite", "DecantPostgres", "DecantJSON", "DecantBase",
        "DecantStore", "DecantPlan",
        "DecantMatch", "DecantCopy", "DecantCoreData", "DecantPlain", "DecantArchive",
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
    // The module that an app imports: the public API of the targets above.
    .target(
      name: "Decant",
      dependencies: [
        "DecantBase", "DecantStore", "DecantPlan", "DecantVersions", "DecantMapping", "DecantMatch", "DecantProof",
        "DecantMerge", "DecantCopy", "DecantMaintain", "DecantMigrate", "DecantCoreData", "DecantPlain",
        "DecantRecipeFormats", "DecantPages", "DecantArchive", "DecantRecipes", "DecantTransfer", "DecantObjects",
      ], swiftSettings: strict),

    // Additions for apps that use Foundation; the library itself does not.
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

    // The tests: a folder for most of the targets above, and their common code.
    .systemLibrary(name: "CTestSupport", path: "Tests/CTestSupport"),
    .target(
      name: "TestSupport",
      dependencies: ["CTestSupport", "DecantJSON"],
      path: "Tests/TestSupport",
      exclude: ["Faults/FaultShim.c"],
      swiftSettings: strict
    ),
    // Programs as written by app developers: they can use only the public API.
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
    // The common code of tests on stores, which makes stores and databases.
    .target(
      name: "StoreTestSupport",
      dependencies: ["DecantSQLite", "DecantPropertyList", "Decant", "TestSupport"],
      path: "Tests/StoreTestSupport",
      swiftSettings: strict
    ),
    .testTarget(
      name: "RecipeTests",
      dependencies: [
        "DecantSQLite", "DecantXML", "DecantYAML", "DecantJSON", "DecantBase", "DecantPlan", "DecantRecipeFormats",
        "DecantPages", "DecantRecipes", "DecantTransfer", "Decant", "TestSupport", "StoreTestSupport", "DecantCLI",
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

// Decant only exports the names of other targets, and stays the same file when these change: a target that uses the names
// is compiled again only if it names their targets as well.
if let decant = package.targets.first(where: { $0.name == "Decant" }) {
  func isOn(_ target: Target, _ name: String) -> Bool {
    target.dependencies.contains { if case .byNameItem(name, _) = $0 { true } else { false } }
  }
  for target in package.targets where isOn(target, "Decant") {
    target.dependencies += decant.dependencies.filter { dependency in
      if case .byNameItem(let name, _) = dependency { !isOn(target, name) } else { false }
    }
  }
}

// The modules that Decant re-exports to apps, as a separate product: Tests/api.sh compares the modules of products with
// those of the last tag.
if Context.environment["DECANT_API"] != nil, let decant = package.targets.first(where: { $0.name == "Decant" }) {
  let modules = decant.dependencies.compactMap { dependency in
    if case .byNameItem(let name, _) = dependency { name } else { nil }
  }
  package.products.append(.library(name: "AllModules", targets: modules))
}

// The build of the tests (`make test`). Only targets in which the tests spend their time are optimized: to optimize the
// others would take longer than it saves.
if Context.environment["DECANT_TESTS"] != nil {
  let optimized: Set = [
    "DecantSQLite", "DecantContainers", "DecantXML", "DecantYAML", "DecantBase64", "DecantPropertyList", "DecantJSON",
    "DecantDigests", "DecantBase", "DecantStore", "DecantPlan", "DecantMatch", "DecantPlain", "DecantRecipeFormats",
  ]
  for target in package.targets where target.type != .system && !optimized.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"])]
  }
}

// The fuzzers, built only by Tests/Fuzz/run.sh.
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
