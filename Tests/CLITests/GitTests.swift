import Foundation
import TestSupport
import Testing

/// The drivers that the manual has for git, in a repository of its own.
@Suite struct GitTests {
  private let place: CommandFolder

  private static let database = """
    CREATE TABLE note (id INTEGER PRIMARY KEY, uuid TEXT UNIQUE, title TEXT, body TEXT);
    INSERT INTO note VALUES (1, 'a', 'one', 'x'), (2, 'b', 'two', 'y'), (3, 'c', 'three', 'z');

    """

  init() throws {
    place = try CommandFolder()
    try FileManager.default.removeItem(at: place.url.appendingPathComponent("Guests.sqlite"))
    try sql("notes.db", Self.database)
    try git("init", "-q", "-b", "main")
    try Data("*.sqlite diff=decant merge=decant\n*.db diff=decant merge=decant\n".utf8)
      .write(to: place.url.appendingPathComponent(".gitattributes"))
    for (name, value) in try Self.settings() { try git("config", name, value) }
    try commit("base")
    try git("checkout", "-q", "-b", "theirs")
  }

  /// The drivers as the manual has them, by the names of git's settings.
  private static func settings() throws -> [(String, String)] {
    let manual = Fixtures.projectFolder.appendingPathComponent("Sources/Decant/Decant.docc/Git.md")
    let lines = try String(contentsOf: manual, encoding: .utf8).split(separator: "\n")
    let found = lines.compactMap { line -> (String, String)? in
      guard let match = line.wholeMatch(of: /\$ git config (\S+) '(.*)'/) else { return nil }
      return (String(match.1), String(match.2))
    }
    try #require(found.count == 4)
    return found
  }

  private func sql(_ name: String, _ statements: String) throws {
    _ = try Program.sqlite3(place.folder.path(name), statements)
  }

  @discardableResult
  private func git(_ arguments: String..., expecting status: Int32 = 0) throws -> String {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let programs = URL(fileURLWithPath: DecantProgram.path).deletingLastPathComponent().path
    var environment = ["PATH": "\(programs):\(path)", "GIT_CONFIG_GLOBAL": "/dev/null"]
    for role in ["AUTHOR", "COMMITTER"] {
      environment["GIT_\(role)_NAME"] = "tester"
      environment["GIT_\(role)_EMAIL"] = "tester@example.org"
    }
    let run = try Program.run(["git"] + arguments, in: place.url, environment: environment)
    #expect(run.status == status, "git \(arguments): \(run.output)\(run.errors)")
    return run.output
  }

  private func commit(_ message: String) throws {
    try git("add", "-A")
    try git("commit", "-q", "-m", message)
  }

  private func rows(_ name: String, _ statement: String) throws -> [String] {
    try Program.sqlite3(place.folder.path(name), statement).split(separator: "\n").map(String.init)
  }

  /// Commits `theirs` on one branch and `mine` on another, which is checked out then.
  private func part(_ name: String, theirs: String, mine: String) throws {
    try sql(name, theirs)
    try commit("theirs")
    try git("checkout", "-q", "main")
    try sql(name, mine)
    try commit("mine")
  }

  @Test func `git diff shows what differs object by object`() throws {
    try sql("notes.db", "UPDATE note SET title = 'uno' WHERE id = 1; DROP TABLE IF EXISTS none")
    try sql("Kitchen.sqlite", "UPDATE ZRECIPE SET ZTITLE = 'Toast' WHERE Z_PK = 2")
    let output = try git("diff")
    #expect(output.contains("note key 1 differs in title\n  title: “one” → “uno”"))
    #expect(output.contains("Recipe p2 differs in title"))
    // A file that is new has nothing to be compared with.
    try sql("more.db", "CREATE TABLE t (a)")
    try git("add", "-A")
    #expect(try git("diff", "--cached", "--", "more.db").contains("more.db is new"))
    try commit("change")
    let log = try git("log", "-p", "-1", "--textconv", "--", "notes.db")
    #expect(
      log.contains(
        #"-{"e":"note","id":1,"key":{"uuid":"a"},"v":{"uuid":"a","title":"one","body":"x"}}"#
      )
    )
    #expect(
      log.contains(
        #"+{"e":"note","id":1,"key":{"uuid":"a"},"v":{"uuid":"a","title":"uno","body":"x"}}"#
      )
    )
    #expect(!log.contains(#""id":2"#) || log.contains(#"\#n {"e":"note","id":2"#))
    #expect(try git("status", "--short") == "")
  }

  @Test(arguments: ["delete", "wal"])
  func `what either branch changed is in the merge of both`(journal: String) throws {
    try sql("notes.db", "PRAGMA journal_mode = \(journal)")
    try part(
      "notes.db",
      theirs:
        "UPDATE note SET body = 'theirs' WHERE id = 1; INSERT INTO note VALUES (4, 'd', 'four', 't')",
      mine: """
        PRAGMA journal_mode = \(journal); UPDATE note SET title = 'mine' WHERE id = 1;
        DELETE FROM note WHERE id = 2; INSERT INTO note VALUES (4, 'e', 'vier', 'm')
        """
    )
    try git("merge", "-q", "-m", "both", "theirs")
    #expect(
      try rows("notes.db", "SELECT uuid, title, body FROM note ORDER BY uuid") == [
        "a|mine|theirs", "c|three|z", "d|four|t", "e|vier|m",
      ]
    )
    #expect(try rows("notes.db", "PRAGMA integrity_check") == ["ok"])
    #expect(try git("status", "--short") == "")
  }

  @Test func `a Core Data store is merged attribute by attribute`() throws {
    try part(
      "Kitchen.sqlite",
      theirs: "UPDATE ZRECIPE SET ZRATING = 1 WHERE Z_PK = 4",
      mine: "UPDATE ZRECIPE SET ZTITLE = 'Toast' WHERE Z_PK = 4"
    )
    try git("merge", "-q", "-m", "both", "theirs")
    let row = "SELECT ZTITLE, ZRATING, (SELECT count(*) FROM ZRECIPE) FROM ZRECIPE WHERE Z_PK = 4"
    #expect(try rows("Kitchen.sqlite", row) == ["Toast|1.0|12"])
    #expect(try git("status", "--short") == "")
  }

  @Test func `git sees a conflict, and everything else is merged`() throws {
    try part(
      "notes.db",
      theirs:
        "UPDATE note SET body = 'theirs' WHERE id = 1; UPDATE note SET body = 'new' WHERE id = 3",
      mine: "UPDATE note SET body = 'mine' WHERE id = 1"
    )
    try git("merge", "-q", "-m", "both", "theirs", expecting: 1)
    #expect(try git("status", "--short") == "UU notes.db\n")
    let notes = try rows("notes.db", "SELECT body FROM note ORDER BY body")
    #expect(notes == ["mine", "new", "theirs", "y"])
    // Nothing of it lies about, and nothing is lost when it is taken back.
    try git("merge", "--abort")
    #expect(try rows("notes.db", "SELECT body FROM note ORDER BY id") == ["mine", "y", "z"])
  }

  @Test func `what cannot be merged is a conflict, and stays as it was`() throws {
    try part(
      "notes.db",
      theirs: "ALTER TABLE note ADD COLUMN stars; UPDATE note SET stars = 5",
      mine: "UPDATE note SET body = 'mine' WHERE id = 1"
    )
    try git("merge", "-q", "-m", "both", "theirs", expecting: 1)
    #expect(try git("status", "--short") == "UU notes.db\n")
    #expect(try rows("notes.db", "SELECT body FROM note ORDER BY id") == ["mine", "y", "z"])
  }
}
