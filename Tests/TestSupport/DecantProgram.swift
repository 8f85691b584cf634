public import Foundation

/// The `decant` program that the tests run.
public enum DecantProgram {
  /// Where it is: beside the bundle of tests that runs, or where `DECANT_PROGRAM` says.
  public static let path: String = {
    if let path = ProcessInfo.processInfo.environment["DECANT_PROGRAM"] {
      // Tests run it in folders of their own.
      return URL(fileURLWithPath: path).standardizedFileURL.path
    }
    return folder.appendingPathComponent("decant").path
  }()

  /// Where the bundle of tests was built, and what it needs beside it.
  public static let folder: URL = {
    let candidates = [
      URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
      Fixtures.projectFolder.appendingPathComponent(".build/debug"),
      Fixtures.projectFolder.appendingPathComponent(".build/release"),
    ]
    return candidates.first {
      FileManager.default.isExecutableFile(atPath: $0.appendingPathComponent("decant").path)
    } ?? candidates[1]
  }()

  /// What runs a program as a user whom permissions bind, as they do not bind root; `nil` where root cannot become
  /// one.
  public static let bound: [String]? = {
    guard getuid() == 0 else { return [] }
    let nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    let run = try? Program.run(nobody + [path, "--version"])
    guard run?.status == 0 else {
      print("tests of permissions: skipped, as another user cannot run the program")
      return nil
    }
    return nobody
  }()

  /// Runs it with `arguments` in `folder`.
  public static func run(_ arguments: String..., in folder: URL) throws -> Program {
    try Program.run([path] + arguments, in: folder)
  }
}
