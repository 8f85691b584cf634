public import Foundation
import Glibc
import Synchronization

/// A program run to its end: what it printed, and how it ended.
public struct Program {
  public let output: String
  public let errors: String
  public let status: Int32
  /// Whether a signal ended it, as a trap does; `status` is the signal then.
  public let isCrash: Bool

  /// Where Python is: what `PATH` names may be a script that looks for it, and takes longer than it.
  ///
  /// Without one it stays a name, and whoever runs it sees the error.
  private static let python: String = {
    let ask = ["python3", "-c", "import sys; print(sys.executable)"]
    guard let run = try? start(ask, in: nil, environment: [:]), run.status == 0 else {
      return "python3"
    }
    return run.output.trimmingCharacters(in: .newlines)
  }()

  /// Runs `arguments`, the first of which is a path or a name found in `PATH`.
  public static func run(
    _ arguments: [String],
    in folder: URL? = nil,
    environment: [String: String] = [:]
  ) throws -> Program {
    var arguments = arguments
    if arguments.first == "python3" { arguments[0] = python }
    return try start(arguments, in: folder, environment: environment)
  }

  private static func start(_ arguments: [String], in folder: URL?, environment: [String: String]) throws -> Program {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (out, err) = (Pipe(), Pipe())
    process.standardOutput = out
    process.standardError = err
    process.standardInput = FileHandle.nullDevice
    try process.run()
    // Both pipes are drained at once: a program that fills one must not wait for the other.
    let collector = Collector(err.fileHandleForReading)
    let output = Collector.read(out.fileHandleForReading)
    let errors = collector.finish()
    process.waitUntilExit()
    return Program(
      output: String(decoding: output, as: UTF8.self),
      errors: String(decoding: errors, as: UTF8.self),
      status: process.terminationStatus,
      isCrash: process.terminationReason == .uncaughtSignal
    )
  }

  /// Runs the `sqlite3` program, the reader that shares no code with decant, and returns what it prints.
  ///
  /// - Parameters:
  ///   - database: The file to open.
  ///   - sql: One or more statements.
  ///   - isQuoted: Whether values are printed as SQL literals, so that no two look the same.
  /// - Returns: What it prints, without the last line end.
  /// - Throws: `Failure` with what it says where it fails.
  public static func sqlite3(_ database: String, _ sql: String, isQuoted: Bool = false) throws -> String {
    let options = isQuoted ? ["-batch", "-quote"] : ["-batch"]
    let run = try Program.run(["sqlite3"] + options + [database, sql])
    guard run.status == 0 else { throw Failure(program: "sqlite3", errors: run.errors) }
    return run.output.trimmingCharacters(in: .newlines)
  }

  public struct Failure: Error {
    public let program: String
    public let errors: String

    public init(program: String, errors: String) {
      self.program = program
      self.errors = errors
    }
  }
}

/// Reads a handle to its end on a queue of its own.
final class Collector: Sendable {
  private let done = DispatchSemaphore(value: 0)
  private let data = Mutex(Data())

  init(_ handle: FileHandle) {
    DispatchQueue(label: "collector").async { [self] in
      let read = Collector.read(handle)
      data.withLock { $0 = read }
      done.signal()
    }
  }

  /// Reads to the end; Foundation's own way ends the process where a signal comes in between.
  static func read(_ handle: FileHandle) -> Data {
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(handle.fileDescriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      // What was cut off shows in what is expected of it.
      guard count > 0 else { return data }
      data.append(contentsOf: buffer[..<count])
    }
  }

  func finish() -> Data {
    done.wait()
    return data.withLock { $0 }
  }
}
