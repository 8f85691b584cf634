import Foundation
import TestSupport
import Testing

/// Several sources in one merge are several merges, one after the other.
@Suite struct MergeSeriesTests {
  private let folder: CommandFolder

  /// `A`, `B` and `C` have a note that is theirs, and one that they share; `Into` has one of its own.
  init() throws {
    folder = try CommandFolder()
    for (name, rows) in [
      ("A", "('shared', 'from a'), ('a', 'a')"), ("B", "('shared', 'from b'), ('b', 'b')"),
      ("C", "('c', 'c')"), ("Into", "('own', 'own')"),
    ] {
      try make(name, rows)
    }
  }

  private func make(_ name: String, _ rows: String, schema: String = "") throws {
    _ = try Program.sqlite3(
      folder.folder.path("\(name).db"),
      "CREATE TABLE note (id INTEGER PRIMARY KEY, name TEXT UNIQUE, text TEXT\(schema)); INSERT INTO note (name, text) VALUES \(rows)"
    )
  }

  private func notes(_ name: String) throws -> String {
    try Program.sqlite3(folder.folder.path(name), "SELECT * FROM note ORDER BY id")
  }

  private func copy(_ name: String) throws {
    try FileManager.default.copyItem(atPath: folder.folder.path("Into.db"), toPath: folder.folder.path(name))
  }

  private func json(_ arguments: [String], status: Int32 = 0) throws -> [String: Any] {
    let run = try folder.run(arguments + ["--json"])
    #expect(run.status == status, "\(run.errors)")
    return try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  private func counts(_ document: [String: Any]) throws -> [[Int]] {
    let merges = try #require(document["merges"] as? [[String: Any]])
    return try merges.map { report in
      let entities = try #require(report["entities"] as? [String: [String: Any]])
      let merge = try #require(entities["note"]?["merge"] as? [String: Any])
      return ["new", "same", "changed"].map { merge[$0] as? Int ?? -1 }
    }
  }

  @Test func `as one after the other, and the second time nothing`() throws {
    try copy("Hand.db")
    for source in ["A.db", "B.db", "C.db"] {
      #expect(try folder.run(["merge", source, "Hand.db"]).status == 0)
    }
    let run = try folder.run(["merge", "A.db", "B.db", "C.db", "Into.db"])
    #expect(run.status == 0, "\(run.errors)")
    for words in [
      "A.db → Into.db", "B.db → Into.db", "C.db → Into.db", "3 stores merged into “Into.db”",
    ] {
      #expect(run.output.contains(words), "\(run.output)")
    }
    #expect(try notes("Into.db") == notes("Hand.db"))
    #expect(try notes("Into.db") == "1|own|own\n2|a|a\n3|shared|from a\n4|b|b\n5|c|c")
    let again = try json(["merge", "A.db", "B.db", "C.db", "Into.db"])
    #expect(try counts(again) == [[0, 2, 0], [0, 1, 1], [0, 1, 0]])
    #expect(try notes("Into.db") == notes("Hand.db"))
  }

  @Test(arguments: [[], ["--merge", "update"]])
  func `a dry run counts what the run does`(options: [String]) throws {
    let before = folder.content("Into.db")
    let arguments = ["merge", "A.db", "B.db", "C.db", "Into.db"] + options
    let rehearsed = try json(arguments + ["--dry-run"])
    #expect(folder.content("Into.db") == before)
    let done = try json(arguments)
    #expect(try counts(rehearsed) == counts(done))
    // “shared” of B is there once A was merged.
    #expect(try counts(done)[1] == [1, 0, 1])
    #expect(done["notMerged"] as? [String] == [])
    #expect(done["failure"] is NSNull)
    let text = try folder.run(arguments + ["--dry-run"])
    #expect(text.output.contains("each counted as if the previous ones had been merged"))
  }

  @Test func `a store that cannot be merged at all changes nothing`() throws {
    try make("Other", "('x', 'y')", schema: ", extra TEXT DEFAULT 'e'")
    let before = folder.content("Into.db")
    try folder.expect(["merge", "A.db", "Other.db", "Into.db"], 12, "note.extra")
    #expect(folder.content("Into.db") == before)
  }

  @Test func `a failure at the second says what was merged, what was not, and how to go on`() throws {
    // The destination refuses a text that B has, and a dry run does not foresee that.
    _ = try Program.sqlite3(
      folder.folder.path("Into.db"),
      """
      CREATE TRIGGER refuse BEFORE INSERT ON note WHEN new.text = 'b' BEGIN
        SELECT raise(ABORT, 'no b here');
      END
      """
    )
    let run = try folder.run(["merge", "A.db", "B.db", "C.db", "Into.db"])
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.output.contains("A.db → Into.db"))
    #expect(run.output.contains("1 of 3 stores merged into “Into.db”; not merged: “B.db”, “C.db”"))
    for words in [
      "no b here", "merged before that: “A.db”; not merged: “B.db”, “C.db”",
      "decant merge B.db C.db Into.db",
    ] {
      #expect(run.errors.contains(words), "\(run.errors)")
    }
    #expect(try notes("Into.db") == "1|own|own\n2|a|a\n3|shared|from a")
    let document = try json(["merge", "A.db", "B.db", "C.db", "Into.db"], status: 1)
    #expect(document["notMerged"] as? [String] == ["B.db", "C.db"])
    let failure = try #require(document["failure"] as? [String: Any])
    #expect(failure["code"] as? String == "constraintViolated")
    #expect((failure["what"] as? String)?.contains("no b here") == true, "\(failure)")
    _ = try Program.sqlite3(folder.folder.path("Into.db"), "DROP TRIGGER refuse")
    #expect(try folder.run(["merge", "B.db", "C.db", "Into.db"]).status == 0)
    #expect(try notes("Into.db") == "1|own|own\n2|a|a\n3|shared|from a\n4|b|b\n5|c|c")
  }

  @Test func `one backup holds what was there before the first, and one base is all their base`() throws {
    let before = try notes("Into.db")
    let run = try folder.run(["merge", "A.db", "B.db", "Into.db", "--backup"])
    #expect(run.status == 0)
    #expect(try folder.names().filter { $0.contains("backup") } == ["Into.db.backup-1"])
    #expect(try notes("Into.db.backup-1") == before)
    // Both changed another column of what they had been sent.
    for name in ["Base", "One", "Two", "Mine"] {
      try make(name, "('x', 'old')", schema: ", mark TEXT DEFAULT 'old'")
    }
    _ = try Program.sqlite3(folder.folder.path("One.db"), "UPDATE note SET text = 'one'")
    _ = try Program.sqlite3(folder.folder.path("Two.db"), "UPDATE note SET mark = 'two'")
    let three = try folder.run([
      "merge", "One.db", "Two.db", "Mine.db", "--merge", "three-way", "--base", "Base.db",
    ])
    #expect(three.status == 0, "\(three.errors)")
    #expect(try notes("Mine.db") == "1|x|one|two")
  }

  @Test(arguments: [
    ["--conflicts", "c.jsonl"], ["--decisions", "c.jsonl"], ["--resolve"], ["--why", "note 1"],
    ["--keep-ids", "ids.db"], ["--tombstones", "t.db"], ["--commit", "batch", "--resume"],
    ["--suggest-mapping"],
  ]) func `what is of one source is refused`(option: [String]) throws {
    let before = folder.content("Into.db")
    let run = try folder.run(["merge", "A.db", "B.db", "Into.db"] + option)
    #expect(run.status == 64, "\(run.errors)")
    #expect(run.errors.contains(option.last { $0.hasPrefix("--") } ?? ""), "\(run.errors)")
    #expect(folder.content("Into.db") == before)
    #expect(try !folder.names().contains { $0 == "c.jsonl" || $0 == "ids.db" })
  }

  @Test func `one place is not enough`() throws {
    try folder.expect(["merge", "A.db"], 64, "name at least one source")
  }
}
