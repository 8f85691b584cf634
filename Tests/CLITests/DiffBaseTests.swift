import Foundation
import TestSupport
import Testing

/// `diff --base` says what a three-way merge then does, as the `sqlite3` program sees it.
@Suite struct DiffBaseTests {
  private let folder: CommandFolder
  private static let rows = (1...9).map { "(\($0), 'n\($0)', 'text \($0)', 0)" }

  init() throws {
    folder = try CommandFolder()
    for name in ["Before.db", "Mine.db", "Theirs.db"] {
      try sql(
        name,
        "CREATE TABLE note (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, text TEXT, mark INTEGER); INSERT INTO note VALUES "
          + Self.rows.joined(separator: ", ")
      )
    }
  }

  @discardableResult
  private func sql(_ name: String, _ statements: String) throws -> String {
    try Program.sqlite3(folder.folder.path(name), statements)
  }

  private func rows() throws -> [String: String] {
    let lines = try sql("Mine.db", "SELECT id, name, text, mark FROM note").split(separator: "\n")
    return Dictionary(
      uniqueKeysWithValues: lines.map { line in
        let parts = line.split(separator: "|", maxSplits: 1).map(String.init)
        return (parts[0], parts[1])
      }
    )
  }

  private let diff = ["diff", "Theirs.db", "Mine.db", "--base", "Before.db"]

  private func json(status: Int32) throws -> [String: Any] {
    let run = try folder.run(diff + ["--json"])
    #expect(run.status == status, "\(run.errors)")
    return try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  /// The keys that a preview names, by what would become of them.
  private func named(_ document: [String: Any]) throws -> [String: Set<String>] {
    var named: [String: Set<String>] = [:]
    for group in try #require(document["preview"] as? [[String: Any]]) {
      let objects = try #require(group["objects"] as? [[String: Any]])
      named[try #require(group["outcome"] as? String)] = Set(objects.map { "\($0["key"] ?? "")" })
    }
    return named
  }

  @Test func `what it names is what the merge does`() throws {
    try sql(
      "Theirs.db",
      """
      UPDATE note SET text = 'theirs' WHERE id IN (1, 2); UPDATE note SET mark = 1 WHERE id = 3;
      DELETE FROM note WHERE id = 4; INSERT INTO note VALUES (20, 'new', 'new', 0)
      """
    )
    try sql("Mine.db", "UPDATE note SET mark = 5 WHERE id = 2; UPDATE note SET text = 'mine' WHERE id = 6")
    let before = try rows()
    let bytes = folder.content("Mine.db")
    let named = try named(json(status: 4))
    #expect(folder.content("Mine.db") == bytes)
    #expect(
      try folder.run([
        "merge", "Theirs.db", "Mine.db", "--merge", "three-way", "--base", "Before.db",
      ]).status == 0
    )
    let after = try rows()
    let changed = Set(before.keys.filter { after[$0] != nil && after[$0] != before[$0] })
    #expect(named["updated"] == changed && changed == ["1", "2", "3"])
    #expect(named["removed"] == Set(before.keys).subtracting(after.keys))
    #expect(named["added"] == Set(after.keys).subtracting(before.keys))
    #expect(named["kept"] == ["6"])
    #expect(after["2"] == "n2|theirs|5")
  }

  @Test func `conflicts are named, and the exit code tells whether there is anything to merge`() throws {
    #expect(try folder.run(diff).status == 0)
    try sql("Mine.db", "UPDATE note SET text = 'mine' WHERE id = 6")
    #expect(try folder.run(diff).status == 0, "a merge would change nothing")
    try sql("Theirs.db", "UPDATE note SET text = 'theirs' WHERE id = 6")
    let document = try json(status: 4)
    #expect(document["conflictCount"] as? Int == 1)
    let run = try folder.run(diff)
    #expect(run.output.contains("note") && run.output.contains("text"), "\(run.output)")
    let quiet = try folder.run(diff + ["--quiet"])
    #expect(quiet.status == 4 && quiet.output.isEmpty)
  }

  @Test(arguments: [["--sql"], ["--verbose"], ["--entity", "note"], ["--ids", "x"]])
  func `what does not go with it is refused`(option: [String]) throws {
    try folder.expect(diff + option, 64, "--base")
  }

  @Test func `a dry run of a copy and of an import names objects as a merge does`() throws {
    let new = try folder.run(["copy", "Mine.db", "New.db", "--dry-run", "--list", "--limit", "2"])
    #expect(new.status == 0, "\(new.errors)")
    for words in ["would be added:", "note 1 “n1”", "note 2 “n2”", "and 7 more of note"] {
      #expect(new.output.contains(words), "\(new.output)")
    }
    try sql("Theirs.db", "UPDATE note SET text = 'theirs' WHERE id = 1; INSERT INTO note VALUES (20, 'new', 'new', 0)")
    let chosen = try folder.run([
      "copy", "Theirs.db", "New.db", "--where", "note: id > 8", "--dry-run", "--list",
    ])
    #expect(chosen.output.contains("note 9 “n9”") && chosen.output.contains("note 20 “new”"))
    #expect(!chosen.output.contains("note 1 "))
    #expect(try folder.run(["export", "Theirs.db", "Theirs.decant"]).status == 0)
    for verb in [["import", "Theirs.decant", "Mine.db"], ["copy", "Theirs.db", "Mine.db"]] {
      let run = try folder.run(verb + ["--merge", "update", "--dry-run", "--list"])
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.contains("would be added:\n  note 20 “new”"), "\(run.output)")
      #expect(run.output.contains("would be updated:\n  note 1 “n1”"), "\(run.output)")
      try folder.expect(verb + ["--merge", "update", "--list"], 64, "--list requires --dry-run")
    }
    // What is added to a store gets new keys: they are named by those of the source.
    let appended = try folder.run([
      "copy", "Guests.sqlite", "Kitchen.sqlite", "--append", "--dry-run", "--list", "--json",
    ])
    let report = try #require(JSONSerialization.jsonObject(with: Data(appended.output.utf8)) as? [String: Any])
    let groups = try #require(report["preview"] as? [[String: Any]])
    let recipes = try #require(groups.first { $0["entity"] as? String == "Recipe" })
    #expect(
      "\(recipes["count"] ?? 0)"
        == (try sql("Guests.sqlite", "SELECT count(*) FROM ZRECIPE"))
    )
  }
}
