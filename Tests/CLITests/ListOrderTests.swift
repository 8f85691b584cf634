import Foundation
import TestSupport
import Testing

/// The order of lists after three-way merges, held against a reference in Python that shares no code with decant.
@Suite struct ListOrderTests {
  @Test func `a list is in the order that one side gave it, or in conflict`() throws {
    let script = Fixtures.projectFolder.appendingPathComponent("Tests/ThreeWay/orders.py").path
    let run = try Program.run(
      ["python3", script, "--seeds", "0-5"],
      environment: ["DECANT": DecantProgram.path, "PYTHONDONTWRITEBYTECODE": "1"]
    )
    #expect(run.status == 0, "\(run.output.suffix(4000))\(run.errors)")
    #expect(run.output.hasSuffix("6 histories, 0 with faults\n"))
  }
}
