import Foundation
import TestSupport
import Testing

/// Messages say what helps: names that were meant, who holds a lock, advice that can be carried out.
@Suite struct AdviceTests {
  private let place: CommandFolder

  init() throws { place = try CommandFolder() }

  private func make(_ name: String, _ sql: String) throws {
    _ = try Program.sqlite3(place.folder.path(name), sql)
  }

  @Test(arguments: [
    (["cop", "a", "b"], "did you mean copy?"), (["veryfy"], "did you mean verify?"),
    (["help", "mrege"], "did you mean merge?"), (["frobnicate"], "its verbs are inspect, doctor, copy,"),
  ])
  func `a verb that is not there is exit code 64, with the one that was meant`(
    _ arguments: [String],
    _ remedy: String
  ) throws {
    try place.expect(arguments, 64, remedy)
  }

  @Test func `the process that holds a lock is named`() throws {
    let holder = try LockHolder(place.folder.path("Kitchen.sqlite"), statement: "BEGIN EXCLUSIVE; SELECT 1")
    let name = "sqlite3, process \(holder.number)"
    try place.expect(["inspect", "Kitchen.sqlite"], 11, name)
    try place.expect(["merge", "Guests.sqlite", "Kitchen.sqlite"], 11, name)
    holder.release()
  }

  @Test func `a function that this SQLite lacks is not proposed for itself`() throws {
    let version = try Program.sqlite3(place.folder.path("any.db"), "SELECT sqlite_version()")
    guard version < "3.43" else { return }
    let run = try place.run(["query", "Kitchen.sqlite", "SELECT octet_length(title) FROM Recipe"])
    #expect(run.status == 64)
    #expect(run.errors.contains(version) && !run.errors.contains("did you mean"))
  }

  @Test func `what is no attribute is answered with the attributes`() throws {
    let arguments = ["merge", "Guests.sqlite", "Kitchen.sqlite", "--identity", "Recipe: zzzz"]
    try place.expect(arguments, 64, "its attributes and to-one relationships are author, cookMinutes")
  }

  @Test func `a row that is refused is named by its key, and an expression is called one`() throws {
    let accounts = "CREATE TABLE acct (code TEXT PRIMARY KEY, mail TEXT UNIQUE) WITHOUT ROWID;"
    try make("a.db", accounts + "INSERT INTO acct VALUES ('K7', 'x'), ('K8', 'y')")
    try make("b.db", accounts + "INSERT INTO acct VALUES ('L1', 'y')")
    try place.expect(["copy", "a.db", "b.db", "--append"], 1, "cannot write acct with the key 'K8'")
    let words =
      "CREATE TABLE w (id INTEGER PRIMARY KEY, n TEXT); CREATE UNIQUE INDEX wl ON w (lower(n));"
    try make("c.db", words + "INSERT INTO w VALUES (1, 'a')")
    try make("d.db", words + "INSERT INTO w VALUES (7, 'A')")
    let run = try place.run(["merge", "c.db", "d.db"])
    #expect(run.status == 1 && run.errors.contains("in the index 'wl', which is an expression index"))
    #expect(!run.errors.contains("--identity"))
  }

  @Test func `models that do not fit: a mapping is named, and a comparison names the tables`() throws {
    try make("a.db", "CREATE TABLE a (id INTEGER PRIMARY KEY, x); INSERT INTO a VALUES (1, 2)")
    try make("b.db", "CREATE TABLE b (id INTEGER PRIMARY KEY, x); INSERT INTO b VALUES (1, 2)")
    try place.expect(["merge", "a.db", "b.db"], 12, "--suggest-mapping drafts one, --mapping FILE uses it")
    for verb in ["verify", "diff"] {
      let run = try place.run([verb, "a.db", "b.db"])
      #expect(run.status == 4 && run.output.contains("table a only in"))
    }
  }
}
