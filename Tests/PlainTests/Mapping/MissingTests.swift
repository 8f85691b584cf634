import Decant
import Foundation
import StoreTestSupport
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

  /// A recipe that the destination refuses: it is known only when lines that lead to it are written.
  private var refused: String {
    old + "; UPDATE recipe SET title = 'Bad' WHERE id = 6; DELETE FROM grp WHERE id = 2;"
      + "UPDATE recipe SET grp = 1 WHERE grp IS NOT NULL"
  }

  @Test func `a line that is rejected with its recipe is told by that`() throws {
    let databases = try MappedDatabases(refused, to: new)
    let rejects = databases.folder.path("rejects.decant")
    let text = mapping("{ line.recipe: { missing: reject }, line.sub: { missing: null } }")
    let report = try databases.copy(text) {
      $0.onError = .reject
      $0.rejectsFile = rejects
    }
    #expect(report.rejectedByCode == [.check: 1, .link: 2])
    // Line 7 led to line 5, which is gone; line 5 led to line 2 itself.
    #expect(report.linksByRelationship["line.sub"] == LinkCounts(copied: 2, cut: 1))
    let lines = try String(contentsOfFile: rejects, encoding: .utf8)
    #expect(lines.contains("its link line.recipe leads to an object that was rejected"))
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
      for isDryRun in [true, false] {
        let error = #expect(throws: DecantError.self) {
          try databases.copy(mapping(all, "{ rejects: { \(bound) } }")) { $0.isDryRun = isDryRun }
        }
        #expect(error?.family == .failed && error?.message.contains("were rejected") == true)
        #expect(try databases.place.dump("new.db") == before)
      }
    }
    try databases.copy(mapping(all, "{ rejects: { max: 0 } }")) { $0.rejectLimit = 9 }
    #expect(try databases.rows("SELECT count(*) FROM recipe") == ["3"])
    let enough = try MappedDatabases(old, to: new)
    let report = try enough.copy(mapping(all, "{ rejects: { max: 9 } }"))
    #expect(report.rejectedCount == 9)
  }

  @Test func `what cannot be done is told before anything is read`() throws {
    let databases = try MappedDatabases(old, to: new)
    let error = #expect(throws: DecantError.self) {
      try databases.copy(mapping("{ recipe.group: { missing: reject } }"))
    }
    #expect(error?.family == .usage && error?.place == "map.yaml:5:5")
    #expect(error?.remedy?.contains("recipe.grp") == true)
    // Without a file that says how objects are made, there are no empty ones.
    let plain = #expect(throws: DecantError.self) {
      try databases.place.copy("old.db", to: "new.db") { $0.missing["recipe.grp"] = .stub }
    }
    #expect(plain?.family == .usage && plain?.advice?.commandLine.contains("--mapping") == true)
  }

  @Test func `a dry run foretells it, and the plan is another one`() throws {
    let databases = try MappedDatabases(old, to: new)
    var hashes: Set<String?> = []
    for rule in ["null", "reject"] {
      let report = try databases.copy(mapping("{ recipe.grp: { missing: \(rule) } }")) {
        $0.isDryRun = true
      }
      hashes.insert(report.planHash)
      let told = report.notes.commandLine.contains { $0.hasPrefix("2 links of recipe.grp have no target") }
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
    let count = try databases.rows("\(gone) SELECT count(*) FROM gone WHERE t <> 'c'", of: "Kitchen.sqlite")
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
