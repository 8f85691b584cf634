import Foundation
import TestSupport

/// Another process that has a database open while decant works.
final class Neighbour {
  private let process: RunningProgram

  /// Starts one of the Python programs beside the tests and waits until it says that it is ready.
  init(_ name: String, _ arguments: String...) throws {
    let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Programs/\(name)").path
    process = try RunningProgram(["python3", program] + arguments, errors: .inherited)
    let first = process.read()
    guard String(decoding: first, as: UTF8.self).hasPrefix("ready") else {
      throw Program.Failure(program: name, errors: String(decoding: first, as: UTF8.self))
    }
  }

  /// Has it end, and returns the last line it prints.
  @discardableResult func end() throws -> String {
    process.end().rest.split(separator: "\n").last.map(String.init) ?? ""
  }
}
