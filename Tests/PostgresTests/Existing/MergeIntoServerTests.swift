import Foundation
import TestSupport
import Testing

/// Objects that are added to tables on a server, or merged with those there.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct MergeIntoServerTests {
  private let place: PostgresFolder
  private var tables: String { place.location }

  init() throws {
    place = try PostgresFolder()
    try place.expect("copy", "Kitchen.sqlite", place.location)
    try place.expect("copy", "Kitchen.sqlite", "file.sqlite")
  }

  /// The places of the rows of all tables, which change with every row that is written.
  private func rowVersions() throws -> String {
    try place.psql(
      """
      SELECT string_agg(v, ' ' ORDER BY v) FROM (
        SELECT 'r' || id || xmin AS v FROM recipe UNION ALL SELECT 'i' || id || xmin FROM ingredient
        UNION ALL SELECT 's' || id || xmin FROM step) AS t
      """)
  }

  /// Runs the same command on the file and on the server; expects the same exit code and counts, and equal stores.
  private func expectSame(
    _ verb: String,
    _ options: [String],
    from source: String = "Guests.sqlite",
    location: SourceLocation = #_sourceLocation
  ) throws {
    let runs = try ["file.sqlite", tables].map { destination in
      try place.run([verb, source, destination] + options + ["--json"])
    }
    #expect(runs[0].status == runs[1].status, "\(runs[1].errors)", sourceLocation: location)
    let reports = try runs.map { try JSONDecoder().decode(Report.self, from: Data($0.output.utf8)).entities }
    #expect(reports[0] == reports[1], sourceLocation: location)
    let difference = try place.run(["diff", "file.sqlite", tables])
    #expect(difference.status == 0, "\(difference.output)\(difference.errors)", sourceLocation: location)
  }

  private struct Report: Decodable {
    let entities: [String: Counts]
  }

  private struct Counts: Decodable, Equatable {
    let copied, updated, skipped: Int
  }

  @Test(arguments: ["skip", "update", "replace", "keep-both"])
  func `a merge equals the merge between files`(policy: String) throws {
    // An object that both have, changed in one of them.
    _ = try Program.sqlite3(
      place.folder.path("Guests.sqlite"), "UPDATE ZRECIPE SET ZTITLE = ZTITLE || '!' WHERE Z_PK % 2 = 1")
    try expectSame("merge", ["--merge", policy])
    try expectSame("merge", ["--merge", policy])
  }

  @Test func `an addition equals the addition between files`() throws {
    try expectSame("copy", ["--append"])
    try expectSame("copy", ["--append"])
  }

  @Test func `the same again writes nothing`() throws {
    let first = try rowVersions()
    let dates = place.folder.path("Kitchen.sqlite")
    for option in [[], ["--identity", "Recipe: uuid"]] {
      let run = try place.run(["merge", "Kitchen.sqlite", tables, "--merge", "update"] + option)
      #expect(try run.status == 0 && rowVersions() == first, "\(run.output)\(run.errors)")
    }
    // Dates that the server rounds are the same to it.
    _ = try Program.sqlite3(dates, "UPDATE ZRECIPE SET ZCREATEDAT = ZCREATEDAT + 0.00000012345")
    try place.expect("merge", "Kitchen.sqlite", tables, "--merge", "update")
    #expect(try rowVersions() == first)
    try place.expect("merge", "Guests.sqlite", tables, "--merge", "update")
    let second = try rowVersions()
    #expect(second != first)
    try place.expect("merge", "Guests.sqlite", tables, "--merge", "update")
    #expect(try rowVersions() == second)
  }

  @Test func `a merge writes what differs and nothing else`() throws {
    _ = try Program.sqlite3(
      place.folder.path("Kitchen.sqlite"), "UPDATE ZRECIPE SET ZTITLE = 'new' WHERE Z_PK = 2")
    let before = try place.psql("SELECT string_agg(id || ':' || xmin, ' ' ORDER BY id) FROM recipe WHERE id <> 2")
    try place.expect("merge", "Kitchen.sqlite", tables, "--merge", "update")
    #expect(try place.psql("SELECT title FROM recipe WHERE id = 2") == "new")
    #expect(
      try place.psql("SELECT string_agg(id || ':' || xmin, ' ' ORDER BY id) FROM recipe WHERE id <> 2") == before)
  }

  @Test func `a three-way merge asks the base`() throws {
    try place.expect("copy", "Kitchen.sqlite", "base.sqlite")
    try place.expect("copy", "Kitchen.sqlite", "theirs.sqlite")
    _ = try Program.sqlite3(
      place.folder.path("theirs.sqlite"), "UPDATE ZRECIPE SET ZTITLE = 'theirs' WHERE Z_PK IN (1, 2)")
    _ = try Program.sqlite3(
      place.folder.path("file.sqlite"), "UPDATE ZRECIPE SET ZTITLE = 'mine' WHERE Z_PK IN (2, 3)")
    try place.psql("UPDATE recipe SET title = 'mine' WHERE id IN (2, 3)")
    try expectSame("merge", ["--base", "base.sqlite"], from: "theirs.sqlite")
    #expect(try place.psql("SELECT title FROM recipe WHERE id = 1") == "theirs")
    #expect(try place.psql("SELECT title FROM recipe WHERE id = 3") == "mine")
  }

  @Test func `a dry run foretells, and neither writes nor waits`() throws {
    let before = try rowVersions()
    let lock = try PostgresSession(place)
    try lock.run("BEGIN; LOCK TABLE recipe IN ROW EXCLUSIVE MODE")
    let foretold = try place.expect("merge", "Guests.sqlite", tables, "--dry-run", "--json")
    try lock.run("ROLLBACK")
    #expect(try rowVersions() == before)
    let done = try place.expect("merge", "Guests.sqlite", tables, "--json")
    let decoder = JSONDecoder()
    #expect(
      try decoder.decode(Report.self, from: Data(foretold.utf8)).entities
        == decoder.decode(Report.self, from: Data(done.utf8)).entities)
  }

  @Test func `several stores are merged one after the other`() throws {
    let output = try place.expect("merge", "Guests.sqlite", "Kitchen.sqlite", tables)
    try place.expect("merge", "Guests.sqlite", "Kitchen.sqlite", "file.sqlite")
    try place.expect("diff", "file.sqlite", tables)
    #expect(!output.replacing(place.server.socket, with: "").contains("/tmp"))
    try place.expect("merge", "Guests.sqlite", "Kitchen.sqlite", tables, "--dry-run")
  }

  @Test func `an archive is imported`() throws {
    try place.expect("export", "Guests.sqlite", "guests.decant")
    try place.expect("import", "guests.decant", tables, "--merge", "skip")
    try place.expect("import", "guests.decant", "file.sqlite", "--merge", "skip")
    try place.expect("diff", "file.sqlite", tables)
  }

  @Test func `recipes of other apps are imported once`() throws {
    let library = place.server.location(place.database, schema: "library")
    let soup = Fixtures.projectFolder.appendingPathComponent("samples/Soup.melarecipe").path
    let said = try place.expect("import", soup, library)
    // The commands of the hint work.
    for command in said.matches(of: /decant ([^\n]*)/).map(\.output.1) {
      let run = try Program.run(
        ["sh", "-c", "decant() { '\(DecantProgram.path)' \"$@\"; }; decant \(command)"], in: place.folder.url)
      #expect(run.status == 0, "\(command): \(run.errors)")
    }
    #expect(said.contains("recipes Recipes.sqlite"))
    let ingredients = try place.psql("SELECT count(*) FROM library.ingredient")
    #expect(ingredients != "0")
    try place.expect("import", soup, library)
    #expect(try place.psql("SELECT count(*) FROM library.recipe") == "1")
    #expect(try place.psql("SELECT count(*) FROM library.ingredient") == ingredients)
  }

  @Test func `the table of keys names the keys on the server`() throws {
    try place.expect("copy", "Guests.sqlite", tables, "--append", "--keep-ids", "ids.db")
    let pairs = try Program.sqlite3(place.folder.path("ids.db"), "SELECT name FROM sqlite_schema WHERE type = 'table'")
    #expect(!pairs.isEmpty)
    try place.expect("verify", "Guests.sqlite", tables, "--ids", "ids.db")
  }

  // MARK: Refusals

  @Test(arguments: [["--backup"], ["--exact-dates"]])
  func `options of files are refused`(option: [String]) throws {
    try place.expect(["copy", "Guests.sqlite", tables, "--append"] + option, 64, option[0])
  }

  @Test func `a schema without tables is no destination of a merge`() throws {
    let other = place.server.location(place.database, schema: "other")
    try place.expect(["merge", "Guests.sqlite", other], 10, "no store")
    try place.expect("copy", "Guests.sqlite", other, "--append")
    #expect(try place.psql("SELECT count(*) FROM other.recipe") != "0")
  }

  @Test func `tables that an app has locked end the run`() throws {
    let lock = try PostgresSession(place)
    try lock.run("BEGIN; UPDATE recipe SET title = title WHERE id = 1")
    let process = try place.psql(
      "SELECT pid FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()")
    let holder = "it is held by process \(process) (psql, role \(PostgresServer.owner))"
    let merge = try place.run(["merge", "Guests.sqlite", tables])
    #expect(merge.status == 11 && merge.errors.contains("cannot lock the tables"), "\(merge.errors)")
    #expect(merge.errors.contains(holder), "\(merge.errors)")
    try lock.run("ROLLBACK")
    try place.expect("merge", "Guests.sqlite", tables)
  }

  @Test func `a missing right is named, and is enough`() throws {
    let role = "helper_\(place.database)"
    try place.psql("CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA decant, public TO \(role)")
    try place.psql("GRANT SELECT ON decant.store TO \(role)")
    let helper = place.server.location(place.database, user: role)
    try place.expect(["copy", "Guests.sqlite", helper, "--append"], 1, "GRANT SELECT, INSERT, UPDATE ON")
    try place.psql("GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO \(role)")
    try place.expect(["copy", "Guests.sqlite", helper, "--append"], 1, "GRANT USAGE, SELECT ON ALL SEQUENCES")
    try place.psql("GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO \(role)")
    try place.expect("copy", "Guests.sqlite", helper, "--append")
    try place.expect(["merge", "Guests.sqlite", helper], 1, "DELETE")
    try place.psql("GRANT DELETE ON ALL TABLES IN SCHEMA public TO \(role)")
    try place.expect("merge", "Guests.sqlite", helper)
  }

  @Test func `values that do not fit are rejected one by one`() throws {
    _ = try Program.sqlite3(
      place.folder.path("Guests.sqlite"), "UPDATE ZRECIPE SET ZSERVINGS = 40000 WHERE Z_PK = 1")
    let before = try rowVersions()
    try place.expect(["copy", "Guests.sqlite", tables, "--append"], 1, "servings is an integer beyond 16 bits")
    #expect(try rowVersions() == before)
    let run = try place.run(
      ["copy", "Guests.sqlite", tables, "--append", "--on-error", "reject", "--rejects", "left.decant"])
    #expect(run.status == 3, "\(run.errors)")
    #expect(FileManager.default.fileExists(atPath: place.folder.path("left.decant")))
  }
}
