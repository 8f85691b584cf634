import Foundation
import TestSupport

/// Another process that has a database open while decant works.
final class Neighbour {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Starts one of the Python programs beside the tests and waits until it says that it is ready.
  init(_ name: String, _ arguments: String...) throws {
    let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Programs/\(name)").path
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", program] + arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let first = output.fileHandleForReading.availableData
    guard String(decoding: first, as: UTF8.self).hasPrefix("ready") else {
      throw Program.Failure(program: name, errors: String(decoding: first, as: UTF8.self))
    }
  }

  /// Has it end, and returns the last line it prints.
  @discardableResult func end() throws -> String {
    try input.fileHandleForWriting.close()
    let rest = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: rest, as: UTF8.self).split(separator: "\n").last.map(String.init) ?? ""
  }
}
