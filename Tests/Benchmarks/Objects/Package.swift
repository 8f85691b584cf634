// swift-tools-version: 6.2
import PackageDescription

/// decant's objects beside those of GRDB: a package of its own, so that the library depends on neither.
let package = Package(
  name: "ObjectsBenchmark",
  dependencies: [
    .package(name: "decant", path: "../../.."),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    .executableTarget(
      name: "ObjectsBenchmark",
      dependencies: [.product(name: "Decant", package: "decant"), .product(name: "GRDB", package: "GRDB.swift")]
    )
  ]
)
