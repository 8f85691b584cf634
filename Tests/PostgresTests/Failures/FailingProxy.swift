import Foundation
import TestSupport

/// A socket before a server's that fails once, at a chosen moment; it ends with this value.
final class FailingProxy {
  /// The moment at which it fails, counted over all connections.
  enum Moment: String, Sendable {
    /// So many bytes were sent to the server.
    case up
    /// So many bytes came from the server.
    case down
    /// The COMMIT of this number was sent.
    case commit
    /// The tables are to be moved to their place, for the time of this number.
    case publish
    /// A run is to be locked, for the time of this number.
    case lock
    /// A schema is to be made, for the time of this number.
    case schema
    /// The COMMIT of a transaction that requires values in a table is about to be sent, for the time of this number.
    case keys
    /// Never: requests to end a statement are held back for so many milliseconds.
    case cancel
  }

  /// What fails.
  enum Fault: String, Sendable {
    /// The connection; after a COMMIT only its answer is lost.
    case cut
    /// The connection, but the server does not notice.
    case half
    /// The program that connected is killed.
    case client
    /// The server's process of the connection is killed, upon which the whole server starts anew.
    case backend
    /// The whole server crashes, and does not start by itself.
    case server
  }

  /// The folder of the socket.
  let socket: String
  private let process: RunningProgram

  init(_ server: PostgresServer, _ moment: Moment, _ count: Int, _ fault: Fault = .cut) throws {
    // A path of a socket has at most 107 bytes.
    socket = "\(server.socket)/proxy\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(atPath: socket, withIntermediateDirectories: true)
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("proxy.py")
    process = try RunningProgram(
      ["python3", script.path, socket, server.socket, moment.rawValue, "\(count)", fault.rawValue],
      input: .null,
      output: .file("\(socket)/log"),
      errors: .inherited
    )
    for _ in 0..<1_000 where !said("ready") { usleep(10_000) }
    guard said("ready") else { throw Program.Failure(program: "proxy.py", errors: "not ready") }
  }

  private var log: String { "\(socket)/log" }
  private func said(_ word: String) -> Bool {
    (try? String(contentsOfFile: log, encoding: .utf8))?.contains(word) == true
  }

  /// Whether it failed; false if the moment never came.
  var hasFailed: Bool { said("failed") }

  /// Returns the location of a database behind it.
  func location(_ database: String) -> String {
    "postgres:host=\(socket) user=\(PostgresServer.owner) dbname=\(database)"
  }
}
