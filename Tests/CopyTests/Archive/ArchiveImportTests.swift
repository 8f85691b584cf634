import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Archives imported into stores that are there: what is new comes, what is there stays.
@Suite struct ArchiveImportTests {
  private let places: ArchivePlaces

  init() throws { places = try ArchivePlaces() }

  private func content(_ store: String) throws -> StoreContent {
    try Kitchens.content(of: places.path(store))
  }

  private func read(_ store: String, _ sql: String) throws -> String {
    try Program.sqlite3(places.path(store), sql, isQuoted: true)
  }

  @Test func `objects come under new keys, and their links follow`() throws {
    try places.takeSample("Kitchen.sqlite")
    try places.takeSample("Guests.sqlite")
    let (kitchen, guests) = (try content("Kitchen.sqlite"), try content("Guests.sqlite"))
    try places.export("Guests.sqlite", to: "g.decant.zst")
    let reports = try places.import("g.decant.zst", into: "Kitchen.sqlite") {
      // One recipe is in both, with other values.
      $0.options.merge = nil
      $0.options.appends = true
    }
    #expect(reports.map(\.isVerified) == [true])
    let both = try content("Kitchen.sqlite")
    #expect(both.objects == kitchen.objects.merging(guests.objects, uniquingKeysWith: +))
    #expect(both.links == kitchen.links.merging(guests.links, uniquingKeysWith: +))
    // No key was handed out that was handed out before.
    let counters = try read(
      "Kitchen.sqlite",
      "SELECT min(Z_PK) > 15 FROM ZRECIPE WHERE Z_PK NOT IN (SELECT Z_PK FROM ZRECIPE ORDER BY 1 LIMIT 12)"
    )
    #expect(counters == "1")
  }

  @Test(arguments: ["Kitchen.sqlite", "Guests.sqlite"])
  func `importing twice changes nothing`(_ source: String) throws {
    try places.takeSample("Kitchen.sqlite")
    if source != "Kitchen.sqlite" { try places.takeSample(source) }
    try places.export(source, to: "a.decant")
    try places.import("a.decant", into: "Kitchen.sqlite")
    let once = try places.rows(of: "Kitchen.sqlite")
    let counters = try read("Kitchen.sqlite", "SELECT * FROM Z_PRIMARYKEY")
    let again = try places.import("a.decant", into: "Kitchen.sqlite")
    #expect(again[0].copiedCount == 0)
    #expect(try places.rows(of: "Kitchen.sqlite") == once)
    #expect(try read("Kitchen.sqlite", "SELECT * FROM Z_PRIMARYKEY") == counters)
    // And so does the archive in two copies at once.
    let copies = try places.import("a.decant", "a.decant", into: "Kitchen.sqlite")
    #expect(copies.map(\.copiedCount) == [0, 0])
    #expect(try places.rows(of: "Kitchen.sqlite") == once)
  }

  private static let schema = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT UNIQUE, born INT);
    CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT UNIQUE, title TEXT, author INTEGER REFERENCES author);
    CREATE TABLE tag (id INTEGER PRIMARY KEY, word TEXT UNIQUE);
    CREATE TABLE book_tag (book INTEGER REFERENCES book, tag INTEGER REFERENCES tag, PRIMARY KEY (book, tag));
    """

  /// Theirs has one author and one tag that mine has too, under other keys.
  private func makeLibraries() throws {
    _ = try Program.sqlite3(
      places.path("mine.db"),
      Self.schema + """
        INSERT INTO author VALUES (1, 'Woolf', 1882), (2, 'Kafka', 1883);
        INSERT INTO book VALUES (1, 'i1', 'Orlando', 1); INSERT INTO tag VALUES (1, 'old');
        INSERT INTO book_tag VALUES (1, 1);
        """
    )
    _ = try Program.sqlite3(
      places.path("theirs.db"),
      Self.schema + """
        INSERT INTO author VALUES (1, 'Kafka', 1900), (5, 'Lem', 1921);
        INSERT INTO book VALUES (1, 'i2', 'Das Schloss', 1), (2, 'i3', 'Solaris', 5), (3, 'i4', 'Nobody''s', NULL);
        INSERT INTO tag VALUES (7, 'old'), (8, 'new'); INSERT INTO book_tag VALUES (1, 7), (2, 8), (2, 7);
        """
    )
    try places.export("theirs.db", to: "theirs.decant")
  }

  private static let shown = """
    SELECT b.title, a.name, a.born, (SELECT group_concat(word) FROM (SELECT word FROM book_tag AS j
    JOIN tag AS t ON t.id = j.tag WHERE j.book = b.id ORDER BY 1))
    FROM book AS b LEFT JOIN author AS a ON a.id = b.author ORDER BY 1
    """

  @Test func `what is there stays, and what is new leads to it`() throws {
    try makeLibraries()
    try places.import("theirs.decant", into: "mine.db")
    #expect(
      try read("mine.db", Self.shown) == """
        'Das Schloss','Kafka',1883,'old'
        'Nobody''s',NULL,NULL,NULL
        'Orlando','Woolf',1882,'old'
        'Solaris','Lem',1921,'new,old'
        """
    )
    #expect(try read("mine.db", "SELECT count(*) FROM author") == "3")
    #expect(try read("mine.db", "PRAGMA foreign_key_check") == "")
    #expect(try read("mine.db", "PRAGMA integrity_check") == "'ok'")
  }

  @Test func `as an update, what is there takes the archive's values`() throws {
    try makeLibraries()
    try places.import("theirs.decant", into: "mine.db") { $0.options.merge = MergeRules(.update) }
    #expect(try read("mine.db", "SELECT born FROM author WHERE id = 2") == "1900")
    #expect(try read("mine.db", "SELECT count(*) FROM author") == "3")
  }

  @Test func `an archive is as good a source as the store it was made of`() throws {
    try makeLibraries()
    try FileManager.default.copyItem(atPath: places.path("mine.db"), toPath: places.path("other.db"))
    var options = CopyOptions()
    options.merge = MergeRules(.skip)
    options.purpose = .merge
    try Copy(from: places.path("theirs.db"), to: places.path("other.db"), options: options).run()
    try places.import("theirs.decant", into: "mine.db")
    #expect(try PlainCheck.differences(of: places.path("mine.db"), from: places.path("other.db")) == [])
  }

  /// Where one of several archives cannot be read, none is imported.
  @Test(arguments: [false, true], [0.2, 0.5, 0.999])
  func `a damaged archive keeps the others out as well`(comesFirst: Bool, part: Double) throws {
    try places.takeSample("Kitchen.sqlite")
    try places.takeSample("Guests.sqlite")
    try places.export("Guests.sqlite", to: "whole.decant")
    let whole = try #require(places.bytes("whole.decant"))
    try whole.prefix(Int(Double(whole.count) * part))
      .write(to: places.folder.url.appendingPathComponent("cut.decant"))
    let before = try places.rows(of: "Kitchen.sqlite")
    let files = try places.names()
    let archives = comesFirst ? ["cut.decant", "whole.decant"] : ["whole.decant", "cut.decant"]
    let error = #expect(throws: DecantError.self) {
      try places.import(archives, into: "Kitchen.sqlite")
    }
    #expect(error?.family == .corruptStore)
    #expect(error?.message.contains("cut.decant") == true, "\(error?.message ?? "")")
    #expect(try places.rows(of: "Kitchen.sqlite") == before)
    let made = #expect(throws: DecantError.self) { try places.import(archives, into: "new.sqlite") }
    #expect(made?.family == .corruptStore)
    #expect(try places.names() == files)
  }

  /// A byte that is changed anywhere is found, or is one that says nothing.
  @Test(arguments: SeededGenerator.seeds(6))
  func `a changed byte is found before anything is written`(seed: UInt64) throws {
    try places.takeSample("Guests.sqlite")
    try places.export("Guests.sqlite", to: "a.decant")
    var bytes = try #require(places.bytes("a.decant"))
    var generator = SeededGenerator(seed: seed)
    let place = bytes.index(bytes.startIndex, offsetBy: Int.random(in: 0..<bytes.count, using: &generator))
    let was = bytes[place]
    bytes[place] = UInt8(truncatingIfNeeded: generator.next())
    guard bytes[place] != was else { return }
    try bytes.write(to: places.folder.url.appendingPathComponent("changed.decant"))
    let expected = try content("Guests.sqlite")
    do {
      try places.import("changed.decant", into: "new.sqlite")
    } catch {
      #expect(error is DecantError)
      #expect(places.bytes("new.sqlite") == nil, "DECANT_SEED=\(seed)")
      return
    }
    // Only the header and the receipt have bytes that tell nothing of objects.
    #expect(try content("new.sqlite") == expected, "DECANT_SEED=\(seed), byte \(place)")
  }

  @Test func `a dry run writes nothing`() throws {
    try places.takeSample("Kitchen.sqlite")
    try places.takeSample("Guests.sqlite")
    try places.export("Guests.sqlite", to: "g.decant")
    let (files, before) = (try places.names(), places.bytes("Kitchen.sqlite"))
    try places.import("g.decant", into: "Kitchen.sqlite") { $0.options.isDryRun = true }
    try places.import("g.decant", into: "new.sqlite") { $0.options.isDryRun = true }
    try places.export("Kitchen.sqlite", to: "k.decant") { $0.options.isDryRun = true }
    #expect(try places.names() == files)
    #expect(places.bytes("Kitchen.sqlite") == before)
  }
}
