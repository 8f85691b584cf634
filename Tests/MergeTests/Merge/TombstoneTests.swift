import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What was merged once and deleted since stays away.
@Suite struct TombstoneTests {
  private let stores: Merges

  init() throws {
    stores = try Merges(
      """
      CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT UNIQUE, stars INTEGER);
      CREATE TABLE part (id INTEGER PRIMARY KEY, recipe INTEGER NOT NULL REFERENCES recipe (id) ON DELETE CASCADE,
        name TEXT)
      """,
      mine: "INSERT INTO recipe VALUES (1, 'own', 5)",
      theirs: """
        INSERT INTO recipe VALUES (1, 'soup', 1), (2, 'bread', 2);
        INSERT INTO part VALUES (1, 1, 'leek'), (2, 1, 'salt'), (3, 2, 'salt')
        """
    )
  }

  private func merge(into file: String = "seen.sqlite", isDryRun: Bool = false) throws -> CopyReport {
    try stores.merge {
      $0.tombstoneFile = stores.folder.path(file)
    } options: {
      $0.isDryRun = isDryRun
    }
  }

  @Test func `only what is new in the bundle comes`() throws {
    #expect(try merge().copiedCount == 5)
    _ = try Program.sqlite3(
      stores.mine,
      "PRAGMA foreign_keys = 1; DELETE FROM recipe WHERE title = 'soup'; DELETE FROM part WHERE name = 'salt'"
    )
    _ = try Program.sqlite3(
      stores.theirs,
      "INSERT INTO recipe VALUES (3, 'pie', 3); INSERT INTO part VALUES (4, 3, 'salt')"
    )
    let report = try merge()
    #expect(
      try stores.rows("SELECT title, name FROM recipe LEFT JOIN part ON recipe = recipe.id ORDER BY 1")
        == ["'bread',NULL", "'own',NULL", "'pie','salt'"]
    )
    #expect(report["recipe"]?.filtered == 1 && report["part"]?.filtered == 3)
    #expect(report.notes.commandLine.contains { $0.hasPrefix("4 objects not added again") })
    // Without the file the soup comes back with its parts; nothing is added to the bread, which is there.
    try stores.merge()
    #expect(try stores.rows("SELECT count(*) FROM part") == ["3"])
  }

  @Test func `what belongs to something deleted stays away, though it be new`() throws {
    _ = try merge()
    _ = try Program.sqlite3(stores.mine, "PRAGMA foreign_keys = 1; DELETE FROM recipe WHERE title = 'soup'")
    _ = try Program.sqlite3(stores.theirs, "INSERT INTO part VALUES (4, 1, 'new in the soup')")
    let report = try merge()
    #expect(report.copiedCount == 0 && report["part"]?.filtered == 3)
    #expect(try stores.rows("SELECT count(*) FROM part WHERE name LIKE 'new%'") == ["0"])
  }

  @Test(arguments: [
    (MergePolicy.skip, false), (.skip, true), (.update, false), (.update, true), (.keepBoth, true),
  ])
  func `what a condition left out was never merged, and comes without it`(policy: MergePolicy, isChosenTwice: Bool)
    throws
  {
    let stores = try Merges(
      "CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT UNIQUE, stars INTEGER)",
      mine: "INSERT INTO recipe VALUES (1, 'own', 5)",
      theirs: "INSERT INTO recipe VALUES (1, 'soup', 1), (2, 'bread', 2)"
    )
    func merge(_ condition: String?) throws -> CopyReport {
      try stores.merge(policy) {
        $0.tombstoneFile = stores.folder.path("seen.sqlite")
      } options: {
        $0.filters = condition.map { [CopyOptions.Filter(entity: "recipe", expression: $0)] } ?? []
      }
    }
    #expect(try merge("title = 'soup'")["recipe"]?.copied == 1)
    if isChosenTwice { #expect(try merge("title = 'soup'").copiedCount == 0) }
    #expect(try merge(nil)["recipe"]?.copied == 1)
    #expect(try stores.rows("SELECT title FROM recipe ORDER BY 1") == ["'bread'", "'own'", "'soup'"])
  }

  /// Two tables whose rows are known by the same words: by a unique column, or by all that they hold.
  @Test(arguments: [("menu", "recipe"), ("recipe", "menu")], ["TEXT UNIQUE", "TEXT"])
  func `what one table lost says nothing of another one`(tables: (lost: String, added: String), type: String) throws {
    let (lost, added) = tables
    let stores = try Merges(
      """
      CREATE TABLE recipe (id INTEGER PRIMARY KEY, title \(type));
      CREATE TABLE menu (id INTEGER PRIMARY KEY, title \(type))
      """,
      mine: "",
      theirs: "INSERT INTO \(lost) VALUES (1, 'soup')"
    )
    let file = stores.folder.path("seen.sqlite")
    #expect(try stores.merge { $0.tombstoneFile = file }.copiedCount == 1)
    _ = try Program.sqlite3(stores.mine, "DELETE FROM \(lost)")
    _ = try Program.sqlite3(stores.theirs, "INSERT INTO \(added) VALUES (1, 'soup')")
    #expect(try stores.merge { $0.tombstoneFile = file }.copiedCount == 1)
    #expect(
      try stores.rows("SELECT count(*) FROM \(lost) UNION ALL SELECT count(*) FROM \(added)") == [
        "0", "1",
      ]
    )
  }

  @Test func `a file is of one store and of one way to tell objects apart`() throws {
    _ = try merge()
    let other = try Merges(
      "CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT UNIQUE, stars INTEGER)",
      mine: "",
      theirs: "INSERT INTO recipe VALUES (1, 'soup', 1)"
    )
    let file = stores.folder.path("seen.sqlite")
    var error = #expect(throws: DecantError.self) { try other.merge { $0.tombstoneFile = file } }
    #expect(error?.family == .usage && error?.message.contains("a different store") == true)
    #expect(try other.rows("SELECT count(*) FROM recipe") == ["0"])
    error = #expect(throws: DecantError.self) {
      try stores.merge {
        $0.tombstoneFile = file
        $0.identities = ["recipe": ["title", "stars"]]
      }
    }
    #expect(error?.family == .usage && error?.message.contains("different identities") == true)
  }

  @Test func `a file that cannot be written ends the merge before anything is`() throws {
    let error = #expect(throws: DecantError.self) { try merge(into: "nowhere/seen.sqlite") }
    #expect(error?.family == .failed)
    #expect(try stores.rows("SELECT count(*) FROM recipe") == ["1"])
  }

  @Test func `a dry run remembers nothing, and neither does a merge that fails`() throws {
    _ = try merge(isDryRun: true)
    #expect(!FileManager.default.fileExists(atPath: stores.folder.path("seen.sqlite")))
    _ = try Program.sqlite3(stores.mine, "INSERT INTO recipe VALUES (2, 'soup', 9)")
    #expect(throws: DecantError.self) {
      try stores.merge(.error) { $0.tombstoneFile = stores.folder.path("seen.sqlite") }
    }
    #expect(!FileManager.default.fileExists(atPath: stores.folder.path("seen.sqlite")))
  }

  @Test func `a file of another kind is refused and left alone`() throws {
    try Data("no database".utf8).write(to: stores.folder.url.appendingPathComponent("text"))
    for file in ["theirs.db", "text"] {
      let before = FileManager.default.contents(atPath: stores.folder.path(file))
      let error = #expect(throws: DecantError.self) { try merge(into: file) }
      #expect(error?.family == .corruptStore)
      #expect(FileManager.default.contents(atPath: stores.folder.path(file)) == before)
    }
    #expect(try stores.rows("SELECT count(*) FROM recipe") == ["1"])
  }
}
