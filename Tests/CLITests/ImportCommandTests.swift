import Foundation
import TestSupport
import Testing

@Suite struct ImportCommandTests {
  private let place: CommandFolder

  /// The guests' archive is `g.decant`.
  init() throws {
    place = try CommandFolder()
    let run = try place.run(["export", "Guests.sqlite", "g.decant", "-q"])
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `prints what came, and how to see it`() throws {
    let run = try place.run(["import", "g.decant", "Kitchen.sqlite"])
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(run.output.hasPrefix("g.decant → Kitchen.sqlite\n"))
    #expect(run.output.contains("to see it: decant query 'Kitchen.sqlite'"))
    let again = try place.run(["import", "g.decant", "Kitchen.sqlite"])
    #expect(again.output.contains("nothing to do: changed objects in “Kitchen.sqlite” are kept"))
    #expect(again.status == 0)
    let count = "SELECT count(*) FROM ZRECIPE"
    #expect(try Program.sqlite3(place.folder.path("Kitchen.sqlite"), count) == "16")
  }

  /// What is printed as the next step can be taken.
  @Test func `the query it names runs`() throws {
    let run = try place.run(["import", "g.decant", "it's new.sqlite"])
    let line = try #require(run.output.split(separator: "\n").last.map(String.init))
    let command = line.replacingOccurrences(of: "to see it: decant ", with: "\"$0\" ")
    let query = try Program.run(["sh", "-c", command, DecantProgram.path], in: place.url)
    #expect(query.status == 0, "\(query.errors)")
    #expect(!query.output.isEmpty)
  }

  @Test func `the report is one JSON document, of one archive or several`() throws {
    let one = try place.run(["import", "g.decant", "new.sqlite", "--json"])
    let report = try JSONSerialization.jsonObject(with: Data(one.output.utf8)) as? [String: Any]
    #expect(report?["verb"] as? String == "import")
    #expect((report?["entities"] as? [String: [String: Any]])?["Recipe"]?["copied"] as? Int == 5)
    #expect(report?["verified"] as? Bool == true)
    _ = try place.run(["export", "Kitchen.sqlite", "k.decant", "-q"])
    let two = try place.run(["import", "g.decant", "k.decant", "both.sqlite", "--json"])
    let reports = try JSONSerialization.jsonObject(with: Data(two.output.utf8)) as? [String: Any]
    #expect((reports?["archives"] as? [Any])?.count == 2)
    let count = "SELECT count(*) FROM ZRECIPE"
    #expect(try Program.sqlite3(place.folder.path("both.sqlite"), count) == "16")
  }

  /// A recipe is sent without its category, changed in a store that has nothing else, and comes back.
  @Test(arguments: ["import", "merge", "copy"])
  func `what comes back changed keeps what was never sent`(verb: String) throws {
    func run(_ arguments: String...) throws -> Program {
      let run = try place.run(arguments)
      #expect(run.status == 0, "\(arguments): \(run.errors)")
      return run
    }
    _ = try run("export", "Kitchen.sqlite", "sent.decant", "--root", "Recipe: title = 'Shakshuka'", "-q")
    _ = try run("import", "sent.decant", "friend.sqlite", "-q")
    _ = try run("export", "friend.sqlite", "untouched.decant", "-q")
    let title = "UPDATE ZRECIPE SET ZTITLE = 'Theirs'"
    _ = try Program.sqlite3(place.folder.path("friend.sqlite"), title)
    _ = try run("export", "friend.sqlite", "changed.decant", "-q")
    let state = "SELECT Z_PK, ZTITLE, ZCATEGORY FROM ZRECIPE ORDER BY 1"
    let kitchen = place.folder.path("Kitchen.sqlite")
    let before = try Program.sqlite3(kitchen, state)
    let options = ["--merge", "three-way", "--base", "sent.decant"]
    #expect(try place.run([verb, "untouched.decant", "Kitchen.sqlite"] + options).status == 0)
    #expect(try Program.sqlite3(kitchen, state) == before)
    for _ in 0..<2 {
      let back = try place.run([verb, "changed.decant", "Kitchen.sqlite"] + options)
      #expect(back.status == 0, "\(back.errors)")
      let changed = before.replacingOccurrences(of: "|Shakshuka|", with: "|Theirs|")
      #expect(changed != before)
      #expect(try Program.sqlite3(kitchen, state) == changed)
    }
    let count = "SELECT count(*) FROM ZINGREDIENT"
    #expect(try Program.sqlite3(kitchen, count) == "73")
  }

  @Test func `a new store may be named with its kind, as in a copy`() throws {
    for verb in ["import", "copy"] {
      let run = try place.run([verb, "g.decant", "coredata:\(verb).sqlite"])
      #expect(run.status == 0, "\(run.errors)")
      let count = "SELECT count(*) FROM ZRECIPE"
      #expect(try Program.sqlite3(place.folder.path("\(verb).sqlite"), count) == "5")
    }
    _ = try Program.sqlite3(place.folder.path("p.sqlite"), "CREATE TABLE t(a)")
    _ = try place.run(["export", "p.sqlite", "p.decant"])
    for verb in ["import", "copy"] {
      try place.expect([verb, "p.decant", "coredata:n.sqlite"], 64, "--template MODEL")
    }
  }

  @Test func `a dry run writes nothing`() throws {
    let before = (try place.names(), place.content("Kitchen.sqlite"))
    for store in ["Kitchen.sqlite", "new.sqlite"] {
      let run = try place.run(["import", "g.decant", store, "--dry-run"])
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(try place.names() == before.0)
    #expect(place.content("Kitchen.sqlite") == before.1)
  }

  @Test func `parts come by wildcard, and a missing one is named`() throws {
    _ = try Program.sqlite3(
      place.folder.path("Kitchen.sqlite"),
      "UPDATE ZIMAGE SET ZDATA = CAST(x'01' || randomblob(1500000) AS BLOB)"
    )
    let export = try place.run(["export", "Kitchen.sqlite", "k.decant", "--max-part", "3MiB"])
    #expect(export.output.contains("parts: k.1.decant to k."), "\(export.output)")
    let run = try Program.run(
      ["sh", "-c", "\"$0\" import k.*.decant new.sqlite -q", DecantProgram.path], in: place.url)
    #expect(run.status == 0, "\(run.errors)")
    try place.expect(["import", "k.1.decant", "k.3.decant", "other.sqlite"], 13, "part 2 is missing")
    #expect(place.content("other.sqlite") == nil)
  }

  // MARK: Exit codes

  @Test func `what is not there is exit code 10`() throws {
    let before = try place.names()
    try place.expect(["import", "nowhere.decant", "new.sqlite"], 10, "there is no")
    try place.expect(["import", "g.decant", "no/new.sqlite"], 10, "there is no folder “no”")
    #expect(try place.names() == before)
  }

  @Test func `what is no archive, or a damaged one, is exit code 13 and changes nothing`() throws {
    let whole = try #require(place.content("g.decant"))
    let damaged: [(String, Data)] = [
      ("text.decant", Data("Two cups of flour\n".utf8)), ("empty.decant", Data()),
      ("cut.decant", whole.dropLast(20)), ("half.decant", whole.prefix(whole.count / 2)),
      ("twice.decant", whole + whole), ("next.decant", Data(#"{"decant":2}"#.utf8) + Data([10])),
    ]
    for (name, bytes) in damaged {
      try bytes.write(to: place.url.appendingPathComponent(name))
    }
    let before = (try place.names(), place.content("Kitchen.sqlite"))
    for (name, _) in damaged {
      try place.expect(["import", name, "Kitchen.sqlite"], 13, "“\(name)”")
      try place.expect(["import", name, "new.sqlite"], 13, "“\(name)”")
      try place.expect(["import", "g.decant", name, "Kitchen.sqlite"], 13, "“\(name)”")
    }
    #expect(try place.names() == before.0)
    #expect(place.content("Kitchen.sqlite") == before.1)
  }

  @Test(arguments: [
    (["g.decant"], "name at least one archive"),
    (["-", "-", "new.sqlite"], "- is standard input: it can be given once"),
    (["g.decant", "-"], "- is standard input: it can be given once"),
    (["g.decant", "new.sqlite", "--resume"], "--resume requires --commit batch"),
    (["g.decant", "Kitchen.sqlite", "--where", "Recipes: 1"], "did you mean Recipe?"),
    (["g.decant", "Kitchen.sqlite", "--identity", "Recipe: uid"], "uuid"),
    (["g.decant", "Kitchen.sqlite", "--merge", "sometimes"], "sometimes"),
    (["g.decant", "new.sqlite", "--max-objects", "0"], "a limit must be at least 1"),
  ])
  func `a request that makes no sense is exit code 64`(arguments: [String], message: String) throws {
    let before = (try place.names(), place.content("Kitchen.sqlite"))
    try place.expect(["import"] + arguments, 64, message)
    #expect(try place.names() == before.0)
    #expect(place.content("Kitchen.sqlite") == before.1)
  }

  @Test(arguments: [
    (["--max-objects", "60"], "--max-objects"), (["--max-line", "1KiB"], "--max-line"),
    (["--max-bytes", "10KiB"], "--max-bytes"), (["--max-depth", "2"], "--max-depth"),
  ])
  func `each limit holds, and is named`(arguments: [String], name: String) throws {
    let before = (try place.names(), place.content("Kitchen.sqlite"))
    try place.expect(["import", "g.decant", "Kitchen.sqlite"] + arguments, 13, name)
    #expect(try place.names() == before.0)
    #expect(place.content("Kitchen.sqlite") == before.1)
  }

  @Test func `what is cut off is saved as far as it goes when asked to`() throws {
    let whole = try #require(place.content("g.decant"))
    try whole.prefix(whole.count * 9 / 10).write(to: place.url.appendingPathComponent("cut.decant"))
    let run = try place.run(["import", "cut.decant", "new.sqlite", "--salvage"])
    #expect(run.status == 0 || run.status == 3, "\(run.errors)")
    #expect(run.output.contains("note:"), "\(run.output)")
    let lines = String(decoding: whole.prefix(whole.count * 9 / 10), as: UTF8.self)
      .split(separator: "\n").dropLast()
    for (entities, table) in [
      (["Category"], "ZCATEGORY"), (["RecipeImage", "StepImage"], "ZIMAGE"), (["Step"], "ZSTEP"),
    ] {
      let count = try Program.sqlite3(place.folder.path("new.sqlite"), "SELECT count(*) FROM \(table)")
      let expected = entities.reduce(0) { sum, entity in
        sum + lines.count { $0.hasPrefix(#"{"e":"\#(entity)","#) }
      }
      #expect(Int(count) == expected, "\(table)")
    }
    #expect(try Program.sqlite3(place.folder.path("new.sqlite"), "PRAGMA integrity_check") == "ok")
  }

  @Test func `rejected objects that a file has nothing of are told`() throws {
    let folder = try CommandFolder()
    _ = try Program.sqlite3(folder.folder.path("Kitchen.sqlite"), "UPDATE ZTAG SET Z_ENT = 77 WHERE Z_PK = 2")
    let copy = try folder.run([
      "copy", "Kitchen.sqlite", "new.sqlite", "--on-error", "reject", "--rejects", "r.decant",
    ])
    #expect(copy.status == 3)
    let run = try folder.run(["import", "r.decant", "new.sqlite"])
    #expect(run.status == 3)
    #expect(run.output.contains("unreadable:\n  r.decant, Tag p2: the file contains only the reason, contract: "))
    #expect(run.output.contains("nothing was added"))
    #expect(!run.output.contains("has all of it already"))
    #expect(run.output.contains("note: 1 rejected object of “r.decant” was skipped"))
  }
}
