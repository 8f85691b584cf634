import Foundation
import TestSupport
import Testing

/// Merges that delete rows to which rows of other tables lead, while apps add such rows.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct ActingReferenceTests {
  private let place: PostgresFolder

  init() throws {
    place = try PostgresFolder()
    let items = """
      CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE); INSERT INTO item VALUES (1, 'a'), (2, 'b');
      """
    _ = try Program.sqlite3(place.folder.path("base.db"), items)
    _ = try Program.sqlite3(place.folder.path("theirs.db"), items + "DELETE FROM item WHERE id = 1")
    try place.psql(
      items + """
        CREATE SCHEMA other;
        CREATE TABLE other.ref (id int PRIMARY KEY, item int REFERENCES item ON DELETE CASCADE)
        """)
  }

  /// Merges while a session has added a row and not committed; has `end` run when the merge has come to its rows.
  private func merge(_ app: PostgresSession, _ end: String) throws -> Program {
    try app.run("BEGIN; INSERT INTO other.ref VALUES (1, 1)")
    // Unchecked, but safe: one thread uses the session at a time, and the place only names things.
    nonisolated(unsafe) let (session, server) = (app, place)
    let ended = DispatchSemaphore(value: 0)
    Thread {
      for _ in 0..<600 {
        let waiting = try? server.psql(
          """
          SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'decant'
          AND (wait_event_type = 'Lock' OR query LIKE '%SKIP LOCKED%')
          """)
        if waiting == "1" { break }
        usleep(50_000)
      }
      usleep(500_000)
      _ = try? session.run(end)
      ended.signal()
    }.start()
    let run = try place.run(["merge", "theirs.db", place.location, "--base", "base.db"])
    ended.wait()
    return run
  }

  @Test func `a row that is added meanwhile is counted`() throws {
    let app = try PostgresSession(place)
    let run = try merge(app, "COMMIT")
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(run.errors.contains("the server would delete or change 1 row of other.ref"), "\(run.errors)")
    #expect(try place.psql("SELECT (SELECT count(*) FROM item) || ',' || (SELECT count(*) FROM other.ref)") == "2,1")
  }

  @Test func `a row that is taken back is not counted`() throws {
    let app = try PostgresSession(place)
    let run = try merge(app, "ROLLBACK")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(try place.psql("SELECT string_agg(name, '') FROM item") == "b")
  }

  @Test func `an app that writes to the tables next is not ended`() throws {
    let app = try PostgresSession(place)
    // It waits for the lock of the table, and the merge for that of the row.
    let run = try merge(app, "UPDATE item SET name = 'c' WHERE id = 2; COMMIT")
    #expect(run.status == 11, "\(run.output)\(run.errors)")
    #expect(try place.psql("SELECT string_agg(name, '' ORDER BY name) FROM item") == "ac")
    #expect(try place.psql("SELECT count(*) FROM other.ref") == "1")
  }

  @Test(arguments: ["ltree", "citext", "hstore", "cube"])
  func `keys of types of extensions are compared by their operators`(type: String) throws {
    let words = ["ltree": ["a.b", "a.c"], "hstore": ["\"a\"=>\"1\"", "\"a\"=>\"2\""], "cube": ["(1)", "(2)"]]
    let keys = words[type] ?? ["Ann", "bob"]
    let nodes = """
      CREATE TABLE node (path TEXT NOT NULL PRIMARY KEY, name TEXT);
      INSERT INTO node VALUES ('\(keys[0])', 'x'), ('\(keys[1])', 'y');
      """
    _ = try Program.sqlite3(place.folder.path("base.db"), "DROP TABLE item;" + nodes)
    _ = try Program.sqlite3(
      place.folder.path("theirs.db"),
      "DROP TABLE item;" + nodes + "UPDATE node SET name = 'z' WHERE name = 'x'; DELETE FROM node WHERE name = 'y'")
    // Where extensions are made is up to the database.
    try place.psql(
      """
      DROP TABLE other.ref, item; CREATE EXTENSION \(type); \(nodes.replacingOccurrences(of: "TEXT NOT", with: "\(type) NOT"));
      CREATE TABLE other.ref (path \(type) REFERENCES node ON DELETE CASCADE);
      INSERT INTO other.ref VALUES ('\(type == "citext" ? "BOB" : keys[1])')
      """)
    let merge = ["merge", "theirs.db", place.location, "--base", "base.db"]
    try place.expect(merge, 1, "the server would delete or change 1 row of other.ref")
    try place.psql("UPDATE other.ref SET path = '\(keys[0])'")
    try place.expect("merge", "theirs.db", place.location, "--base", "base.db")
    #expect(try place.psql("SELECT path::text || name FROM node") == keys[0] + "z")
  }
}
