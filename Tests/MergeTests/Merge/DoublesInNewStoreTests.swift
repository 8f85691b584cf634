import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Objects of the source that are one and the same, in a copy into a store that is made.
@Suite struct DoublesInNewStoreTests {
  private let place: PlainDatabase

  init() throws { place = try PlainDatabase() }

  /// Makes `old.db` with `sql`.
  private func make(_ sql: String) throws { try place.make("old.db", sql) }

  /// Copies `old.db` into a new database; nothing is said of it but what `configure` says.
  @discardableResult
  private func copy(
    to name: String = "new.db",
    _ configure: (inout MergeRules) -> Void,
    options change: (inout CopyOptions) -> Void = { _ in }
  ) throws -> CopyReport {
    var rules = MergeRules(.error)
    configure(&rules)
    var options = CopyOptions()
    options.merge = rules
    change(&options)
    return try Copy(from: place.path("old.db"), to: place.path(name), options: options).run()
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: place.folder.path("")).sorted()
  }

  private static let recipes = """
    CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT, stars INTEGER);
    CREATE TABLE part (id INTEGER PRIMARY KEY, recipe INTEGER REFERENCES recipe (id), name TEXT);
    CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE recipe_tag (recipe INTEGER REFERENCES recipe (id), tag INTEGER REFERENCES tag (id),
      PRIMARY KEY (recipe, tag));
    INSERT INTO recipe VALUES (3, 'soup', 2), (7, 'bread', 5), (9, 'soup', 4), (11, NULL, 1), (12, NULL, 1);
    INSERT INTO part VALUES (1, 3, 'water'), (2, 9, 'salt'), (3, 7, 'flour');
    INSERT INTO tag VALUES (1, 'hot'), (2, 'cheap');
    INSERT INTO recipe_tag VALUES (3, 1), (9, 1), (9, 2), (7, 2);
    """

  @Test func `the ID table tells the others from the one that counts for all`() throws {
    try make(Self.recipes)
    let ids = place.folder.path("ids")
    try copy {
      $0.identities = ["recipe": ["title"]]
      $0.duplicates = .first
    } options: {
      $0.idTableFile = ids
    }
    var diff = Diff(place.path("old.db"), place.path("new.db"))
    diff.idTableFile = ids
    let report = try diff.run()
    // 9 became 3, and has other stars; the links of many to many that both had are one.
    let recipe = report.entities.first { $0.name == "recipe" }
    #expect(recipe?.same == 4 && recipe?.changed == 1 && recipe?.onlyInA == 0 && recipe?.onlyInB == 0)
    #expect(report.entities.first { $0.name == "part" }?.same == 3)
  }

  @Test func `doubles end the copy where nobody said what becomes of them`() throws {
    try make(Self.recipes)
    let error = #expect(throws: DecantError.self) {
      try copy { $0.identities = ["recipe": ["title"]] }
    }
    #expect(error?.message.contains("1 row of recipe") == true)
    #expect(error?.place?.contains("recipe key 9, which has the identity of key 3") == true)
    #expect(error?.advice?.commandLine.contains("--duplicates first") == true)
    #expect(try files() == ["old.db"])
  }

  @Test func `what is known by its owner is one where the owners are one`() throws {
    try make(
      """
      CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT);
      CREATE TABLE step (id INTEGER PRIMARY KEY, recipe INTEGER REFERENCES recipe (id), position INTEGER, text TEXT);
      INSERT INTO recipe VALUES (1, 'soup'), (2, 'bread'), (3, 'soup');
      INSERT INTO step VALUES (1, 1, 0, 'boil'), (2, 2, 0, 'bake'), (3, 3, 0, 'boil it'), (4, 3, 1, 'eat');
      """
    )
    try copy {
      $0.identities = ["recipe": ["title"], "step": ["recipe", "position"]]
      $0.duplicates = .first
    }
    #expect(
      try place.read("new.db", "SELECT * FROM step ORDER BY id")
        == ["1,1,0,'boil'", "2,2,0,'bake'", "4,1,1,'eat'"]
    )
  }

  @Test func `folders in folders are one where their parents are`() throws {
    try make(
      """
      CREATE TABLE folder (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES folder (id), name TEXT);
      INSERT INTO folder VALUES (1, NULL, 'home'), (2, 1, 'a'), (3, 1, 'a'), (4, 2, 'b'), (5, 3, 'b'), (6, 3, 'c'),
        (7, 6, 'a');
      """
    )
    // A folder without a parent has no identity: an empty value makes no two objects the same.
    try copy {
      $0.identities = ["folder": ["parent", "name"]]
      $0.duplicates = .first
    }
    #expect(
      try place.read("new.db", "SELECT * FROM folder ORDER BY id")
        == ["1,NULL,'home'", "2,1,'a'", "4,2,'b'", "6,2,'c'", "7,6,'a'"]
    )
  }

  @Test func `rules that name no identity change nothing in a new store`() throws {
    // Two equal rows, and two that nothing tells apart at all, stay two.
    try make(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT); CREATE TABLE log (line TEXT);
      INSERT INTO note VALUES (1, 'a'), (2, 'a'); INSERT INTO log VALUES ('x'), ('x');
      """
    )
    try copy { $0.duplicates = .first }
    #expect(try place.dump("new.db") == place.dump("old.db"))
    try copy(to: "other.db") { _ in }
    #expect(try place.dump("other.db") == place.dump("old.db"))
  }

  @Test func `rows that no integer names cannot be looked through, and it is said`() throws {
    try make(
      """
      CREATE TABLE log (line TEXT, day TEXT, PRIMARY KEY (day)) WITHOUT ROWID;
      INSERT INTO log VALUES ('x', 'mon')
      """
    )
    let error = #expect(throws: DecantError.self) {
      try copy { $0.identities = ["log": ["line"]] }
    }
    #expect(error?.family == .usage && error?.message.contains("log") == true)
  }

  @Test func `a mapping that makes one entity of two finds those that both have`() throws {
    try make(
      """
      CREATE TABLE cook (id INTEGER PRIMARY KEY, name TEXT, age INTEGER);
      CREATE TABLE guest (id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO cook VALUES (1, 'Ada', 36), (2, 'Bob', 40); INSERT INTO guest VALUES (1, 'Cy'), (2, 'Ada');
      """
    )
    var options = CopyOptions()
    options.mapping = try Mapping(
      text: """
        defaults: { duplicates: first }
        entities:
          cook: { from: [cook, guest], identity: [name] }
          guest: { where: "0" }
        """,
      place: "people.yaml"
    )
    let report = try Copy(from: place.path("old.db"), to: place.path("new.db"), options: options)
      .run()
    #expect(report["cook"]?.merge?.duplicate == 1)
    #expect(
      try place.read("new.db", "SELECT name, age FROM cook ORDER BY name")
        == ["'Ada',36", "'Bob',40", "'Cy',NULL"]
    )
  }
}
