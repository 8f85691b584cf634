import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What makes two objects of two stores the same.
@Suite struct MergeIdentityTests {
  @Test func `an identity may hold a link, and waits for what that leads to`() throws {
    // The first step of each soup: told apart by the recipe they belong to.
    let stores = try Merges(
      """
      CREATE TABLE recipe (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE step (id INTEGER PRIMARY KEY, recipe INTEGER REFERENCES recipe (id), position INTEGER,
        text TEXT, UNIQUE (recipe, position))
      """,
      mine: """
        INSERT INTO recipe VALUES (1, 'soup'); INSERT INTO step VALUES (1, 1, 0, 'boil'), (2, 1, 1, 'eat')
        """,
      theirs: """
        INSERT INTO recipe VALUES (1, 'bread'), (2, 'soup');
        INSERT INTO step VALUES (1, 1, 0, 'boil'), (2, 2, 0, 'boil gently'), (3, 2, 2, 'wash up')
        """
    )
    let report = try stores.merge(.update)
    #expect(report["step"]?.updated == 1 && report["step"]?.copied == 2)
    let steps =
      "SELECT name, position, text FROM step JOIN recipe ON recipe.id = recipe ORDER BY 1, 2"
    #expect(
      try stores.rows(steps)
        == ["'bread',0,'boil'", "'soup',0,'boil gently'", "'soup',1,'eat'", "'soup',2,'wash up'"]
    )
  }

  /// A row that both stores have added since they were one, under the next place of a list: what the source has, and
  /// whether it is another one.
  private static let places: [(rows: String, isOther: Bool)] = [
    ("(4, 1, 3, 'Wrong colour', 'blue')", true), ("(5, 1, 3, 'Slow merge', '10 s')", false),
    ("(4, 1, 3, 'Slow merge', '10 s')", false), ("(4, 1, 3, 'Slow merge', '12 s')", false),
    ("(4, 1, 4, 'Wrong colour', 'blue')", false),
  ]

  @Test(arguments: places.indices, [MergePolicy.skip, .update])
  func `two new rows under one place of a list are not one`(number: Int, policy: MergePolicy) throws {
    let (row, isOther) = Self.places[number]
    let rows = """
      INSERT INTO repo VALUES (1, 'decant'), (2, 'soup');
      INSERT INTO issue VALUES (1, 1, 1, 'Crash on start', 'stack'), (2, 1, 2, 'Typo in help', 'teh'),
        (3, 2, 1, 'Too salty', 'water')
      """
    let stores = try Merges(
      """
      CREATE TABLE repo (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE issue (id INTEGER PRIMARY KEY, repo_id INTEGER REFERENCES repo, idx INTEGER, title TEXT, body TEXT,
        UNIQUE (repo_id, idx))
      """,
      mine: rows + ", (4, 2, 2, 'More garlic', 'please'), (5, 1, 3, 'Slow merge', '10 s')",
      theirs: rows + ", \(row)"
    )
    guard isOther else {
      try stores.merge(policy)
      #expect(try stores.rows("SELECT count(*) FROM issue WHERE title = 'Slow merge'") == ["1"])
      return
    }
    let before = try stores.rows("SELECT * FROM issue")
    let error = #expect(throws: DecantError.self) { try stores.merge(policy) }
    #expect(error?.message.contains("both stores have added 1 row to issue with the same repo_id, idx") == true)
    #expect(try stores.rows("SELECT * FROM issue") == before)
    // The user knows that they are one.
    try stores.merge(policy) { $0.identities = ["issue": ["repo_id", "idx"]] }
    #expect(try stores.rows("SELECT count(*) FROM issue") == ["5"])
  }

  @Test func `identities that need each other are named as a cycle`() throws {
    let stores = try Merges(
      """
      CREATE TABLE hen (id INTEGER PRIMARY KEY, egg INTEGER REFERENCES egg (id));
      CREATE TABLE egg (id INTEGER PRIMARY KEY, hen INTEGER REFERENCES hen (id))
      """,
      mine: "INSERT INTO hen VALUES (1, 1); INSERT INTO egg VALUES (1, 1)",
      theirs: "INSERT INTO hen VALUES (1, 1); INSERT INTO egg VALUES (1, 1)"
    )
    let error = #expect(throws: DecantError.self) {
      try stores.merge { $0.identities = ["hen": ["egg"], "egg": ["hen"]] }
    }
    #expect(error?.family == .usage)
    #expect(error?.message.contains("egg → hen → egg") == true)
    // Each by what it holds and leads to, as no identity was declared: they are the same two.
    let report = try stores.merge()
    #expect(report.copiedCount == 0)
  }

  @Test func `nothing is known by an empty value`() throws {
    let stores = try Merges(
      "CREATE TABLE note (id INTEGER PRIMARY KEY, uuid TEXT UNIQUE, text TEXT)",
      mine: "INSERT INTO note VALUES (1, NULL, 'a'), (2, NULL, 'b'), (3, 'u', 'c')",
      theirs: "INSERT INTO note VALUES (1, NULL, 'b'), (2, NULL, 'c'), (3, 'u', 'd')"
    )
    try stores.merge(.update)
    // Equal notes are one all the same; an empty identity makes no others so.
    #expect(
      try stores.rows("SELECT uuid, text FROM note ORDER BY id")
        == ["NULL,'a'", "NULL,'b'", "'u','d'", "NULL,'c'"]
    )
  }

  @Test func `what a database promises and does not keep is told apart by what it holds`() throws {
    // A unique index lets many rows without a value pass; what is declared here it never checks.
    let stores = try Merges(
      "CREATE TABLE a (id INTEGER PRIMARY KEY, n TEXT); CREATE TABLE b (id INTEGER PRIMARY KEY, n TEXT)",
      mine: "INSERT INTO a VALUES (1, 'x'), (2, 'x')",
      theirs: "INSERT INTO a VALUES (1, 'x'), (2, 'x'), (3, 'x')"
    )
    // Three of one content where two are: one is new.
    let report = try stores.merge()
    #expect(report["a"]?.copied == 1 && report["a"]?.merge?.same == 2)
    #expect(try stores.merge().copiedCount == 0)
  }

  @Test func `folders of one name in different places are different folders`() throws {
    let stores = try Merges(
      "CREATE TABLE folder (id INTEGER PRIMARY KEY, name TEXT, inside INTEGER REFERENCES folder (id))",
      mine: """
        INSERT INTO folder VALUES (1, 'a', NULL), (2, 'b', NULL), (3, 'x', 1), (4, 'x', 2), (5, 'deep', 3)
        """,
      theirs: """
        INSERT INTO folder VALUES (1, 'b', NULL), (2, 'x', 1), (3, 'deep', 2), (4, 'deeper', 3)
        """
    )
    let report = try stores.merge()
    // b and b/x are there; b/x/deep is not, as deep lies in a/x.
    #expect(report["folder"]?.copied == 2)
    #expect(
      try stores.rows("SELECT * FROM folder WHERE id > 5 ORDER BY id") == [
        "6,'deep',4", "7,'deeper',6",
      ]
    )
    #expect(try stores.merge().copiedCount == 0)
  }

  private static let folders =
    "CREATE TABLE folder (id INTEGER PRIMARY KEY, name TEXT, inside INTEGER REFERENCES folder (id))"

  @Test func `the same folders one level deeper are others`() throws {
    let stores = try Merges(
      Self.folders,
      mine: "INSERT INTO folder VALUES (1, 'Soups', NULL), (2, 'Hot', 1)",
      theirs: "INSERT INTO folder VALUES (1, 'Archive', NULL), (2, 'Soups', 1), (3, 'Hot', 2)"
    )
    #expect(try stores.merge().copiedCount == 3)
    #expect(
      try stores.rows("SELECT name, inside FROM folder ORDER BY id")
        == ["'Soups',NULL", "'Hot',1", "'Hot',5", "'Archive',NULL", "'Soups',4"]
    )
    #expect(try stores.merge().copiedCount == 0)
  }

  @Test func `a chain of any length is told apart by its beginning`() throws {
    // Alike but for the first link of each.
    func chain(_ first: String) -> String {
      """
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
      INSERT INTO folder SELECT i, iif(i = 1, '\(first)', 'x'), nullif(i - 1, 0) FROM n
      """
    }
    let stores = try Merges(Self.folders, mine: chain("a"), theirs: chain("b"))
    // By their keys both would be one, in which a name was changed.
    func rules(_ rules: inout MergeRules) { rules.lineage = .none }
    #expect(try stores.merge(.skip, rules).copiedCount == 1500)
    #expect(try stores.merge(.skip, rules).copiedCount == 0)
  }

  @Test func `folders that lead to one another in a circle are there once`() throws {
    let circle = "INSERT INTO folder VALUES (1, 'a', 2), (2, 'b', 3), (3, 'c', 1), (4, 'd', 4)"
    let stores = try Merges(Self.folders, mine: circle, theirs: circle)
    #expect(try stores.merge().copiedCount == 0)
  }

  @Test func `an identity may hold a link to one's own kind`() throws {
    let stores = try Merges(
      """
      CREATE TABLE folder (id INTEGER PRIMARY KEY, inside INTEGER REFERENCES folder (id), name TEXT, color TEXT,
        UNIQUE (inside, name))
      """,
      mine:
        "INSERT INTO folder VALUES (1, NULL, 'a', 'red'), (2, 1, 'b', 'red'), (3, 2, 'c', 'red')",
      theirs: """
        INSERT INTO folder VALUES (9, NULL, 'a', 'red'), (7, 9, 'b', 'blue'), (8, 7, 'c', 'blue'), (6, 7, 'd', 'blue')
        """
    )
    let report = try stores.merge(.update)
    #expect(report["folder"]?.updated == 2 && report["folder"]?.copied == 1)
    #expect(
      try stores.rows("SELECT inside, name, color FROM folder ORDER BY name")
        == ["NULL,'a','red'", "1,'b','blue'", "2,'c','blue'", "2,'d','blue'"]
    )
  }

  @Test func `parts that answer one another make no other owner`() throws {
    let stores = try Merges(
      """
      CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT);
      CREATE TABLE comment (id INTEGER PRIMARY KEY, post INTEGER NOT NULL REFERENCES post (id),
        reply INTEGER REFERENCES comment (id), body TEXT)
      """,
      mine:
        "INSERT INTO post VALUES (1, 'P'); INSERT INTO comment VALUES (1, 1, NULL, 'hi'), (2, 1, 1, 'yo')",
      theirs:
        "INSERT INTO post VALUES (5, 'P'); INSERT INTO comment VALUES (8, 5, NULL, 'hi'), (7, 5, 8, 'yo')"
    )
    #expect(try stores.merge().copiedCount == 0)
  }

  @Test func `a part that is known by itself makes no other owner`() throws {
    let stores = try Merges(
      """
      CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT);
      CREATE TABLE image (id INTEGER PRIMARY KEY, uuid TEXT UNIQUE, recipe INTEGER NOT NULL REFERENCES recipe (id))
      """,
      mine: "INSERT INTO recipe VALUES (1, 'Soup'); INSERT INTO image VALUES (1, 'u1', 1)",
      theirs:
        "INSERT INTO recipe VALUES (1, 'Soup'); INSERT INTO image VALUES (1, 'u1', 1), (2, 'u2', 1)"
    )
    #expect(try stores.merge().copiedCount == 1)
    #expect(try stores.rows("SELECT uuid, recipe FROM image ORDER BY 1") == ["'u1',1", "'u2',1"])
    #expect(try stores.merge().copiedCount == 0)
  }

  @Test func `what is left out is led to where it is there`() throws {
    let stores = try Merges(
      """
      CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE note (id INTEGER PRIMARY KEY, tag INTEGER REFERENCES tag (id), text TEXT)
      """,
      mine: "INSERT INTO tag VALUES (1, 'soup')",
      theirs:
        "INSERT INTO tag VALUES (7, 'soup'), (8, 'bread'); INSERT INTO note VALUES (1, 7, 'a'), (2, 8, 'b')"
    )
    for _ in 1...2 {
      try stores.merge {
        $0.duplicates = nil
      } options: {
        $0.filters = [CopyOptions.Filter(entity: "tag", expression: "0")]
      }
    }
    #expect(try stores.rows("SELECT tag, text FROM note WHERE text = 'a'") == ["1,'a'"])
    #expect(try stores.rows("SELECT name FROM tag") == ["'soup'"])
  }

  @Test func `what was cut off from something left out is there once`() throws {
    let stores = try Merges(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, n TEXT);
      CREATE TABLE a (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p (id), n TEXT)
      """,
      mine: "",
      theirs: "INSERT INTO p VALUES (1, 'x'); INSERT INTO a VALUES (1, 1, 'y')"
    )
    for count in [Int64(1), 0] {
      let report = try stores.merge {
        $0.duplicates = nil
      } options: {
        $0.filters = [CopyOptions.Filter(entity: "p", expression: "n = 'none'")]
      }
      #expect(report.copiedCount == count)
    }
    #expect(try stores.rows("SELECT * FROM a") == ["1,NULL,'y'"])
  }

  @Test func `what a unique index takes for equal is equal`() throws {
    let stores = try Merges(
      "CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE UNIQUE, n INTEGER)",
      mine: "INSERT INTO tag VALUES (1, 'Soup', 1)",
      theirs: "INSERT INTO tag VALUES (1, 'soup', 2)"
    )
    #expect(try stores.merge().copiedCount == 0)
  }

  @Test func `of two unique keys the first that was declared tells objects apart`() throws {
    let stores = try Merges(
      "CREATE TABLE r (id INTEGER PRIMARY KEY, uuid TEXT UNIQUE, place INTEGER UNIQUE)",
      mine: "INSERT INTO r VALUES (1, 'u1', 1)",
      theirs: "INSERT INTO r VALUES (1, 'u1', 5)"
    )
    #expect(try stores.merge(.update)["r"]?.updated == 1)
    #expect(try stores.rows("SELECT uuid, place FROM r") == ["'u1',5"])
    // Where they disagree nothing is overwritten.
    _ = try Program.sqlite3(stores.theirs, "UPDATE r SET uuid = 'u9'")
    #expect(throws: DecantError.self) { try stores.merge(.update) }
    #expect(try stores.rows("SELECT uuid, place FROM r") == ["'u1',5"])
  }

  @Test func `an object without identity is what it owns, too`() throws {
    let schema = """
      CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT);
      CREATE TABLE part (id INTEGER PRIMARY KEY, recipe INTEGER NOT NULL REFERENCES recipe (id) ON DELETE CASCADE,
        name TEXT)
      """
    let stores = try Merges(
      schema,
      mine: """
        INSERT INTO recipe VALUES (1, 'soup'), (2, 'bread'); INSERT INTO part VALUES (1, 1, 'salt'), (2, 2, 'salt')
        """,
      theirs: """
        INSERT INTO recipe VALUES (1, 'bread'), (2, 'soup');
        INSERT INTO part VALUES (1, 1, 'salt'), (2, 2, 'salt'), (3, 2, 'leek')
        """
    )
    let report = try stores.merge()
    // Another soup, as it has leek; with all its parts, though one of them looks like mine.
    #expect(report["recipe"]?.copied == 1 && report["part"]?.copied == 2)
    #expect(
      try stores.rows(
        """
        SELECT title, (SELECT group_concat(name) FROM (SELECT name FROM part WHERE part.recipe = recipe.id
          ORDER BY name DESC)) FROM recipe ORDER BY id
        """
      )
        == ["'soup','salt'", "'bread','salt'", "'soup','salt,leek'"]
    )
  }

  @Test func `a misspelt name is answered with the right one`() throws {
    let stores = try Merges(
      "CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT)",
      mine: "INSERT INTO recipe VALUES (1, 'a')",
      theirs: "INSERT INTO recipe VALUES (1, 'b')"
    )
    let error = #expect(throws: DecantError.self) {
      try stores.merge { $0.identities = ["recipe": ["titel"]] }
    }
    #expect(error?.family == .usage && error?.remedy == "did you mean title?")
    let other = #expect(throws: DecantError.self) {
      try stores.merge { $0.rules["recipes"] = .init(.skip) }
    }
    #expect(other?.family == .usage && other?.remedy == "did you mean recipe?")
  }
}
