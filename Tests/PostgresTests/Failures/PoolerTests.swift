import Foundation
import TestSupport
import Testing

/// Connections through PgBouncer, in either mode.
@Suite(.enabled(if: PostgresServer.isInstalled && Pooler.isInstalled)) struct PoolerTests {
  @Test func `a pooler that shares sessions is refused, by every verb and with other clients`() throws {
    let place = try PostgresFolder()
    try place.expect("copy", "Kitchen.sqlite", place.location)
    let before = try place.visible()
    let pooler = try Pooler(place.server, mode: "transaction")
    let others = try (0..<3).map { _ in try pooler.client(of: place.database) }
    let through = pooler.location(place.database)
    for arguments in [
      ["copy", through, "back.sqlite"], ["copy", "Guests.sqlite", through + " schema=other"],
      ["merge", "Guests.sqlite", through], ["verify", "Kitchen.sqlite", through], ["inspect", through],
    ] {
      try place.expect(arguments, 1, "pooler that gives its sessions to other clients")
    }
    withExtendedLifetime(others) {}
    #expect(try place.visible() == before)
    #expect(!FileManager.default.fileExists(atPath: place.folder.path("back.sqlite")))
    // The sessions of the pool are as other clients expect them.
    let left = try pooler.psql(
      place.database, "SELECT current_setting('search_path'), current_setting('decant.session', true)")
    #expect([#""$user", public|"#].contains(left), "\(left)")
  }

  @Test func `a pooler that keeps sessions is as good as the server`() throws {
    let place = try PostgresFolder()
    let pooler = try Pooler(place.server, mode: "session")
    let through = pooler.location(place.database)
    try place.expect("copy", "Kitchen.sqlite", through)
    try place.expect("merge", "Guests.sqlite", through)
    try place.expect("copy", through, "back.sqlite")
    #expect(try place.psql("SELECT count(*) FROM recipe") == "16")
    #expect(try Program.sqlite3(place.folder.path("back.sqlite"), "SELECT count(*) FROM ZRECIPE") == "16")
  }
}

/// A PgBouncer of the test's own before a server; it ends with this value.
private final class Pooler {
  static let program = "/usr/sbin/pgbouncer"
  static let isInstalled: Bool = {
    guard !FileManager.default.isExecutableFile(atPath: program) else { return true }
    print("tests of poolers: skipped, as PgBouncer is not installed (Debian's pgbouncer)")
    return false
  }()

  private let folder: String
  private let process: RunningProgram

  init(_ server: PostgresServer, mode: String) throws {
    // A path of a socket has at most 107 bytes.
    folder = "/tmp/decant-pool-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let settings = """
      [databases]
      * = host=\(server.socket)
      [pgbouncer]
      listen_addr =
      listen_port = 6432
      unix_socket_dir = \(folder)
      auth_type = trust
      auth_file = \(folder)/users
      pool_mode = \(mode)
      default_pool_size = 4
      """
    try settings.write(toFile: "\(folder)/settings", atomically: true, encoding: .utf8)
    try "\"\(PostgresServer.owner)\" \"\"\n".write(toFile: "\(folder)/users", atomically: true, encoding: .utf8)
    // It does not run as root.
    let user = getuid() == 0 ? ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] : []
    if getuid() == 0 { _ = try Program.run(["chown", "-R", "65534:65534", folder]) }
    process = try RunningProgram(user + [Self.program, "\(folder)/settings"], output: .null)
    for _ in 0..<100 where !FileManager.default.fileExists(atPath: "\(folder)/.s.PGSQL.6432") { usleep(50_000) }
  }

  deinit {
    _ = process.kill()
    try? FileManager.default.removeItem(atPath: folder)
  }

  func location(_ database: String) -> String {
    "postgres:host=\(folder) port=6432 user=\(PostgresServer.owner) dbname=\(database)"
  }

  private func words(_ database: String) -> [String] {
    [
      PostgresServer.psql, "-X", "-q", "-A", "-t", "-h", folder, "-p", "6432", "-U", PostgresServer.owner, "-d",
      database,
    ]
  }

  func psql(_ database: String, _ sql: String) throws -> String {
    let run = try Program.run(words(database) + ["-c", sql])
    return run.output.trimmingCharacters(in: .newlines) + run.errors
  }

  /// Starts a client that runs short transactions until this value ends.
  func client(of database: String) throws -> RunningProgram {
    let client = try RunningProgram(words(database), output: .null)
    client.write("SELECT pg_sleep(0.02) \\watch 0.01\n")
    return client
  }
}
