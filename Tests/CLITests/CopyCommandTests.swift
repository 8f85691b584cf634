import Foundation
import TestSupport
import Testing

@Suite struct CopyCommandTests {
  private let place: CommandFolder

  init() throws { place = try CommandFolder() }

  @Test(arguments: [
    (["Kitchen.sqlite", "out.sqlite"], "copy-new.txt"),
    (["Guests.sqlite", "Kitchen.sqlite", "--append"], "copy-append.txt"),
    (["Guests.sqlite", "Kitchen.sqlite", "--append", "--dry-run", "--verbose"], "copy-dry-run.txt"),
    (["Kitchen.sqlite", "out.sqlite", "--where", "Category: name <> 'Soups'"], "copy-where.txt"),
    (["Kitchen.sqlite", "out.sqlite", "--no-verify"], "copy-unproven.txt"),
  ])
  func `prints what it did when it was found right`(_ arguments: [String], _ golden: String) throws {
    let run = try place.run(["copy"] + arguments)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    try GoldenText.expect(CommandFolder.lasting(run.output), golden)
  }

  @Test func `objects that were left out give an exit code of their own`() throws {
    _ = try Program.sqlite3(place.folder.path("Kitchen.sqlite"), "CREATE UNIQUE INDEX one ON ZTAG (ZNAME)")
    let run = try place.run([
      "copy", "Guests.sqlite", "Kitchen.sqlite", "--append", "--on-error", "reject", "--rejects",
      "rejects.decant",
    ])
    #expect(run.status == 3)
    #expect(run.errors.isEmpty)
    try GoldenText.expect(CommandFolder.lasting(run.output), "copy-reject.txt")
    let lines = String(decoding: place.content("rejects.decant") ?? Data(), as: UTF8.self)
      .split(separator: "\n").filter { $0.contains("\"reject\":") }
    #expect(lines.count == 1)
    let reject = try JSONSerialization.jsonObject(with: Data((lines.first ?? "").utf8))
    #expect((reject as? [String: Any])?["e"] as? String == "Tag")
  }

  @Test func `nothing is written by a dry run`() throws {
    let before = ["Guests.sqlite", "Kitchen.sqlite"].map(place.content)
    _ = try place.run(["copy", "Guests.sqlite", "Kitchen.sqlite", "--append", "--dry-run"])
    _ = try place.run(["copy", "Guests.sqlite", "out.sqlite", "--dry-run"])
    #expect(["Guests.sqlite", "Kitchen.sqlite"].map(place.content) == before)
    #expect(try place.names() == ["Guests.sqlite", "Kitchen.sqlite"])
  }

  @Test(arguments: ["copy", "merge"])
  func `a dry run prints statements only where they are asked for`(_ verb: String) throws {
    let arguments =
      [verb, "Guests.sqlite", "Kitchen.sqlite", "--dry-run"]
      + (verb == "copy" ? ["--append"] : [])
    let short = try place.run(arguments)
    #expect(short.status == 0)
    #expect(short.output.contains("Ingredient") && !short.output.contains("INSERT"))
    let long = try place.run(arguments + ["-v"])
    #expect(long.output.contains("INSERT OR ABORT INTO"))
    let wrong = try place.run([verb, "Guests.sqlite", "Kitchen.sqlite", "--verbose"])
    #expect(wrong.status == 64 && wrong.errors.contains("--dry-run"))
  }

  @Test(arguments: [false, true])
  func `the report is one JSON document of known members`(isDryRun: Bool) throws {
    let run = try place.run(
      [
        "copy", "Guests.sqlite", "Kitchen.sqlite", "--append", "--json", "--keep-ids",
        "ids.sqlite",
      ] + (isDryRun ? ["--dry-run"] : [])
    )
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let report = try #require(document as? [String: Any])
    #expect(report["decant"] as? String == "1.0")
    #expect(report["verb"] as? String == "copy")
    let source = try #require(report["source"] as? [String: Any])
    #expect(source["kind"] as? String == "coredata")
    #expect(source["place"] as? String == "Guests.sqlite")
    #expect(source["fingerprint"] is String)
    let uuid = "SELECT Z_UUID FROM Z_METADATA"
    #expect(try source["uuid"] as? String == Program.sqlite3(place.folder.path("Guests.sqlite"), uuid))
    let destination = try #require(report["destination"] as? [String: Any])
    #expect(destination["place"] as? String == "Kitchen.sqlite")
    #expect(
      try destination["uuid"] as? String
        == Program.sqlite3(place.folder.path("Kitchen.sqlite"), uuid)
    )
    let entities = try #require(report["entities"] as? [String: [String: Any]])
    let recipe = try #require(entities["Recipe"])
    for member in ["source", "copied", "updated", "skipped", "filtered", "rejected"] {
      #expect(recipe[member] is Int, "\(member)")
    }
    #expect(recipe["source"] as? Int == 5)
    #expect(recipe["copied"] as? Int == 5)
    #expect(isDryRun ? recipe["hash"] is NSNull : recipe["hash"] is String)
    #expect(isDryRun ? recipe["bytes"] is NSNull : recipe["bytes"] is Int)
    let links = try #require(report["links"] as? [String: Int])
    #expect(links == ["copied": 68, "cut": 0, "dangling": 0])
    let byRelationship = try #require(report["linksByRelationship"] as? [String: [String: Int]])
    #expect(byRelationship["Recipe.tags"] == ["copied": 8, "cut": 0, "dangling": 0])
    // A one-to-one link is stored, and shown, at both its ends: 4 covers.
    #expect(byRelationship.values.reduce(0) { $0 + ($1["copied"] ?? 0) } == 68 + 4)
    #expect(report["files"] as? [String: Int] == ["copied": 0, "missing": 0])
    let phases = try #require(report["phases"] as? [String: Double])
    let known: Set = ["read", "resolve", "copy", "index", "check", "publish"]
    #expect(isDryRun ? Set(phases.keys) == ["read", "resolve"] : Set(phases.keys) == known)
    #expect(report["peakMemoryBytes"] is Int)
    #expect(report["verified"] as? Bool == !isDryRun)
    #expect(report["dryRun"] as? Bool == isDryRun)
    #expect(report["idTable"] as? String == (isDryRun ? nil : "ids.sqlite"))
    let plan = report["plan"] as? [[String: Any]]
    #expect(plan?.isEmpty == !isDryRun)
    for step in plan ?? [] {
      #expect(step["step"] is String && step["rows"] is Int && step["statement"] is String)
      #expect(step["ids"] is String || step["ids"] is NSNull)
    }
  }

  @Test func `quiet says nothing, and the copy is made`() throws {
    let run = try place.run(["copy", "Kitchen.sqlite", "out.sqlite", "--quiet"])
    #expect(run.status == 0)
    #expect(run.output.isEmpty && run.errors.isEmpty)
    let count = "SELECT count(*) FROM ZRECIPE"
    #expect(try Program.sqlite3(place.folder.path("out.sqlite"), count) == "12")
  }

  @Test func `progress as JSON is one event a line`() throws {
    let run = try place.run(["copy", "Kitchen.sqlite", "out.sqlite", "--progress", "json"])
    let events = try run.errors.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(events.first?["event"] as? String == "phase")
    #expect(events.last?["event"] as? String == "finished")
    #expect(events.last?["copied"] as? Int == 147)
    let known: Set = ["phase", "planned", "progress", "note", "finished"]
    #expect(events.allSatisfy { known.contains($0["event"] as? String ?? "") })
  }

  // MARK: Exit codes

  @Test func `what is not there is exit code 10`() throws {
    try place.expect(["copy", "nowhere.sqlite", "out.sqlite"], 10, "there is no store at")
    try place.expect(["copy", "Kitchen.sqlite", "no/out.sqlite"], 10, "there is no folder “no”")
    try place.expect(["copy", "Kitchen.sqlite", "out/"], 64, "“out/” is a folder")
    for name in [":memory:", "sqlite::memory:", "coredata:file:x?mode=memory"] {
      try place.expect(["copy", "Kitchen.sqlite", name], 64, "is an in-memory database")
    }
    try place.expect(["copy", "Kitchen.sqlite", "sqlite:file:x.db"], 64, "is a URI")
  }

  @Test func `a destination that another process holds is exit code 11`() throws {
    let before = place.content("Kitchen.sqlite")
    let holder = try LockHolder(place.folder.path("Kitchen.sqlite"))
    try place.expect(["copy", "Guests.sqlite", "Kitchen.sqlite", "--append"], 11, "is in use by another process")
    holder.release()
    #expect(place.content("Kitchen.sqlite") == before)
  }

  @Test func `what needs a model asks for one`() throws {
    _ = try Program.sqlite3(place.folder.path("Kitchen.sqlite"), "DELETE FROM Z_MODELCACHE")
    let copy = ["copy", "Kitchen.sqlite"]
    let message = "“Kitchen.sqlite” does not contain its model"
    try place.expect(copy + ["out.sqlite", "--where", "Recipe: 1"], 12, message)
    try place.expect(copy + ["out.sqlite", "--on-error", "reject"], 12, message)
    try place.expect(copy + ["Guests.sqlite", "--append"], 12, message)
    try place.expect(["copy", "Guests.sqlite", "Kitchen.sqlite", "--append"], 12, message)
    #expect(try place.names() == ["Guests.sqlite", "Kitchen.sqlite"])
    let run = try place.run(copy + ["out.sqlite"])
    #expect(run.status == 0)
    #expect(run.output.contains("links   unchanged"))
    #expect(run.output.contains("note: \(message): it is read table by table"))
    let rows = "SELECT * FROM ZINGREDIENT ORDER BY 1"
    #expect(
      try Program.sqlite3(place.folder.path("out.sqlite"), rows, isQuoted: true)
        == Program.sqlite3(place.folder.path("Kitchen.sqlite"), rows, isQuoted: true)
    )
  }

  @Test func `what is no store is exit code 13`() throws {
    try Data("Two cups of flour\n".utf8).write(to: place.url.appendingPathComponent("text.txt"))
    try place.expect(["copy", "text.txt", "out.sqlite"], 13, "file is not a database")
    try place.expect(["copy", "Kitchen.sqlite", "text.txt"], 13, "file is not a database")
    #expect(place.content("text.txt") == Data("Two cups of flour\n".utf8))
  }

  @Test(arguments: [
    (["Kitchen.sqlite", "out.sqlite", "--upwards"], "Unknown option '--upwards'"),
    (["Kitchen.sqlite"], "Missing expected argument"),
    (["Kitchen.sqlite", "mysql:x.db"], "unknown kind of store “mysql”"),
    (["mysql:x.db", "out.sqlite"], "unknown kind of store “mysql”"),
    (["Kitchen.sqlite", "-"], "cannot be a pipe"),
    (["-", "out.sqlite"], "cannot be a pipe"),
    (["Kitchen.sqlite", "x.csv"], "is not a database file name"),
    (["Kitchen.sqlite", "Kitchen.sqlite"], "is the source itself"),
    (["Kitchen.sqlite", "Guests.sqlite"], "already holds"),
    (["Kitchen.sqlite", "out.sqlite", "--where", "Recipes: 1"], "did you mean Recipe?"),
    (["Kitchen.sqlite", "out.sqlite", "--where", "Recipe: ratng > 3"], "did you mean rating?"),
    (["Kitchen.sqlite", "out.sqlite", "--where", "Recipe"], "write the condition as"),
    (["Kitchen.sqlite", "Guests.sqlite", "--append", "--resume"], "--resume requires"),
    (["Kitchen.sqlite", "out.sqlite", "--resume", "--restart"], "cannot be combined"),
    (["Kitchen.sqlite", "out.sqlite", "--rejects", "list.txt"], "use both"),
    (["Kitchen.sqlite", "out.sqlite", "--batch-size", "0"], "must be at least 1"),
    (["Kitchen.sqlite", "out.sqlite", "--keep-ids", "Kitchen.sqlite"], "Kitchen.sqlite"),
    (["Kitchen.sqlite", "out.sqlite", "--keep-ids", "out.sqlite"], "given for two different files"),
    (["Kitchen.sqlite", "out.sqlite", "--keep-ids", "./out.sqlite"], "given for two different files"),
    (["Kitchen.sqlite", "out.sqlite", "--keep-ids", "out.sqlite-wal"], "given for two different files"),
    (["Kitchen.sqlite", "out.sqlite", "--keep-ids", "notes.txt"], "would be overwritten"),
  ])
  func `a request that makes no sense is exit code 64`(arguments: [String], message: String) throws {
    try Data("Two cups of flour\n".utf8).write(to: place.url.appendingPathComponent("notes.txt"))
    let files = ["Guests.sqlite", "Kitchen.sqlite", "notes.txt"]
    let before = files.map(place.content)
    try place.expect(["copy"] + arguments, 64, message)
    #expect(files.map(place.content) == before)
    #expect(try place.names() == files)
  }

  @Test func `Ctrl-C stops the copy after the batch at hand, and it can be resumed`() throws {
    try place.makeLargeStore()
    let copy = [
      DecantProgram.path, "copy", "Large.sqlite", "out.sqlite", "--where", "Recipe: 1",
      "--batch-size", "5", "--progress", "json",
    ]
    let run = try RunningProgram(copy, in: place.url, output: .null, errors: .pipe)
    let copying = "\"event\":\"progress\",\"phase\":\"copy\""
    let said = run.wait(for: copying)
    #expect(said.contains(copying), "\(said)")
    run.send(SIGINT)
    let (status, rest) = run.end()
    #expect(status == 130)
    #expect(rest.contains("decant: the copy was interrupted"))
    #expect(rest.contains("--resume"))
    #expect(place.content("out.sqlite") == nil)
    #expect(place.content("out.sqlite.decant-partial") != nil)
    let resumed = try place.run(Array(copy.dropFirst().dropLast(4)) + ["--resume", "-q"])
    #expect(resumed.status == 0, "\(resumed.errors)")
    let rows = "SELECT * FROM ZINGREDIENT ORDER BY Z_PK"
    #expect(
      try Program.sqlite3(place.folder.path("out.sqlite"), rows)
        == Program.sqlite3(place.folder.path("Large.sqlite"), rows)
    )
  }

  @Test func `a reader that has gone away is no error`() throws {
    let run = try Program.run(
      ["bash", "-c", "\"$0\" copy Kitchen.sqlite out.sqlite | true; echo ${PIPESTATUS[0]}"]
        + [DecantProgram.path],
      in: place.url
    )
    #expect(run.output == "0\n")
    #expect(run.errors.isEmpty)
  }

  @Test func `a result that cannot be written is exit code 1, and the copy is there`() throws {
    let run = try Program.run(
      ["bash", "-c", "\"$0\" copy Kitchen.sqlite out.sqlite > /dev/full"]
        + [DecantProgram.path],
      in: place.url
    )
    #expect(run.status == 1)
    #expect(run.errors.contains("decant: cannot write the report"))
    #expect(place.content("out.sqlite") != nil)
  }

  @Test(arguments: [
    ("\"$0\" copy Kitchen.sqlite $'K\\xfcche.sqlite'", Int32(64), "is not valid UTF-8"),
    ("ulimit -f 20; \"$0\" copy Kitchen.sqlite big.sqlite", 1, "I/O error"),
  ])
  func `what the system does not allow is an error, and leaves nothing`(
    command: String,
    status: Int32,
    message: String
  ) throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: place.url.path)
    let run = try Program.run(["bash", "-c", command, DecantProgram.path], in: place.url)
    #expect(run.status == status && run.errors.contains(message), "\(run.errors)")
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: place.url.path)) == Set(before))
  }

  /// A kill after the pages were copied leaves a whole database without the tables by which a copy is resumed.
  @Test func `resume says that a copy of pages starts over`() throws {
    let pages = place.folder.path("out.sqlite.decant-partial")
    try FileManager.default.copyItem(atPath: place.folder.path("Kitchen.sqlite"), toPath: pages)
    let run = try place.run(["copy", "Kitchen.sqlite", "out.sqlite", "--resume"])
    #expect(run.status == 0)
    #expect(run.output.contains("note: the copy starts over: "), "\(run.output)")
    #expect(try place.run(["diff", "Kitchen.sqlite", "out.sqlite"]).status == 0)
    let again = try place.run(["copy", "Kitchen.sqlite", "next.sqlite", "--resume"])
    #expect(again.status == 0 && !again.output.contains("starts over"))
  }

  @Test func `memory is a size of at least 1 MiB, and changes nothing of what is copied`() throws {
    try place.expect(["copy", "Kitchen.sqlite", "out.sqlite", "--memory", "4kB"], 64, "at least 1 MiB")
    try place.expect(["copy", "Kitchen.sqlite", "out.sqlite", "--memory", "much"], 64, "is not a size")
    var dumps: Set<String> = []
    for size in ["1MiB", "1GiB"] {
      let arguments = [
        "copy", "Guests.sqlite", "\(size).sqlite", "--where", "Recipe: 1", "--memory", size,
      ]
      #expect(try place.run(arguments).status == 0)
      dumps.insert(
        try Program.sqlite3(place.folder.path("\(size).sqlite"), "SELECT * FROM ZRECIPE; SELECT * FROM ZSTEP")
      )
    }
    #expect(dumps.count == 1)
  }
}
