/// Another process that holds a lock on a database until it is released.
public final class LockHolder {
  private let process: RunningProgram

  public init(_ path: String, statement: String = "BEGIN IMMEDIATE; SELECT 1") throws {
    process = try RunningProgram(["sqlite3", "-batch", path], errors: .inherited)
    process.write(statement + ";\n")
    // Its first line of output means that it has the lock.
    _ = process.read()
  }

  /// The number of the process.
  public var number: Int32 { process.number }

  public func release() {
    process.closeInput()
    process.waitUntilExit()
  }
}
