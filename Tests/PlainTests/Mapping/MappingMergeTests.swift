import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Objects that come through a mapping and are there already.
@Suite struct MappingMergeTests {
  private let old = """
    CREATE TABLE dish (nr INTEGER PRIMARY KEY, name TEXT, stars INTEGER, memo TEXT, changed REAL,
      grp INTEGER REFERENCES grp (nr));
    CREATE TABLE grp (nr INTEGER PRIMARY KEY, label TEXT);
    INSERT INTO grp VALUES (1, 'soups'), (2, 'cakes');
    INSERT INTO dish VALUES (1, 'Leek', 5, 'hot', 20, 1), (2, 'Tart', 1, NULL, 10, 2), (3, 'New', 3, 'n', 1, 1)
    """
  private let new = """
    CREATE TABLE category (id INTEGER PRIMARY KEY, title TEXT);
    CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT, rating INTEGER, notes TEXT, modifiedAt REAL,
      category INTEGER REFERENCES category (id));
    INSERT INTO category VALUES (7, 'cakes');
    INSERT INTO recipe VALUES (1, 'Tart', 4, 'mine', 15, 7), (2, 'Leek', 2, NULL, 15, NULL)
    """

  private func mapping(_ merge: String, _ defaults: String = "") -> String {
    """
    \(defaults)
    entities:
      category: { from: grp, identity: [title], merge: skip, set: { title: label } }
      recipe:
        from: dish
        identity: [title]
        merge: \(merge)
        set: { title: name, rating: stars, notes: memo, modifiedAt: changed, category: grp }
    """
  }

  private let recipes = """
    SELECT r.title, rating, notes, modifiedAt, c.title FROM recipe r LEFT JOIN category c ON c.id = category
    ORDER BY 1, 2
    """

  @Test(arguments: [
    ("skip", ["'Leek',2,NULL,15.0,NULL", "'New',3,'n',1.0,'soups'", "'Tart',4,'mine',15.0,'cakes'"]),
    ("update", ["'Leek',5,'hot',20.0,'soups'", "'New',3,'n',1.0,'soups'", "'Tart',1,NULL,10.0,'cakes'"]),
    ("fill", ["'Leek',2,'hot',15.0,'soups'", "'New',3,'n',1.0,'soups'", "'Tart',4,'mine',15.0,'cakes'"]),
    (
      "{ policy: newest, by: modifiedAt }",
      ["'Leek',5,'hot',20.0,'soups'", "'New',3,'n',1.0,'soups'", "'Tart',4,'mine',15.0,'cakes'"]
    ),
    (
      "{ policy: update, keep: [rating, notes] }",
      ["'Leek',2,NULL,20.0,'soups'", "'New',3,'n',1.0,'soups'", "'Tart',4,'mine',10.0,'cakes'"]
    ),
    (
      "{ policy: newest, by: modifiedAt, keep: [category] }",
      ["'Leek',5,'hot',20.0,NULL", "'New',3,'n',1.0,'soups'", "'Tart',4,'mine',15.0,'cakes'"]
    ),
  ])
  func `each policy, and what is kept`(_ merge: String, _ expected: [String]) throws {
    let databases = try MappedDatabases(old, to: new)
    let report = try databases.copy(mapping(merge))
    #expect(try databases.rows(recipes) == expected)
    #expect(report.isVerified && report["recipe"]?.copied == 1)
    #expect(try databases.rows("SELECT title FROM category ORDER BY 1") == ["'cakes'", "'soups'"])
    // Once more: nothing is left to do.
    let again = try databases.copy(mapping(merge))
    #expect(again.copiedCount == 0 && again.entities.allSatisfy { $0.updated == 0 })
    #expect(try databases.rows(recipes) == expected)
  }

  @Test func `an object that differs in nothing but what is kept is left alone`() throws {
    let databases = try MappedDatabases(
      old,
      to: new
        + "; UPDATE recipe SET title = 'Leek', rating = 9, notes = 'hot', modifiedAt = 20, category = NULL WHERE id = 2"
    )
    let report = try databases.copy(mapping("{ policy: update, keep: [rating, category] }"))
    #expect(report["recipe"]?.skipped == 1 && report["recipe"]?.updated == 1)
  }

  @Test(arguments: ["", "where: \"label <> 'soups'\", "])
  func `what is kept is no gap to be filled, and what leads nowhere fills none`(_ filter: String) throws {
    let databases = try MappedDatabases(old, to: new)
    // Leek has neither notes nor a category, and keeps it so.
    let keep = filter.isEmpty ? "[notes, category]" : "[notes]"
    let text = mapping("{ policy: fill, keep: \(keep) }")
      .replacing("from: grp, ", with: "from: grp, \(filter)")
    let report = try databases.copy(text)
    #expect(report["recipe"]?.updated == 0 && report["recipe"]?.skipped == 2)
    #expect(
      try databases.rows(recipes + " LIMIT 3").filter { !$0.hasPrefix("'New'") }
        == ["'Leek',2,NULL,15.0,NULL", "'Tart',4,'mine',15.0,'cakes'"]
    )
    #expect(report.isVerified)
  }

  /// A copy of the sample store as `mine.sqlite` and another as `theirs.sqlite`, merged through a mapping.
  private func kitchens(_ change: String, _ text: String) throws -> (MappedDatabases, CopyReport) {
    let databases = try MappedDatabases("SELECT 1")
    for name in ["mine.sqlite", "theirs.sqlite"] {
      try FileManager.default.copyItem(
        atPath: Fixtures.projectFolder.appendingPathComponent("samples/Kitchen.sqlite").path,
        toPath: databases.place.path(name)
      )
    }
    try databases.place.make("theirs.sqlite", change)
    let report = try databases.copy(text, from: "theirs.sqlite", to: "mine.sqlite") {
      $0.purpose = .merge
    }
    return (databases, report)
  }

  @Test func `what one of two entities in a table keeps, the other takes`() throws {
    let (databases, report) = try kitchens(
      "UPDATE ZIMAGE SET ZMIMETYPE = 'image/other'",
      """
      defaults: { merge: update }
      entities:
        RecipeImage: { identity: [uuid], merge: { policy: update, keep: [mimeType] } }
        StepImage: { identity: [uuid] }
      """
    )
    // Six images of recipes, and three of steps.
    #expect(report["RecipeImage"]?.updated == 0 && report["RecipeImage"]?.skipped == 6)
    #expect(report["StepImage"]?.updated == 3 && report.isVerified)
    #expect(
      try databases.rows(
        """
        SELECT p.Z_NAME, count(*) FROM ZIMAGE AS i JOIN Z_PRIMARYKEY AS p ON p.Z_ENT = i.Z_ENT
        WHERE ZMIMETYPE = 'image/other' GROUP BY 1
        """,
        of: "mine.sqlite"
      ) == ["'StepImage',3"]
    )
  }

  @Test(arguments: [
    (
      "entities:\n  Recipe:\n    identity: [title, steps]\n", "map.yaml:3:23",
      "Recipe has no attribute or to-one relationship steps"
    ),
    (
      "entities:\n  Recipe:\n    merge: {policy: update, keep: [title, steps]}\n", "map.yaml:3:43",
      "Recipe has no attribute or to-one relationship steps to keep"
    ),
    (
      "entities:\n  Recipe: {merge: {policy: newest, by: title}}\n", "map.yaml:2:40",
      "Recipe.title is neither a date nor a number"
    ),
    (
      "entities:\n  Recipe: {identity: [title, cover]}\n  RecipeImage: {identity: [coverOf]}\n",
      "map.yaml:3:28", "circular identities: "
    ),
  ])
  func `mistakes of identity and keep are told with line and column`(
    _ text: String,
    _ place: String,
    _ message: String
  ) throws {
    let error = #expect(throws: DecantError.self) { _ = try kitchens("SELECT 1", text) }
    #expect(error?.family == .usage && error?.place == place)
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    #expect(error?.remedy != nil)
  }

  @Test func `a conflict is an error unless somebody says otherwise`() throws {
    let databases = try MappedDatabases(old, to: new)
    let before = try databases.place.dump("new.db")
    let error = #expect(throws: DecantError.self) { try databases.copy(mapping("error")) }
    #expect(error?.family == .failed)
    #expect(try databases.place.dump("new.db") == before)
    // What the command line says of one entity counts more.
    try databases.copy(mapping("error")) {
      var rules = MergeRules(.error)
      rules.rules["recipe"] = MergeRules.Rule(.skip)
      $0.merge = rules
    }
    #expect(try databases.rows("SELECT count(*) FROM recipe") == ["3"])
  }

  @Test func `defaults hold for what has no rule`() throws {
    let databases = try MappedDatabases(old, to: new)
    let text = mapping("update").replacing("    merge: update\n", with: "")
    try databases.copy("defaults: { merge: { policy: update, keep: [notes] } }\n" + text)
    #expect(try databases.rows(recipes).first == "'Leek',5,NULL,20.0,'soups'")
  }

  @Test func `two rules for one entity are told with both lines`() throws {
    let databases = try MappedDatabases(old, to: new)
    let error = #expect(throws: DecantError.self) {
      try databases.copy(
        """
        entities:
          recipe:
            - { from: dish, merge: skip }
            - { from: grp, merge: update }
        """
      )
    }
    #expect(error?.place == "map.yaml:4:27" && error?.remedy?.contains("line 3") == true)
  }

  @Test func `a link tells objects apart whose target is made by an expression`() throws {
    let databases = try MappedDatabases(old, to: new)
    let text = """
      entities:
        category: { from: grp, identity: [title], merge: skip, set: { title: "lower(label)" } }
        recipe:
          from: dish
          identity: [category, title]
          merge: update
          set: { title: name, rating: stars, notes: memo, modifiedAt: changed, category: grp }
      """
    let report = try databases.copy(text)
    // Leek is in no category there, and so another one.
    let expected = [
      "'Leek',2,NULL,15.0,NULL", "'Leek',5,'hot',20.0,'soups'", "'New',3,'n',1.0,'soups'",
      "'Tart',1,NULL,10.0,'cakes'",
    ]
    #expect(try databases.rows(recipes) == expected)
    #expect(report["recipe"]?.updated == 1 && report["recipe"]?.copied == 2 && report.isVerified)
    #expect(try databases.copy(text).copiedCount == 0)
  }

  @Test func `three-way needs one model`() throws {
    let databases = try MappedDatabases(old, to: new)
    let error = #expect(throws: DecantError.self) { try databases.copy(mapping("three-way")) }
    #expect(error?.family == .usage && error?.message.contains("three-way") == true)
  }

  @Test func `merging again after the source has changed moves only what changed`() throws {
    let databases = try MappedDatabases(old, to: new)
    try databases.copy(mapping("update"))
    _ = try Program.sqlite3(
      databases.place.path("old.db"),
      "UPDATE dish SET stars = 2 WHERE nr = 3; INSERT INTO dish VALUES (9, 'Ninth', NULL, NULL, NULL, 2)"
    )
    let report = try databases.copy(mapping("update"))
    #expect(
      report["recipe"]?.updated == 1 && report["recipe"]?.copied == 1
        && report["recipe"]?.skipped == 2
    )
    #expect(try databases.place.complaints("new.db") == "")
  }
}
