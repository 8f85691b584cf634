import Foundation
import TestSupport

/// The program while it runs: followed by what it tells of its progress, and killed.
final class KilledRun {
  private let process: RunningProgram
  private let clock = ContinuousClock()
  private var unread = Data()
  private var began: ContinuousClock.Instant
  /// The phases that it told of, the first of which is its start, and how long each took.
  private(set) var phases: [(name: String, length: Duration)] = []
  /// What it said that tells no progress.
  private(set) var errors = ""
  private(set) var end = RunningProgram.End.exited(0)

  /// Starts it with `arguments` in `folder`.
  init(_ arguments: [String], in folder: URL, environment: [String: String] = [:]) throws {
    began = clock.now
    process = try RunningProgram(
      [DecantProgram.path] + arguments + ["--progress", "json"],
      in: folder,
      environment: environment,
      input: .null,
      output: .null,
      errors: .pipe
    )
    phases = [("start", .zero)]
  }

  /// Waits until `count` phases were told, then for `pause`, and kills it.
  func kill(afterPhases count: Int, pause: Duration) {
    while phases.count <= count, readMore() {}
    let (seconds, attoseconds) = pause.components
    usleep(UInt32(clamping: seconds * 1_000_000 + attoseconds / 1_000_000_000_000))
    process.send(SIGKILL)
    finish()
  }

  /// Waits for its end, whatever that is.
  func finish() {
    while readMore() {}
    let ended = process.waitUntilExit()
    phases[phases.count - 1].length = clock.now - began
    end = ended
  }

  /// Reads what it tells next; false at its end.
  private func readMore() -> Bool {
    let data = process.read()
    guard !data.isEmpty else { return false }
    unread += data
    while let newline = unread.firstIndex(of: 10) {
      note(String(decoding: unread[unread.startIndex..<newline], as: UTF8.self))
      unread = Data(unread[unread.index(after: newline)...])
    }
    return true
  }

  private func note(_ line: String) {
    guard line.hasPrefix("{\"event\"") else { return errors += line + "\n" }
    guard line.contains("\"event\":\"phase\"") else { return }
    let now = clock.now
    phases[phases.count - 1].length = now - began
    began = now
    let name = line.components(separatedBy: "\"phase\":\"").last ?? ""
    phases.append((String(name.prefix { $0 != "\"" }), .zero))
  }
}
