import Foundation
import TestSupport

/// A session of `psql` that stays open, as an app's does; it ends with this value.
final class PostgresSession {
  private let process: RunningProgram
  private let log: String

  init(_ place: PostgresFolder) throws {
    log = place.folder.path("session-\(UInt32.random(in: 0...UInt32.max))")
    process = try RunningProgram(
      [
        PostgresServer.psql, "-X", "-q", "-A", "-t", "-h", place.server.socket, "-U", PostgresServer.owner, "-d",
        place.database,
      ],
      output: .file(log),
      errors: .file(log)
    )
  }

  /// Runs statements and waits for their end; returns all that the session has printed.
  @discardableResult
  func run(_ sql: String) throws -> String {
    let mark = "done-\(UInt32.random(in: 0...UInt32.max))"
    process.write("\(sql);\n\\echo \(mark)\n")
    for _ in 0..<3_000 {
      let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      if text.contains(mark) { return text }
      usleep(10_000)
    }
    throw Program.Failure(program: "psql", errors: (try? String(contentsOfFile: log, encoding: .utf8)) ?? "")
  }
}
