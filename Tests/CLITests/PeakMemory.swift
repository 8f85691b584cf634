import Foundation
import TestSupport
import Testing

/// The memory that a program takes.
enum PeakMemory {
  /// Runs a program and prints the most memory that was resident of it, as the system counted it.
  private static let measure = """
    import resource, subprocess, sys
    subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
    """

  /// Runs decant in `folder`, and returns the most bytes of it that were resident at any time.
  static func of(_ arguments: [String], in folder: URL) throws -> Int {
    // A small program measures: what it has resident itself is less.
    let run = try Program.run(["python3", "-c", measure, DecantProgram.path] + arguments, in: folder)
    return try #require(Int(run.output.trimmingCharacters(in: .newlines)), "\(arguments): \(run.errors)")
  }
}
