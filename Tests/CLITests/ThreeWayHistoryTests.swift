import Foundation
import TestSupport
import Testing

/// Three-way merges of random histories, held against a reference in Python that shares no code with decant.
@Suite struct ThreeWayHistoryTests {
  private func check(_ shapes: [String], _ seeds: String, _ options: String...) throws -> Program {
    let script = Fixtures.projectFolder.appendingPathComponent("Tests/ThreeWay/check.py").path
    return try Program.run(
      ["python3", script, "--seeds", seeds, "--quick"] + options
        + shapes.flatMap { ["--shape", $0] },
      environment: ["DECANT": DecantProgram.path]
    )
  }

  @Test func `a merge is what the histories of both sides say`() throws {
    let run = try check(["name", "uuid", "lineage", "parts", "many"], "0-9")
    #expect(run.status == 0, "\(run.output.suffix(4000))\(run.errors)")
    #expect(run.output.hasSuffix("10 histories, 0 with faults\n"))
  }

  /// A row that belongs to two objects goes with the one that goes, and keeps or brings back neither of them.
  @Test(arguments: [("textmany", "11005-11005"), ("textmanyrow", "11002-11002")])
  func `a row that belongs to two objects goes with either`(shape: String, seeds: String) throws {
    let run = try check([shape], seeds, "--only-keep")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  @Test func `rows with a key of texts, or of a link and a text, are merged as well`() throws {
    let run = try check(["textkey", "textlink", "textpart"], "0-5")
    #expect(run.status == 0, "\(run.output.suffix(4000))\(run.errors)")
    #expect(run.output.hasSuffix("6 histories, 0 with faults\n"))
  }
}
