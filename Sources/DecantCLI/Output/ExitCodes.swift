internal import ArgumentParser
internal import DecantBase

extension ExitCode {
  /// The work is complete, but objects were left out as the destination rejected them or they have conflicts.
  static let rejects = ExitCode(3)
  /// The stores differ, or an inspection has findings.
  static let differ = ExitCode(4)

  /// Returns the documented exit code of `family`.
  init(_ family: DecantError.Family) {
    switch family {
    case .storeNotFound: self.init(10)
    case .storeBusy: self.init(11)
    case .modelMismatch: self.init(12)
    case .corruptStore: self.init(13)
    case .usage: self.init(64)
    case .interrupted: self.init(130)
    case .failed: self.init(1)
    }
  }
}

/// Runs `body`; writes an error of decant to standard error, and turns it into the exit code.
func reporting<Result>(_ body: () throws(DecantError) -> Result) throws -> Result {
  do throws(DecantError) {
    return try body()
  } catch {
    StandardError.write("decant: \(error.commandLine)\n".harmless)
    ErrorLine.write(error)
    throw ExitCode(error.family)
  }
}
