internal import Decant
internal import Foundation
internal import TestSupport

/// Another process that holds a lock on a database until it is released.
package final class LockHolder {
  private let process = Process()
  private let input = Pipe()

  package init(_ path: String, statement: String = "BEGIN IMMEDIATE; SELECT 1") throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-batch", path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    input.fileHandleForWriting.write(Data((statement + ";\n").utf8))
    // Its first line of output means that it has the lock.
    _ = output.fileHandleForReading.availableData
  }

  /// The number of the process.
  package var number: Int32 { process.processIdentifier }

  package func release() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
