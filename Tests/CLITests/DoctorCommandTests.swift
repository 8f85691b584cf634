import Foundation
import TestSupport
import Testing

/// What `decant doctor` finds in stores with planted damage, and that its commands mend it.
@Suite struct DoctorCommandTests {
  private let place: CommandFolder

  init() throws {
    place = try CommandFolder()
    let sample = Fixtures.projectFolder.appendingPathComponent("samples/SyncMetadata.sqlite")
    try FileManager.default.copyItem(at: sample, to: place.url.appendingPathComponent("Synced.sqlite"))
  }

  /// Damage that SQL plants in a store, and what is to be found then.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The sample that is damaged; none for a new plain database.
    var sample: String?
    let sql: String
    /// Problem, subject and count of each finding.
    let findings: [String]
    /// Whether what the command makes or changes is healthy.
    var isMended = true
  }

  static let cases = [
    Case(testDescription: "nothing", sample: "Kitchen.sqlite", sql: "SELECT 1", findings: []),
    Case(testDescription: "nothing in another store", sample: "Guests.sqlite", sql: "SELECT 1", findings: []),
    Case(
      testDescription: "sync metadata",
      sample: "Synced.sqlite",
      sql: "SELECT 1",
      findings: ["syncMetadata icloud 3", "syncMetadata cloudkit 9", "syncMetadata history 41"]
    ),
    Case(
      testDescription: "a key that should be that of another table's row",
      sql: """
        CREATE TABLE place (id INTEGER PRIMARY KEY); CREATE TABLE inn (id INTEGER PRIMARY KEY REFERENCES place, stars);
        INSERT INTO place VALUES (1); INSERT INTO inn VALUES (1, 3), (31, 4)
        """,
      findings: ["danglingLinks inn.id 1"],
      isMended: false
    ),
    Case(
      testDescription: "an order that only the app knows",
      sql: """
        CREATE TABLE tag (name TEXT PRIMARY KEY COLLATE NOCASE, n) WITHOUT ROWID; CREATE INDEX tag_n ON tag (n);
        INSERT INTO tag VALUES ('b', 1), ('A', 2), ('c', 3), ('D', 4); PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'unicase')
        """,
      findings: []
    ),
    Case(
      testDescription: "dangling links of two relationships",
      sample: "Kitchen.sqlite",
      sql: "UPDATE ZRECIPE SET ZCATEGORY = 99 WHERE Z_PK IN (1, 2); UPDATE ZSTEP SET ZRECIPE = 99 WHERE Z_PK = 1",
      findings: ["danglingLinks Recipe.category 2", "danglingLinks Step.recipe 1"]
    ),
    Case(
      testDescription: "a counter behind its keys",
      sample: "Kitchen.sqlite",
      sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Tag'",
      findings: ["lowCounter Tag 5"]
    ),
    Case(
      testDescription: "two rows of metadata",
      sample: "Kitchen.sqlite",
      sql: "INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA",
      findings: ["metadataRows Z_METADATA 2"]
    ),
    Case(
      testDescription: "a row of an unknown entity",
      sample: "Kitchen.sqlite",
      sql: "UPDATE ZTAG SET Z_ENT = 77 WHERE Z_PK = 1",
      findings: ["unknownEntity ZTAG 1"]
    ),
    Case(
      testDescription: "a row of an unknown entity, and a link to nothing",
      sample: "Kitchen.sqlite",
      sql: "UPDATE ZTAG SET Z_ENT = 77 WHERE Z_PK = 1; UPDATE ZSTEP SET ZRECIPE = 99 WHERE Z_PK = 1",
      findings: ["unknownEntity ZTAG 1", "danglingLinks Step.recipe 1"]
    ),
    Case(
      testDescription: "a position that is missing",
      sample: "Kitchen.sqlite",
      sql: "UPDATE ZSTEP SET Z_FOK_RECIPE = NULL WHERE Z_PK < 3",
      findings: ["missingPositions Step.recipe 2"],
      isMended: false
    ),
    Case(
      testDescription: "an index without a row",
      sample: "Kitchen.sqlite",
      sql: """
        PRAGMA writable_schema = on; CREATE TABLE kept AS SELECT sql FROM sqlite_schema WHERE name = 'ZSTEP_ZRECIPE_INDEX';
        UPDATE sqlite_schema SET sql = 'CREATE INDEX ZSTEP_ZRECIPE_INDEX ON ZSTEP (ZRECIPE) WHERE Z_PK <> 3'
        WHERE name = 'ZSTEP_ZRECIPE_INDEX'; PRAGMA writable_schema = reset; REINDEX ZSTEP_ZRECIPE_INDEX;
        PRAGMA writable_schema = on; UPDATE sqlite_schema SET sql = (SELECT sql FROM kept)
        WHERE name = 'ZSTEP_ZRECIPE_INDEX'; PRAGMA writable_schema = reset; DROP TABLE kept
        """,
      findings: ["damage - -", "damage - -"]
    ),
    Case(
      testDescription: "a healthy database",
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO author VALUES (1, 'Ada'), (2, 'Bo');
        CREATE TABLE book (id INTEGER PRIMARY KEY, author_id INTEGER REFERENCES author); INSERT INTO book VALUES (1, 2)
        """,
      findings: []
    ),
    Case(
      testDescription: "foreign keys without a row",
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO author VALUES (1, 'Ada'), (2, 'Bo');
        CREATE TABLE book (id INTEGER PRIMARY KEY, author_id INTEGER REFERENCES author);
        INSERT INTO book VALUES (1, 2), (2, 7), (3, 8), (4, NULL)
        """,
      findings: ["danglingLinks book.author_id 2"],
      isMended: false
    ),
    Case(
      testDescription: "a column that looks like a foreign key",
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO author VALUES (1, 'Ada'), (2, 'Bo'), (5, 'Cy');
        CREATE TABLE book (id INTEGER PRIMARY KEY, author_id INTEGER); INSERT INTO book VALUES (1, 2), (2, 1), (3, 5)
        """,
      findings: ["undeclaredLink book.author_id 3"],
      isMended: false
    ),
    Case(testDescription: "an empty database", sql: "VACUUM", findings: []),
  ]

  /// What `--json` prints of a store.
  private struct Document: Decodable {
    struct Finding: Decodable {
      let problem: String
      let subject: String?
      let count: Int?
      let text: String
      let advice: String
      let command: String?

      var key: String { "\(problem) \(subject ?? "-") \(count.map(String.init) ?? "-")" }
    }

    let verb: String
    let healthy: Bool
    let findings: [Finding]
  }

  /// Makes `store.sqlite`, a name that a shell has to quote, with the damage in it.
  private func plant(_ scene: Case) throws {
    if let sample = scene.sample {
      try FileManager.default.copyItem(atPath: place.folder.path(sample), toPath: place.folder.path(Self.name))
    }
    _ = try Program.sqlite3(place.folder.path(Self.name), scene.sql)
  }

  private static let name = "my store.sqlite"

  private func examine(_ name: String) throws -> Document {
    let run = try place.run(["doctor", name, "--json"])
    let document = try JSONDecoder().decode(Document.self, from: Data(run.output.utf8))
    #expect(run.status == (document.findings.isEmpty ? 0 : 4), "\(run.errors)")
    #expect(document.healthy == document.findings.isEmpty)
    return document
  }

  @Test(arguments: cases) func `planted damage is found, and nothing else`(_ scene: Case) throws {
    try plant(scene)
    let before = place.content(Self.name)
    let document = try examine(Self.name)
    #expect(document.findings.map(\.key).sorted() == scene.findings.sorted())
    let run = try place.run(["doctor", Self.name])
    #expect(run.status == (scene.findings.isEmpty ? 0 : 4))
    for finding in document.findings {
      #expect(run.output.contains(finding.text))
      #expect(run.output.contains(finding.advice))
      if let command = finding.command { #expect(run.output.contains(command)) }
    }
    #expect(run.output.contains("healthy") == scene.findings.isEmpty)
    #expect(place.content(Self.name) == before, "the store is as it was")
    #expect(try place.names() == Set(["Guests.sqlite", "Kitchen.sqlite", "Synced.sqlite", Self.name]).sorted())
  }

  @Test(arguments: cases.filter { !$0.findings.isEmpty })
  func `the commands run as they are printed, and mend what they say they mend`(_ scene: Case) throws {
    try plant(scene)
    let names = try place.names()
    for command in Set(try examine(Self.name).findings.compactMap(\.command)) {
      let run = try Program.run(
        ["bash", "-c", "decant() { \"$0\" \"$@\"; }\n\(command)", DecantProgram.path],
        in: place.url
      )
      // A copy that leaves rows out says so.
      #expect([0, 3].contains(run.status), "\(command): \(run.errors)")
    }
    guard scene.isMended else { return }
    let made = try #require(
      try place.names().first { !names.contains($0) && $0.hasSuffix("mended.sqlite") }
        ?? (scene.sample == "Synced.sqlite" ? Self.name : nil)
    )
    #expect(try examine(made).findings.map(\.key) == [])
  }

  @Test func `findings with the same advice are cut off where nobody asks for all`() throws {
    let tables = (1...9).map {
      "CREATE TABLE t\($0) (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a); INSERT INTO t\($0) VALUES (1, 9)"
    }
    _ = try Program.sqlite3(
      place.folder.path("many.db"),
      (["CREATE TABLE a (id INTEGER PRIMARY KEY)"] + tables).joined(separator: ";")
    )
    let run = try place.run(["doctor", "many.db"])
    #expect(run.output.split(separator: "\n").filter { $0.contains("dangling") }.count == 5)
    #expect(run.output.contains("and 4 more"))
    let all = try place.run(["doctor", "many.db", "--verbose"])
    #expect(all.output.split(separator: "\n").filter { $0.contains("dangling") }.count == 9)
    #expect(try examine("many.db").findings.count == 9)
  }

  @Test func `what cannot be read at all is an error`() throws {
    let data = try #require(place.content("Kitchen.sqlite"))
    try data.prefix(data.count / 2).write(to: place.url.appendingPathComponent("cut.sqlite"))
    try place.expect(["doctor", "cut.sqlite"], 13, "“cut.sqlite” is truncated")
    try place.expect(["doctor", "nowhere.sqlite"], 10, "nowhere.sqlite")
    try place.expect(["doctor", "Kitchen.sqlite", "--json", "--verbose"], 64, "--verbose")
  }

  @Test func `the command that is advised for a damaged file saves what is readable`() throws {
    let store = place.folder.path("Kitchen.sqlite")
    let page = try Program.sqlite3(store, "SELECT rootpage FROM sqlite_schema WHERE name = 'ZRECIPE'")
    let size = try Program.sqlite3(store, "PRAGMA page_size")
    let (number, count) = try #require(Int(page).flatMap { page in Int(size).map { (page, $0) } })
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: store))
    try file.seek(toOffset: UInt64((number - 1) * count))
    try file.write(contentsOf: Data(repeating: 0xff, count: count))
    try file.close()
    let run = try place.run(["copy", "Kitchen.sqlite", "out.sqlite"])
    #expect(run.status == 13)
    let command = try #require(run.errors.firstMatch(of: /sqlite3 .* NEW/), "\(run.errors)")
    #expect(try Program.run(["bash", "-c", String(command.output)], in: place.url).status == 0)
    let saved = place.folder.path("NEW")
    #expect(try Program.sqlite3(saved, "PRAGMA integrity_check") == "ok")
    #expect(try Program.sqlite3(saved, "SELECT count(*) FROM ZINGREDIENT") == "73")
    #expect(try Program.sqlite3(saved, "SELECT count(*) FROM ZTAG") == "6")
  }

  @Test func `an archive is examined as well`() throws {
    #expect(try place.run(["export", "Kitchen.sqlite", "k.decant"]).status == 0)
    #expect(try examine("k.decant").findings.map(\.key) == [])
  }
}
