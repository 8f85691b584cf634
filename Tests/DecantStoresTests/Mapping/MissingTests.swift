import Decant
import DecantStores
import Foundation
import TestSupport
import Testing

/// What becomes of links whose target is not there.
@Suite struct MissingTests {
  /// Group 2 is left out by the mapping, group 99 and recipe 50 were never there.
  private let old = """
    CREATE TABLE grp (id INTEGER PRIMARY KEY, label TEXT);
    CREATE TABLE line (id INTEGER PRIMARY KEY, name TEXT, recipe INTEGER NOT NULL REFERENCES recipe (id),
      sub INTEGER REFERENCES line (id));
    CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT, grp INTEGER REFERENCES grp (id),
      base INTEGER REFERENCES recipe (id));
    CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE tagged (recipe INTEGER REFERENCES recipe (id), tag INTEGER REFERENCES tag (id),
      PRIMARY KEY (recipe, tag));
    INSERT INTO grp VALUES (1, 'soups'), (2, 'gone');
    INSERT INTO recipe VALUES (1, 'Leek', 1, NULL), (2, 'Tart', 2, NULL), (3, 'Pie', NULL, 2), (4, 'Stew', 99, NULL),
      (5, 'Flan', 1, 3), (6, 'Cake', NULL, 1), (7, 'Roll', 1, 7);
    INSERT INTO line VALUES (1, 'leek', 1, NULL), (2, 'plum', 2, 1), (3, 'flour', 3, 1), (4, 'egg', 5, NULL),
      (5, 'milk', 6, 2), (6, 'salt', 6, NULL), (7, 'yeast', 7, 5);
    INSERT INTO tag VALUES (1, 'hot'), (2, 'sweet');
    INSERT INTO tagged VALUES (1, 1), (2, 2), (3, 2), (6, 2);
    """
  private let new = """
    CREATE TABLE grp (id INTEGER PRIMARY KEY, label TEXT);
    CREATE TABLE line (id INTEGER PRIMARY KEY, name TEXT, recipe INTEGER NOT NULL REFERENCES recipe (id),
      sub INTEGER REFERENCES line (id));
    CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT CHECK (title <> 'Bad'), grp INTEGER REFERENCES grp (id),
      base INTEGER REFERENCES recipe (id));
    CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE tagged (recipe INTEGER REFERENCES recipe (id), tag INTEGER REFERENCES tag (id),
      PRIMARY KEY (recipe, tag));
    """

  private func mapping(_ relationships: String, _ defaults: String = "{}") -> String {
    """
    defaults: \(defaults)
    entities:
      grp: { where: "label <> 'gone'" }
    relationships:
      \(relationships)
    """
  }

  private let all =
    "{ recipe.grp: { missing: reject }, recipe.base: { missing: reject }, "
    + "line.recipe: { missing: reject }, line.sub: { missing: reject } }"

  @Test(arguments: [false, true], [1, 3, 10_000] as [Int64])
  func `objects are rejected with all that may not be without them`(_ isNew: Bool, _ size: Int64)
    throws
  {
    let databases = try MappedDatabases(old, to: isNew ? nil : new)
    let report = try databases.copy(mapping(all)) { $0.batchSize = size }
    // Nowhere: 2 and 4. On them: 3 on 2, 5 on 3. Then the lines of 2, 3 and 5, 5 on line 2, 7 on line 5.
    #expect(
      try databases.rows("SELECT * FROM recipe")
        == ["1,'Leek',1,NULL", "6,'Cake',NULL,1", "7,'Roll',1,7"]
    )
    #expect(try databases.rows("SELECT * FROM line") == ["1,'leek',1,NULL", "6,'salt',6,NULL"])
    #expect(try databases.rows("SELECT * FROM tagged") == ["1,1", "6,2"])
    #expect(try databases.place.complaints("new.db") == "")
    #expect(report["recipe"]?.rejected == 4 && report["recipe"]?.copied == 3)
    #expect(report["line"]?.rejected == 5 && report["line"]?.copied == 2)
    #expect(report.rejectedByCode == [.link: 9] && report.isVerified)
    // What is counted as copied is what is there.
    let counts = report.linksByRelationship
    #expect(counts["recipe.grp"] == LinkCounts(copied: 2))
    #expect(counts["recipe.base"] == LinkCounts(copied: 2))
    #expect(counts["line.recipe"] == LinkCounts(copied: 2))
    #expect((counts["line.sub"] ?? LinkCounts()) == LinkCounts())
  }

  @Test(arguments: [false, true])
  func `a dry run foretells what is rejected, and that it is too much`(_ isNew: Bool) throws {
    let databases = try MappedDatabases(old, to: isNew ? nil : new)
    let foretold = try databases.copy(mapping(all)) { $0.isDryRun = true }
    // As above, without writing.
    #expect(foretold["recipe"]?.rejected == 4 && foretold["recipe"]?.copied == 3)
    #expect(foretold["line"]?.rejected == 5 && foretold["line"]?.copied == 2)
    #expect(foretold.rejectedByCode == [.link: 9])
    #expect(foretold.linksByRelationship["recipe.base"] == LinkCounts(copied: 2))
    #expect(foretold.linksByRelationship["line.recipe"] == LinkCounts(copied: 2))
    let error = #expect(throws: DecantError.self) {
      try databases.copy(mapping(all)) {
        $0.isDryRun = true
        $0.rejectLimit = 8
      }
    }
    #expect(error?.message.hasPrefix("9 of ") == true)
    let report = try databases.copy(mapping(all)) { $0.rejectLimit = 9 }
    #expect(report.links == foretold.links)
    #expect(report.rejectedCount == 9)
  }

  @Test func `what nobody speaks of is null`() throws {
    let databases = try MappedDatabases(old, to: new)
    let report = try databases.copy(mapping("{ recipe.grp: { missing: null } }"))
    #expect(
      try databases.rows("SELECT id, grp FROM recipe WHERE id IN (2, 4)") == ["2,NULL", "4,NULL"]
    )
    #expect(report.rejectedCount == 0)
    #expect(
      report.linksByRelationship["recipe.grp"] == LinkCounts(copied: 3, cut: 1, dangling: 1)
    )
  }

  @Test(arguments: ["reject", "error", "null"])
  func `a general rule, and an exception from it`(_ rule: String) throws {
    let databases = try MappedDatabases(old, to: new)
    let text = mapping("{ recipe.grp: { missing: null } }", "{ missing: \(rule) }")
    // No link but that to a group leads nowhere.
    let report = try databases.copy(text)
    #expect(report.rejectedCount == 0 && report["recipe"]?.copied == 7)
    #expect(try databases.rows("SELECT count(*), count(grp) FROM recipe") == ["7,3"])
    #expect(try databases.rows("SELECT count(*) FROM tagged") == ["4"])
  }

  @Test(arguments: ["{ recipe.grp: { missing: error } }", "{}"])
  func `an error changes nothing, and names relationship, number and object`(_ rules: String)
    throws
  {
    for isDryRun in [false, true] {
      let databases = try MappedDatabases(old, to: new)
      let before = try databases.place.dump("new.db")
      let error = #expect(throws: DecantError.self) {
        try databases.copy(mapping(rules, rules == "{}" ? "{ missing: error }" : "{}")) {
          $0.isDryRun = isDryRun
          $0.onError = .reject
        }
      }
      #expect(error?.code == .failed)
      #expect(error?.message.hasPrefix("2 links of recipe.grp lead to nothing") == true)
      #expect(error?.place == "recipe p2 is the first")
      #expect(try databases.place.dump("new.db") == before)
    }
    let databases = try MappedDatabases(old)
    #expect(throws: DecantError.self) {
      try databases.copy(mapping("{ recipe.grp: { missing: error } }"))
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: databases.folder.path("")) == ["old.db"]
    )
  }

  @Test func `a table of links rejects nothing, and may be an error`() throws {
    let databases = try MappedDatabases(old + "; DELETE FROM tag WHERE id = 2", to: new)
    let name = try #require(
      try databases.copy(mapping("{}")) { $0.isDryRun = true }.linksByRelationship.keys.first {
        $0.hasPrefix("recipe.tag") || $0.hasPrefix("tag.recipe") || $0.hasPrefix("tagged")
      }
    )
    let refused = #expect(throws: DecantError.self) {
      try databases.copy(mapping("{ \(name): { missing: reject } }"))
    }
    #expect(refused?.code == .usage && refused?.place == "map.yaml:5:5")
    let failed = #expect(throws: DecantError.self) {
      try databases.copy(mapping("{ \(name): { missing: error } }"))
    }
    #expect(failed?.message.hasPrefix("3 links of \(name) lead to nothing") == true)
    #expect(failed?.place == "recipe p2 is the first")
    // A general rule leaves such links out, as ever.
    let report = try databases.copy(
      mapping("{ recipe.grp: { missing: null } }", "{ missing: reject }")
    )
    #expect(report.rejectedCount == 0)
    #expect(try databases.rows("SELECT * FROM tagged") == ["1,1"])
  }

  /// A recipe that the destination refuses: it is known only when lines that lead to it are written.
  private var refused: String {
    old + "; UPDATE recipe SET title = 'Bad' WHERE id = 6; DELETE FROM grp WHERE id = 2;"
      + "UPDATE recipe SET grp = 1 WHERE grp IS NOT NULL"
  }

  @Test(arguments: [CopyOptions.Commit.run, .batch], [2, 10_000] as [Int64])
  func `lines of a recipe that is refused late go with it`(
    _ commit: CopyOptions.Commit,
    _ size: Int64
  ) throws {
    let databases = try MappedDatabases(refused, to: new)
    let text = mapping("{ line.recipe: { missing: reject }, line.sub: { missing: null } }")
    let rejects = databases.folder.path("rejects.decant")
    let report = try databases.copy(text) {
      $0.onError = .reject
      $0.commit = commit
      $0.batchSize = size
      $0.rejectsFile = rejects
    }
    #expect(report.rejectedByCode == [.check: 1, .link: 2])
    #expect(
      try databases.rows("SELECT id, recipe, sub FROM line")
        == ["1,1,NULL", "2,2,1", "3,3,1", "4,5,NULL", "7,7,NULL"]
    )
    #expect(try databases.rows("SELECT * FROM tagged") == ["1,1", "2,2", "3,2"])
    let counts = report.linksByRelationship
    #expect(counts["line.recipe"] == LinkCounts(copied: 5))
    // Line 7 led to line 5, which is gone; line 5 led to line 2 itself.
    #expect(counts["line.sub"] == LinkCounts(copied: 2, cut: 1))
    #expect(report.isVerified)
    #expect(try databases.place.complaints("new.db") == "")
    let lines = try String(contentsOfFile: rejects, encoding: .utf8)
    #expect(lines.contains("its link line.recipe leads to an object that was rejected"))
  }

  @Test func `what is refused late is an error where the rule says so`() throws {
    let databases = try MappedDatabases(refused, to: new)
    let before = try databases.place.dump("new.db")
    let error = #expect(throws: DecantError.self) {
      try databases.copy(mapping("{ line.recipe: { missing: error } }")) { $0.onError = .reject }
    }
    #expect(error?.code == .failed)
    #expect(error?.message.hasPrefix("2 links of line.recipe lead to objects") == true)
    #expect(try databases.place.dump("new.db") == before)
  }

  @Test func `only objects whose link leads nowhere are rejected without being asked`() throws {
    let databases = try MappedDatabases(refused, to: new)
    let error = #expect(throws: DecantError.self) { try databases.copy(mapping(all)) }
    #expect(error?.message.hasPrefix("cannot write recipe key 6") == true)
  }

  @Test func `the file bounds the rejects, and the command line counts more`() throws {
    let databases = try MappedDatabases(old, to: new)
    let before = try databases.place.dump("new.db")
    for bound in ["max: 0", "max: 8", "rate: \"50%\""] {
      let error = #expect(throws: DecantError.self) {
        try databases.copy(mapping(all, "{ rejects: { \(bound) } }"))
      }
      #expect(error?.code == .failed && error?.message.contains("were rejected") == true)
      #expect(try databases.place.dump("new.db") == before)
    }
    try databases.copy(mapping(all, "{ rejects: { max: 0 } }")) { $0.rejectLimit = 9 }
    #expect(try databases.rows("SELECT count(*) FROM recipe") == ["3"])
    let enough = try MappedDatabases(old, to: new)
    let report = try enough.copy(mapping(all, "{ rejects: { max: 9 } }"))
    #expect(report.rejectedCount == 9)
  }

  @Test func `objects with keys of text are rejected as well`() throws {
    let schema = """
      CREATE TABLE grp (id INTEGER PRIMARY KEY, label TEXT CHECK (label <> 'bad'));
      CREATE TABLE note (code TEXT PRIMARY KEY, grp INTEGER NOT NULL REFERENCES grp (id)) WITHOUT ROWID;
      """
    let databases = try MappedDatabases(
      schema.replacing(" CHECK (label <> 'bad')", with: "")
        + "INSERT INTO grp VALUES (1, 'a'), (2, 'gone'), (3, 'bad');"
        + "INSERT INTO note VALUES ('w', 1), ('x', 2), ('y', 3), ('z', 77)",
      to: schema
    )
    let report = try databases.copy(mapping("{ note.grp: { missing: reject } }")) {
      $0.onError = .reject
    }
    #expect(try databases.rows("SELECT * FROM note") == ["'w',1"])
    #expect(report.rejectedByCode == [.check: 1, .link: 3] && report["note"]?.rejected == 3)
    #expect(report.linksByRelationship["note.grp"] == LinkCounts(copied: 1))
    #expect(report.isVerified)
  }

  @Test func `what is there keeps its link, and what is new is rejected`() throws {
    let databases = try MappedDatabases(
      old,
      to: new
        + "INSERT INTO grp VALUES (5, 'mine'); INSERT INTO recipe VALUES (20, 'Tart', 5, NULL)"
    )
    let text = """
      entities:
        grp: { where: "label <> 'gone'", identity: [label], merge: skip }
        recipe: { identity: [title], merge: update }
        line: { identity: [name], merge: skip }
        tag: { identity: [name], merge: skip }
      relationships: { recipe.grp: { missing: reject } }
      """
    let report = try databases.copy(text)
    #expect(try databases.rows("SELECT grp FROM recipe WHERE title = 'Tart'") == ["5"])
    #expect(try databases.rows("SELECT count(*) FROM recipe WHERE title = 'Stew'") == ["0"])
    #expect(report.rejectedByCode == [.link: 1] && report.isVerified)
    let before = try databases.place.dump("new.db")
    let error = #expect(throws: DecantError.self) {
      try databases.copy(text.replacing("missing: reject", with: "missing: error"))
    }
    #expect(error?.code == .failed && error?.message.contains("recipe.grp") == true)
    #expect(try databases.place.dump("new.db") == before)
  }

  @Test func `what cannot be done is told before anything is read`() throws {
    let databases = try MappedDatabases(old, to: new)
    let error = #expect(throws: DecantError.self) {
      try databases.copy(mapping("{ recipe.group: { missing: reject } }"))
    }
    #expect(error?.code == .usage && error?.place == "map.yaml:5:5")
    #expect(error?.remedy?.contains("recipe.grp") == true)
    // Without a file that says how objects are made, there are no empty ones.
    let plain = #expect(throws: DecantError.self) {
      try databases.place.copy("old.db", to: "new.db") { $0.missing["recipe.grp"] = .stub }
    }
    #expect(plain?.code == .usage && plain?.remedy?.contains("--mapping") == true)
  }

  @Test func `a dry run foretells it, and the plan is another one`() throws {
    let databases = try MappedDatabases(old, to: new)
    var hashes: Set<String?> = []
    for rule in ["null", "reject"] {
      let report = try databases.copy(mapping("{ recipe.grp: { missing: \(rule) } }")) {
        $0.isDryRun = true
      }
      hashes.insert(report.planHash)
      let told = report.notes.contains { $0.hasPrefix("2 links of recipe.grp lead nowhere") }
      #expect(told == (rule == "reject"))
    }
    #expect(hashes.count == 2)
  }

  @Test func `a kitchen loses a category with all that depends on it`() throws {
    let databases = try MappedDatabases("CREATE TABLE unused (id INTEGER PRIMARY KEY)")
    let store = databases.place.path("Kitchen.sqlite")
    let sample = Fixtures.projectFolder.appendingPathComponent("samples/Kitchen.sqlite")
    try FileManager.default.copyItem(at: sample, to: URL(fileURLWithPath: store))
    let report = try databases.copy(
      """
      defaults: { missing: reject }
      entities:
        Category: { where: "name <> 'Baking'" }
      """,
      from: "Kitchen.sqlite",
      to: "New.sqlite"
    )
    // The same, found by following the links through the sample itself.
    let gone = """
      WITH RECURSIVE gone (t, k) AS (
        SELECT 'c', Z_PK FROM ZCATEGORY WHERE ZNAME = 'Baking' UNION
        SELECT l.t, l.k FROM gone JOIN (
          SELECT 'r' t, Z_PK k, 'c' tt, ZCATEGORY tk FROM ZRECIPE
          UNION ALL SELECT 'r', Z_PK, 'r', ZVARIANTOF FROM ZRECIPE
          UNION ALL SELECT 'r', Z_PK, 'i', ZCOVER FROM ZRECIPE
          UNION ALL SELECT 'i', Z_PK, 'r', ZCOVEROF FROM ZIMAGE
          UNION ALL SELECT 'i', Z_PK, 'r', ZRECIPE FROM ZIMAGE
          UNION ALL SELECT 'i', Z_PK, 's', ZSTEP FROM ZIMAGE
          UNION ALL SELECT 's', Z_PK, 'r', ZRECIPE FROM ZSTEP
          UNION ALL SELECT 'n', Z_PK, 'r', ZRECIPE FROM ZINGREDIENT) AS l ON l.tt = gone.t AND l.tk = gone.k)
      """
    for (table, letter) in [
      ("ZRECIPE", "r"), ("ZIMAGE", "i"), ("ZSTEP", "s"), ("ZINGREDIENT", "n"), ("ZCATEGORY", "c"),
    ] {
      let expected = try databases.rows(
        "\(gone) SELECT Z_PK FROM \(table) WHERE Z_PK NOT IN (SELECT k FROM gone WHERE t = '\(letter)')",
        of: "Kitchen.sqlite"
      )
      #expect(try databases.rows("SELECT Z_PK FROM \(table)", of: "New.sqlite") == expected)
      #expect(!expected.isEmpty)
    }
    let count = try databases.rows(
      "\(gone) SELECT count(*) FROM gone WHERE t <> 'c'",
      of: "Kitchen.sqlite"
    )
    #expect(count == ["\(report.rejectedCount)"] && report.isVerified)
    let links = try databases.rows(
      "SELECT (SELECT count(ZCATEGORY) FROM ZRECIPE), (SELECT count(ZRECIPE) FROM ZSTEP), "
        + "(SELECT count(*) FROM Z_6TAGS)",
      of: "New.sqlite"
    )
    let counts = ["Recipe.category", "Step.recipe"].map {
      report.linksByRelationship[$0]?.copied ?? 0
    }
    let tags = report.linksByRelationship.first { $0.key.lowercased().contains("tag") }
    #expect(links == ["\(counts[0]),\(counts[1]),\(tags?.value.copied ?? -1)"])
    #expect(try databases.place.complaints("New.sqlite") == "")
  }
}
