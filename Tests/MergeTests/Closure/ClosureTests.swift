import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What `--root` takes of databases that were made by hand.
@Suite struct ClosureTests {
  private let place: PlainDatabase

  init() throws { place = try PlainDatabase() }

  /// A circle of three, one that leads to itself, one that leads in, and one that lies apart.
  private static let circle = """
    CREATE TABLE n (id INTEGER PRIMARY KEY, next INTEGER REFERENCES n);
    INSERT INTO n VALUES (1, 2), (2, 3), (3, 1), (4, 4), (5, 1), (6, NULL)
    """

  private static let recipes = """
    CREATE TABLE category (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT UNIQUE,
      category INTEGER REFERENCES category, variant INTEGER REFERENCES recipe);
    CREATE TABLE ingredient (id INTEGER PRIMARY KEY, name TEXT,
      recipe INTEGER NOT NULL REFERENCES recipe ON DELETE CASCADE);
    CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE recipe_tag (recipe INTEGER REFERENCES recipe, tag INTEGER REFERENCES tag,
      PRIMARY KEY (recipe, tag));
    INSERT INTO category VALUES (1, 'Soups'), (2, 'Cakes');
    INSERT INTO recipe VALUES (1, 'Soup', 1, NULL), (2, 'Cake', 2, NULL), (3, 'Hot soup', 1, 1);
    INSERT INTO ingredient VALUES (1, 'water', 1), (2, 'salt', 1), (3, 'flour', 2), (4, 'chili', 3);
    INSERT INTO tag VALUES (1, 'easy'), (2, 'sweet');
    INSERT INTO recipe_tag VALUES (1, 1), (2, 1), (2, 2), (3, 1)
    """

  private func take(_ entity: String, _ condition: String, _ rules: [String: ClosureRule] = [:]) throws -> CopyReport {
    try place.copy {
      $0.roots = [CopyOptions.Filter(entity: entity, expression: condition)]
      $0.rules = rules.map { CopyOptions.Rule($0.key, $0.value) }
    }
  }

  @Test(arguments: [
    (1, ["1,2", "2,3", "3,1"]), (4, ["4,4"]), (5, ["1,2", "2,3", "3,1", "5,1"]), (6, ["6,NULL"]),
  ])
  func `circles are followed once`(_ start: Int, _ rows: [String]) throws {
    try place.make("a.db", Self.circle)
    let report = try take("n", "id = \(start)")
    #expect(try place.read("b.db", "SELECT * FROM n ORDER BY id") == rows)
    #expect(report.isVerified)
    #expect(report["n"]?.filtered == Int64(6 - rows.count))
  }

  /// The forms that frameworks give tables: whoever shares a note gives away neither the other notes of its user nor those
  /// that have a tag or a comment of theirs in common with it.
  private static let notes = """
    CREATE TABLE user (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE avatar (id INTEGER PRIMARY KEY, user INTEGER NOT NULL REFERENCES user ON DELETE CASCADE);
    CREATE TABLE note (id INTEGER PRIMARY KEY, t TEXT, user INTEGER NOT NULL REFERENCES user ON DELETE CASCADE);
    CREATE TABLE comment (id INTEGER PRIMARY KEY, note INTEGER NOT NULL REFERENCES note ON DELETE CASCADE,
      user INTEGER NOT NULL REFERENCES user ON DELETE CASCADE);
    CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE note_tag (id INTEGER PRIMARY KEY, note INTEGER NOT NULL REFERENCES note ON DELETE CASCADE,
      tag INTEGER NOT NULL REFERENCES tag ON DELETE CASCADE);
    CREATE TABLE friend (a INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
      b INTEGER NOT NULL REFERENCES user ON DELETE CASCADE, since TEXT, id INTEGER PRIMARY KEY);
    INSERT INTO user VALUES (1, 'me'), (2, 'you'), (3, 'other');
    INSERT INTO avatar VALUES (1, 1), (2, 2);
    INSERT INTO note VALUES (1, 'mine', 1), (2, 'secret', 1), (3, 'yours', 2);
    INSERT INTO comment VALUES (1, 1, 2), (2, 3, 2), (3, 3, 1);
    INSERT INTO tag VALUES (10, 'x'), (11, 'y');
    INSERT INTO note_tag VALUES (1, 1, 10), (2, 2, 10), (3, 2, 11);
    INSERT INTO friend VALUES (1, 2, '2020', 1), (2, 3, '2021', 2)
    """

  @Test(
    arguments: [
      ("note", 1, [:], "1,2", "1", "1", "1", "10", ""),
      // The user's own notes have their comments, whose authors are known by name.
      ("user", 1, [:], "1,2", "1,2,3", "1,3", "1,2,3", "10,11", "1"),
      ("tag", 11, [:], "1", "2", "", "3", "11", ""),
      // What is asked for brings its parts.
      ("note", 1, ["note.user": .follow], "1,2,3", "1,2,3", "1,2,3", "1,2,3", "10,11", "1,2"),
      ("note", 1, ["inverse of note.user": .follow], "1,2", "1,2,3", "1,2,3", "1,2,3", "10,11", ""),
    ] as [(String, Int, [String: ClosureRule], String, String, String, String, String, String)])
  func `an object that only its part needs brings no other parts`(
    _ entity: String, _ key: Int, _ rules: [String: ClosureRule], _ users: String, _ notes: String, _ comments: String,
    _ noteTags: String, _ tags: String, _ friends: String
  ) throws {
    try place.make("a.db", Self.notes)
    let report = try take(entity, "id = \(key)", rules)
    #expect(report.isVerified)
    for (table, expected) in [
      ("user", users), ("note", notes), ("comment", comments), ("note_tag", noteTags), ("tag", tags),
      ("friend", friends),
    ] {
      let ids = try place.read("b.db", "SELECT id FROM \(table) ORDER BY id").joined(separator: ",")
      #expect(ids == expected, "\(table)")
    }
    #expect(try place.read("b.db", "PRAGMA foreign_key_check") == [])
  }

  /// Tables of which one continues the rows of another, as Django's classes that inherit: both rows are one object.
  @Test func `an owner in two tables is bare in both`() throws {
    try place.make(
      "a.db",
      """
      CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE restaurant (place_id INTEGER PRIMARY KEY REFERENCES place ON DELETE CASCADE, stars INTEGER);
      CREATE TABLE dish (id INTEGER PRIMARY KEY,
        restaurant INTEGER NOT NULL REFERENCES restaurant ON DELETE CASCADE);
      CREATE TABLE review (id INTEGER PRIMARY KEY, place INTEGER NOT NULL REFERENCES place ON DELETE CASCADE);
      INSERT INTO place VALUES (1, 'a'), (2, 'b'); INSERT INTO restaurant VALUES (1, 3);
      INSERT INTO dish VALUES (1, 1), (2, 1); INSERT INTO review VALUES (1, 1), (2, 2)
      """)
    #expect(try take("dish", "id = 1").isVerified)
    let counts = ["place", "restaurant", "dish", "review"].map { "(SELECT count(*) FROM \($0))" }
    #expect(try place.read("b.db", "SELECT \(counts.joined(separator: ", "))") == ["1,1,1,0"])
  }

  @Test(arguments: ["", "WITHOUT ROWID"])
  func `links to what is not taken stay behind, also where both ends are obligatory`(_ table: String) throws {
    try place.make(
      "a.db",
      """
      CREATE TABLE recipe (id INTEGER PRIMARY KEY, rating INTEGER);
      CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE recipe_tag (tag INTEGER NOT NULL REFERENCES tag, recipe INTEGER NOT NULL REFERENCES recipe,
        PRIMARY KEY (tag, recipe)) \(table);
      INSERT INTO recipe VALUES (1, 5), (2, 1);
      INSERT INTO tag VALUES (1, 'easy'), (2, 'sweet'), (3, 'hot');
      INSERT INTO recipe_tag VALUES (1, 1), (1, 2), (2, 2), (3, 1)
      """
    )
    let report = try take("recipe", "rating >= 4", ["recipe.recipe_tag": .follow])
    #expect(report.isVerified)
    #expect(report.links == LinkCounts(copied: 2, cut: 2))
    #expect(try place.read("b.db", "SELECT * FROM recipe_tag ORDER BY tag") == ["1,1", "3,1"])
    #expect(try place.read("b.db", "SELECT id FROM tag ORDER BY id") == ["1", "3"])
  }

  @Test func `a chain is followed to its end, two hundred links away`() throws {
    try place.make(
      "a.db",
      """
      CREATE TABLE n (id INTEGER PRIMARY KEY, next INTEGER REFERENCES n);
      WITH c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 300)
      INSERT INTO n SELECT i, iif(i < 300, i + 1, NULL) FROM c
      """
    )
    let report = try place.copy {
      $0.roots = [CopyOptions.Filter(entity: "n", expression: "id = 100")]
      $0.isDryRun = true
    }
    #expect(report.closure?.depth == 200)
    #expect(report.closure?.levels.map(\.objectCount) == [Int64](repeating: 1, count: 201))
    #expect(try take("n", "id = 100")["n"]?.copied == 201)
  }

  @Test func `parts and what they need come along, and no more`() throws {
    try place.make("a.db", Self.recipes)
    let report = try take("recipe", "title = 'Soup'")
    #expect(
      try place.read(
        "b.db",
        """
        SELECT 'recipe', title FROM recipe UNION ALL SELECT 'category', name FROM category
        UNION ALL SELECT 'ingredient', name FROM ingredient UNION ALL SELECT 'tag', name FROM tag
        UNION ALL SELECT 'pair', recipe || tag FROM recipe_tag
        """
      ) == [
        "'recipe','Soup'", "'category','Soups'", "'ingredient','water'", "'ingredient','salt'",
      ]
    )
    #expect(report.isVerified)
    #expect(try place.complaints("b.db").isEmpty)
  }

  @Test func `rules say what comes along in each direction`() throws {
    try place.make("a.db", Self.recipes)
    let report = try take(
      "recipe",
      "title = 'Soup'",
      [
        "recipe.category": .stop, "recipe.recipe_tag": .follow,
        "inverse of recipe.variant": .follow,
        "inverse of ingredient.recipe": .stop,
      ]
    )
    #expect(
      try place.read("b.db", "SELECT * FROM recipe")
        == ["1,'Soup',NULL,NULL", "3,'Hot soup',NULL,1"]
    )
    #expect(try place.read("b.db", "SELECT count(*) FROM ingredient") == ["0"])
    #expect(try place.read("b.db", "SELECT * FROM recipe_tag") == ["1,1", "3,1"])
    #expect(report.linksByRelationship["recipe.category"]?.cut == 2)
  }

  @Test func `a condition holds on the way, too`() throws {
    try place.make("a.db", Self.circle)
    try place.copy {
      $0.roots = [CopyOptions.Filter(entity: "n", expression: "id = 5")]
      $0.filters = [CopyOptions.Filter(entity: "n", expression: "id <> 2")]
    }
    #expect(try place.read("b.db", "SELECT * FROM n") == ["1,NULL", "5,1"])
  }

  @Test func `a dry run tells distances, objects and bytes, and writes nothing`() throws {
    try place.make("a.db", Self.recipes)
    let report = try place.copy {
      $0.roots = [CopyOptions.Filter(entity: "recipe", expression: "title = 'Hot soup'")]
      $0.isDryRun = true
    }
    let closure = try #require(report.closure)
    // By hand: titles and names in bytes; links are no values, and a key that is shown is one of eight bytes.
    #expect(
      closure.levels.map { "\($0.distance) \($0.entity) \($0.objectCount) \($0.byteCount)" } == [
        "0 recipe 1 8", "1 category 1 5", "1 recipe 1 4", "1 ingredient 1 5", "2 ingredient 2 9",
      ]
    )
    #expect(closure.rules["inverse of ingredient.recipe"] == .follow)
    #expect(closure.rules["recipe.recipe_tag"] == .stop)
    #expect(!FileManager.default.fileExists(atPath: place.path("b.db")))
  }

  @Test func `a link to what the destination has leads there in a merge`() throws {
    try place.make("a.db", Self.recipes)
    try place.make(
      "b.db",
      Self.recipes.components(separatedBy: "INSERT")[0]
        + "; INSERT INTO category VALUES (7, 'Soups'); INSERT INTO recipe VALUES (1, 'Bread', NULL, NULL)"
    )
    try place.copy {
      $0.roots = [CopyOptions.Filter(entity: "recipe", expression: "id IN (1, 2)")]
      $0.rules = [CopyOptions.Rule("recipe.category", .reference)]
      $0.merge = MergeRules(.skip)
      $0.purpose = .merge
    }
    #expect(
      try place.read("b.db", "SELECT title, category FROM recipe ORDER BY title")
        == ["'Bread',NULL", "'Cake',NULL", "'Soup',7"]
    )
    #expect(try place.read("b.db", "SELECT id, name FROM category") == ["7,'Soups'"])
    #expect(try place.read("b.db", "SELECT count(*) FROM ingredient") == ["3"])
  }

  @Test func `rows that texts name are taken by these`() throws {
    try place.make(
      "a.db",
      """
      CREATE TABLE unit (code TEXT PRIMARY KEY, base TEXT REFERENCES unit) WITHOUT ROWID;
      CREATE TABLE line (id INTEGER PRIMARY KEY, unit TEXT REFERENCES unit);
      INSERT INTO unit VALUES ('g', NULL), ('kg', 'g'), ('l', NULL), ('ml', 'l');
      INSERT INTO line VALUES (1, 'kg'), (2, 'ml')
      """
    )
    let report = try take("line", "id = 1")
    #expect(try place.read("b.db", "SELECT * FROM unit") == ["'g',NULL", "'kg','g'"])
    #expect(report.isVerified)
  }
}
