import Foundation
import TestSupport
import Testing

/// Copies to a server that end early, and are resumed: each row is there exactly once.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct ResumeTests {
  private let place: PostgresFolder
  private let copy: [String]

  init() throws {
    place = try PostgresFolder()
    copy = ["copy", "Kitchen.sqlite", place.location, "--batch-size", "7"]
  }

  private func through(_ proxy: FailingProxy) -> [String] {
    ["copy", "Kitchen.sqlite", proxy.location(place.database), "--batch-size", "7"]
  }

  /// Expects the whole store, as psql counts it and as decant reads it.
  private func expectAll(_ what: Comment) throws {
    #expect(
      try place.psql(
        """
        SELECT concat_ws(',', (SELECT count(*) FROM recipe), (SELECT count(*) FROM ingredient), (SELECT count(*) FROM step),
          (SELECT count(DISTINCT id) FROM ingredient), (SELECT count(*) FROM recipe_tags))
        """)
        == Program.sqlite3(
          place.folder.path("Kitchen.sqlite"),
          """
          SELECT (SELECT count(*) FROM ZRECIPE) || ',' || (SELECT count(*) FROM ZINGREDIENT) || ',' ||
          (SELECT count(*) FROM ZSTEP) || ',' || (SELECT count(*) FROM ZINGREDIENT) || ',' || (SELECT count(*) FROM Z_6TAGS)
          """), what)
    #expect(try place.expect("diff", "Kitchen.sqlite", place.location).contains("equal"), what)
    #expect(try !place.visible().contains("decant_build"), what)
  }

  /// Copies through a proxy that fails, and resumes; returns the number of rows that were there, `nil` if it never failed.
  private func rowsThere(
    _ moment: FailingProxy.Moment,
    _ count: Int,
    _ fault: FailingProxy.Fault
  ) throws -> Int? {
    let what: Comment = "\(moment) \(count) \(fault)"
    let proxy = try FailingProxy(place.server, moment, count, fault)
    let run = try place.run(through(proxy))
    guard proxy.hasFailed else {
      #expect(run.status == 0, what)
      return nil
    }
    if fault == .backend { try place.server.waitUntilReady() }
    if try place.psql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == "7" {
      try expectAll(what)
      return 0
    }
    #expect(run.status != 0, what)
    let resumed = try place.run(copy + ["--resume"])
    #expect(resumed.status == 0, "\(what): \(resumed.errors)")
    try expectAll(what)
    let words = try #/of which ([0-9]+) rows? were there/#.firstMatch(in: resumed.output)
    return words.flatMap { Int($0.1) } ?? 0
  }

  private func empty() throws {
    try place.psql("DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA decant CASCADE")
  }

  @Test(
    arguments: [
      (.commit, 1), (.commit, 2), (.commit, 9), (.commit, 20), (.commit, 29), (.commit, 31), (.up, 20_000),
      (.up, 30_000),
    ] as [(FailingProxy.Moment, Int)], [.client, .cut] as [FailingProxy.Fault])
  func `a copy goes on after the last batch`(_ when: (FailingProxy.Moment, Int), fault: FailingProxy.Fault) throws {
    let rows = try #require(try rowsThere(when.0, when.1, fault))
    if when.0 == .commit, when.1 == 9 || when.1 == 20 { #expect(rows > 0) }
  }

  @Test(
    .enabled(if: Effort.isThorough), arguments: [(.client, 1), (.cut, 2), (.client, 3)] as [(FailingProxy.Fault, Int)])
  func `every commit is one to fail at`(fault: FailingProxy.Fault, step: Int) throws {
    var (count, resumed) = (1, 0)
    while let rows = try rowsThere(.commit, count, fault) {
      count += step
      if rows > 0 { resumed += 1 }
      try empty()
    }
    #expect(resumed > 5)
  }

  @Test func `the same command without an option starts over`() throws {
    let proxy = try FailingProxy(place.server, .commit, 9, .client)
    _ = try place.run(through(proxy))
    #expect(try place.visible().contains("decant_build"))
    let run = try place.run(copy + ["--restart"])
    #expect(run.status == 0, "\(run.errors)")
    #expect((run.output + run.errors).contains("removed the leftovers of an interrupted copy"))
    try expectAll("restart")
  }

  @Test func `a failed copy says how to go on`() throws {
    let proxy = try FailingProxy(place.server, .commit, 9, .cut)
    try place.expect(through(proxy), 1, "--resume")
  }

  @Test func `nothing else is resumed than what was begun`() throws {
    let proxy = try FailingProxy(place.server, .commit, 9, .client)
    _ = try place.run(through(proxy))
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
    try expectAll("started over")
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
    let process = Process()
    process.executableURL = URL(fileURLWithPath: DecantProgram.path)
    process.arguments = copy
    process.currentDirectoryURL = place.folder.url
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
    // It has sent its rows, and makes an index.
    for _ in 0..<200 {
      let found = try place.psql(
        "SELECT 1 FROM pg_stat_activity WHERE datname = '\(place.database)' AND query ~ '^CREATE (UNIQUE )?INDEX'")
      if !found.isEmpty { break }
      usleep(50_000)
    }
    kill(process.processIdentifier, SIGSTOP)
    try place.expect(copy, 11, "another process is copying a store into the schema public")
    try place.psql("DELETE FROM trap.gate")
    // Its statement ends, and its transaction stays open.
    let name = try place.psql("SELECT nspname FROM pg_namespace WHERE nspname ~ '^decant_build'")
    try place.psql("UPDATE \(name).decant_run SET value = '1' WHERE key = 'token'")
    kill(process.processIdentifier, SIGCONT)
    process.waitUntilExit()
    let told = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(process.terminationStatus == 11, "\(told)")
    #expect(told.contains("the copy was taken over by another process"), "\(told)")
    #expect(try place.psql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == "0")
    #expect(
      try place.expect("copy", "Kitchen.sqlite", place.location, "--batch-size", "7", "--resume").contains("continued"))
    try expectAll("taken over")
  }
}
