import Foundation

/// The library that is loaded into a program before the system's own, as `FaultShim.c` has it.
///
/// It is built when tests first ask for it, by the C compiler that Swift brings along: a target of the
/// package that is loaded by name would have to be a product, which everybody who uses decant sees.
public enum FaultShim {
  /// Whether there is a compiler for it; tests that need it skip without one.
  public static let isAvailable = (try? Program.run(["clang", "--version"]))?.status == 0

  /// Where the library is.
  ///
  /// Stops the tests where it cannot be built, as all of them would go on without a fault.
  public static let library: String = {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("FaultShim.c").path
    let library = DecantProgram.folder.appendingPathComponent("libFaultShim.so").path
    // Built beside and renamed: another process of tests may be loading it.
    let partial = library + ".\(ProcessInfo.processInfo.processIdentifier)"
    let command = [
      "clang", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", partial, source,
    ]
    guard let run = try? Program.run(command), run.status == 0, rename(partial, library) == 0 else {
      fatalError("FaultShim.c cannot be built: \(command.joined(separator: " "))")
    }
    return library
  }()
}
