import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What a mapping that freezes does not let go without a word.
@Suite struct MappingLossTests {
  private let schema = """
    CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT,
      q INTEGER REFERENCES p (id), r INTEGER REFERENCES p (id));
    """
  private let rows = """
    INSERT INTO p VALUES (1, 'x'), (2, 'y');
    INSERT INTO t VALUES (1, 'A', 'B', 1, 2), (2, 'C', 'D', 2, 1);
    """

  @Test(arguments: [
    ("a: b", "a"), ("a: \"(SELECT name FROM p WHERE _id = t.r)\"", "a"),
    ("a: \"(SELECT min(name) FROM p)\"", "a"), ("a: _id", "a"), ("q: r", "q"),
    ("q: \"r + 0\"", "q"), ("q: \"(SELECT min(_id) FROM p)\"", "q"), ("q: \"coalesce(r, r)\"", "q"),
  ])
  func `what gets something else under its name is dropped aloud`(_ setting: String, _ name: String) throws {
    let databases = try MappedDatabases(schema + rows, to: schema)
    let error = #expect(throws: DecantError.self) {
      try databases.copy("entities: { t: { set: { \(setting) } } }")
    }
    #expect(error?.family == .usage && error?.message.hasPrefix("t.\(name) of") == true)
    #expect(error?.place == "map.yaml:1:25")
    try databases.copy("entities: { t: { set: { \(setting) }, drop: [\(name)] } }")
    #expect(try databases.rows("SELECT count(*) FROM t") == ["2"])
  }

  @Test(arguments: [
    ("a: \"'one'\"", "'one'", "1"), ("a: null", "NULL", "1"), ("a: \"b || a\"", "'BA'", "1"),
    ("q: 2", "'A'", "2"), ("a: b, b: a", "'B'", "1"), ("q: r, r: q", "'A'", "2"),
    ("q: \"coalesce(r, q)\"", "'A'", "2"), ("q: \"q + r - q\"", "'A'", "2"),
  ])
  func `constants and what reads it lose nothing`(_ setting: String, _ a: String, _ q: String) throws {
    let databases = try MappedDatabases(schema + rows, to: schema)
    try databases.copy("entities: { t: { set: { \(setting) } } }")
    #expect(try databases.rows("SELECT a, q FROM t WHERE id = 1") == ["\(a),\(q)"])
  }

  @Test func `each of several rules for one entity speaks for the objects it takes`() throws {
    let databases = try MappedDatabases(schema + rows, to: schema)
    func text(_ drop: String) -> String {
      """
      entities:
        t:
          - { where: "_id <> 1" }
          - { from: t, where: "_id = 1", set: { a: b }\(drop) }
      """
    }
    let error = #expect(throws: DecantError.self) { try databases.copy(text("")) }
    #expect(error?.message.hasPrefix("t.a of") == true && error?.place == "map.yaml:4:43")
    try databases.copy(text(", drop: [a]"))
    #expect(try databases.rows("SELECT a FROM t ORDER BY a") == ["'B'", "'C'"])
    // One that takes all of them speaks for what another makes beside it.
    let other = try MappedDatabases(schema + rows, to: schema)
    try other.copy("entities: { t: {}, p: [ { from: p }, { from: t, where: \"_id = 1\", set: { name: b } } ] }")
    #expect(try other.rows("SELECT name FROM p ORDER BY name") == ["'B'", "'x'", "'y'"])
  }

  @Test func `a link from one to one is lost for those alone whose rule gives its name away`() throws {
    let folder = try TemporaryFolder()
    let store = Fixtures.projectFolder.appendingPathComponent("samples/Kitchen.sqlite")
    var options = CopyOptions()
    options.mapping = try Mapping(text: "entities: { RecipeImage: { set: { coverOf: recipe } } }", place: "map.yaml")
    let error = #expect(throws: DecantError.self) {
      try Copy(from: store.path, to: folder.path("new.sqlite"), options: options).run()
    }
    #expect(error?.message.hasPrefix("Image.coverOf of") == true, "\(String(describing: error))")
    #expect(error?.remedy?.contains("RecipeImage: { drop: [coverOf] }") == true)
  }
}
