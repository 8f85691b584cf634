import Foundation
import TestSupport
import Testing

@Suite struct ExportCommandTests {
  private let place: CommandFolder

  init() throws { place = try CommandFolder() }

  @Test func `prints what is in the archive when it was read again`() throws {
    let run = try place.run(["export", "Kitchen.sqlite", "k.decant"])
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(run.output.hasPrefix("Kitchen.sqlite → k.decant\n"))
    #expect(run.output.contains("verified: the archive was read back and is complete"))
    #expect(
      try ArchiveScript.faults(in: [place.folder.path("k.decant")], from: place.folder.path("Kitchen.sqlite")) == []
    )
    #expect(try place.names() == ["Guests.sqlite", "Kitchen.sqlite", "k.decant"])
  }

  @Test(arguments: ["k.html", "k.eml", String(repeating: "long ", count: 40) + "name.eml"])
  func `a page or a mail that lacks nothing has no note`(name: String) throws {
    let run = try place.run(["export", "Kitchen.sqlite", name, "--with-notes"])
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(run.output.contains("verified") && !run.output.contains("note:"), "\(run.output)")
  }

  @Test func `standard output belongs to the archive alone`() throws {
    let run = try Program.run(
      ["sh", "-c", "\"$0\" export Kitchen.sqlite - > piped", DecantProgram.path], in: place.url)
    #expect(run.status == 0)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("Kitchen.sqlite → -"))
    #expect(try ArchiveScript.faults(in: [place.folder.path("piped")], from: place.folder.path("Kitchen.sqlite")) == [])
    let quiet = try Program.run(
      ["sh", "-c", "\"$0\" export Kitchen.sqlite - -q | tail -1", DecantProgram.path],
      in: place.url
    )
    #expect(quiet.errors.isEmpty)
    #expect(quiet.output.hasPrefix(#"{"end":true"#))
  }

  @Test func `from one decant into another, nothing is lost`() throws {
    let run = try Program.run(
      [
        "sh", "-c", "\"$0\" export Kitchen.sqlite - -q | \"$0\" import - new.sqlite",
        DecantProgram.path,
      ],
      in: place.url
    )
    #expect(run.status == 0, "\(run.errors)")
    for table in ["ZRECIPE", "ZIMAGE", "ZINGREDIENT", "ZSTEP", "ZTAG", "ZCATEGORY", "Z_6TAGS"] {
      #expect(
        try StoredRows.of(place.folder.path("new.sqlite"), table)
          == StoredRows.of(place.folder.path("Kitchen.sqlite"), table)
      )
    }
  }

  @Test func `a reader that has gone away has no archive`() throws {
    let run = try Program.run(
      [
        "bash", "-c", "{ sleep 0.5; \"$0\" export Kitchen.sqlite - -q; } | :; echo ${PIPESTATUS[0]}",
        DecantProgram.path,
      ],
      in: place.url
    )
    #expect(run.output == "1\n", "\(run.output)")
    #expect(run.errors.contains("the reader of standard output closed the pipe: the archive is incomplete"))
  }

  @Test func `an archive that cannot be written is exit code 1`() throws {
    let run = try Program.run(
      ["bash", "-c", "\"$0\" export Kitchen.sqlite - -q > /dev/full", DecantProgram.path],
      in: place.url
    )
    #expect(run.status == 1)
    #expect(run.errors.contains("standard output"), "\(run.errors)")
  }

  @Test func `a dry run writes nothing`() throws {
    let before = ["Guests.sqlite", "Kitchen.sqlite"].map(place.content)
    let run = try place.run(["export", "Kitchen.sqlite", "k.decant", "--dry-run"])
    #expect(run.status == 0)
    #expect(run.output.hasSuffix("nothing was written\n"))
    #expect(["Guests.sqlite", "Kitchen.sqlite"].map(place.content) == before)
    #expect(try place.names() == ["Guests.sqlite", "Kitchen.sqlite"])
  }

  @Test func `a condition leaves objects out, and links to them are counted`() throws {
    let run = try place.run([
      "export", "Kitchen.sqlite", "k.decant", "--where", "Category: name <> 'Soups'", "--json",
    ])
    #expect(run.status == 0, "\(run.errors)")
    let report = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    #expect(report?["verb"] as? String == "export")
    let entities = report?["entities"] as? [String: [String: Any]]
    #expect(entities?["Category"]?["filtered"] as? Int == 1)
    let cut = try Program.sqlite3(
      place.folder.path("Kitchen.sqlite"),
      "SELECT count(*) FROM ZRECIPE WHERE ZCATEGORY = (SELECT Z_PK FROM ZCATEGORY WHERE ZNAME = 'Soups')"
    )
    #expect((report?["links"] as? [String: Int])?["cut"] == Int(cut))
    // Nothing in the archive leads to what is not in it.
    #expect(try ArchiveScript.faults(in: [place.folder.path("k.decant")]) == [])
  }

  /// What a reader gives new keys by is in the header, whatever names the objects of a table.
  @Test func `the last number in the header is the highest of the objects`() throws {
    _ = try Program.sqlite3(
      place.folder.path("p.sqlite"),
      """
      CREATE TABLE plain(id INTEGER PRIMARY KEY, v); INSERT INTO plain VALUES (1, 2), (70, 3);
      CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT, v);
      INSERT INTO counted VALUES (5, 1), (30, 2); DELETE FROM counted WHERE id = 30;
      CREATE TABLE bare(v); INSERT INTO bare(rowid, v) VALUES (500, 1), (2, 1);
      CREATE TABLE word(k TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO word VALUES ('a'), ('b'), ('c');
      CREATE TABLE pair(a, b, PRIMARY KEY (a, b)) WITHOUT ROWID; INSERT INTO pair VALUES (7, 8);
      CREATE TABLE hidden(rowid TEXT, _rowid_ TEXT, oid TEXT); INSERT INTO hidden VALUES (1, 2, 3), (4, 5, 6);
      """
    )
    #expect(try place.run(["export", "p.sqlite", "p.decant"]).status == 0)
    let script = """
      import json, sys
      lines = [json.loads(line) for line in open(sys.argv[1])]
      highest = {}
      for line in lines:
          if "e" in line: highest[line["e"]] = max(highest.get(line["e"], line["id"]), line["id"])
      print(sorted(highest), {e: (lines[0]["lastIDs"].get(e), id) for e, id in highest.items() if lines[0]["lastIDs"].get(e) != id})
      """
    let run = try Program.run(["python3", "-c", script, place.folder.path("p.decant")])
    #expect(run.output == "['bare', 'counted', 'hidden', 'pair', 'plain', 'word'] {}\n")
  }

  // MARK: Exit codes

  @Test func `a column without a name is refused before anything is written`() throws {
    _ = try Program.sqlite3(place.folder.path("odd.db"), #"CREATE TABLE t (id INTEGER PRIMARY KEY, "" TEXT)"#)
    let names = try place.names()
    try place.expect(["export", "odd.db", "odd.decant"], 1, "t has a column without a name")
    #expect(try place.names() == names)
  }

  @Test func `what is not there is exit code 10, and leaves nothing`() throws {
    try place.expect(["export", "nowhere.sqlite", "k.decant"], 10, "there is no store at")
    try place.expect(["export", "Kitchen.sqlite", "no/k.decant"], 10, "there is no folder “no”")
    #expect(try place.names() == ["Guests.sqlite", "Kitchen.sqlite"])
  }

  @Test(arguments: [
    (["Kitchen.sqlite"], "Missing expected argument"),
    (["Kitchen.sqlite", "k.tar"], "is not an archive name"),
    (["Kitchen.sqlite", "there.decant"], "already exists"),
    (["Kitchen.sqlite", "k.decant", "--level", "3"], "no compression has no levels"),
    (["Kitchen.sqlite", "k.decant.gz", "--level", "77"], "use 1 to 9"),
    (["Kitchen.sqlite", "k.decant", "--max-part", "1MB"], "--max-part must be at least 2MiB"),
    (["Kitchen.sqlite", "k.decant", "--where", "Recipes: 1"], "did you mean Recipe?"),
    (["Kitchen.sqlite", "k.decant", "--upwards"], "Unknown option '--upwards'"),
  ])
  func `a request that makes no sense is exit code 64`(arguments: [String], message: String) throws {
    try Data("theirs".utf8).write(to: place.url.appendingPathComponent("there.decant"))
    let before = try place.names()
    try place.expect(["export"] + arguments, 64, message)
    #expect(try place.names() == before)
    #expect(place.content("there.decant") == Data("theirs".utf8))
  }

  @Test func `what is no store is exit code 13`() throws {
    try Data("Two cups of flour\n".utf8).write(to: place.url.appendingPathComponent("text.txt"))
    try place.expect(["export", "text.txt", "k.decant"], 13, "file is not a database")
    #expect(place.content("k.decant") == nil)
  }

  @Test func `Ctrl-C leaves nothing behind`() throws {
    try place.makeLargeStore()
    let before = try place.names()
    let run = try RunningProgram(
      [DecantProgram.path, "export", "Large.sqlite", "l.decant.xz", "--progress", "json"],
      in: place.url,
      output: .null,
      errors: .pipe
    )
    run.wait(for: "\"phase\":\"copy\"")
    run.send(SIGINT)
    let (status, rest) = run.end()
    #expect(status == 130, "\(rest)")
    #expect(try place.names().filter { !$0.hasPrefix("Large.sqlite-") } == before)
  }
}
