import Foundation
import TestSupport
import Testing

/// Runs with `--commit batch` on a server that crashes, has no room, or ends what takes too long; and beside one another.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct BatchedRunFaultTests {
  private static let batches = BatchedRunTests.batches
  private let books = BookTables()

  private func makePlace(_ server: PostgresServer? = nil) throws -> PostgresFolder {
    let place = try PostgresFolder(server)
    try books.makeSources(place)
    try books.make(in: "once", place)
    return place
  }

  /// Resumes or repeats a run until it is complete, and expects the tables of one transaction.
  private func expectComplete(_ mode: BatchedRunTests.Mode, _ place: PostgresFolder, _ what: Comment) throws {
    let location = place.server.location(place.database, schema: "n")
    let isThere = try place.psql("SELECT count(*) FROM pg_namespace WHERE nspname ~ '^decant_batch_'") != "0"
    let isBegun = try place.psql("SELECT count(*) FROM n.tag WHERE label LIKE 'fresh%'") != "0"
    if isThere || !isBegun {
      let run = try place.run(mode.command(location, Self.batches + (isThere ? ["--resume"] : [])))
      #expect(run.status == 0, "\(what): \(run.errors)")
    }
    #expect(try books.rows(in: "n", place) == books.rows(in: "once", place), what)
    #expect(try books.constraints(in: "n", place) == books.constraints(in: "once", place), what)
    #expect(try !place.visible().contains("decant_batch"), what)
  }

  @Test(arguments: [FailingProxy.Fault.backend, .server], BatchedRunTests.modes)
  func `a server that crashes loses no row and gets none twice`(fault: FailingProxy.Fault, mode: BatchedRunTests.Mode)
    throws
  {
    let place = try makePlace(PostgresServer())
    let once = try place.run(mode.command(place.server.location(place.database, schema: "once")))
    #expect(once.status == 0, "\(once.errors)")
    for moment in Effort.isThorough ? Array(1...14) : [1, 4, 9] {
      try books.make(in: "n", place)
      let proxy = try FailingProxy(place.server, .commit, moment, fault)
      _ = try place.run(mode.command(proxy.location(place.database) + " schema=n", Self.batches))
      #expect(proxy.hasFailed)
      if fault == .server { try place.server.recover() }
      try place.server.waitUntilReady()
      try expectComplete(mode, place, "\(fault) \(moment)")
    }
  }

  @Test(.enabled(if: SmallDisk.isPermitted)) func `a server without room is resumed when it has some`() throws {
    let place = try makePlace()
    let mode = BatchedRunTests.modes[0]
    #expect(try place.run(mode.command(place.server.location(place.database, schema: "once"))).status == 0)
    try books.make(in: "n", place)
    let (disk, name) = try place.makeSmallTablespace()
    try place.psql("ALTER TABLE n.book SET TABLESPACE \(name)")
    // The book's rows fill the room.
    try place.psql(
      """
      CREATE FUNCTION n.grow() RETURNS trigger LANGUAGE plpgsql AS
        $$BEGIN CREATE TABLE IF NOT EXISTS n.ballast (v text) TABLESPACE \(name);
          IF NOT EXISTS (SELECT FROM n.tag WHERE label = 'room') THEN
            INSERT INTO n.ballast SELECT md5(i::text) || md5(random()::text) FROM generate_series(1, 20000) AS i;
          END IF; RETURN NULL; END$$;
      CREATE TRIGGER grow AFTER INSERT ON n.book_tag FOR EACH STATEMENT EXECUTE FUNCTION n.grow();
      """)
    let location = place.server.location(place.database, schema: "n")
    try place.expect(mode.command(location, Self.batches), 1, "the server has no space left")
    try place.psql("INSERT INTO n.tag (label) VALUES ('room')")
    try withExtendedLifetime(disk) {
      let resumed = try place.run(mode.command(location, Self.batches + ["--resume"]))
      #expect(resumed.status == 0, "\(resumed.errors)")
    }
    try place.psql(
      "DELETE FROM n.tag WHERE label = 'room'; ALTER TABLE n.book SET TABLESPACE pg_default; DROP TABLE n.ballast")
    #expect(try books.rows(in: "n", place) == books.rows(in: "once", place))
    try place.psql("DROP TABLESPACE \(name)")
  }

  @Test func `a batch that takes too long can be resumed`() throws {
    let place = try makePlace()
    let mode = BatchedRunTests.modes[0]
    #expect(try place.run(mode.command(place.server.location(place.database, schema: "once"))).status == 0)
    try books.make(in: "n", place)
    try place.psql(
      """
      CREATE FUNCTION n.wait() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN PERFORM pg_sleep(5); RETURN NULL; END$$;
      CREATE TRIGGER wait AFTER INSERT ON n.book_tag FOR EACH STATEMENT EXECUTE FUNCTION n.wait();
      """)
    let location = place.server.location(place.database, schema: "n")
    let run = try place.run(
      mode.command(location, Self.batches), environment: ["PGOPTIONS": "-c statement_timeout=1s"])
    #expect(
      run.status == 11 && run.errors.contains("statement timeout") && run.errors.contains("--resume"), "\(run.errors)")
    try place.psql("DROP TRIGGER wait ON n.book_tag")
    try expectComplete(mode, place, "timeout")
  }

  @Test func `a lost answer to the first commit is asked for`() throws {
    let place = try makePlace()
    for mode in BatchedRunTests.modes {
      try books.make(in: "once", place)
      #expect(try place.run(mode.command(place.server.location(place.database, schema: "once"))).status == 0)
      try books.make(in: "n", place)
      let proxy = try FailingProxy(place.server, .commit, 1)
      let run = try place.run(mode.command(proxy.location(place.database) + " schema=n", Self.batches))
      #expect(proxy.hasFailed && run.status != 0 && run.errors.contains("--resume"), "\(run.errors)")
      try expectComplete(mode, place, "\(mode)")
    }
  }

  @Test func `a run that is at work is named to others`() throws {
    let place = try makePlace()
    try books.make(in: "n", place)
    try place.psql(
      """
      CREATE FUNCTION n.wait() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN PERFORM pg_sleep(600); RETURN NULL; END$$;
      CREATE TRIGGER wait AFTER INSERT ON n.tag FOR EACH STATEMENT EXECUTE FUNCTION n.wait();
      """)
    let location = place.server.location(place.database, schema: "n")
    let mode = BatchedRunTests.modes[0]
    let process = try RunningProgram(
      [DecantProgram.path] + mode.command(location, Self.batches), in: place.folder.url, output: .null, errors: .null)
    let record = "SELECT count(*) FROM pg_namespace WHERE nspname ~ '^decant_batch_'"
    for _ in 0..<500 where try place.psql(record) == "0" { usleep(20_000) }
    for command in [
      mode.command(location), mode.command(location, Self.batches + ["--resume"]), ["rollback", location],
    ] {
      let run = try place.run(command)
      #expect(run.status == 11 && run.errors.contains("is adding rows to the schema n in batches"), "\(run.errors)")
    }
    process.kill()
    _ = process.waitUntilExit()
    try place.psql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'decant' AND datname = current_database()"
    )
    try place.psql("DROP TRIGGER wait ON n.tag")
    let resumed = try place.run(mode.command(location, Self.batches + ["--resume"]))
    #expect(resumed.status == 0, "\(resumed.errors)")
  }
}
