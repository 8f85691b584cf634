import Decant
import Foundation
import TestSupport
import Testing

/// Real stores against copies of themselves.
@Suite(.enabled(if: Fixtures.areAvailable)) struct FixtureDiffTests {
  @Test(arguments: GroundTruth.names(from: 0))
  func `a copy does not differ, and one changed value is named`(name: String) throws {
    let folder = try TemporaryFolder()
    let expected = try GroundTruth(of: name)
    let source = try Fixtures.copyStore(expected.file, into: folder.url).path
    let out = folder.path("copy.sqlite")
    var options = CopyOptions()
    options.model = expected.model
    _ = try Copy(from: source, to: out, options: options).run()
    var diff = Diff(source, out)
    diff.model = expected.model
    let report = try diff.run()
    #expect(report.isEqual, "\(report.differences)")
    for (entity, count) in expected.counts where count > 0 {
      #expect(report.entities.first { $0.name == entity }?.same == Int64(count), "\(entity)")
    }
    var same = Diff(source, source)
    same.model = expected.model
    #expect(try same.run().isEqual)

    guard let place = try Self.text(in: out) else { return }
    // Triggers would call functions that only Core Data and decant have.
    let change = try Program.run([
      "sqlite3", "-batch", out, "-cmd", ".dbconfig enable_trigger off",
      "UPDATE \(place.table) SET \(place.column) = \(place.column) || '~' WHERE Z_PK = \(place.key)",
    ])
    #expect(change.status == 0, "\(change.errors)")
    let changed = try diff.run()
    #expect(changed.entities.map(\.changed).reduce(0, +) == 1)
    #expect(changed.differences.map(\.keysInA) == [[place.key]])
    let properties = changed.differences.flatMap(\.changes).map { "Z" + $0.property.uppercased() }
    #expect(properties.count == 1 && properties.allSatisfy { place.column.hasPrefix($0) })
  }

  /// A text of some object, as the `sqlite3` program finds it.
  private static func text(in path: String) throws -> (table: String, column: String, key: Int64)? {
    let columns = try Program.sqlite3(
      path,
      """
      SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c
      WHERE m.type = 'table' AND m.name GLOB 'Z[A-Y]*' AND c.type = 'VARCHAR' AND c.name GLOB 'Z[A-Z]*'
      AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE name = 'Z_ENT') ORDER BY 1, 2
      """
    )
    for line in columns.split(separator: "\n") {
      let parts = line.split(separator: "|").map(String.init)
      let key = try Program.sqlite3(path, "SELECT max(Z_PK) FROM \(parts[0]) WHERE typeof(\(parts[1])) = 'text'")
      if let key = Int64(key) { return (parts[0], parts[1], key) }
    }
    return nil
  }
}
