import Decant
import StoreTestSupport
import TestSupport
import Testing

/// Tables with more columns or foreign keys than SQLite accepts in one call, chain of operators or compound SELECT.
@Suite struct WideTableTests {
  /// A table of tags, and a table of notes with `count` columns of `type`; the notes have `values`.
  private func merge(_ count: Int, _ type: String, _ value: (_ column: Int, _ row: Int) -> Int) throws -> Merges {
    let columns = (0..<count).map { "c\($0) \(type)" }.joined(separator: ", ")
    func notes(_ rows: ClosedRange<Int>, _ offset: Int) -> String {
      let notes = rows.map { row in
        "(\(row + offset), 'n\(row)', \((0..<count).map { "\(value($0, row) + offset)" }.joined(separator: ", ")))"
      }
      let tags = (0...9).map { "(\($0 + offset), 't\($0)')" }.joined(separator: ", ")
      return "INSERT INTO tag VALUES \(tags); INSERT INTO note VALUES \(notes.joined(separator: ", "))"
    }
    let stores = try Merges(
      """
      CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE note (id INTEGER PRIMARY KEY, name TEXT UNIQUE, \(columns))
      """,
      mine: notes(1...3, 1), theirs: notes(2...5, type.isEmpty ? 1 : 101))
    try stores.merge()
    let once = try stores.dump()
    try stores.merge()
    #expect(try stores.dump() == once)
    #expect(try stores.complaints() == "")
    #expect(
      try stores.rows("SELECT group_concat(name) FROM (SELECT name FROM note ORDER BY name)") == ["'n1,n2,n3,n4,n5'"])
    let report = try Diff(stores.theirs, stores.mine).run()
    #expect(report.entities.first { $0.name == "note" }?.onlyInA == 0)
    return stores
  }

  @Test(.enabled(if: Effort.isThorough)) func `rows of 1,200 columns are matched by content and merged`() throws {
    let stores = try merge(1_200, "") { $0 * $1 % 97 }
    #expect(try stores.rows("SELECT c1199 FROM note WHERE name = 'n5'") == ["\(1_199 * 5 % 97 + 1)"])
  }

  @Test(.enabled(if: Effort.isThorough)) func `600 foreign keys of one table to another follow`() throws {
    let stores = try merge(600, "INTEGER REFERENCES tag (id)") { ($0 + $1) % 10 }
    for column in [0, 127, 500, 599] {
      #expect(
        try stores.rows("SELECT t.name FROM note JOIN tag AS t ON t.id = c\(column) WHERE note.name = 'n5'")
          == ["'t\((column + 5) % 10)'"])
    }
  }
}
