import Foundation
import TestSupport

/// The program while it runs: followed by what it tells of its progress, and killed.
final class KilledRun {
  /// How it ended.
  enum End: Equatable {
    case killed, exited(Int32)
  }

  private let process = Process()
  private let output: FileHandle
  private let clock = ContinuousClock()
  private var unread = Data()
  private var began: ContinuousClock.Instant
  /// The phases that it told of, the first of which is its start, and how long each took.
  private(set) var phases: [(name: String, length: Duration)] = []
  /// What it said that tells no progress.
  private(set) var errors = ""
  private(set) var end = End.exited(0)

  /// Starts it with `arguments` in `folder`.
  init(_ arguments: [String], in folder: URL, environment: [String: String] = [:]) throws {
    let pipe = Pipe()
    output = pipe.fileHandleForReading
    process.executableURL = URL(fileURLWithPath: DecantProgram.path)
    process.arguments = arguments + ["--progress", "json"]
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    began = clock.now
    try process.run()
    phases = [("start", .zero)]
  }

  /// Waits until `count` phases were told, then for `pause`, and kills it.
  func kill(afterPhases count: Int, pause: Duration) {
    while phases.count <= count, readMore() {}
    let (seconds, attoseconds) = pause.components
    usleep(UInt32(clamping: seconds * 1_000_000 + attoseconds / 1_000_000_000_000))
    Foundation.kill(process.processIdentifier, SIGKILL)
    finish()
  }

  /// Waits for its end, whatever that is.
  func finish() {
    while readMore() {}
    process.waitUntilExit()
    phases[phases.count - 1].length = clock.now - began
    end =
      process.terminationReason == .uncaughtSignal
      ? .killed : .exited(process.terminationStatus)
  }

  /// Reads what it tells next; false at its end.
  private func readMore() -> Bool {
    let data = output.availableData
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
