import Foundation

/// The reader of archives in Python, which was written from the specification and shares no code with decant.
public enum ArchiveScript {
  /// What is wrong with an archive, or differs from the store it was made of: a line each.
  ///
  /// - Parameters:
  ///   - files: The archive, or its parts in any order.
  ///   - store: The store; without it only what the archive says of itself is checked.
  /// - Returns: The lines; none if all is well.
  /// - Throws: `Program.Failure` where the script cannot read on.
  public static func faults(in files: [String], from store: String? = nil) throws -> [String] {
    try lines(files, store).filter { !$0.hasPrefix("note:") }
  }

  /// What is worth knowing of an archive, but no fault.
  public static func notes(on files: [String], from store: String) throws -> [String] {
    try lines(files, store).filter { $0.hasPrefix("note:") }
  }

  private static func lines(_ files: [String], _ store: String?) throws -> [String] {
    let script = path("archive.py")
    let run = try Program.run(["python3", script] + (store.map { ["--store", $0] } ?? []) + files)
    let lines = run.output.split(separator: "\n").map(String.init)
    guard run.status == 0 || run.status == 1, run.errors.isEmpty else {
      throw Program.Failure(program: "archive.py", errors: run.errors)
    }
    return lines
  }

  /// Makes a database of awkward values, names and keys.
  public static func makeAwkward(_ path: String, encoding: String) throws {
    let run = try Program.run(["python3", self.path("awkward.py"), path, encoding])
    guard run.status == 0 else {
      throw Program.Failure(program: "awkward.py", errors: run.errors)
    }
  }

  private static func path(_ name: String) -> String {
    Fixtures.projectFolder.appendingPathComponent("Tests/Databases/\(name)").path
  }
}
