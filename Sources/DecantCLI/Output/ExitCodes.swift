internal import ArgumentParser
internal import DecantBase

extension ExitCode {
  /// The work is done, but objects were left out because the destination refused them, or because they have conflicts.
  static let rejects = ExitCode(3)
  /// The stores differ, or an examination has findings.
  static let differ = ExitCode(4)

  /// The exit code that scripts know `family` by.
  init(_ family: DecantError.Family) {
    switch family {
    case .storeNotFound: self.init(10)
    case .storeBusy: self.init(11)
    case .modelMismatch: self.init(12)
    case .corruptStore: self.init(13)
    case .usage: self.init(64)
    case .interrupted: self.init(130)
    default: self.init(1)
    }
  }
}

/// Runs `body`; an error of decant's is told on standard error and becomes the exit code.
func reporting<Result>(_ body: () throws(DecantError) -> Result) throws -> Result {
  do throws(DecantError) {
    return try body()
  } catch {
    StandardError.write("decant: \(error.commandLine)\n".harmless)
    ErrorLine.write(error)
    throw ExitCode(error.family)
  }
}
