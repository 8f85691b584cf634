import Foundation
import TestSupport
import Testing

/// What a program took, as the system counted it.
struct MeasuredProgram {
  /// The exit code, or the negative number of the signal that ended it.
  let status: Int32
  let errors: String
  /// The time of the processor, in seconds.
  let seconds: Int
  /// The most bytes that were resident at any time.
  let peakByteCount: Int

  /// A small program measures: what it has resident itself is less.
  private static let script = """
    import os, sys
    null = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    child = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ, file_actions=null)
    _, status, used = os.wait4(child, 0)
    seconds = int(used.ru_utime + used.ru_stime)
    open(sys.argv[1], "w").write(f"{os.waitstatus_to_exitcode(status)} {seconds} {used.ru_maxrss * 1024}")
    """

  /// Runs decant in `folder`; what it prints is dropped.
  init(_ arguments: [String], in folder: URL, environment: [String: String] = [:]) throws {
    let place = try TemporaryFolder()
    let run = try Program.run(
      ["python3", "-c", Self.script, place.path("measured"), DecantProgram.path] + arguments,
      in: folder,
      environment: environment
    )
    let measured = try String(contentsOfFile: place.path("measured"), encoding: .utf8)
    let numbers = measured.split(separator: " ").compactMap { Int($0) }
    try #require(numbers.count == 3, "\(arguments): \(run.errors)")
    (status, seconds, peakByteCount, errors) = (Int32(numbers[0]), numbers[1], numbers[2], run.errors)
  }
}

/// The memory that a program takes.
enum PeakMemory {
  /// Runs decant in `folder`, and returns the most bytes of it that were resident at any time.
  static func of(_ arguments: [String], in folder: URL) throws -> Int {
    let run = try MeasuredProgram(arguments, in: folder)
    try #require(run.status == 0, "\(arguments): \(run.errors)")
    return run.peakByteCount
  }
}
