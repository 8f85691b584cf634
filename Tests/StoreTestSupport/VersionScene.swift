package import Decant
internal import Foundation
package import TestSupport

/// A store of the first of some versions of a model, with rows that SQL puts into it.
///
/// The store holds no model and no version hashes: its version shows in its tables.
package struct VersionScene {
  package let folder: TemporaryFolder
  package let store: String
  package let bundle: String

  /// Writes the versions `Pantry`, `Pantry 2` and so on, the last of which is the current one.
  ///
  /// - Parameters:
  ///   - versions: The content of each version, without the element around it.
  ///   - rows: Statements that fill the tables of the first one.
  /// - Throws: Where a file cannot be written, or `sqlite3` refuses the rows.
  package init(_ versions: [String], rows: String = "") throws {
    folder = try TemporaryFolder()
    store = folder.path("Pantry.sqlite")
    bundle = folder.path("Pantry.xcdatamodeld")
    var name = ""
    for (index, content) in versions.enumerated() {
      name = index == 0 ? "Pantry" : "Pantry \(index + 1)"
      let place = "\(bundle)/\(name).xcdatamodel"
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      try Data("<model>\(content)</model>".utf8).write(to: URL(fileURLWithPath: place + "/contents"))
    }
    let current = try PropertyListSerialization.data(
      fromPropertyList: ["_XCCurrentVersionName": name + ".xcdatamodel"],
      format: .xml,
      options: 0
    )
    try current.write(to: URL(fileURLWithPath: bundle + "/.xccurrentversion"))
    try makeStore(ModelLocation(bundle + "#Pantry").read(), rows)
  }

  private func makeStore(_ model: Model, _ rows: String) throws {
    let schema = GeneratedSchema(model)
    let entities = model.entities.map { entity in
      let parent = entity.superentity.flatMap { schema.numbers[$0] } ?? 0
      return
        "INSERT INTO Z_PRIMARYKEY VALUES (\(schema.numbers[entity.name] ?? 0), '\(entity.name)', \(parent), 99)"
    }
    let metadata = "INSERT INTO Z_METADATA VALUES (1, 'C0C0A000-0000-4000-8000-000000000003', NULL)"
    let statements =
      Array(schema.statements("table").values) + Array(schema.statements("index").values)
    _ = try Program.sqlite3(store, (statements + entities + [metadata, rows]).joined(separator: ";\n"))
  }

  /// Checks the store against a version, the current one unless told otherwise; `asFirst` says which it has.
  package func check(against version: String? = nil, asFirst: Bool = false) throws -> CheckReport {
    var check = Check(store, against: bundle + (version.map { "#\($0)" } ?? ""))
    if asFirst { check.model = bundle + "#Pantry" }
    return try check.run()
  }

  /// Counts with the `sqlite3` program.
  package func count(_ sql: String) throws -> Int64? {
    Int64(try Program.sqlite3(store, sql))
  }
}
