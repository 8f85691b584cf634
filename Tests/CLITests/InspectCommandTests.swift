import Foundation
import TestSupport
import Testing

@Suite struct InspectCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["Kitchen.sqlite", "SyncMetadata.sqlite"] {
      let sample = Fixtures.projectFolder.appendingPathComponent("samples/\(name)")
      try Data(contentsOf: sample).write(to: folder.url.appendingPathComponent(name))
    }
  }

  @Test(arguments: [
    (["Kitchen.sqlite"], "inspect-kitchen.txt"),
    (["SyncMetadata.sqlite"], "inspect-sync-metadata.txt"),
    (["Kitchen.sqlite", "--entity", "Recipe", "--entity", "Image"], "inspect-entities.txt"),
    (["SyncMetadata.sqlite", "--verbose"], "inspect-verbose.txt"),
    (["SyncMetadata.sqlite", "--json"], "inspect.json"),
    (["Kitchen.sqlite", "--fast"], "inspect-fast.txt"),
  ])
  func `prints what it did when it was found right`(_ arguments: [String], _ golden: String) throws {
    let run = try Program.run([DecantProgram.path, "inspect"] + arguments, in: folder.url)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    try GoldenText.expect(run.output, golden)
  }

  @Test(arguments: ["Kitchen.sqlite", "SyncMetadata.sqlite", "plain.db"])
  func `a fast inspection counts the same objects and claims nothing else`(store: String) throws {
    _ = try Program.sqlite3(
      folder.path("plain.db"),
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, t TEXT UNIQUE); CREATE TABLE b (id INTEGER PRIMARY KEY, a REFERENCES a);
      INSERT INTO a VALUES (1, 'x'), (7, 'y'); INSERT INTO b VALUES (1, 7), (2, 99); CREATE TABLE c (t TEXT, u TEXT)
      """
    )
    let (all, fast) = (try document(store), try document(store, "--fast"))
    #expect(all["complete"] as? Bool == true && fast["complete"] as? Bool == false)
    for member in ["objects", "triggers", "uuid", "otherTables", "appMetadataKeys", "syncMetadata", "framework"] {
      #expect(all[member] as? NSObject == fast[member] as? NSObject, "\(member)")
    }
    for member in ["links", "linkEnds", "dangling", "externalFiles", "integrity", "problems"] {
      #expect(!(all[member] is NSNull) && fast[member] is NSNull, "\(member)")
    }
    let entities = try [all, fast].map { document in
      try #require((document["model"] as? [String: Any])?["entities"] as? [[String: Any]])
    }
    #expect(!entities[0].isEmpty && entities[0].count == entities[1].count)
    for (one, other) in zip(entities[0], entities[1]) {
      #expect(one["name"] as? String == other["name"] as? String)
      #expect(one["objects"] as? Int == other["objects"] as? Int)
      #expect(one["bytes"] is Int && other["bytes"] is NSNull)
      for (property, unknown) in [("attributes", ["values", "bytes"]), ("relationships", ["links", "dangling"])] {
        for part in try #require(other[property] as? [[String: Any]]) {
          #expect(unknown.allSatisfy { part[$0] is NSNull })
        }
      }
    }
  }

  private func document(_ arguments: String...) throws -> [String: Any] {
    let run = try Program.run([DecantProgram.path, "inspect"] + arguments + ["--json"], in: folder.url)
    #expect(run.status == 0)
    return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  @Test(arguments: [("Kitchen.decant", "archive"), ("Soup.melarecipe", "mela")])
  func `an archive and a recipe file are called what they are`(_ name: String, _ kind: String) throws {
    let file = folder.url.appendingPathComponent(name)
    if kind == "archive" {
      _ = try DecantProgram.run("export", "Kitchen.sqlite", name, in: folder.url)
    } else {
      let sample = Fixtures.projectFolder.appendingPathComponent("samples/\(name)")
      try Data(contentsOf: sample).write(to: file)
    }
    let run = try DecantProgram.run("inspect", name, "--json", in: folder.url)
    let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let members = try #require(document as? [String: Any])
    let size = try #require(members["size"] as? [String: Any])
    #expect(members["kind"] as? String == kind)
    #expect(size["database"] as? Int == (try Data(contentsOf: file)).count)
    #expect(size["page"] is NSNull)
    let text = try DecantProgram.run("inspect", name, in: folder.url).output
    #expect(!text.contains("in pages of"))
  }

  @Test func `the JSON is one document`() throws {
    let run = try DecantProgram.run("inspect", "SyncMetadata.sqlite", "--json", in: folder.url)
    let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let members = try #require(document as? [String: Any])
    #expect(members["decant"] as? String == "1.0")
    #expect(members["verb"] as? String == "inspect")
    #expect(members["kind"] as? String == "coredata")
    #expect(members["objects"] as? Int == 31)
  }

  @Test func `reading changes nothing`() throws {
    let file = folder.url.appendingPathComponent("Kitchen.sqlite")
    let before = try Data(contentsOf: file)
    _ = try DecantProgram.run("inspect", "Kitchen.sqlite", in: folder.url)
    #expect(try Data(contentsOf: file) == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(names.sorted() == ["Kitchen.sqlite", "SyncMetadata.sqlite"])
  }

  @Test func `what is no store has an exit code of its own`() throws {
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("folder"),
      withIntermediateDirectories: false
    )
    try Data("Two cups of flour\n".utf8).write(to: folder.url.appendingPathComponent("text.txt"))
    try Data().write(to: folder.url.appendingPathComponent("empty.sqlite"))
    _ = try Program.sqlite3(folder.path("plain.db"), "CREATE TABLE recipe (id, title)")
    try expect("nowhere.sqlite", 10, "there is no store at “nowhere.sqlite”")
    try expect("folder", 13, "“folder” is a folder, not a store")
    try expect("/dev/null", 13, "“/dev/null” is not a regular file")
    try expect("text.txt", 13, "cannot open “text.txt”: file is not a database")
    try expect("empty.sqlite", 13, "“empty.sqlite” is empty")
    try expect("coredata:plain.db", 13, "table Z_PRIMARYKEY is missing")
  }

  /// SQLite takes a file of one byte for an empty database.
  @Test(arguments: [1, 2, 16, 50, 99, 100, 511])
  func `what is too short for a database is damage to every verb that reads`(count: Int) throws {
    let folder = try CommandFolder()
    let whole = try #require(folder.content("Kitchen.sqlite"))
    try whole.prefix(count).write(to: folder.url.appendingPathComponent("cut.db"))
    let before = try folder.names()
    for arguments in [
      ["inspect", "cut.db"], ["inspect", "sqlite:cut.db"], ["inspect", "coredata:cut.db"],
      ["copy", "cut.db", "new.db"], ["copy", "cut.db", "new.db", "--private-copy"],
      ["copy", "Kitchen.sqlite", "cut.db"], ["merge", "cut.db", "Kitchen.sqlite"],
      ["merge", "Kitchen.sqlite", "cut.db"], ["export", "cut.db", "new.decant"],
      ["import", "cut.db", "new.db"], ["query", "cut.db", "SELECT 1"],
      ["verify", "cut.db", "Kitchen.sqlite"], ["verify", "Kitchen.sqlite", "cut.db"],
      ["diff", "cut.db", "Kitchen.sqlite"], ["check", "cut.db", "--against", "Kitchen.sqlite"],
      ["clean", "cut.db", "--what", "history"],
      ["migrate", "cut.db", "--to", "Kitchen.sqlite"],
    ] {
      try folder.expect(arguments, 13, "cut.db")
      #expect(try folder.names() == before, "\(arguments)")
    }
  }

  @Test(arguments: [[], ["--json"]])
  func `a store without model is told by its tables`(_ options: [String]) throws {
    _ = try Program.sqlite3(folder.path("Kitchen.sqlite"), "UPDATE Z_MODELCACHE SET Z_CONTENT = NULL")
    let run = try Program.run([DecantProgram.path, "inspect", "Kitchen.sqlite"] + options, in: folder.url)
    #expect(run.status == 0)
    try GoldenText.expect(run.output, options.isEmpty ? "inspect-tables.txt" : "inspect-tables.json")
  }

  @Test func `a store that somebody writes to is busy`() throws {
    let holder = try LockHolder(folder.path("Kitchen.sqlite"), statement: "BEGIN EXCLUSIVE; SELECT 1")
    try expect("Kitchen.sqlite", 11, "locked")
    holder.release()
  }

  @Test func `an entity that is not there is named again`() throws {
    let run = try DecantProgram.run("inspect", "Kitchen.sqlite", "--entity", "Recipes", in: folder.url)
    #expect(run.status == 64)
    #expect(run.errors.contains("did you mean Recipe?"))
  }

  private func expect(
    _ store: String,
    _ status: Int32,
    _ message: String,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let run = try DecantProgram.run("inspect", store, in: folder.url)
    #expect(run.status == status, sourceLocation: location)
    #expect(run.errors.hasPrefix("decant: "), sourceLocation: location)
    #expect(run.errors.contains(message), sourceLocation: location)
    #expect(run.output.isEmpty, sourceLocation: location)
  }
}
