import Foundation
import TestSupport
import Testing

@Suite struct CheckCommandTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    // A kitchen whose recipes have all and one thing more.
    try write("Next.xcdatamodel", #"<entity name="Recipe"/>"#)
  }

  private func write(_ name: String, _ content: String) throws {
    let place = folder.folder.path(name)
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try Data("<model>\(content)</model>".utf8).write(to: URL(fileURLWithPath: place + "/contents"))
  }

  private func json(_ arguments: [String]) throws -> [String: Any] {
    let run = try folder.run(arguments)
    #expect(run.errors.isEmpty)
    let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    return try #require(document as? [String: Any])
  }

  @Test func `a store of the same model needs none`() throws {
    let arguments = ["check", "Kitchen.sqlite", "--against", "Guests.sqlite"]
    let run = try folder.run(arguments + ["--exit-code"])
    #expect(run.status == 0)
    #expect(run.output.contains("migration: none (the store can be opened unchanged)"))
    #expect(run.output.contains("identified by its version hashes"))
    let report = try json(arguments + ["--json"])
    #expect(report["migration"] as? String == "none")
    #expect(report["sameHashes"] as? Bool == true)
    #expect((report["version"] as? [String: String])?["by"] == "hashes")
  }

  @Test func `what is lost is to be decided, with numbers that sqlite3 counts`() throws {
    let arguments = ["check", "Kitchen.sqlite", "--against", "Next.xcdatamodel"]
    let run = try folder.run(arguments)
    #expect(run.status == 0)
    #expect(run.output.contains("migration: mapping (needs a decision)"))
    #expect(run.output.contains("note: the store was not created from “Next”"))
    let count = try Program.sqlite3(folder.folder.path("Kitchen.sqlite"), "SELECT count(*) FROM ZTAG")
    #expect(run.output.contains("Tag: removed: \(count) objects would be lost (Tag p1"))
    #expect(try folder.run(arguments + ["--exit-code"]).status == 21)
    let report = try json(arguments + ["--json"])
    let steps = try #require(report["steps"] as? [[String: Any]])
    let changes = try #require(steps.first?["changes"] as? [[String: Any]])
    let tag = try #require(changes.first { $0["subject"] as? String == "Tag" })
    #expect(tag["change"] as? String == "entity-removed")
    #expect(tag["asksFor"] as? String == "mapping")
    #expect(tag["count"] as? Int == Int(count))
    #expect(report["migration"] as? String == "mapping" && steps.count == 1)
  }

  @Test func `no value of an object is shown`() throws {
    let store = folder.folder.path("Kitchen.sqlite")
    let titles = try Program.sqlite3(store, "SELECT ZTITLE FROM ZRECIPE").split(separator: "\n")
    let run = try folder.run(["check", "Kitchen.sqlite", "--against", "Next.xcdatamodel"])
    #expect(titles.count > 5)
    for title in titles where title.count > 8 { #expect(!run.output.contains(title)) }
  }

  @Test func `quiet tells by the exit code alone`() throws {
    let run = try folder.run([
      "check", "Kitchen.sqlite", "--against", "Next.xcdatamodel", "--quiet", "--exit-code",
    ])
    #expect(run.status == 21 && run.output.isEmpty && run.errors.isEmpty)
  }

  @Test func `a store without model that no version explains is an answer`() throws {
    let store = folder.folder.path("Kitchen.sqlite")
    _ = try Program.sqlite3(store, "DELETE FROM Z_MODELCACHE")
    let arguments = ["check", "Kitchen.sqlite", "--against", "Next.xcdatamodel"]
    let run = try folder.run(arguments)
    #expect(run.status == 0)
    #expect(run.output.contains("migration: impossible"))
    #expect(run.output.contains("does not contain its model, and no version"))
    #expect(try folder.run(arguments + ["--exit-code"]).status == 12)
    let known = try folder.run(arguments + ["--model", "Guests.sqlite", "--exit-code"])
    #expect(known.status == 21)
  }

  @Test func `what cannot be answered is told like any other error`() throws {
    try folder.expect(["check", "None.sqlite", "--against", "Next.xcdatamodel"], 10, "no store")
    try folder.expect(["check", "Kitchen.sqlite", "--against", "None.momd"], 10, "no model")
    try folder.expect(["check", "Kitchen.sqlite"], 64, "--against")
    _ = try Program.sqlite3(folder.folder.path("plain.db"), "CREATE TABLE t (a)")
    try folder.expect(["check", "plain.db", "--against", "Next.xcdatamodel"], 64, "is not a Core Data store")
    try folder.expect(["check", "plain.db", "--against", "Next.xcdatamodel"], 64, "its kind is sqlite")
    try folder.expect(
      ["check", "Kitchen.sqlite", "--against", "Next.xcdatamodel", "--json", "--quiet"],
      64,
      "remove --json"
    )
  }
}
