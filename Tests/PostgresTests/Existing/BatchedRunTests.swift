import Foundation
import TestSupport
import Testing

/// Additions and merges with `--commit batch`, stopped at any moment and resumed: the tables are those of one transaction.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct BatchedRunTests {
  private let place: PostgresFolder
  private let books = BookTables()

  init() throws {
    place = try PostgresFolder()
    try books.makeSources(place)
  }

  /// A verb with its options, and the source.
  struct Mode: Sendable, CustomTestStringConvertible {
    let source: String
    let options: [String]
    var testDescription: String { "\(source) \(options)" }

    func command(_ location: String, _ more: [String] = []) -> [String] {
      [options.first == "--append" ? "copy" : "merge", source, location] + options + more
    }
  }

  static let modes = [
    Mode(source: "fresh.db", options: ["--append"]),
    Mode(source: "both.db", options: ["--merge", "skip"]),
    Mode(source: "both.db", options: ["--merge", "update"]),
  ]
  static let batches = ["--commit", "batch", "--batch-size", "5"]

  private func location(_ schema: String) -> String { place.server.location(place.database, schema: schema) }

  /// Runs `mode` in one transaction in a schema of its own; returns its rows.
  private func expected(_ mode: Mode) throws -> String {
    try books.make(in: "once", place)
    let run = try place.run(mode.command(location("once")))
    #expect(run.status == 0, "\(run.errors)")
    return try books.rows(in: "once", place)
  }

  /// Runs `mode` in batches through a proxy that fails, and resumes it; returns whether the proxy failed.
  private func expectSame(
    _ mode: Mode, _ moment: FailingProxy.Moment, _ count: Int, _ fault: FailingProxy.Fault, _ more: [String] = [],
    _ expected: String
  ) throws -> Bool {
    let what: Comment = "\(mode) \(more) \(moment) \(count) \(fault)"
    try books.make(in: "n", place)
    let before = try books.rows(in: "n", place)
    let proxy = try FailingProxy(place.server, moment, count, fault)
    let options = BatchedRunTests.batches + more
    let run = try place.run(mode.command(proxy.location(place.database) + " schema=n", options))
    let isThere = try place.psql("SELECT count(*) FROM pg_namespace WHERE nspname ~ '^decant_batch_'") != "0"
    if try books.isComplete(place) {
      // Only its end was not confirmed, and it is not done a second time.
      if mode.options == ["--append"] { try place.expect(mode.command(location("n"), options), 64, "is complete") }
      let resumed = try place.run(mode.command(location("n"), options + ["--resume"]))
      #expect(resumed.status == 0, "\(what): \(resumed.errors)")
    } else if isThere {
      // The next command names the run.
      let next = try place.run(mode.command(location("n")))
      #expect(next.status == 11 && next.errors.contains("was interrupted"), "\(what): \(next.errors)")
      let resumed = try place.run(mode.command(location("n"), options + ["--resume"]))
      #expect(resumed.status == 0, "\(what): \(resumed.errors)")
      #expect(resumed.output.contains("an interrupted run was completed"), "\(what): \(resumed.output)")
    } else if try books.rows(in: "n", place) == before {
      #expect(run.status != 0, what)
      let again = try place.run(mode.command(location("n"), options))
      #expect(again.status == 0, "\(what): \(again.errors)")
    }
    #expect(try books.rows(in: "n", place) == expected, what)
    #expect(try books.constraints(in: "n", place) == books.constraints(in: "once", place), what)
    #expect(try !place.visible().contains("decant_batch"), what)
    return proxy.hasFailed
  }

  @Test(arguments: modes) func `whatever stops a run, each row arrives once`(mode: Mode) throws {
    let expected = try expected(mode)
    // Both ways to stop take turns, unless there is time for all.
    let ways: [(FailingProxy.Fault, [String])] = [(.cut, []), (.client, ["--defer-constraints"])]
    for (turn, (fault, more)) in ways.enumerated() {
      var count = 1 + turn
      while try expectSame(mode, .commit, count, fault, more, expected) { count += Effort.isThorough ? 1 : 2 }
      #expect(count > 6)
    }
  }

  @Test(.enabled(if: Effort.isThorough), arguments: modes) func `every moment is one to stop at`(mode: Mode) throws {
    let expected = try expected(mode)
    for fault in [FailingProxy.Fault.cut, .client] {
      var count = 500
      while try expectSame(mode, .up, count, fault, [], expected) { count += 1_511 }
      #expect(count > 5_000)
    }
  }

  @Test(arguments: modes) func `a run that nothing stops says how it was committed`(mode: Mode) throws {
    let expected = try expected(mode)
    for more in [[], ["--defer-constraints"]] {
      try books.make(in: "n", place)
      let run = try place.run(mode.command(location("n"), BatchedRunTests.batches + more))
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.contains("transactions, in place"), "\(run.output)")
      #expect(try books.rows(in: "n", place) == expected)
      #expect(try books.constraints(in: "n", place) == books.constraints(in: "once", place))
      #expect(try !place.visible().contains("decant_batch"))
    }
  }

  @Test func `--resume without an interrupted run adds nothing twice`() throws {
    try books.make(in: "n", place)
    let options = BatchedRunTests.batches + ["--resume"]
    try place.expect(
      BatchedRunTests.modes[0].command(location("n"), options), 64, "nothing to resume")
    #expect(try place.run(BatchedRunTests.modes[1].command(location("n"), options)).status == 0)
  }

  @Test func `rows that refer to one another by links that cannot be empty stay together`() throws {
    let tables = """
      CREATE TABLE a (id serial PRIMARY KEY, v text, b_id integer NOT NULL);
      CREATE TABLE b (id serial PRIMARY KEY, v text, a_id integer NOT NULL REFERENCES a DEFERRABLE);
      ALTER TABLE a ADD FOREIGN KEY (b_id) REFERENCES b DEFERRABLE;
      """
    _ = try Program.sqlite3(
      place.folder.path("circle.db"),
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, v TEXT, b_id INTEGER NOT NULL REFERENCES b);
      CREATE TABLE b (id INTEGER PRIMARY KEY, v TEXT, a_id INTEGER NOT NULL REFERENCES a);
      WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8) INSERT INTO a SELECT i, 'a' || i, 9 - i FROM n;
      INSERT INTO b SELECT 9 - id, 'b' || id, id FROM a;
      """)
    for more in [[], ["--defer-constraints"]] {
      try place.psql("DROP SCHEMA IF EXISTS n CASCADE; CREATE SCHEMA n; SET search_path = n; \(tables)")
      let run = try place.run(["copy", "circle.db", location("n"), "--append"] + BatchedRunTests.batches + more)
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.contains("in one transaction") == more.isEmpty, "\(run.output)")
      #expect(
        try place.psql(
          "SELECT count(*) FROM n.a JOIN n.b ON b.id = b_id AND a_id = a.id AND b.v = 'b' || substr(a.v, 2)") == "8")
    }
  }

  @Test func `an app adds rows meanwhile, and no key is given twice`() throws {
    try books.make(in: "n", place)
    // Each batch waits, so that the app is at work between all of them.
    try place.psql(
      """
      CREATE FUNCTION n.wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.15); RETURN NULL; END';
      CREATE TRIGGER wait AFTER INSERT ON n.author FOR EACH STATEMENT EXECUTE FUNCTION n.wait();
      """)
    let process = try RunningProgram(
      [DecantProgram.path]
        + BatchedRunTests.modes[0].command(location("n"), ["--commit", "batch", "--batch-size", "1"]),
      in: place.folder.url, output: .null)
    var count = 0
    while process.isRunning {
      try place.psql(
        "INSERT INTO n.author (code, name) VALUES ('app \(count)', 'app'); INSERT INTO n.tag (label) VALUES ('app \(count)')"
      )
      count += 1
    }
    #expect(process.waitUntilExit() == .exited(0))
    #expect(count > 3)
    #expect(try place.psql("SELECT count(*) FROM n.author WHERE name = 'app'") == "\(count)")
    // Without the app's rows, the rows and their links are those of a run in one transaction.
    try place.psql("DELETE FROM n.author WHERE name = 'app'; DELETE FROM n.tag WHERE label LIKE 'app %'")
    #expect(try books.rows(in: "n", place) == expected(BatchedRunTests.modes[0]))
  }

  @Test func `what others write meanwhile stays`() throws {
    try books.make(in: "n", place)
    let proxy = try FailingProxy(place.server, .commit, 3, .client)
    _ = try place.run(
      BatchedRunTests.modes[0].command(proxy.location(place.database) + " schema=n", BatchedRunTests.batches))
    try place.psql("UPDATE n.author SET name = 'mine', best = (SELECT min(id) FROM n.book) WHERE code = 'f1'")
    let resumed = try place.run(
      BatchedRunTests.modes[0].command(location("n"), BatchedRunTests.batches + ["--resume"]))
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(resumed.output.contains("did not get a link"), "\(resumed.output)")
    #expect(
      try place.psql("SELECT name, isbn FROM n.author AS a JOIN n.book AS b ON b.id = a.best WHERE code = 'f1'")
        == "mine|old 1")
  }

  @Test func `a row that another program added first stops the run until it is changed`() throws {
    try books.make(in: "n", place)
    let proxy = try FailingProxy(place.server, .commit, 1, .client)
    let mode = BatchedRunTests.modes[0]
    _ = try place.run(mode.command(proxy.location(place.database) + " schema=n", BatchedRunTests.batches))
    try place.psql("INSERT INTO n.tag (label) VALUES ('fresh 2')")
    let options = BatchedRunTests.batches + ["--resume"]
    try place.expect(mode.command(location("n"), options), 1, "tag")
    try place.psql("DELETE FROM n.tag WHERE label = 'fresh 2'")
    #expect(try place.run(mode.command(location("n"), options)).status == 0)
    #expect(try books.rows(in: "n", place) == expected(mode))
  }

  @Test func `another command cannot continue a run`() throws {
    try books.make(in: "n", place)
    let proxy = try FailingProxy(place.server, .commit, 2, .client)
    let mode = BatchedRunTests.modes[0]
    _ = try place.run(mode.command(proxy.location(place.database) + " schema=n", BatchedRunTests.batches))
    let options = BatchedRunTests.batches + ["--resume"]
    try place.expect(mode.command(location("n"), options + ["--where", "tag: label > 'a'"]), 1, "other options")
    try place.expect(BatchedRunTests.modes[1].command(location("n"), options), 1, "other options")
    try place.psql(
      "CREATE ROLE other_batch LOGIN; GRANT ALL ON SCHEMA n TO other_batch; GRANT ALL ON ALL TABLES IN SCHEMA n TO other_batch; GRANT ALL ON ALL SEQUENCES IN SCHEMA n TO other_batch; GRANT CREATE ON DATABASE \(place.database) TO other_batch"
    )
    let other = place.server.location(place.database, schema: "n", user: "other_batch")
    try place.expect(mode.command(other, options), 11, "connect as the role")
    try place.psql("DROP OWNED BY other_batch; DROP ROLE other_batch")
  }

  @Test(arguments: modes) func `rollback undoes an interrupted run`(mode: Mode) throws {
    var moment = 1
    while true {
      try books.make(in: "n", place)
      let before = try books.rows(in: "n", place, besides: "log")
      let (constraints, links) = try (books.constraints(in: "n", place), books.firstLinks(place))
      let proxy = try FailingProxy(place.server, .commit, moment, .client)
      let options = BatchedRunTests.batches + (moment % 2 == 0 ? [] : ["--defer-constraints"])
      _ = try place.run(mode.command(proxy.location(place.database) + " schema=n", options))
      guard proxy.hasFailed else { break }
      if try books.isComplete(place) {
        try place.expect(["rollback", location("n")], 64, "--ids")
        try books.dropRecords(place)
      } else if try place.psql("SELECT count(*) FROM pg_namespace WHERE nspname ~ '^decant_batch_'") != "0" {
        let undone = try place.run(["rollback", location("n")])
        guard mode.options != ["--merge", "update"] else {
          // Values of changed rows are not restored, but links to added rows are.
          #expect(undone.status == 0, "\(moment): \(undone.errors)")
          #expect(try place.psql("SELECT count(*) FROM n.author WHERE code LIKE 'f%'") == "0", "\(moment)")
          #expect(try books.firstLinks(place) == links, "\(moment)")
          #expect(try books.constraints(in: "n", place) == constraints)
          #expect(try !place.visible().contains("decant_batch"))
          try books.dropRecords(place)
          moment += Effort.isThorough ? 1 : 3
          continue
        }
        #expect(undone.status == 0, "\(moment): \(undone.errors)")
        #expect(try books.rows(in: "n", place, besides: "log") == before)
        #expect(try books.constraints(in: "n", place) == constraints)
        #expect(try !place.visible().contains("decant_batch"))
      }
      moment += Effort.isThorough ? 1 : 3
    }
    #expect(moment > 6)
    try place.expect(["rollback", location("n")], 64, "--ids")
  }

  @Test func `rollback undoes a complete run, resumed or not`() throws {
    for moment in [0, 4] {
      try books.make(in: "n", place)
      let before = try books.rows(in: "n", place, besides: "log")
      try place.psql(
        """
        CREATE OR REPLACE FUNCTION n.stop() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN IF EXISTS (SELECT FROM n.tag WHERE label = ''stop'') THEN RAISE ''stopped''; END IF; RETURN NULL; END';
        CREATE TRIGGER stop AFTER INSERT ON n.book_tag FOR EACH STATEMENT EXECUTE FUNCTION n.stop();
        """)
      let ids = "ids-\(moment).sqlite"
      let mode = BatchedRunTests.modes[0]
      let options = BatchedRunTests.batches + ["--keep-ids", ids]
      if moment > 0 {
        try place.psql("INSERT INTO n.tag (label) VALUES ('stop')")
        try place.expect(mode.command(location("n"), options), 1, "stopped")
        try place.psql("DELETE FROM n.tag WHERE label = 'stop'")
      }
      let run = try place.run(mode.command(location("n"), options + (moment > 0 ? ["--resume"] : [])))
      #expect(run.status == 0, "\(run.errors)")
      try place.expect("rollback", location("n"), "--ids", ids)
      #expect(try books.rows(in: "n", place, besides: "log") == before)
    }
  }

  @Test func `--defer-constraints needs the owner and a server`() throws {
    try books.make(in: "n", place)
    let mode = BatchedRunTests.modes[0]
    try place.expect(
      ["copy", "fresh.db", "new.db", "--commit", "batch", "--defer-constraints"], 64, "--defer-constraints")
    try place.expect(
      ["copy", "fresh.db", location("m"), "--commit", "batch", "--defer-constraints"], 64, "--defer-constraints")
    try place.psql(
      "CREATE ROLE other_owner LOGIN; GRANT ALL ON SCHEMA n TO other_owner; GRANT ALL ON ALL TABLES IN SCHEMA n TO other_owner; GRANT ALL ON ALL SEQUENCES IN SCHEMA n TO other_owner; GRANT CREATE ON DATABASE \(place.database) TO other_owner"
    )
    let other = place.server.location(place.database, schema: "n", user: "other_owner")
    let options = BatchedRunTests.batches + ["--defer-constraints"]
    try place.expect(mode.command(other, options), 1, "own the table")
    try place.psql("DROP OWNED BY other_owner; DROP ROLE other_owner")
    let proxy = try FailingProxy(place.server, .commit, 2, .client)
    _ = try place.run(mode.command(proxy.location(place.database) + " schema=n", BatchedRunTests.batches))
    try books.make(in: "m", place)
    try place.expect(mode.command(location("m"), options), 11, "another run")
  }
}
