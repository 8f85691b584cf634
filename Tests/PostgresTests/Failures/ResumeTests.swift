import Foundation
import TestSupport
import Testing

/// Copies to a server that end early, and are resumed: each row is there exactly once.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct ResumeTests {
  private let interrupted: InterruptedCopy
  private var place: PostgresFolder { interrupted.place }
  private var copy: [String] { interrupted.copy }

  init() throws { interrupted = InterruptedCopy(try PostgresFolder()) }

  @Test(
    arguments: [
      (.commit, 1), (.commit, 2), (.commit, 9), (.commit, 20), (.commit, 29), (.commit, 31), (.up, 20_000),
      (.up, 30_000),
    ] as [(FailingProxy.Moment, Int)], [.client, .cut] as [FailingProxy.Fault])
  func `a copy goes on after the last batch`(_ when: (FailingProxy.Moment, Int), fault: FailingProxy.Fault) throws {
    // Every other one with several sessions.
    let interrupted = when.1.isMultiple(of: 2) ? InterruptedCopy(place, workers: 3) : interrupted
    let rows = try #require(try interrupted.rowsThere(when.0, when.1, fault))
    if when.0 == .commit, when.1 == 9 || when.1 == 20 { #expect(rows > 0) }
  }

  @Test(
    .enabled(if: Effort.isThorough), arguments: [(.client, 1), (.cut, 2), (.client, 3)] as [(FailingProxy.Fault, Int)],
    [1, 4])
  func `every commit is one to fail at`(_ when: (fault: FailingProxy.Fault, step: Int), workers: Int) throws {
    let (interrupted, fault, step) = (InterruptedCopy(place, workers: workers), when.fault, when.step)
    var (count, resumed) = (1, 0)
    while let rows = try interrupted.rowsThere(.commit, count, fault) {
      count += step
      if rows > 0 { resumed += 1 }
      try interrupted.empty()
    }
    #expect(resumed > 5)
  }

  @Test func `the same command without an option starts over`() throws {
    let proxy = try FailingProxy(place.server, .commit, 9, .client)
    _ = try place.run(interrupted.through(proxy))
    #expect(try place.visible().contains("decant_build"))
    let run = try place.run(copy + ["--restart"])
    #expect(run.status == 0, "\(run.errors)")
    #expect((run.output + run.errors).contains("removed the leftovers of an interrupted copy"))
    try interrupted.expectAll("restart")
  }

  @Test func `objects that were left out are told once, by the run that finishes the copy`() throws {
    _ = try Program.sqlite3(
      place.folder.path("Kitchen.sqlite"), "UPDATE ZTAG SET ZNAME = CAST(x'610062' AS TEXT) WHERE Z_PK = 1")
    let rejects = ["--on-error", "reject", "--rejects", "rejects.decant"]
    let proxy = try FailingProxy(place.server, .commit, 9, .cut)
    let run = try place.run(interrupted.through(proxy) + rejects)
    #expect(run.status == 1 && proxy.hasFailed, "\(run.output)\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: place.folder.path("rejects.decant")))
    let resumed = try place.run(copy + rejects + ["--resume", "--json"])
    #expect(resumed.status == 3, "\(resumed.errors)")
    #expect(
      resumed.output.contains("\"rejected\": 1") || resumed.output.contains("\"rejected\":1"), "\(resumed.output)")
    // Another schema, in one run: the same is told.
    let whole = place.server.location(place.database, schema: "whole")
    let other = try place.run([
      "copy", "Kitchen.sqlite", whole, "--batch-size", "7", "--on-error", "reject", "--rejects", "whole.decant",
    ])
    #expect(other.status == 3, "\(other.errors)")
    func told(_ file: String) throws -> [Substring] {
      try place.expect("inspect", file).split(separator: "\n").filter { !$0.contains(file) && !$0.contains("size") }
    }
    #expect(try told("rejects.decant") == told("whole.decant"))
    #expect(try place.expect("diff", place.location, whole).contains("equal"))
  }

  @Test func `what a copy has left beside tables that are there is named`() throws {
    let proxy = try FailingProxy(place.server, .publish, 1, .client)
    _ = try place.run(interrupted.through(proxy))
    try place.psql("CREATE TABLE recipe (id int)")
    let built = try place.psql("SELECT nspname FROM pg_namespace WHERE nspname ~ '^decant_build'")
    #expect(!built.isEmpty)
    try place.expect(
      copy + ["--resume"], 64, "this removes the tables that an unfinished copy left: DROP SCHEMA \"\(built)\" CASCADE")
  }

  @Test func `a failed copy says how to go on`() throws {
    let proxy = try FailingProxy(place.server, .commit, 9, .cut)
    try place.expect(interrupted.through(proxy), 1, "--resume")
  }

  @Test func `nothing else is resumed than what was begun`() throws {
    let proxy = try FailingProxy(place.server, .commit, 9, .client)
    _ = try place.run(interrupted.through(proxy))
    let resume = copy + ["--resume"]
    try place.expect(resume + ["--where", "Recipe: 1"], 1, "with other options or another model")
    try place.expect(resume + ["--exact-dates"], 1, "with other options or another model")
    try place.expect(resume + ["--type", "Recipe.servings: bigint"], 1, "with other options or another model")
    _ = try Program.sqlite3(place.folder.path("Kitchen.sqlite"), "UPDATE ZRECIPE SET ZTITLE = 'Soup' WHERE Z_PK = 1")
    try place.expect(resume, 1, "the source was changed or replaced after the copy started")
    try place.expect(resume, 1, "use --restart to start over")
    #expect(try place.visible().contains("decant_build"))
    // Another schema is not concerned.
    let other = place.server.location(place.database, schema: "other")
    try place.expect("copy", "Kitchen.sqlite", other)
    #expect(try place.visible().contains("decant_build"))
    try place.expect("copy", "Kitchen.sqlite", place.location)
    try interrupted.expectAll("started over")
  }

  @Test func `a process that was thought dead cannot go on`() throws {
    // It waits for a lock as long as psql holds it.
    try place.psql(
      """
      CREATE SCHEMA trap; CREATE TABLE trap.gate (x int);
      CREATE FUNCTION trap.wait() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT count(*) FROM trap.gate) = 0 THEN RETURN; END IF;
        FOR i IN 1..100 LOOP
          PERFORM pg_sleep(0.1);
          EXIT WHEN (SELECT count(*) FROM trap.gate) = 0;
        END LOOP;
      END $$;
      INSERT INTO trap.gate VALUES (1);
      CREATE EVENT TRIGGER wait ON ddl_command_end WHEN TAG IN ('CREATE SEQUENCE', 'CREATE INDEX') EXECUTE FUNCTION trap.wait()
      """)
    let process = try RunningProgram(
      [DecantProgram.path] + copy, in: place.folder.url, output: .null, errors: .pipe)
    defer { process.kill() }
    // It has sent its rows, and makes an index.
    for _ in 0..<200 {
      let found = try place.psql(
        "SELECT 1 FROM pg_stat_activity WHERE datname = '\(place.database)' AND query ~ 'CREATE (UNIQUE )?INDEX' AND state = 'active'"
      )
      if !found.isEmpty { break }
      usleep(50_000)
    }
    // Of its sessions only the one that makes the index has a transaction.
    for _ in 0..<200 {
      process.send(SIGSTOP)
      let busy = try place.psql(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(place.database)' AND pid <> pg_backend_pid() AND state <> 'idle'"
      )
      if busy == "1" { break }
      process.send(SIGCONT)
      usleep(20_000)
    }
    try place.expect(copy, 11, "another process is copying a store into the schema public")
    try place.psql("DELETE FROM trap.gate")
    // Its statement ends, and its transaction stays open.
    let name = try place.psql("SELECT nspname FROM pg_namespace WHERE nspname ~ '^decant_build'")
    try place.psql("UPDATE \(name).decant_run SET value = '1' WHERE key = 'token'")
    process.send(SIGCONT)
    let (status, told) = process.end()
    #expect(status == 11, "\(told)")
    #expect(told.contains("the copy was taken over by another process"), "\(told)")
    #expect(try place.psql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == "0")
    #expect(
      try place.expect("copy", "Kitchen.sqlite", place.location, "--batch-size", "7", "--resume").contains("continued"))
    try interrupted.expectAll("taken over")
  }
}
