import Foundation
import TestSupport
import Testing

/// What a copy to PostgreSQL refuses, and what it leaves behind.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct RefusalTests {
  private let place: PostgresFolder
  private var store: String { place.folder.path("Kitchen.sqlite") }

  init() throws { place = try PostgresFolder() }

  /// Values beside a limit, and whether they are on the right side of it.
  @Test(
    arguments: [
      ("ZSERVINGS = 32767", nil), ("ZSERVINGS = -32768", nil),
      ("ZSERVINGS = 32768", "servings is an integer beyond 16 bits"),
      ("ZSERVINGS = -32769", "servings is an integer beyond 16 bits"), ("ZCOOKMINUTES = 2147483647", nil),
      ("ZCOOKMINUTES = 2147483648", "cookMinutes is an integer beyond 32 bits"),
      ("ZVIEWCOUNT = 9223372036854775807", nil), ("ZVIEWCOUNT = -9223372036854775808", nil),
      ("ZISFAVORITE = 2", "isFavorite is an integer other than 0 and 1"),
      ("ZTITLE = CAST(x'610062' AS TEXT)", "title contains a NUL character"),
      ("ZTITLE = CAST(x'61ff62' AS TEXT)", "title is not valid UTF-8"),
      ("ZUUID = x'00'", "uuid does not have the 16 bytes of a UUID"), ("ZRATING = 1e308", nil),
      ("ZPRICE = 0.1", nil), ("ZPRICE = -12345678.875", nil), ("ZPRICE = 1e15", nil),
      ("ZCREATEDAT = -211845110400.0", nil), ("ZCREATEDAT = 9223339708799.0", nil),
    ] as [(String, String?)])
  func `a limit has two sides`(value: String, message: String?) throws {
    _ = try Program.sqlite3(store, "UPDATE ZRECIPE SET \(value) WHERE Z_PK = 1")
    guard let message else {
      try place.expect("copy", "Kitchen.sqlite", place.location)
      try place.expect("copy", place.location, "back.sqlite")
      #expect(try place.expect("diff", "Kitchen.sqlite", "back.sqlite").contains("equal"))
      return
    }
    try place.expect(["copy", "Kitchen.sqlite", place.location], 1, message)
    #expect(try place.visible() == "")
    let run = try place.run(["copy", "Kitchen.sqlite", place.location, "--on-error", "reject"])
    #expect(run.status == 3, "\(run.errors)")
    #expect(try place.psql("SELECT count(*) FROM recipe WHERE id = 1") == "0")
  }

  @Test(arguments: ["-211845110401.0", "9223339708800.0", "123456789012345"])
  func `dates out of range are named while planning`(date: String) throws {
    _ = try Program.sqlite3(store, "UPDATE ZRECIPE SET ZCREATEDAT = \(date) WHERE Z_PK < 3")
    try place.expect(["copy", "Kitchen.sqlite", place.location], 64, "Recipe.createdAt: 2 dates")
    try place.expect("copy", "Kitchen.sqlite", place.location, "--exact-dates")
    try place.expect("copy", place.location, "back.sqlite")
    #expect(try place.expect("diff", "Kitchen.sqlite", "back.sqlite").contains("equal"))
  }

  @Test func `rounded dates are counted`() throws {
    _ = try Program.sqlite3(store, "UPDATE ZRECIPE SET ZCREATEDAT = 700000000.1234567 WHERE Z_PK < 3")
    #expect(try place.expect("copy", "Kitchen.sqlite", place.location).contains("2 dates are rounded to microseconds"))
    #expect(try place.psql("SELECT count(*) FROM recipe WHERE created_at = '2023-03-08 20:26:40.123457+00'") == "2")
  }

  @Test func `tables that are there are not touched`() throws {
    try place.psql("CREATE TABLE step (mine int)")
    try place.expect(["copy", "Kitchen.sqlite", place.location], 64, "public.step already exists")
    try place.expect("copy", "Kitchen.sqlite", place.server.location(place.database, schema: "a\"b"))
    #expect(try place.psql("SELECT count(*) FROM \"a\"\"b\".step") == "42")
  }

  @Test func `a role without rights is told which`() throws {
    let role = "guest_\(place.database)"
    try place.psql("CREATE ROLE \(role) LOGIN")
    let guest = place.server.location(place.database, user: role)
    try place.expect(
      ["copy", "Kitchen.sqlite", guest], 1, "GRANT CREATE ON DATABASE \"\(place.database)\" TO \"\(role)\"")
    try place.expect(["copy", "Kitchen.sqlite", guest], 1, "GRANT CREATE, USAGE ON SCHEMA \"public\" TO \"\(role)\"")
    // The rights that are named are enough.
    try place.psql(
      """
      GRANT CREATE ON DATABASE \(place.database) TO \(role); GRANT CREATE, USAGE ON SCHEMA public TO \(role)
      """)
    try place.expect("copy", "Kitchen.sqlite", guest)
    try place.expect("copy", guest, "back.sqlite")
    let other = "other_\(place.database)"
    try place.psql("CREATE ROLE \(other) LOGIN")
    try place.expect(
      ["copy", place.server.location(place.database, user: other), "other.sqlite"], 1, "GRANT SELECT ON decant.store")
  }

  @Test func `a role that may not read is told all missing rights at once`() throws {
    let role = "reader_\(place.database)"
    try place.psql(
      "CREATE ROLE \(role) LOGIN; CREATE SCHEMA own; CREATE TABLE own.a (x int); CREATE TABLE own.\"B\" (x int)")
    try place.expect("copy", "Kitchen.sqlite", place.server.location(place.database, schema: "kitchen"))
    try place.psql("GRANT USAGE ON SCHEMA decant TO \(role); GRANT SELECT ON decant.store TO \(role)")
    for (schema, table) in [("kitchen", "kitchen.tag"), ("own", "own.\"B\"")] {
      let guest = place.server.location(place.database, schema: schema, user: role)
      func expectAdvice(_ advice: [String]) throws {
        let run = try place.run(["inspect", guest])
        #expect(run.status == 1 && advice.allSatisfy { run.errors.contains($0) }, "\(run.errors)")
        for line in advice { try place.psql(line) }
      }
      try expectAdvice([
        "GRANT USAGE ON SCHEMA \(schema) TO \(role)", "GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO \(role)",
      ])
      try place.expect("inspect", guest)
      try place.psql("REVOKE SELECT ON \(table) FROM \(role)")
      try expectAdvice(["GRANT SELECT ON \(table) TO \(role)"])
      try place.expect("inspect", guest)
    }
    // A table that is not read is of no interest.
    try place.psql("CREATE TABLE kitchen.later (x int)")
    try place.expect("inspect", place.server.location(place.database, schema: "kitchen", user: role))
  }

  @Test(arguments: [4, 1])
  func `of two copies into one schema, the second one builds nothing`(seconds: Int) throws {
    // The trigger makes the first one slow before anybody can see what it makes. The second waits for two seconds.
    try place.psql(
      """
      CREATE SCHEMA trap; CREATE TABLE trap.made (at timestamptz);
      CREATE FUNCTION trap.wait() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
        IF EXISTS (SELECT 1 FROM pg_event_trigger_ddl_commands() WHERE object_identity ~ 'decant_build') THEN
          INSERT INTO trap.made VALUES (clock_timestamp()); PERFORM pg_sleep(\(seconds));
        END IF; END $$;
      CREATE EVENT TRIGGER wait ON ddl_command_end WHEN TAG IN ('CREATE SCHEMA') EXECUTE FUNCTION trap.wait();
      """)
    let first = try RunningProgram(
      [DecantProgram.path, "copy", "Kitchen.sqlite", place.location], in: place.folder.url, output: .null)
    for _ in 0..<200 {
      let isWaiting = "SELECT 1 FROM pg_stat_activity WHERE datname = '\(place.database)' AND wait_event = 'PgSleep'"
      if try !place.psql(isWaiting).isEmpty { break }
      usleep(20_000)
    }
    let second = try place.run(["copy", "Kitchen.sqlite", place.location])
    #expect(second.status == 11 || second.status == 64 && seconds < 2, "\(second.errors)")
    #expect(
      second.errors.contains(second.status == 11 ? "another process is copying" : "already exists"), "\(second.errors)")
    #expect(first.waitUntilExit() == .exited(0))
    #expect(try place.psql("SELECT count(*) FROM trap.made") == "1")
    try place.psql("DROP EVENT TRIGGER wait; DROP SCHEMA trap CASCADE")
  }

  @Test func `the rights that the manual names are enough`() throws {
    let names = (1...4).map { "role\($0)_\(place.database)" }
    try place.psql(
      """
      REVOKE ALL ON DATABASE \(place.database) FROM PUBLIC; REVOKE ALL ON SCHEMA public FROM PUBLIC;
      CREATE SCHEMA one; CREATE SCHEMA two;
      """
        + names.map { "CREATE ROLE \($0) LOGIN; GRANT CONNECT ON DATABASE \(place.database) TO \($0);" }.joined())
    func grant(_ rights: String, _ role: Int) throws { try place.psql("GRANT \(rights) TO \(names[role])") }
    func location(_ schema: String, _ role: Int) -> String {
      place.server.location(place.database, schema: schema, user: names[role])
    }
    try grant("CREATE ON DATABASE \(place.database)", 0)
    try grant("CREATE, USAGE ON SCHEMA one", 0)
    try place.expect("copy", "Kitchen.sqlite", location("one", 0))
    // Another role copies, for which decant's own schema is there.
    try grant("CREATE ON DATABASE \(place.database)", 1)
    try grant("CREATE, USAGE ON SCHEMA two", 1)
    try grant("USAGE ON SCHEMA decant", 1)
    try grant("SELECT, INSERT, UPDATE ON decant.store", 1)
    try place.expect("copy", "Kitchen.sqlite", location("two", 1))
    for role in 2...3 {
      try grant("USAGE ON SCHEMA one, decant", role)
      try grant("SELECT ON decant.store", role)
      try grant("SELECT ON ALL TABLES IN SCHEMA one", role)
    }
    try place.expect("verify", "Kitchen.sqlite", location("one", 2))
    try place.expect("copy", location("one", 2), "back.sqlite")
    try grant("INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA one", 3)
    try grant("USAGE, SELECT ON ALL SEQUENCES IN SCHEMA one", 3)
    try grant("TEMPORARY ON DATABASE \(place.database)", 3)
    try place.expect("merge", "Guests.sqlite", location("one", 3))
    try place.expect("copy", "Guests.sqlite", location("one", 3), "--append")
  }

  @Test func `what is missing has its exit code`() throws {
    try place.expect(["copy", "Kitchen.sqlite", place.server.location("nowhere")], 10, "does not exist")
    try place.expect(["copy", place.server.location("nowhere"), "x.sqlite"], 10, "does not exist")
    try place.expect(["copy", place.location, "x.sqlite"], 10, "has no tables")
    try place.psql("CREATE SCHEMA shop; CREATE TABLE shop.customer (id int)")
    try place.expect(["inspect", place.location], 10, "there are tables in shop")
    try place.expect(["copy", "Kitchen.sqlite", "postgres:host=/nowhere dbname=x"], 1, "cannot connect")
    for option in [["--backup"], ["--keep-metadata"]] {
      try place.expect(["copy", "Kitchen.sqlite", place.location] + option, 64, option[0])
    }
    try place.expect(["merge", "Kitchen.sqlite", place.location], 10, "no store")
    try place.expect(["clean", place.location, "--what", "history"], 64, "is not changed in place")
    for verb in ["rollback", "recipes"] {
      let run = try place.run([verb, place.location])
      #expect(run.status == 64)
      #expect(run.errors.split(separator: "\n").count == 1 && !run.errors.contains(place.database), "\(run.errors)")
      #expect(!run.errors.contains(place.server.socket))
    }
  }

  @Test func `a planted damage is found and named`() throws {
    try place.psql(
      """
      CREATE SCHEMA trap;
      CREATE FUNCTION trap.spoil() RETURNS event_trigger LANGUAGE plpgsql AS $$
      DECLARE place text;
      BEGIN
        SELECT nspname INTO place FROM pg_namespace WHERE nspname ~ '^decant_build';
        IF to_regclass(place || '.recipe') IS NOT NULL THEN
          EXECUTE format('UPDATE %I.recipe SET title = ''x'' WHERE id = 1', place);
        END IF;
      END $$;
      CREATE EVENT TRIGGER spoil ON ddl_command_end WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION trap.spoil()
      """)
    try place.expect(["copy", "Kitchen.sqlite", place.location], 1, "Recipe p1 differs in title")
    #expect(try place.visible() == "")
    try place.psql("DROP EVENT TRIGGER spoil")
    try place.expect("copy", "Kitchen.sqlite", place.location)
  }

  @Test(arguments: [20, 60, 120, 200, 300, 450])
  func `a killed copy shows nothing, and the next one cleans up`(milliseconds: Int) throws {
    let process = try RunningProgram(
      [DecantProgram.path, "copy", "Kitchen.sqlite", place.location], in: place.folder.url, output: .null)
    usleep(UInt32(milliseconds) * 1_000)
    process.kill()
    let tables = try place.psql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
    #expect(tables == "0" || tables == "7")
    if tables == "0" { try place.expect("copy", "Kitchen.sqlite", place.location) }
    #expect(try place.psql("SELECT count(*) FROM public.ingredient") == "73")
    #expect(try !place.visible().contains("decant_build"))
  }

  @Test func `a session that the server ends is an error that leaves nothing`() throws {
    try place.psql(
      """
      CREATE SCHEMA trap;
      CREATE FUNCTION trap.cut() RETURNS event_trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); END $$;
      CREATE EVENT TRIGGER cut ON ddl_command_end WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION trap.cut()
      """)
    try place.expect(["copy", "Kitchen.sqlite", place.location], 1, "terminating connection")
    #expect(try !place.visible().contains("public."))
    try place.psql("DROP EVENT TRIGGER cut")
    #expect(
      try place.expect("copy", "Kitchen.sqlite", place.location, "--resume").contains("continued an interrupted copy"))
    try place.expect("verify", "Kitchen.sqlite", place.location)
  }

  @Test(arguments: [
    "postgres://kitchen:sesame@localhost/app", "postgres://kitchen@localhost/app?pass%77ord=ses%61me",
    "postgres:host=localhost password=sesame", "postgres:host=localhost sslpassword=sesame",
    "postgres://kitchen%3Asesame@localhost/app", "postgres://kitchen%3asesame%40localhost/app",
    "postgres://localhost/app?user=kitchen%3Asesame", "postgres:host=localhost user=kitchen:sesame",
    "postgres:dbname=postgres://kitchen:sesame@localhost/app", "postgres:dbname='host=localhost password=sesame'",
    "postgres://localhost/postgresql%3A%2F%2Fkitchen%3Asesame%40localhost%2Fapp",
  ])
  func `a password in a location is refused`(location: String) throws {
    for arguments in [["copy", "Kitchen.sqlite", location], ["copy", location, "x.sqlite"], ["inspect", location]] {
      try place.expect(arguments, 64, "must not contain a password")
      #expect(try !place.run(arguments).errors.contains("sesame"))
    }
  }

  @Test func `a password from the environment is in nothing that is told`() throws {
    let run = try place.run(
      ["copy", "Kitchen.sqlite", place.location, "--json"], environment: ["PGPASSWORD": "sesame"])
    #expect(run.status == 0)
    #expect(!(run.output + run.errors).contains("sesame"))
    #expect(try !place.psql("SELECT * FROM decant.store").contains("sesame"))
  }
}
