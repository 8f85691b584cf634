import Foundation
import Synchronization

/// A PostgreSQL server of the tests' own, behind a socket in a temporary folder; it ends with the process.
public final class PostgresServer: Sendable {
  /// Where the server's programs are; `nil` where none is installed.
  public static let programs: String? = {
    let folder = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let newest = versions.compactMap { Int($0) }.max()
    guard let newest, FileManager.default.isExecutableFile(atPath: "\(folder)/\(newest)/bin/initdb") else {
      print("tests of PostgreSQL: skipped, as no server is installed (Debian's postgresql)")
      return nil
    }
    return "\(folder)/\(newest)/bin"
  }()

  /// The `psql` program itself: what Debian puts in `PATH` is a Perl script that takes ten times as long.
  public static var psql: String { programs.map { "\($0)/psql" } ?? "psql" }

  /// Whether there is a server to test with.
  public static var isInstalled: Bool { programs != nil }

  /// The server, started by the first test that needs it.
  public static let shared = Result<PostgresServer, any Error> { try PostgresServer() }

  /// The folder of the socket.
  public let socket: String
  private let folder: String
  private let last = Mutex(0)

  /// The role that owns everything.
  public static let owner = "kitchen"

  /// Starts a server; `shared` is for all tests that do not end it.
  public init() throws {
    guard let programs = Self.programs else { throw Program.Failure(program: "initdb", errors: "not installed") }
    // A path of a socket has at most 107 bytes.
    folder = "/tmp/decant-pg-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    socket = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // A server does not run as root.
    if getuid() == 0 { _ = try Self.must(["chown", "65534:65534", folder]) }
    let data = "\(folder)/data"
    _ = try Self.must(
      Self.unprivileged + [
        "\(programs)/initdb", "-D", data, "-A", "trust", "-U", Self.owner, "-E", "UTF8", "--locale=C.UTF-8", "-N",
      ])
    try start()
    // It ends with this process, however that ends: even a crash of a test leaves no server behind.
    let watch = """
      ( tail --pid=\(getpid()) -f /dev/null
      kill -QUIT "$(head -n 1 '\(data)/postmaster.pid')"
      sleep 0.5
      rm -rf '\(folder)' ) > /dev/null 2>&1 < /dev/null &
      """
    _ = try Self.must(["bash", "-c", watch])
  }

  private func start() throws {
    // With hundreds of databases, a process would look ten times a second for what to vacuum.
    let options =
      "-c listen_addresses='' -c unix_socket_directories='\(folder)' -c fsync=off -c autovacuum=off -c jit=off"
    _ = try Self.must(
      Self.unprivileged + [
        "bash", "-c", "exec \"$0\" -D \"$1\" -l \"$2\" -w -o \"$3\" start > /dev/null 2>&1",
        "\(Self.programs ?? "")/pg_ctl", "\(folder)/data", "\(folder)/log", options,
      ])
  }

  /// Ends the server as a crash of it would, without saving anything.
  public func crash() throws {
    _ = try Self.must(
      Self.unprivileged + ["\(Self.programs ?? "")/pg_ctl", "-D", "\(folder)/data", "-m", "immediate", "-w", "stop"])
  }

  /// Starts the server after a crash.
  public func recover() throws {
    for attempt in 1... {
      do { return try start() } catch {
        // What was told to end may not have ended yet.
        guard attempt < 50 else { throw error }
        usleep(100_000)
      }
    }
  }

  /// Waits until the server answers, which starts anew after one of its processes was killed.
  public func waitUntilReady() throws {
    for _ in 0..<300 {
      // A killed process is noticed a moment later.
      usleep(100_000)
      if (try? psql("postgres", "SELECT 1")) != nil { return }
    }
    throw Program.Failure(program: "postgres", errors: "it does not answer")
  }

  private static var unprivileged: [String] {
    getuid() == 0 ? ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] : []
  }

  private static func must(_ arguments: [String]) throws -> String {
    let run = try Program.run(arguments, in: URL(fileURLWithPath: "/"))
    guard run.status == 0 else { throw Program.Failure(program: arguments[0], errors: run.errors + run.output) }
    return run.output
  }

  /// Makes an empty database; returns its name.
  public func makeDatabase() throws -> String {
    let number = last.withLock { last in
      last += 1
      return last
    }
    let name = "test\(number)"
    _ = try psql("postgres", "CREATE DATABASE \(name)")
    return name
  }

  /// Runs statements with `psql`, which shares no code with decant but libpq; returns what it prints.
  @discardableResult
  public func psql(_ database: String, _ sql: String, user: String = owner) throws -> String {
    let run = try Program.run(
      [
        Self.psql, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", socket, "-U", user, "-d", database, "-c", sql,
      ],
      environment: ["PGTZ": "UTC"]
    )
    guard run.status == 0 else { throw Program.Failure(program: "psql", errors: run.errors) }
    return run.output.trimmingCharacters(in: .newlines)
  }

  /// Returns what the server has logged.
  public func log() throws -> String { try String(contentsOfFile: "\(folder)/log", encoding: .utf8) }

  /// Returns the location of a schema of a database.
  public func location(_ database: String, schema: String? = nil, user: String = owner) -> String {
    "postgres:host=\(socket) user=\(user) dbname=\(database)" + (schema.map { " schema=\($0)" } ?? "")
  }
}
