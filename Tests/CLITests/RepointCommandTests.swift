import Foundation
import TestSupport
import Testing

@Suite struct RepointCommandTests {
  private let place: CommandFolder

  /// A database of notes on the recipes of the guests, who were poured into the kitchen.
  init() throws {
    place = try CommandFolder()
    let merge = try place.run([
      "copy", "Guests.sqlite", "Kitchen.sqlite", "--append", "--keep-ids", "ids.sqlite",
    ])
    #expect(merge.status == 0, "\(merge.errors)")
    _ = try Program.sqlite3(
      place.folder.path("notes.db"),
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, recipe TEXT, kind TEXT, object_key INTEGER, label TEXT);
      INSERT INTO note (recipe, kind, object_key) VALUES
        ('x-coredata://778381CD-532B-812B-8CCD-A0DEBBEEE974/Recipe/p1', 'Tag', 1),
        ('x-coredata://778381CD-532B-812B-8CCD-A0DEBBEEE974/Recipe/p2', 'Step', 3),
        ('x-coredata://778381CD-532B-812B-8CCD-A0DEBBEEE974/Recipe/p99', 'Oven', 1),
        ('x-coredata://6C26DC6C-0B05-88B6-90FF-53F5E4AE0BF2/Recipe/p1', NULL, NULL),
        ('soup', NULL, NULL)
      """
    )
  }

  private static let arguments = [
    "repoint", "notes.db", "--at", "note.recipe", "--at", "note.object_key -> .kind", "--ids",
    "ids.sqlite",
  ]

  @Test(arguments: [
    (["--store", "Kitchen.sqlite"], "repoint.txt"),
    (["--dry-run", "--verbose"], "repoint-dry-run.txt"),
    (["--store", "Kitchen.sqlite", "--backup", "--json"], "repoint.json"),
  ])
  func `prints what it did when it was found right`(_ options: [String], _ golden: String) throws {
    let run = try place.run(Self.arguments + options)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty, "\(run.errors)")
    try GoldenText.expect(run.output, golden)
  }

  @Test func `what was kept is shown without its value, unless that is asked for`() throws {
    let quiet = try place.run(Self.arguments + ["--dry-run", "--json"])
    #expect(!quiet.output.contains("soup"))
    let document = try JSONSerialization.jsonObject(with: Data(quiet.output.utf8))
    let report = try #require(document as? [String: Any])
    #expect(report["verb"] as? String == "repoint" && report["dryRun"] as? Bool == true)
    let places = try #require(report["places"] as? [[String: Any]])
    #expect(places.map { $0["references"] as? Int } == [5, 3])
    #expect(places.map { $0["changed"] as? Int } == [2, 2])
    #expect(places[0]["kept"] as? [String: Int] == ["notInTable": 1, "otherStore": 1, "noReference": 1])
    let examples = try #require(places[0]["examples"] as? [[String: Any]])
    #expect(examples.map { $0["key"] as? Int } == [3, 4, 5])
    #expect(try place.run(Self.arguments + ["--dry-run", "--verbose"]).output.contains("soup"))
  }

  @Test func `with --quiet nothing is said, and the values are there`() throws {
    let run = try place.run(Self.arguments + ["--quiet", "--set", "label = kind || ' ' || recipe"])
    #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty, "\(run.errors)")
    let keys = try Program.sqlite3(
      place.folder.path("ids.sqlite"),
      "SELECT destination FROM ids WHERE source = 1 AND entity IN ('Recipe', 'Tag') ORDER BY entity"
    ).split(separator: "\n")
    #expect(
      try Program.sqlite3(place.folder.path("notes.db"), "SELECT object_key, label FROM note WHERE id = 1")
        == "\(keys[1])|Tag x-coredata://780563F9-5277-807A-94D8-B75FC8AB0CBD/Recipe/p\(keys[0])"
    )
  }

  @Test(arguments: [
    ([], 64, "name the attributes that contain references"),
    (["--at", "note"], 64, "write the place as Entity.attribute"),
    (["--at", "note.recipe ->"], 64, "does not name the entity of the keys"),
    (["--at", "note.recipe"], 64, "name what the references refer to"),
    (["--at", "note.recipe", "--ids", "ids.sqlite", "--to-identity"], 64, "name it with --store"),
    (
      ["--at", "note.recipe", "--store", "Kitchen.sqlite", "--identity", "Recipe: uuid, title"], 64,
      "name one attribute of Recipe, not 2"
    ),
    (["--at", "note.recipe", "--ids", "ids.sqlite", "--set", "label"], 64, "write the value as"),
    (["--at", "note.recipe", "--ids", "ids.sqlite", "--batch-size", "0"], 64, "at least 1"),
    (["--at", "note.recip", "--ids", "ids.sqlite"], 64, "did you mean recipe?"),
    (["--at", "note.recipe", "--ids", "none.sqlite"], 10, "there is no ID table"),
    (["--at", "note.recipe", "--ids", "Guests.sqlite"], 13, "as an ID table"),
    (["--at", "note.recipe", "--store", "none.sqlite"], 10, "there is no store"),
    (["--at", "note.recipe", "--store", "Guests.sqlite"], 64, "--identity 'Recipe: uuid'"),
  ])
  func `what makes no sense is refused`(_ arguments: [String], _ status: Int32, _ message: String) throws {
    let before = place.content("notes.db")
    try place.expect(["repoint", "notes.db"] + arguments, status, message)
    #expect(place.content("notes.db") == before)
  }

  @Test(.disabled(if: Sanitizer.isActive, "a sanitizer needs memory of its own"))
  func `memory does not grow with the references, nor with the table`() throws {
    func peak(_ count: Int) throws -> Int {
      let (notes, ids) = (place.folder.path("n\(count).db"), place.folder.path("i\(count).db"))
      let numbers = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))"
      _ = try Program.sqlite3(
        ids,
        """
        CREATE TABLE ids (entity TEXT, source, destination, count INTEGER, outcome TEXT);
        CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT);
        INSERT INTO about VALUES ('source.uuid', 'A'), ('destination.uuid', 'B');
        \(numbers) INSERT INTO ids SELECT 'Recipe', i, \(count) + 1 - i, 1, 'copied' FROM n
        """
      )
      _ = try Program.sqlite3(
        notes,
        """
        CREATE TABLE note (id INTEGER PRIMARY KEY, recipe TEXT);
        \(numbers) INSERT INTO note
          SELECT i, 'x-coredata://A/Recipe/p' || (1 + i * 7919 % \(count)) FROM n
        """
      )
      let bytes = try PeakMemory.of(["repoint", notes, "--at", "note.recipe", "--ids", ids], in: place.url)
      let wrong = """
        SELECT count(*) FROM note
        WHERE recipe <> 'x-coredata://B/Recipe/p' || (\(count) - id * 7919 % \(count))
        """
      #expect(try Program.sqlite3(notes, wrong) == "0")
      return bytes
    }
    let (few, many) = try (peak(100), peak(20_000))
    #expect(many < few + 12_000_000, "\(few), \(many)")
  }
}
