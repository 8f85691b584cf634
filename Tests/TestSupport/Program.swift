public import Foundation

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
  public static let python: String = {
    let ask = ["/usr/bin/env", "python3", "-c", "import sys; print(sys.executable)"]
    guard let run = try? run(ask), run.status == 0 else {
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
    let program = try RunningProgram(
      arguments, in: folder, environment: environment, input: .null, output: .pipe, errors: .pipe)
    let (output, errors) = program.drain()
    let end = program.waitUntilExit()
    return Program(
      output: String(decoding: output, as: UTF8.self),
      errors: String(decoding: errors, as: UTF8.self),
      status: end.number,
      isCrash: end == .killed(end.number)
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
