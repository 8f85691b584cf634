import Foundation
import TestSupport
import Testing

/// Servers that refuse for want of room, time, connections or rights.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct ServerLimitTests {
  private let place: PostgresFolder

  init() throws { place = try PostgresFolder() }

  private func set(_ setting: String) throws { try place.psql("ALTER DATABASE \(place.database) SET \(setting)") }

  @Test(.enabled(if: SmallDisk.isPermitted)) func `a server without room is told, and the same command works`() throws {
    let (disk, name) = try place.makeSmallTablespace()
    try set("default_tablespace = \(name)")
    try place.expect(["copy", "Kitchen.sqlite", place.location], 1, "the server has no space left")
    #expect(try !place.visible().contains("public."))
    try disk.grow()
    try withExtendedLifetime(disk) { _ = try place.expect("copy", "Kitchen.sqlite", place.location, "--resume") }
    try place.psql("DROP SCHEMA public CASCADE; DROP SCHEMA decant CASCADE")
    try place.psql("DROP TABLESPACE \(name)")
  }

  @Test func `a statement that takes too long is told`() throws {
    try place.psql(
      """
      CREATE SCHEMA trap;
      CREATE FUNCTION trap.wait() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(5); END $$;
      CREATE EVENT TRIGGER wait ON ddl_command_end WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION trap.wait()
      """)
    try set("statement_timeout = '1s'")
    try place.expect(["copy", "Kitchen.sqlite", place.location], 11, "statement timeout")
    #expect(try !place.visible().contains("public."))
    let run = try place.run(["inspect", place.location], environment: ["PGOPTIONS": "-c statement_timeout=1"])
    #expect(
      run.status == 11 && run.errors.contains("statement timeout") && !run.errors.contains("password"), "\(run.errors)")
    try place.psql("DROP EVENT TRIGGER wait")
    try place.expect("copy", "Kitchen.sqlite", place.location, "--resume")
  }

  @Test(.enabled(if: Effort.isThorough)) func `a lock that is held too long is told`() throws {
    try place.expect("copy", "Kitchen.sqlite", place.server.location(place.database, schema: "first"))
    let holder = try RunningProgram(
      [
        PostgresServer.psql, "-X", "-q", "-h", place.server.socket, "-U", PostgresServer.owner, "-d", place.database,
        "-c",
        "BEGIN; LOCK TABLE decant.store IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(60)",
      ],
      output: .null
    )
    usleep(500_000)
    let process = try place.psql("SELECT pid FROM pg_locks WHERE relation = 'decant.store'::regclass AND granted")
    let reason = "lock timeout; it is held by process \(process) (psql, role \(PostgresServer.owner))"
    try place.expect(["copy", "Kitchen.sqlite", place.location], 11, reason)
    holder.kill()
    try place.psql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ 'pg_sleep.60' AND pid <> pg_backend_pid()")
    try place.expect("copy", "Kitchen.sqlite", place.location)
  }

  @Test(
    arguments: [
      ["idle_in_transaction_session_timeout = '100ms'", "idle_session_timeout = '100ms'"],
      ["default_transaction_isolation = 'serializable'"],
    ])
  func `settings of the database do not end a copy`(settings: [String]) throws {
    for setting in settings { try set(setting) }
    try place.expect("copy", "Kitchen.sqlite", place.location)
    try place.expect("copy", place.location, "back.sqlite")
  }

  @Test func `a database that only allows reading is told before a row is read`() throws {
    try set("default_transaction_read_only = on")
    try place.expect(["copy", "Kitchen.sqlite", place.location, "--dry-run"], 1, "allows only reading")
    try place.expect(["copy", "Kitchen.sqlite", place.location], 1, "allows only reading")
  }

  @Test func `a role that may connect only once is told`() throws {
    let role = "single_\(place.database)"
    try place.psql("CREATE ROLE \(role) LOGIN SUPERUSER")
    try place.psql("ALTER ROLE \(role) NOSUPERUSER CONNECTION LIMIT 1; GRANT ALL ON SCHEMA public TO \(role)")
    try place.psql("GRANT CREATE ON DATABASE \(place.database) TO \(role)")
    let location = place.server.location(place.database, user: role)
    try place.expect(["copy", "Kitchen.sqlite", location], 1, "too many connections")
    #expect(try !place.visible().contains("public."))
    try place.psql("ALTER ROLE \(role) CONNECTION LIMIT 3")
    try place.expect("copy", "Kitchen.sqlite", location, "--resume")
  }
}
