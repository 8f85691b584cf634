import Decant
import StoreTestSupport
import TestSupport
import Testing

/// An empty table or column that only the source has makes it no other model.
@Suite struct MergeSurplusTests {
  private let place: PlainDatabase

  private static let schema = """
    CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT, tag INTEGER REFERENCES tag (id));

    """

  init() throws {
    place = try PlainDatabase()
    try place.make(
      "a.db",
      Self.schema + """
        CREATE TABLE none (id INTEGER PRIMARY KEY, post INTEGER REFERENCES post (id));
        CREATE TABLE post_none (post INTEGER REFERENCES post (id), none INTEGER REFERENCES none (id),
          PRIMARY KEY (post, none));
        ALTER TABLE post ADD COLUMN body; ALTER TABLE post ADD COLUMN by INTEGER REFERENCES none (id);
        INSERT INTO tag VALUES (1, 'red'), (2, 'blue');
        INSERT INTO post (id, title, tag) VALUES (1, 'one', 2), (2, 'two', NULL)
        """
    )
    try place.make("b.db", Self.schema + "INSERT INTO tag VALUES (1, 'blue')")
  }

  private func merge(_ verb: String = "merge") throws -> CopyReport {
    var options = CopyOptions()
    options.appends = true
    if verb == "merge" { options.merge = MergeRules(.skip) }
    return try Copy(from: place.path("a.db"), to: place.path("b.db"), options: options).run()
  }

  @Test func `a merge takes all that there is, and says what it left out`() throws {
    let report = try merge()
    #expect(report.isVerified)
    #expect(
      try place.read(
        "b.db",
        "SELECT title, name FROM post LEFT JOIN tag ON tag.id = tag ORDER BY title"
      ) == ["'one','blue'", "'two',NULL"]
    )
    for name in ["table none", "table post_none", "column post.body", "column post.by"] {
      #expect(
        report.notes.commandLine.contains { $0.contains("\(name); it is empty here and is not copied") }, "\(name)")
    }
    #expect(try place.complaints("b.db") == "")
    #expect(try merge().entities.allSatisfy { $0.copied + $0.updated == 0 })
  }

  @Test func `so does a copy`() throws {
    try place.make("b.db", "DELETE FROM tag")
    #expect(try merge("copy").isVerified)
    #expect(try place.read("b.db", "SELECT count(*) FROM post") == ["2"])
  }

  @Test(arguments: [
    ("UPDATE post SET body = 'x' WHERE id = 1", "column post.body", "1 value"),
    ("INSERT INTO none VALUES (1, 1), (2, 1)", "table none", "2 rows"),
  ])
  func `with values in it nothing is merged`(change: String, name: String, count: String) throws {
    try place.make("a.db", change)
    let before = try place.dump("b.db")
    let error = #expect(throws: DecantError.self) { _ = try merge() }
    #expect(error?.family == .modelMismatch)
    #expect(error?.message.contains(name) == true && error?.message.contains(count) == true)
    #expect(error?.advice?.commandLine.contains("--mapping") == true)
    #expect(try place.dump("b.db") == before)
  }
}
