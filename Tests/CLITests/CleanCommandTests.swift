import Foundation
import TestSupport
import Testing

@Suite struct CleanCommandTests {
  private let place: CommandFolder

  init() throws {
    place = try CommandFolder()
    let sample = Fixtures.projectFolder.appendingPathComponent("samples/SyncMetadata.sqlite")
    try FileManager.default.copyItem(at: sample, to: place.url.appendingPathComponent("Old.sqlite"))
  }

  @Test(arguments: [
    (["--what", "icloud,cloudkit,history"], "clean.txt"),
    (["--what", "history, icloud", "--dry-run"], "clean-dry-run.txt"),
    (["--what", "history", "--no-backup"], "clean-unsaved.txt"),
    (["--what", "history", "--json"], "clean.json"),
  ])
  func `prints what it did when it was found right`(_ options: [String], _ golden: String) throws {
    let run = try place.run(["clean", "Old.sqlite"] + options)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty, "\(run.errors)")
    try GoldenText.expect(run.output, golden)
  }

  @Test func `the result is one JSON document of known members`() throws {
    let run = try place.run(["clean", "Old.sqlite", "--what", "icloud,history", "--json"])
    #expect(run.status == 0, "\(run.errors)")
    let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let report = try #require(document as? [String: Any])
    #expect(report["decant"] as? String == "1.0")
    #expect(report["verb"] as? String == "clean")
    let store = try #require(report["store"] as? [String: String])
    #expect(store["uuid"] == "6C26DC6C-0B05-88B6-90FF-53F5E4AE0BF2")
    #expect(report["what"] as? [String] == ["icloud", "history"])
    let removed = try #require(report["removed"] as? [[String: Any]])
    #expect(removed.map { $0["kind"] as? String } == ["icloud", "history"])
    #expect((removed[0]["metadataKeys"] as? [String])?.count == 3)
    let tables = try #require(removed[1]["tables"] as? [[String: Any]])
    #expect(tables.map { $0["rows"] as? Int } == [3, 34, 4])
    #expect(removed[1]["counters"] as? [String] == ["CHANGE", "TRANSACTION", "TRANSACTIONSTRING"])
    let bytes = try #require(report["bytes"] as? [String: Int])
    #expect(bytes["after"] == place.content("Old.sqlite")?.count)
    #expect(bytes["before"] == place.content("Old.sqlite.backup-1")?.count)
    #expect(report["backup"] as? String == "Old.sqlite.backup-1")
    #expect(report["verified"] as? Bool == true)
    #expect(report["dryRun"] as? Bool == false)
    #expect(report["notes"] is [String])
  }

  @Test func `where there is nothing to remove it says so`() throws {
    let before = place.content("Kitchen.sqlite")
    let run = try place.run(["clean", "Kitchen.sqlite", "--what", "history,icloud"])
    #expect(run.status == 0)
    #expect(run.output.contains("nothing to remove: it has no icloud, history"))
    #expect(place.content("Kitchen.sqlite") == before)
    #expect(try place.names() == ["Guests.sqlite", "Kitchen.sqlite", "Old.sqlite"])
  }

  @Test func `free pages are vacuumed away, and that is said`() throws {
    _ = try Program.sqlite3(
      place.folder.path("Kitchen.sqlite"),
      """
      PRAGMA secure_delete = OFF; CREATE TABLE gone (a);
      INSERT INTO gone VALUES (zeroblob(20000)); DROP TABLE gone
      """
    )
    let count = try Program.sqlite3(place.folder.path("Kitchen.sqlite"), "PRAGMA freelist_count")
    let clean = ["clean", "Kitchen.sqlite", "--what", "history"]
    let dry = try place.run(clean + ["--dry-run"])
    #expect(dry.output.contains("\(count) free pages would be removed by vacuum"))
    #expect(dry.output.contains("nothing was written"))
    let run = try place.run(clean)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("nothing to remove: it has no history"))
    #expect(run.output.contains("\(count) free pages were removed by vacuum"))
    #expect(run.output.contains("the previous store: Kitchen.sqlite.backup-1"))
    #expect(!run.output.contains("nothing was written"))
  }

  @Test func `every failure has its exit code`() throws {
    let before = place.content("Old.sqlite")
    try place.expect(["clean", "Old.sqlite"], 64, "--what")
    try place.expect(["clean", "Old.sqlite", "--what", ","], 64, "nothing to remove was given")
    let unknown = ["clean", "Old.sqlite", "--what", "history,all"]
    try place.expect(unknown, 64, "--what accepts icloud, cloudkit, history")
    try place.expect(["clean", "nowhere.sqlite", "--what", "history"], 10, "there is no store at")
    try place.expect(["clean", "mysql:x.db", "--what", "history"], 64, "unknown kind of store")
    try Data("Two cups of flour\n".utf8).write(to: place.url.appendingPathComponent("text.txt"))
    try place.expect(["clean", "text.txt", "--what", "history"], 13, "file is not a database")
    _ = try Program.sqlite3(place.folder.path("plain.db"), "CREATE TABLE recipe (id, title)")
    try place.expect(["clean", "plain.db", "--what", "history"], 13, "Z_PRIMARYKEY is missing")
    let holder = try LockHolder(place.folder.path("Old.sqlite"))
    try place.expect(["clean", "Old.sqlite", "--what", "history"], 11, "in use by another process")
    holder.release()
    #expect(place.content("Old.sqlite") == before)
  }
}
