package import Decant
package import Foundation
package import TestSupport

/// The sample stores in a folder of a test's own, and how to read them without decant.
package struct Kitchens {
  package let folder: TemporaryFolder
  package var kitchen: String { folder.path("Kitchen.sqlite") }
  package var guests: String { folder.path("Guests.sqlite") }
  package var syncMetadata: String { folder.path("SyncMetadata.sqlite") }
  package var out: String { folder.path("out.sqlite") }

  package init() throws { try self.init(TemporaryFolder()) }

  package init(_ folder: TemporaryFolder) throws {
    self.folder = folder
    for name in ["Kitchen", "Guests", "SyncMetadata"] {
      let sample = Fixtures.projectFolder.appendingPathComponent("samples/\(name).sqlite")
      try FileManager.default.copyItem(atPath: sample.path, toPath: folder.path("\(name).sqlite"))
    }
  }

  /// The tables of the sample model, as `CREATE TABLE` shows them.
  package static let tables = ["ZCATEGORY", "ZIMAGE", "ZINGREDIENT", "ZRECIPE", "ZSTEP", "ZTAG"]

  /// Reads a store of the sample model with the `sqlite3` program.
  package static func content(of path: String) throws -> StoreContent {
    try StoreContent(
      path,
      tables: tables,
      links: [
        .init("ZIMAGE", "ZCOVEROF", "ZRECIPE"), .init("ZIMAGE", "ZRECIPE", "ZRECIPE"),
        .init("ZIMAGE", "ZSTEP", "ZSTEP"), .init("ZINGREDIENT", "ZRECIPE", "ZRECIPE"),
        .init("ZRECIPE", "ZCATEGORY", "ZCATEGORY"), .init("ZRECIPE", "ZCOVER", "ZIMAGE"),
        .init("ZRECIPE", "ZVARIANTOF", "ZRECIPE"), .init("ZSTEP", "ZRECIPE", "ZRECIPE"),
      ],
      joins: [.init("Z_6TAGS", ("Z_6RECIPES", "ZRECIPE"), ("Z_8TAGS", "ZTAG"))]
    )
  }

  /// Every row of every table, in key order: what two runs of one copy must agree in.
  package static func rows(of path: String) throws -> [String] {
    try (tables + ["Z_6TAGS", "Z_PRIMARYKEY"]).map { table in
      try Program.sqlite3(path, "SELECT * FROM \(table) ORDER BY 1, 2", isQuoted: true)
    }
  }

  /// What the file at `path` holds, or `nil` where there is none.
  package static func bytes(of path: String) -> Data? {
    FileManager.default.contents(atPath: path)
  }

  /// Copies and returns the report.
  @discardableResult
  package func copy(
    _ source: String,
    to destination: String,
    _ configure: (inout CopyOptions) -> Void = { _ in }
  ) throws -> CopyReport {
    var options = CopyOptions()
    configure(&options)
    return try Copy(from: source, to: destination, options: options).run()
  }

  /// Copies everything into a new store, by pages or row by row.
  @discardableResult
  package func copy(_ source: String, to destination: String, rowByRow: Bool) throws -> CopyReport {
    try copy(source, to: destination) {
      if rowByRow { $0.filters = [.everything] }
    }
  }

  /// Takes CloudKit's mirror out of the store with sync metadata, because of which adding is refused.
  package func dropMirror() throws {
    let tables = Kitchens.syncTables["cloudkit"] ?? []
    let drops = tables.map { "DROP TABLE \($0);" }.joined()
    _ = try Program.sqlite3(syncMetadata, drops + "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT >= 17000")
  }
}

extension CopyOptions.Filter {
  /// A condition that every object meets: it makes the copy go row by row.
  package static let everything = CopyOptions.Filter(entity: "Recipe", expression: "1")
}

extension Kitchens {
  /// The tables of sync metadata, by the word that names their kind.
  package static let syncTables = [
    "icloud": [],
    "cloudkit": [
      "ANSCKDATABASEMETADATA", "ANSCKEVENT", "ANSCKMETADATAENTRY", "ANSCKRECORDMETADATA",
      "ANSCKRECORDZONEMETADATA",
    ],
    "history": ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"],
  ]
}
