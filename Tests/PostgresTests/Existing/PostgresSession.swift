import Foundation
import TestSupport

/// A session of `psql` that stays open, as an app's does; it ends with this value.
final class PostgresSession {
  private let process = Process()
  private let input = Pipe()
  private let log: String

  init(_ place: PostgresFolder) throws {
    log = place.folder.path("session-\(UInt32.random(in: 0...UInt32.max))")
    try Data().write(to: URL(fileURLWithPath: log))
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "psql", "-X", "-q", "-A", "-t", "-h", place.server.socket, "-U", PostgresServer.owner, "-d", place.database,
    ]
    process.standardInput = input
    process.standardOutput = FileHandle(forWritingAtPath: log)
    process.standardError = FileHandle(forWritingAtPath: log)
    try process.run()
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Runs statements and waits for their end; returns all that the session has printed.
  @discardableResult
  func run(_ sql: String) throws -> String {
    let mark = "done-\(UInt32.random(in: 0...UInt32.max))"
    try input.fileHandleForWriting.write(contentsOf: Data("\(sql);\n\\echo \(mark)\n".utf8))
    for _ in 0..<3_000 {
      let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      if text.contains(mark) { return text }
      usleep(10_000)
    }
    throw Program.Failure(program: "psql", errors: (try? String(contentsOfFile: log, encoding: .utf8)) ?? "")
  }
}
