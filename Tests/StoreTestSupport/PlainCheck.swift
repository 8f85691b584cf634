package import Decant
internal import Foundation
internal import TestSupport

/// The checker of copies of plain databases, in Python: a second reader that shares no code with decant.
package enum PlainCheck {
  /// What makes `copy` no exact copy of `source`: a line each.
  package static func differences(of copy: String, from source: String, without leftOut: Set<String> = []) throws
    -> [String]
  {
    try run(["new", source, copy] + leftOut.flatMap { ["--left-out", $0] })
  }

  /// What makes `after` something else than `before` with the rows of `source` under new keys.
  ///
  /// `links` are those that no foreign key declares.
  package static func differences(
    in after: String,
    afterAdding source: String,
    to before: String,
    links: [CopyOptions.Link] = []
  ) throws -> [String] {
    let options = links.flatMap { ["--link", "\($0.property) -> \($0.target)"] }
    return try run(["append", before, source, after] + options)
  }

  private static func run(_ arguments: [String]) throws -> [String] {
    let script = Fixtures.projectFolder.appendingPathComponent("Tests/Databases/check.py").path
    let run = try Program.run(["python3", script] + arguments)
    let lines = run.output.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("note:") }
    guard run.status == 0 || !lines.isEmpty else {
      throw Program.Failure(program: "check.py", errors: run.errors)
    }
    return lines
  }
}
