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
    .library(name: "Decant", targets: ["Decant", "DecantStores"]),
    .library(name: "DecantFoundation", targets: ["DecantFoundation"]),
    .executable(name: "decant", targets: ["DecantCLI"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    // The C libraries: a module map and a shim each, no logic.
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CCompression",
      providers: [.apt(["libzstd-dev", "liblzma-dev", "liblz4-dev", "libisal-dev"])]
    ),
    .systemLibrary(name: "CNettle", providers: [.apt(["nettle-dev"])]),
    .systemLibrary(name: "CXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CUTF8Proc", providers: [.apt(["libutf8proc-dev"])]),
    .systemLibrary(name: "CXXHash", providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),

    // What knows nothing of decant.
    .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),
    .target(name: "Containers", dependencies: ["CCompression", "CZlib"], swiftSettings: strict),
    .target(name: "XML", dependencies: ["CXML2"], swiftSettings: strict),
    .target(name: "Base64", swiftSettings: strict),
    .target(name: "PropertyList", dependencies: ["Base64", "XML"], swiftSettings: strict),
    .target(name: "JSON", swiftSettings: strict),
    .target(name: "Digests", dependencies: ["CNettle"], swiftSettings: strict),

    // The library: what a copy is, and the kinds of stores it works on.
    .target(
      name: "Decant",
      dependencies: ["SQLite", "JSON", "CLinux", "CXXHash", "CYAML", "Digests"],
      swiftSettings: strict
    ),
    .target(
      name: "DecantStores",
      dependencies: [
        "Decant", "SQLite", "Base64", "Containers", "CUTF8Proc", "Digests", "JSON", "PropertyList",
        "XML",
      ],
      swiftSettings: strict
    ),

    // What apps with Foundation have in addition: the library itself does without.
    .target(
      name: "DecantFoundation",
      dependencies: ["Decant", "DecantStores"],
      swiftSettings: strict
    ),

    // The programs.
    .executableTarget(
      name: "DecantCLI",
      dependencies: [
        "Base64", "Decant", "DecantStores", "JSON",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "SampleKitchen",
      dependencies: ["Base64", "SQLite", "Containers", "Digests", "PropertyList"],
      swiftSettings: strict
    ),

    // The tests: a folder for each of the above, and what they share.
    .target(
      name: "TestSupport",
      dependencies: ["JSON"],
      path: "Tests/TestSupport",
      exclude: ["Faults/FaultShim.c"],
      swiftSettings: strict
    ),
    // Programs as developers of apps write them: they see what is public, and nothing else.
    .executableTarget(
      name: "RecipeApp",
      dependencies: ["Decant", "DecantStores"],
      path: "Tests/Apps/RecipeApp",
      packageAccess: false,
      swiftSettings: strict
    ),
    .target(
      name: "Examples",
      dependencies: ["Decant", "DecantStores"],
      path: "Tests/Apps/Examples",
      packageAccess: false,
      swiftSettings: strict
    ),
    .testTarget(
      name: "SQLiteTests",
      dependencies: ["SQLite", "TestSupport"],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "PackStream",
      dependencies: ["Containers"],
      path: "Tests/PackStream",
      swiftSettings: strict
    ),
    .testTarget(
      name: "ContainersTests",
      dependencies: ["Containers", "PackStream", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "PropertyListTests",
      dependencies: ["PropertyList", "XML", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "DigestsTests",
      dependencies: ["Digests", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "Base64Tests",
      dependencies: ["Base64", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: strict),
    .testTarget(
      name: "DecantTests",
      dependencies: ["Decant", "SQLite", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "DecantStoresTests",
      dependencies: [
        "Decant", "DecantCLI", "DecantStores", "RecipeApp", "SQLite", "PropertyList", "XML",
        "TestSupport",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "DecantFoundationTests",
      dependencies: ["Decant", "DecantFoundation", "DecantStores", "TestSupport"],
      packageAccess: false,
      swiftSettings: strict
    ),
    .testTarget(
      name: "SampleKitchenTests",
      dependencies: ["SampleKitchen", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "CrashTests",
      dependencies: ["DecantCLI", "TestSupport"],
      exclude: ["Programs"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "FaultTests",
      dependencies: ["DecantCLI", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "CLITests",
      dependencies: [
        "TestSupport", "Decant", "DecantCLI", "DecantStores", "Examples",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["Golden"],
      swiftSettings: strict
    ),
  ]
)

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
    fuzzer("FuzzContainers", of: ["Containers"]),
    fuzzer("FuzzArchives", of: ["Decant", "DecantStores"]),
    fuzzer("FuzzShared", of: ["Decant", "DecantStores"]),
    fuzzer("FuzzRecipes", of: ["Decant", "DecantStores", "JSON", "XML"]),
    fuzzer("FuzzRecipeFiles", of: ["Containers", "Decant", "DecantStores", "SQLite"]),
  ]
}
