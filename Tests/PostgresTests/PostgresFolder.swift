import Foundation
import TestSupport
import Testing

/// A folder with the sample stores, a database, and how the program is run with both.
struct PostgresFolder {
  let folder: TemporaryFolder
  let server: PostgresServer
  let database: String
  var location: String { server.location(database) }

  /// Makes a folder and a database of `server`, by default of that which tests share.
  init(_ server: PostgresServer? = nil) throws {
    folder = try TemporaryFolder()
    self.server = try server ?? PostgresServer.shared.get()
    database = try self.server.makeDatabase()
    for name in ["Kitchen.sqlite", "Guests.sqlite"] {
      let sample = Fixtures.projectFolder.appendingPathComponent("samples/\(name)")
      try FileManager.default.copyItem(at: sample, to: folder.url.appendingPathComponent(name))
    }
  }

  func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Program {
    try Program.run([DecantProgram.path] + arguments, in: folder.url, environment: environment)
  }

  /// Runs the program, and expects it to end well; returns what it prints.
  @discardableResult
  func expect(_ arguments: String..., location: SourceLocation = #_sourceLocation) throws -> String {
    let run = try run(arguments)
    #expect(run.status == 0, "\(arguments): \(run.errors)", sourceLocation: location)
    return run.output
  }

  /// Runs the program, and expects it to end with `status` and to say `message`.
  func expect(
    _ arguments: [String],
    _ status: Int32,
    _ message: String,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let run = try run(arguments)
    #expect(run.status == status, "\(run.output)\(run.errors)", sourceLocation: location)
    #expect(run.errors.contains(message), "\(run.errors)", sourceLocation: location)
  }

  @discardableResult
  func psql(_ sql: String, user: String = PostgresServer.owner) throws -> String {
    try server.psql(database, sql, user: user)
  }

  /// Makes a tablespace with little room; returns its disk, which must live as long, and its name.
  func makeSmallTablespace() throws -> (disk: SmallDisk, name: String) {
    let folder = URL(fileURLWithPath: "\(server.socket)/\(database)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let disk = try SmallDisk(at: folder, kilobytes: 160)
    _ = try Program.run(["chown", "65534:65534", folder.path])
    try psql("CREATE TABLESPACE small_\(database) LOCATION '\(folder.path)'")
    return (disk, "small_\(database)")
  }

  /// The schemas, tables and indexes that are not the server's own.
  func visible() throws -> String {
    try psql(
      """
      SELECT n.nspname || '.' || c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
      UNION SELECT nspname FROM pg_namespace WHERE nspname ~ '^decant' ORDER BY 1
      """)
  }
}
