import Foundation
import DecantSQLite
import TestSupport
import Testing

@testable import DecantBase
@testable import DecantStore

@Suite struct StructureCheckTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes two tables of many pages, and takes the root page of `one` all it leads to.
  private func damagedDatabase() throws -> String {
    let path = folder.path("damaged.sqlite")
    _ = try Program.sqlite3(
      path,
      """
      CREATE TABLE one (id INTEGER PRIMARY KEY, x); CREATE TABLE two (id INTEGER PRIMARY KEY, x);
      INSERT INTO one WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
        SELECT i, zeroblob(1000) FROM n;
      INSERT INTO two SELECT * FROM one
      """
    )
    let root = try Program.sqlite3(path, "SELECT rootpage FROM sqlite_schema WHERE name = 'one'")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let start = ((Int(root) ?? 0) - 1) * 4096
    #expect(bytes[start] == 5)
    (bytes[start + 3], bytes[start + 4]) = (0, 0)
    try bytes.write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func `of a large database only what is read is checked, of a small one all`() throws {
    let connection = try Connection(damagedDatabase(), mode: .readOnly)
    let check = StructureCheck(of: "main", on: connection)
    try check.run(on: ["two"], place: "here", smallByteCount: 0)
    try check.run(on: [], place: "here", smallByteCount: 0)
    for (tables, byteCount) in [(["two", "one"], 0), (["two"], StructureCheck.smallByteCount)] {
      let error = #expect(throws: DecantError.self) {
        try check.run(on: tables, place: "here", smallByteCount: byteCount)
      }
      #expect(error?.family == .corruptStore)
      #expect(error?.message.hasPrefix("“here” is damaged: ") == true)
    }
  }
}
