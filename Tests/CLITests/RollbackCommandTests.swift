import Foundation
import TestSupport
import Testing

@Suite struct RollbackCommandTests {
  private let place: CommandFolder

  init() throws {
    place = try CommandFolder()
    let sample = Fixtures.projectFolder.appendingPathComponent("samples/SyncMetadata.sqlite")
    try FileManager.default.copyItem(at: sample, to: place.url.appendingPathComponent("Old.sqlite"))
    let clean = try place.run(["clean", "Old.sqlite", "--what", "history", "-q"])
    #expect(clean.status == 0, "\(clean.errors)")
  }

  /// Returns `text` without the time at which the test made the backup.
  private func lasting(_ text: String) -> String {
    text.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "TIME")
  }

  /// Begins to add the kitchen to the guests, in batches, and is killed.
  private func leavePart() throws {
    let options = ["--append", "--commit", "batch", "--batch-size", "20"]
    try LeftBehind.part(of: ["copy", "Kitchen.sqlite", "Guests.sqlite"] + options, in: place.url)
  }

  @Test(arguments: [([], "rollback.txt"), (["--json"], "rollback.json")])
  func `prints what it did when it was found right`(_ options: [String], _ golden: String) throws {
    let run = try place.run(["rollback", "Old.sqlite"] + options)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty, "\(run.errors)")
    try GoldenText.expect(lasting(run.output), golden)
  }

  @Test func `prints what it placed when it was found right`() throws {
    try FileManager.default.removeItem(atPath: place.folder.path("Old.sqlite"))
    let run = try place.run(["rollback", "Old.sqlite"])
    #expect(run.status == 0, "\(run.errors)")
    try GoldenText.expect(lasting(run.output), "rollback-placed.txt")
  }

  @Test(.enabled(if: FaultShim.isAvailable))
  func `an interrupted copy is cleared, and the store is as it was`() throws {
    let before = place.content("Guests.sqlite")
    try leavePart()
    let run = try place.run(["rollback", "Guests.sqlite", "--json"])
    #expect(run.status == 0, "\(run.errors)")
    let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let report = try #require(document as? [String: Any])
    #expect(report["outcome"] as? String == "undone")
    #expect(report["backup"] is NSNull && report["putBack"] is NSNull)
    #expect(place.content("Guests.sqlite") == before)
    try place.expect(["rollback", "Guests.sqlite"], 1, "nothing to restore")
  }

  @Test func `the result is one JSON document of known members`() throws {
    let run = try place.run(["rollback", "Old.sqlite", "--json"])
    let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let report = try #require(document as? [String: Any])
    #expect(report["decant"] as? String == "1.0")
    #expect(report["verb"] as? String == "rollback")
    let store = try #require(report["store"] as? [String: String])
    #expect(store["kind"] == "coredata" && store["place"] == "Old.sqlite")
    #expect(store["uuid"] == "6C26DC6C-0B05-88B6-90FF-53F5E4AE0BF2")
    #expect(report["outcome"] as? String == "exchanged")
    #expect(report["putBack"] as? String == "Old.sqlite.backup-1")
    #expect(report["backup"] as? String == "Old.sqlite.backup-1")
    #expect((report["written"] as? String)?.hasSuffix("Z") == true)
    #expect(report["notes"] is [String])
    #expect(
      Set(report.keys) == [
        "decant", "verb", "store", "outcome", "putBack", "backup", "written", "removed", "dryRun", "noteKinds", "notes",
      ]
    )
  }

  @Test func `what a clean says of putting back is what does it`() throws {
    let (kitchen, history) = ("Old.sqlite", "SELECT count(*) FROM ACHANGE")
    #expect(try place.run(["rollback", kitchen, "-q"]).output.isEmpty)
    let clean = try place.run(["clean", kitchen, "--what", "history"])
    let line = try #require(clean.output.split(separator: "\n").last)
    let command = try #require(line.components(separatedBy: "run: decant ").last)
    #expect(throws: Program.Failure.self) {
      try Program.sqlite3(place.folder.path(kitchen), history)
    }
    #expect(try place.run(command.components(separatedBy: " ")).status == 0)
    #expect(try Program.sqlite3(place.folder.path(kitchen), history) == "34")
  }

  @Test func `every failure has its exit code`() throws {
    try place.expect(["rollback"], 64, "store")
    try place.expect(["rollback", "Kitchen.sqlite"], 1, "there is nothing to restore")
    try place.expect(["rollback", "nowhere.sqlite"], 10, "there is no store at")
    try place.expect(["rollback", "no/where.sqlite"], 10, "there is no store at")
    try place.expect(["rollback", "mysql:x.db"], 64, "unknown kind of store")
    try place.expect(["rollback", "-"], 64, "cannot be a pipe")
    let before = place.content("Old.sqlite")
    let holder = try LockHolder(place.folder.path("Old.sqlite"))
    try place.expect(["rollback", "Old.sqlite"], 11, "in use by another process")
    holder.release()
    let backup = place.url.appendingPathComponent("Old.sqlite.backup-1")
    try Data("Two cups of flour, sifted twice\n".utf8).write(to: backup)
    try place.expect(["rollback", "Old.sqlite"], 13, "not a database")
    #expect(place.content("Old.sqlite") == before)
  }

  @Test func `a plain database is rolled back like any other`() throws {
    for (name, count) in [("a.db", 3), ("b.db", 5)] {
      _ = try Program.sqlite3(
        place.folder.path(name),
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, v); WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1
        FROM n WHERE i < \(count)) INSERT INTO t SELECT i, 'v' || i FROM n
        """
      )
    }
    let path = place.folder.path("b.db")
    let before = try Program.sqlite3(path, ".dump")
    let copy = try place.run(["copy", "a.db", "b.db", "--append", "--backup", "-q"])
    #expect(copy.status == 0, "\(copy.errors)")
    #expect(try Program.sqlite3(path, "SELECT count(*) FROM t") == "8")
    let run = try place.run(["rollback", "sqlite:b.db", "--json"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("\"kind\": \"sqlite\""))
    #expect(try Program.sqlite3(path, ".dump") == before)
    try place.expect(["rollback", "coredata:b.db"], 13, "Z_PRIMARYKEY is missing")
  }
}
