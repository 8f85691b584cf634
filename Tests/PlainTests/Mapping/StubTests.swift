import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Empty objects that are made for links to lead to.
@Suite struct StubTests {
  /// Group 2 is left out by the mapping, groups 98 and 99 were never there.
  private static let schema = """
    CREATE TABLE grp (id INTEGER PRIMARY KEY, label TEXT, note TEXT, kind TEXT DEFAULT 'plain',
      rank INTEGER NOT NULL DEFAULT 3, parent INTEGER REFERENCES grp (id));
    CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT, grp INTEGER REFERENCES grp (id));
    CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT, color TEXT);
    CREATE TABLE tagged (recipe INTEGER REFERENCES recipe (id), tag INTEGER REFERENCES tag (id),
      PRIMARY KEY (recipe, tag));
    """
  private let old =
    schema + """
      INSERT INTO grp VALUES (1, 'soups', 'n1', 'k1', 1, NULL), (2, 'gone', 'secret', 'k2', 2, 1),
        (3, 'free', 'n3', 'k3', 3, 2);
      INSERT INTO recipe VALUES (1, 'Leek', 1), (2, 'Tart', 2), (3, 'Pie', NULL), (4, 'Stew', 99), (5, 'Flan', 2),
        (6, 'Old', 98);
      INSERT INTO tag VALUES (1, 'hot', 'red'), (2, 'sweet', 'pink');
      INSERT INTO tagged VALUES (1, 1), (2, 2), (5, 1), (5, 2);
      """

  private func mapping(
    _ relationships: String = "{ recipe.grp: { missing: stub } }",
    identity: String = ", identity: [label], merge: skip",
    recipe: String = "{ where: \"title <> 'Old'\", identity: [title], merge: skip }"
  ) -> String {
    """
    entities:
      grp: { where: "label <> 'gone'"\(identity) }
      recipe: \(recipe)
      tag: { identity: [name], merge: skip }
    relationships:
      \(relationships)
    """
  }

  @Test func `the table of keys has empty objects as copied`() throws {
    let added = try MappedDatabases(
      old,
      to: StubTests.schema + "INSERT INTO grp VALUES (10, 'gone', 'mine', 'mine', 9, NULL)"
    )
    try added.copy(mapping()) {
      $0.appends = true
      $0.idTableFile = added.folder.path("ids.db")
    }
    let kept = try added.rows(
      """
      WITH RECURSIVE run(entity, source, destination, rest) AS (
        SELECT entity, source, destination, count FROM ids WHERE outcome = 'copied' AND entity = 'grp'
        UNION ALL SELECT entity, source + 1, destination + 1, rest - 1 FROM run WHERE rest > 1)
      SELECT source, destination FROM run WHERE source IN (2, 99)
      """,
      of: "ids.db"
    )
    let empty =
      "SELECT iif(label = 'gone', 2, 99), id FROM grp WHERE id > 10 AND note IS NULL ORDER BY 1"
    #expect(try added.rows(empty) == kept && kept.count == 2)
  }

  @Test func `what conditions and a closure leave out is empty as well`() throws {
    let text = mapping(recipe: "{}").replacing(", identity: [label], merge: skip", with: "")
      .replacing("tag: { identity: [name], merge: skip }", with: "tag: {}")
    let chosen = try MappedDatabases(old)
    let report = try chosen.copy(text) {
      $0.filters = [CopyOptions.Filter(entity: "grp", expression: "label = 'free'")]
    }
    // Nothing tells groups apart: they are empty altogether.
    #expect(
      try chosen.rows("SELECT * FROM grp")
        == ["1,NULL,NULL,'plain',3,NULL", "2,NULL,NULL,'plain',3,NULL", "3,'free','n3','k3',3,2"]
        + ["98,NULL,NULL,'plain',3,NULL", "99,NULL,NULL,'plain',3,NULL"]
    )
    #expect(report["grp"]?.filtered == 2 && report["grp"]?.stubs == 4 && report.isVerified)
    for rule in [ClosureRule.reference, .stop] {
      let databases = try MappedDatabases(old)
      func options(_ options: inout CopyOptions) {
        options.roots = [CopyOptions.Filter(entity: "recipe", expression: "id IN (2, 3, 4)")]
        options.rules = [CopyOptions.Rule("recipe.grp", rule)]
      }
      let foretold = try databases.copy(mapping()) {
        options(&$0)
        $0.isDryRun = true
      }
      let report = try databases.copy(mapping(), options)
      #expect(
        try databases.rows("SELECT * FROM grp")
          == ["2,'gone',NULL,'plain',3,NULL", "99,NULL,NULL,'plain',3,NULL"]
      )
      #expect(try databases.rows("SELECT id, grp FROM recipe") == ["2,2", "3,NULL", "4,99"])
      for report in [foretold, report] {
        #expect(report["grp"]?.filtered == 3 && report["grp"]?.stubs == 2)
        #expect(report.linksByRelationship["recipe.grp"] == LinkCounts(copied: 2))
      }
      #expect(report.isVerified)
    }
  }

  @Test func `an empty object has no links of its own`() throws {
    // Recipe 5 is left out and made empty for a line; its tags and its group are not its own any more.
    let more = """
      CREATE TABLE line (id INTEGER PRIMARY KEY, text TEXT, recipe INTEGER NOT NULL REFERENCES recipe (id));
      """
    let databases = try MappedDatabases(
      old + more + "INSERT INTO line VALUES (1, 'a', 5), (2, 'b', 1)",
      to: StubTests.schema + more
    )
    let report = try databases.copy(
      """
      entities: { recipe: { where: "id <> 5", identity: [title], merge: skip } }
      relationships: { line.recipe: { missing: stub } }
      """
    )
    #expect(try databases.rows("SELECT * FROM recipe WHERE id = 5") == ["5,'Flan',NULL"])
    #expect(try databases.rows("SELECT recipe FROM line") == ["5", "1"])
    #expect(try databases.rows("SELECT * FROM tagged") == ["1,1", "2,2"])
    let tags = report.linksByRelationship.filter { $0.key.contains("tag") }.map(\.value)
    #expect(tags == [LinkCounts(copied: 2, cut: 2)])
    #expect(report["recipe"]?.stubs == 1 && report.isVerified)
    #expect(try databases.place.complaints("new.db") == "")
  }

  @Test func `what tells an empty object from others may be a link to another one`() throws {
    let schema = """
      CREATE TABLE shelf (id INTEGER PRIMARY KEY, name TEXT, size INTEGER);
      CREATE TABLE box (id INTEGER PRIMARY KEY, nr INTEGER, shelf INTEGER REFERENCES shelf (id), text TEXT);
      CREATE TABLE jar (id INTEGER PRIMARY KEY, box INTEGER NOT NULL REFERENCES box (id));
      """
    let databases = try MappedDatabases(
      schema + """
        INSERT INTO shelf VALUES (1, 'top', 5), (2, 'low', 6);
        INSERT INTO box VALUES (1, 10, 1, 'a'), (2, 20, 2, 'b'), (3, 30, 2, 'c');
        INSERT INTO jar VALUES (1, 1), (2, 2);
        """,
      to: schema
    )
    let report = try databases.copy(
      """
      entities:
        shelf: { where: "name = 'top'", identity: [name], merge: skip }
        box: { where: "nr = 10", identity: [nr, shelf], merge: skip }
      relationships: { jar.box: { missing: stub }, box.shelf: { missing: stub } }
      """
    )
    #expect(try databases.rows("SELECT * FROM shelf") == ["1,'top',5", "2,'low',NULL"])
    #expect(try databases.rows("SELECT * FROM box") == ["1,10,1,'a'", "2,20,2,NULL"])
    #expect(report["box"]?.stubs == 1 && report["shelf"]?.stubs == 1 && report.isVerified)
  }

  @Test func `objects of several tables share the empty ones`() throws {
    let databases = try MappedDatabases(
      """
      CREATE TABLE cat (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE grp (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE dish (id INTEGER PRIMARY KEY, title TEXT, cat INTEGER REFERENCES cat (id));
      CREATE TABLE snack (id INTEGER PRIMARY KEY, title TEXT, grp INTEGER REFERENCES grp (id));
      INSERT INTO cat VALUES (1, 'c1'), (2, 'gone');
      INSERT INTO grp VALUES (1, 'g1'), (4, 'g4');
      INSERT INTO dish VALUES (1, 'd1', 1), (2, 'd2', 2), (3, 'd3', 50), (4, 'd4', 50);
      INSERT INTO snack VALUES (1, 's1', 1), (2, 's2', 50), (3, 's3', 4);
      """,
      to: """
        CREATE TABLE category (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT, category INTEGER REFERENCES category (id));
        """
    )
    let file = databases.folder.path("ids.db")
    let report = try databases.copy(
      """
      entities:
        category: { from: [cat, grp], where: "name <> 'gone'" }
        recipe:
          - { from: dish, set: { category: cat } }
          - { from: snack, set: { category: grp } }
      relationships: { recipe.category: { missing: stub } }
      """
    ) { $0.idTableFile = file }
    #expect(
      try databases.rows("SELECT title, c.name FROM recipe r JOIN category c ON c.id = r.category ORDER BY 1") == [
        "'d1','c1'", "'d2',NULL", "'d3',NULL", "'d4',NULL", "'s1','g1'", "'s2',NULL", "'s3','g4'",
      ]
    )
    // Category 50 is one for both dishes, and group 50 another.
    #expect(
      try databases.rows("SELECT count(DISTINCT category), count(*) FROM recipe WHERE title IN ('d3', 'd4', 's2')")
        == ["2,3"]
    )
    #expect(try databases.rows("SELECT count(*), count(name) FROM category") == ["6,3"])
    #expect(report["category"]?.source == 4 && report["category"]?.filtered == 1)
    #expect(report["category"]?.stubs == 3 && report.isVerified)
    #expect(
      try databases.rows(
        """
        SELECT entity, source, title FROM ids JOIN (SELECT category, min(title) AS title FROM recipe GROUP BY 1)
        ON category = destination WHERE became = 'category' AND source = 50 ORDER BY 1
        """,
        of: joined(databases)
      ) == ["'cat',50,'d3'", "'grp',50,'s2'"]
    )
  }

  /// Two tables become one, so that its rows have keys of their own; rows that are copied, merged and left out part the
  /// keys into runs.
  @Test(arguments: [("new", false), ("appended", true), ("merged", true)])
  func `the table of keys speaks of each object once`(way: String, isThere: Bool) throws {
    let schema = """
      CREATE TABLE category (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT, category INTEGER REFERENCES category (id));
      """
    let databases = try MappedDatabases(
      """
      CREATE TABLE cat (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE grp (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE dish (id INTEGER PRIMARY KEY, title TEXT, cat INTEGER REFERENCES cat (id));
      INSERT INTO cat VALUES (1, 'c1'), (2, 'gone'), (3, 'c3'), (4, 'gone too'), (5, 'c5');
      INSERT INTO grp VALUES (1, 'g1'), (2, 'gone'), (7, 'g7');
      INSERT INTO dish VALUES (1, 'd1', 1), (2, 'd2', 50), (3, 'd3', 60), (4, 'd4', 2), (5, 'd5', 3);
      """,
      to: schema + (isThere ? "INSERT INTO category VALUES (4, 'c3'), (9, 'mine')" : "")
    )
    try databases.copy(
      """
      entities:
        category: { from: [cat, grp], where: "name NOT LIKE 'gone%'", identity: [name], merge: skip }
        recipe: { from: dish, set: { category: cat }, identity: [title], merge: skip }
      relationships: { recipe.category: { missing: stub } }
      """
    ) {
      $0.appends = way == "appended"
      if way == "merged" { ($0.purpose, $0.merge) = (.merge, MergeRules(.skip)) }
      $0.idTableFile = databases.folder.path("ids.db")
    }
    let runs = """
      WITH RECURSIVE run(entity, became, source, destination, rest) AS (
        SELECT entity, became, source, destination, count FROM ids
        UNION ALL SELECT entity, became, source + 1, destination + 1, rest - 1 FROM run WHERE rest > 1)
      """
    #expect(
      try databases.rows(
        "\(runs) SELECT entity, source, count(*) FROM run GROUP BY entity, became, source HAVING count(*) > 1",
        of: "ids.db"
      ) == []
    )
    let stubs = "\(runs) SELECT source FROM run WHERE entity = 'cat' AND source > 5 ORDER BY 1"
    #expect(try databases.rows(stubs, of: "ids.db") == ["50", "60"])
  }

  /// The table of keys with the recipes beside it.
  private func joined(_ databases: MappedDatabases) throws -> String {
    try databases.place.make(
      "ids.db",
      "ATTACH '\(databases.place.path("new.db"))' AS n; CREATE TABLE recipe AS SELECT * FROM n.recipe"
    )
    return "ids.db"
  }

  @Test func `what must have a value and gets none is told before anything is written`() throws {
    let strict = StubTests.schema.replacing("note TEXT", with: "note TEXT NOT NULL")
    for isDryRun in [false, true] {
      let databases = try MappedDatabases(old, to: strict)
      let before = try databases.place.dump("new.db")
      let error = #expect(throws: DecantError.self) {
        try databases.copy(mapping()) {
          $0.isDryRun = isDryRun
          $0.onError = .reject
        }
      }
      #expect(error?.family == .failed && error?.place == "grp p2 is the first")
      #expect(
        error?.message
          == "2 empty objects of grp would be created as link targets, but grp.note requires a value (missing: stub)"
      )
      #expect(error?.remedy?.contains("use null or reject") == true)
      #expect(try databases.place.dump("new.db") == before)
    }
    // It is no mistake where none is made.
    let fine = try MappedDatabases(old + "; UPDATE recipe SET grp = 1", to: strict)
    #expect(try fine.copy(mapping()).isVerified)
    // Told by the identity, it has its value.
    let told = try MappedDatabases(old + "; UPDATE recipe SET grp = 2", to: strict)
    let report = try told.copy(mapping(identity: ", identity: [label, note], merge: skip"))
    #expect(try told.rows("SELECT * FROM grp WHERE id = 2") == ["2,'gone','secret','plain',3,NULL"])
    #expect(report["grp"]?.stubs == 1)
  }

  @Test func `what is rejected for another link asks for no empty object`() throws {
    let tables = """
      CREATE TABLE grp (id INTEGER PRIMARY KEY, label TEXT);
      CREATE TABLE shelf (id INTEGER PRIMARY KEY, label TEXT);
      CREATE TABLE box (id INTEGER PRIMARY KEY, shelf INTEGER REFERENCES shelf (id));
      CREATE TABLE recipe (id INTEGER PRIMARY KEY, grp INTEGER REFERENCES grp (id),
        shelf INTEGER REFERENCES shelf (id), up INTEGER REFERENCES recipe (id));
      """
    let databases = try MappedDatabases(
      tables + """
        INSERT INTO grp VALUES (1, 'g1'), (2, 'g2'), (3, 'g3'), (4, 'g4'), (6, 'g6'), (7, 'g7');
        INSERT INTO shelf VALUES (1, 's1'), (2, 's2'), (5, 's5');
        INSERT INTO box VALUES (1, 5);
        INSERT INTO recipe VALUES (1, 2, 1, NULL), (2, 3, 2, NULL), (3, 4, 1, 2), (5, 6, 5, NULL), (6, 7, 77, NULL),
          (7, 6, 1, 5), (8, 2, 2, 1);
        """
    )
    let text = """
      entities:
        grp: { where: "id = 1", identity: [label], merge: skip }
        shelf: { where: "id = 1", identity: [label], merge: skip }
      relationships:
        recipe.grp: { missing: stub }
        recipe.shelf: { missing: reject }
        recipe.up: { missing: reject }
        box.shelf: { missing: stub }
      """
    let foretold = try databases.copy(text) { $0.isDryRun = true }
    let report = try databases.copy(text)
    // 2 and 8 lack their shelf, 6 leads to one that never was, and 3 leads to 2; the box has shelf 5 made, which is
    // what 5 needs.
    #expect(
      try databases.rows("SELECT id, grp, shelf, up FROM recipe") == [
        "1,2,1,NULL", "5,6,5,NULL", "7,6,1,5",
      ]
    )
    #expect(try databases.rows("SELECT * FROM grp ORDER BY 1") == ["1,'g1'", "2,'g2'", "6,'g6'"])
    #expect(try databases.rows("SELECT * FROM shelf ORDER BY 1") == ["1,'s1'", "5,'s5'"])
    for report in [foretold, report] {
      #expect(report["grp"]?.stubs == 2 && report["shelf"]?.stubs == 1)
    }
    #expect(report.rejectedByCode == [.link: 4] && report.isVerified)
    #expect(try databases.place.complaints("new.db") == "")
  }

  @Test func `an empty object that the destination refuses ends the copy`() throws {
    let databases = try MappedDatabases(
      old,
      to: StubTests.schema.replacing("label TEXT", with: "label TEXT CHECK (label <> 'gone')")
    )
    let before = try databases.place.dump("new.db")
    let error = #expect(throws: DecantError.self) {
      try databases.copy(mapping()) { $0.onError = .reject }
    }
    #expect(error?.message.hasPrefix("cannot write an empty grp as the target of links to p2") == true)
    #expect(try databases.place.dump("new.db") == before)
  }

  @Test(arguments: [false, true])
  func `a copy that was cut off goes on with the same empty objects`(_ isNew: Bool) throws {
    let many = """
      WITH RECURSIVE n (i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 160)
      INSERT INTO recipe SELECT i, 'r' || i, 1000 + i / 2 FROM n;
      """
    let databases = try MappedDatabases(old + many, to: isNew ? nil : StubTests.schema)
    let text = mapping()
    func options() throws -> CopyOptions {
      var options = CopyOptions()
      options.mapping = try Mapping(text: text, place: "map.yaml")
      options.leftOver = .resume
      options.batchSize = 2
      if !isNew { options.commit = .batch }
      return options
    }
    func copy() throws -> Copy {
      Copy(from: databases.place.path("old.db"), to: databases.place.path("new.db"), options: try options())
    }
    let stop = Cancellation()
    var batches = 0
    #expect(throws: DecantError.self) {
      try copy().run(cancellation: stop) { event in
        guard case .working(.progress, _) = event else { return }
        batches += 1
        if batches == 8 { stop.cancel() }
      }
    }
    let report = try copy().run()
    #expect(report.isVerified && report["grp"]?.stubs == 33)
    #expect(
      try databases.rows(
        "SELECT count(*), count(grp), sum(grp = 1000 + id / 2) FROM recipe WHERE id >= 100"
      ) == ["61,61,61"]
    )
    #expect(try databases.rows("SELECT count(*) FROM grp WHERE id > 1000 AND label IS NULL") == ["31"])
    #expect(try databases.place.complaints("new.db") == "")
  }
}
