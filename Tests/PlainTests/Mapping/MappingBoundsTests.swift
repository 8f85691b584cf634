import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What a mapping says of how far links are followed, and to whom.
@Suite struct MappingBoundsTests {
  private let graph = """
    CREATE TABLE Recipe (id INTEGER PRIMARY KEY, title TEXT, rating INTEGER, similar INTEGER REFERENCES Recipe (id),
      base INTEGER REFERENCES Recipe (id));
    INSERT INTO Recipe VALUES (1, 'a', 5, 2, NULL), (2, 'b', 4, 3, NULL), (3, 'c', 3, 4, NULL), (4, 'd', 5, 1, NULL)
    """

  private func take(
    _ rules: String,
    root: String = "id = 1",
    _ database: String? = nil,
    _ change: (inout CopyOptions) -> Void = { _ in }
  ) throws -> [String] {
    let databases = try MappedDatabases(database ?? graph)
    let report = try databases.copy("relationships: { \(rules) }") {
      $0.roots = [CopyOptions.Filter(entity: "Recipe", expression: root)]
      change(&$0)
    }
    #expect(report.isVerified)
    return try databases.rows("SELECT id, similar, base FROM Recipe ORDER BY id")
  }

  @Test(arguments: [
    ("follow", ["1,2,NULL", "2,3,NULL", "3,4,NULL", "4,1,NULL"]), ("stop", ["1,NULL,NULL"]),
    ("{ rule: follow, depth: 1 }", ["1,2,NULL", "2,NULL,NULL"]),
    ("{ depth: 2 }", ["1,2,NULL", "2,3,NULL", "3,NULL,NULL"]),
    ("{ rule: follow, where: 'rating >= 4' }", ["1,2,NULL", "2,NULL,NULL"]),
    ("{ where: 'rating >= 4', depth: 7 }", ["1,2,NULL", "2,NULL,NULL"]),
    (
      "{ where: 'rating >= (SELECT min(rating) FROM Recipe)', depth: 3 }",
      ["1,2,NULL", "2,3,NULL", "3,4,NULL", "4,1,NULL"]
    ),
  ])
  func `links are followed so far, and to those that meet the condition`(_ rule: String, _ rows: [String]) throws {
    #expect(try take("Recipe.similar: \(rule)") == rows)
  }

  @Test func `a condition holds for the links of one direction, and not for what others lead to`() throws {
    // 3 is too bad to be similar, and comes as a base.
    let database = graph + "; UPDATE Recipe SET base = 3 WHERE id = 1"
    #expect(
      try take("Recipe.similar: { where: 'rating >= 4' }, Recipe.base: follow", database)
        == ["1,2,3", "2,3,NULL", "3,4,NULL", "4,1,NULL"]
    )
    #expect(
      try take("Recipe.similar: stop, inverse of Recipe.similar: { depth: 1, where: 'rating = 5' }")
        == ["1,NULL,NULL", "4,1,NULL"]
    )
  }

  @Test func `of several ways the one with the fewest links counts, though it is the longer one`() throws {
    // To 4: over 2 and 3 by two similar links; over 5, 6 and 7 by none, and later.
    let database = """
      CREATE TABLE Recipe (id INTEGER PRIMARY KEY, title TEXT, rating INTEGER, similar INTEGER REFERENCES Recipe (id),
        base INTEGER REFERENCES Recipe (id));
      INSERT INTO Recipe VALUES (1, 'a', 1, 2, 5), (2, 'b', 1, 4, NULL), (4, 'd', 1, 8, NULL), (5, 'e', 1, NULL, 6),
        (6, 'f', 1, NULL, 4), (8, 'h', 1, 9, NULL), (9, 'i', 1, 10, NULL), (10, 'j', 1, NULL, NULL)
      """
    #expect(
      try take("Recipe.similar: { depth: 2 }, Recipe.base: follow", database) == [
        "1,2,5", "2,4,NULL", "4,8,NULL", "5,NULL,6", "6,NULL,4", "8,9,NULL", "9,NULL,NULL",
      ]
    )
    #expect(
      try take("Recipe.similar: { depth: 2 }, Recipe.base: stop", database) == [
        "1,2,NULL", "2,4,NULL", "4,NULL,NULL",
      ]
    )
  }

  @Test(arguments: [
    ("Recipe.similar: { where: 'ratng > 1' }", "1:43", "did you mean rating?"),
    ("Recipe.similar: { where: 'rating > 1) OR (1' }", "1:43", "Recipe has"),
    ("Recipe.similar: { where: 'rating > :least' }", "1:43", "Recipe has"),
    ("Recipe.similar: { where: \"readfile('x')\" }", "1:43", "Recipe has"),
  ])
  func `a condition that does not compile is named with its place`(
    _ rule: String,
    _ place: String,
    _ remedy: String
  ) throws {
    for hasRoot in [true, false] {
      let error = try #require(throws: DecantError.self) {
        try take(rule) { if !hasRoot { $0.roots = [] } }
      }
      #expect(error.family == .usage)
      #expect(error.place == "map.yaml:\(place)")
      #expect(error.remedy?.hasPrefix(remedy) == true, "\(error)")
    }
  }

  @Test func `what must be followed cannot be bounded`() throws {
    let databases = try MappedDatabases(
      """
      CREATE TABLE Recipe (id INTEGER PRIMARY KEY, title TEXT);
      CREATE TABLE Soup (id INTEGER PRIMARY KEY REFERENCES Recipe (id), broth TEXT);
      INSERT INTO Recipe VALUES (1, 'a'); INSERT INTO Soup VALUES (1, 'x')
      """
    )
    var options = CopyOptions()
    options.roots = [CopyOptions.Filter(entity: "Soup", expression: "1")]
    options.rules = [CopyOptions.Rule("Soup.id", .follow, depth: 1)]
    let (old, new) = (databases.place.path("old.db"), databases.place.path("new.db"))
    let error = try #require(throws: DecantError.self) {
      try Copy(from: old, to: new, options: options).run()
    }
    #expect(error.family == .usage && error.message.contains("without bounds"), "\(error)")
    options.rules = [CopyOptions.Rule("Soup.id", .follow)]
    #expect(try Copy(from: old, to: new, options: options).run().isVerified)
  }

  @Test func `an interrupted copy does not go on with another bound`() throws {
    let databases = try MappedDatabases(graph)
    let stop = Cancellation()
    func options(_ bound: String) throws -> CopyOptions {
      var options = CopyOptions()
      options.mapping = try Mapping(text: "relationships: { Recipe.similar: \(bound) }", place: "m")
      options.roots = [CopyOptions.Filter(entity: "Recipe", expression: "id = 1")]
      options.batchSize = 1
      options.leftOver = .resume
      return options
    }
    func copy(_ bound: String) throws -> Copy {
      Copy(from: databases.place.path("old.db"), to: databases.place.path("new.db"), options: try options(bound))
    }
    #expect(throws: DecantError.self) {
      try copy("{ depth: 2 }").run(cancellation: stop) { event in
        if case .working(.began(.copy), _) = event { stop.cancel() }
      }
    }
    for other in ["{ depth: 3 }", "follow", "{ depth: 2, where: 'rating > 1' }"] {
      let refused = try #require(throws: DecantError.self) { try copy(other).run() }
      #expect(refused.family == .failed, "\(refused)")
    }
    #expect(try copy("{ depth: 2 }").run().isVerified)
  }
}
