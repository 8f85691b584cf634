import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// A source that SQLite reads without an error, though rows are missing from it: the second thread finds that in time.
@Suite struct DamagedSourceTests {
  private let place: PlainDatabase

  init() throws {
    place = try PlainDatabase()
    let schema = "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT);"
    try place.make(
      "a.db",
      "\(schema) INSERT INTO note WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
        + "SELECT i, hex(randomblob(40)) FROM n"
    )
    try place.make("b.db", "\(schema) INSERT INTO note VALUES (1, 'mine')")
    // The inner page of the table leads to one page of its rows twice, and to the next one no more.
    let page = try #require(Int(place.read("a.db", "SELECT rootpage FROM sqlite_schema WHERE name = 'note'")[0]))
    let path = place.folder.path("a.db")
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    defer { try? file.close() }
    var bytes = try #require(try file.readToEnd())
    let start = (page - 1) * 4096
    // Of the first two cells, each a page number and a key, the second gets the page of the first.
    let cells = (0..<2).map { start + Int(bytes[start + 12 + 2 * $0]) << 8 + Int(bytes[start + 13 + 2 * $0]) }
    bytes.replaceSubrange(cells[1]..<(cells[1] + 4), with: bytes[cells[0]..<(cells[0] + 4)])
    try file.seek(toOffset: 0)
    try file.write(contentsOf: bytes)
  }

  @Test(arguments: ["new", "append", "merge", "dry run"]) func `damage is found before anything is written`(
    way: String
  ) throws {
    let path = place.path("b.db")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(try Program.sqlite3(place.path("a.db"), "PRAGMA quick_check") != "ok")
    let error = #expect(throws: DecantError.self) {
      switch way {
      case "new": try place.copy(to: "new.db")
      case "merge": try place.copy { $0.merge = MergeRules(.update) }
      default: try place.append { $0.isDryRun = way == "dry run" }
      }
    }
    #expect(error?.family == .corruptStore)
    #expect(error?.message.contains("is damaged") == true, "\(error as Any)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.url.path).sorted() == ["a.db", "b.db"])
  }
}
