import Decant
import Foundation
import TestSupport
import Testing

/// Full-text indexes, which hold what their tables do not show.
@Suite struct TextIndexDiffTests {
  private let folder: TemporaryFolder
  private var a: String { folder.path("a.db") }
  private var b: String { folder.path("b.db") }

  private static let schema = """
    CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT);
    CREATE VIRTUAL TABLE own USING fts5 (body);
    CREATE VIRTUAL TABLE found USING fts5 (body, content = 'note', content_rowid = 'id');
    CREATE VIRTUAL TABLE four USING fts4 (body);
    INSERT INTO note VALUES (1, 'red apple'), (2, 'green pear'), (3, 'red pear');
    INSERT INTO own (rowid, body) SELECT id, body FROM note;
    INSERT INTO four (rowid, body) SELECT id, body FROM note;
    INSERT INTO found (found) VALUES ('rebuild');

    """

  init() throws {
    folder = try TemporaryFolder()
    _ = try Program.sqlite3(a, Self.schema)
    _ = try Program.sqlite3(b, Self.schema)
  }

  @Test(
    arguments: [
      ("INSERT INTO found (found, rowid, body) VALUES ('delete', 2, 'green pear')", "found", 2),
      ("INSERT INTO found (found) VALUES ('delete-all')", "found", 6),
      ("DELETE FROM four_segdir", "four", nil),
    ] as [(String, String, Int64?)]
  )
  func `an index that finds less is a difference, and neither file is written to`(
    change: String,
    index: String,
    count: Int64?
  ) throws {
    _ = try Program.sqlite3(b, change)
    let before = try [a, b].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    let report = try Diff(a, b).run()
    #expect(report.schema.map(\.name) == [index] && report.schema.map(\.kind) == [.textIndex])
    if let count { #expect(report.schema[0].count == count) }
    #expect(report.entities.allSatisfy { $0.changed + $0.onlyInA + $0.onlyInB == 0 })
    #expect(try !Verify(a, against: b).run().isEqual)
    #expect(try [a, b].map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == before)
  }

  @Test func `texts that have other numbers are found by the rows they belong to`() throws {
    _ = try Program.sqlite3(b, "UPDATE note SET id = id + 100; INSERT INTO found (found) VALUES ('rebuild')")
    #expect(try Diff(a, b).run().isEqual)
  }

  @Test func `an index that cannot be read is a difference`() throws {
    _ = try Program.sqlite3(b, "UPDATE found_data SET block = x'00112233445566' WHERE id > 10")
    let report = try Diff(a, b).run()
    #expect(report.schema.map { $0.text("A", "B") } == ["full-text index found is damaged there"])
  }
}
