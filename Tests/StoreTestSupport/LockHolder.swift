internal import Decant
internal import Foundation
internal import TestSupport

/// Another process that holds a lock on a database until it is released.
package final class LockHolder {
  private let process: RunningProgram

  package init(_ path: String, statement: String = "BEGIN IMMEDIATE; SELECT 1") throws {
    process = try RunningProgram(["sqlite3", "-batch", path], errors: .inherited)
    process.write(statement + ";\n")
    // Its first line of output means that it has the lock.
    _ = process.read()
  }

  /// The number of the process.
  package var number: Int32 { process.number }

  package func release() {
    process.closeInput()
    process.waitUntilExit()
  }
}
