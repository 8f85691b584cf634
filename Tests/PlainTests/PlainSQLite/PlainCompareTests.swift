import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Comparisons of plain databases with each other, and with the Core Data stores they came from.
@Suite struct PlainCompareTests {
  private let place: PlainDatabase

  init() throws { place = try PlainDatabase() }

  /// The sample kitchen as a plain database, `plain.db`.
  private func makeKitchen() throws -> String {
    let kitchen = Fixtures.projectFolder.appendingPathComponent("samples/Kitchen.sqlite").path
    try Copy(from: kitchen, to: "sqlite:" + place.path("plain.db")).run()
    return kitchen
  }

  @Test(arguments: ["fts5(text)", "rtree(id, low, high)"], ["", "VACUUM"])
  func `a virtual table that is missing is a difference, whatever the numbers of rows`(module: String, last: String)
    throws
  {
    let rows = """
      CREATE TABLE log (text TEXT); INSERT INTO log VALUES ('a'), ('b'), ('c'); DELETE FROM log WHERE text = 'a'
      """
    let values = module.hasPrefix("fts5") ? "('only here')" : "(1, 0, 1)"
    try place.make("a.db", "\(rows); CREATE VIRTUAL TABLE other USING \(module); INSERT INTO other VALUES \(values)")
    try place.make("b.db", "\(rows); \(last)")
    let report = try Verify(place.path("a.db"), against: place.path("b.db")).run()
    #expect(!report.isEqual)
    #expect(report.schema.map(\.name) == ["other"])
    guard !last.isEmpty else { return }
    // Without rows of its own, it is as good as an index.
    try place.make("a.db", "DELETE FROM other")
    #expect(try Verify(place.path("a.db"), against: place.path("b.db")).run().isEqual)
  }

  @Test func `an object of a sub-entity that only one side has is counted as that`() throws {
    let kitchen = try makeKitchen()
    try place.make("plain.db", "INSERT INTO Image (id, entity, mimeType) VALUES (50, 'StepImage', 'x')")
    let plain = place.path("plain.db")
    for (a, b) in [(kitchen, plain), (plain, kitchen)] {
      let report = try Diff(a, b).run()
      #expect(!report.isEqual)
      let images = try #require(report.entities.first { $0.name == "StepImage" })
      #expect(images.onlyInA + images.onlyInB == 1)
    }
    #expect(try !Verify(plain, against: kitchen).run().isEqual)
    #expect(try Verify(kitchen, against: plain).run().isEqual)
  }

  @Test func `a text in a column of links is a value that verify looks at`() throws {
    let schema = """
      CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT UNIQUE, editor TEXT)
      """
    try place.make(
      "a.db",
      """
      \(schema); INSERT INTO users VALUES (1, 'ann'), (2, 'bob');
      INSERT INTO post VALUES (1, 'p', '1'), (2, 'q', 'nobody'), (3, 'r', '7'), (4, 's', '2')
      """
    )
    try place.make("b.db", "\(schema); INSERT INTO users VALUES (1, 'zoe'), (2, 'bob')")
    let links = [CopyOptions.Link(Property("post", "editor"), to: "users")]
    let report = try place.copy("a.db", to: "b.db") {
      $0.links = links
      $0.merge = MergeRules(.skip)
    }
    #expect(report.isVerified)
    let editors =
      "SELECT title, name, editor FROM post LEFT JOIN users ON users.id = editor ORDER BY 1"
    #expect(
      try place.read("b.db", editors) == [
        "'p','ann','3'", "'q',NULL,'nobody'", "'r',NULL,NULL", "'s','bob','2'",
      ]
    )
    var verify = Verify(place.path("a.db"), against: place.path("b.db"))
    verify.links = links
    #expect(try verify.run().isEqual)
    let before = try place.dump("b.db")
    for (title, value) in [
      ("p", "'1'"), ("p", "NULL"), ("q", "'somebody'"), ("q", "NULL"), ("s", "'3'"),
    ] {
      let row = "WHERE title = '\(title)'"
      try place.make("b.db", "CREATE TABLE old AS SELECT * FROM post; UPDATE post SET editor = \(value) \(row)")
      #expect(try !verify.run().isEqual, "\(title) \(value)")
      try place.make("b.db", "UPDATE post SET editor = (SELECT editor FROM old \(row)) \(row); DROP TABLE old")
    }
    #expect(try place.dump("b.db") == before)
    #expect(try verify.run().isEqual)
  }

  @Test func `a value that an object cannot have stops the way back`() throws {
    let kitchen = try makeKitchen()
    try place.make(
      "plain.db",
      "UPDATE Image SET recipe_id = 1 WHERE id = (SELECT min(id) FROM Image WHERE entity = 'StepImage')"
    )
    var options = CopyOptions()
    options.template = kitchen
    let back = place.path("back.sqlite")
    let error = #expect(throws: DecantError.self) {
      try Copy(from: place.path("plain.db"), to: "coredata:" + back, options: options).run()
    }
    #expect(error?.family == .modelMismatch)
    #expect(error?.message.contains("Image.recipe_id") == true)
    #expect(!FileManager.default.fileExists(atPath: back))
  }

  @Test func `keys that the template has handed out stay handed out`() throws {
    let kitchen = try makeKitchen()
    let template = place.path("template.sqlite")
    try FileManager.default.copyItem(atPath: kitchen, toPath: template)
    _ = try Program.sqlite3(template, "UPDATE Z_PRIMARYKEY SET Z_MAX = 900 WHERE Z_NAME = 'Recipe'")
    var options = CopyOptions()
    options.template = template
    let back = place.path("back.sqlite")
    try Copy(from: place.path("plain.db"), to: "coredata:" + back, options: options).run()
    let counter = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Recipe'"
    #expect(try Program.sqlite3(back, counter) == "900")
  }

  @Test func `an ID table that knows nothing of the source is refused`() throws {
    let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, v)"
    try place.make("a.db", schema + "; INSERT INTO t VALUES (1, 'a')")
    try place.make("b.db", schema + "; INSERT INTO t VALUES (1, 'b')")
    try place.make("other.db", schema + "; INSERT INTO t VALUES (700, 'c')")
    let ids = place.path("ids.db")
    try place.append { $0.idTableFile = ids }
    var verify = Verify(place.path("a.db"), against: place.path("b.db"))
    verify.idTableFile = ids
    #expect(try verify.run().isEqual)
    verify = Verify(place.path("other.db"), against: place.path("b.db"))
    verify.idTableFile = ids
    let error = #expect(throws: DecantError.self) { try verify.run() }
    #expect(error?.family == .usage)
  }

  @Test func `links that were named are known from the ID table`() throws {
    let schema =
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v); CREATE TABLE n (id INTEGER PRIMARY KEY, t_id INT)"
    try place.make("a.db", schema + "; INSERT INTO t VALUES (1, 'a'), (2, 'b'); INSERT INTO n VALUES (1, 2)")
    try place.make("b.db", schema + "; INSERT INTO t VALUES (1, 'x'); INSERT INTO n VALUES (1, 1)")
    let ids = place.path("ids.db")
    try place.append {
      $0.links = [.init(Property("n", "t_id"), to: "t")]
      $0.idTableFile = ids
    }
    var verify = Verify(place.path("a.db"), against: place.path("b.db"))
    verify.idTableFile = ids
    #expect(try verify.run().isEqual)
    try place.make("b.db", "UPDATE n SET t_id = 1 WHERE id = 2")
    #expect(try !verify.run().isEqual)
  }

  @Test func `a table whose rows have a key in only one of the stores is not passed over silently`() throws {
    let folder = "CREATE TABLE folder (id INTEGER PRIMARY KEY, name TEXT UNIQUE)"
    try place.make(
      "a.db",
      """
      \(folder); CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, folder INT REFERENCES folder);
      INSERT INTO folder VALUES (1, 'work'); INSERT INTO note VALUES (1, 'a', 1), (2, 'b', 1)
      """)
    try place.make(
      "b.db",
      """
      \(folder); CREATE TABLE note (id bigserial, title TEXT, folder INT REFERENCES folder);
      INSERT INTO folder VALUES (7, 'work'); INSERT INTO note VALUES (NULL, 'a', 7)
      """)
    let report = try Verify(place.path("a.db"), against: place.path("b.db")).run()
    let notes = report.notes.filter { $0.kind == .tablesNotCompared }
    #expect(notes.map { $0.message.contains("note (2 rows)") } == [true], "\(report.notes)")
  }
}
