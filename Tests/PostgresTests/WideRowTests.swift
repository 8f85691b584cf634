import Foundation
import TestSupport
import Testing

/// Rows and names beyond the limits of a table of the server.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct WideRowTests {
  private let place: PostgresFolder
  private var path: String { place.folder.path("wide.db") }

  init() throws { place = try PostgresFolder() }

  /// Makes the tables `narrow` and `wide`, the second with `count` integer columns.
  private func make(_ count: Int, rows: String) throws {
    let columns = (1..<count).map { ", c\($0) INTEGER" }.joined()
    _ = try Program.sqlite3(
      path,
      "CREATE TABLE narrow (a); INSERT INTO narrow VALUES (1); CREATE TABLE wide (id INTEGER PRIMARY KEY\(columns))"
    )
    let script = place.folder.path("rows.sql")
    try Data(rows.utf8).write(to: URL(fileURLWithPath: script))
    _ = try Program.sqlite3(path, ".read '\(script)'")
  }

  private func row(_ key: Int, _ values: some Sequence<String>) -> String {
    "INSERT INTO wide VALUES (\(([String(key)] + values).joined(separator: ", ")));"
  }

  /// A page of 8,192 bytes holds a row of 8,160: 24 before the values, and eight for each integer.
  @Test func `the limit has two sides`() throws {
    try make(1_017, rows: row(1, (1..<1_017).map(String.init)))
    try place.expect("copy", "wide.db", place.location)
    #expect(try place.psql("SELECT c1016 FROM wide") == "1016")
    _ = try Program.sqlite3(path, "DROP TABLE wide; DROP TABLE narrow")
    try make(1_018, rows: row(1, (1..<1_018).map(String.init)))
    let other = place.server.location(place.database, schema: "other")
    for more in [[], ["--dry-run"]] {
      try place.expect(
        ["copy", "wide.db", other] + more, 1,
        "the rows of wide, which has 1018 columns, take at least 8168 bytes each; a row of PostgreSQL can have at most 8160"
      )
    }
    #expect(try !place.visible().contains("other"))
    try place.expect("copy", "wide.db", other, "--type", "wide.c1: integer", "--type", "wide.c2: integer")
  }

  /// What each value takes is not known before.
  @Test func `a row that the server refuses is one of a named table`() throws {
    let (all, none) = ((1..<1_500).map(String.init), (1..<1_500).map { _ in "NULL" })
    try make(1_500, rows: row(1, none) + row(2, all))
    try place.expect(
      ["copy", "wide.db", place.location], 1, "cannot write the table wide, which has 1500 columns: row is too big")
    #expect(try place.visible() == "")
    try place.expect("copy", "wide.db", place.location, "--where", "wide: id = 1")
    #expect(try place.psql("SELECT id, num_nonnulls(c1, c1499) FROM wide") == "1|0")
  }

  @Test func `the report has all names to be quoted`() throws {
    let words = try place.psql("SELECT word FROM pg_get_keywords() WHERE catcode IN ('R', 'T') ORDER BY 1")
      .split(separator: "\n").map(String.init)
    let reserved = try place.psql("SELECT word FROM pg_get_keywords() WHERE catcode = 'R'").split(separator: "\n")
    let columns = words.map { "\"\($0)\" INTEGER" }.joined(separator: ", ")
    _ = try Program.sqlite3(path, "CREATE TABLE t (\(columns))")
    for more in [["--json"], []] {
      let run = try place.run(["copy", "wide.db", place.location, "--dry-run"] + more)
      let text = run.output.replacingOccurrences(of: "\\\"", with: "\"")
      for word in reserved { #expect(text.contains("\"\(word)\""), "\(word)") }
    }
  }

  @Test func `an error names the database, and not a temporary file`() throws {
    try place.expect("copy", "Kitchen.sqlite", place.location)
    try place.psql("UPDATE image SET entity = 'StepImage' WHERE id = 1")
    for arguments in [["inspect", place.location], ["copy", place.location, "back.sqlite"]] {
      try place.expect(arguments, 12, "image.recipe_id of “postgres://")
      #expect(try !place.run(arguments).errors.contains("rows.db"))
    }
  }
}
